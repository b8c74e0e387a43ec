package session

import (
	"context"
	"time"

	"cove/internal/fault"
	"cove/internal/profile"
)

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
	if o.Mode != Maintenance {
		delete(s.failed, p.ID)
	}
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
	case status.State == Stopping || status.State == Closed || status.Mode == Maintenance:
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
	if p, err = s.current(ctx, p, o); err != nil {
		s.failStart(r, err)
		return
	}
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

// current returns the profile as it is when its turn has come. It may have another proxy or other rules than when the
// start was asked for.
func (s *Supervisor) current(ctx context.Context, asked profile.Profile, o Options) (profile.Profile, error) {
	p, err := s.profiles.Get(ctx, asked.ID)
	if err != nil {
		return p, err
	}
	if o.Mode == Automation {
		return p, s.access.Agents(ctx, p)
	}
	return p, nil
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
	if endpoint.Mode != Maintenance {
		s.markOpened(ctx, r.id, endpoint.Opened)
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

func (s *Supervisor) markOpened(ctx context.Context, id profile.ID, at time.Time) {
	if err := s.profiles.MarkOpened(context.WithoutCancel(ctx), id, at); err != nil {
		s.log.Warn("could not store when the profile was opened", "profile", id, "err", err)
	}
}

func (s *Supervisor) failStart(r *run, err error) {
	s.mu.Lock()
	if r.stopped {
		err = errStopped(r.id)
	}
	r.err = err
	if !r.stopped && r.status.Mode != Maintenance {
		r.status.Failed = &StartFailure{Err: fault.From(err), Mode: r.status.Mode,
			At: time.Now().UTC().Truncate(time.Millisecond)}
		s.failed[r.id] = r.status.Failed
	}
	s.mu.Unlock()
	s.log.Warn("start failed", "profile", r.id, "err", err)
	s.close(r, Stopped)
	close(r.ready)
}
