package keeper

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"cove/internal/fault"
	"cove/internal/keeper/takeover"
	"cove/internal/keeperclient"
	"cove/internal/page"
	"cove/internal/policy"
	"cove/internal/profile"
)

// takeovers makes agents wait while the person works in the profile, and tells them afterwards what has changed. It
// owns the addresses that the tabs had before. The routes of the policy call it, each request from a goroutine of its
// own.
type takeovers struct {
	id       profile.ID
	enforcer *policy.Enforcer
	browser  func(context.Context) (*page.Browser, error) // waits until the browser can be used
	window   bool                                         // Cove can bring the browser's window to the front
	log      *slog.Logger

	mu     sync.Mutex
	before []takeover.Tab // the tabs at the time of a takeover; nil when nobody has taken over
}

// tabsLimit bounds the wait for a browser that is still opening: its person may never allow it.
const tabsLimit = 3 * time.Second

// start makes every agent wait, and remembers the addresses of the tabs.
func (t *takeovers) start(ctx context.Context) (keeperclient.Takeover, error) {
	t.enforcer.TakeOver()
	t.log.Info("the person has taken over")
	ctx, cancel := context.WithTimeout(ctx, tabsLimit)
	defer cancel()
	b, err := t.browser(ctx)
	if err != nil {
		// The profile is still opening: the agents wait, and there are no tabs yet.
		return keeperclient.Takeover{}, nil
	}
	b.Refresh(ctx) // the browser tells late where a tab is
	t.mu.Lock()
	if t.before == nil {
		t.before = takeover.Tabs(b)
	}
	t.mu.Unlock()
	if !t.window {
		return keeperclient.Takeover{}, nil
	}
	if err := b.Show(ctx); err != nil { // the agents wait all the same
		t.log.Warn("the window could not be brought to the front", "err", err)
	}
	return keeperclient.Takeover{Window: true}, nil
}

// end lets the agents go on, and tells each of them what has changed.
func (t *takeovers) end(ctx context.Context) (keeperclient.Takeover, error) {
	id := t.id.String()
	if !t.enforcer.State().TakenOver {
		return keeperclient.Takeover{}, fault.New(fault.CodeNotTakenOver,
			"Profile "+id+" was not taken over.",
			"Take it over with: cove takeover "+id)
	}
	limited, cancel := context.WithTimeout(ctx, tabsLimit)
	defer cancel()
	b, err := t.browser(limited)
	if err != nil && limited.Err() == nil {
		return keeperclient.Takeover{}, err
	}
	if err != nil { // the profile is still opening: no agent has seen its tabs
		t.enforcer.GiveBack("")
		t.log.Info("the person has given back before the browser was ready")
		return keeperclient.Takeover{}, nil
	}

	b.Refresh(ctx)
	t.mu.Lock()
	before, after := t.before, takeover.Tabs(b)
	t.before = nil
	t.mu.Unlock()
	if before == nil { // it was taken over before there were tabs
		before = after
	}
	note := takeover.Changes(before, after)
	t.enforcer.GiveBack(note)
	t.log.Info("the person has given back")
	return keeperclient.Takeover{Window: t.window, Changes: note}, nil
}
