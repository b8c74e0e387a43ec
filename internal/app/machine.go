package app

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"cove/api"
	"cove/internal/account"
	"cove/internal/chromium"
	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/profile"
	"cove/internal/sqlite"
)

// machine answers what the app knows of itself and of this computer: settings, browsers, logs and the doctor's
// findings.
type machine struct {
	home     paths.Home
	db       *sqlite.DB
	accounts account.Authority
	profiles *profiles
	// preferred and preferredArgs come from the command line and outrank the settings.
	preferred, preferredArgs string

	about api.Status         // of the running app; set by serve
	stop  context.CancelFunc // ends the app; set by serve
}

// settings lists what a person can change, each with a sentence and a check.
var settings = []struct {
	key, about string
	check      func(string) error
}{
	{"api_port", "port of the local API; takes effect the next time the app starts (default: 3001)", checkPort},
	{"browser", "path of the browser to open profiles with (default: the first that is found)", checkBrowser},
	{"browser_args", "default browser arguments for every profile, separated by spaces", checkArgs},
	{"journal_days", "journal retention in days; takes effect the next time a profile opens (default: 90)", checkCount},
	{"journal_mb", "maximum size of a profile's journal in MB, with its screenshots;" +
		" takes effect the next time a profile opens (default: 200)", checkCount},
	{"require_token", "require a token to start and stop profiles, from local programs, too:" +
		" true or false (default: false)", checkFlag},
}

// SettingsHelp lists every setting and its meaning.
func SettingsHelp() (all []api.Setting) {
	for _, s := range settings {
		all = append(all, api.Setting{Key: s.key, About: s.about})
	}
	return all
}

func checkPort(v string) error {
	if v == "" {
		return nil
	}
	if n, err := strconv.Atoi(v); err != nil || n < 1 || n > 65535 {
		return fault.Invalidf("%q is not a port: it is 1 to 65535.", v)
	}
	return nil
}

func checkBrowser(v string) error {
	if v == "" {
		return nil
	}
	if _, err := exec.LookPath(v); err != nil {
		const hint = "`cove browser list` shows the browsers of this computer."
		return fault.Invalidf("There is no program at %q.", v).WithHint(hint)
	}
	return nil
}

func checkArgs(v string) error {
	p := profile.Profile{Name: "any", Args: strings.Fields(v)}
	return p.Clean()
}

func checkCount(v string) error {
	if v == "" {
		return nil
	}
	if n, err := strconv.Atoi(v); err != nil || n < 1 || n > 100_000 {
		return fault.Invalidf("%q is not a number from 1 to 100000.", v)
	}
	return nil
}

func checkFlag(v string) error {
	if _, ok := api.ParseFlag(v); !ok {
		return fault.Invalidf("%q is neither true nor false.", v)
	}
	return nil
}

func (m *machine) Settings(ctx context.Context) ([]api.Setting, error) {
	var out []api.Setting
	for _, s := range settings {
		value, err := m.db.Setting(ctx, s.key)
		if err != nil {
			return nil, err
		}
		out = append(out, api.Setting{Key: s.key, Value: value, About: s.about})
	}
	return out, nil
}

func (m *machine) CheckSetting(key, value string) error {
	for _, s := range settings {
		if s.key == key {
			return s.check(strings.TrimSpace(value))
		}
	}
	return nil
}

func (m *machine) SetSetting(ctx context.Context, key, value string) (api.Setting, error) {
	for _, s := range settings {
		if s.key != key {
			continue
		}
		value = strings.TrimSpace(value)
		if err := s.check(value); err != nil {
			return api.Setting{}, err
		}
		if key == "browser" && value != "" { // not part of the check, which runs before it is known who asks
			if err := m.CheckBrowser(ctx, value); err != nil {
				return api.Setting{}, err
			}
		}
		return api.Setting{Key: key, Value: value, About: s.about}, m.db.SetSetting(ctx, key, value)
	}
	return api.Setting{}, fault.New(fault.CodeNotFound, fmt.Sprintf("There is no setting %q.", key),
		fault.Suggest(key, settingNames()...)+"`cove config list` shows the settings.")
}

func settingNames() (names []string) {
	for _, s := range settings {
		names = append(names, s.key)
	}
	return names
}

// FoundBrowser reports whether a path names an installed or preferred browser. It compares the names of files, and
// not the targets of links: a link can be changed after the check.
func (m *machine) FoundBrowser(ctx context.Context, path string) bool {
	full, err := exec.LookPath(path)
	if err != nil {
		return false
	}
	preferred, _, err := m.browser(ctx)
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

func (m *machine) CheckBrowser(ctx context.Context, path string) error {
	if err := checkBrowser(path); err != nil {
		return err
	}
	if _, err := chromium.Find(ctx, path); err != nil {
		f := fault.From(err)
		return fault.Invalidf("%s", f.Text).WithHint(
			"Name the executable of Chrome, Chromium, Edge or Brave; `cove browser list` shows those of this computer.",
		).Because(err)
	}
	return nil
}

func (m *machine) RequireToken(ctx context.Context) (bool, error) {
	v, err := m.db.Setting(ctx, "require_token")
	yes, _ := api.ParseFlag(v)
	return yes, err
}

func (m *machine) apiPort(ctx context.Context) (int, error) {
	v, err := m.db.Setting(ctx, "api_port")
	if err != nil || v == "" {
		return api.DefaultPort, err
	}
	return strconv.Atoi(v)
}

// browser returns the browser and the arguments that the person prefers: those of the command line, else of the
// settings.
func (m *machine) browser(ctx context.Context) (path string, args []string, err error) {
	path, list := m.preferred, m.preferredArgs
	if path == "" {
		if path, err = m.db.Setting(ctx, "browser"); err != nil {
			return "", nil, err
		}
	}
	if list == "" {
		if list, err = m.db.Setting(ctx, "browser_args"); err != nil {
			return "", nil, err
		}
	}
	if err := checkArgs(list); err != nil {
		return path, nil, fault.From(err).WithHint(
			"It stands in the setting browser_args: cove config set browser_args \"\" empties it.")
	}
	return path, strings.Fields(list), nil
}

func (m *machine) Browsers(ctx context.Context) ([]api.Browser, error) {
	preferred, _, err := m.browser(ctx)
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

func (m *machine) Log(lines int) (api.LogLines, error) {
	text, err := paths.Tail(m.home.AppLog(), lines)
	if text == nil {
		text = []string{}
	}
	return api.LogLines{Data: text, Path: m.home.AppLog()}, err
}

// Stop ends the app, after the answer to the request for it was sent.
func (m *machine) Stop() {
	time.AfterFunc(100*time.Millisecond, m.stop)
}
