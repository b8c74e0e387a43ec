package policy

import (
	"slices"

	"cove/internal/fault"
)

// Admitted is an agent that is connected now.
type Admitted struct {
	Agent
	// Session is the name of its admission, which its steps have in the journal.
	Session string `json:"session,omitempty"`
	// Paused means that the person has made this agent wait.
	Paused bool `json:"paused,omitempty"`
}

// Errors of a single agent. Models read their texts.
var (
	errPaused = fault.New(
		fault.CodeAgentPaused,
		"The user has paused this agent, so nothing was done.",
		"Wait until the user lets you continue, then take a new snapshot.",
	)
	errDisconnected = fault.New(
		fault.CodeAgentDisconnected,
		"The user has disconnected this agent from the profile.",
		"Stop here and tell the user. Connect again only if the user asks for it.",
	)
)

// DisconnectedError is the answer to an agent that the person has disconnected.
func DisconnectedError() *fault.Error { return errDisconnected }

// Pause makes one agent wait, or with on false lets it continue. The others go on.
func (e *Enforcer) Pause(session string, on bool) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	a, err := e.admitted(session)
	if err != nil || a.paused == on {
		return err
	}
	e.emit(Event{Name: map[bool]string{true: "paused", false: "resumed"}[on], Session: session,
		Args: map[string]string{"agent": a.agent.String()}})
	a.paused = on
	if on && e.driver == a {
		e.driver = nil
	}
	e.publish()
	return nil
}

// Disconnect ends one agent's admission. Its requests and what was allowed to it end with it. The agent can connect
// again.
func (e *Enforcer) Disconnect(session string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	a, err := e.admitted(session)
	if err != nil {
		return err
	}
	e.emit(Event{Name: "disconnected", Session: session, Args: map[string]string{"agent": a.agent.String()}})
	for _, r := range slices.Clone(e.requests.open) {
		if r.admission == a {
			e.move(r, Cut, nil)
		}
	}
	e.requests.voidAnswers(a.isAsker)
	a.end(errDisconnected)
	delete(e.admissions, a)
	if e.driver == a {
		e.driver = nil
	}
	e.publish()
	return nil
}

// admitted returns the admission of a session. The caller holds mu.
func (e *Enforcer) admitted(session string) (*Admission, error) {
	for a := range e.admissions {
		if a.session == session {
			return a, nil
		}
	}
	return nil, fault.New(fault.CodeNoAgent, "This agent is not connected any more.",
		"Refresh the list of agents.")
}

// anyPaused reports whether an agent is paused. The caller holds mu.
func (e *Enforcer) anyPaused() bool {
	for a := range e.admissions {
		if a.paused {
			return true
		}
	}
	return false
}
