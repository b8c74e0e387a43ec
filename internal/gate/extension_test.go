package gate

import (
	"strings"
	"testing"
	"time"

	"cove/internal/policy"
)

// attachTo has the browser announce a target, and a session of it to its last session.
func (g *testGate) attachTo(session, target, kind, address, opener string) {
	info := map[string]any{"targetInfo": map[string]any{"targetId": target, "type": kind, "url": address,
		"openerId": opener}}
	g.browser.Event(watching, "Target.targetCreated", info)
	g.browser.Event(g.browser.LastSession(), "Target.targetCreated", info)
	info["sessionId"], info["waitingForDebugger"] = session, true
	g.browser.Event(g.browser.LastSession(), "Target.attachedToTarget", info)
}

// awaitCommand waits until the browser has got a command on a session.
func (g *testGate) awaitCommand(method, session, params string) {
	g.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; <-time.After(time.Millisecond) {
		for _, c := range g.browser.Got(method) {
			if c.Session == session && strings.Contains(string(c.Params), params) {
				return
			}
		}
		if time.Now().After(deadline) {
			g.t.Fatalf("the browser got no %s on %s", method, session)
		}
	}
}

func TestExtensionsAreOutOfReach(t *testing.T) {
	every := map[policy.Class]policy.Answer{policy.Script: policy.Yes, policy.Local: policy.Yes,
		policy.Storage: policy.Yes}
	for _, rules := range []policy.Policy{{Preset: policy.Guarded}, {Preset: policy.Guarded, Rights: every},
		{Preset: policy.ReadOnly}} {
		g := newGate(t, rules)
		p := g.client()
		p.request(1, "Target.getTargets", `{}`)
		own := g.browser.LastSession()
		g.attachTo("WORKER", "TW", "service_worker", "chrome-extension://x/bg.js", "")
		g.attachTo("FRAME", "TF", "iframe", "chrome-extension://x/frame.html", "")
		g.attachTo("TAB", "TT", "page", "chrome-extension://x/popup.html", "")
		g.attachTo("EMPTY", "TE", "page", "about:blank", "TT")
		g.browser.Event(own, "Target.detachedFromTarget", map[string]any{"sessionId": "WORKER"})
		g.browser.Event(own, "Page.frameNavigated", nil)
		heard := ""
		for !strings.Contains(heard, "Page.frameNavigated") {
			heard += p.hear()
		}
		if strings.Contains(heard, "bg.js") || strings.Contains(heard, "frame.html") || strings.Contains(heard, "WORKER") {
			t.Errorf("it was told of the extension: %s", heard)
		}
		if !strings.Contains(heard, `"TAB"`) || !strings.Contains(heard, `"EMPTY"`) {
			t.Errorf("it was not told of tabs: %s", heard)
		}
		for _, session := range []string{"WORKER", "FRAME"} { // nobody else would
			g.awaitCommand("Runtime.runIfWaitingForDebugger", session, "")
			g.awaitCommand("Target.detachFromTarget", own, session)
		}

		for _, c := range [][2]string{
			{"Target.attachToTarget", `{"targetId":"TW","flatten":true}`},
			{"Target.attachToTarget", `{"targetId":"TT","flatten":true}`},
			{"Target.attachToTarget", `{"targetId":"TE","flatten":true}`},
			{"Target.getTargetInfo", `{"targetId":"TF"}`},
			{"Target.closeTarget", `{"targetId":"TW"}`},
			{"Target.createTarget", `{"url":"chrome-extension://x/popup.html"}`},
			{"Target.createTarget", `{"url":"blob:chrome-extension://x/1"}`},
			{"Page.navigate", `{"url":"view-source:chrome-extension://x/popup.html"}`},
			{"Network.loadNetworkResource", `{"url":"chrome-extension://x/a.json"}`},
			{"Storage.clearDataForOrigin", `{"origin":"chrome-extension://x","storageTypes":"all"}`},
			{"Storage.clearDataForOrigin", `{"origin":"chrome-extensio\u006e://x","storageTypes":"all"}`},
			{"DOMStorage.getDOMStorageItems", `{"storageId":{"storageKey":"chrome-extension://x/","isLocalStorage":true}}`},
			{"ServiceWorker.unregister", `{"scopeURL":"chrome-extension://x/"}`},
		} {
			before := len(g.browser.Got(c[0]))
			got := p.request(2, c[0], c[1])
			if !strings.Contains(got, "an extension can do more") || len(g.browser.Got(c[0])) != before {
				t.Errorf("%s %s under %s: %s", c[0], c[1], rules.Preset, got)
			}
		}
		for _, session := range []string{"TAB", "EMPTY"} {
			p.send(`{"id":3,"method":"DOM.getDocument","sessionId":"` + session + `"}`)
			if got := p.hear(); !strings.Contains(got, "an extension can do more") {
				t.Errorf("its page can be read: %s", got)
			}
		}
		if got := p.request(4, "Target.closeTarget", `{"targetId":"TT"}`); rules.Preset == policy.Guarded &&
			!strings.Contains(got, `"result"`) {
			t.Errorf("its tab cannot be closed: %s", got)
		}
	}
}

func TestTheJournalHasWhoAttachesToAnExtension(t *testing.T) {
	g := newGate(t, policy.Policy{})
	p := g.client()
	p.request(1, "Target.getTargets", `{}`)
	g.attachTo("POPUP", "TP", "page", "chrome-extension://x/popup.html", "")
	p.hear()
	p.hear()
	p.request(2, "Target.attachToTarget", `{"targetId":"TP","flatten":true}`)
	p.send(`{"id":3,"method":"DOM.getDocument","sessionId":"POPUP"}`)
	for _, name := range []string{"Target.attachToTarget", "DOM.getDocument"} {
		if e := g.journal.await(t, name); e.Page != "chrome-extension://x/popup.html" || e.Outcome != "ok" {
			t.Errorf("%+v", e)
		}
	}
}
