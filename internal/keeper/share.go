package keeper

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"cove/internal/chromium"
	"cove/internal/external"
	"cove/internal/external/scope"
	"cove/internal/policy"
	"cove/internal/process"
	"cove/internal/profile"
	"cove/internal/session"
)

// shared is a browser that its person has opened outside Cove, and the tabs of it that the person shares with agents.
// It owns the connection to that browser. The keeper has nothing else of it: it never closes the browser, signals it or
// starts it anew.
//
// readyToShare connects it once. Afterwards requests of the app choose tabs, and stop or the loss of the connection end
// the sharing, all of them from goroutines of their own. Nothing connects a sharing that has ended.
type shared struct {
	id       profile.ID
	browser  profile.External
	enforcer *policy.Enforcer
	ports    *ownPorts // of which agents see no page
	events   *recorder // records which tabs the person shares
	stopping <-chan struct{}
	log      *slog.Logger

	mu    sync.Mutex
	conn  *external.Conn // nil before the person has allowed it
	scope *scope.Browser // nil before that
	over  bool

	ended chan struct{} // closed when there is no connection any more, or never will be

	once   sync.Once
	reason session.EndReason // set by once, after the end
}

// shareLimit bounds a start that waits for the person.
const shareLimit = 30 * time.Minute

// otherProfile is the step at which a window of the right profile has to come to the front.
const otherProfile external.Step = "other-profile"

// connect waits until the person has allowed the connection, and returns what agents see of the browser. It calls
// onStep with what it waits for. It ends without a connection when the keeper stops.
func (s *shared) connect(ctx context.Context, onStep func(external.Step)) (*scope.Browser, error) {
	conn, err := external.Dial(ctx, s.browser.DataDir, onStep)
	if err != nil {
		return nil, err
	}
	if !s.connected(conn) {
		return nil, context.Canceled
	}
	browserContext, err := external.FindProfile(ctx, conn, s.browser.Path(), func() { onStep(otherProfile) })
	if err != nil {
		return nil, err
	}
	b := scope.New(conn, s.log)
	sites := s.sites()
	s.enforcer.OnRulesChange(func() { b.Permit(sites) })
	if err := b.Start(ctx, browserContext); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scope = b
	return b, nil
}

// sites says which sites agents may see: those of the policy, without Cove's own.
func (s *shared) sites() scope.Sites {
	return scope.Sites{
		Permits: func(address string) bool {
			rules := s.enforcer.Rules()
			return !s.ports.serves(address) && rules.Permits(rules.URL(address))
		},
		Expressions: func() (allow, block string) {
			allow, block = s.enforcer.Rules().Expressions()
			return allow, strings.TrimPrefix(block+s.ports.expression(), "|")
		},
	}
}

// connected stores the connection. It reports false, and closes the connection, if the sharing is over already.
func (s *shared) connected(conn *external.Conn) bool {
	s.mu.Lock()
	over := s.over
	if !over {
		s.conn = conn
	}
	s.mu.Unlock()
	if over {
		conn.Close()
	}
	return !over
}

// letGo ends the connection. The browser and its tabs stay as they are.
func (s *shared) letGo() {
	s.mu.Lock()
	conn := s.conn
	s.mu.Unlock()
	if conn != nil {
		conn.Close()
	}
	s.end()
}

// end marks the sharing as over.
func (s *shared) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over {
		s.over = true
		close(s.ended)
	}
}

// quitLimit is how long a browser that quits may take to exit after its connections.
const quitLimit = 3 * time.Second

// endReason says why the sharing is over. It may take a moment to see whether the browser quits.
func (s *shared) endReason() session.EndReason {
	s.once.Do(func() { s.reason = s.findReason() })
	return s.reason
}

// findReason finds out why the sharing is over, by whether the keeper stops and whether the browser still runs.
func (s *shared) findReason() session.EndReason {
	select {
	case <-s.stopping:
		return session.LetGo
	default:
	}
	s.mu.Lock()
	conn := s.conn
	s.mu.Unlock()
	var owner process.ID
	if conn != nil {
		owner = conn.Owner
	} else if holder, open := chromium.Holder(s.browser.DataDir); open { // the browser had not answered yet
		owner = holder
	} else {
		return session.BrowserQuit
	}
	ctx, cancel := context.WithTimeout(context.Background(), quitLimit)
	defer cancel()
	if owner.Wait(ctx) != nil {
		return session.SwitchedOff
	}
	return session.BrowserQuit
}
