package mcpserver

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"sync"
	"time"

	"cove/internal/fault"
	"cove/internal/wording"
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

// named is a client that the activity lists.
type named interface {
	// displayName is what the client calls itself; "" before it has.
	displayName() string
}

// activity is what the live view shows of the agents: who is connected, and their last calls.
type activity struct {
	mu      sync.Mutex
	agents  map[named]listedAgent
	actions []Action
	n       int
	changed chan struct{} // closed at the next change
}

type listedAgent struct {
	Agent
	connected bool // until it disconnects
	last      time.Time
}

func newActivity() *activity {
	return &activity{agents: map[named]listedAgent{}, changed: make(chan struct{})}
}

func (a *activity) changedLocked() {
	close(a.changed)
	a.changed = make(chan struct{})
}

func (a *activity) connect(c named) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := time.Now()
	a.agents[c] = listedAgent{Agent: Agent{Name: "agent", Since: now.UTC()}, connected: true, last: now}
	a.changedLocked()
}

func (a *activity) disconnect(c named) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.agents, c)
	a.changedLocked()
}

// callBegan records that an agent calls a tool. It returns the number of the action.
func (a *activity) callBegan(c named, name string, action Action) int {
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

// callEnded records the outcome of an action.
func (a *activity) callEnded(n int, tab string, err error) {
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

// listAgents returns the agents that are connected now, the first first.
func (a *activity) listAgents() []Agent {
	a.mu.Lock()
	defer a.mu.Unlock()

	out := []Agent{}
	for c, agent := range a.agents {
		if !agent.connected && time.Since(agent.last) > goneAfter {
			delete(a.agents, c)
			continue
		}
		if name := c.displayName(); name != "" {
			agent.Name = name
		}
		out = append(out, agent.Agent)
	}

	slices.SortFunc(out, func(a, b Agent) int { return a.Since.Compare(b.Since) })
	return out
}

// actionsAfter returns the actions after number n, the oldest first.
func (a *activity) actionsAfter(n int) []Action {
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

// onChange returns a channel that is closed at the next change.
func (a *activity) onChange() <-chan struct{} {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.changed
}

// summarize says in a few words what a call is about: addresses, elements and keys, never what is typed.
func summarize(raw json.RawMessage) string {
	var in struct {
		URL      string            `json:"url"`
		Type     string            `json:"type"`
		UID      string            `json:"uid"`
		Key      string            `json:"key"`
		Query    string            `json:"query"`
		Elements []json.RawMessage `json:"elements"`
	}
	_ = json.Unmarshal(raw, &in)

	switch {
	case in.URL != "":
		return URLText(in.URL)
	case len(in.Elements) == 1:
		return "1 field"
	case len(in.Elements) > 1:
		return strconv.Itoa(len(in.Elements)) + " fields"
	case in.UID != "":
		return "element " + wording.Shorten(in.UID, 40)
	case in.Key != "" && len(in.Key) > 1: // a single character may be part of what is typed
		return wording.Shorten(in.Key, 40)
	case in.Query != "":
		return wording.Shorten(in.Query, 60)
	}
	return wording.Shorten(in.Type, 40)
}
