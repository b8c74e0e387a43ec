// Package owner knows which agent each tab of a browser belongs to. It knows no browser and no wire. What a policy says
// about it is told to SetRules.
package owner

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"
)

// An agent keeps a tab for a while after its last step there: one that it has taken for takenLife, one that it has
// opened for openedLife.
const (
	takenLife  = 2 * time.Minute
	openedLife = 30 * time.Minute
	// restLimit is the time after which an owner rests: another agent that wants the tab gets it without a question.
	restLimit = takenLife
)

// Table knows whose each tab is. Its methods may be called from any goroutine and never wait, except for Owner.Take.
type Table struct {
	mu       sync.Mutex
	tabs     map[string]*tab
	running  map[*Owner]struct{} // the programs, until they leave
	shared   bool                // tabs belong to nobody
	programs bool                // programs own tabs, too
	changed  chan struct{}
}

// Owner is one agent session as an owner of tabs. It outlives the admission of an agent that only rests.
type Owner struct {
	table   *Table
	program bool

	// guarded by the table's mu
	name   string
	pid    int
	losses []Loss
	left   bool
	away   time.Time // when its connection ended, and nothing was heard of it since; zero otherwise
}

// tab is a tab that is or was somebody's. All of it is guarded by the table's mu.
type tab struct {
	owner  *Owner
	opened bool // by the owner, and not only taken
	found  bool // perhaps another agent has opened it and did not say so yet
	last   time.Time
	steps  int      // that the owner has under way there
	takers []*taker // who get the tab once there are none, the first first
	closer string   // who else is about to close it
}

// taker is somebody who waits for a tab that was given to them.
type taker struct {
	owner *Owner
	done  chan struct{} // closed when the tab is theirs, somebody else's, or gone
}

// Loss is a tab that an agent has lost, and by whom: "" for the person or the page itself.
type Loss struct {
	Tab    string
	By     string
	Closed bool // nobody has it now
}

// NewTable returns a table without tabs. Until SetRules, tools own tabs and programs do not.
func NewTable() *Table {
	return &Table{tabs: map[string]*tab{}, running: map[*Owner]struct{}{}, changed: make(chan struct{})}
}

// SetRules says whether all agents share the tabs, and whether programs are held to whose tab it is.
func (t *Table) SetRules(shared, programs bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.shared != shared || t.programs != programs {
		t.shared, t.programs = shared, programs
		t.broadcast()
	}
}

// NewOwner returns an agent that has no tabs. program says that it is a program on the gate's port.
func (t *Table) NewOwner(program bool) *Owner {
	t.mu.Lock()
	defer t.mu.Unlock()
	o := &Owner{table: t, program: program}
	if program {
		t.running[o] = struct{}{}
	}
	return o
}

// Changed returns a channel that is closed when a tab comes to another owner. An owner that has rested for too long
// makes no change.
func (t *Table) Changed() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.changed
}

// broadcast announces a change. The caller holds mu.
func (t *Table) broadcast() {
	close(t.changed)
	t.changed = make(chan struct{})
}

// current returns a tab that is somebody's now, or nil. The caller holds mu.
func (t *Table) current(id string) *tab {
	at := t.kept(id)
	if at == nil || at.isLeft() {
		return nil
	}
	return at
}

// kept is current, but it returns the tab of an agent that is away, too: that agent gets it back when it returns. The
// caller holds mu.
func (t *Table) kept(id string) *tab {
	at := t.tabs[id]
	if at == nil || t.shared || (at.owner.program && !t.programs) {
		return nil
	}
	life := takenLife
	if at.opened {
		life = openedLife
	}
	if at.steps == 0 && time.Since(at.last) >= life {
		return nil
	}
	return at
}

// set gives a tab to an owner. The caller holds mu.
func (t *Table) set(id string, o *Owner, opened bool) *tab {
	at := t.tabs[id]
	if at == nil || at.owner != o {
		if before := t.kept(id); before != nil && before.isLeft() {
			before.owner.lose(Loss{Tab: id, By: o.called()})
		}
		at = &tab{owner: o}
		t.tabs[id] = at
		t.broadcast()
	}
	at.opened, at.last = at.opened || opened, time.Now()
	return at
}

// Created records a tab that another tab has opened. It belongs to the owner of its opener.
func (t *Table) Created(id, opener string) {
	if opener == "" {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if from := t.current(opener); from != nil && t.tabs[id] == nil {
		t.set(id, from.owner, true)
	}
}

// Closed notes that a tab is gone. Its owner hears of it, unless that was a step of its own.
func (t *Table) Closed(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := t.kept(id)
	if t.tabs[id] == nil {
		return
	}
	t.tabs[id].endWait()
	delete(t.tabs, id)
	if at != nil && (at.steps == 0 || at.closer != "") {
		at.owner.lose(Loss{Tab: id, By: at.closer, Closed: true})
	}
	t.broadcast()
}

// maxLosses is how many losses an agent hears of at once.
const maxLosses = 20

// lose tells an owner that it has lost a tab. The caller holds mu.
func (o *Owner) lose(l Loss) {
	if !o.left && len(o.losses) < maxLosses {
		o.losses = append(o.losses, l)
	}
}

// Shared reports whether tabs belong to nobody.
func (t *Table) Shared() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.shared
}

// Of returns the name of the agent that a tab belongs to; "" for nobody.
func (t *Table) Of(id string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if at := t.current(id); at != nil {
		return at.owner.called()
	}
	return ""
}

// called is the owner's name. The caller holds mu.
func (o *Owner) called() string { return cmp.Or(o.name, "another agent") }

// Rename sets what the agent is called, and the process that it is; 0 for one that is not known.
func (o *Owner) Rename(name string, pid int) {
	o.table.mu.Lock()
	defer o.table.mu.Unlock()
	o.name, o.pid = strings.TrimSpace(name), pid
}

// is reports whether two owners are one agent: a program may have several connections. The caller holds mu.
func (o *Owner) is(other *Owner) bool {
	return o == other || (o.program && other.program && o.pid != 0 && o.pid == other.pid)
}

// Other returns the other agent that a tab belongs to. rests says that it has done nothing there for a while. It
// returns nil for a tab of nobody and for the agent's own.
func (o *Owner) Other(id string) (other *Owner, rests bool) {
	o.table.mu.Lock()
	defer o.table.mu.Unlock()
	at := o.table.current(id)
	if at == nil || at.owner.is(o) {
		return nil, false
	}
	return at.owner, at.steps == 0 && time.Since(at.last) >= restLimit
}

// Owns reports whether a tab is the agent's.
func (o *Owner) Owns(id string) bool {
	o.table.mu.Lock()
	defer o.table.mu.Unlock()
	at := o.table.current(id)
	return at != nil && at.owner.is(o)
}

// Name returns what the agent is called.
func (o *Owner) Name() string {
	o.table.mu.Lock()
	defer o.table.mu.Unlock()
	return o.called()
}

// Look records that the agent looks at a tab. A tab of its own stays its own for a while longer.
func (o *Owner) Look(id string) {
	o.table.mu.Lock()
	defer o.table.mu.Unlock()
	if at := o.table.current(id); at != nil && at.owner.is(o) {
		at.last = time.Now()
	}
}

// Begin begins a step that acts in a tab. A tab of nobody becomes the agent's. For another agent's tab it returns that
// agent and nothing begins. Until end, nobody else gets the tab.
func (o *Owner) Begin(id string) (end func(), other *Owner) {
	t := o.table
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.shared || (o.program && !t.programs) || o.left {
		return func() {}, nil
	}
	if at := t.current(id); at != nil && !at.owner.is(o) {
		return nil, at.owner
	}

	at := t.tabs[id]
	if at != nil && at.owner != o && at.owner.is(o) {
		at.owner = o // another connection of the same program
	}
	at = t.set(id, o, false)
	at.steps++
	return sync.OnceFunc(func() { t.end(id, at) }), nil
}

// end ends a step in a tab, and hands the tab to who waits for it.
func (t *Table) end(id string, at *tab) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at.steps--
	at.last = time.Now()
	if at.steps > 0 || len(at.takers) == 0 || t.tabs[id] != at {
		return
	}
	next := at.takers[0].owner
	t.take(id, at, next)
	at.endWait()
}

// endWait ends the wait of all who were to get the tab. The caller holds mu.
func (at *tab) endWait() {
	for _, w := range at.takers {
		close(w.done)
	}
	at.takers = nil
}

// take gives a tab to another agent. The caller holds mu.
func (t *Table) take(id string, at *tab, to *Owner) {
	at.owner.lose(Loss{Tab: id, By: to.called()})
	t.set(id, to, false)
}

// Opened notes that the agent has opened a tab: it has asked for it.
func (o *Owner) Opened(id string) { o.open(id, false) }

// Found records a tab that has appeared during a step of the agent and whose opener is not known. It is the agent's
// until another agent turns out to have opened it.
func (o *Owner) Found(id string) { o.open(id, true) }

func (o *Owner) open(id string, found bool) {
	t := o.table
	t.mu.Lock()
	defer t.mu.Unlock()
	at := t.current(id)
	known := at != nil && at.opened && (found || (!at.found && !at.owner.is(o)))
	if id == "" || o.left || (o.program && !t.programs) || known {
		return
	}
	t.set(id, o, true).found = found
}

// Take makes a tab the agent's that belongs to from, as soon as from has ended its step there. A tab of nobody needs no
// from. It returns the agent that has the tab if that is somebody else, or if ctx ends first, and nil otherwise.
func (o *Owner) Take(ctx context.Context, id string, from *Owner) (other *Owner) {
	t := o.table
	t.mu.Lock()
	at := t.current(id)
	switch {
	case t.shared || o.left || (at != nil && at.owner.is(o)):
		t.mu.Unlock()
		return nil
	case at == nil:
		t.set(id, o, false)
		t.mu.Unlock()
		return nil
	case at.owner != from:
		t.mu.Unlock()
		return at.owner
	case at.steps == 0:
		t.take(id, at, o)
		t.mu.Unlock()
		return nil
	}
	waits := &taker{owner: o, done: make(chan struct{})}
	at.takers = append(at.takers, waits)
	t.mu.Unlock()

	select {
	case <-waits.done:
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	at.takers = slices.DeleteFunc(at.takers, func(w *taker) bool { return w == waits })
	if now := t.current(id); now != nil && !now.owner.is(o) {
		return now.owner
	}
	return nil
}

// Closing records that the agent is about to close a tab. If the tab belongs to another agent, that one hears who has
// closed it.
func (o *Owner) Closing(id string) {
	o.table.mu.Lock()
	defer o.table.mu.Unlock()
	if at := o.table.current(id); at != nil && !at.owner.is(o) {
		at.closer = o.called()
	}
}

// TakeLosses returns the tabs that the agent has lost since it was asked last.
func (o *Owner) TakeLosses() []Loss {
	o.table.mu.Lock()
	defer o.table.mu.Unlock()
	losses := o.losses
	o.losses = nil
	return losses
}
