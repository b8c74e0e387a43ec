package mcpserver

import (
	"context"
	"errors"
	"sync"
	"time"

	"cove/internal/page"
	"cove/internal/policy"
	"cove/internal/policy/owner"
)

// idleLimit is how long a client without a session counts as an agent after its last call.
const idleLimit = 5 * time.Minute

// admissions are the admissions of one client: a single one, except where clients share a credential.
type admissions struct {
	enforcer *policy.Enforcer
	owner    *owner.Owner // of the tabs of all of them

	mu      sync.Mutex
	byAgent map[policy.Agent]*policy.Admission
	idle    *time.Timer
}

func newAdmissions(e *policy.Enforcer) *admissions {
	return &admissions{
		enforcer: e, owner: e.Tabs().NewOwner(false), byAgent: map[policy.Agent]*policy.Admission{},
	}
}

// isOthers reports whether a page belongs to another agent.
func (as *admissions) isOthers(t *page.Tab) bool {
	other, _ := as.owner.Other(t.ID())
	return other != nil
}

// admit returns the admission of an agent. It asks for a new one when there is none, or the old one has ended.
func (as *admissions) admit(agent policy.Agent) (*policy.Admission, error) {
	as.mu.Lock()
	defer as.mu.Unlock()

	if a := as.byAgent[agent]; a != nil {
		select {
		case <-a.Done():
		default:
			return a, nil
		}
		if err := a.Err(); errors.Is(err, policy.DisconnectedError()) {
			return nil, err // it may connect again, and that is a new session
		}
		delete(as.byAgent, agent)
	}

	a, err := as.enforcer.AdmitAs(agent, as.owner)
	if err != nil {
		return nil, err
	}
	as.byAgent[agent] = a
	context.AfterFunc(a.Context(), a.Close) // an agent that must go no longer counts as one
	return a, nil
}

// giveUp notes that an agent has given up on a call. Where there is only one, it need not say its name.
func (as *admissions) giveUp(agent policy.Agent) {
	as.mu.Lock()
	defer as.mu.Unlock()
	for other, a := range as.byAgent {
		if other == agent || len(as.byAgent) == 1 {
			a.GiveUp()
		}
	}
}

// closeAll gives up all admissions.
func (as *admissions) closeAll() {
	as.mu.Lock()
	defer as.mu.Unlock()
	for agent, a := range as.byAgent {
		a.Close()
		delete(as.byAgent, agent)
	}
}

// closeWhenIdle gives the admissions up when the client has made no call for idleLimit.
func (as *admissions) closeWhenIdle() {
	as.mu.Lock()
	defer as.mu.Unlock()
	if as.idle == nil {
		as.idle = time.AfterFunc(idleLimit, as.closeAll)
		return
	}
	as.idle.Reset(idleLimit)
}

// whileAdmitted returns a context that ends with ctx, or when the agent must go.
func whileAdmitted(ctx context.Context, a *policy.Admission) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(a.Context(), func() { cancel(a.Err()) })
	return ctx, func() { stop(); cancel(nil) }
}
