package policy

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"cove/internal/fault"
)

// two are an enforcer with two agents, and the names of its events.
func two(t *testing.T, p Policy) (e *Enforcer, a, b *Admission, events *[]string) {
	t.Helper()
	e, events = NewEnforcer(p), &[]string{}
	e.OnEvent(func(event Event) { *events = append(*events, event.Name+" "+event.Session) })
	var err error
	if a, err = e.Admit(Agent{Kind: Tools, Name: "a"}); err != nil {
		t.Fatal(err)
	}
	if b, err = e.Admit(Agent{Kind: Program, Name: "b"}); err != nil {
		t.Fatal(err)
	}
	return e, a, b, events
}

func TestAPausedAgentWaitsAndTheOthersGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, a, b, events := two(t, Policy{})
		if !e.Free() {
			t.Fatal("not free at first")
		}
		if err := e.Pause(a.Session(), true); err != nil {
			t.Fatal(err)
		}
		if s := e.State().Agents; e.Free() || s[0].Session != a.Session() || !s[0].Paused || s[1].Paused {
			t.Errorf("%+v", s)
		}
		if err := b.Begin(t.Context(), true); err != nil {
			t.Errorf("the other one: %v", err)
		}
		begun := time.Now()
		err := a.Begin(t.Context(), false)
		if fault.From(err).Code != fault.CodeAgentPaused || time.Since(begun) != takeoverLimit {
			t.Errorf("%v after %v", err, time.Since(begun))
		}

		waiting := make(chan error, 1)
		go func() { waiting <- a.Begin(t.Context(), true) }()
		synctest.Wait()
		if err := e.Pause(a.Session(), false); err != nil {
			t.Fatal(err)
		}
		if err := <-waiting; err != nil || !e.Free() {
			t.Errorf("afterwards: %v", err)
		}
		if err := e.Pause(a.Session(), false); err != nil || len(*events) != 2 ||
			(*events)[0] != "paused "+a.Session() || (*events)[1] != "resumed "+a.Session() {
			t.Errorf("%v %v", *events, err)
		}
	})
}

func TestADisconnectedAgentGoesAlone(t *testing.T) {
	e, a, b, events := two(t, Policy{Preset: Guarded})
	asked := make(chan error, 1)
	sub := e.Subscribe()
	go func() { asked <- a.Authorize(t.Context(), Request{Class: Submit, What: "submit a form"}) }()
	for len(e.State().Requests) == 0 {
		<-sub.C()
	}
	if err := e.Disconnect(a.Session()); err != nil {
		t.Fatal(err)
	}
	<-a.Done()
	if !errors.Is(a.Err(), DisconnectedError()) || len(e.State().Agents) != 1 || len(e.State().Requests) != 0 {
		t.Errorf("%v %+v", a.Err(), e.State())
	}
	if err := <-asked; err == nil {
		t.Error("its request was allowed")
	}
	if err := a.Begin(t.Context(), false); !errors.Is(err, DisconnectedError()) {
		t.Errorf("its next step: %v", err)
	}
	if err := b.Begin(t.Context(), true); err != nil || b.Err() != nil {
		t.Errorf("the other one: %v %v", err, b.Err())
	}
	for _, err := range []error{e.Disconnect(a.Session()), e.Pause("none", true)} {
		if fault.From(err).Code != fault.CodeNoAgent {
			t.Error(err)
		}
	}
	if last := (*events)[len(*events)-1]; last != "cut "+a.Session() && last != "disconnected "+a.Session() {
		t.Errorf("%v", *events)
	}
	if _, err := e.Admit(a.Agent()); err != nil {
		t.Errorf("it cannot come back: %v", err)
	}
}

// A yes is for the session in which the person saw the step: with its disconnection they have taken it back.
func TestAYesGoesWithTheAgentThatIsDisconnected(t *testing.T) {
	for name, heard := range map[string]bool{
		"before the step has heard it": false, "while the step waits for its turn": true,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := newAsker(t)
				<-a.try(payStep)
				a.must(a.e.Reply(t.Context(), a.open().ID, Reply{Allow: true, By: "person"}))
				before := a.Admission
				if heard {
					a.must(<-a.try(payStep))
				}
				a.must(a.e.Disconnect(before.Session()))
				if heard {
					before.ReturnYes(payStep)
				}
				a.admit()
				if <-a.try(payStep) == nil {
					t.Fatal("the step has passed unasked")
				}
				a.must(a.e.Reply(t.Context(), a.open().ID, Reply{Allow: true, By: "person"}))
				a.must(<-a.try(payStep))
				before.ReturnYes(payStep)
				if <-a.try(payStep) == nil {
					t.Error("the agent that had to go has given back the yes of the next one")
				}
			})
		})
	}
}
