package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cove/api"
	"cove/internal/event"
	"cove/internal/keeper"
	"cove/internal/paths"
	"cove/internal/process"
	"cove/internal/profile"
	"cove/internal/session"
)

// profiles is the store's rows together with their folders on disk.
type profiles struct {
	profile.Store
	home     paths.Home
	log      *slog.Logger
	sessions *session.Supervisor
	changes  *event.Feed[api.ProfileEvent]
}

func (p *profiles) tell(change string, ids ...profile.ID) {
	e := api.ProfileEvent{Change: change}
	for _, id := range ids {
		e.IDs = append(e.IDs, int32(id))
	}
	p.changes.Publish(e)
}

func (p *profiles) Create(ctx context.Context, ps ...profile.Profile) ([]profile.Profile, error) {
	for _, one := range ps {
		if err := checkBrowser(one.Browser); err != nil {
			return nil, err
		}
	}
	made, err := p.Store.Create(ctx, ps...)
	if err == nil {
		p.tell("created", idsOf(made)...)
	}
	return made, err
}

func idsOf(ps []profile.Profile) []profile.ID {
	ids := make([]profile.ID, len(ps))
	for i, one := range ps {
		ids[i] = one.ID
	}
	return ids
}

func (p *profiles) Update(ctx context.Context, id profile.ID, edit func(*profile.Profile) error) (profile.Profile, error) {
	changed, err := p.Store.Update(ctx, id, func(one *profile.Profile) error {
		before := one.Browser
		if err := edit(one); err != nil {
			return err
		}
		if one.Browser == before { // one that is gone does not keep the rest from being changed
			return nil
		}
		return checkBrowser(one.Browser)
	})
	if err == nil {
		p.tell("edited", id)
	}
	return changed, err
}

func (p *profiles) Trash(ctx context.Context, ids ...profile.ID) error {
	if err := p.mustBeClosed(ctx, ids); err != nil {
		return err
	}
	if err := p.Store.Trash(ctx, ids...); err != nil {
		return err
	}
	p.tell("trashed", ids...)
	return nil
}

func (p *profiles) Restore(ctx context.Context, id profile.ID) (profile.Profile, error) {
	restored, err := p.Store.Restore(ctx, id)
	if err == nil {
		p.tell("restored", id)
	}
	return restored, err
}

// mustBeClosed refuses ids that are not known, then those that are open.
func (p *profiles) mustBeClosed(ctx context.Context, ids []profile.ID) error {
	for _, id := range ids {
		if known, err := p.Known(ctx, id); err != nil {
			return err
		} else if !known {
			return profile.NotFound(id)
		}
	}
	for _, id := range ids {
		if p.sessions.Get(id).State != session.Closed {
			return session.ErrOpen(id)
		}
	}
	return nil
}

// Delete forgets profiles for good, folders and all.
func (p *profiles) Delete(ctx context.Context, ids ...profile.ID) error {
	if err := p.mustBeClosed(ctx, ids); err != nil {
		return err
	}
	return p.delete(ctx, ids...)
}

// delete moves the folders aside first, so that a crash in between leaves a profile whole or nothing of it.
func (p *profiles) delete(ctx context.Context, ids ...profile.ID) error {
	var moved []paths.ProfileDir
	back := func() {
		for _, dir := range moved {
			_ = os.Rename(dir.Deleted(), string(dir))
		}
	}
	for _, id := range ids {
		dir := p.home.Profile(int32(id))
		lock, err := p.lock(ctx, id)
		if err != nil {
			back()
			return err
		}
		if lock == nil {
			continue // it was never opened
		}
		defer lock.Release()
		if err := os.Rename(string(dir), dir.Deleted()); err != nil {
			back()
			return fmt.Errorf("move the folder of profile %s aside: %w", id, err)
		}
		moved = append(moved, dir)
	}
	if err := p.Store.Delete(ctx, ids...); err != nil {
		back()
		return err
	}
	for _, dir := range moved {
		if err := os.RemoveAll(dir.Deleted()); err != nil {
			p.log.Warn("a deleted profile's folder could not be removed", "folder", dir.Deleted(), "err", err)
		}
	}
	p.tell("deleted", ids...)
	return nil
}

// lock keeps every keeper away from a profile's folder; nil when there is no folder.
func (p *profiles) lock(ctx context.Context, id profile.ID) (*process.Lock, error) {
	dir := p.home.Profile(int32(id))
	if _, err := os.Stat(string(dir)); errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	lock, err := process.WaitLock(ctx, dir.Lock())
	if errors.Is(err, process.ErrLocked) {
		return nil, session.ErrOpen(id)
	}
	return lock, err
}

// closed deletes a temporary profile when its session is over.
func (p *profiles) closed(id profile.ID) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	one, err := p.Get(ctx, id)
	if err != nil || !one.Temporary {
		return
	}
	if err := p.delete(ctx, id); err != nil {
		p.log.Warn("a temporary profile could not be deleted", "profile", id, "err", err)
	}
}

// dropTemporary deletes temporary profiles that closed while no app was running.
func (p *profiles) dropTemporary(ctx context.Context) error {
	ids, err := p.Temporary(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if p.sessions.Get(id).State == session.Closed {
			p.closed(id)
		}
	}
	return nil
}

// sweep finishes or undoes deletions that a crash cut short, and keeps ids of folders that no row knows from being given out.
func (p *profiles) sweep(ctx context.Context, reserve func(context.Context, profile.ID) error) error {
	left, err := filepath.Glob(filepath.Join(p.home.Profiles(), "*.deleted"))
	if err != nil {
		return err
	}
	for _, name := range left {
		id, err := profile.ParseID(strings.TrimSuffix(filepath.Base(name), ".deleted"))
		if err != nil {
			continue
		}
		if known, err := p.Known(ctx, id); err != nil {
			return err
		} else if known {
			_ = os.Rename(name, string(p.home.Profile(int32(id))))
		} else {
			_ = os.RemoveAll(name)
		}
	}
	ids, err := keeper.IDs(p.home)
	if err != nil {
		return err
	}
	var last profile.ID
	for _, id := range ids {
		last = max(last, id)
	}
	if last == 0 {
		return nil
	}
	return reserve(ctx, last)
}

// Clone copies a profile's settings, and its data too when asked. Until all of that is there the copy is temporary: after a crash in
// between nobody takes half of the logins for the whole.
func (p *profiles) Clone(ctx context.Context, id profile.ID, name string, data bool) (profile.Profile, error) {
	from, err := p.Get(ctx, id)
	if err != nil {
		return profile.Profile{}, err
	}
	if data {
		if err := p.mustBeClosed(ctx, []profile.ID{id}); err != nil {
			return profile.Profile{}, err
		}
	}
	to := from
	to.Temporary = data
	if to.Name = name; name == "" {
		to.Name = from.Name + " copy"
	}
	if err := to.CleanEdit(from); err != nil { // an argument of an older version is refused at the start, with what to do
		return profile.Profile{}, err
	}
	made, err := p.Store.Create(ctx, to)
	if err != nil {
		return profile.Profile{}, err
	}
	if data {
		err := p.copyData(ctx, id, made[0].ID)
		if err == nil {
			err = p.Keep(ctx, made[0].ID)
		}
		if err != nil {
			return profile.Profile{}, errors.Join(err, p.delete(context.WithoutCancel(ctx), made[0].ID))
		}
		made[0].Temporary = false
	}
	p.tell("created", made[0].ID)
	return made[0], nil
}
