// Package admission has the policy's admissions of the agents of one client.
package admission

import (
	"context"
	"errors"
	"sync"
	"time"

	"cove/internal/page"
	"cove/internal/policy"
	"cove/internal/policy/owner"
)

// IdleLimit is how long a client without a session counts as an agent after its last call.
const IdleLimit = 5 * time.Minute

// Set has the admissions of one client: a single one, except where clients share a credential.
type Set struct {
	enforcer *policy.Enforcer
	// Owner is the owner of the tabs of all of them.
	Owner *owner.Owner

	mu      sync.Mutex
	byAgent map[policy.Agent]*policy.Admission
	idle    *time.Timer
}

// New returns a set without an admission.
func New(e *policy.Enforcer) *Set {
	return &Set{
		enforcer: e, Owner: e.Tabs().NewOwner(false), byAgent: map[policy.Agent]*policy.Admission{},
	}
}

// IsOthers reports whether a page belongs to another agent.
func (as *Set) IsOthers(t *page.Tab) bool {
	other, _ := as.Owner.Other(t.ID())
	return other != nil
}

// Admit returns the admission of an agent. It asks for a new one when there is none, or the old one has ended.
func (as *Set) Admit(agent policy.Agent) (*policy.Admission, error) {
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

	a, err := as.enforcer.AdmitAs(agent, as.Owner)
	if err != nil {
		return nil, err
	}
	as.byAgent[agent] = a
	context.AfterFunc(a.Context(), a.Close) // an agent that must go no longer counts as one
	return a, nil
}

// GiveUp notes that an agent has given up on a call. Where there is only one, it need not say its name.
func (as *Set) GiveUp(agent policy.Agent) {
	as.mu.Lock()
	defer as.mu.Unlock()
	for other, a := range as.byAgent {
		if other == agent || len(as.byAgent) == 1 {
			a.GiveUp()
		}
	}
}

// CloseAll gives up all admissions.
func (as *Set) CloseAll() {
	as.mu.Lock()
	defer as.mu.Unlock()
	for agent, a := range as.byAgent {
		a.Close()
		delete(as.byAgent, agent)
	}
}

// CloseWhenIdle gives the admissions up when the client has made no call for IdleLimit.
func (as *Set) CloseWhenIdle() {
	as.mu.Lock()
	defer as.mu.Unlock()
	if as.idle == nil {
		as.idle = time.AfterFunc(IdleLimit, as.CloseAll)
		return
	}
	as.idle.Reset(IdleLimit)
}

// While returns a context that ends with ctx, or when the agent must go.
func While(ctx context.Context, a *policy.Admission) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(a.Context(), func() { cancel(a.Err()) })
	return ctx, func() { stop(); cancel(nil) }
}
