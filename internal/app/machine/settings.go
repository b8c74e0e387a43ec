package machine

import (
	"context"
	"fmt"
	"net/url"
	"os/exec"
	"strconv"
	"strings"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/notify"
	"cove/internal/profile"
)

// settings lists what a person can change, each with a sentence and a check.
var settings = []struct {
	key, about string
	check      func(string) error
}{
	{"adspower.key", "key that AdsPower scripts need, an API token: required, or off, which lets them start and stop" +
		" profiles without one (default: required)", checkAdsPowerKey},
	{"adspower.port", "port of the API for AdsPower scripts, such as 50325; takes effect at once (default: off)",
		checkAdsPowerPort},
	{"api_port", "port of the local API; takes effect the next time the app starts (default: 3001)", checkPort},
	{"ask_minutes", "how long an agent's request waits for you, in minutes;" +
		" takes effect the next time a profile opens (default: 30)", checkRequestMinutes},
	{"browser", "path of the browser to open profiles with (default: the first that is found)", CheckPath},
	{"browser_args", "default browser arguments for every profile, separated by spaces", checkArgs},
	{"journal_days", "journal retention in days; takes effect the next time a profile opens (default: 90)", checkCount},
	{"journal_mb", "maximum size of a profile's journal in MB, with its screenshots;" +
		" takes effect the next time a profile opens (default: 200)", checkCount},
	{"notify", "show agents' requests on the desktop: on or off (default: on)", checkOnOff},
	{"notify_secret", "secret that signs the calls to notify_url, in the header " + notify.HeaderSignature,
		checkSecret},
	{"notify_text", "also send to notify_url what the agent asks for: on or off (default: off)", checkOnOff},
	{"notify_url", "URL that is called for each request of an agent; with ntfy: in front, a topic of ntfy" +
		" (default: none)", notify.CheckURL},
	{"proxy.check", "URL of a page that returns the IP address it is opened from; proxies are checked through it" +
		" (default: none, Cove calls only the proxy itself)", checkURL},
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
		return fault.Invalidf("%q is not a port from 1 to 65535.", v)
	}
	return nil
}

// CheckPath says why a path names no program. The empty path is the browser that Cove finds.
func CheckPath(v string) error {
	if v == "" {
		return nil
	}
	if _, err := exec.LookPath(v); err != nil {
		const hint = "`cove browser list` lists the browsers on this computer."
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

func checkOnOff(v string) error {
	if v != "" && v != "on" && v != "off" {
		return fault.Invalidf("%q is neither on nor off.", v)
	}
	return nil
}

func checkSecret(v string) error {
	if len(v) > 200 {
		return fault.Invalidf("The secret has more than 200 characters.")
	}
	return nil
}

// notifySecret is a setting whose value nobody reads back.
const notifySecret = "notify_secret"

// shown returns a setting's value as people see it.
func shown(key, value string) string {
	if key == notifySecret && value != "" {
		return "••••••••"
	}
	return value
}

func checkRequestMinutes(v string) error {
	if v == "" {
		return nil
	}
	if n, err := strconv.Atoi(v); err != nil || n < 1 || n > 1440 {
		return fault.Invalidf("%q is not a number of minutes from 1 to 1440.", v)
	}
	return nil
}

// RequestMinutes returns how long a request of an agent stays open; 0 for the usual time.
func (m *Machine) RequestMinutes(ctx context.Context) int {
	v, err := m.Store.Setting(ctx, "ask_minutes")
	if err != nil {
		return 0
	}
	n, _ := strconv.Atoi(v)
	return n
}

func checkURL(v string) error {
	if v == "" {
		return nil
	}
	u, err := url.Parse(v)
	if err != nil || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return fault.Invalidf("This is not the URL of a page.").WithHint("Write it with https:// or http://.")
	}
	return nil
}

func checkFlag(v string) error {
	if _, ok := api.ParseFlag(v); !ok {
		return fault.Invalidf("%q is neither true nor false.", v)
	}
	return nil
}

// Settings returns every setting with its value.
func (m *Machine) Settings(ctx context.Context) ([]api.Setting, error) {
	var out []api.Setting
	for _, s := range settings {
		value, err := m.Store.Setting(ctx, s.key)
		if err != nil {
			return nil, err
		}
		out = append(out, api.Setting{Key: s.key, Value: shown(s.key, value), About: s.about})
	}
	return out, nil
}

// CheckSetting says why a value does not fit a setting. It accepts any value for a setting that it does not know.
func (m *Machine) CheckSetting(key, value string) error {
	for _, s := range settings {
		if s.key == key {
			return s.check(strings.TrimSpace(value))
		}
	}
	return nil
}

// SetSetting changes a setting.
func (m *Machine) SetSetting(ctx context.Context, key, value string) (api.Setting, error) {
	for _, s := range settings {
		if s.key != key {
			continue
		}
		value = strings.TrimSpace(value)
		if err := s.check(value); err != nil {
			return api.Setting{}, err
		}
		if key == adsPowerPort {
			return m.setAdsPowerPort(ctx, value, s.about)
		}
		if key == "browser" && value != "" { // not part of the check, which runs before it is known who asks
			if err := m.CheckBrowser(ctx, value); err != nil {
				return api.Setting{}, err
			}
		}
		return api.Setting{Key: key, Value: shown(key, value), About: s.about}, m.Store.SetSetting(ctx, key, value)
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

// RequireToken reports whether programs need a token to start and stop profiles.
func (m *Machine) RequireToken(ctx context.Context) (bool, error) {
	v, err := m.Store.Setting(ctx, "require_token")
	yes, _ := api.ParseFlag(v)
	return yes, err
}

// ProxyCheck returns the page that proxies are checked with, or "".
func (m *Machine) ProxyCheck(ctx context.Context) (string, error) {
	return m.Store.Setting(ctx, "proxy.check")
}

// APIPort returns the port that the settings name for the API, or the usual one.
func (m *Machine) APIPort(ctx context.Context) (int, error) {
	v, err := m.Store.Setting(ctx, "api_port")
	if err != nil || v == "" {
		return api.DefaultPort, err
	}
	return strconv.Atoi(v)
}
