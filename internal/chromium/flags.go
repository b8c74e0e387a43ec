package chromium

import (
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"cove/internal/profile"
)

// Options is how one profile's browser is to be opened.
type Options struct {
	DataDir string
	// Pipe hands the debugging protocol to whoever starts the browser; without it there is no debugging of any kind.
	Pipe     bool
	Headless bool
	// Pages open when nothing is restored.
	Pages []string
	// Restored says that tabs of the last session come back.
	Restored bool
	Window   profile.Size
	Locale   string
	Timezone string
	// Proxy is an address without credentials; "" is none.
	Proxy string
	// Relay is the only way to the network, for a browser that agents use; the zero value is none.
	Relay Relay
	// Extra are arguments of the person's own.
	Extra     []string
	NoSandbox bool
}

// Flags is the browser's command line, without the executable.
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
	flags = append(flags, o.Relay.Flags()...) // after those of the person: of two the last counts
	return append(flags, o.pages()...)
}

// Relay is where a relay listens on loopback and what it speaks: http or socks5.
type Relay struct {
	Scheme string
	Port   int
}

// relayHost is a name that only our own rule resolves.
const relayHost = "relay.cove.invalid"

// Flags leave the browser no way to the network but the relay. Settings of an extension outrank the proxy's switch: so nothing can be
// resolved but the relay's name, not even an address, and whatever else is tried ends there.
func (r Relay) Flags() []string {
	if r == (Relay{}) {
		return nil
	}
	return []string{
		"--proxy-server=" + r.Scheme + "://" + relayHost + ":" + strconv.Itoa(r.Port),
		"--proxy-bypass-list=<-loopback>", // else this computer's own sites go past it
		"--host-resolver-rules=MAP " + relayHost + " 127.0.0.1,MAP * ~NOTFOUND",
		"--webrtc-ip-handling-policy=disable_non_proxied_udp",
	}
}

// pages are the addresses on the command line. Beside restored tabs an address would add a tab at each start; without any,
// about:blank gives a page that answers at once. A headless browser takes one address only.
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

// Env is the browser's environment: ours, without Cove's own names, with the profile's language and timezone.
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
