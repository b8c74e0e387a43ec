package session

import (
	"context"
	"errors"
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
	work sync.WaitGroup
}

// run is one session from start to close.
type run struct {
	id     profile.ID
	status Status
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

// New makes a supervisor. Recover tells it of the browsers that are open already.
func New(c Config) *Supervisor {
	if c.Closed == nil {
		c.Closed = func(profile.ID) {}
	}
	return &Supervisor{
		profiles: c.Profiles, access: c.Access, runner: c.Runner, log: c.Log, closed: c.Closed,
		queue: newQueue(c.AtOnce), runs: map[profile.ID]*run{}, ends: map[profile.ID]EndReason{},
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

// Start opens a profile and returns when the browser accepts commands. A caller that joins a start in the same mode
// gets the same result. With an error of kind Conflict the status says what is open.
func (s *Supervisor) Start(ctx context.Context, id profile.ID, o Options) (Status, error) {
	for {
		if err := s.access.LoggedIn(ctx); err != nil {
			return Status{}, err
		}
		p, err := s.profiles.Get(ctx, id)
		if err != nil {
			return Status{}, err
		}
		if o.Mode == Automation {
			if err := s.access.Automation(ctx); err != nil {
				return Status{}, err
			}
			if err := s.access.Agents(ctx, p); err != nil {
				return Status{}, err
			}
		}
		r, started := s.findOrStart(p, o)
		if !started {
			again, err := s.joinable(ctx, r, o)
			if err != nil {
				return s.Get(id), err
			}
			if again {
				continue
			}
		}
		select {
		case <-r.ready:
		case <-ctx.Done():
			return Status{}, ctx.Err() // the caller waits no longer; the start goes on
		}
		if r.err != nil {
			return Status{}, r.err
		}
		status := s.statusOf(r)
		if status.Mode != o.Mode { // the keeper found a person's browser there and adopted it
			return status, errOrdinary(id)
		}
		return status, nil
	}
}

// AdmitsAgents says why agents may not work in a profile; nil when they may.
func (s *Supervisor) AdmitsAgents(ctx context.Context, p profile.Profile) error {
	return s.access.Agents(ctx, p)
}

// findOrStart returns the run that exists, or starts a new one.
func (s *Supervisor) findOrStart(p profile.Profile, o Options) (r *run, started bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.runs[p.ID]; r != nil {
		return r, false
	}
	r = s.newRun(p.ID, o.Mode)
	ctx, cancel := context.WithCancel(context.Background())
	r.cancel = cancel
	s.runs[p.ID] = r
	s.move(r, Starting)
	s.work.Go(func() {
		defer cancel()
		s.launch(ctx, r, p, o)
	})
	return r, true
}

// joinable says what a start does about a run that exists: wait for it, try again once it is over, or fail with a
// conflict.
func (s *Supervisor) joinable(ctx context.Context, r *run, o Options) (again bool, err error) {
	status := s.statusOf(r)
	// A script that closed the browser itself, and starts it again at once, may be faster than the news of the end.
	if status.State == Open && r.browser.IsClosing(ctx) {
		s.markClosing(r)
		status = s.statusOf(r)
	}
	switch {
	case status.State == Stopping || status.State == Closed:
		select {
		case <-r.over:
			return true, nil
		case <-ctx.Done():
			return false, ctx.Err()
		}
	case status.State == Starting && status.Mode == o.Mode:
		return false, nil
	case status.Mode == Ordinary && o.Mode == Automation:
		return false, errOrdinary(r.id)
	default:
		return false, errOpen(r.id)
	}
}

// launch runs one start in its turn.
func (s *Supervisor) launch(ctx context.Context, r *run, p profile.Profile, o Options) {
	release, err := s.queue.acquire(ctx)
	if err != nil {
		s.failStart(r, err)
		return
	}
	defer release()
	ctx, cancel := context.WithTimeout(ctx, launchLimit)
	defer cancel()
	b, err := s.runner.Start(ctx, p, o)
	if err != nil {
		s.failStart(r, err)
		return
	}
	s.mu.Lock()
	r.browser = b
	s.mu.Unlock()
	s.finishStart(ctx, r)
}

// finishStart waits until the browser of r accepts commands, then watches it to its end.
func (s *Supervisor) finishStart(ctx context.Context, r *run) {
	endpoint, err := r.browser.Ready(ctx)
	s.mu.Lock()
	if err == nil && r.stopped {
		err = errStopped(r.id)
	}
	if err == nil {
		r.status.Endpoint, r.status.Mode = endpoint, endpoint.Mode
		s.move(r, Open)
		close(r.ready)
	}
	s.mu.Unlock()
	if err != nil {
		s.abandon(r)
		s.failStart(r, err)
		return
	}
	if err := s.profiles.MarkOpened(context.WithoutCancel(ctx), r.id, endpoint.Opened); err != nil {
		s.log.Warn("could not store when the profile was opened", "profile", r.id, "err", err)
	}
	s.work.Go(func() {
		select {
		case <-r.browser.Closing():
			s.markClosing(r)
		case <-r.browser.Done():
		}
		<-r.browser.Done()
		s.close(r, r.browser.EndReason())
	})
}

// markClosing moves a session whose browser has begun to close on its own.
func (s *Supervisor) markClosing(r *run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.status.State == Open {
		s.move(r, Stopping)
	}
}

// abandon ends what a failed start left running.
func (s *Supervisor) abandon(r *run) {
	ctx, cancel := context.WithTimeout(context.Background(), launchLimit)
	defer cancel()
	if err := r.browser.Stop(ctx); err != nil {
		s.log.Error("could not end a failed start", "profile", r.id, "err", err)
	}
}

func (s *Supervisor) failStart(r *run, err error) {
	s.mu.Lock()
	if r.stopped {
		err = errStopped(r.id)
	}
	r.err = err
	s.mu.Unlock()
	s.log.Warn("start failed", "profile", r.id, "err", err)
	s.close(r, Stopped)
	close(r.ready)
}

// close ends a run.
func (s *Supervisor) close(r *run, end EndReason) {
	s.closed(r.id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.stopped {
		end = Stopped
	}
	r.status.End = end
	s.ends[r.id] = end
	s.move(r, Closed)
	delete(s.runs, r.id)
	close(r.over)
}

// Stop closes a profile and returns when it is closed. It does nothing for a profile that is closed already.
func (s *Supervisor) Stop(ctx context.Context, id profile.ID) error {
	s.mu.Lock()
	r := s.runs[id]
	if r == nil {
		s.mu.Unlock()
		return nil
	}
	first := !r.stopped
	r.stopped = true
	opening := r.status.State == Starting
	if first && (opening || r.status.State == Open) {
		s.move(r, Stopping)
	}
	s.mu.Unlock()
	if first {
		if opening {
			r.cancel()
		} else {
			s.work.Go(func() { s.abandon(r) })
		}
	}
	select {
	case <-r.over:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
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
	return Status{ID: id, State: Closed, End: s.ends[id]}
}

// Running lists every profile that is not closed, in the order of their ids.
func (s *Supervisor) Running() []Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Status, 0, len(s.runs))
	for _, r := range s.runs {
		out = append(out, r.status)
	}
	slices.SortFunc(out, func(a, b Status) int { return int(a.ID) - int(b.ID) })
	return out
}

// StopAll closes every profile.
func (s *Supervisor) StopAll(ctx context.Context) error {
	var all sync.WaitGroup
	running := s.Running()
	errs := make([]error, len(running))
	for i, p := range running {
		all.Go(func() { errs[i] = s.Stop(ctx, p.ID) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// Subscribe follows every change of state.
func (s *Supervisor) Subscribe() *event.Sub[Status] { return s.feed.Subscribe(256) }

// ErrOpen refuses a change that needs a closed profile.
func ErrOpen(id profile.ID) error {
	return fault.New(fault.CodeProfileOpen, "Profile "+id.String()+" is open.",
		"Close it first with: cove stop "+id.String())
}
