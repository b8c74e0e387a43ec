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
	Taken  bool   `json:"taken"`
	Cut    bool   `json:"cut"`
	Driver *Agent `json:"driver,omitempty"`
}

// How long an agent's call waits: for the person who has taken over, for another agent that drives, for a person's yes. Clients give
// up after a minute.
var (
	takenLimit  = 20 * time.Second
	driverLimit = 10 * time.Second
	askLimit    = 50 * time.Second
	// idle is how long a driver may rest before another one takes its place.
	idle = 30 * time.Second
)

// Desk is where every step of every agent of one open profile asks. All of it is in force at once, for those who are connected too.
type Desk struct {
	mu       sync.Mutex
	book     *Rulebook
	seats    map[*Seat]struct{}
	requests []*request
	nextID   int
	taken    bool
	cut      bool
	driver   *Seat
	drove    time.Time     // when the driver did its last step
	changed  chan struct{} // closed and made anew at every change
	feed     event.Feed[State]
	// followers are told when the rules have changed.
	followers []func()
	// keep is told of what the person does; nil is nobody.
	keep func(Deed)

	// What is asked at every command of every program stands here too, so that asking costs nothing.
	current atomic.Pointer[Rulebook]
	free    atomic.Bool
}

// Deed is something that a person, or a client on their behalf, has done at the desk.
type Deed struct {
	Name string
	// Page is the address of the page that it was about.
	Page string
	Args any
}

// Keep has every deed told to f from now on, before any agent goes on because of it. f must ask nothing of the desk.
func (d *Desk) Keep(f func(Deed)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.keep = f
}

// did tells of a deed; the caller holds mu.
func (d *Desk) did(name, page string, args any) {
	if d.keep != nil {
		d.keep(Deed{Name: name, Page: page, Args: args})
	}
}

// request is a Request with its answer.
type request struct {
	Request
	seat   *Seat
	answer chan bool
}

// NewDesk makes a desk for a policy. Its requests are numbered from anywhere: an answer to one that was asked before a crash must not
// fit another that is asked after it.
func NewDesk(p Policy) *Desk {
	d := &Desk{book: NewRulebook(p), seats: map[*Seat]struct{}{}, changed: make(chan struct{}), nextID: 1000 + rand.IntN(8000)}
	d.note()
	return d
}

// note keeps what is read without the lock; the caller holds mu.
func (d *Desk) note() {
	d.current.Store(d.book)
	d.free.Store(!d.cut && !d.taken && !d.book.OneDriver && d.book.Agents() && !d.book.BindsPrograms())
}

// Free reports whether a program's commands have nothing to ask and nobody to wait for.
func (d *Desk) Free() bool { return d.free.Load() }

// Book is the policy that is in force now.
func (d *Desk) Book() *Rulebook { return d.current.Load() }

// Set puts another policy into force. What a person was asked under the old one is asked again. A program that had more rights must
// come again: what it has set up in the browser under the old policy ends with its connection only.
func (d *Desk) Set(p Policy) {
	book := NewRulebook(p)
	defer d.follow()
	d.mu.Lock()
	defer d.mu.Unlock()
	narrower := p.narrows(d.book.Policy)
	if !p.same(d.book.Policy) {
		d.did("policy", "", p)
	}
	d.book = book
	for s := range d.seats {
		s.granted = nil
		switch {
		case !p.Agents():
			s.end(errOff)
		case narrower && s.agent.Kind == Program:
			s.end(errNarrowed)
		}
	}
	d.requests = slices.DeleteFunc(d.requests, func(r *request) bool {
		right := book.Right(r.Class)
		if right != Ask { // nobody needs to be asked any more
			r.answer <- right == Yes
		}
		return right != Ask
	})
	d.tell()
}

// Follow calls f now and whenever the rules have changed, before whoever changed them goes on: what f cuts is cut when they hear that
// it is done. f must not change the rules itself.
func (d *Desk) Follow(f func()) {
	d.mu.Lock()
	d.followers = append(d.followers, f)
	d.mu.Unlock()
	f()
}

// follow tells the followers; the caller does not hold mu.
func (d *Desk) follow() {
	d.mu.Lock()
	all := slices.Clone(d.followers)
	d.mu.Unlock()
	for _, f := range all {
		f()
	}
}

// Grant lets traffic to an origin through that is not on the list of allowed sites, because a person has said yes. It holds until the
// profile closes or its policy changes; what is blocked stays so.
func (d *Desk) Grant(o Origin) {
	d.mu.Lock()
	d.book = d.book.with(o)
	d.tell()
	d.mu.Unlock()
	d.follow()
}

// tell wakes whoever waits for a change and hands the state to the subscribers; the caller holds mu.
func (d *Desk) tell() {
	d.note()
	close(d.changed)
	d.changed = make(chan struct{})
	d.feed.Publish(d.state())
}

// Subscribe follows the desk's state.
func (d *Desk) Subscribe() *event.Sub[State] { return d.feed.Subscribe(16) }

// State is what the desk looks like now.
func (d *Desk) State() State {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.state()
}

func (d *Desk) state() State {
	s := State{Agents: []Agent{}, Requests: []Request{}, Taken: d.taken, Cut: d.cut}
	for seat := range d.seats {
		s.Agents = append(s.Agents, seat.agent)
	}
	slices.SortFunc(s.Agents, func(a, b Agent) int {
		if a.Name != b.Name {
			return strings.Compare(a.Name, b.Name)
		}
		return a.PID - b.PID
	})
	for _, r := range d.requests {
		s.Requests = append(s.Requests, r.Request)
	}
	if d.driver != nil {
		a := d.driver.agent
		s.Driver = &a
	}
	return s
}

// Errors of the desk. Their texts are for the model.
var (
	errOff       = fault.New(fault.Denied, "E_AGENTS_OFF", "Agents are not allowed in this profile.", "The person can allow them: cove policy set ID --preset open")
	errCut       = fault.New(fault.Denied, "E_PANIC", "The person has cut off every agent.", "Stop here and tell the person; `cove panic --undo` lets agents in again.")
	errNarrowed  = fault.New(fault.Denied, "E_POLICY_CHANGED", "The person has changed what agents may do in this profile.", "Connect again to go on under the new policy.")
	errTightened = fault.New(fault.Conflict, "E_POLICY_CHANGED", "The person has changed what agents may do in this profile, so nothing was done.", "Try again under the new policy.")
	errTaken     = fault.New(fault.Busy, "E_TAKEN_OVER", "The person has taken over this profile: nothing was done.", "Wait until it is given back, then take a new snapshot.")
)

// OffIn is the same with the profile's id, for whoever is not in it yet.
func OffIn(id string) *fault.Error {
	return fault.New(errOff.Kind, errOff.Code, "Agents are not allowed in profile "+id+".", "The person can allow them: cove policy set "+id+" --preset open")
}

// OffError is the answer to an agent where none is allowed.
func OffError() *fault.Error { return errOff }

// Admits says why no agent may come in now; nil when they may.
func (d *Desk) Admits() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.admits()
}

func (d *Desk) admits() error {
	if d.cut {
		return errCut
	}
	if !d.book.Agents() {
		return errOff
	}
	return nil
}

// CutError is the answer to an agent while every one is kept out.
func CutError() *fault.Error { return errCut }

// Join gives an agent a seat; it fails where agents are not allowed.
func (d *Desk) Join(a Agent) (*Seat, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.admits(); err != nil {
		return nil, err
	}
	s := &Seat{desk: d, agent: a, ended: make(chan struct{})}
	d.seats[s] = struct{}{}
	d.tell()
	return s, nil
}

// TakeOver makes every agent wait.
func (d *Desk) TakeOver() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.taken {
		d.did("takeover", "", nil)
	}
	d.taken = true
	d.tell()
}

// GiveBack lets the agents go on; each is told note with its next answer.
func (d *Desk) GiveBack(note string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.taken {
		return
	}
	d.did("giveback", "", map[string]string{"note": note})
	d.taken = false
	for s := range d.seats {
		s.note = note
	}
	d.tell()
}

// Cut throws every agent out and keeps them out; with on false they may come again.
func (d *Desk) Cut(on bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.cut != on {
		d.did(map[bool]string{true: "panic", false: "panic lifted"}[on], "", nil)
	}
	d.cut = on
	if on {
		for s := range d.seats {
			s.end(errCut)
		}
	}
	d.tell()
}

// Decide answers a request: yes or no, and with always also for what the same agent asks of the same class until it leaves.
func (d *Desk) Decide(id string, yes, always bool) error { return d.decide(id, yes, always, "person") }

// decide is Decide by somebody.
func (d *Desk) decide(id string, yes, always bool, by string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.requests, func(r *request) bool { return r.ID == id })
	if i < 0 {
		return fault.New(fault.NotFound, "E_NO_REQUEST", "No agent waits for that answer any more.", "`cove approvals` shows what waits.")
	}
	r := d.requests[i]
	d.decided(r.Request, yes, yes && always, by)
	if yes && always {
		r.seat.granted = append(r.seat.granted, r.Class)
	}
	r.answer <- yes
	d.requests = slices.Delete(d.requests, i, i+1)
	d.tell()
	return nil
}

// decided keeps an answer; the caller holds mu.
func (d *Desk) decided(r Request, yes, always bool, by string) {
	name := "refused"
	if yes {
		name = "allowed"
	}
	d.did(name, r.Page, struct {
		Agent  string `json:"agent"`
		Class  Class  `json:"class"`
		What   string `json:"what"`
		By     string `json:"by"`
		Always bool   `json:"always,omitempty"`
	}{r.Agent.String(), r.Class, r.What, by, always})
}
