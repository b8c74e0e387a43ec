package activity

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"cove/internal/fault"
)

type namedClient string

func (c *namedClient) DisplayName() string { return string(*c) }

func TestActivityListsAgentsAndTheirLastCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := New()
		stream, overHTTP := namedClient(""), namedClient("web")
		changed := a.Changed()
		a.Connect(&stream)
		<-changed
		n := a.Begin(&overHTTP, "web", Action{Tool: "click"})
		if agents := a.Agents(); len(agents) != 2 {
			t.Errorf("connected: %+v", agents)
		}

		<-time.After(30 * time.Millisecond)
		a.End(n, "tab", fault.Quote(fault.CodeCovered, "button \"Obey\" covers it.", ""))
		failed := a.Begin(&stream, "", Action{Tool: "fill"})
		a.End(failed, "", errors.New("broken"))
		actions := a.Actions(0)
		if len(actions) != 2 || actions[0].Going || actions[0].Millis != 30 || actions[0].Tab != "tab" {
			t.Fatalf("%+v", actions)
		}
		if actions[0].Error != "It did not work on this page." {
			t.Errorf("the page is quoted: %s", actions[0].Error)
		}
		if later := a.Actions(actions[0].N); len(later) != 1 || later[0].Tool != "fill" || later[0].Error == "" {
			t.Errorf("after the first: %+v", later)
		}

		stream = "its name"
		<-time.After(goneAfter + time.Second)
		if agents := a.Agents(); len(agents) != 1 || agents[0].Name != "its name" {
			t.Errorf("only the connected one stays: %+v", agents)
		}
		a.Disconnect(&stream)
		for range maxActions + 10 {
			a.Begin(&overHTTP, "web", Action{})
		}
		if got := a.Actions(0); len(got) != maxActions {
			t.Errorf("%d actions", len(got))
		}
	})
}
