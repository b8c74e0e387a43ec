// Package mock answers requests of a tab in the network's stead, or blocks them, by the rules of agents.
package mock

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"sync"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/page/target"
)

type object = map[string]any

// Rule says what becomes of requests that match it.
type Rule struct {
	// URL is a pattern of addresses: * stands for any characters, ? for one. Method is "" for all methods.
	URL, Method string
	// Block fails the request. Otherwise Status, Headers and Body are its answer.
	Block   bool
	Status  int
	Headers map[string]string
	Body    string
}

// Most is how many rules a tab can have.
const Most = 50

// Mocks are the rules of one tab, by the agents that have set them. The browser stops only requests that match one, and
// only while there is one. All methods may be called from any goroutine; none waits.
type Mocks struct {
	target *target.Target
	closed func(address string) error

	mu       sync.Mutex
	sessions []string
	sets     []set
}

// set is the rules of one agent.
type set struct {
	agent  string
	rules  []Rule
	paused func() bool
}

// New returns the rules of a tab, none so far. closed says why an address may not be reached, nil when it may: what the
// rules for sites refuse is not answered here either.
func New(t *target.Target, closed func(address string) error) *Mocks {
	return &Mocks{target: t, closed: closed}
}

// Set replaces the rules of an agent. While paused is true, the tab's requests pass as if there were no rules. first
// says that the agent had none before.
func (m *Mocks) Set(agent string, rules []Rule, paused func() bool) (first bool, err error) {
	m.mu.Lock()
	others := 0
	at := -1
	for i, s := range m.sets {
		if s.agent == agent {
			at = i
		} else {
			others += len(s.rules)
		}
	}
	if others+len(rules) > Most {
		m.mu.Unlock()
		return false, fault.Invalidf("A page has at most %d rules for requests.", Most).
			WithHint("Set fewer. An empty list removes yours.")
	}
	now := set{agent, slices.Clone(rules), paused}
	if at < 0 {
		m.sets = append(m.sets, now)
	} else {
		m.sets[at] = now
	}
	m.mu.Unlock()
	m.apply()
	return at < 0, nil
}

// Clear removes the rules of an agent.
func (m *Mocks) Clear(agent string) {
	m.remove(func(s set) bool { return s.agent == agent })
}

// ClearOthers removes the rules of all agents but one: the tab is that agent's now.
func (m *Mocks) ClearOthers(agent string) {
	m.remove(func(s set) bool { return s.agent != agent })
}

func (m *Mocks) remove(which func(set) bool) {
	m.mu.Lock()
	before := len(m.sets)
	m.sets = slices.DeleteFunc(m.sets, which)
	cleared := len(m.sets) < before
	m.mu.Unlock()
	if cleared {
		m.apply()
	}
}

// Attach adds a session of the tab: its requests are subject to the rules.
func (m *Mocks) Attach(session string) {
	m.mu.Lock()
	m.sessions = append(m.sessions, session)
	patterns := m.patterns()
	m.mu.Unlock()
	if len(patterns) > 0 {
		m.target.Post(session, "Fetch.enable", object{"patterns": patterns})
	}
}

// Detach removes a session of the tab that is gone.
func (m *Mocks) Detach(session string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sessions = slices.DeleteFunc(m.sessions, func(s string) bool { return s == session })
}

// patterns returns which requests the browser stops for us. The caller has locked mu.
func (m *Mocks) patterns() (all []object) {
	for _, s := range m.sets {
		for _, r := range s.rules {
			all = append(all, object{"urlPattern": r.URL, "requestStage": "Request"})
		}
	}
	return all
}

// apply tells the browser which requests to stop. The commands of a session keep their order.
func (m *Mocks) apply() {
	m.mu.Lock()
	defer m.mu.Unlock()
	patterns := m.patterns()
	for _, session := range m.sessions {
		if len(patterns) == 0 {
			m.target.Post(session, "Fetch.disable", nil)
		} else {
			m.target.Post(session, "Fetch.enable", object{"patterns": patterns})
		}
	}
}

// request is a request that the browser has stopped for us.
type request struct {
	ID      string `json:"requestId"`
	Request struct {
		URL     string            `json:"url"`
		Method  string            `json:"method"`
		Headers map[string]string `json:"headers"`
	} `json:"request"`
}

// header returns a header of the request.
func (r request) header(name string) string {
	for key, value := range r.Request.Headers {
		if strings.EqualFold(key, name) {
			return value
		}
	}
	return ""
}

// Event answers a request that the browser has stopped.
func (m *Mocks) Event(e cdp.Event) {
	r, ok := target.Decode[request](e)
	if !ok || r.ID == "" {
		return
	}
	method, params := m.answer(r)
	params["requestId"] = r.ID
	m.target.Post(e.Session, method, params)
}

// answer returns the command that answers a request: by the first rule that matches, else the network does.
func (m *Mocks) answer(r request) (method string, params object) {
	wanted := r.header("Access-Control-Request-Method")
	preflight := r.Request.Method == http.MethodOptions && wanted != ""
	if preflight {
		r.Request.Method = wanted
	}
	rule, ok := m.find(r)
	switch {
	case !ok || m.closed(r.Request.URL) != nil:
		return "Fetch.continueRequest", object{}
	case rule.Block:
		return "Fetch.failRequest", object{"errorReason": "BlockedByClient"}
	case preflight:
		return "Fetch.fulfillRequest", object{"responseCode": http.StatusNoContent, "responseHeaders": headers(
			allowOrigin(r, map[string]string{
				"Access-Control-Allow-Methods": wanted,
				"Access-Control-Allow-Headers": r.header("Access-Control-Request-Headers"),
			}))}
	}
	return "Fetch.fulfillRequest", object{
		"responseCode":    rule.Status,
		"responseHeaders": headers(allowOrigin(r, rule.Headers)),
		"body":            base64.StdEncoding.EncodeToString([]byte(rule.Body)),
	}
}

// find returns the first rule that matches a request.
func (m *Mocks) find(r request) (Rule, bool) {
	m.mu.Lock()
	sets := slices.Clone(m.sets)
	m.mu.Unlock()
	address, _, _ := strings.Cut(r.Request.URL, "#")
	for _, s := range sets {
		if s.paused != nil && s.paused() {
			continue
		}
		for _, rule := range s.rules {
			if (rule.Method == "" || strings.EqualFold(rule.Method, r.Request.Method)) && Match(rule.URL, address) {
				return rule, true
			}
		}
	}
	return Rule{}, false
}

// allowOrigin returns headers that let the page of another origin read the answer, unless the rule says who may.
func allowOrigin(r request, given map[string]string) map[string]string {
	all := make(map[string]string, len(given)+3)
	says := false
	for name, value := range given {
		all[name] = value
		says = says || strings.EqualFold(name, "Access-Control-Allow-Origin")
	}
	if origin := r.header("Origin"); origin != "" && !says {
		all["Access-Control-Allow-Origin"], all["Access-Control-Allow-Credentials"] = origin, "true"
	}
	return all
}

func headers(all map[string]string) []object {
	list := []object{}
	for name, value := range all {
		list = append(list, object{"name": name, "value": value})
	}
	return list
}

// Match reports whether an address matches a pattern, as the browser decides it: * stands for any characters, ? for
// one, a backslash takes the next for itself.
func Match(pattern, address string) bool {
	p, a := []rune(pattern), []rune(address)
	star, mark := -1, 0 // where the last * was, and what it stands for so far
	i, j := 0, 0
	for j < len(a) {
		at, literal := i, false
		if at+1 < len(p) && p[at] == '\\' {
			at, literal = at+1, true
		}
		switch {
		case i < len(p) && !literal && p[i] == '*':
			star, mark = i, j
			i++
		case i < len(p) && (p[at] == a[j] || !literal && p[at] == '?'):
			i, j = at+1, j+1
		case star >= 0:
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}
