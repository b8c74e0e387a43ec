// Package folders keeps the stored profiles and their folders on disk together.
package folders

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"time"

	"cove/api"
	"cove/internal/event"
	"cove/internal/keeperclient"
	"cove/internal/paths"
	"cove/internal/process"
	"cove/internal/profile"
	"cove/internal/session"
)

// Profiles is the store of profiles together with their folders on disk. It publishes every change.
type Profiles struct {
	profile.Store
	Home     paths.Home
	Log      *slog.Logger
	Sessions *session.Supervisor
	Changes  *event.Feed[api.ProfileEvent]
	// CheckBrowser says why a path names no program. The empty path is the browser that Cove finds.
	CheckBrowser func(path string) error
	// CopyExtensions gives a profile the extensions of another one.
	CopyExtensions func(ctx context.Context, from, to profile.ID) error
}

// publish announces a change of profiles.
func (p *Profiles) publish(change string, ids ...profile.ID) {
	p.Changes.Publish(api.ProfileEvent{IDs: ids, Change: change})
}

// Create stores new profiles, and refuses browsers that are not there.
func (p *Profiles) Create(ctx context.Context, ps ...profile.Profile) ([]profile.Profile, error) {
	for _, one := range ps {
		if err := p.CheckBrowser(one.Browser); err != nil {
			return nil, err
		}
	}
	made, err := p.Store.Create(ctx, ps...)
	if err == nil {
		p.publish("created", idsOf(made)...)
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

// Update changes a profile. It refuses a new browser that is not there.
func (p *Profiles) Update(ctx context.Context, id profile.ID, edit func(*profile.Profile) error) (
	profile.Profile, error,
) {
	changed, err := p.Store.Update(ctx, id, func(one *profile.Profile) error {
		before := one.Browser
		if err := edit(one); err != nil {
			return err
		}
		if one.Browser == before { // a browser that is gone does not stop other changes
			return nil
		}
		return p.CheckBrowser(one.Browser)
	})
	if err == nil {
		p.publish("edited", id)
	}
	return changed, err
}

// UpdateMany changes several profiles: all of them or none.
func (p *Profiles) UpdateMany(ctx context.Context, ids []profile.ID, edit func(*profile.Profile) error) error {
	err := p.Store.UpdateMany(ctx, ids, edit)
	if err == nil {
		p.publish("edited", ids...)
	}
	return err
}

// ReplaceTags gives tags other names in every profile that has them.
func (p *Profiles) ReplaceTags(ctx context.Context, names map[string]string) ([]profile.ID, error) {
	changed, err := p.Store.ReplaceTags(ctx, names)
	if err == nil && len(changed) > 0 {
		p.publish("edited", changed...)
	}
	return changed, err
}

// Trash moves closed profiles to the trash.
func (p *Profiles) Trash(ctx context.Context, ids ...profile.ID) error {
	if err := p.requireClosed(ctx, ids); err != nil {
		return err
	}
	if err := p.Store.Trash(ctx, ids...); err != nil {
		return err
	}
	p.publish("trashed", ids...)
	return nil
}

// Restore takes a profile out of the trash.
func (p *Profiles) Restore(ctx context.Context, id profile.ID) (profile.Profile, error) {
	restored, err := p.Store.Restore(ctx, id)
	if err == nil {
		p.publish("restored", id)
	}
	return restored, err
}

// RestoreMany takes profiles out of the trash: all of them or none.
func (p *Profiles) RestoreMany(ctx context.Context, ids ...profile.ID) error {
	err := p.Store.RestoreMany(ctx, ids...)
	if err == nil {
		p.publish("restored", ids...)
	}
	return err
}

// requireClosed refuses ids that are unknown, then those of open profiles.
func (p *Profiles) requireClosed(ctx context.Context, ids []profile.ID) error {
	for _, id := range ids {
		if known, err := p.Known(ctx, id); err != nil {
			return err
		} else if !known {
			return profile.NotFound(id)
		}
	}
	for _, id := range ids {
		if p.Sessions.Get(id).State != session.Closed {
			return session.ErrOpen(id)
		}
	}
	return nil
}

// Delete removes profiles for good, with their folders.
func (p *Profiles) Delete(ctx context.Context, ids ...profile.ID) error {
	if err := p.requireClosed(ctx, ids); err != nil {
		return err
	}
	return p.delete(ctx, ids...)
}

// delete moves the folders aside first, so that a crash leaves a whole profile or none of it.
func (p *Profiles) delete(ctx context.Context, ids ...profile.ID) error {
	var moved []paths.ProfileDir
	back := func() {
		for _, dir := range moved {
			_ = os.Rename(dir.Deleted(), string(dir))
		}
	}
	for _, id := range ids {
		dir := p.Home.Profile(id)
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
			p.Log.Warn("a deleted profile's folder could not be removed", "folder", dir.Deleted(), "err", err)
		}
	}
	p.publish("deleted", ids...)
	return nil
}

// lock stops every keeper from opening a profile. It returns nil when the profile has no folder.
func (p *Profiles) lock(ctx context.Context, id profile.ID) (*process.Lock, error) {
	dir := p.Home.Profile(id)
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

// Closed deletes a temporary profile when its session is over.
func (p *Profiles) Closed(id profile.ID) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	one, err := p.Get(ctx, id)
	if err != nil || !one.Temporary {
		return
	}
	if err := p.delete(ctx, id); err != nil {
		p.Log.Warn("a temporary profile could not be deleted", "profile", id, "err", err)
	}
}

// DropTemporary deletes temporary profiles that closed while no app was running.
func (p *Profiles) DropTemporary(ctx context.Context) error {
	ids, err := p.Temporary(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if p.Sessions.Get(id).State == session.Closed {
			p.Closed(id)
		}
	}
	return nil
}

// Sweep finishes or undoes deletions that a crash interrupted, and reserves the ids of folders that the store does
// not know.
func (p *Profiles) Sweep(ctx context.Context, reserve func(context.Context, profile.ID) error) error {
	entries, err := os.ReadDir(p.Home.Profiles())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, entry := range entries {
		number, deleted := strings.CutSuffix(entry.Name(), ".deleted")
		id, err := profile.ParseID(number)
		if err != nil || !deleted {
			continue
		}
		name := p.Home.Profile(id).Deleted()
		if known, err := p.Known(ctx, id); err != nil {
			return err
		} else if known {
			_ = os.Rename(name, string(p.Home.Profile(id)))
		} else {
			_ = os.RemoveAll(name)
		}
	}
	ids, err := keeperclient.ProfileIDs(p.Home)
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

// Clone copies a profile's settings, and with data its data folder. The copy is temporary until it is complete: after a
// crash nobody mistakes half of the logins for all of them.
func (p *Profiles) Clone(ctx context.Context, id profile.ID, name string, data bool) (profile.Profile, error) {
	from, err := p.Get(ctx, id)
	if err != nil {
		return profile.Profile{}, err
	}
	if data {
		if err := p.requireClosed(ctx, []profile.ID{id}); err != nil {
			return profile.Profile{}, err
		}
	}
	to := from
	to.Temporary = data
	if to.Name = name; name == "" {
		to.Name = from.Name + " copy"
	}
	if err := to.CleanEdit(from); err != nil { // an argument of an older version is refused at the start, with a hint
		return profile.Profile{}, err
	}
	made, err := p.Store.Create(ctx, to)
	if err != nil {
		return profile.Profile{}, err
	}
	err = p.CopyExtensions(ctx, id, made[0].ID)
	if err == nil && data {
		if err = p.copyData(ctx, id, made[0].ID); err == nil {
			err = p.MakePermanent(ctx, made[0].ID)
		}
		made[0].Temporary = false
	}
	if err != nil {
		return profile.Profile{}, errors.Join(err, p.delete(context.WithoutCancel(ctx), made[0].ID))
	}
	p.publish("created", made[0].ID)
	return made[0], nil
}
