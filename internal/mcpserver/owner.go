package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/policy"
	"cove/internal/policy/owner"
	"cove/internal/wording"
)

// forget makes the tabs of a client nobody's: the agent has left.
func (s *Server) forget(c *client) { c.owner.Leave() }

// ownTab begins an acting step in a page. A page of nobody becomes the agent's, and nobody else gets it before the step
// has ended. It refuses another agent's page.
func (c *Call) ownTab(t *page.Tab) error {
	g := c.guard
	if g == nil || g.owned[t.ID()] != nil {
		return nil
	}
	end, other := c.client.owner.Begin(t.ID())
	if other != nil {
		return c.tabOwned(t, other)
	}
	g.owned[t.ID()] = end
	c.endOthers(t)
	return nil
}

// endOthers ends what other agents have left in a page that is the agent's now: their logpoints and mocked requests.
func (c *Call) endOthers(t *page.Tab) {
	if !c.Approval.enforcer.Tabs().Shared() {
		t.Logpoints.ClearOthers(c.Session())
		t.Mocks.ClearOthers(c.Session())
	}
}

// ownOpened makes a page of nobody that a step has opened the agent's. Most pages have got the owner of their
// opener already; those that do not tell their opener have not.
func (c *Call) ownOpened(t *page.Tab) {
	if !t.Closed() && c.MayChange(t) {
		c.client.owner.Found(t.ID())
	}
}

// tabOwned is the answer to a step in a page of another agent.
func (c *Call) tabOwned(t *page.Tab, other *owner.Owner) *fault.Error {
	number := c.Pages.NumberOf(t)
	hint := fmt.Sprintf("Look at it, or work in a page of your own: new_page opens one. "+
		"If the user wants you to work in this one: select_page {\"pageId\":%d,\"take\":true}.", number)
	return policy.TabOwned(fmt.Sprintf("Page %d", number), other.Name(), hint)
}

// isTabOwned reports whether a step was refused because its page is another agent's.
func isTabOwned(err error) bool {
	var f *fault.Error
	return errors.As(err, &f) && f.Code == fault.CodeTabOwned
}

// BeginActing begins an acting step in a page for a tool that only looks otherwise.
func (c *Call) BeginActing(t *page.Tab) error { return c.ownTab(t) }

// MayChange reports whether the call may do what the page notices: it is no other agent's.
func (c *Call) MayChange(t *page.Tab) bool {
	other, _ := c.client.owner.Other(t.ID())
	return other == nil
}

// OwnerLabel says whose a page is: yours, free, person, or the name of another agent; "" where agents share them.
func (c *Call) OwnerLabel(t *page.Tab) string {
	enforcer := c.Approval.enforcer
	if enforcer.Controlled(t.ID()) {
		return "person"
	}
	if enforcer.Tabs().Shared() {
		return ""
	}
	if c.client.owner.Owns(t.ID()) {
		return "yours"
	}
	other, _ := c.client.owner.Other(t.ID())
	if other == nil {
		return "free"
	}
	name := strings.NewReplacer("[", "(", "]", ")").Replace(wording.Shorten(other.Name(), 40))
	switch name {
	case "yours", "free", "person", "selected", "crashed", "not loaded": // an agent's name is its own word
		return "agent " + name
	default:
		return name
	}
}

// takeLimit is how long a tab's new owner waits for the step that the old one has under way there.
const takeLimit = 20 * time.Second

// TakeTab makes a page the agent's. Where another agent works in it, the policy decides, or the person.
func (c *Call) TakeTab(ctx context.Context, t *page.Tab) error {
	if err := c.Approval.Authorize(ctx, policy.Act, Subject{Tab: t}, "take the page"); err != nil {
		return err
	}
	other, rests := c.client.owner.Other(t.ID())
	var from string
	if other != nil {
		from = other.Name()
		if err := c.authorizeTake(ctx, t, from, rests); err != nil {
			return err
		}
	}

	waiting, cancel := context.WithTimeout(ctx, takeLimit)
	defer cancel()
	stop := c.progress.Waiting(ctx, "Waiting: another agent is in the middle of a step in this page")
	defer stop()
	if now := c.client.owner.Take(waiting, t.ID(), other); now != nil {
		return c.tabOwned(t, now)
	}
	c.endOthers(t)
	if other != nil {
		c.admission.TabTaken(c.Redact.PageURL(t), from)
		c.Say("Page %d was %s's and is yours now.", c.Pages.NumberOf(t), wording.Shorten(from, 60))
	}
	return nil
}

// authorizeTake asks for the right to take a page. From an agent that rests, it is taken without a question.
func (c *Call) authorizeTake(ctx context.Context, t *page.Tab, from string, rests bool) error {
	if rests && c.Approval.enforcer.Rules().Right(policy.Tab) != policy.No {
		return nil
	}
	what := "take a page from " + wording.Quoted(wording.Shorten(from, 60)) + ", which works in it,"
	return c.Approval.Authorize(ctx, policy.Tab, Subject{Tab: t}, what)
}

// lossNotices says what has become of the pages that the agent has lost since its last answer.
func (c *Call) lossNotices() (notices []string) {
	for _, l := range c.client.owner.TakeLosses() {
		number, address := c.Pages.Known(l.Tab)
		address = c.Redact.URL(address)
		by := wording.Shorten(l.By, 60)
		switch {
		case number == 0 || (l.Closed && c.Pages.Announced(number)): // it does not know the page, or knows already
		case !l.Closed:
			notices = append(notices, fmt.Sprintf("%s has taken page %d (%s) from you.", by, number, address))
		case by != "":
			notices = append(notices, fmt.Sprintf("%s has closed page %d (%s).", by, number, address))
		default:
			notices = append(notices, fmt.Sprintf("Page %d (%s) was closed, and not by you.", number, address))
		}
	}
	return notices
}
