package policy

import (
	"cmp"
	"context"
	"slices"
	"time"

	"cove/internal/fault"
)

// Authorize checks a right. Where the policy says "ask" it waits for a person's answer, as long as the call can wait.
// The request outlives the call: the same step meets it again, and passes once after a late yes. Models read the error.
func (a *Admission) Authorize(ctx context.Context, r Request) error {
	e := a.enforcer
	limit := time.NewTimer(r.patience())
	defer limit.Stop()
	for {
		waiting, err := a.ask(r)
		if waiting == nil || err != nil {
			return err
		}
		stop := a.askElsewhere(ctx, waiting, r)
		select {
		case <-waiting.done:
		case <-limit.C:
		case <-a.Done():
		case <-ctx.Done():
		}
		stop()

		if decided, err := a.outcome(ctx, waiting); decided {
			if err != nil {
				return err
			}
			if err = a.resume(ctx, r.Class, waiting.before); err != nil && ctx.Err() != nil {
				a.ReturnYes(r)
			}
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := a.Err(); err != nil {
			return err
		}
		if waiting.isOpen(e) {
			return notYet(e.Name(waiting.ID), r)
		}
		// Another call has used the answer up: this one asks for itself.
	}
}

// Ask asks for a right as Authorize does, and does not wait. It returns the request that the step waits for, or nil
// when no person is needed.
func (a *Admission) Ask(r Request) (*Request, error) {
	waiting, err := a.ask(r)
	if waiting == nil || err != nil {
		return nil, err
	}
	a.enforcer.mu.Lock()
	defer a.enforcer.mu.Unlock()
	asked := waiting.Request
	return &asked, nil
}

// ask returns the request that a step has to wait for; nil when the step may go on.
func (a *Admission) ask(r Request) (*request, error) {
	e := a.enforcer
	e.mu.Lock()
	defer e.mu.Unlock()

	right := e.rules.RightOn(r.Class, r.addresses()...)
	if right == Yes || (right == Ask && slices.Contains(a.granted, r.grant())) {
		return nil, nil
	}
	if right != Ask {
		return nil, Refused(r.Class)
	}
	if err := e.admits(); err != nil {
		return nil, err
	}

	r.Kind = AskApproval
	a.sign(&r)
	if met := e.requests.meets(&r, a); met != nil {
		met.admission = a
		return met, nil
	}
	return e.open(r, a), nil
}

// ReturnYes gives back the yes that a step has got from Authorize, because nothing was done: the step passes when it is
// tried again. An agent that must go has nothing to give back.
func (a *Admission) ReturnYes(r Request) {
	e := a.enforcer
	e.mu.Lock()
	defer e.mu.Unlock()
	if a.err != nil || slices.Contains(a.granted, r.grant()) { // with a grant the step passes anyway
		return
	}
	r.Kind = AskApproval
	a.sign(&r)
	for _, ended := range slices.Backward(e.requests.ended) {
		if ended.same(&r) {
			ended.undelivered = ended.State == Answered && ended.Answer.Allow && !ended.void
			return
		}
	}
}

// TakeYes uses up the yes that a person has given to a step after its call had ended. It is for what is known only when
// the step has acted: the step tries again, and must not ask first. It reports false where there is none.
func (a *Admission) TakeYes(c Class, step string) bool {
	e := a.enforcer
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, r := range slices.Backward(e.requests.ended) {
		if r.Kind != AskApproval || r.Class != c || r.Step != step || !a.isAsker(r) {
			continue
		}
		yes := r.undelivered && r.State == Answered && r.Answer.Allow && time.Since(r.Ended) < answerLife
		if yes && !e.rules.tighter(r.before) {
			r.undelivered = false
			return true
		}
	}
	return false
}

// outcome returns what has become of a request. decided is false while it is open, and if the answer is not for this
// call: another one had it, or the client has given this one up.
func (a *Admission) outcome(ctx context.Context, r *request) (decided bool, err error) {
	a.enforcer.mu.Lock()
	defer a.enforcer.mu.Unlock()
	switch r.State {
	case Answered:
		if !r.undelivered || ctx.Err() != nil {
			return false, nil
		}
		r.undelivered = false
		if r.Answer.Allow {
			return true, nil
		}
		return true, declined(r.Request)
	case Expired:
		return true, fault.New(fault.CodeNotApproved,
			"Nobody answered in time, so this was not done: "+r.whatForAgent()+".",
			"Tell the user. They can still allow it in Cove: then do the same again.").
			WithBrief("nobody answered the request")
	case Withdrawn, Cut:
		if a.err != nil {
			return true, a.err
		}
		if err := a.enforcer.admits(); err != nil {
			return true, err
		}
		return true, errCut
	}
	return false, nil
}

// isOpen reports whether the request still waits for a person.
func (r *request) isOpen(e *Enforcer) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return r.State.IsOpen()
}

// grant is what the person gives who allows the request for the whole admission.
func (r *Request) grant() grant { return grant{r.Class, r.Bound} }

// whatForAgent is what the agent reads of the request.
func (r *Request) whatForAgent() string { return cmp.Or(r.WhatForAgent, r.What) }

// addresses are all that a rule for a site must cover.
func (r *Request) addresses() []string { return append([]string{r.Page}, r.Frames...) }

func (r *Request) patience() time.Duration {
	if r.Patience > 0 {
		return r.Patience
	}
	return askLimit
}

// askElsewhere asks the person through the request's other channel, until stop.
func (a *Admission) askElsewhere(ctx context.Context, waiting *request, r Request) (stop func()) {
	if r.Elsewhere == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		if yes, ok := r.Elsewhere(ctx); ok {
			_ = a.enforcer.decide(waiting.ID, yes, false, waiting.Agent.Name) // somebody else may have been faster
		}
	}()
	return cancel
}

// notYet is the answer to a step that a person has not decided about yet.
func notYet(id string, r Request) error {
	return fault.New(
		fault.CodeNotApproved,
		"No response yet, so this was not done: "+r.whatForAgent()+". The request "+id+" stays open.",
		"Do the same again to wait on, or continue with something else: after a yes it passes once. "+
			"If you have tried three times, tell the user to answer it in Cove's window or with `cove asks`.",
	).WithBrief("nobody has answered the request yet")
}

// resume checks an approved step again: while it waited, the person may have taken over or narrowed another right.
func (a *Admission) resume(ctx context.Context, c Class, before Policy) error {
	if err := a.Begin(ctx, c != Storage); err != nil {
		return err
	}
	if a.enforcer.Rules().tighter(before) {
		return errTightened
	}
	return nil
}

// declined is the answer to a step that the person has refused.
func declined(r Request) error {
	text := "The user denied this: " + r.whatForAgent() + ". It was not done."
	if r.Answer != nil && r.Answer.Note != "" {
		text += " Their note: " + r.Answer.Note
	}
	return fault.New(fault.CodeRefused, text,
		"Do not try it another way. Continue without it, or ask the user what to do.").WithBrief("you said no")
}

// NeedsApproval reports whether a step of the class must wait for a person: then it is worth a screenshot. addresses
// are those that the step concerns.
func (a *Admission) NeedsApproval(c Class, addresses ...string) bool {
	a.enforcer.mu.Lock()
	defer a.enforcer.mu.Unlock()
	return a.enforcer.rules.RightOn(c, addresses...) == Ask && !slices.Contains(a.granted, grant{class: c})
}

// NeedsApprovalOf is NeedsApproval for one request.
func (a *Admission) NeedsApprovalOf(r Request) bool {
	a.enforcer.mu.Lock()
	defer a.enforcer.mu.Unlock()
	return a.enforcer.rules.RightOn(r.Class, r.addresses()...) == Ask && !slices.Contains(a.granted, r.grant())
}
