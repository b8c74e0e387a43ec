package session

import (
	"context"
	"errors"
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
		if err := s.sharable(p, o); err != nil {
			return s.Get(id), err
		}
		r, started := s.findOrStart(p, o)
		if r == nil {
			continue
		}
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

// sharable says why a profile that stands for a person's browser cannot be opened. Only the person can share it.
func (s *Supervisor) sharable(p profile.Profile, o Options) error {
	switch {
	case !p.External.Set():
		return nil
	case o.Mode != Automation || o.Headless:
		return fault.New(fault.CodeAdoptNotOurs,
			"Profile "+p.ID.String()+" is a browser that you use outside Cove, and has no data of its own.",
			"Use that browser itself. "+s.nextExternal(p.ID))
	case s.Get(p.ID).State == Closed && !o.Shared:
		return fault.New(fault.CodeAdoptClosed,
			"Profile "+p.ID.String()+" is a person's own browser, and not shared now.",
			"Its user can share it with: cove adopt "+p.ID.String())
	}
	return nil
}

// nextExternal says how agents get into a person's own browser.
func (s *Supervisor) nextExternal(id profile.ID) string {
	if s.Get(id).State == Open {
		return "Agents can work in it: it is shared now. " + nextShared(id)
	}
	return "To let agents work in it, run: cove adopt " + id.String()
}

// setStep says what the start of a shared browser waits for.
func (s *Supervisor) setStep(r *run, step string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.status.State == Starting && r.status.Step != step {
		r.status.Step = step
		s.feed.Publish(r.status)
	}
}

// findOrStart returns the run that exists, or starts a new one. It returns nil when the sharing of a person's browser
// has ended that the caller wanted to join.
func (s *Supervisor) findOrStart(p profile.Profile, o Options) (r *run, started bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.runs[p.ID]; r != nil {
		return r, false
	}
	if p.External.Set() && !o.Shared {
		return nil, false
	}
	r = s.newRun(p.ID, o.Mode)
	r.external = p.External.Set()
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
		return false, errOpen(r.id, r.external)
	}
}

// launch runs one start in its turn.
func (s *Supervisor) launch(ctx context.Context, r *run, p profile.Profile, o Options) {
	limit := shareLimit
	if !p.External.Set() { // a browser that is open already takes nobody's turn, and waits for its person
		limit = launchLimit
		release, err := s.queue.acquire(ctx)
		if err != nil {
			s.failStart(r, err)
			return
		}
		defer release()
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	p, err := s.current(ctx, p, o)
	if err != nil {
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
	endpoint, err := r.browser.Ready(ctx, func(step string) { s.setStep(r, step) })
	s.mu.Lock()
	if err == nil && r.stopped {
		err = r.errStopped()
	}
	if err == nil {
		r.status.Endpoint, r.status.Mode, r.status.Step = endpoint, endpoint.Mode, ""
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
	switch {
	case r.stopped:
		err = r.errStopped()
	case r.external && fault.KindOf(err) == fault.Internal && errors.Is(err, context.DeadlineExceeded):
		err = ErrShareLate(r.id)
	}
	r.err = err
	if !r.stopped && r.status.Mode != Maintenance {
		r.status.Failed = &StartFailure{Err: fault.From(err), Mode: r.status.Mode,
			At: time.Now().UTC().Truncate(time.Millisecond)}
		s.failed[r.id] = r.status.Failed
	}
	s.mu.Unlock()
	s.log.Warn("start failed", "profile", r.id, "err", err)
	s.close(r, r.failedEnd(err))
	close(r.ready)
}

// errStopped says that somebody stopped the start of a run.
func (r *run) errStopped() error {
	if r.external {
		return ErrShareStopped(r.id)
	}
	return errStopped(r.id)
}

// failedEnd says how a start ended that failed. The browser is gone by then.
func (r *run) failedEnd(err error) EndReason {
	switch {
	case !r.external:
		return Stopped
	case fault.From(err).Code == fault.CodeAdoptRefused:
		return Refused
	case r.browser != nil:
		switch end := r.browser.EndReason(); end {
		case KeeperEnded, SwitchedOff, BrowserQuit:
			return end
		}
	}
	return Stopped
}
