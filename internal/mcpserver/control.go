package mcpserver

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"cove/internal/page"
	"cove/internal/policy"
)

// tabGuard keeps a call out of pages that the person works in, and ends one that is in a page when the person takes
// control of it. It belongs to one step of a call.
type tabGuard struct {
	inside    atomic.Bool // the step works in a page; while it waits for a person it does not
	acts      bool        // the step changes its page
	interrupt context.CancelCauseFunc
	stops     []func()
	watched   map[string]bool
	owned     map[string]func() // by tab: ends the step there
}

// guardTab begins the guard of a step. The caller calls end once.
func (c *Call) guardTab(ctx context.Context, t Tool) (guarded context.Context, end func()) {
	if t.AsksPerson { // it waits for the person, who may take control for its sake
		c.guard = nil
		return ctx, func() {}
	}
	g := &tabGuard{acts: !t.ReadOnly && t.hasPage(), watched: map[string]bool{}, owned: map[string]func(){}}
	ctx, g.interrupt = context.WithCancelCause(ctx)
	c.guard, c.Approval.guard = g, g
	return ctx, func() {
		for _, stop := range g.stops {
			stop()
		}
		g.exitTab()
		g.interrupt(nil)
		c.guard, c.Approval.guard = nil, nil
	}
}

// enterTab waits while the person works in a page, and refuses a step that acts in another agent's. From then on the
// step ends when the person takes control of the page, and no other agent gets it.
func (c *Call) enterTab(ctx context.Context, t *page.Tab) error {
	g, enforcer := c.guard, c.Approval.enforcer
	if g == nil {
		return nil
	}
	if !g.watched[t.ID()] {
		g.watched[t.ID()] = true
		g.stops = append(g.stops, enforcer.OnControl(t.ID(), func() {
			if g.inside.Load() {
				g.interrupt(policy.TabTakenMeanwhile())
			}
		}))
	}

	stop := c.progress.Waiting(ctx, "Waiting: the user is working in this page")
	defer stop()
	limit := time.Now().Add(policy.ControlLimit())
	for {
		g.inside.Store(false)
		if err := c.admission.BeginOn(ctx, t.ID(), limit); err != nil {
			return err
		}
		g.inside.Store(true)
		if !enforcer.Controlled(t.ID()) { // else the person was faster
			break
		}
	}
	if g.acts {
		return c.ownTab(t)
	}
	c.client.owner.Look(t.ID())
	return nil
}

// exitTab says that the step waits outside of its page, until enterTab.
func (g *tabGuard) exitTab() {
	if g == nil {
		return
	}
	g.inside.Store(false)
	for tab, end := range g.owned {
		end()
		delete(g.owned, tab)
	}
}

// taken reports whether the person's control has ended a step.
func taken(ctx context.Context) bool {
	return errors.Is(context.Cause(ctx), policy.TabTakenMeanwhile())
}

// ForgetPictures forgets what pictures there are of a page: the person has worked in it.
func (s *Server) ForgetPictures(tab string) { s.shared.last.Forget(tab) }
