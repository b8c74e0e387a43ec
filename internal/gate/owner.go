package gate

import (
	"context"
	"encoding/json"
	"slices"

	"cove/internal/cdp"
	"cove/internal/gate/method"
	"cove/internal/policy"
	"cove/internal/policy/owner"
)

// program is who sends a command, as an owner of tabs. known is closed when it is known which process that is: several
// connections of one process are one owner.
type program struct {
	owner *owner.Owner
	known <-chan struct{}
}

// ownTab refuses a command that acts in another agent's tab. A tab that belongs to nobody becomes the program's. Where
// the policy does not bind programs, no command is refused.
func (c *command) ownTab(ctx context.Context, p program) error {
	if !c.rules.BindsPrograms() {
		c.recordClosing(p.owner)
		return nil
	}

	switch r, _ := method.Of(c.method); {
	case c.method == "Browser.close" || c.method == "Target.disposeBrowserContext":
		for _, tab := range c.closedTabs() {
			if err := p.check(ctx, tab); err != nil {
				return err
			}
		}
	case r.Kind == method.Emulation: // clients send it for every page, and the page would notice
		c.skip = c.skip || p.check(ctx, c.tab()) != nil
	case c.method == "Page.captureScreenshot" && c.flagParam("captureBeyondViewport"):
		return p.check(ctx, c.tab()) // the browser resizes the page for it
	case slices.Contains(c.needs, policy.Act) && !answersBrowser(c.method):
		return p.act(ctx, c.tab())
	}

	return nil
}

// recordClosing records who closes a tab, so that its owner hears it.
func (c *command) recordClosing(o *owner.Owner) {
	if c.method != "Target.closeTarget" && c.method != "Page.close" {
		return
	}
	if c.params == nil {
		c.params, _ = cdp.Fields(c.raw)
	}
	if tab := c.tab(); tab != "" {
		o.Closing(tab)
	}
}

// tab returns the tab that the command is for; "" for none.
func (c *command) tab() string {
	t := c.target()
	if c.method == "Target.closeTarget" || c.method == "Target.activateTarget" {
		t = c.mux.Target(c.textParam("targetId"))
	}
	id := tabOf(c.mux, t)
	if t.ID != id {
		t = c.mux.Target(id)
	}
	if t.Type != "page" {
		return ""
	}

	return id
}

// closedTabs returns the tabs that the command closes: all, or those of a browser context.
func (c *command) closedTabs() (tabs []string) {
	var in struct {
		Context string `json:"browserContextId"`
	}
	_ = json.Unmarshal(c.raw, &in)
	for _, t := range c.mux.Targets() {
		if t.Type == "page" && (c.method == "Browser.close" || t.Context == in.Context) {
			tabs = append(tabs, t.ID)
		}
	}

	return tabs
}

// act begins and ends a step in a tab.
func (p program) act(ctx context.Context, tab string) error {
	return p.try(ctx, tab, func() *owner.Owner {
		end, other := p.owner.Begin(tab)
		if other == nil {
			end()
		}
		return other
	})
}

// check refuses another agent's tab. A tab of nobody stays nobody's.
func (p program) check(ctx context.Context, tab string) error {
	return p.try(ctx, tab, func() *owner.Owner {
		other, _ := p.owner.Other(tab)
		return other
	})
}

// try refuses a tab that is somebody else's, once it is known who the program is.
func (p program) try(ctx context.Context, tab string, ask func() *owner.Owner) error {
	if tab == "" {
		return nil
	}
	other := ask()
	if other == nil {
		return nil
	}
	select {
	case <-p.known:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if other = ask(); other == nil {
		return nil
	}

	return policy.TabOwned("This page", other.Name(), "Work in a page of your own. "+
		"The user can let agents share their tabs: cove policy set ID --tabs shared")
}
