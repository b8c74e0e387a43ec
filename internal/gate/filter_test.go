package gate

import (
	"strings"
	"testing"
	"time"

	"cove/internal/cdp/mux"
	"cove/internal/gate/redaction"
	"cove/internal/policy"
	"cove/internal/secret"
	"cove/internal/secret/redactor"
)

// plainSink is a sink that is not a WebSocket.
type plainSink struct{ heard chan string }

func (s plainSink) Deliver(out mux.Outgoing) { s.heard <- string(out.Bytes()) }
func (plainSink) End(string)                 {}

// Messages to a program are redacted, whatever sink delivers them.
func TestAClientWithAnotherSinkGetsRedactedMessages(t *testing.T) {
	g := newGate(t, policy.Policy{Preset: policy.Guarded})
	hider := redactor.New([]secret.Secret{{Name: "a", Value: "correct horse"}})
	g.config.Secrets = func() func(string) string { return hider.Text }
	s := plainSink{make(chan string, 100)}
	c, err := g.mux.Attach(t.Context(), "", s, &filter{&g.config, g.mux, &invocations{}})
	if err != nil {
		t.Fatal(err)
	}

	g.browser.Event(c.Session(), "Network.requestWillBeSentExtraInfo",
		map[string]any{"headers": map[string]string{"Cookie": "hunter2", "X-Other": "correct horse"}})
	got := <-s.heard
	if !strings.Contains(got, "Network.requestWillBeSentExtraInfo") || !strings.Contains(got, redaction.Mark) {
		t.Errorf("heard %s", got)
	}
	if strings.Contains(got, "hunter2") || strings.Contains(got, "correct horse") {
		t.Errorf("a secret is in %s", got)
	}
}

// Events of a page are not passed on while the page is closed to programs, except for those that report its progress.
func TestEventsOfClosedPagesAreNotTold(t *testing.T) {
	for _, rules := range []policy.Policy{{Preset: policy.Guarded}, {Preset: policy.ReadOnly},
		{Sites: policy.Sites{Block: []string{"bad.example"}}}} {
		g := newGate(t, rules)
		p := g.client()
		p.request(1, "Target.getTargets", `{}`)
		g.showPage(p, "CHILD", "T", "https://good.example/")
		for address, told := range map[string]bool{"https://good.example/": true, "chrome://settings/": false} {
			g.movePage("T", address)
			for _, method := range []string{"Page.screencastFrame", "Runtime.consoleAPICalled", "DOM.setChildNodes",
				"Accessibility.loadComplete", "Page.frameNavigated"} {
				g.browser.Event("CHILD", method, map[string]any{"sessionId": 4, "data": "words of the page"})
			}
			heard := ""
			for !strings.Contains(heard, "Page.frameNavigated") {
				heard += p.hear()
			}
			for _, method := range []string{"Page.screencastFrame", "Runtime.consoleAPICalled", "DOM.setChildNodes",
				"Accessibility.loadComplete"} {
				if strings.Contains(heard, method) != told {
					t.Errorf("%s of %s under %s: %s", method, address, rules.Preset, heard)
				}
			}
		}
		for deadline := time.Now().Add(time.Minute); len(g.browser.Got("Page.screencastFrameAck")) != 1; <-time.After(
			time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("the browser waits until somebody has seen the picture")
			}
		}
	}
}
