package policy

import (
	"context"
	"slices"
	"strconv"
	"time"

	"cove/internal/policy/owner"
)

// RequestKind is what a person is asked for.
type RequestKind string

// The kinds of requests.
const (
	AskApproval RequestKind = "approve" // may the agent do a step?
	AskHelp     RequestKind = "do"      // something that only a person can do in the page
	AskCode     RequestKind = "code"    // a text that Cove types and the agent never reads
	AskChoice   RequestKind = "choose"  // one of several options
	AskText     RequestKind = "text"    // an answer in words
)

// HelpKinds lists what an agent can ask a person for.
var HelpKinds = []RequestKind{AskHelp, AskCode, AskChoice, AskText}

// RequestState is where a request stands.
type RequestState string

// The states of a request.
const (
	Asked     RequestState = "asked"
	Seen      RequestState = "seen"
	Working   RequestState = "working" // the person is at it, and time stands still
	Answered  RequestState = "answered"
	Expired   RequestState = "expired"
	Withdrawn RequestState = "withdrawn" // the agent has cancelled it, or is gone for good
	Cut       RequestState = "cut"       // agents were turned off, or the profile has closed
)

// moves lists the legal moves. An approval that has expired can still be allowed for the next time.
var moves = map[RequestState][]RequestState{
	Asked:   {Seen, Working, Answered, Expired, Withdrawn, Cut},
	Seen:    {Working, Answered, Expired, Withdrawn, Cut},
	Working: {Seen, Answered, Withdrawn, Cut},
	Expired: {Answered},
}

// IsOpen reports whether a request in this state waits for a person.
func (s RequestState) IsOpen() bool { return s == Asked || s == Seen || s == Working }

// Request is what an agent asks a person for: the approval of a step, or help. It outlives the call that asked.
type Request struct {
	ID    string       `json:"id"`
	Kind  RequestKind  `json:"kind"`
	State RequestState `json:"state"`
	Agent Agent        `json:"agent"`
	Class Class        `json:"class"`
	What  string       `json:"what"` // what will happen, or what the agent asks for
	Page  string       `json:"page"` // the address of the page that it is about
	// Tab is the browser's name for the tab. Element is the element that it is about.
	Tab     string   `json:"tab,omitempty"`
	Element string   `json:"element,omitempty"`
	Box     *Box     `json:"box,omitempty"` // where the element was in the tab's window; nil if it was not visible
	Options []string `json:"options,omitempty"`
	// Site is where an approval can be made a rule, and Rule says in words what that rule would be. Both are empty
	// where no rule is possible. Because says which rule asks.
	Site    string `json:"site,omitempty"`
	Rule    string `json:"rule,omitempty"`
	Because string `json:"because,omitempty"`
	// Expires is zero while the person works on it, and after the end.
	Asked   time.Time `json:"asked"`
	Expires time.Time `json:"expires,omitzero"`
	Ended   time.Time `json:"ended,omitzero"`
	Answer  *Reply    `json:"answer,omitempty"`
	// Thumbnail is a PNG or JPEG image of what the step is about, or nil.
	Thumbnail []byte `json:"picture,omitempty"`

	// WhatForAgent is What for the agent, where What has words of a page; "" for the same words.
	WhatForAgent string `json:"-"`
	// session is the session of the agent that asked first; "" for a program.
	session string
	// caller tells agents in shells of the same name apart; nil for others.
	caller *owner.Owner
	// Key opens the request to whoever has the address of its page; "" for nobody.
	Key string `json:"-"`
	// Step tells steps with the same words apart.
	Step string `json:"-"`
	// Bound limits an approval for the whole admission to requests that are bound to the same; "" for no limit.
	Bound string `json:"-"`
	// Frames are further addresses that the step concerns. A rule for a site allows the step only if it covers them,
	// too.
	Frames []string `json:"-"`
	// Patience is how long the call waits before it answers without a decision; 0 for the usual.
	Patience time.Duration `json:"-"`
	// Elsewhere asks the person through another channel as well, where the policy allows one. ok is false if nobody
	// answered there.
	Elsewhere func(ctx context.Context) (yes, ok bool) `json:"-"`
	// Type types a code into the page.
	Type func(ctx context.Context, code string) error `json:"-"`
}

// Box is a rectangle in fractions of a tab's window.
type Box struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	W float64 `json:"w"`
	H float64 `json:"h"`
}

// same reports whether two requests ask for the same: a call that is repeated meets the request of the first one. Help
// may lead to another page of the tab, and the question stays the same.
func (r *Request) same(other *Request) bool {
	return r.Kind == other.Kind && r.Agent == other.Agent && r.caller == other.caller &&
		r.Class == other.Class && r.What == other.What &&
		(r.Page == other.Page || r.Kind != AskApproval) && r.Tab == other.Tab && r.Element == other.Element &&
		r.Step == other.Step && r.Bound == other.Bound && slices.Equal(r.Options, other.Options)
}

// request is a Request with its life. All of it is guarded by the enforcer's mu.
type request struct {
	Request
	admission *Admission    // of the agent that asked last; nil for a program that asked over HTTP
	done      chan struct{} // closed when the request has ended
	before    Policy        // the policy under which it was asked
	expiry    *time.Timer
	remaining time.Duration // of its time, while the person works on it
	typing    bool
	// undelivered says that the agent has not heard the answer yet. It hears it with the same call, for a while.
	undelivered bool
	// given says that a call has the answer to a question. Its client may have given up a moment before and say so a
	// moment later, so this holds until the agent does something else.
	given bool
	// acted says that its agent has acted since it asked last: the same words on another page ask for something else.
	acted bool
	// void says that an approval is worth nothing any more, heard or not.
	void bool
}

const (
	// answerLife is how long an answer waits for the agent to come back for it.
	answerLife = 10 * time.Minute
	// goneLimit is how long the requests of an agent that has disconnected stay.
	goneLimit = 10 * time.Minute
	// usualLife is how long a request stays open.
	usualLife = 30 * time.Minute
	// maxHelp is how many requests for help a profile can have at a time.
	maxHelp = 5
)

// SetAskLife sets how long requests stay open from now on; 0 is the usual time.
func (e *Enforcer) SetAskLife(life time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.askLife = life; life <= 0 {
		e.askLife = usualLife
	}
}

// open makes a request. The caller holds mu.
func (e *Enforcer) open(r Request, a *Admission) *request {
	e.nextID++
	r.ID, r.State, r.Asked = strconv.Itoa(e.nextID), Asked, time.Now().UTC()
	r.Expires = r.Asked.Add(e.askLife)
	if r.Kind == AskApproval {
		r.Because = "In this profile agents ask before they " + Says[r.Class] + "."
		r.Site, r.Rule = e.rules.siteRule(r)
	}
	opened := &request{Request: r, admission: a, done: make(chan struct{}), before: e.rules.Policy}
	opened.expiry = time.AfterFunc(e.askLife, func() { e.expire(opened) })
	e.requests.open = append(e.requests.open, opened)
	e.emitRequest("asked", r, nil)
	e.publish()
	return opened
}

// move moves a request to another state, writes that down and publishes it. It reports false for a move that is not
// legal. The caller holds mu.
func (e *Enforcer) move(r *request, to RequestState, answer *Reply) bool {
	if !slices.Contains(moves[r.State], to) || (r.State == Expired && r.Kind != AskApproval) {
		return false
	}
	if r.State == Working {
		r.Expires = time.Now().UTC().Add(r.remaining)
		r.expiry.Reset(r.remaining)
	}
	wasOpen := r.State.IsOpen()
	r.State = to
	if to == Working {
		r.expiry.Stop()
		r.remaining, r.Expires = max(time.Until(r.Expires), time.Second), time.Time{}
	}
	if !to.IsOpen() {
		r.expiry.Stop()
		r.Answer, r.Ended, r.Expires, r.Type, r.Elsewhere = answer, time.Now().UTC(), time.Time{}, nil, nil
		r.undelivered, r.void = to == Answered, false
		if wasOpen {
			e.requests.end(r)
			close(r.done)
		}
		r.Thumbnail = nil
	}
	e.emitRequest(string(to), r.Request, answer)
	e.publish()
	return true
}

// expire ends a request that nobody has answered in time.
func (e *Enforcer) expire(r *request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.move(r, Expired, nil)
}

// cutAll ends every request that waits. The caller holds mu.
func (e *Enforcer) cutAll() {
	for _, r := range slices.Clone(e.requests.open) {
		e.move(r, Cut, nil)
	}
	e.requests.voidAnswers(anyRequest)
}

func anyRequest(*request) bool { return true }

// CutRequests ends every request and every control of a tab, because the profile closes.
func (e *Enforcer) CutRequests() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.endControls()
	e.cutAll()
}

// awaitReturn withdraws the requests of an agent that has disconnected, unless it comes back for them within goneLimit.
// The caller holds mu.
func (e *Enforcer) awaitReturn(a *Admission) {
	for _, r := range e.requests.open {
		if r.admission != a {
			continue
		}
		time.AfterFunc(goneLimit, func() {
			e.mu.Lock()
			defer e.mu.Unlock()
			for other := range e.admissions {
				if other.isAsker(r) {
					return
				}
			}
			e.move(r, Withdrawn, nil)
		})
	}
}

// GiveUp notes that the agent's client has given up on a call. If that call has an answer, nobody has read it: the same
// question finds it again.
func (a *Admission) GiveUp() {
	a.enforcer.mu.Lock()
	defer a.enforcer.mu.Unlock()
	a.gaveUp = true
	for _, r := range a.enforcer.requests.ended {
		if r.given && r.admission == a {
			r.undelivered = true
		}
	}
}

// MarkSeen notes that a person has a request before them and, with working, that they are at it. Whoever is in control
// of its tab is at it, whatever a window says that only shows it. A window can be slow: what it shows may have ended.
func (e *Enforcer) MarkSeen(id string, working bool) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	r, err := e.requests.find(id)
	switch {
	case err != nil:
		return err
	case !r.State.IsOpen() && working:
		return noRequest()
	case !r.State.IsOpen():
		return nil
	}
	to := Seen
	if working || r.State == Working && r.concerns(r.Tab) && e.controls[r.Tab] != nil {
		to = Working
	}
	if r.State != to {
		e.move(r, to, nil)
	}
	return nil
}

// emitRequest emits the event of a request's move. The caller holds mu.
func (e *Enforcer) emitRequest(name string, r Request, answer *Reply) {
	args := struct {
		Request string      `json:"request"`
		Kind    RequestKind `json:"kind"`
		Agent   string      `json:"agent"`
		Class   Class       `json:"class,omitempty"`
		What    string      `json:"what"`
		By      string      `json:"by,omitempty"`
		Always  bool        `json:"always,omitempty"`
		Scope   Scope       `json:"scope,omitempty"`
		Answer  string      `json:"answer,omitempty"`
		Note    string      `json:"note,omitempty"`
	}{Request: r.ID, Kind: r.Kind, Agent: r.Agent.String(), Class: r.Class, What: r.What}
	if answer != nil {
		args.By, args.Note, args.Scope, args.Always = answer.By, answer.Note, answer.Scope, answer.Scope == Session
		switch { // a text may be a secret, and a code is one
		case answer.Decline:
			args.Answer = "declined"
		case answer.Done:
			args.Answer = "done"
		case answer.Choice != "":
			args.Answer = answer.Choice
		case answer.Typed:
			args.Answer = "typed"
		case answer.Text != "":
			args.Answer = "text"
		}
		if r.Kind == AskApproval { // older journals have these names
			name, args.Answer = "refused", ""
			if answer.Allow {
				name = "allowed"
			}
		}
	}
	e.emit(Event{Name: name, Page: r.Page, Session: r.session, Args: args})
}
