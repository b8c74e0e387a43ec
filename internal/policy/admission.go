package policy

import (
	"context"
	"slices"
	"strconv"
	"time"

	"cove/internal/fault"
)

// Seat is one agent's place at the desk.
type Admission struct {
	enforcer *Enforcer
	agent    Agent

	// guarded by the desk's mu
	granted []Class
	notice  string
	ended   bool
	err     error
	done    chan struct{}
}

// Agent is who sits there.
func (a *Admission) Agent() Agent {
	a.enforcer.mu.Lock()
	defer a.enforcer.mu.Unlock()
	return a.agent
}

// Rename says who it is, once that is known.
func (a *Admission) Rename(agent Agent) {
	a.enforcer.mu.Lock()
	defer a.enforcer.mu.Unlock()
	if a.agent != agent {
		a.agent = agent
		a.enforcer.changedLocked()
	}
}

// Ended is closed when the agent must go.
func (a *Admission) Done() <-chan struct{} { return a.done }

// Why says why the agent must go; nil while it may stay or when it went by itself.
func (a *Admission) Err() error {
	a.enforcer.mu.Lock()
	defer a.enforcer.mu.Unlock()
	return a.err
}

// end closes ended; the caller holds the desk's mu.
func (a *Admission) end(why error) {
	if !a.ended {
		a.ended, a.err = true, why
		close(a.done)
	}
}

// Leave gives the seat up.
func (a *Admission) Leave() {
	d := a.enforcer
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, there := d.admissions[a]; !there {
		return
	}
	delete(d.admissions, a)
	if d.driver == a {
		d.driver = nil
	}
	d.requests = slices.DeleteFunc(d.requests, func(r *request) bool { return r.admission == a })
	a.end(nil)
	d.changedLocked()
}

// Note is what the agent should be told with its next answer; once.
func (a *Admission) TakeNotice() string {
	a.enforcer.mu.Lock()
	defer a.enforcer.mu.Unlock()
	note := a.notice
	a.notice = ""
	return note
}

// Enter begins one step. It waits while the person has taken over or another agent drives, but not for long. acts says that the step
// changes something.
func (a *Admission) Begin(ctx context.Context, acts bool) error {
	d := a.enforcer
	limit := time.Time{}
	for {
		d.mu.Lock()
		patience, err := d.obstacle(a, acts)
		changed := d.changed
		if err == nil {
			if acts && d.rules.OneDriver {
				if d.driver != a {
					d.driver = a
					d.changedLocked()
				}
				d.drove = time.Now()
			}
			d.mu.Unlock()
			return nil
		}
		rest := idle - time.Since(d.drove)
		d.mu.Unlock()
		if patience == 0 {
			return err
		}
		if limit.IsZero() {
			limit = time.Now().Add(patience)
		}
		left := time.Until(limit)
		if left <= 0 {
			return err
		}
		if patience == driverLimit && rest > 0 {
			left = min(left, rest)
		}
		t := time.NewTimer(left)
		select {
		case <-changed:
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return context.Cause(ctx)
		}
		t.Stop()
	}
}

// hinders says what keeps a step from beginning, and how long it may wait for that to pass; the caller holds mu.
func (e *Enforcer) obstacle(s *Admission, acts bool) (patience time.Duration, err error) {
	if err := e.admits(); err != nil {
		return 0, err
	}
	switch {
	case s.ended && s.err != nil:
		return 0, s.err
	case e.takenOver:
		return takeoverLimit, errTakenOver
	case acts && e.rules.OneDriver && e.driver != nil && e.driver != s && time.Since(e.drove) < idle:
		return driverLimit, fault.New(fault.Busy, "E_OTHER_DRIVER", "Another agent drives this profile: "+e.driver.agent.String()+". Nothing was done.",
			"Look only, or try again when it has finished.")
	}
	return 0, nil
}

// Allowed asks for a right. Where the policy says "ask" it waits for a person. The error is for the model.
func (a *Admission) Authorize(ctx context.Context, r Request) error {
	d := a.enforcer
	d.mu.Lock()
	right := d.rules.Right(r.Class)
	if right == Yes || (right == Ask && slices.Contains(a.granted, r.Class)) {
		d.mu.Unlock()
		return nil
	}
	if right != Ask {
		d.mu.Unlock()
		return Refused(r.Class)
	}
	before := d.rules.Policy
	d.nextID++
	r.ID, r.Agent, r.Asked = strconv.Itoa(d.nextID), a.agent, time.Now().UTC()
	waiting := &request{Request: r, admission: a, answer: make(chan bool, 1)}
	d.requests = append(d.requests, waiting)
	d.changedLocked()
	d.mu.Unlock()
	defer d.withdraw(waiting)
	if r.Elsewhere != nil {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		go func() {
			if yes, ok := r.Elsewhere(ctx); ok {
				_ = d.decide(waiting.ID, yes, false, r.Agent.Name) // somebody else may have been faster
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
		return declined(r)
	case <-t.C:
		return fault.New(fault.Denied, "E_NOT_APPROVED", "Nobody has answered in time, so nothing was done: "+r.What+".", "Tell the person that it waits for a yes in Cove's window or with `cove approvals`, then try again.")
	case <-a.done:
		if why := a.Err(); why != nil {
			return why
		}
		return errSuspended // it was thrown out, and they may come in again
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// goOn is for a step that has waited for a person's yes: meanwhile they may have taken over, or taken away another right that it needs.
func (a *Admission) resume(ctx context.Context, c Class, before Policy) error {
	if err := a.Begin(ctx, c != Storage); err != nil {
		return err
	}
	if a.enforcer.Rules().tighter(before) {
		return errTightened
	}
	return nil
}

// Said takes what the person has answered in the agent's own client, which they have allowed to ask them.
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

func declined(r Request) error {
	return fault.New(fault.Denied, "E_REFUSED", "The person has refused: "+r.What+". Nothing was done.", "Do not try it another way; go on without it or ask the person what to do.")
}

// Needs reports whether a step of the class must wait for a person: then it is worth a picture.
func (a *Admission) NeedsApproval(c Class) bool {
	a.enforcer.mu.Lock()
	defer a.enforcer.mu.Unlock()
	return a.enforcer.rules.Right(c) == Ask && !slices.Contains(a.granted, c)
}

func (e *Enforcer) withdraw(r *request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if i := slices.Index(e.requests, r); i >= 0 {
		e.requests = slices.Delete(e.requests, i, i+1)
		e.changedLocked()
	}
}

// Refused is the answer to a step whose right the policy does not give.
func Refused(c Class) *fault.Error {
	hint := "Go on without it, or ask the person to change what agents may do here."
	if c == Clipboard {
		hint = "Write the text itself, with fill or type_text (programs: Input.insertText), or ask the person to change what agents may do here."
	}
	return fault.New(fault.Denied, "E_POLICY", "Agents may not "+Says[c]+" in this profile: its policy says no. Nothing was done.", hint)
}
