// Package extensions keeps the stored extensions and their copies on disk together.
package extensions

import (
	"context"
	"io"
	"log/slog"
	"sync"

	"cove/internal/extension"
	"cove/internal/extension/library"
	"cove/internal/paths"
	"cove/internal/profile"
	"cove/internal/session"
)

// Store stores extensions, and which profile has which.
type Store interface {
	Get(ctx context.Context, id extension.ID) (extension.Extension, error)
	ByBrowserID(ctx context.Context, id string) (e extension.Extension, ok bool, err error)
	List(ctx context.Context) (all []extension.Extension, profiles []int, err error)
	Save(ctx context.Context, e extension.Extension, in ...profile.ID) (extension.Extension, error)
	Delete(ctx context.Context, ids ...extension.ID) error
	Of(ctx context.Context, id profile.ID) ([]extension.InProfile, error)
	Profiles(ctx context.Context, extensions ...extension.ID) ([]profile.Profile, error)
	Attach(ctx context.Context, extensions []extension.ID, profiles []profile.ID, enabled *bool) error
	Detach(ctx context.Context, extensions []extension.ID, profiles []profile.ID) error
	Enable(ctx context.Context, extensions []extension.ID, profiles []profile.ID, enabled bool) error
}

// Extensions is the store of extensions together with their copies.
type Extensions struct {
	Store
	Home     paths.Home
	Log      *slog.Logger
	Sessions *session.Supervisor

	mu sync.Mutex // held while copies are written or removed
}

// Read reads a .zip or a .crx file and finds out what it would change. replaces names the extension that it is a newer
// version of; with 0 that is the stored one of the same id in browsers, if any.
func (x *Extensions) Read(ctx context.Context, r io.ReaderAt, size int64, replaces extension.ID) (*library.Upload,
	error) {
	source, err := extension.Open(r, size)
	if err != nil {
		return nil, err
	}
	up := &library.Upload{Source: source}
	if up.Extension, err = source.Extension(); err != nil {
		return nil, err
	}
	there := replaces != 0
	if there {
		if up.Replaces, err = x.Get(ctx, replaces); err != nil {
			return nil, err
		}
		up.Extension = up.Extension.As(up.Replaces)
	} else if up.Replaces, there, err = x.ByBrowserID(ctx, up.Extension.BrowserID); err != nil {
		return nil, err
	}
	if there && up.Replaces.Content != up.Extension.Content {
		up.Profiles, err = x.Profiles(ctx, up.Replaces.ID)
	}
	return up, err
}

// Save stores what was read, and gives it to profiles. name is what Cove calls it; "" leaves that to its manifest.
func (x *Extensions) Save(ctx context.Context, up *library.Upload, name string, profiles []profile.ID) (
	extension.Extension, error,
) {
	e := up.Extension
	switch {
	case name != "":
		e.Name = name
	case up.Replaces.ID != 0 && up.Replaces.Name != up.Replaces.Title:
		e.Name = up.Replaces.Name // somebody chose it
	}
	x.mu.Lock()
	err := library.Library{Home: x.Home}.Save(up.Source, e)
	if err == nil {
		e, err = x.Store.Save(ctx, e, profiles...)
	}
	x.mu.Unlock()
	if err == nil {
		x.Log.Info("an extension was stored", "extension", e.ID, "name", e.Name, "version", e.Version)
		x.Sweep(ctx)
	}
	return e, err
}

// Delete deletes extensions, also from their profiles. Browsers lose them at their next start.
func (x *Extensions) Delete(ctx context.Context, ids ...extension.ID) error {
	if err := x.Store.Delete(ctx, ids...); err != nil {
		return err
	}
	x.Sweep(ctx)
	return nil
}

// ForStart returns the extensions that a profile's browser shall have.
func (x *Extensions) ForStart(ctx context.Context, id profile.ID) ([]extension.Install, error) {
	all, err := x.Of(ctx, id)
	if err != nil {
		return nil, err
	}
	var out []extension.Install
	for _, e := range all {
		out = append(out, extension.Install{
			Name: e.Name, BrowserID: e.BrowserID, Key: e.Key, Enabled: e.Enabled, Background: e.Background,
			Path: library.Library{Home: x.Home}.Path(e.Extension),
		})
	}
	return out, nil
}

// Sweep removes copies that nothing uses. An open browser reads the files of its extensions as long as it runs, and one
// that starts may be about to: then the copies stay until the next sweep.
func (x *Extensions) Sweep(ctx context.Context) {
	x.mu.Lock()
	defer x.mu.Unlock()
	all, _, err := x.List(ctx)
	if err != nil {
		x.Log.Warn("copies of extensions were not removed", "err", err)
		return
	}
	l, keep := library.Library{Home: x.Home}, map[string]bool{}
	for _, e := range all {
		keep[l.Path(e)] = true
	}
	for _, s := range x.Sessions.Running() {
		had, err := library.ReadRecord(x.Home.Profile(s.ID))
		if s.State == session.Starting || err != nil {
			return
		}
		for _, e := range had {
			keep[e.Path] = true
		}
	}
	if err := l.Sweep(keep); err != nil {
		x.Log.Warn("copies of extensions were not removed", "err", err)
	}
}
