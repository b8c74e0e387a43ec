package chromium

import (
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"cove/internal/profile"
)

// Options says how the browser of one profile is launched.
type Options struct {
	DataDir string
	// Pipe connects the debugging protocol to the process that launches the browser. Without it nothing can debug it.
	Pipe     bool
	Headless bool
	// Pages open when no tabs are restored.
	Pages []string
	// Restored says that the tabs of the last session come back.
	Restored bool
	Window   profile.Size
	Locale   string
	Timezone string
	// Proxy is an address without credentials; "" means none.
	Proxy string
	// Relay is the only way to the network for a browser that agents use; the zero value means none.
	Relay Relay
	// Extra holds the person's own arguments.
	Extra     []string
	NoSandbox bool
}

// Flags returns the browser's command line, without the executable.
func (o Options) Flags() []string {
	flags := []string{
		"--user-data-dir=" + o.DataDir,
		"--no-first-run",
		"--no-default-browser-check",
		// Together they bring back tabs and session cookies, also after a crash.
		"--restore-last-session",
		"--hide-crash-restore-bubble",
	}
	if runtime.GOOS == "linux" {
		// Always the same, or logins saved under one desktop are unreadable under another.
		flags = append(flags, "--password-store=basic")
	}
	if o.Pipe {
		flags = append(flags, "--remote-debugging-pipe")
	}
	if o.Headless {
		flags = append(flags, "--headless=new")
	}
	if o.NoSandbox {
		flags = append(flags, "--no-sandbox")
	}
	if o.Window != (profile.Size{}) {
		flags = append(flags, "--window-size="+strconv.Itoa(o.Window.Width)+","+strconv.Itoa(o.Window.Height))
	}
	if o.Locale != "" {
		flags = append(flags, "--lang="+o.Locale, "--accept-lang="+acceptLanguages(o.Locale))
	}
	if o.Proxy != "" {
		flags = append(flags, "--proxy-server="+o.Proxy)
	}
	flags = append(flags, o.Extra...)
	flags = append(flags, o.Relay.Flags()...) // after the person's: of two the last counts
	return append(flags, o.pages()...)
}

// Relay is the port of a relay on loopback, and its protocol: http or socks5.
type Relay struct {
	Scheme string
	Port   int
}

// relayHost is a name that only our own resolver rule knows.
const relayHost = "relay.cove.invalid"

// Flags leave the browser no way to the network but the relay. The settings of an extension outrank the proxy's switch,
// so the browser can resolve nothing but the relay's name, not even an address: any other way ends there.
func (r Relay) Flags() []string {
	if r == (Relay{}) {
		return nil
	}
	return []string{
		"--proxy-server=" + r.Scheme + "://" + relayHost + ":" + strconv.Itoa(r.Port),
		"--proxy-bypass-list=<-loopback>", // or sites of this computer bypass the relay
		"--host-resolver-rules=MAP " + relayHost + " 127.0.0.1,MAP * ~NOTFOUND",
		"--webrtc-ip-handling-policy=disable_non_proxied_udp",
	}
}

// pages returns the addresses on the command line. Beside restored tabs an address would add a tab at each start.
// Without any tab, about:blank is a page that answers at once. A headless browser accepts one address only.
func (o Options) pages() []string {
	switch {
	case o.Restored:
		return nil
	case len(o.Pages) == 0:
		return []string{"about:blank"}
	case o.Headless:
		return o.Pages[:1]
	}
	return o.Pages
}

// acceptLanguages adds the bare language to a regional one: de-AT,de.
func acceptLanguages(locale string) string {
	if language, _, regional := strings.Cut(locale, "-"); regional {
		return locale + "," + language
	}
	return locale
}

// Env returns the browser's environment: ours, without Cove's own names, with the profile's language and timezone.
func (o Options) Env() []string {
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "COVE_") })
	if o.Timezone != "" {
		env = append(env, "TZ="+o.Timezone)
	}
	if o.Locale != "" && runtime.GOOS == "linux" {
		env = append(env, "LANGUAGE="+strings.ReplaceAll(o.Locale, "-", "_"))
	}
	return env
}
