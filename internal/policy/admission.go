package policy

import (
	"context"
	"time"

	"cove/internal/fault"
	"cove/internal/policy/owner"
)

// Admission is one agent's connection to an open profile, as the Enforcer knows it. Its context ends when the agent
// must go or has gone.
type Admission struct {
	enforcer *Enforcer
	agent    Agent
	session  string
	owner    *owner.Owner
	// lastingTabs says that the owner's tabs outlive the admission.
	lastingTabs bool

	// guarded by the enforcer's mu
	granted []grant
	tabs    map[string]bool // in which it has tried a step
	notice  string
	paused  bool
	gaveUp  bool // its client has given up on a call, and nothing else has begun since
	ended   bool
	err     error

	ctx    context.Context
	cancel context.CancelCauseFunc
}

// grant is a right that a person has given for the whole admission. With bound it holds only for requests that are
// bound to the same.
type grant struct {
	class Class
	bound string
}

// Agent returns who was admitted.
func (a *Admission) Agent() Agent {
	a.enforcer.mu.Lock()
	defer a.enforcer.mu.Unlock()
	return a.agent
}

// Session is the admission's own name. Every step between the agent's connection and its leaving has it.
func (a *Admission) Session() string { return a.session }

// sign writes into a request who asks. The caller holds the enforcer's mu.
func (a *Admission) sign(r *Request) {
	r.Agent, r.session, r.caller = a.agent, a.session, a.caller()
}

// isAsker reports whether the agent has asked for this, now or in an admission before. A client that comes back has
// only its name; an agent in a shell comes back as the same caller. The caller holds the enforcer's mu.
func (a *Admission) isAsker(r *request) bool { return r.Agent == a.agent && r.caller == a.caller() }

// caller returns what tells an agent in a shell from another session of the same name; nil for other agents.
func (a *Admission) caller() *owner.Owner {
	if a.agent.Kind != Shell {
		return nil
	}
	return a.owner
}

// Rename sets who was admitted, once that is known.
func (a *Admission) Rename(agent Agent) {
	a.enforcer.mu.Lock()
	defer a.enforcer.mu.Unlock()
	if a.agent != agent {
		a.agent = agent
		a.owner.Rename(agent.Name, agent.PID)
		a.enforcer.publish()
	}
}

// Context ends with the admission. Its cause is Err, where there is one.
func (a *Admission) Context() context.Context { return a.ctx }

// Done is closed when the agent must go or has gone. Then Err returns the reason.
func (a *Admission) Done() <-chan struct{} { return a.ctx.Done() }

// Err returns why the agent must go: nil while it may stay, or if it left on its own.
func (a *Admission) Err() error {
	a.enforcer.mu.Lock()
	defer a.enforcer.mu.Unlock()
	return a.err
}

// end ends the admission for a reason. The caller holds the enforcer's mu.
func (a *Admission) end(reason error) {
	if a.ended {
		return
	}
	a.ended, a.err = true, reason
	switch {
	case !a.lastingTabs:
		a.owner.Leave()
	case reason != nil:
		a.owner.Release()
	}
	a.cancel(reason)
}

// Close ends the admission: the agent has left.
func (a *Admission) Close() {
	e := a.enforcer
	e.mu.Lock()
	defer e.mu.Unlock()

	if _, there := e.admissions[a]; !there {
		return
	}

	delete(e.admissions, a)
	if e.driver == a {
		e.driver = nil
	}
	e.awaitReturn(a)
	e.requests.voidAnswers(func(r *request) bool {
		return r.admission == a && r.Answer != nil && r.Answer.Scope == Session
	})
	a.end(nil)
	e.publish()
}

// TakeNotice returns what the agent is to read with its next answer, and forgets it.
func (a *Admission) TakeNotice() string {
	a.enforcer.mu.Lock()
	defer a.enforcer.mu.Unlock()
	notice := a.notice
	a.notice = ""
	return notice
}

// Begin begins one step. While the person has taken over or another agent drives it waits, up to a limit. acts says
// that the step changes something.
func (a *Admission) Begin(ctx context.Context, acts bool) error {
	e := a.enforcer
	limit := time.Time{}
	for {
		e.mu.Lock()
		e.requests.hear(a)
		patience, err := e.obstacle(a, acts)
		changed := e.changed
		if err == nil {
			if acts {
				e.requests.act(a)
			}
			if acts && e.rules.OneDriver {
				if e.driver != a {
					e.driver = a
					e.publish()
				}
				e.drove = time.Now()
			}
			e.mu.Unlock()
			return nil
		}
		rest := idle - time.Since(e.drove)
		e.mu.Unlock()

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

// obstacle returns what keeps a step from beginning, and how long the step may wait for that to pass. The caller holds
// mu.
func (e *Enforcer) obstacle(a *Admission, acts bool) (patience time.Duration, err error) {
	if err := e.admits(); err != nil {
		return 0, err
	}
	switch {
	case a.ended && a.err != nil:
		return 0, a.err
	case e.takenOver:
		return takeoverLimit, errTakenOver
	case a.paused:
		return takeoverLimit, errPaused
	case acts && e.rules.OneDriver && e.driver != nil && e.driver != a && time.Since(e.drove) < idle:
		return driverLimit, fault.New(
			fault.CodeOtherDriver,
			"Another agent is in control of this profile: "+e.driver.agent.String()+". Nothing was done.",
			"Use read-only tools, or try again when it has finished.",
		)
	}
	return 0, nil
}

// Refused is the answer to a step whose right the policy denies.
func Refused(c Class) *fault.Error {
	hint := "Continue without it, or ask the user to change the agent permissions of this profile."
	if c == Clipboard {
		hint = "Write the text itself, with fill or type_text (programs: Input.insertText), " +
			"or ask the user to change the agent permissions of this profile."
	}
	return fault.New(
		fault.CodePolicy,
		"This profile's policy does not allow agents to "+Says[c]+". Nothing was done.",
		hint,
	).WithBrief("agents can’t " + Says[c])
}
