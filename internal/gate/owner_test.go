package gate

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"cove/internal/policy"
	"cove/internal/policy/owner"
)

// newOwnedGate returns a gate with two pages, the first of which belongs to an agent. The pages are known to program.
func newOwnedGate(t *testing.T, p policy.Policy) (g *testGate, program *client, agent *owner.Owner) {
	t.Helper()
	g = newGate(t, p)
	program = g.client()
	program.request(1, "Page.enable", `{}`)
	g.showPage(program, "ONE", "one", "https://one.test/")
	g.showPage(program, "TWO", "two", "https://two.test/")
	for _, tab := range []string{"one", "two"} {
		g.movePage(tab, "https://"+tab+".test/")
		g.awaitPage(tab, "https://"+tab+".test/")
	}
	agent = g.enforcer.Tabs().NewOwner(false)
	agent.Rename("claude-code", 0)
	agent.Opened("one")
	return g, program, agent
}

// on sends a command on a session and returns the answer.
func (c *client) on(session string, id int, method, params string) string {
	c.t.Helper()
	c.send(fmt.Sprintf(`{"id":%d,"method":%q,"params":%s,"sessionId":%q}`, id, method, params, session))
	for {
		if got := c.hear(); strings.HasPrefix(got, fmt.Sprintf(`{"id":%d,`, id)) {
			return got
		}
	}
}

func TestAnotherAgentsTabIsClosedToPrograms(t *testing.T) {
	scripts := policy.Policy{Preset: policy.Guarded, Rights: rights(policy.Script, policy.Yes)}
	for _, c := range []struct {
		method, params string
		reaches, fails bool
	}{
		{"Page.enable", `{}`, true, false},
		{"Page.getFrameTree", `{}`, true, false},
		{"DOM.getDocument", `{}`, true, false},
		{"Page.captureScreenshot", `{}`, true, false},
		{"Page.addScriptToEvaluateOnNewDocument", `{"source":"//# sourceURL=pptr:internal"}`, true, false},
		{"Fetch.continueRequest", `{"requestId":"r"}`, true, false},
		{"Emulation.setDeviceMetricsOverride", `{"width":1,"height":1}`, false, false}, // answered without the browser
		{"Page.captureScreenshot", `{"captureBeyondViewport":true}`, false, true},
		{"Input.dispatchMouseEvent", `{"type":"mouseMoved","x":1,"y":1}`, false, true},
		{"Input.insertText", `{"text":"a"}`, false, true},
		{"Page.navigate", `{"url":"https://two.test/"}`, false, true},
		{"Page.reload", `{}`, false, true},
		{"Page.handleJavaScriptDialog", `{"accept":true}`, false, true},
		{"Page.bringToFront", `{}`, false, true},
		{"Page.close", `{}`, false, true},
		{"Runtime.evaluate", `{"expression":"1"}`, false, true},
		{"Page.addScriptToEvaluateOnNewDocument", `{"source":"alert(1)"}`, false, true},
		{"Target.closeTarget", `{"targetId":"one"}`, false, true},
		{"Target.activateTarget", `{"targetId":"one"}`, false, true},
	} {
		t.Run(c.method+" "+c.params, func(t *testing.T) {
			g, p, _ := newOwnedGate(t, scripts)
			before := len(g.browser.Got(c.method))
			got := p.on("ONE", 7, c.method, c.params)
			if fails := strings.Contains(got, `"error"`); fails != c.fails {
				t.Errorf("answered %s", got)
			}
			if c.fails && (!strings.Contains(got, "This page is claude-code's.") || !strings.Contains(got, "-32000")) {
				t.Errorf("refused with %s", got)
			}
			if reached := len(g.browser.Got(c.method)) > before; reached != c.reaches {
				t.Errorf("it reached the browser: %v", reached)
			}
			if g.enforcer.Tabs().Of("one") != "claude-code" {
				t.Error("the tab has another owner")
			}
		})
	}
}

func TestAProgramOwnsWhatItWorksIn(t *testing.T) {
	g, p, agent := newOwnedGate(t, policy.Policy{Preset: policy.Guarded})
	tabs := g.enforcer.Tabs()
	for _, look := range []string{"Page.getFrameTree", "Emulation.setDeviceMetricsOverride"} {
		if p.on("TWO", 7, look, `{}`); tabs.Of("two") != "" {
			t.Errorf("%s takes a tab", look)
		}
	}
	if p.on("TWO", 8, "Page.reload", `{}`); tabs.Of("two") != "tester" {
		t.Errorf("after its first step the tab is %q", tabs.Of("two"))
	}
	if _, other := agent.Begin("two"); other == nil {
		t.Error("an agent acts in a program's tab")
	}

	second := g.client() // of the same process
	if got := second.request(2, "Target.closeTarget", `{"targetId":"two"}`); strings.Contains(got, "error") {
		t.Errorf("another connection of the program: %s", got)
	}
	_ = second.ws.CloseNow()

	if p.request(9, "Target.createTarget", `{"url":"about:blank"}`); tabs.Of("made") != "tester" {
		t.Errorf("what it opens is %q", tabs.Of("made"))
	}
	tabs.Created("popup", "two")
	if tabs.Of("popup") != "tester" {
		t.Errorf("its popup is %q", tabs.Of("popup"))
	}
	g.enforcer.Set(policy.Policy{}) // open
	if tabs.Of("two") != "" || tabs.Of("one") != "claude-code" {
		t.Errorf("under open its tab is %q", tabs.Of("two"))
	}
}

func TestAProgramDoesNotCloseAnotherAgentsTabs(t *testing.T) {
	g, p, _ := newOwnedGate(t, policy.Policy{Preset: policy.Guarded})
	p.send(`{"id":7,"method":"Browser.close"}`)
	p.closed()
	if n := len(g.browser.Got("Browser.close")); n > 0 {
		t.Error("the browser was closed with the tab of another agent")
	}

	for path, method := range map[string]string{"/json/close/one": http.MethodPut, "/json/activate/one": http.MethodPut} {
		address := fmt.Sprintf("http://127.0.0.1:%d%s", g.Port(), path)
		r, err := http.NewRequestWithContext(t.Context(), method, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer right")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusConflict {
			t.Errorf("%s answers %d", path, answer.StatusCode)
		}
	}
	if n := len(g.browser.Got("Target.closeTarget")); n > 0 {
		t.Error("it was closed over HTTP")
	}
}

func TestUnderOpenNobodyHoldsPrograms(t *testing.T) {
	for name, p := range map[string]policy.Policy{
		"open":        {},
		"shared tabs": {Preset: policy.Guarded, SharedTabs: true},
	} {
		t.Run(name, func(t *testing.T) {
			g, program, agent := newOwnedGate(t, p)
			for i, method := range []string{"Page.reload", "Page.close"} {
				if got := program.on("ONE", 7+i, method, `{}`); strings.Contains(got, `"error"`) {
					t.Errorf("%s: %s", method, got)
				}
			}
			g.browser.Event(watching, "Target.targetDestroyed", map[string]any{"targetId": "one"})
			g.enforcer.Tabs().Closed("one") // as the keeper has it
			if lost := agent.TakeLosses(); name == "open" && (len(lost) != 1 || lost[0].By != "tester") {
				t.Errorf("its owner hears %v", lost)
			}
		})
	}
}
