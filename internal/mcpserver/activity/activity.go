// Package activity is what the live view shows of the agents of one profile: who is connected, and their last calls.
package activity

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"cove/internal/fault"
)

// Agent is a connected client, as a person sees it.
type Agent struct {
	Name  string    `json:"name"`
	Since time.Time `json:"since"`
}

// Action is one call of a tool, as a person sees it. It never has what was typed in it, and no text of a page.
type Action struct {
	N      int       `json:"n"`
	Agent  string    `json:"agent"`
	Tool   string    `json:"tool"`
	About  string    `json:"about,omitempty"`
	Tab    string    `json:"tab,omitempty"`
	Error  string    `json:"error,omitempty"`
	At     time.Time `json:"at"`
	Millis int64     `json:"ms"`
	Going  bool      `json:"going,omitempty"`
}

const (
	// maxActions is how many actions are retained.
	maxActions = 100
	// goneAfter is how long an agent over HTTP is listed after its last call: it does not say when it goes.
	goneAfter = 2 * time.Minute
)

// Client is a client that the activity lists.
type Client interface {
	// DisplayName is what the client calls itself; "" before it has.
	DisplayName() string
}

// Log is what the live view shows of the agents: who is connected, and their last calls.
type Log struct {
	mu      sync.Mutex
	agents  map[Client]listedAgent
	actions []Action
	n       int
	changed chan struct{} // closed at the next change
}

type listedAgent struct {
	Agent
	connected bool // until it disconnects
	last      time.Time
}

// New returns an empty Log.
func New() *Log {
	return &Log{agents: map[Client]listedAgent{}, changed: make(chan struct{})}
}

func (a *Log) changedLocked() {
	close(a.changed)
	a.changed = make(chan struct{})
}

// Connect lists a client until it disconnects.
func (a *Log) Connect(c Client) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := time.Now()
	a.agents[c] = listedAgent{Agent: Agent{Name: "agent", Since: now.UTC()}, connected: true, last: now}
	a.changedLocked()
}

// Disconnect removes a client from the list.
func (a *Log) Disconnect(c Client) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.agents, c)
	a.changedLocked()
}

// Begin records that an agent calls a tool. It returns the number of the action.
func (a *Log) Begin(c Client, name string, action Action) int {
	a.mu.Lock()
	defer a.mu.Unlock()

	agent := a.agents[c]
	if agent.Since.IsZero() {
		agent.Since = time.Now().UTC()
	}
	agent.Name, agent.last = cmp.Or(name, agent.Name, "agent"), time.Now()
	a.agents[c] = agent

	a.n++
	action.N, action.Agent, action.At, action.Going = a.n, agent.Name, time.Now().UTC(), true
	a.actions = append(a.actions, action)
	if len(a.actions) > maxActions {
		a.actions = slices.Delete(a.actions, 0, len(a.actions)-maxActions)
	}

	a.changedLocked()
	return action.N
}

// End records the outcome of an action.
func (a *Log) End(n int, tab string, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()

	for i := range a.actions {
		action := &a.actions[i]
		if action.N != n {
			continue
		}
		action.Going, action.Millis, action.Tab = false, time.Since(action.At).Milliseconds(), tab
		if err != nil {
			action.Error = fault.From(err).Text
			if fault.From(err).Quotes {
				action.Error = "It did not work on this page."
			}
		}
	}
	a.changedLocked()
}

// Agents returns the agents that are connected now, the first first.
func (a *Log) Agents() []Agent {
	a.mu.Lock()
	defer a.mu.Unlock()

	out := []Agent{}
	for c, agent := range a.agents {
		if !agent.connected && time.Since(agent.last) > goneAfter {
			delete(a.agents, c)
			continue
		}
		if name := c.DisplayName(); name != "" {
			agent.Name = name
		}
		out = append(out, agent.Agent)
	}

	slices.SortFunc(out, func(a, b Agent) int { return a.Since.Compare(b.Since) })
	return out
}

// Actions returns the actions after number n, the oldest first.
func (a *Log) Actions(n int) []Action {
	a.mu.Lock()
	defer a.mu.Unlock()

	var out []Action
	for _, action := range a.actions {
		if action.N > n {
			out = append(out, action)
		}
	}
	return out
}

// Changed returns a channel that is closed at the next change.
func (a *Log) Changed() <-chan struct{} {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.changed
}
