// Package activity is what the live view shows of the agents of one profile: who is connected, and their last calls.
package activity

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"cove/internal/step"
)

// Agent is a connected client, as a person sees it.
type Agent struct {
	Name string `json:"name"`
	// Session is the session of its last call; "" before the first one.
	Session string    `json:"session,omitempty"`
	Since   time.Time `json:"since"`
}

// Action is one call of a tool, as a person sees it. It never has what was typed in it. Words of a page are in the name
// of the element and in reasons only: without secrets, short and on one line.
type Action struct {
	N       int    `json:"n"`
	Agent   string `json:"agent"`
	Session string `json:"session,omitempty"`
	Tool    string `json:"tool"`
	// About is what the call is about in the agent's words: an address, a uid, a key.
	About string `json:"about,omitempty"`
	step.Words
	Element *step.Element `json:"element,omitempty"`
	Tab     string        `json:"tab,omitempty"`
	// Touch is what the call touched last. It is never changed, only replaced.
	Touch *Touch `json:"touch,omitempty"`
	// Outcome is ok, error or refused; "" while the call goes on. Error is the reason.
	Outcome string    `json:"outcome,omitempty"`
	Error   string    `json:"error,omitempty"`
	At      time.Time `json:"at"`
	Millis  int64     `json:"ms"`
	Going   bool      `json:"going,omitempty"`
}

// Touch is what a call touches in a tab, in fractions of the tab's picture. It is only known while somebody watches.
type Touch struct {
	// N counts the touches of one call: a form has many fields.
	N   int    `json:"n"`
	Tab string `json:"tab"`
	Box Box    `json:"box"`
	// Pointer is where the agent's pointer is. A call that types or sets a value needs none.
	Pointer *Point `json:"pointer,omitempty"`
}

// Box is a rectangle in a picture.
type Box struct {
	Point
	W float64 `json:"w"`
	H float64 `json:"h"`
}

// Point is a place in a picture.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
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
	agent.Session = cmp.Or(action.Session, agent.Session)
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

// Update changes an action that goes on or has just ended. change must not call the Log.
func (a *Log) Update(n int, change func(*Action)) {
	a.mu.Lock()
	defer a.mu.Unlock()

	for i := range a.actions {
		if a.actions[i].N == n {
			change(&a.actions[i])
		}
	}
	a.changedLocked()
}

// End records that an action has ended, and how.
func (a *Log) End(n int, how func(*Action)) {
	a.Update(n, func(action *Action) {
		action.Going, action.Millis = false, time.Since(action.At).Milliseconds()
		how(action)
	})
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
