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

// Profiles is what a supervisor asks of the store.
type Profiles interface {
	Get(ctx context.Context, id profile.ID) (profile.Profile, error)
	MarkOpened(ctx context.Context, id profile.ID, at time.Time) error
}

// Config is what a supervisor needs.
type Config struct {
	Profiles Profiles
	Access   Access
	Runner   Runner
	Log      *slog.Logger
	// AtOnce is how many launches run at a time.
	AtOnce int
	// Closed is called after a browser has gone and before its profile can start again; nil for nothing.
	Closed func(profile.ID)
}

// Supervisor makes the moves of every profile's session.
type Supervisor struct {
	Config
	feed  event.Feed[Status]
	queue *queue

	mu   sync.Mutex
	runs map[profile.ID]*run
	ends map[profile.ID]EndReason
	work sync.WaitGroup
}

// run is one session from start to close.
type run struct {
	id      profile.ID
	picture Status
	// ready is closed when the start has ended, well or not; then err tells.
	ready chan struct{}
	err   error
	// over is closed when the profile is closed again.
	over    chan struct{}
	browser Browser
	// cancel gives up a start; stopped says that somebody did.
	cancel  context.CancelFunc
	stopped bool
}

// launchLimit bounds one start, from spawning the keeper to the first page.
const launchLimit = 2 * time.Minute

// New makes a supervisor; Recover makes it know what is open already.
func New(c Config) *Supervisor {
	if c.Closed == nil {
		c.Closed = func(profile.ID) {}
	}
	return &Supervisor{Config: c, queue: newQueue(c.AtOnce), runs: map[profile.ID]*run{}, ends: map[profile.ID]EndReason{}}
}

// Recover takes over the browsers that are open already.
func (s *Supervisor) Recover(ctx context.Context) error {
	found, err := s.Runner.Find(ctx)
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
	// One that is open already answers at once, so that the first picture that anybody sees is the true one.
	for _, r := range s.all() {
		select {
		case <-r.ready:
		case <-time.After(3 * time.Second):
		}
	}
	return nil
}

func (s *Supervisor) newRun(id profile.ID, mode Mode) *run {
	return &run{id: id, picture: Status{ID: id, State: Closed, Mode: mode}, ready: make(chan struct{}), over: make(chan struct{}), cancel: func() {}}
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

// Start opens a profile and answers when it takes commands. A caller that joins a start in the same mode gets the same
// answer. With errors of kind Conflict the picture tells what is open.
func (s *Supervisor) Start(ctx context.Context, id profile.ID, w Options) (Status, error) {
	for {
		if err := s.Access.LoggedIn(ctx); err != nil {
			return Status{}, err
		}
		p, err := s.Profiles.Get(ctx, id)
		if err != nil {
			return Status{}, err
		}
		if w.Mode == Automation {
			if err := s.Access.Automation(ctx); err != nil {
				return Status{}, err
			}
			if err := s.Access.Agents(ctx, p); err != nil {
				return Status{}, err
			}
		}
		r, started := s.claim(p, w)
		if !started {
			again, err := s.joinable(ctx, r, w)
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
			return Status{}, ctx.Err() // the caller's patience; the start goes on
		}
		if r.err != nil {
			return Status{}, r.err
		}
		pic := s.statusOf(r)
		if pic.Mode != w.Mode { // a person's browser was found there and taken on
			return pic, errOrdinary(id)
		}
		return pic, nil
	}
}

// claim makes a new run, or answers the one that there is.
func (s *Supervisor) claim(p profile.Profile, w Options) (r *run, started bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.runs[p.ID]; r != nil {
		return r, false
	}
	r = s.newRun(p.ID, w.Mode)
	ctx, cancel := context.WithCancel(context.Background())
	r.cancel = cancel
	s.runs[p.ID] = r
	s.move(r, Starting)
	s.work.Go(func() {
		defer cancel()
		s.launch(ctx, r, p, w)
	})
	return r, true
}

// joinable says what a start meets in a run that is there: nil to wait for it, again to try once it is over, or the conflict.
func (s *Supervisor) joinable(ctx context.Context, r *run, w Options) (again bool, err error) {
	pic := s.statusOf(r)
	// A script that has closed the browser itself, and starts it again at once, may be faster than the news of it.
	if pic.State == Open && r.browser.Closing(ctx) {
		s.leave(r)
		pic = s.statusOf(r)
	}
	switch {
	case pic.State == Stopping || pic.State == Closed:
		select {
		case <-r.over:
			return true, nil
		case <-ctx.Done():
			return false, ctx.Err()
		}
	case pic.State == Starting && pic.Mode == w.Mode:
		return false, nil
	case pic.Mode == Ordinary && w.Mode == Automation:
		return false, errOrdinary(r.id)
	default:
		return false, errOpen(r.id)
	}
}

// launch runs one start in its turn.
func (s *Supervisor) launch(ctx context.Context, r *run, p profile.Profile, w Options) {
	leave, err := s.queue.enter(ctx)
	if err != nil {
		s.failStart(r, err)
		return
	}
	defer leave()
	ctx, cancel := context.WithTimeout(ctx, launchLimit)
	defer cancel()
	b, err := s.Runner.Start(ctx, p, w)
	if err != nil {
		s.failStart(r, err)
		return
	}
	s.mu.Lock()
	r.browser = b
	s.mu.Unlock()
	s.finishStart(ctx, r)
}

// finishStart waits until the browser of r takes commands, then watches it to its end.
func (s *Supervisor) finishStart(ctx context.Context, r *run) {
	facts, err := r.browser.Ready(ctx)
	s.mu.Lock()
	if err == nil && r.stopped {
		err = errStopped(r.id)
	}
	if err == nil {
		r.picture.Endpoint, r.picture.Mode = facts, facts.Mode
		s.move(r, Open)
		close(r.ready)
	}
	s.mu.Unlock()
	if err != nil {
		s.abandon(r)
		s.failStart(r, err)
		return
	}
	if err := s.Profiles.MarkOpened(context.WithoutCancel(ctx), r.id, facts.Opened); err != nil {
		s.Log.Warn("could not note when the profile was opened", "profile", r.id, "err", err)
	}
	s.work.Go(func() {
		select {
		case <-r.browser.Leaving():
			s.leave(r)
		case <-r.browser.Ended():
		}
		<-r.browser.Ended()
		s.close(r, r.browser.End())
	})
}

// leave notes that a browser has begun to close without our asking.
func (s *Supervisor) leave(r *run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.picture.State == Open {
		s.move(r, Stopping)
	}
}

// abandon ends what a failed start left running.
func (s *Supervisor) abandon(r *run) {
	ctx, cancel := context.WithTimeout(context.Background(), launchLimit)
	defer cancel()
	if err := r.browser.Stop(ctx); err != nil {
		s.Log.Error("could not end a failed start", "profile", r.id, "err", err)
	}
}

func (s *Supervisor) failStart(r *run, err error) {
	s.mu.Lock()
	if r.stopped {
		err = errStopped(r.id)
	}
	r.err = err
	s.mu.Unlock()
	s.Log.Warn("start failed", "profile", r.id, "err", err)
	s.close(r, Stopped)
	close(r.ready)
}

// close makes the last move of a run.
func (s *Supervisor) close(r *run, end EndReason) {
	s.Closed(r.id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.stopped {
		end = Stopped
	}
	r.picture.End = end
	s.ends[r.id] = end
	s.move(r, Closed)
	delete(s.runs, r.id)
	close(r.over)
}

// Stop closes a profile and answers when it is closed, also when it was before.
func (s *Supervisor) Stop(ctx context.Context, id profile.ID) error {
	s.mu.Lock()
	r := s.runs[id]
	if r == nil {
		s.mu.Unlock()
		return nil
	}
	first := !r.stopped
	r.stopped = true
	opening := r.picture.State == Starting
	if first && (opening || r.picture.State == Open) {
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

// move is the only place where a state changes: it checks, logs and publishes. The caller holds mu.
func (s *Supervisor) move(r *run, to State) {
	from := r.picture.State
	if !slices.Contains(moves[from], to) {
		panic(fmt.Sprintf("session: profile %s cannot go from %s to %s", r.id, from, to))
	}
	r.picture.State = to
	s.Log.Info("session", "profile", r.id, "state", to, "mode", r.picture.Mode, "port", r.picture.Endpoint.Port)
	s.feed.Publish(r.picture)
}

func (s *Supervisor) statusOf(r *run) Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return r.picture
}

// Get is the picture of one profile; closed when nothing is known of it.
func (s *Supervisor) Get(id profile.ID) Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.runs[id]; r != nil {
		return r.picture
	}
	return Status{ID: id, State: Closed, End: s.ends[id]}
}

// Running lists every profile that is not closed, in the order of their ids.
func (s *Supervisor) Running() []Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Status, 0, len(s.runs))
	for _, r := range s.runs {
		out = append(out, r.picture)
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

// IsOpen is the fault for a change that a profile must be closed for.
func ErrOpen(id profile.ID) error {
	return fault.New(fault.Conflict, "E_PROFILE_OPEN", "Profile "+id.String()+" is open.", "Close it first with: cove stop "+id.String())
}
