package gate

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"cove/internal/policy"
)

func noCount() policy.ControlSummary { return policy.ControlSummary{} }

func TestThePersonsTabHoldsUpPrograms(t *testing.T) {
	t.Run("its commands wait in order, and other tabs go on", func(t *testing.T) {
		g := newGate(t, policy.Policy{})
		p := g.client()
		p.request(1, "Page.enable", `{}`)
		g.showPage(p, "ONE", "one", "https://one.test/")
		g.showPage(p, "TWO", "two", "https://two.test/")
		g.enforcer.BeginControl("one", "", noCount)
		for i := range 5 {
			p.send(fmt.Sprintf(`{"id":%d,"method":"Runtime.evaluate","params":{"n":%d},"sessionId":"ONE"}`, 10+i, i))
		}
		p.send(`{"id":20,"method":"Page.reload","sessionId":"TWO"}`)
		if got := p.hear(); !strings.HasPrefix(got, `{"id":20,`) {
			t.Fatalf("heard %s", got)
		}
		if n := len(g.browser.Got("Runtime.evaluate")); n > 0 {
			t.Fatalf("%d commands reached the browser", n)
		}
		g.enforcer.EndControl("one", policy.HandedBack, "")
		p.send(`{"id":15,"method":"Page.reload","sessionId":"ONE"}`)
		for i := range 6 {
			if got := p.hear(); !strings.HasPrefix(got, fmt.Sprintf(`{"id":%d,`, 10+i)) {
				t.Fatalf("heard %s in place %d", got, i)
			}
		}
	})
	t.Run("a frame of it waits too, and closing it", func(t *testing.T) {
		g := newGate(t, policy.Policy{})
		p := g.client()
		p.request(1, "Page.enable", `{}`)
		g.showPage(p, "ONE", "one", "https://one.test/")
		g.browser.Event("ONE", "Target.attachedToTarget", map[string]any{"sessionId": "FRAME",
			"targetInfo": map[string]any{"targetId": "frame", "type": "iframe", "parentId": "one"}})
		p.hear()
		g.enforcer.BeginControl("one", "", noCount)
		p.send(`{"id":1,"method":"Runtime.evaluate","sessionId":"FRAME"}`)
		p.send(`{"id":2,"method":"Target.closeTarget","params":{"targetId":"one"}}`)
		p.send(`{"id":3,"method":"Fetch.continueRequest","params":{"requestId":"r"},"sessionId":"ONE"}`)
		if got := p.hear(); !strings.HasPrefix(got, `{"id":3,`) {
			t.Fatalf("heard %s", got)
		}
		if len(g.browser.Got("Runtime.evaluate"))+len(g.browser.Got("Target.closeTarget")) > 0 {
			t.Fatal("it reached the browser")
		}
		g.enforcer.EndControl("one", policy.HandedBack, "")
		p.hear()
		p.hear()
	})
	t.Run("events are cut where the policy binds", func(t *testing.T) {
		for preset, cut := range map[policy.Preset]bool{policy.Guarded: true, policy.Open: false} {
			g := newGate(t, policy.Policy{Preset: preset})
			p := g.client()
			p.request(1, "Page.enable", `{}`)
			g.showPage(p, "ONE", "one", "https://one.test/")
			g.enforcer.BeginControl("one", "", noCount)
			g.browser.Event("ONE", "Fetch.requestPaused", map[string]any{"requestId": "secret"})
			g.browser.Event("ONE", "Page.loadEventFired", map[string]any{"timestamp": 1})
			got := p.hear()
			if strings.Contains(got, "requestPaused") == cut {
				t.Errorf("%s: heard %s", preset, got)
			}
			for deadline := time.Now().Add(time.Minute); cut && len(g.browser.Got("Fetch.continueRequest")) == 0; {
				if <-time.After(time.Millisecond); time.Now().After(deadline) {
					t.Fatal("the page of the person waits for a program")
				}
			}
		}
	})
}
