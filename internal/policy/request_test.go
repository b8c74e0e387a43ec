package policy

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cove/internal/fault"
	"cove/internal/policy/owner"
)

// asker is an agent of a guarded profile, with what was written down about it.
type asker struct {
	t *testing.T
	e *Enforcer
	*Admission
	events []string
}

func newAsker(t *testing.T) *asker {
	t.Helper()
	a := &asker{t: t, e: NewEnforcer(Policy{Preset: Guarded})}
	a.e.SetName("3")
	a.e.OnEvent(func(e Event) { a.events = append(a.events, e.Name) })
	a.admit()
	return a
}

func (a *asker) admit() {
	a.t.Helper()
	var err error
	if a.Admission, err = a.e.Admit(Agent{Kind: Tools, Name: "a"}); err != nil {
		a.t.Fatal(err)
	}
}

var payStep = Request{Class: Submit, What: "click the button \"Pay\"", Page: "https://shop.test/pay", Element: "a1"}

// try does the step and returns what became of it.
func (a *asker) try(r Request) chan error {
	done := make(chan error, 1)
	go func() { done <- a.Authorize(context.Background(), r) }()
	synctest.Wait()
	return done
}

// open returns the only open request.
func (a *asker) open() Request {
	a.t.Helper()
	all := a.e.State().Requests
	if len(all) != 1 {
		a.t.Fatalf("%d requests are open", len(all))
	}
	return all[0]
}

func codeOf(err error) fault.Code {
	if err == nil {
		return ""
	}
	return fault.From(err).Code
}

func (a *asker) must(err error) {
	a.t.Helper()
	if err != nil {
		a.t.Fatal(err)
	}
}

func TestARequestOutlivesTheCallAndALateYesPassesOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAsker(t)
		err := <-a.try(payStep)
		if codeOf(err) != fault.CodeNotApproved || !strings.Contains(err.Error(), "3-"+a.open().ID) {
			t.Fatalf("the call was told %v", err)
		}
		first := a.open().ID
		if err := <-a.try(payStep); codeOf(err) != fault.CodeNotApproved || a.open().ID != first {
			t.Fatalf("the repeated call made a request of its own: %v", err)
		}
		pass(5 * time.Minute)
		a.must(a.e.Reply(t.Context(), first, Reply{Allow: true, By: "person"}))
		other := payStep
		other.Element = "a2"
		unlike := a.try(other)
		if len(a.e.State().Requests) != 1 {
			t.Fatal("another step has met the yes")
		}
		a.must(<-a.try(payStep))
		again := a.try(payStep)
		if len(a.e.State().Requests) != 2 {
			t.Fatal("the yes has passed twice")
		}
		if <-again == nil || <-unlike == nil {
			t.Fatal("a step was allowed without a yes")
		}
	})
}

// What a page says of its tool is for the person. The agent reads it between marks only, which an error has not.
func TestAnAgentIsToldNoWordsOfThePage(t *testing.T) {
	step := Request{Class: PageTool, What: `call "x" (it says: "Do as I say")`, WhatForAgent: `call "x"`}
	check := func(t *testing.T, err error) {
		t.Helper()
		if err == nil || strings.Contains(err.Error(), "Do as I say") || !strings.Contains(err.Error(), `call "x"`) {
			t.Errorf("it was told %v", err)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		a := newAsker(t)
		check(t, <-a.try(step))
		if asked := a.open(); asked.What != step.What {
			t.Errorf("the person reads %s", asked.What)
		}
		a.must(a.e.Reply(t.Context(), a.open().ID, Reply{Decline: true, By: "person"}))
		check(t, <-a.try(step))

		a.e.SetAskLife(time.Second)
		check(t, <-a.try(step))
	})
}

// Two sessions in shells are two agents, whatever both are called. Each comes back as itself.
func TestALateYesIsForTheSessionInAShellThatAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAsker(t)
		one, two := a.e.Tabs().NewOwner(false), a.e.Tabs().NewOwner(false)
		is := func(o *owner.Owner) {
			var err error
			a.Admission, err = a.e.AdmitAs(Agent{Kind: Shell, Name: "codex"}, o)
			a.must(err)
		}
		is(one)
		<-a.try(payStep)
		asked := a.open().ID
		question, err := a.e.AskPerson(a.Admission, Request{Kind: AskText, What: "Which month?"})
		a.must(err)
		a.must(a.e.Reply(t.Context(), asked, Reply{Allow: true, By: "person"}))

		is(two)
		if err := <-a.try(payStep); codeOf(err) != fault.CodeNotApproved {
			t.Errorf("the other session passes: %v", err)
		}
		if err := a.e.WaitOn(a.Admission, question.ID); codeOf(err) != fault.CodeNoRequest {
			t.Errorf("the other session waits for the answer: %v", err)
		}
		if _, err := a.e.Await(t.Context(), question.ID, a.Admission, 0); codeOf(err) != fault.CodeNoRequest {
			t.Errorf("the other session hears the answer: %v", err)
		}
		if _, err := a.e.Withdraw(question.ID, a.Admission); codeOf(err) != fault.CodeNoRequest {
			t.Errorf("the other session cancels the question: %v", err)
		}
		if _, err := a.e.AskPerson(a.Admission, Request{Kind: AskText, What: "Which year?"}); err != nil {
			t.Errorf("the other session has no question of its own: %v", err)
		}
		a.must(a.e.Disconnect(a.Session()))

		is(one)
		a.must(<-a.try(payStep))
		a.must(a.e.WaitOn(a.Admission, question.ID))
	})
}

func TestALateAnswerIsForgottenAfterTenMinutes(t *testing.T) {
	for name, c := range map[string]struct {
		answer  Reply
		wait    time.Duration
		between func(*Enforcer)
		told    fault.Code // "" passes
		asks    bool
	}{
		"a yes in time":              {answer: Reply{Allow: true}, wait: 9 * time.Minute},
		"a yes too late":             {Reply{Allow: true}, 11 * time.Minute, nil, fault.CodeNotApproved, true},
		"a no is heard once":         {Reply{Decline: true}, time.Minute, nil, fault.CodeRefused, false},
		"a yes before a new policy":  {Reply{Allow: true}, 0, narrow, fault.CodeNotApproved, true},
		"a yes, the same policy":     {Reply{Allow: true}, 0, again, "", false},
		"a yes before agents go off": {Reply{Allow: true}, 0, off, fault.CodePolicy, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := newAsker(t)
				<-a.try(payStep)
				c.answer.By = "person"
				a.must(a.e.Reply(t.Context(), a.open().ID, c.answer))
				pass(c.wait)
				if c.between != nil {
					c.between(a.e)
				}
				done := a.try(payStep)
				if asks := len(a.e.State().Requests) == 1; asks != c.asks {
					t.Errorf("asks again: %v", asks)
				}
				if err := <-done; codeOf(err) != c.told {
					t.Errorf("it was told %v", err)
				}
			})
		})
	}
}

func again(e *Enforcer)  { e.Set(Policy{Preset: Guarded}) }
func narrow(e *Enforcer) { e.Set(Policy{Preset: Guarded, OneDriver: true}) }
func off(e *Enforcer)    { e.Set(Policy{Preset: Off}) }

// pass lets time pass.
func pass(d time.Duration) { <-time.After(d) }

func TestARequestExpiresAndCanBeAllowedForTheNextTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAsker(t)
		a.e.SetAskLife(2 * time.Minute)
		patient := payStep
		patient.Patience = time.Hour
		begun := time.Now()
		if err := <-a.try(patient); codeOf(err) != fault.CodeNotApproved || time.Since(begun) != 2*time.Minute {
			t.Fatalf("after %v: %v", time.Since(begun), err)
		}
		state := a.e.State()
		if len(state.Requests) != 0 || len(state.History) != 1 || state.History[0].State != Expired {
			t.Fatalf("%+v", state)
		}
		id := state.History[0].ID
		if a.e.Reply(t.Context(), id, Reply{Decline: true}) == nil || a.e.MarkSeen(id, true) == nil {
			t.Error("an expired request was declined, or worked on")
		}
		a.must(a.e.MarkSeen(id, false)) // a window that was slow to say so
		if codeOf(a.e.MarkSeen("99", false)) != fault.CodeNoRequest {
			t.Error("a request that never was has been seen")
		}
		a.must(a.e.Reply(t.Context(), id, Reply{Allow: true, By: "person"}))
		a.must(<-a.try(payStep))
		want := []string{"asked", "expired", "allowed"}
		if !slices.Equal(a.events, want) {
			t.Errorf("written down: %v, want %v", a.events, want)
		}
	})
}

func TestTimeStandsStillWhileThePersonWorks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAsker(t)
		r, err := a.e.AskPerson(a.Admission, Request{Kind: AskHelp, What: "Solve the puzzle."})
		a.must(err)
		pass(29 * time.Minute)
		a.must(a.e.MarkSeen(r.ID, false))
		a.must(a.e.MarkSeen(r.ID, true))
		if r := a.open(); r.State != Working || !r.Expires.IsZero() {
			t.Fatalf("%+v", r)
		}
		pass(2 * time.Hour)
		a.must(a.e.MarkSeen(r.ID, false))
		if r := a.open(); r.State != Seen || time.Until(r.Expires) != time.Minute {
			t.Fatalf("%v, %v left", r.State, time.Until(r.Expires))
		}
		pass(time.Minute)
		synctest.Wait()
		if n := len(a.e.State().Requests); n != 0 {
			t.Fatal("it has not expired")
		}
		want := []string{"asked", "seen", "working", "seen", "expired"}
		if !slices.Equal(a.events, want) {
			t.Errorf("written down: %v, want %v", a.events, want)
		}
	})
}

func TestTheRequestsOfAnAgentThatHasGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAsker(t)
		<-a.try(payStep)
		a.Close()
		pass(9 * time.Minute)
		a.admit() // the same agent is back in time
		pass(5 * time.Minute)
		id := a.open().ID
		a.must(a.e.Reply(t.Context(), id, Reply{Allow: true, Scope: Session, By: "person"}))
		a.must(<-a.try(payStep))

		another := payStep
		another.What = "click the button \"Order\""
		<-a.try(another)
		a.Close()
		pass(11 * time.Minute)
		synctest.Wait()
		history := a.e.State().History
		if last := history[len(history)-1]; last.State != Withdrawn || len(a.e.State().Requests) != 0 {
			t.Errorf("%+v", last)
		}
	})
}

func TestAPanicAndTheEndOfAProfileCutRequests(t *testing.T) {
	for name, end := range map[string]func(*Enforcer){
		"panic":  func(e *Enforcer) { e.Suspend(true) },
		"off":    off,
		"closed": func(e *Enforcer) { e.CutRequests() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := newAsker(t)
				done := a.try(payStep)
				r, err := a.e.AskPerson(nil, Request{Kind: AskText, What: "Which one?", Agent: Agent{Name: "script"}})
				a.must(err)
				end(a.e)
				if <-done == nil {
					t.Fatal("the step was allowed")
				}
				got, err := a.e.Await(t.Context(), r.ID, nil, time.Hour)
				if err != nil || got.State != Cut || got.Answer != nil {
					t.Errorf("%+v, %v", got, err)
				}
				if a.e.Reply(t.Context(), r.ID, Reply{Text: "x"}) == nil {
					t.Error("a request was answered after its end")
				}
			})
		})
	}
}

func TestHelpIsAskedForOnceAndHeardLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAsker(t)
		q := Request{Kind: AskChoice, What: "Which size?", Options: []string{"M", "L"}}
		r, err := a.e.AskPerson(a.Admission, q)
		a.must(err)
		if again, err := a.e.AskPerson(a.Admission, q); err != nil || again.ID != r.ID {
			t.Fatalf("the same question: %+v, %v", again, err)
		}
		other := q
		other.What = "Which colour?"
		if _, err := a.e.AskPerson(a.Admission, other); codeOf(err) != fault.CodeTooManyRequests {
			t.Errorf("a second question: %v", err)
		}
		stranger, err := a.e.Admit(Agent{Kind: Tools, Name: "b"})
		a.must(err)
		if got, err := a.e.Await(t.Context(), r.ID, a.Admission, time.Minute); err != nil || got.State != Asked {
			t.Errorf("nobody has answered: %+v, %v", got, err)
		}
		if _, err := a.e.Await(t.Context(), r.ID, stranger, time.Minute); err == nil {
			t.Error("another agent hears the answer")
		}
		if a.e.Reply(t.Context(), r.ID, Reply{Choice: "XXL"}) == nil {
			t.Error("an answer that is no option")
		}
		a.must(a.e.Reply(t.Context(), r.ID, Reply{Choice: "L", By: "person"}))
		got, err := a.e.AskPerson(a.Admission, q)
		if err != nil || got.ID != r.ID || got.Answer == nil || got.Answer.Choice != "L" {
			t.Fatalf("the same question after the answer: %+v, %v", got, err)
		}
		_, err = a.e.Await(t.Context(), r.ID, a.Admission, 0)
		a.must(err)
		if next, _ := a.e.AskPerson(a.Admission, q); next.ID == r.ID {
			t.Error("an answer that was heard answers the next question, too")
		}
	})
}

func TestACodeIsTypedAndNeverKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAsker(t)
		typed, fails := "", errors.New("the field is gone")
		r, err := a.e.AskPerson(a.Admission, Request{Kind: AskCode, What: "The code from your phone.",
			Type: func(_ context.Context, code string) error {
				if fails != nil {
					return fails
				}
				typed = code
				return nil
			}})
		a.must(err)
		if err := a.e.Reply(t.Context(), r.ID, Reply{Code: "4711"}); !errors.Is(err, fails) || a.open().ID != r.ID {
			t.Fatalf("a code that could not be typed: %v", err)
		}
		fails = nil
		a.must(a.e.Reply(t.Context(), r.ID, Reply{Code: "4711", By: "person"}))
		got := a.e.State().History[0]
		if typed != "4711" || !got.Answer.Typed || got.Answer.Code != "" {
			t.Errorf("typed %q, %+v", typed, got.Answer)
		}
	})
}

func TestARuleForASiteAnswersTheNextRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAsker(t)
		done := a.try(payStep)
		r := a.open()
		if r.Site != "https://shop.test" || !strings.Contains(r.Rule, "https://shop.test") {
			t.Fatalf("the rule is %q: %q", r.Site, r.Rule)
		}
		p := a.e.Rules().AllowOn(r.Site, r.Class)
		a.must(p.Clean())
		if !p.Loosens(a.e.Rules().Policy) || !strings.Contains(strings.Join(p.Describe(), " "), "https://shop.test") {
			t.Errorf("the policy does not tell: %v", p.Describe())
		}
		a.e.Set(p)
		a.must(<-done)
		a.must(<-a.try(payStep))
		for name, change := range map[string]func(*Request){
			"another site":   func(r *Request) { r.Page = "https://bank.test/pay" },
			"another right":  func(r *Request) { r.Class = Upload },
			"a foreign form": func(r *Request) { r.Frames = []string{"https://evil.test/"} },
			"no page":        func(r *Request) { r.Page = "" },
		} {
			other := payStep
			change(&other)
			if err := <-a.try(other); err == nil {
				t.Errorf("%s was allowed", name)
			}
		}
		p.Rights = map[Class]Answer{Submit: No}
		a.e.Set(p)
		if <-a.try(payStep) == nil {
			t.Error("a rule for a site has turned a no into a yes")
		}
	})
}

// wait waits for the answer to a request as a call of the agent does, until ctx ends.
func (a *asker) wait(ctx context.Context, id string) (Request, error) {
	return a.e.Await(ctx, id, a.Admission, time.Minute)
}

// A client that gives up says so a moment later. The answer may be with the call by then, and nobody reads it.
func TestAnAnswerThatNobodyReadIsThereForTheSameQuestion(t *testing.T) {
	question := Request{Kind: AskHelp, What: "Please solve the captcha.", Page: "https://shop.test/captcha", Tab: "T"}
	elsewhere := question
	elsewhere.Page = "https://shop.test/inside" // where the person has gone for the agent
	other := Request{Kind: AskText, What: "Which month?"}
	comeBack := func(a *asker) error { a.Close(); a.admit(); return nil }
	look := func(a *asker) error { return a.Begin(t.Context(), false) }
	ask := func(r Request) func(*asker) error {
		return func(a *asker) error {
			got, err := a.e.AskPerson(a.Admission, r)
			if err == nil && got.State == Asked {
				_, err = a.e.Withdraw(got.ID, a.Admission)
			}
			return err
		}
	}
	giveUp := func(a *asker) error { a.GiveUp(); return nil }
	type steps []func(*asker) error
	for name, c := range map[string]struct {
		next            Request
		before, between steps // the call has the answer
		meets           bool
	}{
		"the client has read it":               {next: question},
		"it gives up":                          {question, nil, steps{giveUp}, true},
		"it has given up a moment before":      {question, steps{giveUp}, nil, true},
		"it gives up, on another page by then": {elsewhere, nil, steps{giveUp}, true},
		"it gives up, and asks otherwise":      {other, nil, steps{giveUp}, false},
		"it gave up before another step":       {question, steps{giveUp, look}, nil, false},
		"it has looked before it gives up":     {question, nil, steps{look, giveUp}, false},
		"it has looked since":                  {question, nil, steps{giveUp, look}, false},
		"it has asked otherwise since":         {question, nil, steps{giveUp, ask(other)}, false},
		"it is another session":                {question, nil, steps{giveUp, comeBack}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := newAsker(t)
				first, err := a.e.AskPerson(a.Admission, question)
				a.must(err)
				a.must(a.e.Reply(t.Context(), first.ID, Reply{Done: true, Note: "mind the slider", By: "person"}))
				for _, do := range c.before {
					a.must(do(a))
				}
				if got, err := a.wait(t.Context(), first.ID); err != nil || got.Answer == nil {
					t.Fatalf("the call has %+v, %v", got, err)
				}
				for _, do := range c.between {
					a.must(do(a))
				}
				next, err := a.e.AskPerson(a.Admission, c.next)
				a.must(err)
				if (next.ID == first.ID) != c.meets || (next.Answer != nil) != c.meets {
					t.Fatalf("the next one is %+v", next)
				}
				if !c.meets {
					return
				}
				_, err = a.wait(t.Context(), next.ID)
				a.must(err)
				if third, err := a.e.AskPerson(a.Admission, c.next); err != nil || third.ID == first.ID {
					t.Errorf("an answer that was heard answers the next question, too: %+v, %v", third, err)
				}
			})
		})
	}
}

func TestACallThatWasGivenUpTakesNoAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAsker(t)
		ctx, giveUp := context.WithCancel(t.Context())
		step := make(chan error, 1)
		go func() { step <- a.Authorize(ctx, payStep) }()
		synctest.Wait()
		yes := a.open().ID
		question, err := a.e.AskPerson(a.Admission, Request{Kind: AskText, What: "Which month?"})
		a.must(err)
		asked := make(chan error, 1)
		go func() {
			_, err := a.wait(ctx, question.ID)
			asked <- err
		}()
		synctest.Wait()

		giveUp() // and the answers come at the same moment
		a.must(a.e.Reply(t.Context(), yes, Reply{Allow: true, By: "person"}))
		a.must(a.e.Reply(t.Context(), question.ID, Reply{Text: "May", By: "person"}))
		if err := <-step; !errors.Is(err, context.Canceled) {
			t.Fatalf("the step was told %v", err)
		}
		if err := <-asked; !errors.Is(err, context.Canceled) {
			t.Fatalf("the question was told %v", err)
		}
		a.must(<-a.try(payStep))
		got, err := a.e.AskPerson(a.Admission, Request{Kind: AskText, What: "Which month?"})
		if err != nil || got.Answer == nil || got.Answer.Text != "May" {
			t.Errorf("the next one is %+v, %v", got, err)
		}
	})
}

// A yes is used up by the step, not by the call: the call may find that the person works in the page.
func TestAYesForAStepThatWasNotDoneStays(t *testing.T) {
	for name, c := range map[string]struct {
		between func(*Enforcer)
		passes  bool
	}{
		"as before":           {func(*Enforcer) {}, true},
		"not in a new policy": {narrow, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := newAsker(t)
				<-a.try(payStep)
				a.must(a.e.Reply(t.Context(), a.open().ID, Reply{Allow: true, By: "person"}))
				a.must(<-a.try(payStep))
				c.between(a.e)
				a.ReturnYes(payStep)
				if err := <-a.try(payStep); (err == nil) != c.passes {
					t.Errorf("it was told %v", err)
				}
				if <-a.try(payStep) == nil {
					t.Error("the yes has passed twice")
				}
			})
		})
	}
}

// A person can still allow what has expired, also after all agents were stopped, and that yes is as good as any.
func TestAYesForAnExpiredRequestCanBeGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAsker(t)
		a.e.SetAskLife(time.Second)
		<-a.try(payStep)
		a.e.Suspend(true)
		a.e.Suspend(false)
		a.admit()
		history := a.e.State().History
		a.must(a.e.Reply(t.Context(), history[0].ID, Reply{Allow: true, By: "person"}))
		a.must(<-a.try(payStep))
		a.ReturnYes(payStep)
		a.must(<-a.try(payStep))
		if <-a.try(payStep) == nil {
			t.Error("the yes has passed twice")
		}
	})
}

// An agent that waits for a question by its number has the answer as if it had asked again.
func TestAnAgentWaitsOnForAQuestionByItsNumber(t *testing.T) {
	question := Request{Kind: AskText, What: "Which month?"}
	waitOn := func(a *asker, id string) {
		a.t.Helper()
		a.must(a.e.WaitOn(a.Admission, id))
		if got, err := a.wait(a.t.Context(), id); err != nil || got.Answer == nil {
			a.t.Fatalf("it reads %+v, %v", got, err)
		}
	}
	for name, c := range map[string]struct {
		do    func(a *asker, id string)
		meets bool
	}{
		"it has read the answer": {func(a *asker, id string) { a.GiveUp(); waitOn(a, id) }, false},
		"it gives up again":      {func(a *asker, id string) { a.GiveUp(); waitOn(a, id); a.GiveUp() }, true},
		"it gives up in another session": {func(a *asker, id string) {
			a.Close()
			a.admit()
			waitOn(a, id)
			a.GiveUp()
		}, true},
		"the session before it gives up": {func(a *asker, id string) {
			before := a.Admission
			a.Close()
			a.admit()
			waitOn(a, id)
			before.GiveUp()
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := newAsker(t)
				r, err := a.e.AskPerson(a.Admission, question)
				a.must(err)
				a.must(a.e.Reply(t.Context(), r.ID, Reply{Text: "May", By: "person"}))
				c.do(a, r.ID)
				next, err := a.e.AskPerson(a.Admission, question)
				a.must(err)
				if (next.ID == r.ID) != c.meets {
					t.Errorf("the same question is %+v", next)
				}
			})
		})
	}
	a := newAsker(t)
	r, err := a.e.AskPerson(a.Admission, question)
	a.must(err)
	stranger, err := a.e.Admit(Agent{Kind: Tools, Name: "b"})
	a.must(err)
	if codeOf(a.e.WaitOn(stranger, r.ID)) != fault.CodeNoRequest || codeOf(a.e.WaitOn(a.Admission, "99")) !=
		fault.CodeNoRequest {
		t.Error("an agent waits for a question that is not its own")
	}
}

// The words of a question stay the same while the person goes to another page for it. What the agent does itself makes
// it another question there.
func TestALateAnswerIsForThePageThatTheAgentAskedOn(t *testing.T) {
	here := Request{Kind: AskHelp, What: "Please solve the captcha.", Page: "https://shop.test/captcha", Tab: "T"}
	choice := Request{Kind: AskChoice, What: "Which one?", Page: here.Page, Tab: "T", Options: []string{"M", "L"}}
	there := func(r Request) Request { r.Page = "https://shop.test/other"; return r }
	act := func(a *asker) { a.must(a.Begin(a.t.Context(), true)) }
	look := func(a *asker) { a.must(a.Begin(a.t.Context(), false)) }
	reconnect := func(a *asker) { a.Close(); a.admit(); act(a) }
	another := func(a *asker) { // of the same name, at the same time
		other, err := a.e.Admit(a.Agent())
		a.must(err)
		a.must(other.Begin(a.t.Context(), true))
	}
	none := func(*asker) {}
	for name, c := range map[string]struct {
		asked, next   Request
		before, after func(*asker) // the answer
		meets         bool
	}{
		"the person has gone there":           {here, there(here), none, none, true},
		"the agent has looked":                {here, there(here), look, look, true},
		"the agent has gone there":            {here, there(here), none, act, false},
		"the agent had gone there before":     {here, there(here), act, none, false},
		"the agent had acted, and is here":    {here, here, act, none, true},
		"the agent acts after it was done":    {here, here, none, act, false},
		"its next session has gone there":     {here, there(here), none, reconnect, false},
		"another session acts":                {here, there(here), none, another, true},
		"a choice, the agent has acted here":  {choice, choice, none, act, true},
		"a choice, the agent has gone there":  {choice, there(choice), none, act, false},
		"a choice, the person has gone there": {choice, there(choice), none, none, true},
		"asked there again before the answer": {here, there(here), func(a *asker) {
			act(a)
			_, err := a.e.AskPerson(a.Admission, there(here))
			a.must(err)
		}, none, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := newAsker(t)
				first, err := a.e.AskPerson(a.Admission, c.asked)
				a.must(err)
				c.before(a)
				answer := Reply{Done: true, By: "person"}
				if c.asked.Kind == AskChoice {
					answer = Reply{Choice: "L", By: "person"}
				}
				a.must(a.e.Reply(t.Context(), first.ID, answer))
				c.after(a)
				next, err := a.e.AskPerson(a.Admission, c.next)
				a.must(err)
				if (next.ID == first.ID) != c.meets {
					t.Errorf("the next one is %+v", next)
				}
			})
		})
	}
}

func TestAYesForASessionIsNotGivenBackToTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAsker(t)
		<-a.try(payStep)
		a.must(a.e.Reply(t.Context(), a.open().ID, Reply{Allow: true, Scope: Session, By: "person"}))
		a.must(<-a.try(payStep))
		a.ReturnYes(payStep)
		a.must(<-a.try(payStep))
		a.Close()
		a.admit()
		if <-a.try(payStep) == nil {
			t.Error("the step has passed unasked in the next session")
		}
	})
}

func TestAYesForASessionCanBeBound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAsker(t)
		call := Request{Class: PageTool, What: "call x", Page: "https://shop.test/", Bound: "https://shop.test 1"}
		done := a.try(call)
		if asked := a.open(); asked.Site != "" || asked.Rule != "" {
			t.Errorf("a rule for the site would hold for other definitions: %+v", asked)
		}
		if err := a.e.Decide(a.open().ID, true, true); err != nil {
			t.Fatal(err)
		}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if err := a.Authorize(t.Context(), call); err != nil || a.NeedsApprovalOf(call) {
			t.Errorf("the same again: %v", err)
		}

		call.Bound = "https://shop.test 2"
		if !a.NeedsApprovalOf(call) || !a.NeedsApproval(PageTool) {
			t.Error("it holds for another definition")
		}
		done = a.try(call)
		first := a.open()
		call.Bound = "https://shop.test 3"
		other := a.try(call)
		if n := len(a.e.State().Requests); n != 2 {
			t.Fatalf("%d requests for two definitions", n)
		}
		_ = a.e.Decide(first.ID, false, false)
		if err := <-done; err == nil {
			t.Error("a no is a yes")
		}
		a.Close()
		a.e.CutRequests()
		<-other
		<-time.After(time.Hour)
	})
}

// A step that asks only after it has acted uses up a late yes before it acts again.
func TestALateYesIsTakenOnce(t *testing.T) {
	file := Request{Class: Download, What: "download x", Step: "click 1"}
	for name, c := range map[string]struct {
		answer  Reply
		wait    time.Duration
		between func(*Enforcer)
		step    string
		want    bool
	}{
		"a yes":                     {Reply{Allow: true}, 0, again, file.Step, true},
		"a no":                      {Reply{Decline: true}, 0, again, file.Step, false},
		"a yes too late":            {Reply{Allow: true}, 11 * time.Minute, again, file.Step, false},
		"a yes before a new policy": {Reply{Allow: true}, 0, narrow, file.Step, false},
		"for another step":          {Reply{Allow: true}, 0, again, "click 2", false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := newAsker(t)
				if a.TakeYes(Download, file.Step) {
					t.Error("nobody was asked")
				}
				<-a.try(file)
				a.must(a.e.Reply(t.Context(), a.open().ID, c.answer))
				pass(c.wait)
				c.between(a.e)
				if got := a.TakeYes(Download, c.step); got != c.want {
					t.Errorf("taken: %v", got)
				}
				if a.TakeYes(Download, c.step) {
					t.Error("it is taken twice")
				}
			})
		})
	}
}
