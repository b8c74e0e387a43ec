package session

import (
	"context"
	"errors"
	"sync"

	"cove/internal/profile"
)

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

// close ends a run. If the run was stopped, that is its reason, unless end is a better one.
func (s *Supervisor) close(r *run, end EndReason) {
	s.closed(r.id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.stopped && (end == "" || end == Exited || end == Crashed) {
		end = Stopped
	}
	r.status.End = end
	if r.status.Mode != Maintenance {
		s.ends[r.id] = end
	}
	s.move(r, Closed)
	delete(s.runs, r.id)
	close(r.over)
}

// Stop closes a profile and returns when it is closed. It does nothing for a profile that is closed already, and waits
// for one that Cove maintains.
func (s *Supervisor) Stop(ctx context.Context, id profile.ID) error {
	s.mu.Lock()
	r := s.runs[id]
	s.mu.Unlock()
	switch {
	case r == nil:
		return nil
	case s.statusOf(r).Mode == Maintenance:
		return waitOver(ctx, r)
	}
	return s.stop(ctx, r)
}

func waitOver(ctx context.Context, r *run) error {
	select {
	case <-r.over:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// stop closes the browser of a run and returns when it is gone.
func (s *Supervisor) stop(ctx context.Context, r *run) error {
	s.mu.Lock()
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
	return waitOver(ctx, r)
}

// StopAll closes every profile.
func (s *Supervisor) StopAll(ctx context.Context) error {
	var all sync.WaitGroup
	runs := s.all()
	errs := make([]error, len(runs))
	for i, r := range runs {
		all.Go(func() { errs[i] = s.Stop(ctx, r.id) })
	}
	all.Wait()
	return errors.Join(errs...)
}
