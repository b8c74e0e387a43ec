package scope

import (
	"strings"
	"testing"
	"time"
)

// TestAnAddressThatIsLoadingShowsNothing: the browser already says the next address of a tab while it still shows a
// closed page.
func TestAnAddressThatIsLoadingShowsNothing(t *testing.T) {
	f := newFake(t, open, mine)
	c, at := shared(t, f)
	c.Permit(sites(func(address string) bool { return !strings.Contains(address, "bank") }))
	closed, pending := open, open
	closed.URL, pending.URL = "https://bank.test/", "https://a.test/hangs"
	f.change(closed)
	c.hearsOf("Target.detachedFromTarget", at)
	f.mu.Lock()
	f.shows["OPEN"] = closed.URL
	f.mu.Unlock()
	f.change(pending)
	for looks := 0; looks < 2; {
		f.mu.Lock()
		looks = 0
		for _, one := range f.commands {
			if strings.HasPrefix(one, "Page.getNavigationHistory") {
				looks++
			}
		}
		f.mu.Unlock()
		<-time.After(time.Millisecond)
	}
	if got, _ := c.call("", "Target.getTargets", `{}`); got != `{"targetInfos":[]}` {
		t.Errorf("while it shows a closed page: %s", got)
	}
	if got, failed := c.call("", "Target.getTargetInfo", `{"targetId":"OPEN"}`); failed == "" {
		t.Errorf("while it shows a closed page: %s", got)
	}
	if c.Share("OPEN", true); strings.Contains(strings.Join(c.heard, ""), "Target.targetCreated") {
		t.Error("a client hears of it")
	}
	f.mu.Lock()
	delete(f.shows, "OPEN")
	f.mu.Unlock()
	c.hearsOf("Target.targetCreated", pending.URL)
}

// TestRulesHideWhatATabStillShows: also when its next address is open.
func TestRulesHideWhatATabStillShows(t *testing.T) {
	f := newFake(t, open)
	c, at := shared(t, f)
	pending := open
	pending.URL = "https://c.test/hangs"
	f.mu.Lock()
	f.shows["OPEN"] = open.URL
	f.mu.Unlock()
	f.change(pending)
	c.hearsOf("Target.targetInfoChanged")
	c.Permit(sites(func(address string) bool { return !strings.Contains(address, "a.test") }))
	c.hearsOf("Target.detachedFromTarget", at)
}

// TestRulesDoNotShowWhatIsStillLoading: the rules close what a tab shows, and the person goes to an address that hangs.
func TestRulesDoNotShowWhatIsStillLoading(t *testing.T) {
	f := newFake(t, open)
	c, at := shared(t, f)
	c.Permit(sites(func(address string) bool { return !strings.Contains(address, "a.test") }))
	c.hearsOf("Target.detachedFromTarget", at)
	pending := open
	pending.URL = "https://c.test/hangs"
	f.mu.Lock()
	f.shows["OPEN"] = open.URL
	f.mu.Unlock()
	f.change(pending)
	c.Share("OPEN", true)
	if got, _ := c.call("", "Target.getTargets", `{}`); got != `{"targetInfos":[]}` {
		t.Error(got)
	}
	c.Permit(everywhere)
	if got, _ := c.call("", "Target.getTargets", `{}`); !strings.Contains(got, "OPEN") {
		t.Errorf("once it is open: %s", got)
	}
}

// TestASessionThatComesTooLate: the tab was hidden while a client was attached to it.
func TestASessionThatComesTooLate(t *testing.T) {
	f := newFake(t, open)
	c := start(t, f)
	f.mu.Lock()
	f.mute = "Target.attachToTarget"
	f.mu.Unlock()
	c.Share("OPEN", true) // it waits for a moment, because the browser does not answer
	c.locked(func() func() {
		c.tabs.byID["OPEN"].settled = true
		return c.refresh(c.tabs.byID["OPEN"])
	})
	c.send(71, "", "Target.setAutoAttach", `{"autoAttach":true,"flatten":true}`)
	asked := func(n int) {
		t.Helper()
		for found := 0; found < n; {
			found = 0
			f.mu.Lock()
			for _, one := range f.commands {
				if strings.HasPrefix(one, "Target.attachToTarget") {
					found++
				}
			}
			f.mu.Unlock()
			<-time.After(time.Millisecond)
		}
	}
	asked(2)
	c.Share("OPEN", false)
	c.locked(func() func() {
		t := c.tabs.byID["OPEN"]
		t.shared, t.settled = true, true
		return c.refresh(t)
	})
	asked(3)
	late := func(session string) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.say(event{"Target.attachedToTarget", object{"sessionId": session, "targetInfo": open,
			"waitingForDebugger": false}, ""})
	}
	late("LATE")
	late("SECOND")
	if raw := c.hearsOf("Target.attachedToTarget", `"OPEN"`); !strings.Contains(raw, "SECOND") {
		t.Errorf("a client hears of a session that it was to have before: %s", raw)
	}
	if !f.got(`Target.detachFromTarget {"sessionId":"LATE"}`) {
		t.Error("it stays")
	}
}

func TestTypedTextWaitsForTheFocus(t *testing.T) {
	f := newFake(t, open)
	c, at := shared(t, f)
	hold := make(chan struct{})
	f.mu.Lock()
	f.hold = map[string]chan struct{}{"DOM.resolveNode": hold}
	f.mu.Unlock()
	c.send(71, at, "DOM.focus", `{"backendNodeId":5}`)
	c.send(72, at, "Input.insertText", `{"text":"x"}`)
	c.send(73, at, "DOM.focus", `{"backendNodeId":66}`)
	c.send(74, at, "Input.insertText", `{"text":"y"}`)
	c.send(75, at, "Page.enable", `{}`)
	c.hearsOf(`"id":75`)
	if f.got("Input.insertText") {
		t.Error("the text is typed before the focus is there")
	}
	close(hold)
	c.hearsOf(`"id":71`)
	c.hearsOf(`"id":72`)
	c.hearsOf(`"id":73`, "No node")
	c.hearsOf(`"id":74`)
}

// TestWorldsOfAnotherProcess: numbers of worlds begin anew there, where they may be those of an extension.
func TestWorldsOfAnotherProcess(t *testing.T) {
	f := newFake(t, open)
	c, at := shared(t, f)
	frame := info{ID: "FRAME", Type: "iframe", URL: "https://b.test/1", Context: ours, Parent: "OPEN"}
	f.change(frame)
	f.say(event{"Target.attachedToTarget",
		object{"sessionId": "SF", "targetInfo": frame, "waitingForDebugger": false}, at})
	c.hearsOf("Target.attachedToTarget", "SF")
	moved := open
	for name, row := range map[string]struct {
		session, target string
		change          func()
	}{
		"a page that goes to another scheme": {at, "OPEN", func() {
			moved.URL = strings.Replace(moved.URL, "https:", "http:", 1) + "x"
			f.change(moved)
			c.hearsOf("Target.targetInfoChanged", moved.URL)
		}},
		"a page that crashed": {at, "OPEN", func() {
			f.say(event{"Inspector.targetCrashed", object{}, at})
			c.hearsOf("Inspector.targetCrashed")
		}},
		"a frame that goes elsewhere": {"SF", "FRAME", func() {
			frame.URL += "x"
			f.change(frame)
			c.hearsOf("Target.targetInfoChanged", frame.URL)
		}},
	} {
		if _, failed := c.call(row.session, "Page.createIsolatedWorld", `{"frameId":"`+row.target+`"}`); failed != "" {
			t.Fatal(failed)
		}
		use := func() string {
			_, failed := c.call(row.session, "Runtime.evaluate", `{"expression":"1","contextId":7}`)
			return failed
		}
		if failed := use(); failed != "" {
			t.Fatalf("%s, before: %s", name, failed)
		}
		row.change()
		if use() == "" {
			t.Errorf("%s: its old world can be used", name)
		}
	}
}
