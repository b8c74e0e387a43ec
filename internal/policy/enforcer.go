package policy

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"cove/internal/event"
	"cove/internal/fault"
	"cove/internal/policy/owner"
	"cove/internal/policy/site"
	"cove/internal/random"
)

// Agent is an MCP client, an agent in a shell, or a program on the gate's port.
type Agent struct {
	Kind    Kind   `json:"kind"`
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	PID     int    `json:"pid,omitempty"`
}

// Kind is how an agent is connected.
type Kind string

// The ways in which agents are connected.
const (
	Tools   Kind = "mcp"   // through the tools
	Shell   Kind = "shell" // by commands in a shell, which use the tools
	Program Kind = "cdp"   // speaks the browser's protocol itself
)

// String returns the name, the version and the process of the agent.
func (a Agent) String() string {
	s := a.Name
	if a.Version != "" {
		s += " " + a.Version
	}
	if a.PID != 0 {
		s += fmt.Sprintf(" (process %d)", a.PID)
	}
	return s
}

// State is a copy of what an Enforcer knows: who is connected, what waits, who acts.
type State struct {
	Agents   []Admitted `json:"agents"`
	Requests []Request  `json:"requests"`
	// History holds the requests that have ended, the newest last.
	History []Request `json:"history,omitempty"`
	// TakenOver means that the person works in the profile and agents wait. Suspended means that agents are kept out.
	// Driver is the agent that acts, where the policy lets one act at a time.
	TakenOver bool   `json:"taken_over"`
	Suspended bool   `json:"suspended"`
	Driver    *Agent `json:"driver,omitempty"`
	// Controlled are the tabs that the person works in.
	Controlled []Control `json:"controlled,omitempty"`
}

// An agent's call waits this long: for the person who has taken over, for the agent that drives, for an approval.
// Clients give up after a minute.
var (
	takeoverLimit = 20 * time.Second
	driverLimit   = 10 * time.Second
	askLimit      = 50 * time.Second
	// idle is how long a driver may rest before another agent may drive.
	idle = 30 * time.Second
)

// Enforcer enforces a policy on the agents of one open profile. It lives in the profile's keeper from launch to exit.
//
// An agent is admitted with Admit; each of its steps calls Begin, and Authorize where the step needs a right. A change
// of the policy (Set, Grant), a takeover and a suspension hold for connected agents too, before the call that made it
// returns.
//
// All methods may be called from any goroutine. Rules and Free are read at every command of every program, so they take
// no lock. The hooks of OnEvent run under the lock and must not call the Enforcer; those of OnRulesChange run without
// it.
type Enforcer struct {
	mu            sync.Mutex
	rules         *Rules
	admissions    map[*Admission]struct{}
	requests      requests
	nextID        int
	profile       string
	askLife       time.Duration
	takenOver     bool
	controls      map[string]*control // by tab
	onControl     map[string]map[*func()]struct{}
	tabs          *owner.Table
	suspended     bool
	driver        *Admission
	drove         time.Time     // the time of the driver's last step
	changed       chan struct{} // closed and replaced at every change
	feed          event.Feed[State]
	onRulesChange []func()
	onEvent       func(Event)

	// Copies of what every command of every program reads, without the lock.
	current atomic.Pointer[Rules]
	free    atomic.Bool
	taken   atomic.Pointer[map[string]bool] // the tabs that the person works in
}

// Event is a decision of the person, or of a client on their behalf: an approval, a takeover, a new policy.
type Event struct {
	Name string
	// Page is the address of the page that the decision was about.
	Page string
	// Session is the session of the agent that it was about; "" when it was about none or all.
	Session string
	Args    any
}

// OnEvent calls f with every event from now on, before any agent proceeds because of it. f must not call the Enforcer.
func (e *Enforcer) OnEvent(f func(Event)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.onEvent = f
}

// emit hands an event to the hook. The caller holds mu.
func (e *Enforcer) emit(event Event) {
	if e.onEvent != nil {
		e.onEvent(event)
	}
}

// NewEnforcer returns an Enforcer for a policy. Requests are numbered from a random start, so that an answer to a
// request from before a crash does not fit one from after it.
func NewEnforcer(p Policy) *Enforcer {
	e := &Enforcer{
		rules:      NewRules(p),
		admissions: map[*Admission]struct{}{},
		controls:   map[string]*control{},
		onControl:  map[string]map[*func()]struct{}{},
		tabs:       owner.NewTable(),
		changed:    make(chan struct{}),
		nextID:     1000 + rand.IntN(8000),
		askLife:    usualLife,
	}
	e.refresh()
	return e
}

// refresh updates the copies that are read without the lock. The caller holds mu.
func (e *Enforcer) refresh() {
	e.current.Store(e.rules)
	e.refreshControls()
	e.tabs.SetRules(e.rules.SharedTabs, e.rules.BindsPrograms())
	e.free.Store(!e.suspended && !e.takenOver && !e.anyPaused() && len(e.controls) == 0 && !e.rules.OneDriver &&
		e.rules.Agents() &&
		!e.rules.BindsPrograms())
}

// Free reports whether a program's commands need no authorization and nothing to wait for.
func (e *Enforcer) Free() bool { return e.free.Load() }

// Rules returns the rules in force.
func (e *Enforcer) Rules() *Rules { return e.current.Load() }

// Set puts another policy into force. Approvals given under the old one are void. A program that had more rights is
// disconnected: what it has set up in the browser under the old policy ends only with its connection.
func (e *Enforcer) Set(p Policy) {
	rules := NewRules(p)
	defer e.notifyRulesChanged()
	e.mu.Lock()
	defer e.mu.Unlock()
	narrower := p.narrows(e.rules.Policy)
	if !p.same(e.rules.Policy) {
		e.emit(Event{Name: "policy", Args: p})
		e.requests.voidAnswers(anyRequest)
	}
	e.rules = rules
	for s := range e.admissions {
		s.granted = nil
		switch {
		case !p.Agents():
			s.end(errAgentsOff)
		case narrower && s.agent.Kind == Program:
			s.end(errNarrowed)
		}
	}
	for _, r := range slices.Clone(e.requests.open) {
		if !p.Agents() {
			e.move(r, Cut, nil)
			continue
		}
		if r.Kind != AskApproval {
			continue
		}
		switch rules.RightOn(r.Class, r.addresses()...) { // the new policy decides
		case Yes:
			e.move(r, Answered, &Reply{Allow: true, By: "policy"})
		case No:
			e.move(r, Answered, &Reply{Decline: true, By: "policy"})
		}
	}
	e.publish()
}

// OnRulesChange calls f now and after every change of the rules, before the call that changed them returns: connections
// that f closes are closed by then. f must not change the rules.
func (e *Enforcer) OnRulesChange(f func()) {
	e.mu.Lock()
	e.onRulesChange = append(e.onRulesChange, f)
	e.mu.Unlock()
	f()
}

// notifyRulesChanged calls the hooks of OnRulesChange. The caller does not hold mu.
func (e *Enforcer) notifyRulesChanged() {
	e.mu.Lock()
	all := slices.Clone(e.onRulesChange)
	e.mu.Unlock()
	for _, f := range all {
		f()
	}
}

// Grant allows traffic to an origin that is not on the list of allowed sites, because a person has approved it. It
// holds until the profile closes or its policy changes. A blocked origin stays blocked.
func (e *Enforcer) Grant(o site.Origin) {
	e.mu.Lock()
	e.rules = e.rules.with(o)
	e.publish()
	e.mu.Unlock()
	e.notifyRulesChanged()
}

// publish wakes whoever waits for a change and hands the state to the subscribers. The caller holds mu.
func (e *Enforcer) publish() {
	e.refresh()
	close(e.changed)
	e.changed = make(chan struct{})
	e.feed.Publish(e.state())
}

// Subscribe returns a feed of the states after each change.
func (e *Enforcer) Subscribe() *event.Sub[State] { return e.feed.Subscribe(16) }

// State returns the current state.
func (e *Enforcer) State() State {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.state()
}

func (e *Enforcer) state() State {
	s := State{Agents: []Admitted{}, Requests: []Request{}, TakenOver: e.takenOver, Suspended: e.suspended,
		Controlled: e.controlState()}
	for a := range e.admissions {
		s.Agents = append(s.Agents, Admitted{Agent: a.agent, Session: a.session, Paused: a.paused})
	}
	slices.SortFunc(s.Agents, func(a, b Admitted) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), a.PID-b.PID, strings.Compare(a.Session, b.Session))
	})
	for _, r := range e.requests.open {
		s.Requests = append(s.Requests, r.Request)
	}
	for _, r := range e.requests.ended {
		s.History = append(s.History, r.Request)
	}
	if e.driver != nil {
		a := e.driver.agent
		s.Driver = &a
	}
	return s
}

// Errors of the Enforcer. Models read their texts.
var (
	errAgentsOff = fault.New(
		fault.CodeAgentsOff,
		"Agents are not allowed in this profile.",
		"The user can allow them: cove policy set ID --preset open",
	)
	errSuspended = fault.New(
		fault.CodePanic,
		"The user has stopped all agents.",
		"Stop here and tell the user. `cove panic --undo` allows agents again.",
	)
	errNarrowed = fault.New(
		fault.CodePolicyNarrowed,
		"The user has changed the agent permissions of this profile.",
		"Connect again to continue under the new policy.",
	)
	errTightened = fault.New(
		fault.CodePolicyTightened,
		"The user has changed the agent permissions of this profile, so nothing was done.",
		"Try again under the new policy.",
	)
	errCut = fault.New(
		fault.CodeNotApproved,
		"The request was ended without an answer, so nothing was done.",
		"Tell the user, or ask again.",
	)
	errTakenOver = fault.New(
		fault.CodeTakenOver,
		"The user has taken over this profile, so nothing was done.",
		"Wait until the user hands it back, then take a new snapshot.",
	)
)

// AgentsOffIn is AgentsOffError with the profile's id, for a caller that is not connected yet.
func AgentsOffIn(id string) *fault.Error {
	return fault.New(
		errAgentsOff.Code,
		"Agents are not allowed in profile "+id+".",
		"The user can allow them: cove policy set "+id+" --preset open",
	)
}

// AgentsOffError is the answer to an agent in a profile that allows none.
func AgentsOffError() *fault.Error { return errAgentsOff }

// Admits returns why no agent is admitted now, or nil.
func (e *Enforcer) Admits() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.admits()
}

func (e *Enforcer) admits() error {
	if e.suspended {
		return errSuspended
	}
	if !e.rules.Agents() {
		return errAgentsOff
	}
	return nil
}

// SuspendedError is the answer to an agent while all are suspended.
func SuspendedError() *fault.Error { return errSuspended }

// sessionBytes is the length of a session's name: it is told apart from the others of its profile, and is no secret.
const sessionBytes = 6

// Admit admits an agent. It fails where agents are not allowed.
func (e *Enforcer) Admit(a Agent) (*Admission, error) {
	s, err := e.admit(a, nil)
	if err == nil {
		s.owner.Rename(a.Name, a.PID)
	}
	return s, err
}

// admit is Admit for the owner of tabs; nil for one that leaves with the admission.
func (e *Enforcer) admit(a Agent, o *owner.Owner) (*Admission, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.admits(); err != nil {
		return nil, err
	}

	s := &Admission{enforcer: e, agent: a, session: random.Hex(sessionBytes), owner: o, lastingTabs: o != nil}
	if o == nil {
		s.owner = e.tabs.NewOwner(a.Kind == Program)
	}
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	e.admissions[s] = struct{}{}
	e.publish()
	return s, nil
}

// TakeOver makes every agent wait for the person.
func (e *Enforcer) TakeOver() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.takenOver {
		e.emit(Event{Name: "takeover"})
	}
	e.takenOver = true
	e.publish()
}

// TakenOver reports whether the person works in the profile and agents wait.
func (e *Enforcer) TakenOver() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.takenOver
}

// GiveBack lets the agents proceed. Each reads notice with its next answer.
func (e *Enforcer) GiveBack(notice string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.takenOver {
		return
	}
	e.emit(Event{Name: "giveback", Args: map[string]string{"note": notice}})
	e.takenOver = false
	for s := range e.admissions {
		s.notice = notice
	}
	e.publish()
}

// Suspend disconnects every agent and admits none, or with on false admits them again.
func (e *Enforcer) Suspend(on bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.suspended != on {
		e.emit(Event{Name: map[bool]string{true: "panic", false: "panic lifted"}[on]})
	}
	e.suspended = on
	if on {
		for s := range e.admissions {
			s.end(errSuspended)
		}
		e.endControls()
		e.cutAll()
	}
	e.publish()
}
