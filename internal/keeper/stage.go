package keeper

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

// A browser that has more than 3,300 cookies drops those that no site has used yet, and every cookie that is set over
// its protocol is such a one. So many cookies are set in browsers of their own, with empty data folders, and their
// databases are merged into the profile's when its browser has closed.
const (
	roomFor     = 3000
	maxImported = 8 * roomFor // as many databases can be merged at once
)

// stageLimit is how long a browser of a moment may take to write its database and close.
const stageLimit = time.Minute

// needsStages reports whether a browser that has these cookies would drop some if others were added.
func needsStages(have, more []cookie.Cookie) bool {
	return len(more) > 0 && len(have)+len(more) > roomFor
}

// stagingDir is where browsers of a moment have their data folders. What is in it does not outlive a keeper.
func (k *keeper) stagingDir() string { return filepath.Join(string(k.spec.Dir), "import") }

// setter sets cookies in a browser, and returns those that it may leave out.
type setter func(jar.Jar, context.Context, []cookie.Cookie) (refused []cookie.Cookie, err error)

// setAll is a setter that leaves out none.
func setAll(j jar.Jar, ctx context.Context, list []cookie.Cookie) ([]cookie.Cookie, error) {
	return nil, j.SetCookies(ctx, list)
}

// stageCookies sets cookies in browsers of a moment, and returns the databases that they leave.
func (k *keeper) stageCookies(
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
		if err := k.runStages(ctx, stages); err != nil {
			return nil, nil, err
		}
		for _, s := range stages {
			files, refused = append(files, s.file), append(refused, s.refused...)
		}
	}
	return files, refused, nil
}

// merge adds the databases of other browsers to the one of the profile, whose browser is gone.
func (k *keeper) merge(ctx context.Context, files []string) error {
	if err := cookiedb.Merge(ctx, cookiedb.File(k.spec.Options.DataDir), files); err != nil {
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

// atOnce is how many browsers of a moment run at the same time.
const atOnce = 2

// stage is one browser of a moment.
type stage struct {
	number int
	list   []cookie.Cookie
	set    setter

	refused []cookie.Cookie
	file    string // the database that it left
}

// runStages runs stages at the same time.
func (k *keeper) runStages(ctx context.Context, stages []stage) error {
	errs := make([]error, len(stages))
	var all sync.WaitGroup
	for i := range stages {
		all.Go(func() { errs[i] = k.runStage(ctx, &stages[i]) })
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
func (k *keeper) runStage(ctx context.Context, s *stage) error {
	dir := filepath.Join(k.stagingDir(), fmt.Sprint(s.number))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fault.Disk(err)
	}
	// On some systems this file has the key that values are encrypted with.
	const keys = "Local State"
	err := paths.CopyFile(filepath.Join(k.spec.Options.DataDir, keys), filepath.Join(dir, keys))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fault.Disk(err)
	}
	log, err := os.OpenFile(k.spec.Dir.BrowserLog(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	o := k.spec.Options
	o.DataDir, o.Restored, o.NoWindow = dir, false, true
	b, err := oneshot.Start(k.spec.Browser, o, log)
	if err != nil {
		return err
	}
	s.refused, err = s.set(jar.Jar{Browser: b, Exclusive: true}, ctx, s.list)
	if closed := b.Close(stageLimit); closed != nil && err == nil {
		err = errNotSaved().Because(closed)
	}
	s.file = cookiedb.File(dir)
	return err
}

// clearStages removes the browsers of a moment.
func (k *keeper) clearStages() {
	if err := os.RemoveAll(k.stagingDir()); err != nil {
		k.log.Warn("the data of an import could not be removed yet", "err", err)
	}
}
