package policy

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cove/internal/fault"
)

func noCount() ControlSummary { return ControlSummary{} }

// step does a step in a tab, as long as it may wait.
func (a *asker) step(tab string) chan error {
	done := make(chan error, 1)
	go func() { done <- a.BeginOn(context.Background(), tab, time.Now().Add(ControlLimit())) }()
	synctest.Wait()
	return done
}

func TestAgentsWaitInATabThatThePersonWorksIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAsker(t)
		if _, ok := a.e.BeginControl("one", "https://shop.test/", noCount); !ok || !a.e.Controlled("one") {
			t.Fatal("the tab is not the person's")
		}
		if _, ok := a.e.BeginControl("one", "", noCount); ok {
			t.Error("one tab was taken twice")
		}
		if got := a.e.State().Controlled; len(got) != 1 || got[0].Tab != "one" {
			t.Errorf("%+v", got)
		}
		if err := <-a.step("two"); err != nil {
			t.Errorf("another tab: %v", err)
		}

		refused, begun := a.step("one"), time.Now()
		err := <-refused
		if codeOf(err) != fault.CodeTabTaken || time.Since(begun) != takeoverLimit {
			t.Errorf("%v after %v", err, time.Since(begun))
		}
		waits := a.step("one")
		select {
		case err := <-waits:
			t.Fatalf("it does not wait: %v", err)
		default:
		}
		a.e.EndControl("one", HandedBack, "mind the gap")
		if err := <-waits; err != nil || a.e.Controlled("one") {
			t.Errorf("%v", err)
		}
		if notice := a.TakeNotice(); !strings.Contains(notice, "mind the gap") {
			t.Errorf("the agent reads %q", notice)
		}
		if a.e.EndControl("one", HandedBack, "") {
			t.Error("a tab was given back twice")
		}
	})
}

func TestProgramsAreNotFreeWhileThePersonWorksInATab(t *testing.T) {
	e := NewEnforcer(Policy{})
	if !e.Free() {
		t.Fatal("nothing holds them")
	}
	e.BeginControl("one", "", noCount)
	if e.Free() || !e.AnyControlled() {
		t.Error("they are free")
	}
	e.EndControl("one", WindowGone, "")
	if !e.Free() || e.AnyControlled() {
		t.Error("they still wait")
	}
}

func TestControlWorksOnTheRequestsOfItsTab(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(e *Enforcer)
		want RequestState
	}{
		"handing back answers it":               {func(e *Enforcer) { e.EndControl("one", HandedBack, "solved") }, Answered},
		"a window that vanishes leaves it open": {func(e *Enforcer) { e.EndControl("one", WindowGone, "") }, Seen},
		"stopping all agents cuts it":           {func(e *Enforcer) { e.Suspend(true) }, Cut},
		"closing the profile cuts it":           {func(e *Enforcer) { e.CutRequests() }, Cut},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := newAsker(t)
				defer a.e.CutRequests()
				asked, err := a.e.AskPerson(a.Admission, Request{Kind: AskHelp, What: "solve it", Tab: "one"})
				if err != nil {
					t.Fatal(err)
				}
				ended, _ := a.e.BeginControl("one", "", noCount)
				a.must(a.e.MarkSeen(asked.ID, false)) // a window that was slow to say so
				if got := a.open(); got.State != Working || !got.Expires.IsZero() {
					t.Fatalf("%+v", got)
				}
				c.end(a.e)
				<-ended
				got, err := a.e.Await(t.Context(), asked.ID, a.Admission, 0)
				if err != nil || got.State != c.want {
					t.Fatalf("%+v, %v", got, err)
				}
				if c.want == Answered && (!got.Answer.Done || got.Answer.Note != "solved" || a.TakeNotice() != "") {
					t.Errorf("%+v", got.Answer)
				}
			})
		})
	}
}

func TestAStepUnderWayHearsOfControl(t *testing.T) {
	e := NewEnforcer(Policy{})
	heard := 0
	stop := e.OnControl("one", func() { heard++ })
	e.BeginControl("two", "", noCount)
	e.BeginControl("one", "", noCount)
	if heard != 1 {
		t.Errorf("it heard %d times", heard)
	}
	e.EndControl("one", HandedBack, "")
	stop()
	e.BeginControl("one", "", noCount)
	if heard != 1 || len(e.onControl) != 0 {
		t.Errorf("it heard %d times", heard)
	}
}

func TestControlIsWrittenDownInNumbers(t *testing.T) {
	e := NewEnforcer(Policy{})
	var events []Event
	e.OnEvent(func(one Event) { events = append(events, one) })
	e.BeginControl("one", "https://shop.test/", func() ControlSummary { return ControlSummary{2, 30, 1} })
	e.EndControl("one", HandedBack, "done")
	names := []string{events[0].Name, events[1].Name}
	if !slices.Equal(names, []string{"control begun", "control ended"}) || events[1].Page != "https://shop.test/" {
		t.Fatalf("%+v", events)
	}
	raw, err := json.Marshal(events[1].Args)
	if want := `{"clicks":2,"keys":30,"pages":1,"why":"handed back","note":"done"}`; err != nil || string(raw) != want {
		t.Errorf("%s %v", raw, err)
	}
	if !errors.Is(errTabTaken, TabTakenMeanwhile()) {
		t.Error("the two answers have two codes")
	}
}
