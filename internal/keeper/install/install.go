// Package install brings the extensions of a profile into its browser's data folder before the browser opens. The
// browser keeps them from then on, in both modes and without a flag.
//
// It starts the browser once without a window, on a pipe of its own, and closes it again. That works in every browser:
// it does not need --load-extension, which some refuse. The browser that agents and pages see later has no flag that
// lets anybody install extensions.
package install

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"slices"
	"time"

	"cove/internal/chromium"
	"cove/internal/extension"
	"cove/internal/extension/library"
	"cove/internal/fault"
	"cove/internal/paths"
)

// Config says what to install, and where.
type Config struct {
	Dir paths.ProfileDir
	// Browser is the program, and Options how it opens the profile.
	Browser string
	Options chromium.Options
	// Want are the extensions of the profile.
	Want []extension.Install
	// Output gets what the browser writes.
	Output *os.File
	Log    *slog.Logger
}

// limit bounds an installation. Whoever looks for a keeper that has no record yet waits longer.
const limit = 25 * time.Second

// Run makes the browser's extensions those of the profile. It does nothing if they are already. It changes no other
// extensions, such as those that the person installed from a store.
func Run(ctx context.Context, c Config) error {
	had, err := library.ReadRecord(c.Dir)
	if err != nil {
		return failed("the record of its extensions cannot be read", err)
	}
	if len(had) == 0 && len(c.Want) == 0 {
		return nil
	}
	want := slices.Clone(c.Want)
	slices.SortFunc(want, func(a, b extension.Install) int { return compare(a.BrowserID, b.BrowserID) })
	if slices.Equal(had, want) && allThere(c.Options.DataDir, want) {
		return nil
	}

	started := time.Now()
	if err := chromium.PutTabsAside(c.Options.DataDir); err != nil {
		return failed("the tabs of the last session cannot be put aside", err)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err = inBrowser(c, func(b *browser) error { return b.change(ctx, had, want) })
	err = errors.Join(err, chromium.PutTabsBack(c.Options.DataDir))
	if err == nil && !allThere(c.Options.DataDir, want) {
		err = errors.New("the browser does not keep them")
	}
	if err == nil {
		err = library.WriteRecord(c.Dir, want)
	}
	if err != nil {
		return failed("", err)
	}
	c.Log.Info("the extensions of the profile are installed", "extensions", len(want), "took", time.Since(started))
	return nil
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// failed explains why the extensions could not be installed. A fault explains itself.
func failed(what string, err error) error {
	var f *fault.Error
	if errors.As(err, &f) {
		return f
	}
	if what == "" {
		what = err.Error()
	}
	return fault.New(fault.CodeExtension, "The profile's extensions could not be installed: "+what+".",
		"Start the profile again, or without them: cove extension disable ID PROFILE").Because(err)
}

// allThere reports whether the data folder still has every extension. The person can remove them in the browser, or
// turn off its developer mode, which extensions of folders need.
func allThere(dataDir string, want []extension.Install) bool {
	there, err := chromium.InstalledExtensions(dataDir)
	return err == nil && !slices.ContainsFunc(want,
		func(e extension.Install) bool { return e.Enabled && !there[e.BrowserID] })
}
