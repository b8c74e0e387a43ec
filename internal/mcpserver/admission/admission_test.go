package admission

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"cove/internal/policy"
)

func TestAnAgentIsAdmittedOnceUntilItMustGo(t *testing.T) {
	e := policy.NewEnforcer(policy.Policy{})
	as := New(e)
	agent := policy.Agent{Kind: policy.Tools, Name: "a"}
	first, err := as.Admit(agent)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := as.Admit(agent); err != nil || again != first {
		t.Errorf("the second call: %v %v", again, err)
	}

	ctx, stop := While(t.Context(), first)
	defer stop()
	e.Suspend(true)
	<-ctx.Done()
	if context.Cause(ctx) == nil || !errors.Is(context.Cause(ctx), first.Err()) {
		t.Errorf("a call ends with %v, not %v", context.Cause(ctx), first.Err())
	}
	if _, err := as.Admit(agent); err == nil {
		t.Error("admitted while agents are suspended")
	}
	e.Suspend(false)
	if second, err := as.Admit(agent); err != nil || second == first {
		t.Errorf("afterwards: %v %v", second, err)
	}
}

func TestAClientWithoutASessionIsNoAgentWhenItHasBeenIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := policy.NewEnforcer(policy.Policy{})
		as := New(e)
		call := func() {
			as.CloseWhenIdle()
			if _, err := as.Admit(policy.Agent{Kind: policy.Tools, Name: "a"}); err != nil {
				t.Fatal(err)
			}
		}
		call()
		<-time.After(IdleLimit - time.Second)
		call() // begins the time anew
		<-time.After(IdleLimit - time.Second)
		if n := len(e.State().Agents); n != 1 {
			t.Errorf("%d agents before its time is over", n)
		}
		<-time.After(time.Second)
		synctest.Wait()
		if n := len(e.State().Agents); n != 0 {
			t.Errorf("%d agents afterwards", n)
		}
	})
}

// Clients can share a credential. One that gives up on a call says nothing of what the others have read.
func TestAnAgentGivesUpForItself(t *testing.T) {
	for name, c := range map[string]struct {
		others []string
		who    string
		meets  bool
	}{
		"the one that asked":           {[]string{"b"}, "a", true},
		"another one":                  {[]string{"b"}, "b", false},
		"one of them, without a name":  {[]string{"b"}, "", false},
		"the only one, without a name": {nil, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			e := policy.NewEnforcer(policy.Policy{})
			as := New(e)
			agent := func(name string) policy.Agent { return policy.Agent{Kind: policy.Tools, Name: name} }
			a, err := as.Admit(agent("a"))
			if err != nil {
				t.Fatal(err)
			}
			for _, other := range c.others {
				if _, err := as.Admit(agent(other)); err != nil {
					t.Fatal(err)
				}
			}
			question := policy.Request{Kind: policy.AskText, What: "Which month?"}
			asked, err := e.AskPerson(a, question)
			if err != nil {
				t.Fatal(err)
			}
			if err := e.Reply(t.Context(), asked.ID, policy.Reply{Text: "May"}); err != nil {
				t.Fatal(err)
			}
			if _, err := e.Await(t.Context(), asked.ID, a, 0); err != nil {
				t.Fatal(err)
			}
			as.GiveUp(agent(c.who))
			if next, err := e.AskPerson(a, question); err != nil || (next.ID == asked.ID) != c.meets {
				t.Errorf("the same question is %+v, %v", next, err)
			}
		})
	}
}
