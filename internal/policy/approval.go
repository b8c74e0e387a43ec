package policy

import (
	"context"
	"slices"
	"strconv"
	"time"

	"cove/internal/fault"
)

// Request is a step that waits for a person's approval.
type Request struct {
	ID    string    `json:"id"`
	Agent Agent     `json:"agent"`
	Class Class     `json:"class"`
	What  string    `json:"what"` // what will happen, in one sentence
	Page  string    `json:"page"` // the address of the page that it is about
	Asked time.Time `json:"asked"`
	// Thumbnail is a PNG or JPEG image of what the step is about, or nil.
	Thumbnail []byte `json:"picture,omitempty"`
	// Elsewhere asks the person through another channel as well, where the policy allows one. ok is false if nobody
	// answered there.
	Elsewhere func(ctx context.Context) (yes, ok bool) `json:"-"`
}

// request is a Request with its answer.
type request struct {
	Request
	admission *Admission
	answer    chan bool
}

// Authorize checks a right. Where the policy says "ask" it waits for a person's answer. Models read the error.
func (a *Admission) Authorize(ctx context.Context, r Request) error {
	e := a.enforcer
	e.mu.Lock()
	right := e.rules.Right(r.Class)
	if right == Yes || (right == Ask && slices.Contains(a.granted, r.Class)) {
		e.mu.Unlock()
		return nil
	}
	if right != Ask {
		e.mu.Unlock()
		return Refused(r.Class)
	}

	before := e.rules.Policy
	e.nextID++
	r.ID, r.Agent, r.Asked = strconv.Itoa(e.nextID), a.agent, time.Now().UTC()
	waiting := &request{Request: r, admission: a, answer: make(chan bool, 1)}
	e.requests = append(e.requests, waiting)
	e.publish()
	e.mu.Unlock()
	defer e.withdraw(waiting)

	if r.Elsewhere != nil {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		go func() {
			if yes, ok := r.Elsewhere(ctx); ok {
				_ = e.decide(waiting.ID, yes, false, r.Agent.Name) // somebody else may have been faster
			}
		}()
	}

	t := time.NewTimer(askLimit)
	defer t.Stop()
	select {
	case yes := <-waiting.answer:
		if yes {
			return a.resume(ctx, r.Class, before)
		}
		if err := a.Err(); err != nil { // agents were turned off: nobody has declined this step
			return err
		}
		return declined(r)
	case <-t.C:
		return fault.New(
			fault.CodeNotApproved,
			"No response yet, so nothing was done: "+r.What+".",
			"Tell the user to answer the request in Cove's window or with `cove approvals`, then try again.",
		)
	case <-a.Done():
		if why := a.Err(); why != nil {
			return why
		}
		return errSuspended // the suspension that ended it is over
	case <-ctx.Done():
		return context.Cause(ctx)
	}
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

// RecordAnswer records what the person has answered in the agent's own client, which the policy allows to ask them.
func (a *Admission) RecordAnswer(r Request, yes bool) error {
	a.enforcer.mu.Lock()
	defer a.enforcer.mu.Unlock()
	r.Agent = a.agent
	a.enforcer.decided(r, yes, false, a.agent.Name)
	if yes {
		return nil
	}
	return declined(r)
}

// declined is the answer to a step that the person has refused.
func declined(r Request) error {
	return fault.New(
		fault.CodeRefused,
		"The user denied this: "+r.What+". Nothing was done.",
		"Do not try it another way. Continue without it, or ask the user what to do.",
	)
}

// NeedsApproval reports whether a step of the class must wait for a person: then it is worth a screenshot.
func (a *Admission) NeedsApproval(c Class) bool {
	a.enforcer.mu.Lock()
	defer a.enforcer.mu.Unlock()
	return a.enforcer.rules.Right(c) == Ask && !slices.Contains(a.granted, c)
}

// withdraw removes a request that nobody waits for any more.
func (e *Enforcer) withdraw(r *request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if i := slices.Index(e.requests, r); i >= 0 {
		e.requests = slices.Delete(e.requests, i, i+1)
		e.publish()
	}
}

// Decide answers a request. With always, the answer also holds for later requests of the same agent and class, until it
// disconnects.
func (e *Enforcer) Decide(id string, yes, always bool) error {
	return e.decide(id, yes, always, "person")
}

// decide is Decide with the name of who decided.
func (e *Enforcer) decide(id string, yes, always bool, by string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	i := slices.IndexFunc(e.requests, func(r *request) bool { return r.ID == id })
	if i < 0 {
		return fault.New(
			fault.CodeNoRequest,
			"This request is no longer pending.",
			"`cove approvals` lists pending requests.",
		)
	}
	r := e.requests[i]
	e.decided(r.Request, yes, yes && always, by)
	if yes && always {
		r.admission.granted = append(r.admission.granted, r.Class)
	}
	r.answer <- yes
	e.requests = slices.Delete(e.requests, i, i+1)
	e.publish()
	return nil
}

// decided emits the event of an answer. The caller holds mu.
func (e *Enforcer) decided(r Request, yes, always bool, by string) {
	name := "refused"
	if yes {
		name = "allowed"
	}
	e.emit(name, r.Page, struct {
		Agent  string `json:"agent"`
		Class  Class  `json:"class"`
		What   string `json:"what"`
		By     string `json:"by"`
		Always bool   `json:"always,omitempty"`
	}{r.Agent.String(), r.Class, r.What, by, always})
}
