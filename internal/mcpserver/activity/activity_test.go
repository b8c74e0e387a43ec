package activity

import (
	"testing"
	"testing/synctest"
	"time"
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
		a.Update(n, func(one *Action) { one.Text = "Clicking…" })
		if now := a.Actions(0); !now[0].Going || now[0].Text != "Clicking…" || now[0].Millis != 0 {
			t.Errorf("while it goes on: %+v", now)
		}
		a.End(n, func(one *Action) { one.Tab, one.Text = "tab", "Clicked" })
		failed := a.Begin(&stream, "", Action{Tool: "fill"})
		a.End(failed, func(one *Action) { one.Error = "broken" })
		actions := a.Actions(0)
		if len(actions) != 2 || actions[0].Going || actions[0].Millis != 30 || actions[0].Tab != "tab" {
			t.Fatalf("%+v", actions)
		}
		if actions[0].Text != "Clicked" {
			t.Errorf("its words are %q", actions[0].Text)
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
