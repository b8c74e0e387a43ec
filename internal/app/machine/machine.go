// Package machine knows the app and its computer: settings, browsers, the log, and what keeps profiles from opening.
package machine

import (
	"context"
	"errors"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"cove/api"
	"cove/internal/account"
	"cove/internal/chromium"
	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/profile"
)

// Machine answers what the app knows of itself and of this computer: settings, browsers, logs and the doctor's
// findings.
type Machine struct {
	Home     paths.Home
	Store    Settings
	Accounts account.Authority
	Profiles Profiles
	Ports    Ports
	Probe    Probe
	// Browser and BrowserArgs come from the command line and outrank the settings.
	Browser, BrowserArgs string

	About  api.Status         // of the running app; set when it serves
	EndApp context.CancelFunc // ends the app; set when it serves
}

// Settings stores values by name; *sqlite.DB does.
type Settings interface {
	Setting(ctx context.Context, key string) (string, error)
	SetSetting(ctx context.Context, key, value string) error
}

// Profiles reads stored profiles.
type Profiles interface {
	Get(ctx context.Context, id profile.ID) (profile.Profile, error)
	Known(ctx context.Context, id profile.ID) (bool, error)
}

// FoundBrowser reports whether a path names an installed or preferred browser. It compares the names of files, and
// not the targets of links: a link can be changed after the check.
func (m *Machine) FoundBrowser(ctx context.Context, path string) bool {
	full, err := exec.LookPath(path)
	if err != nil {
		return false
	}
	preferred, _, err := m.Preferred(ctx)
	if err == nil && preferred != "" && (preferred == path || preferred == full) {
		return true
	}
	for _, b := range chromium.Installed(ctx) {
		if resolved, _ := filepath.EvalSymlinks(b.Path); full == b.Path || full == resolved {
			return true
		}
	}
	return false
}

// CheckBrowser runs a program and says why it is not a browser.
func (m *Machine) CheckBrowser(ctx context.Context, path string) error {
	if err := CheckPath(path); err != nil {
		return err
	}
	if _, err := chromium.Find(ctx, path); err != nil {
		f := fault.From(err)
		return fault.Invalidf("%s", f.Text).WithHint(
			"Enter the path of Chrome, Chromium, Edge or Brave. " +
				"`cove browser list` lists the browsers on this computer.",
		).Because(err)
	}
	return nil
}

// Preferred returns the browser and the arguments that the person prefers: those of the command line, else of the
// settings.
func (m *Machine) Preferred(ctx context.Context) (path string, args []string, err error) {
	path, list := m.Browser, m.BrowserArgs
	if path == "" {
		if path, err = m.Store.Setting(ctx, "browser"); err != nil {
			return "", nil, err
		}
	}
	if list == "" {
		if list, err = m.Store.Setting(ctx, "browser_args"); err != nil {
			return "", nil, err
		}
	}
	if err := checkArgs(list); err != nil {
		return path, nil, fault.From(err).WithHint(
			"It is in the setting browser_args. Clear it with: cove config set browser_args \"\"")
	}
	return path, strings.Fields(list), nil
}

// Browsers lists the browsers of this computer, and which one is used.
func (m *Machine) Browsers(ctx context.Context) ([]api.Browser, error) {
	preferred, _, err := m.Preferred(ctx)
	if err != nil {
		return nil, err
	}
	used, _ := chromium.Find(ctx, preferred)
	out := []api.Browser{}
	listed := false
	for _, b := range chromium.Installed(ctx) {
		out = append(out, api.Browser{Name: b.Name, Path: b.Path, Version: b.Version, Used: b.Path == used.Path})
		listed = listed || b.Path == used.Path
	}
	if used.Path != "" && !listed {
		out = append(out, api.Browser{Name: used.Name, Path: used.Path, Version: used.Version, Used: true})
	}
	return out, nil
}

// Log returns the last lines of the app's log.
func (m *Machine) Log(lines int) (api.LogLines, error) { return tail(m.Home.AppLog(), lines) }

// ProfileLog returns the last lines of what the browser of a profile has written.
func (m *Machine) ProfileLog(id profile.ID, lines int) (api.LogLines, error) {
	log, err := tail(m.Home.Profile(id).BrowserLog(), lines)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // it was never opened
	}
	return log, err
}

// tail returns the last lines of a log.
func tail(path string, lines int) (api.LogLines, error) {
	text, err := paths.Tail(path, lines)
	if text == nil {
		text = []string{}
	}
	return api.LogLines{Data: text, Path: path}, err
}

// Stop ends the app, after the answer to the request for it was sent.
func (m *Machine) Stop() {
	time.AfterFunc(100*time.Millisecond, m.EndApp)
}
