package session

import (
	"context"
	"errors"

	"cove/internal/fault"
	"cove/internal/profile"
)

// Maintain calls use while Cove can reach the browser of a profile. A profile that is open for automation stays open.
// A closed one opens hidden and without a network, and is closed again when Maintain returns: what use wrote is on the
// disk then. A profile that is open in ordinary mode is refused, because nothing reaches its browser.
func (s *Supervisor) Maintain(ctx context.Context, id profile.ID, use func() error) error {
	for {
		if err := s.access.LoggedIn(ctx); err != nil {
			return err
		}
		p, err := s.profiles.Get(ctx, id)
		if err != nil {
			return err
		}
		if err := s.sharable(p, Options{Mode: Maintenance}); err != nil {
			return err
		}
		r, started := s.findOrStart(p, Options{Mode: Maintenance, Headless: true, NoTabs: true})
		if !started {
			again, err := s.awaitUsable(ctx, r)
			if err != nil {
				return err
			}
			if again {
				continue
			}
			return use()
		}
		return s.maintain(ctx, r, use)
	}
}

// maintain calls use with the hidden browser of r, and closes it. A caller that has gone does not leave it open.
func (s *Supervisor) maintain(ctx context.Context, r *run, use func() error) error {
	select {
	case <-r.ready:
	case <-ctx.Done():
		_ = s.stop(context.WithoutCancel(ctx), r)
		return ctx.Err()
	}
	if r.err != nil {
		return r.err
	}
	if s.statusOf(r).Mode != Maintenance { // the keeper found a person's browser there and adopted it
		return errUseOrdinary(r.id)
	}
	err := use()
	return errors.Join(err, s.stop(context.WithoutCancel(ctx), r))
}

// awaitUsable waits until Cove can reach the browser of a run that exists. again is true if the run has ended or moved
// on instead.
func (s *Supervisor) awaitUsable(ctx context.Context, r *run) (again bool, err error) {
	status := s.statusOf(r)
	wait := r.over
	switch {
	case status.State == Open && status.Mode == Automation && !r.browser.IsClosing(ctx):
		return false, nil
	case status.Mode == Ordinary && (status.State == Open || status.State == Starting):
		return false, errUseOrdinary(r.id)
	case status.State == Open && status.Mode == Automation:
		s.markClosing(r)
	case status.State == Starting && status.Mode == Automation:
		wait = r.ready
	}
	select {
	case <-wait:
		return true, nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

func errUseOrdinary(id profile.ID) *fault.Error {
	return fault.New(fault.CodeBrowserOpenOrdinary,
		"Profile "+id.String()+" is open in ordinary mode, where its cookies and storage cannot be reached.",
		"Close it first with: cove stop "+id.String())
}
