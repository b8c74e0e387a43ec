// Package storage reads and writes the cookies and the local storage of a keeper's browser for the app.
package storage

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"cove/internal/cdp/mux"
	"cove/internal/cookie"
	"cove/internal/fault"
	"cove/internal/jar"
	"cove/internal/keeperclient"
)

// Storage is the cookies and the local storage of one profile. In a profile that somebody has opened it uses the open
// browser. For a closed one the keeper opens a hidden browser. Storage then owns the copies by which a change is
// undone, and the data folders of the browsers that large imports need besides. A change is made whole or not at all:
// if the keeper is killed, the next one takes back what is not whole.
//
// The keeper calls Prepare before it launches the browser, and Restore when a hidden browser is gone. Requests of the
// app call everything else, each from a goroutine of its own. The keeper lets them finish before it ends.
type Storage struct{ config Config }

// Config is what a Storage uses of its keeper.
type Config struct {
	Spec    *keeperclient.Spec // its options are final when the browser is launched
	Hidden  bool               // the browser is open only to read or write the data of a closed profile
	Ready   func() bool        // reports whether the browser accepts commands
	Browser func() *mux.Mux    // the browser, once Ready has reported true

	Close  func(context.Context) (exitCode int, err error) // closes the browser, and waits until it is gone
	Record func(name string, args any, failed error)       // writes into the journal
	Log    *slog.Logger
}

// New makes a Storage. The browser need not be there yet.
func New(c Config) *Storage { return &Storage{c} }

// callLimit bounds a call. A caller that goes away does not end it: a change is made whole.
const callLimit = 4 * time.Minute

// Read returns what q asks for.
func (s *Storage) Read(ctx context.Context, q cookie.Query) (data cookie.Data, err error) {
	ctx, cancel, err := s.begin(ctx, callLimit)
	if err != nil {
		return data, err
	}
	defer cancel()
	if data.Cookies, data.Opaque, err = s.jar().Cookies(ctx); err != nil {
		return cookie.Data{}, fmt.Errorf("read the cookies: %w", err)
	}
	if q.Local {
		data.Origins, err = jar.Storage(ctx, s.config.Browser(), s.origins())
	}
	if !q.Cookies {
		data.Cookies = nil
	}
	if !q.Silent {
		s.record("exported", data, err)
	}
	return data, err
}

// Write adds all of data to what the profile has, or nothing.
func (s *Storage) Write(ctx context.Context, data cookie.Data) error {
	ctx, cancel, err := s.begin(ctx, callLimit)
	if err != nil {
		return err
	}
	defer cancel()
	err = s.write(ctx, data)
	s.record("imported", data, err)
	return err
}

// write does the work of Write.
func (s *Storage) write(ctx context.Context, data cookie.Data) error {
	if s.config.Hidden {
		return s.writeClosed(ctx, func() ([]string, error) { return s.change(ctx, data) })
	}
	before, _, err := s.jar().Cookies(ctx)
	if err != nil {
		return fmt.Errorf("read the cookies: %w", err)
	}
	if err := s.jar().SetCookies(ctx, data.Cookies); err != nil {
		return err
	}
	if err := jar.SetStorage(ctx, s.config.Browser(), data.Origins); err != nil {
		return s.jar().Undo(ctx, before, data.Cookies, err)
	}
	return nil
}

// change sets data in the hidden browser. It leaves cookies to databases for which the browser has no room.
func (s *Storage) change(ctx context.Context, data cookie.Data) (databases []string, err error) {
	have, _, err := s.jar().Cookies(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the cookies: %w", err)
	}
	if needsStages(have, data.Cookies) {
		databases, _, err = s.stageCookies(ctx, data.Cookies, setAll)
	} else {
		err = s.jar().SetCookies(ctx, data.Cookies)
	}
	if err != nil {
		return nil, err
	}
	return databases, jar.SetStorage(ctx, s.config.Browser(), data.Origins)
}

// jar returns the cookies of the browser.
func (s *Storage) jar() jar.Jar {
	return jar.Jar{Browser: s.config.Browser(), Exclusive: s.config.Hidden}
}

// origins returns the origins that may have local storage: those on the disk, and those of the open pages, which may
// not be there yet.
func (s *Storage) origins() []string {
	origins := jar.StoredOrigins(filepath.Join(s.config.Spec.Options.DataDir, "Default"))
	for _, t := range s.config.Browser().Targets() {
		if o := jar.WebOrigin(t.URL); o != "" && !slices.Contains(origins, o) {
			origins = append(origins, o)
		}
	}
	return origins
}

// begin makes sure that the browser is ready, and gives a call its own limit.
func (s *Storage) begin(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc, error) {
	if !s.config.Ready() {
		return nil, nil, fault.New(fault.CodeNotOpen, "The profile is not open.", "Try again in a moment.")
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	return ctx, cancel, nil
}

// maxDomains is how many domains the journal names.
const maxDomains = 100

// record writes into the journal how much was read or written, and of which sites. It never has a value.
func (s *Storage) record(what string, data cookie.Data, failed error) {
	if data.Cookies != nil || data.Origins == nil {
		domains := cookie.Domains(data.Cookies)
		s.config.Record("cookies "+what, eventArgs(len(data.Cookies), domains), failed)
	}
	if len(data.Origins) > 0 || data.Cookies == nil {
		entries, origins := 0, make([]string, 0, len(data.Origins))
		for _, o := range data.Origins {
			entries, origins = entries+len(o.Items), append(origins, o.Origin)
		}
		s.config.Record("local storage "+what, eventArgs(entries, origins), failed)
	}
}

// eventArgs are the arguments of an entry of the journal.
func eventArgs(count int, sites []string) map[string]any {
	args := map[string]any{"count": count, "sites": sites[:min(len(sites), maxDomains)]}
	if more := len(sites) - maxDomains; more > 0 {
		args["more"] = more
	}
	return args
}
