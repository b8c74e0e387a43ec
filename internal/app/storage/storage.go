// Package storage reaches the cookies and the local storage of profiles, open or closed.
package storage

import (
	"context"
	"errors"
	"time"

	"cove/internal/cookie"
	"cove/internal/fault"
	"cove/internal/keeperclient"
	"cove/internal/paths"
	"cove/internal/profile"
)

// Sessions opens a closed profile out of sight; *session.Supervisor does.
type Sessions interface {
	Maintain(ctx context.Context, id profile.ID, use func() error) error
}

// Storage reads and writes the data of profiles through their keepers.
type Storage struct {
	Home     paths.Home
	Sessions Sessions
}

// limit bounds one reading or writing, the start and the end of a hidden browser included.
const limit = 5 * time.Minute

// Read returns the data of a profile.
func (s Storage) Read(ctx context.Context, id profile.ID, q cookie.Query) (data cookie.Data, err error) {
	err = s.use(ctx, id, limit, func(ctx context.Context, c *keeperclient.Client) (err error) {
		data, err = c.ReadStorage(ctx, q)
		return err
	})
	return data, err
}

// Write adds all of data to a profile, or nothing. When it returns, the data of a closed profile is on the disk.
func (s Storage) Write(ctx context.Context, id profile.ID, data cookie.Data) error {
	return s.use(ctx, id, limit, func(ctx context.Context, c *keeperclient.Client) error {
		return c.WriteStorage(ctx, data)
	})
}

// Transfer replaces what a closed profile has of some sites. When it returns, the data is on the disk.
func (s Storage) Transfer(
	ctx context.Context, id profile.ID, t cookie.Transfer,
) (done cookie.Transferred, err error) {
	err = s.use(ctx, id, limit+t.Extra(), func(ctx context.Context, c *keeperclient.Client) error {
		done, err = c.Transfer(ctx, t)
		return err
	})
	return done, err
}

// Copy copies the data from the folder of a closed browser into a closed profile that has none.
func (s Storage) Copy(ctx context.Context, id profile.ID, from profile.External) (done cookie.Transferred, err error) {
	err = s.use(ctx, id, limit, func(ctx context.Context, c *keeperclient.Client) error {
		done, err = c.Copy(ctx, from)
		return err
	})
	return done, err
}

// use calls the keeper of a profile. If the caller goes away, use goes on, so that a change is made whole.
func (s Storage) use(
	ctx context.Context, id profile.ID, limit time.Duration, call func(context.Context, *keeperclient.Client) error,
) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	err := s.Sessions.Maintain(ctx, id, func() error {
		c, err := keeperclient.FindStorage(s.Home.Profile(id))
		if err != nil {
			return err
		}
		return call(ctx, c)
	})
	switch {
	case errors.Is(err, keeperclient.ErrNotOpen):
		return fault.New(fault.CodeNotOpen, "The browser of profile "+id.String()+" closed meanwhile.",
			"Try again.").Because(err)
	case errors.Is(err, context.DeadlineExceeded):
		return fault.New(fault.CodeTimeout, "The browser of profile "+id.String()+" did not answer in time.",
			"Close the profile and try again.").Because(err)
	}
	return err
}
