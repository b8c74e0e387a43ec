package session

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"cove/internal/event"
	"cove/internal/fault"
	"cove/internal/profile"
)

// Profiles is the part of the store that a supervisor needs.
type Profiles interface {
	Get(ctx context.Context, id profile.ID) (profile.Profile, error)
	MarkOpened(ctx context.Context, id profile.ID, at time.Time) error
}

// Config holds what a supervisor needs.
type Config struct {
	Profiles Profiles
	Access   Access
	Runner   Runner
	Log      *slog.Logger
	// AtOnce is how many launches run at the same time.
	AtOnce int
	// Closed is called after a browser is gone, and before its profile can start again. It may be nil.
	Closed func(profile.ID)
}

// Supervisor owns the session of every profile: it starts, watches and stops their browsers, and nobody else changes a
// state. move is the only function that does, under mu: it checks the table of moves, logs and publishes.
//
// A run exists from the start of a session to its end, and a profile has at most one. Each run has one goroutine that
// owns it: first launch, then the goroutine that finishStart leaves behind. The exported methods may be called from
// any goroutine. Their contexts bound only the caller's wait: a start that nobody waits for goes on.
type Supervisor struct {
	profiles Profiles
	access   Access
	runner   Runner
	log      *slog.Logger
	closed   func(profile.ID)
	feed     event.Feed[Status]
	queue    *queue

	mu   sync.Mutex
	runs map[profile.ID]*run
	ends map[profile.ID]EndReason
	// failed are the profiles whose last start failed.
	failed map[profile.ID]*StartFailure
	work   sync.WaitGroup
}

// run is one session from start to close.
type run struct {
	id     profile.ID
	status Status
	// external says that the profile stands for a person's own browser.
	external bool
	// ready is closed when the start has ended. Then err is nil, or says why the start failed.
	ready chan struct{}
	err   error
	// over is closed when the profile is closed again.
	over    chan struct{}
	browser Browser
	// cancel abandons a start; stopped reports that somebody stopped the session.
	cancel  context.CancelFunc
	stopped bool
}

// launchLimit bounds one start, from spawning the keeper to the first page.
const launchLimit = 2 * time.Minute

// shareLimit bounds the start of a person's browser: the person may have to look for it first. Whoever stops waiting
// leaves a question in that browser.
const shareLimit = 30 * time.Minute

// New makes a supervisor. Recover tells it of the browsers that are open already.
func New(c Config) *Supervisor {
	if c.Closed == nil {
		c.Closed = func(profile.ID) {}
	}
	return &Supervisor{
		profiles: c.Profiles, access: c.Access, runner: c.Runner, log: c.Log, closed: c.Closed,
		queue: newQueue(c.AtOnce), runs: map[profile.ID]*run{}, ends: map[profile.ID]EndReason{},
		failed: map[profile.ID]*StartFailure{},
	}
}

// Recover takes charge of the browsers that are open already.
func (s *Supervisor) Recover(ctx context.Context) error {
	found, err := s.runner.Find(ctx)
	if err != nil {
		return err
	}
	for id, b := range found {
		r := s.newRun(id, b.Mode())
		r.browser = b
		if p, err := s.profiles.Get(ctx, id); err == nil {
			r.external = p.External.Set()
		}
		// Without a limit: a person's browser is not closed because its keeper is slow to answer.
		ready, cancel := context.WithCancel(context.WithoutCancel(ctx))
		r.cancel = cancel
		s.mu.Lock()
		s.runs[id] = r
		s.move(r, Starting)
		s.mu.Unlock()
		s.work.Go(func() {
			defer cancel()
			s.finishStart(ready, r)
		})
	}
	// A browser that is open answers at once. Waiting makes the first status that anybody reads the true one.
	for _, r := range s.all() {
		select {
		case <-r.ready:
		case <-time.After(3 * time.Second):
		}
	}
	return nil
}

func (s *Supervisor) newRun(id profile.ID, mode Mode) *run {
	return &run{
		id: id, status: Status{ID: id, State: Closed, Mode: mode},
		ready: make(chan struct{}), over: make(chan struct{}), cancel: func() {},
	}
}

func (s *Supervisor) all() []*run {
	s.mu.Lock()
	defer s.mu.Unlock()
	runs := make([]*run, 0, len(s.runs))
	for _, r := range s.runs {
		runs = append(runs, r)
	}
	return runs
}

// move changes the state of a run: it checks the move, logs and publishes. The caller holds mu.
func (s *Supervisor) move(r *run, to State) {
	from := r.status.State
	if !slices.Contains(moves[from], to) {
		panic(fmt.Sprintf("session: profile %s cannot go from %s to %s", r.id, from, to))
	}
	r.status.State = to
	s.log.Info("session", "profile", r.id, "state", to, "mode", r.status.Mode, "port", r.status.Endpoint.Port)
	s.feed.Publish(r.status)
}

func (s *Supervisor) statusOf(r *run) Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return r.status
}

// Get returns the status of one profile; it is closed when nothing is known of it.
func (s *Supervisor) Get(id profile.ID) Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.runs[id]; r != nil {
		return r.status
	}
	return Status{ID: id, State: Closed, End: s.ends[id], Failed: s.failed[id]}
}

// Running lists every profile that is not closed, in the order of their ids, without those that Cove maintains.
func (s *Supervisor) Running() []Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Status, 0, len(s.runs))
	for _, r := range s.runs {
		if r.status.Mode != Maintenance {
			out = append(out, r.status)
		}
	}
	slices.SortFunc(out, func(a, b Status) int { return int(a.ID) - int(b.ID) })
	return out
}

// Subscribe follows every change of state.
func (s *Supervisor) Subscribe() *event.Sub[Status] { return s.feed.Subscribe(256) }

// ErrOpen refuses a change that needs a closed profile.
func ErrOpen(id profile.ID) error {
	return fault.New(fault.CodeProfileOpen, "Profile "+id.String()+" is open.",
		"Close it first with: cove stop "+id.String())
}
