// Package logins brings the logins of a browser that a person uses outside Cove into a profile: it connects, lists the
// sites, waits for the person's choice, and writes what was chosen. Values stay in memory, and only as long as that.
package logins

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"cove/internal/cookie"
	"cove/internal/external"
	"cove/internal/fault"
	"cove/internal/profile"
	"cove/internal/random"
)

// The steps of an import beside those of external.Dial.
const (
	// OtherProfile waits for a window of the chosen profile to be in front.
	OtherProfile external.Step = "other-profile"
	Reading      external.Step = "reading"
	// Choosing waits for the person to choose sites.
	Choosing external.Step = "choosing"
	Writing  external.Step = "writing"
	Done     external.Step = "done"
	Failed   external.Step = "failed"
)

// Status describes an import at one moment. It has no values.
type Status struct {
	ID      string
	Profile profile.ID
	Source  profile.External
	Step    external.Step
	// Sites are those that can be chosen.
	Sites []cookie.Count
	// Copy says that the browser is closed, so that only everything can be chosen.
	Copy bool
	// Opaque counts cookies that cannot be taken along, because their partition has no name.
	Opaque int
	Result *cookie.Transferred
	Fault  *fault.Error
	// Version grows with every change.
	Version int
}

// Ended reports whether the import does nothing more.
func (s Status) Ended() bool { return s.Step == Done || s.Step == Failed }

// Choice is what the person wants of what is there.
type Choice struct {
	Sites []string
	All   bool
	// Storage asks for local storage, too.
	Storage bool
}

// Storage writes into a closed profile.
type Storage interface {
	Transfer(ctx context.Context, id profile.ID, t cookie.Transfer) (cookie.Transferred, error)
	Copy(ctx context.Context, id profile.ID, from profile.External) (cookie.Transferred, error)
}

const (
	// chooseLimit is how long the connection stays open while nobody chooses.
	chooseLimit = 10 * time.Minute
	// watchLimit is how long an import waits at a step that nobody watches: whoever began it is gone.
	watchLimit = time.Minute
)

// Imports runs one import at a time: every connection is a dialog in the person's browser.
type Imports struct {
	storage   Storage
	log       *slog.Logger
	questions external.Questions

	mu      sync.Mutex
	current *run
}

type run struct {
	status  Status
	changed chan struct{} // closed and replaced with every change
	choice  chan Choice
	cancel  context.CancelFunc
	over    chan struct{}
	release func() // lets others ask the browser

	watching int
	watched  time.Time   // when the last one who watched left
	expiry   *time.Timer // cancels the import when nobody has watched it for a while
}

// New returns Imports that write through storage.
func New(storage Storage, log *slog.Logger) *Imports { return &Imports{storage: storage, log: log} }

// Reserve reserves a browser for the sharing of a profile, as external.Questions does. An import from it is refused
// until release is called.
func (i *Imports) Reserve(dataDir string, by external.Requester) (release func(), holder external.Requester, ok bool) {
	return i.questions.Reserve(dataDir, by)
}

// Begin starts an import into a profile. It reserves the browser and then calls mayAsk, which says why that browser
// cannot be asked now.
func (i *Imports) Begin(id profile.ID, source profile.External, mayAsk func() error) (Status, error) {
	release, holder, ok := i.questions.Reserve(source.DataDir, external.Requester{Profile: id, Import: true})
	switch {
	case !ok && holder.Import:
		return Status{}, errTwice(holder.Profile)
	case !ok:
		return Status{}, ErrAsked(holder.Profile)
	}
	if err := mayAsk(); err != nil {
		release()
		return Status{}, err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.current != nil && !i.current.status.Ended() {
		release()
		return Status{}, errTwice(i.current.status.Profile)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &run{release: release, status: Status{ID: random.Hex(8), Profile: id, Source: source, Step: Reading,
		Sites: []cookie.Count{}},
		changed: make(chan struct{}), choice: make(chan Choice, 1), cancel: cancel, over: make(chan struct{})}
	r.expiry = time.AfterFunc(watchLimit, func() { i.abandon(r) })
	i.current = r
	go func() {
		defer close(r.over)
		defer r.expiry.Stop()
		defer cancel()
		defer release()
		if err := i.run(ctx, r); err != nil {
			i.log.Warn("no logins were imported", "profile", id, "err", err)
			i.change(r, func(s *Status) { s.Step, s.Fault = Failed, fault.From(err) })
		}
	}()
	return r.status, nil
}

func errTwice(id profile.ID) error {
	return fault.New(fault.CodeImportTwice, "Another import into profile "+id.String()+" is in progress.",
		"Cancel it in the window, under Data of that profile, or wait: it ends after ten minutes without a choice.")
}

// ErrAsked refuses an import from a browser that a profile is waiting to share: it would ask twice.
func ErrAsked(id profile.ID) error {
	return fault.New(fault.CodeImportTwice, "That browser is waiting to be shared with agents, as profile "+id.String()+
		".", "Answer it there, or end that with: cove stop "+id.String()+". Then start the import again.")
}

// abandon cancels an import that nobody watches, unless it writes.
func (i *Imports) abandon(r *run) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if r.watching == 0 && time.Since(r.watched) >= watchLimit && r.status.Step != Writing {
		r.cancel()
	}
}

// watch counts somebody who watches an import, until they call the function that it returns.
func (i *Imports) watch(r *run) func() {
	add := func(n int) {
		i.mu.Lock()
		defer i.mu.Unlock()
		r.watching += n
		r.watched = time.Now()
	}
	add(1)
	return func() {
		add(-1)
		r.expiry.Reset(watchLimit)
	}
}

// List returns the import that is under way, or the last one.
func (i *Imports) List() []Status {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.current == nil {
		return nil
	}
	return []Status{i.current.status}
}

// Close cancels the import that is under way. What is being written is made whole first.
func (i *Imports) Close() {
	for _, s := range i.List() {
		_, _ = i.Cancel(s.ID)
	}
}

// Get waits until the version of an import is not the known one, or the import or ctx ends, and returns the import.
func (i *Imports) Get(ctx context.Context, id string, known int) (Status, error) {
	r, err := i.find(id)
	if err != nil {
		return Status{}, err
	}
	defer i.watch(r)()
	for {
		i.mu.Lock()
		status, changed := r.status, r.changed
		i.mu.Unlock()
		if status.Version != known || status.Ended() {
			return status, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return status, nil
		}
	}
}

// Choose goes on with what the person chose.
func (i *Imports) Choose(id string, c Choice) (Status, error) {
	r, err := i.find(id)
	if err != nil {
		return Status{}, err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if r.status.Step != Choosing {
		return r.status, fault.New(fault.CodeImportTwice, "The import is not waiting for a choice.", "Start it again.")
	}
	if r.status.Copy && !c.All {
		const text = "That browser is closed, and its folder can only be copied whole."
		return r.status, fault.Unprocessablef("all", text).
			WithHint("Choose everything, or open that browser and import single sites from it.")
	}
	for _, site := range c.Sites {
		if !slices.ContainsFunc(r.status.Sites, func(n cookie.Count) bool { return n.Site == site }) {
			return r.status, unknownSite(site)
		}
	}
	r.choice <- c // it has room for one, and the step changes with it
	i.set(r, func(s *Status) { s.Step = Reading })
	return r.status, nil
}

// Cancel ends an import. What is being written is made whole first.
func (i *Imports) Cancel(id string) (Status, error) {
	r, err := i.find(id)
	if err != nil {
		return Status{}, err
	}
	r.cancel()
	<-r.over
	i.mu.Lock()
	defer i.mu.Unlock()
	return r.status, nil
}

func (i *Imports) find(id string) (*run, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.current == nil || i.current.status.ID != id {
		return nil, fault.New(fault.CodeNotFound, "There is no such import.", "Start it again.")
	}
	return i.current, nil
}

func (i *Imports) change(r *run, edit func(*Status)) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.set(r, edit)
}

// set is change for a caller who holds mu.
func (i *Imports) set(r *run, edit func(*Status)) {
	edit(&r.status)
	r.status.Version++
	close(r.changed)
	r.changed = make(chan struct{})
}

func unknownSite(site string) error {
	f := fault.Unprocessablef("sites", "That browser has nothing of %q.", site)
	if whole := cookie.SiteOf(site); whole != site {
		return f.WithHint("Logins belong to whole sites. Name " + whole + ".")
	}
	return f.WithHint("Choose one of the sites that are listed.")
}
