package policy

import (
	"context"
	"crypto/subtle"
	"slices"
	"time"

	"cove/internal/fault"
)

// AskPerson asks the person for help, or finds the same question again. a is the admission of the agent that asks; nil
// for a program that asks over HTTP, which is named in r. No right is needed for that, and it grants none.
func (e *Enforcer) AskPerson(a *Admission, r Request) (Request, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.admits(); err != nil {
		return Request{}, err
	}
	if a != nil {
		a.sign(&r)
	}
	if met := e.requests.meets(&r, a); met != nil {
		met.admission, met.acted = a, false
		if a != nil {
			a.gaveUp = false
		}
		return met.Request, nil
	}
	e.requests.hear(a)

	open := 0
	for _, other := range e.requests.open {
		if other.Kind == AskApproval {
			continue
		}
		if open++; a != nil && a.isAsker(other) {
			return Request{}, fault.New(fault.CodeTooManyRequests,
				"Your request "+e.nameOf(other.ID)+" is still open, and an agent has one at a time.",
				"Wait for it, or cancel it first.")
		}
	}
	if open >= maxHelp {
		return Request{}, fault.New(fault.CodeTooManyRequests,
			"This profile has too many open requests for its user.", "Try again when some are answered.")
	}
	return e.open(r, a).Request, nil
}

// WaitOn finds a request of an agent by its id, as AskPerson does by its words: a is who hears the answer from now on.
func (e *Enforcer) WaitOn(a *Admission, id string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	r, err := e.requests.find(id)
	if err != nil || !a.isAsker(r) {
		return notYours()
	}
	if r.Kind != AskApproval && r.admission != nil {
		r.admission = a
	}
	a.gaveUp = false
	return nil
}

func notYours() error {
	return fault.New(fault.CodeNoRequest, "There is no such request.",
		"It was asked before the profile was opened, or by another agent. Ask again.")
}

// Await waits until a request has ended, or limit has passed, and returns it as it is then. An agent that reads the
// answer to its question has heard it, unless its client gives up; an approval waits for the step itself. a is the
// admission of who asks for it; nil for a program over HTTP.
func (e *Enforcer) Await(ctx context.Context, id string, a *Admission, limit time.Duration) (Request, error) {
	e.mu.Lock()
	r, err := e.requests.find(id)
	if err != nil || (a != nil && !a.isAsker(r)) {
		e.mu.Unlock()
		return Request{}, notYours()
	}
	done := r.done
	e.mu.Unlock()

	t := time.NewTimer(limit)
	defer t.Stop()
	select {
	case <-done:
	case <-t.C:
	case <-ctx.Done():
		return Request{}, context.Cause(ctx)
	}

	e.mu.Lock()
	defer e.mu.Unlock()
	if ctx.Err() != nil { // nobody would read the answer
		return Request{}, context.Cause(ctx)
	}
	switch {
	case r.Kind == AskApproval || !r.undelivered:
	case r.admission == nil:
		r.undelivered = false
	case a != nil:
		r.undelivered, r.given = r.admission.gaveUp, true
	}
	return r.Request, nil
}

// CheckKey refuses a key that does not open an open request.
func (e *Enforcer) CheckKey(id, key string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	r, err := e.requests.find(id)
	if err != nil || !r.State.IsOpen() || r.Key == "" ||
		subtle.ConstantTimeCompare([]byte(r.Key), []byte(key)) != 1 {
		return noRequest()
	}
	return nil
}

// Withdraw ends a request that its agent no longer needs. a is the admission of that agent; nil for a program over
// HTTP, which can withdraw what such programs have asked.
func (e *Enforcer) Withdraw(id string, a *Admission) (Request, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	r, err := e.requests.find(id)
	if err != nil {
		return Request{}, err
	}
	own := a != nil && a.isAsker(r) || a == nil && r.admission == nil
	if !own {
		return Request{}, noRequest()
	}
	if !e.move(r, Withdrawn, nil) {
		return r.Request, noRequest()
	}
	return r.Request, nil
}

// SetName sets the name of the profile in the names of requests, such as 3 in 3-4711.
func (e *Enforcer) SetName(profile string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.profile = profile
}

// Name returns the name of a request for people and agents, such as 3-4711.
func (e *Enforcer) Name(id string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.nameOf(id)
}

func (e *Enforcer) nameOf(id string) string {
	if e.profile == "" {
		return id
	}
	return e.profile + "-" + id
}

// CheckHelp says what is wrong with a request for help. A code also needs the element that it is typed into.
func (r *Request) CheckHelp() error {
	switch {
	case !slices.Contains(HelpKinds, r.Kind):
		return fault.Fieldf("kind", "There is no kind of request %q.", r.Kind).WithHint("Use do, code, choose or text.")
	case r.What == "" || len([]rune(r.What)) > 500:
		return fault.Fieldf("message", "The message must have 1 to 500 characters.")
	case r.Kind == AskChoice && (len(r.Options) < 2 || len(r.Options) > 6):
		return fault.Fieldf("options", "Give 2 to 6 options to choose from.")
	case r.Kind != AskChoice && len(r.Options) > 0:
		return fault.Fieldf("options", "Only a request of the kind choose has options.")
	}
	for _, option := range r.Options {
		if option == "" || len([]rune(option)) > 100 {
			return fault.Fieldf("options", "An option must have 1 to 100 characters.")
		}
	}
	return nil
}
