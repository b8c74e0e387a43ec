package mcpserver

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"cove/internal/fault"
)

type namedClient string

func (c *namedClient) displayName() string { return string(*c) }

func TestActivityListsAgentsAndTheirLastCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newActivity()
		stream, overHTTP := namedClient(""), namedClient("web")
		changed := a.onChange()
		a.connect(&stream)
		<-changed
		n := a.callBegan(&overHTTP, "web", Action{Tool: "click"})
		if agents := a.listAgents(); len(agents) != 2 {
			t.Errorf("connected: %+v", agents)
		}

		time.Sleep(30 * time.Millisecond)
		a.callEnded(n, "tab", fault.Quote(fault.CodeCovered, "button \"Obey\" covers it.", ""))
		failed := a.callBegan(&stream, "", Action{Tool: "fill"})
		a.callEnded(failed, "", errors.New("broken"))
		actions := a.actionsAfter(0)
		if len(actions) != 2 || actions[0].Going || actions[0].Millis != 30 || actions[0].Tab != "tab" {
			t.Fatalf("%+v", actions)
		}
		if actions[0].Error != "It did not work on this page." {
			t.Errorf("the page is quoted: %s", actions[0].Error)
		}
		if later := a.actionsAfter(actions[0].N); len(later) != 1 || later[0].Tool != "fill" || later[0].Error == "" {
			t.Errorf("after the first: %+v", later)
		}

		stream = "its name"
		time.Sleep(goneAfter + time.Second)
		if agents := a.listAgents(); len(agents) != 1 || agents[0].Name != "its name" {
			t.Errorf("only the connected one stays: %+v", agents)
		}
		a.disconnect(&stream)
		for range maxActions + 10 {
			a.callBegan(&overHTTP, "web", Action{})
		}
		if got := a.actionsAfter(0); len(got) != maxActions {
			t.Errorf("%d actions", len(got))
		}
	})
}

func TestASummaryHasNothingThatIsTyped(t *testing.T) {
	for args, want := range map[string]string{
		`{"url":"https://u:p@a.test/?password=x"}`:           "https://u:redacted@a.test/?password=redacted",
		`{"uid":"a1","value":"hunter2"}`:                     "element a1",
		`{"elements":[{"uid":"a","value":"x"}]}`:             "1 field",
		`{"elements":[{"uid":"a","value":"x"},{"uid":"b"}]}`: "2 fields",
		`{"key":"x"}`:        "",
		`{"key":"Enter"}`:    "Enter",
		`{"text":"hunter2"}`: "",
		`{"query":"price"}`:  "price",
		`{"type":"back"}`:    "back",
		`not JSON`:           "",
	} {
		if got := summarize([]byte(args)); got != want {
			t.Errorf("%s: %q, not %q", args, got, want)
		}
	}
}
