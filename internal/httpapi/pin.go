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

// PIN checks the owner's PIN, which the owner knows and programs do not.
type PIN interface {
	IsSet(ctx context.Context) (bool, error)
	// Check accepts the right PIN, and any PIN while none is set.
	Check(ctx context.Context, pin string) error
	Change(ctx context.Context, pin string) error
	Clear(ctx context.Context) error
}

// headerPIN carries the PIN. URLs and bodies end up in logs, so the PIN is never sent there.
const headerPIN = "Cove-Pin"

// unlockLife is how long a window can go on without sending the PIN again.
const unlockLife = 15 * time.Minute

// unlocks remembers the windows that have sent the PIN.
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

// forget locks every window, because the PIN has changed.
func (u *unlocks) forget() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.until = nil
}

// requirePerson refuses everybody but the person, who has the owner's own token or the window. API tokens are given to
// programs, so they do not count.
func (c *call) requirePerson() error {
	if err := c.requireOwner(); err != nil {
		return err
	}
	_, token, _ := strings.Cut(c.Header.Get("Authorization"), " ")
	if c.window() != "" || c.server.config.Accounts.OwnersToken(token) {
		return nil
	}
	return fault.New(fault.CodeNotPerson, "Only the user can do that, in Cove's window or on the command line.",
		"An API token is not enough.")
}

// window names the signed-in window that sent the call. It returns "" for a program.
func (c *call) window() string {
	if c.bearer() {
		return ""
	}
	if _, session, ok := c.page(); ok {
		return session
	}
	return ""
}

// confirm requires the PIN, where there is one, before agents are allowed more than before.
func (c *call) confirm() error {
	if c.server.unlocks.has(c.window()) {
		return nil
	}
	return c.server.config.PIN.Check(c.Context(), c.Header.Get(headerPIN))
}

func (s *Server) readPIN(c *call) (any, error) {
	if err := c.requireOwner(); err != nil {
		return nil, err
	}
	set, err := s.config.PIN.IsSet(c.Context())
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
	return api.OK{Success: true}, s.config.PIN.Change(c.Context(), in.PIN)
}

func (s *Server) clearPIN(c *call) (any, error) {
	if err := first(c.requirePerson, c.confirmAgain); err != nil {
		return nil, err
	}
	s.unlocks.forget()
	return api.OK{Success: true}, s.config.PIN.Clear(c.Context())
}

// confirmAgain requires the PIN from an unlocked window too: whoever sits down at it must not change the PIN.
func (c *call) confirmAgain() error {
	return c.server.config.PIN.Check(c.Context(), c.Header.Get(headerPIN))
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
