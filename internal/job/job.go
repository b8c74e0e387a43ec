// Package job runs one change over many profiles, and says how far it is.
package job

import (
	"context"
	"slices"
	"sync"
	"time"

	"cove/internal/event"
	"cove/internal/fault"
	"cove/internal/profile"
	"cove/internal/random"
)

// State is the state of a job.
type State string

// The states of a job.
const (
	Running State = "running"
	// Cancelling lasts until the profiles that the job has begun with are done.
	Cancelling State = "cancelling"
	Cancelled  State = "cancelled"
	Done       State = "done"
)

// Ended reports whether the job does nothing more.
func (s State) Ended() bool { return s == Cancelled || s == Done }

// Status describes a job at one moment.
type Status struct {
	ID    string
	Kind  string
	State State
	// Done and Failed count profiles. Their sum is Total when nothing was cancelled.
	Total, Done, Failed int
	// Failures are the first profiles that failed, with the reasons.
	Failures []Failure
	Started  time.Time
	Ended    time.Time // zero until the job ends
}

// Failure is a profile that a job could not change.
type Failure struct {
	Profile profile.ID
	Err     *fault.Error
}

// Work is what a job does.
type Work struct {
	// Kind names the change for people: tags, folder, start.
	Kind string
	IDs  []profile.ID
	// Batch is how many profiles Do gets at a time, and AtOnce how many calls of Do run at the same time.
	Batch, AtOnce int
	// Do changes all of the profiles or none. When it fails for several, the job tries them again in smaller batches to
	// find those that fail.
	Do func(ctx context.Context, ids []profile.ID) error
}

// The limits of what is remembered.
const (
	maxFailures = 20
	maxEnded    = 20
)

// Jobs runs jobs and remembers the last ones. It lives as long as the app: a job goes on when the window that asked for
// it is closed. Its methods may be called from any goroutine. Close ends it.
type Jobs struct {
	root context.Context
	end  context.CancelFunc
	feed event.Feed[Status]
	work sync.WaitGroup

	mu  sync.Mutex
	all []*job // the oldest first
}

// job is one job while it runs. Its status is guarded by the mutex of Jobs.
type job struct {
	status Status
	ctx    context.Context // ends when the job is cancelled
	cancel context.CancelFunc
}

// New makes an empty list of jobs.
func New() *Jobs {
	root, end := context.WithCancel(context.Background())
	return &Jobs{root: root, end: end}
}

// Close cancels every job and waits for what they have begun.
func (j *Jobs) Close() {
	j.end()
	j.work.Wait()
}

// Start starts a job and returns its first status.
func (j *Jobs) Start(w Work) Status {
	one := &job{status: Status{ID: random.Hex(6), Kind: w.Kind, State: Running, Total: len(w.IDs),
		Started: time.Now().UTC().Truncate(time.Millisecond)}}
	one.ctx, one.cancel = context.WithCancel(j.root)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.all = append(j.all, one)
	j.forget()
	first := one.status
	j.feed.Publish(first)
	j.work.Go(func() { j.run(one, w) })
	return first
}

// forget drops the oldest jobs that have ended. The caller holds mu.
func (j *Jobs) forget() {
	ended := 0
	for i, one := range slices.Backward(j.all) {
		if !one.status.State.Ended() {
			continue
		}
		if ended++; ended > maxEnded {
			j.all = slices.Delete(j.all, i, i+1)
		}
	}
}

// run does the work in batches until it is done or cancelled.
func (j *Jobs) run(one *job, w Work) {
	defer one.cancel()
	batches := make(chan []profile.ID)
	var workers sync.WaitGroup
	for range max(w.AtOnce, 1) {
		workers.Go(func() {
			for ids := range batches {
				if one.ctx.Err() == nil { // else it was handed over in the moment of the end
					j.do(one, w, ids)
				}
			}
		})
	}
	for ids := range slices.Chunk(w.IDs, max(w.Batch, 1)) {
		if one.ctx.Err() != nil {
			break
		}
		select {
		case batches <- ids:
		case <-one.ctx.Done():
		}
	}
	close(batches)
	workers.Wait()
	j.change(one, func(s *Status) {
		s.State, s.Ended = Done, time.Now().UTC().Truncate(time.Millisecond)
		if s.Done+s.Failed < s.Total {
			s.State = Cancelled
		}
	})
}

// do does the work for some profiles. A batch that has begun is finished, also when the job is cancelled.
func (j *Jobs) do(one *job, w Work, ids []profile.ID) {
	err := w.Do(j.root, ids)
	switch {
	case err == nil:
		j.change(one, func(s *Status) { s.Done += len(ids) })
	case j.root.Err() != nil: // the app ends: nobody knows whether it failed
	case len(ids) == 1:
		j.change(one, func(s *Status) {
			if s.Failed++; len(s.Failures) < maxFailures {
				s.Failures = append(slices.Clip(s.Failures), Failure{Profile: ids[0], Err: fault.From(err)})
			}
		})
	default:
		j.do(one, w, ids[:len(ids)/2])
		j.do(one, w, ids[len(ids)/2:])
	}
}

// change changes the status of a job and publishes it.
func (j *Jobs) change(one *job, edit func(*Status)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	edit(&one.status)
	j.feed.Publish(one.status)
}

// List returns the jobs that run and the last ones that ended, the newest first.
func (j *Jobs) List() []Status {
	j.mu.Lock()
	defer j.mu.Unlock()
	out := make([]Status, 0, len(j.all))
	for _, one := range slices.Backward(j.all) {
		out = append(out, one.status)
	}
	return out
}

// Get returns one job.
func (j *Jobs) Get(id string) (Status, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	one, err := j.find(id)
	if err != nil {
		return Status{}, err
	}
	return one.status, nil
}

// find returns a job. The caller holds mu.
func (j *Jobs) find(id string) (*job, error) {
	for _, one := range j.all {
		if one.status.ID == id {
			return one, nil
		}
	}
	return nil, fault.New(fault.CodeNotFound, "There is no such job.",
		"GET /v1.0/jobs lists the jobs. They are forgotten when the app stops.")
}

// Cancel stops a job. What it has done stays. A job that has ended stays as it is.
func (j *Jobs) Cancel(id string) (Status, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	one, err := j.find(id)
	if err != nil {
		return Status{}, err
	}
	if one.status.State == Running {
		one.cancel()
		one.status.State = Cancelling
		j.feed.Publish(one.status)
	}
	return one.status, nil
}

// Subscribe follows every change of every job.
func (j *Jobs) Subscribe() *event.Sub[Status] { return j.feed.Subscribe(256) }
