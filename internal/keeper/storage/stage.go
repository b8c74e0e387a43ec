package storage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"cove/internal/chromium/oneshot"
	"cove/internal/cookie"
	"cove/internal/fault"
	"cove/internal/jar"
	"cove/internal/jar/cookiedb"
	"cove/internal/paths"
)

// A browser that has more than 3,300 cookies drops those that no site has used yet. Every cookie that is set over its
// protocol is such a one. So Cove sets many cookies in temporary browsers with empty data folders, and merges their
// databases into that of the profile when its browser has closed.
const (
	roomFor     = 3000
	maxImported = 8 * roomFor // as many databases can be merged at once
)

// stageLimit is how long a temporary browser may take to write its database and close.
const stageLimit = time.Minute

// needsStages reports whether a browser that has these cookies would drop some if others were added.
func needsStages(have, more []cookie.Cookie) bool {
	return len(more) > 0 && len(have)+len(more) > roomFor
}

// stagingDir returns the folder of the data folders of temporary browsers. The next keeper removes what is in it.
func (s *Storage) stagingDir() string { return filepath.Join(string(s.config.Spec.Dir), "import") }

// setter sets cookies in a browser, and returns those that it may leave out.
type setter func(jar.Jar, context.Context, []cookie.Cookie) (refused []cookie.Cookie, err error)

// setAll is a setter that leaves out none.
func setAll(j jar.Jar, ctx context.Context, list []cookie.Cookie) ([]cookie.Cookie, error) {
	return nil, j.SetCookies(ctx, list)
}

// stageCookies sets cookies in temporary browsers, and returns their databases.
func (s *Storage) stageCookies(
	ctx context.Context, list []cookie.Cookie, set setter,
) (files []string, refused []cookie.Cookie, err error) {
	if len(list) > maxImported {
		const text = "There are %d cookies, and a browser cannot hold so many."
		return nil, nil, fault.Unprocessablef(cookie.Field, text, len(list)).
			WithHint(fmt.Sprintf("Import at most %d.", maxImported))
	}
	// Cookies of one site stay together, so that the browser applies its limit of one site to all of them.
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b cookie.Cookie) int { return cmp.Compare(site(a.Domain), site(b.Domain)) })
	for parts := range slices.Chunk(slices.Collect(slices.Chunk(list, partSize(len(list)))), atOnce) {
		stages := make([]stage, len(parts))
		for i, part := range parts {
			stages[i] = stage{number: len(files) + i, list: part, set: set}
		}
		if err := s.runStages(ctx, stages); err != nil {
			return nil, nil, err
		}
		for _, done := range stages {
			files, refused = append(files, done.file), append(refused, done.refused...)
		}
	}
	return files, refused, nil
}

// merge adds the databases of other browsers to the one of the profile, whose browser is gone.
func (s *Storage) merge(ctx context.Context, files []string) error {
	if err := cookiedb.Merge(ctx, cookiedb.File(s.config.Spec.Options.DataDir), files); err != nil {
		return fault.New(fault.CodeInternal, "The cookies could not be added to the browser's own.",
			"Nothing was imported. Import at most 3,000 cookies into a profile.").Because(err)
	}
	return nil
}

// partSize divides n cookies evenly among as many browsers as they need.
func partSize(n int) int {
	browsers := (n + roomFor - 1) / roomFor
	return (n + browsers - 1) / browsers
}

// atOnce is how many temporary browsers run at the same time.
const atOnce = 2

// stage is one temporary browser.
type stage struct {
	number int
	list   []cookie.Cookie
	set    setter

	refused []cookie.Cookie
	file    string // the database that it left
}

// runStages runs stages at the same time.
func (s *Storage) runStages(ctx context.Context, stages []stage) error {
	errs := make([]error, len(stages))
	var all sync.WaitGroup
	for i := range stages {
		all.Go(func() { errs[i] = s.runStage(ctx, &stages[i]) })
	}
	all.Wait()
	return cmp.Or(errs...)
}

// site returns a domain with its last parts first, so that the domains of one site are neighbours.
func site(domain string) string {
	parts := strings.Split(domain, ".")
	slices.Reverse(parts)
	return strings.Join(parts, ".")
}

// runStage sets cookies in a browser with an empty data folder.
func (s *Storage) runStage(ctx context.Context, one *stage) error {
	dir := filepath.Join(s.stagingDir(), fmt.Sprint(one.number))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fault.Disk(err)
	}
	// On some systems this file has the key that values are encrypted with.
	const keys = "Local State"
	err := paths.CopyFile(filepath.Join(s.config.Spec.Options.DataDir, keys), filepath.Join(dir, keys))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fault.Disk(err)
	}
	log, err := os.OpenFile(s.config.Spec.Dir.BrowserLog(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	o := s.config.Spec.Options
	o.DataDir, o.Restored, o.NoWindow = dir, false, true
	b, err := oneshot.Start(s.config.Spec.Browser, o, log)
	if err != nil {
		return err
	}
	one.refused, err = one.set(jar.Jar{Browser: b, Exclusive: true}, ctx, one.list)
	if closed := b.Close(stageLimit); closed != nil && err == nil {
		err = errNotSaved().Because(closed)
	}
	one.file = cookiedb.File(dir)
	return err
}

// clearStages removes the data folders of the temporary browsers.
func (s *Storage) clearStages() {
	if err := os.RemoveAll(s.stagingDir()); err != nil {
		s.config.Log.Warn("the data of an import could not be removed yet", "err", err)
	}
}
