package policy

import (
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
)

// Agent is who asks: an MCP client, or a program on the gate's port.
type Agent struct {
	Kind    Kind   `json:"kind"`
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	PID     int    `json:"pid,omitempty"`
}

// Kind is how an agent is connected.
type Kind string

const (
	Tools   Kind = "mcp" // through the tools
	Program Kind = "cdp" // speaks the browser's protocol itself
)

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

// Request is a step that waits for a person's yes.
type Request struct {
	ID    string    `json:"id"`
	Agent Agent     `json:"agent"`
	Class Class     `json:"class"`
	What  string    `json:"what"` // what will happen, in one sentence
	Page  string    `json:"page"` // the address of the page that it is about
	Asked time.Time `json:"asked"`
	// Picture is a PNG or JPEG of what it is about; nil when there is none.
	Picture []byte `json:"picture,omitempty"`
	// Elsewhere asks the person in another place as well, where that is allowed; ok is false when nobody answered there.
	Elsewhere func(ctx context.Context) (yes, ok bool) `json:"-"`
}

// State is what the desk looks like now.
type State struct {
	Agents   []Agent   `json:"agents"`
	Requests []Request `json:"requests"`
	// Taken: the person works in the profile, agents wait. Cut: agents are kept out. Driver is who acts, where one at a time does.
	TakenOver bool   `json:"taken_over"`
	Suspended bool   `json:"suspended"`
	Driver    *Agent `json:"driver,omitempty"`
}

// How long an agent's call waits: for the person who has taken over, for another agent that drives, for a person's yes. Clients give
// up after a minute.
var (
	takeoverLimit = 20 * time.Second
	driverLimit   = 10 * time.Second
	askLimit      = 50 * time.Second
	// idle is how long a driver may rest before another one takes its place.
	idle = 30 * time.Second
)

// Desk is where every step of every agent of one open profile asks. All of it is in force at once, for those who are connected too.
type Enforcer struct {
	mu         sync.Mutex
	rules      *Rules
	admissions map[*Admission]struct{}
	requests   []*request
	nextID     int
	takenOver  bool
	suspended  bool
	driver     *Admission
	drove      time.Time     // when the driver did its last step
	changed    chan struct{} // closed and made anew at every change
	feed       event.Feed[State]
	// followers are told when the rules have changed.
	onRulesChange []func()
	// keep is told of what the person does; nil is nobody.
	onEvent func(Event)

	// What is asked at every command of every program stands here too, so that asking costs nothing.
	current atomic.Pointer[Rules]
	free    atomic.Bool
}

// Deed is something that a person, or a client on their behalf, has done at the desk.
type Event struct {
	Name string
	// Page is the address of the page that it was about.
	Page string
	Args any
}

// Keep has every deed told to f from now on, before any agent goes on because of it. f must ask nothing of the desk.
func (e *Enforcer) OnEvent(f func(Event)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.onEvent = f
}

// did tells of a deed; the caller holds mu.
func (e *Enforcer) emit(name, page string, args any) {
	if e.onEvent != nil {
		e.onEvent(Event{Name: name, Page: page, Args: args})
	}
}

// request is a Request with its answer.
type request struct {
	Request
	admission *Admission
	answer    chan bool
}

// NewDesk makes a desk for a policy. Its requests are numbered from anywhere: an answer to one that was asked before a crash must not
// fit another that is asked after it.
func NewEnforcer(p Policy) *Enforcer {
	d := &Enforcer{rules: NewRules(p), admissions: map[*Admission]struct{}{}, changed: make(chan struct{}), nextID: 1000 + rand.IntN(8000)}
	d.refresh()
	return d
}

// note keeps what is read without the lock; the caller holds mu.
func (e *Enforcer) refresh() {
	e.current.Store(e.rules)
	e.free.Store(!e.suspended && !e.takenOver && !e.rules.OneDriver && e.rules.Agents() && !e.rules.BindsPrograms())
}

// Free reports whether a program's commands have nothing to ask and nobody to wait for.
func (e *Enforcer) Free() bool { return e.free.Load() }

// Book is the policy that is in force now.
func (e *Enforcer) Rules() *Rules { return e.current.Load() }

// Set puts another policy into force. What a person was asked under the old one is asked again. A program that had more rights must
// come again: what it has set up in the browser under the old policy ends with its connection only.
func (e *Enforcer) Set(p Policy) {
	book := NewRules(p)
	defer e.notifyRulesChanged()
	e.mu.Lock()
	defer e.mu.Unlock()
	narrower := p.narrows(e.rules.Policy)
	if !p.same(e.rules.Policy) {
		e.emit("policy", "", p)
	}
	e.rules = book
	for s := range e.admissions {
		s.granted = nil
		switch {
		case !p.Agents():
			s.end(errAgentsOff)
		case narrower && s.agent.Kind == Program:
			s.end(errNarrowed)
		}
	}
	e.requests = slices.DeleteFunc(e.requests, func(r *request) bool {
		right := book.Right(r.Class)
		if right != Ask { // nobody needs to be asked any more
			r.answer <- right == Yes
		}
		return right != Ask
	})
	e.changedLocked()
}

// Follow calls f now and whenever the rules have changed, before whoever changed them goes on: what f cuts is cut when they hear that
// it is done. f must not change the rules itself.
func (e *Enforcer) OnRulesChange(f func()) {
	e.mu.Lock()
	e.onRulesChange = append(e.onRulesChange, f)
	e.mu.Unlock()
	f()
}

// follow tells the followers; the caller does not hold mu.
func (e *Enforcer) notifyRulesChanged() {
	e.mu.Lock()
	all := slices.Clone(e.onRulesChange)
	e.mu.Unlock()
	for _, f := range all {
		f()
	}
}

// Grant lets traffic to an origin through that is not on the list of allowed sites, because a person has said yes. It holds until the
// profile closes or its policy changes; what is blocked stays so.
func (e *Enforcer) Grant(o Origin) {
	e.mu.Lock()
	e.rules = e.rules.with(o)
	e.changedLocked()
	e.mu.Unlock()
	e.notifyRulesChanged()
}

// tell wakes whoever waits for a change and hands the state to the subscribers; the caller holds mu.
func (e *Enforcer) changedLocked() {
	e.refresh()
	close(e.changed)
	e.changed = make(chan struct{})
	e.feed.Publish(e.state())
}

// Subscribe follows the desk's state.
func (e *Enforcer) Subscribe() *event.Sub[State] { return e.feed.Subscribe(16) }

// State is what the desk looks like now.
func (e *Enforcer) State() State {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.state()
}

func (e *Enforcer) state() State {
	s := State{Agents: []Agent{}, Requests: []Request{}, TakenOver: e.takenOver, Suspended: e.suspended}
	for seat := range e.admissions {
		s.Agents = append(s.Agents, seat.agent)
	}
	slices.SortFunc(s.Agents, func(a, b Agent) int {
		if a.Name != b.Name {
			return strings.Compare(a.Name, b.Name)
		}
		return a.PID - b.PID
	})
	for _, r := range e.requests {
		s.Requests = append(s.Requests, r.Request)
	}
	if e.driver != nil {
		a := e.driver.agent
		s.Driver = &a
	}
	return s
}

// Errors of the desk. Their texts are for the model.
var (
	errAgentsOff = fault.New(fault.Denied, "E_AGENTS_OFF", "Agents are not allowed in this profile.", "The person can allow them: cove policy set ID --preset open")
	errSuspended = fault.New(fault.Denied, "E_PANIC", "The person has cut off every agent.", "Stop here and tell the person; `cove panic --undo` lets agents in again.")
	errNarrowed  = fault.New(fault.Denied, "E_POLICY_CHANGED", "The person has changed what agents may do in this profile.", "Connect again to go on under the new policy.")
	errTightened = fault.New(fault.Conflict, "E_POLICY_CHANGED", "The person has changed what agents may do in this profile, so nothing was done.", "Try again under the new policy.")
	errTakenOver = fault.New(fault.Busy, "E_TAKEN_OVER", "The person has taken over this profile: nothing was done.", "Wait until it is given back, then take a new snapshot.")
)

// OffIn is the same with the profile's id, for whoever is not in it yet.
func AgentsOffIn(id string) *fault.Error {
	return fault.New(errAgentsOff.Kind, errAgentsOff.Code, "Agents are not allowed in profile "+id+".", "The person can allow them: cove policy set "+id+" --preset open")
}

// OffError is the answer to an agent where none is allowed.
func AgentsOffError() *fault.Error { return errAgentsOff }

// Admits says why no agent may come in now; nil when they may.
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

// CutError is the answer to an agent while every one is kept out.
func SuspendedError() *fault.Error { return errSuspended }

// Join gives an agent a seat; it fails where agents are not allowed.
func (e *Enforcer) Admit(a Agent) (*Admission, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.admits(); err != nil {
		return nil, err
	}
	s := &Admission{enforcer: e, agent: a, done: make(chan struct{})}
	e.admissions[s] = struct{}{}
	e.changedLocked()
	return s, nil
}

// TakeOver makes every agent wait.
func (e *Enforcer) TakeOver() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.takenOver {
		e.emit("takeover", "", nil)
	}
	e.takenOver = true
	e.changedLocked()
}

// GiveBack lets the agents go on; each is told note with its next answer.
func (e *Enforcer) GiveBack(note string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.takenOver {
		return
	}
	e.emit("giveback", "", map[string]string{"note": note})
	e.takenOver = false
	for s := range e.admissions {
		s.notice = note
	}
	e.changedLocked()
}

// Cut throws every agent out and keeps them out; with on false they may come again.
func (e *Enforcer) Suspend(on bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.suspended != on {
		e.emit(map[bool]string{true: "panic", false: "panic lifted"}[on], "", nil)
	}
	e.suspended = on
	if on {
		for s := range e.admissions {
			s.end(errSuspended)
		}
	}
	e.changedLocked()
}

// Decide answers a request: yes or no, and with always also for what the same agent asks of the same class until it leaves.
func (e *Enforcer) Decide(id string, yes, always bool) error {
	return e.decide(id, yes, always, "person")
}

// decide is Decide by somebody.
func (e *Enforcer) decide(id string, yes, always bool, by string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	i := slices.IndexFunc(e.requests, func(r *request) bool { return r.ID == id })
	if i < 0 {
		return fault.New(fault.NotFound, "E_NO_REQUEST", "No agent waits for that answer any more.", "`cove approvals` shows what waits.")
	}
	r := e.requests[i]
	e.decided(r.Request, yes, yes && always, by)
	if yes && always {
		r.admission.granted = append(r.admission.granted, r.Class)
	}
	r.answer <- yes
	e.requests = slices.Delete(e.requests, i, i+1)
	e.changedLocked()
	return nil
}

// decided keeps an answer; the caller holds mu.
func (e *Enforcer) decided(r Request, yes, always bool, by string) {
	name := "refused"
	if yes {
		name = "allowed"
	}
	e.emit(name, r.Page, struct {
		Agent  string `json:"agent"`
		Class  Class  `json:"class"`
		What   string `json:"what"`
		By     string `json:"by"`
		Always bool   `json:"always,omitempty"`
	}{r.Agent.String(), r.Class, r.What, by, always})
}
