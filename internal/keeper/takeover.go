package keeper

import (
	"context"
	"time"

	"cove/internal/fault"
	"cove/internal/keeper/takeover"
	"cove/internal/keeperclient"
)

// tabsLimit bounds the wait for a browser that is still opening: its person may never allow it.
const tabsLimit = 3 * time.Second

// startTakeover makes every agent wait, and remembers the addresses of the tabs.
func (k *keeper) startTakeover(ctx context.Context) (keeperclient.Takeover, error) {
	k.enforcer.TakeOver()
	k.log.Info("the person has taken over")
	ctx, cancel := context.WithTimeout(ctx, tabsLimit)
	defer cancel()
	b, err := k.agents.awaitBrowser(ctx)
	if err != nil {
		// The profile is still opening: the agents wait, and there are no tabs yet.
		return keeperclient.Takeover{}, nil
	}
	b.Refresh(ctx) // the browser tells late where a tab is
	k.mu.Lock()
	if k.tabsBefore == nil {
		k.tabsBefore = takeover.Tabs(b)
	}
	k.mu.Unlock()
	if !k.hasWindow() {
		return keeperclient.Takeover{}, nil
	}
	if err := b.Show(ctx); err != nil { // the agents wait all the same
		k.log.Warn("the window could not be brought to the front", "err", err)
	}
	return keeperclient.Takeover{Window: true}, nil
}

// hasWindow reports whether Cove can bring the browser's window to the front. It leaves those of a person's own browser
// where they are.
func (k *keeper) hasWindow() bool { return !k.record.Headless && !k.shares() }

// endTakeover lets the agents go on, and tells each of them what has changed.
func (k *keeper) endTakeover(ctx context.Context) (keeperclient.Takeover, error) {
	id := k.spec.ID.String()
	if !k.enforcer.State().TakenOver {
		return keeperclient.Takeover{}, fault.New(fault.CodeNotTakenOver,
			"Profile "+id+" was not taken over.",
			"Take it over with: cove takeover "+id)
	}
	limited, cancel := context.WithTimeout(ctx, tabsLimit)
	defer cancel()
	b, err := k.agents.awaitBrowser(limited)
	if err != nil && limited.Err() == nil {
		return keeperclient.Takeover{}, err
	}
	if err != nil { // the profile is still opening: no agent has seen its tabs
		k.enforcer.GiveBack("")
		k.log.Info("the person has given back before the browser was ready")
		return keeperclient.Takeover{}, nil
	}

	b.Refresh(ctx)
	k.mu.Lock()
	before, after := k.tabsBefore, takeover.Tabs(b)
	k.tabsBefore = nil
	k.mu.Unlock()
	if before == nil { // it was taken over before there were tabs
		before = after
	}
	note := takeover.Changes(before, after)
	k.enforcer.GiveBack(note)
	k.log.Info("the person has given back")
	return keeperclient.Takeover{Window: k.hasWindow(), Changes: note}, nil
}
