package mcpserver

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cove/internal/fault"
)

// Agent is a connected client, as a person sees it.
type Agent struct {
	Name  string    `json:"name"`
	Since time.Time `json:"since"`
}

// Action is one call of a tool, as a person sees it: never what was typed, and no text of a page.
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

// maxActions is how many are remembered.
const maxActions = 100

// gone is how long an agent over HTTP is shown after its last call: it does not say goodbye.
const gone = 2 * time.Minute

// watch is what a person may see of the agents.
type watch struct {
	mu      sync.Mutex
	agents  map[*client]seenAgent
	actions []Action
	n       int
	changed chan struct{}
}

type seenAgent struct {
	Agent
	stays bool // until it leaves
	last  time.Time
}

func newWatch() *watch { return &watch{agents: map[*client]seenAgent{}, changed: make(chan struct{})} }

func (w *watch) tell() {
	close(w.changed)
	w.changed = make(chan struct{})
}

func (w *watch) enter(c *client) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.agents[c] = seenAgent{Agent: Agent{Name: "agent", Since: time.Now().UTC()}, stays: true, last: time.Now()}
	w.tell()
}

func (w *watch) leave(c *client) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.agents, c)
	w.tell()
}

// begin notes that an agent calls a tool.
func (w *watch) begin(c *client, name string, a Action) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	seen := w.agents[c]
	if seen.Since.IsZero() {
		seen.Since = time.Now().UTC()
	}
	seen.Name, seen.last = cmp.Or(name, seen.Name, "agent"), time.Now()
	w.agents[c] = seen
	w.n++
	a.N, a.Agent, a.At, a.Going = w.n, seen.Name, time.Now().UTC(), true
	w.actions = append(w.actions, a)
	if len(w.actions) > maxActions {
		w.actions = slices.Delete(w.actions, 0, len(w.actions)-maxActions)
	}
	w.tell()
	return a.N
}

// end notes how a call went.
func (w *watch) end(n int, tab string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range w.actions {
		if a := &w.actions[i]; a.N == n {
			a.Going, a.Millis, a.Tab = false, time.Since(a.At).Milliseconds(), tab
			if err != nil {
				a.Error = fault.From(err).Text
				if fault.From(err).Quotes {
					a.Error = "It did not work on this page."
				}
			}
		}
	}
	w.tell()
}

// Agents are the clients that are connected now.
func (s *Server) Agents() []Agent {
	w := s.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	out := []Agent{}
	for c, a := range w.agents {
		if !a.stays && time.Since(a.last) > gone {
			delete(w.agents, c)
			continue
		}
		if name := c.name(); name != "" {
			a.Name = name
		}
		out = append(out, a.Agent)
	}
	slices.SortFunc(out, func(a, b Agent) int { return a.Since.Compare(b.Since) })
	return out
}

// Actions are the calls after number n, the oldest first, those under way again.
func (s *Server) Actions(n int) []Action {
	w := s.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []Action
	for _, a := range w.actions {
		if a.N > n {
			out = append(out, a)
		}
	}
	return out
}

// Changed is closed at the next change of agents or actions.
func (s *Server) Changed() <-chan struct{} {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	return s.watch.changed
}

// nameOf is what the client of a session calls itself.
func nameOf(session *mcp.ServerSession) string {
	if session == nil {
		return ""
	}
	p := session.InitializeParams()
	if p == nil || p.ClientInfo == nil {
		return ""
	}
	return clip(strings.TrimSpace(cmp.Or(p.ClientInfo.Title, p.ClientInfo.Name)), 60)
}

// about says in a few words what a call is about: addresses, elements and keys, never what is typed.
func about(raw json.RawMessage) string {
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
		return urlText(in.URL)
	case len(in.Elements) > 0:
		return plural(len(in.Elements), "field")
	case in.UID != "":
		return "element " + clip(in.UID, 40)
	case in.Key != "" && len(in.Key) > 1: // a single character may be part of what is typed
		return clip(in.Key, 40)
	case in.Query != "":
		return clip(in.Query, 60)
	}
	return clip(in.Type, 40)
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}
