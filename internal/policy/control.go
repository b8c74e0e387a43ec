package policy

import (
	"context"
	"maps"
	"slices"
	"time"

	"cove/internal/fault"
)

// Control is a tab that the person works in. Agents wait there, and go on in other tabs.
type Control struct {
	Tab   string    `json:"tab"`
	Since time.Time `json:"since"`
}

// ControlSummary is what a person did in a tab, in numbers. It never has what they typed or saw.
type ControlSummary struct {
	Clicks int `json:"clicks"`
	Keys   int `json:"keys"`
	Pages  int `json:"pages"`
}

// ControlEnd is why the person's control of a tab has ended.
type ControlEnd string

// The ends of a control.
const (
	HandedBack ControlEnd = "handed back"
	TabClosed  ControlEnd = "tab closed"
	WindowGone ControlEnd = "window gone"
	Stopped    ControlEnd = "stopped" // agents were stopped, or the profile closes
)

// control is a Control with its life. All of it is guarded by the enforcer's mu.
type control struct {
	Control
	page  string
	ended chan struct{}
	count func() ControlSummary
}

// errTabTaken is the answer to a step in a tab that the person works in.
var errTabTaken = fault.New(
	fault.CodeTabTaken,
	"The user is working in this page, so nothing was done.",
	"Go on in another page, or try again when the user has handed this one back; then take a new snapshot.",
).WithBrief("you were in control of the page")

// errTabTakenMeanwhile is the answer to a step that was under way when the person took control.
var errTabTakenMeanwhile = fault.New(
	fault.CodeTabTaken,
	"The user took control of this page while the call was under way, so it ended early.",
	"Go on in another page, or wait until the user has handed this one back. Then take a new snapshot to see what was "+
		"done.",
).WithBrief("you took control of the page")

// TabTakenMeanwhile is the answer to a call that the person's control has ended.
func TabTakenMeanwhile() *fault.Error { return errTabTakenMeanwhile }

// BeginControl makes a tab the person's. page is its address, and count returns what the person has done so far. The
// requests for help in that tab are being worked on from now on. ended is closed when the control has ended, for
// whatever reason. ok is false when the person has the tab already.
func (e *Enforcer) BeginControl(tab, page string, count func() ControlSummary) (ended <-chan struct{}, ok bool) {
	e.mu.Lock()
	if _, there := e.controls[tab]; there {
		e.mu.Unlock()
		return nil, false
	}
	c := &control{
		Control: Control{Tab: tab, Since: time.Now().UTC()}, page: page, ended: make(chan struct{}), count: count,
	}
	e.controls[tab] = c
	e.emit(Event{Name: "control begun", Page: page})
	for _, r := range slices.Clone(e.requests.open) {
		if r.concerns(tab) && r.State != Working {
			e.move(r, Working, nil)
		}
	}
	e.publish()
	var hooks []func()
	for f := range e.onControl[tab] {
		hooks = append(hooks, *f)
	}
	e.mu.Unlock()

	for _, f := range hooks {
		f()
	}
	return c.ended, true
}

// concerns reports whether a request asks a person to do something in a tab.
func (r *request) concerns(tab string) bool { return r.Kind == AskHelp && r.Tab == tab && tab != "" }

// EndControl gives a tab back to the agents. Handing it back answers the requests for help in it, with the person's
// note. Any other end leaves them open. It reports false when the person does not have the tab.
func (e *Enforcer) EndControl(tab string, why ControlEnd, note string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.endControl(tab, why, note)
}

// endControl is EndControl for a caller that holds mu.
func (e *Enforcer) endControl(tab string, why ControlEnd, note string) bool {
	c := e.controls[tab]
	if c == nil {
		return false
	}
	delete(e.controls, tab)
	args := struct {
		ControlSummary
		Why  ControlEnd `json:"why"`
		Note string     `json:"note,omitempty"`
	}{Why: why, Note: note}
	if c.count != nil {
		args.ControlSummary = c.count()
	}
	e.emit(Event{Name: "control ended", Page: c.page, Args: args})

	answered := map[string]bool{} // the sessions whose question this answers
	for _, r := range slices.Clone(e.requests.open) {
		switch {
		case !r.concerns(tab) || r.State != Working:
		case why == HandedBack:
			answered[r.session] = true
			e.move(r, Answered, &Reply{Done: true, Note: note, By: "person"})
		default:
			e.move(r, Seen, nil)
		}
	}
	for a := range e.admissions {
		if a.tabs[tab] && !answered[a.session] {
			a.notice = handBackNotice(note)
		}
	}
	close(c.ended)
	e.publish()
	return true
}

func handBackNotice(note string) string {
	text := "The user has worked in a page of yours and has handed it back. It may have changed: take a new snapshot."
	if note != "" {
		text += " Their note: " + note
	}
	return text
}

// endControls gives every tab back. The caller holds mu.
func (e *Enforcer) endControls() {
	for _, tab := range slices.Collect(maps.Keys(e.controls)) {
		e.endControl(tab, Stopped, "")
	}
}

// Controlled reports whether the person works in a tab. It takes no lock.
func (e *Enforcer) Controlled(tab string) bool {
	tabs := e.taken.Load()
	return tabs != nil && (*tabs)[tab]
}

// AnyControlled reports whether the person works in any tab. It takes no lock.
func (e *Enforcer) AnyControlled() bool {
	tabs := e.taken.Load()
	return tabs != nil && len(*tabs) > 0
}

// refreshControls updates the copy that is read without the lock. The caller holds mu.
func (e *Enforcer) refreshControls() {
	tabs := make(map[string]bool, len(e.controls))
	for tab := range e.controls {
		tabs[tab] = true
	}
	e.taken.Store(&tabs)
}

// controlState lists the tabs that the person works in, the first first. The caller holds mu.
func (e *Enforcer) controlState() (all []Control) {
	for _, c := range e.controls {
		all = append(all, c.Control)
	}
	slices.SortFunc(all, func(a, b Control) int { return a.Since.Compare(b.Since) })
	return all
}

// OnControl calls f when the person takes control of a tab, before BeginControl returns, until stop. f must not wait.
func (e *Enforcer) OnControl(tab string, f func()) (stop func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.onControl[tab] == nil {
		e.onControl[tab] = map[*func()]struct{}{}
	}
	key := &f
	e.onControl[tab][key] = struct{}{}
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.onControl[tab], key)
		if len(e.onControl[tab]) == 0 {
			delete(e.onControl, tab)
		}
	}
}

// ControlLimit is how long a step waits in a tab that the person works in.
func ControlLimit() time.Duration { return takeoverLimit }

// BeginOn waits while the person works in a tab, until the limit. Every step in a tab calls it.
func (a *Admission) BeginOn(ctx context.Context, tab string, limit time.Time) error {
	e := a.enforcer
	for {
		e.mu.Lock()
		_, taken := e.controls[tab]
		changed := e.changed
		if a.tabs == nil {
			a.tabs = map[string]bool{}
		}
		a.tabs[tab] = true
		err := a.err
		e.mu.Unlock()
		if err != nil {
			return err
		}
		if !taken {
			return nil
		}

		left := time.Until(limit)
		if left <= 0 {
			return errTabTaken
		}
		t := time.NewTimer(left)
		select {
		case <-changed:
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return context.Cause(ctx)
		}
		t.Stop()
	}
}
