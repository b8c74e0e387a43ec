package httpapi

import (
	"context"
	"strings"
	"sync"
	"time"

	"cove/api"
	"cove/internal/account"
	"cove/internal/fault"
)

// PIN is what the owner knows and programs do not.
type PIN interface {
	IsSet(ctx context.Context) (bool, error)
	// Check passes the right PIN, and everything while there is none.
	Check(ctx context.Context, pin string) error
	Change(ctx context.Context, pin string) error
	Clear(ctx context.Context) error
}

// headerPIN carries it: never the address or the body, which end up in places.
const headerPIN = "Cove-Pin"

// unlockLife is how long a window that has sent the PIN need not send it again.
const unlockLife = 15 * time.Minute

// unlocks are the windows that have sent it.
type unlocks struct {
	mu    sync.Mutex
	until map[string]time.Time
}

func (u *unlocks) add(window string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	now := time.Now()
	if u.until == nil {
		u.until = map[string]time.Time{}
	}
	for w, until := range u.until {
		if now.After(until) {
			delete(u.until, w)
		}
	}
	u.until[window] = now.Add(unlockLife)
}

func (u *unlocks) has(window string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return window != "" && time.Now().Before(u.until[window])
}

// forget locks every window: the PIN has changed.
func (u *unlocks) forget() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.until = nil
}

// mustBePerson refuses everybody but the person: the owner's own token or the window, never an API token, for those are given to
// programs.
func (c *call) requirePerson() error {
	if err := c.requireOwner(); err != nil {
		return err
	}
	_, token, _ := strings.Cut(c.Header.Get("Authorization"), " ")
	if c.window() != "" || c.server.Accounts.OwnersToken(token) {
		return nil
	}
	return fault.New(fault.Denied, "E_NOT_PERSON", "Only the person may do that, in Cove's window or on the command line.", "An API token is not enough.")
}

// window names the signed-in window that sent the call; "" for a program.
func (c *call) window() string {
	if c.bearer() {
		return ""
	}
	if _, session, ok := c.page(); ok {
		return session
	}
	return ""
}

// confirm asks for the PIN, where there is one, before agents may do more than before.
func (c *call) confirm() error {
	if c.server.unlocks.has(c.window()) {
		return nil
	}
	return c.server.PIN.Check(c.Context(), c.Header.Get(headerPIN))
}

func (s *Server) readPIN(c *call) (any, error) {
	if err := c.requireOwner(); err != nil {
		return nil, err
	}
	set, err := s.PIN.IsSet(c.Context())
	return api.PinData{Set: set, Unlocked: s.unlocks.has(c.window())}, err
}

func (s *Server) setPIN(c *call) (any, error) {
	var in api.NewPin
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if err := account.CheckNewPIN(in.PIN); err != nil {
		return nil, err
	}
	if err := first(c.requirePerson, c.confirmAgain); err != nil {
		return nil, err
	}
	s.unlocks.forget()
	return api.OK{Success: true}, s.PIN.Change(c.Context(), in.PIN)
}

func (s *Server) clearPIN(c *call) (any, error) {
	if err := first(c.requirePerson, c.confirmAgain); err != nil {
		return nil, err
	}
	s.unlocks.forget()
	return api.OK{Success: true}, s.PIN.Clear(c.Context())
}

// confirmAgain asks an unlocked window too: whoever sits down at it must not change the PIN.
func (c *call) confirmAgain() error {
	return c.server.PIN.Check(c.Context(), c.Header.Get(headerPIN))
}

// unlock lets a window go on without the PIN for a while.
func (s *Server) unlock(c *call) (any, error) {
	if err := first(c.requirePerson, c.confirmAgain); err != nil {
		return nil, err
	}
	if w := c.window(); w != "" {
		s.unlocks.add(w)
	}
	return api.OK{Success: true}, nil
}
