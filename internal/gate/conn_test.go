package gate

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cove/internal/fault"
	"cove/internal/policy"
)

func TestAPersonIsAsked(t *testing.T) {
	g := newGate(t, policy.Policy{Preset: policy.Guarded})
	p := g.client()
	decide := func(yes bool) policy.Request {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); ; <-time.After(time.Millisecond) {
			if all := g.enforcer.State().Requests; len(all) == 1 {
				if err := g.enforcer.Decide(all[0].ID, yes, false); err != nil {
					t.Fatal(err)
				}
				return all[0]
			}
			if time.Now().After(deadline) {
				t.Fatal("nobody asks")
			}
		}
	}
	p.send(`{"id":1,"method":"DOM.setFileInputFiles","params":{"files":["/etc/passwd"],"backendNodeId":3}}`)
	p.send(`{"id":2,"method":"Page.getFrameTree"}`)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := p.ws.Ping(ctx); err != nil {
		t.Fatalf("while a command waits nobody answers pings: %v", err)
	}
	asked := decide(true)
	if asked.Class != policy.Upload || !strings.Contains(asked.What, "/etc/passwd") || asked.Agent.Name != "tester" ||
		asked.Agent.PID != 42 {
		t.Fatalf("asked %+v", asked)
	}
	if one, two := p.hear(), p.hear(); !strings.Contains(one, `"id":1`) || !strings.Contains(one, `"result"`) ||
		!strings.Contains(two, `"id":2`) {
		t.Fatalf("heard %s and %s", one, two)
	}
	p.send(`{"id":3,"method":"Browser.setDownloadBehavior","params":{"behavior":"allow","downloadPath":"/tmp"}}`)
	decide(false)
	if got := p.hear(); !strings.Contains(got, "denied this") {
		t.Fatalf("heard %s", got)
	}
	if len(g.browser.Got("Browser.setDownloadBehavior")) > 0 {
		t.Fatal("it reached the browser")
	}
}

// A program that has to wait for a second yes sends its command again, and is not asked for the first one again.
func TestACommandThatIsSentAgainMeetsEachQuestionOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := policy.NewEnforcer(policy.Policy{Preset: policy.Guarded})
		a, err := e.Admit(policy.Agent{Kind: policy.Program, Name: "tester"})
		if err != nil {
			t.Fatal(err)
		}
		c := command{config: &Config{Enforcer: e}, mux: newBrowser(t).mux, method: "WebMCP.invokeTool",
			what: "call login", needs: []policy.Class{policy.PageTool, policy.Submit}}
		send := func() fault.Code {
			if err := c.authorize(t.Context(), a, func(bool) {}); err != nil {
				return fault.From(err).Code
			}
			return ""
		}

		for _, class := range c.needs {
			for range 2 {
				if got := send(); got != fault.CodeNotApproved || len(e.State().Requests) != 1 {
					t.Fatalf("%s: %s, %+v", class, got, e.State().Requests)
				}
			}
			if r := e.State().Requests[0]; r.Class != class || e.Decide(r.ID, true, false) != nil {
				t.Fatalf("asked for %s", r.Class)
			}
		}
		if got := send(); got != "" {
			t.Errorf("after two yeses: %s", got)
		}
		if got := send(); got != fault.CodeNotApproved {
			t.Errorf("the yeses pass twice: %s", got)
		}
	})
}

func TestTheEnforcerHoldsUpPrograms(t *testing.T) {
	t.Run("taken over: commands wait in order, and nobody else waits for them", func(t *testing.T) {
		g := newGate(t, policy.Policy{})
		p := g.client()
		p.request(1, "Page.enable", `{}`)
		g.enforcer.TakeOver()
		for i := range 20 {
			p.send(fmt.Sprintf(`{"id":%d,"method":"Runtime.evaluate","params":{"n":%d}}`, 10+i, i))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := p.ws.Ping(ctx); err != nil {
			t.Fatal(err)
		}
		select {
		case got := <-p.in:
			t.Fatalf("it went on: %s", got)
		case <-time.After(50 * time.Millisecond):
		}
		if n := len(g.browser.Got("Runtime.evaluate")); n > 0 {
			t.Fatalf("%d commands reached the browser", n)
		}
		g.enforcer.GiveBack("")
		for i := range 20 {
			if got := p.hear(); !strings.HasPrefix(got, fmt.Sprintf(`{"id":%d,`, 10+i)) {
				t.Fatalf("heard %s in place %d", got, i)
			}
		}
		for i, c := range g.browser.Got("Runtime.evaluate") {
			if string(c.Params) != fmt.Sprintf(`{"n":%d}`, i) {
				t.Fatalf("in place %d the browser got %s", i, c.Params)
			}
		}
	})
	t.Run("a target that waits for a program that has to wait is let go", func(t *testing.T) {
		g := newGate(t, policy.Policy{})
		p := g.client()
		p.request(1, "Page.enable", `{}`)
		session := g.browser.LastSession()
		g.enforcer.TakeOver()
		p.send(`{"id":2,"method":"Page.reload"}`)
		g.browser.Event(session, "Target.attachedToTarget",
			map[string]any{"sessionId": "CHILD", "waitingForDebugger": true})
		p.hear()
		p.send(`{"id":3,"method":"Page.enable","sessionId":"CHILD"}`)
		for deadline := time.Now().Add(time.Minute); len(
			g.browser.Got("Runtime.runIfWaitingForDebugger")) == 0; <-time.After(
			time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("it waits")
			}
		}
		g.enforcer.GiveBack("")
	})
	t.Run("panic cuts and keeps out", func(t *testing.T) {
		g := newGate(t, policy.Policy{})
		p := g.client()
		p.request(1, "Page.enable", `{}`)
		g.enforcer.Suspend(true)
		if why := p.closed(); !strings.Contains(why, "has stopped all agents") {
			t.Fatalf("it ended with %s", why)
		}
		if status, body := g.http("GET", "/json/version", ""); status != 403 ||
			!strings.Contains(body, "stopped all agents") {
			t.Fatalf("%d %s", status, body)
		}
		if status, body := g.upgrade(g.Path(), ""); status != 403 || !strings.Contains(body, "stopped all agents") {
			t.Fatalf("%d %s", status, body)
		}
		for deadline := time.Now().Add(time.Minute); len(g.browser.Got("Target.detachFromTarget")) == 0; <-time.After(
			time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("its session is still attached")
			}
		}
		g.enforcer.Suspend(false)
		g.client().request(1, "Page.enable", `{}`)
	})
	t.Run("off cuts, also one who waits", func(t *testing.T) {
		g := newGate(t, policy.Policy{})
		p := g.client()
		g.enforcer.TakeOver()
		p.send(`{"id":1,"method":"Page.reload"}`)
		g.enforcer.Set(policy.Policy{Preset: policy.Off})
		if why := p.closed(); !strings.Contains(why, "not allowed in this profile") {
			t.Fatalf("it ended with %s", why)
		}
		if len(g.browser.Got("Page.reload")) > 0 {
			t.Fatal("it reached the browser")
		}
	})
	t.Run("a tighter policy ends a connection, a looser one does not", func(t *testing.T) {
		g := newGate(t, policy.Policy{})
		p := g.client()
		p.request(1, "Runtime.evaluate", `{}`)
		g.enforcer.Set(policy.Policy{Preset: policy.Guarded})
		if why := p.closed(); !strings.Contains(why, "changed the agent permissions") {
			t.Fatalf("it ended with %s", why)
		}
		p = g.client()
		if got := p.request(1, "Runtime.evaluate", `{}`); !strings.Contains(got, "run scripts") {
			t.Fatalf("heard %s", got)
		}
		g.enforcer.Set(policy.Policy{Preset: policy.Guarded, Rights: rights(policy.Script, policy.Yes)})
		if got := p.request(2, "Runtime.evaluate", `{}`); !strings.Contains(got, `"result"`) {
			t.Fatalf("heard %s", got)
		}
	})
	t.Run("one driver at a time", func(t *testing.T) {
		g := newGate(t, policy.Policy{OneDriver: true})
		one, two := g.client(), g.client()
		one.request(1, "Page.reload", `{}`)
		if got := two.request(1, "Page.getFrameTree", `{}`); !strings.Contains(got, `"result"`) {
			t.Fatalf("looking: %s", got)
		}
		two.send(`{"id":2,"method":"Page.reload"}`)
		select {
		case got := <-two.in:
			t.Fatalf("the second one acts: %s", got)
		case <-time.After(50 * time.Millisecond):
		}
		_ = one.ws.CloseNow()
		if got := two.hear(); !strings.Contains(got, `"result"`) {
			t.Fatalf("after the first has gone: %s", got)
		}
	})
}

func TestTheJournalHasWhatProgramsDo(t *testing.T) {
	g := newGate(t, policy.Policy{Preset: policy.Guarded})
	p := g.client()
	p.request(1, "Input.insertText", `{"text":"hunter2"}`)
	p.request(2, "Runtime.evaluate", `{"expression":"1+1"}`)
	p.request(3, "Page.getFrameTree", `{}`)
	p.request(4, "Page.navigate", `{"url":"https://me:hunter2@a.example/?q=1"}`)
	p.request(5, "Network.setExtraHTTPHeaders", `{"headers":{"Authorization":"hunter2"}}`)
	_ = p.ws.CloseNow()
	last := g.journal.await(t, "disconnected")
	if last.Agent.Name != "tester" || last.Agent.PID != 42 || last.Agent.Kind != policy.Program {
		t.Errorf("who: %+v", last.Agent)
	}
	var names []string
	for _, e := range g.journal.entries {
		names = append(names, e.Name+" "+e.Outcome)
		if raw, _ := json.Marshal(e); strings.Contains(string(raw), "hunter2") {
			t.Errorf("it tells a secret: %s", raw)
		}
	}
	want := []string{"connected ok", "Input.insertText ok", "Runtime.evaluate refused", "Page.navigate ok",
		"Network.setExtraHTTPHeaders ok", "looked ok", "disconnected ok"}
	names = slices.DeleteFunc(names, func(n string) bool { return n == "looked ok" })
	want = slices.DeleteFunc(want, func(n string) bool { return n == "looked ok" })
	if !slices.Equal(names, want) {
		t.Errorf("got %v", names)
	}
	if e := g.journal.await(t, "looked"); string(e.Args) != `{"Page.getFrameTree":1}` {
		t.Errorf("looked: %s", e.Args)
	}
	if e := g.journal.await(t, "Runtime.evaluate"); !strings.Contains(string(e.Args), "1+1") || e.Error == "" ||
		e.Duration <= 0 {
		t.Errorf("refused: %+v", e)
	}
}
