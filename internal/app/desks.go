package app

import (
	"context"
	"errors"

	"cove/internal/fault"
	"cove/internal/keeper"
	"cove/internal/policy"
	"cove/internal/profile"
	"cove/internal/session"
)

// desks is the person's side of every open profile's desk.
type desks struct{ *app }

// Apply puts a policy into force in an open profile. One that is about to open gets it as soon as it can be told.
func (d desks) Apply(ctx context.Context, id profile.ID, p policy.Policy) error {
	if err := d.settled(ctx, id); err != nil {
		return err
	}
	desk, err := keeper.FindDesk(d.Home.Profile(int32(id)))
	if err == nil {
		err = desk.SetPolicy(ctx, p)
	}
	if err == nil || errors.Is(err, keeper.ErrNoDesk) {
		return nil
	}
	return fault.New(fault.Unavailable, "E_POLICY_NOT_IN_FORCE", "The policy is stored, but the open profile "+id.String()+" did not take it: "+fault.From(err).Text+".",
		"Close the profile: it opens with the new one. cove stop "+id.String()).Because(err)
}

// settled waits until a profile is not starting: then its keeper either has been told what is stored, or can be told.
func (d desks) settled(ctx context.Context, id profile.ID) error {
	sub := d.sessions.Subscribe()
	defer func() { sub.Close() }()
	for d.sessions.Get(id).State == session.Starting {
		select {
		case _, ok := <-sub.C():
			if !ok { // too slow for every profile's changes
				sub = d.sessions.Subscribe()
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
