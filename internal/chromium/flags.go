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
	// Requested are pages of this start. They also open beside restored tabs. An app that was running while Cove was
	// replaced on disk sends them to a newer keeper by the older name.
	Requested []string `json:"Asked"`
	// Restored says that the tabs of the last session come back.
	Restored bool
	Window   profile.Size
	Locale   string
	Timezone string
	// Proxy is an address without credentials; "" means none.
	Proxy string
	// Relay is the only way to the network for a browser that agents use; the zero value means none.
	Relay Relay
	// NoWindow starts the browser without a page, for a pipe that needs none.
	NoWindow bool
	// Install makes it a browser that only installs extensions: it opens no window by itself.
	Install bool
	// Offline cuts the browser off from every network, this computer's included.
	Offline bool
	// PageTools lets pages offer tools to agents.
	PageTools bool
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
		// On a page whose frames take longer than the animation of a scroll, a smooth scroll by key moves nothing.
		if !slices.Contains(o.Extra, "--enable-smooth-scrolling") {
			flags = append(flags, "--disable-smooth-scrolling")
		}
	}
	if o.Headless {
		flags = append(flags, "--headless=new")
	}
	if o.Install {
		flags = append(flags, "--enable-unsafe-extension-debugging", "--no-startup-window")
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
		// A browser with this switch never tries a direct connection when the proxy fails. But for calls and the like
		// pages would send UDP past the proxy, which shows sites the address of this computer.
		flags = append(flags, "--proxy-server="+o.Proxy, proxiedUDP)
	}
	flags = append(flags, o.Extra...)
	if o.PageTools {
		flags = append(flags, withFeature(o.Extra, "WebMCP"))
	}
	flags = append(flags, o.Relay.Flags()...) // after the person's: of two the last counts
	if o.Offline {
		flags = append(flags, offlineFlags...)
	}
	if o.NoWindow {
		return append(flags, "--no-startup-window")
	}
	return append(flags, o.pages()...)
}

// withFeature returns the switch that enables a feature beside those of the person. Of two such switches the browser
// reads only the last.
func withFeature(person []string, name string) string {
	const enable = "--enable-features="
	features := name
	for _, flag := range person {
		if theirs, ok := strings.CutPrefix(flag, enable); ok {
			features = name
			if theirs != "" {
				features = theirs + "," + name
			}
		}
	}
	return enable + features
}

// offlineFlags name a proxy whose address nothing can find, and leave no way around it.
var offlineFlags = []string{
	"--proxy-server=socks5://" + relayHost + ":9",
	"--proxy-bypass-list=<-loopback>",
	"--host-resolver-rules=MAP * ~NOTFOUND",
	"--webrtc-ip-handling-policy=disable_non_proxied_udp",
}

// Relay is the port of a relay on loopback, and its protocol: http or socks5.
type Relay struct {
	Scheme string
	Port   int
}

// proxiedUDP keeps pages from sending UDP past the proxy.
const proxiedUDP = "--webrtc-ip-handling-policy=disable_non_proxied_udp"

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
		proxiedUDP,
	}
}

// pages returns the addresses on the command line. Beside restored tabs an address would add a tab at each start.
// Without any tab, about:blank is a page that answers at once. A headless browser accepts one address only.
func (o Options) pages() []string {
	pages := o.Requested
	if !o.Restored {
		pages = append(pages[:len(pages):len(pages)], o.Pages...)
	}
	switch {
	case o.Install, len(pages) == 0 && o.Restored:
		return nil
	case len(pages) == 0:
		return []string{"about:blank"}
	case o.Headless:
		return pages[:1]
	}
	return pages
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
