package profile

import (
	"strings"

	"cove/internal/fault"
)

// denied are Chromium switches that a profile may not carry, with the reason. A name that ends in * stands for all that
// begin so.
var denied = []struct{ name, why string }{
	{"remote-debugging-*", "it opens a debugging port that does not pass Cove's gate"},
	{"remote-allow-origins", "it opens the debugging port to web pages"},
	{"wm-window-animations-disabled-remote-debugging", "it opens a debugging port that does not pass Cove's gate"},
	{"devtools-*", "it changes how the browser can be debugged"},
	{"enable-unsafe-extension-debugging", "it lets a debugger install extensions"},
	{"user-data-dir", "it moves the profile's data out of its folder"},
	{"profile-directory", "it moves the profile's data out of its folder"},
	{"data-path", "it moves the profile's data out of its folder"},
	{"disk-cache-dir", "it moves the profile's data out of its folder"},
	{"crash-dumps-dir", "it moves the profile's data out of its folder"},
	{"incognito", "it would forget what the profile is for: its logins"},
	{"guest", "it would forget what the profile is for: its logins"},
	{"temp-profile", "it moves the profile's data out of its folder"},
	{"bwsi", "it would forget what the profile is for: its logins"},
	{"headless", "Cove decides it at each start"},
	{"no-startup-window", "Cove needs a page to tell when the browser is ready"},
	{"app", "Cove decides which pages open"},
	{"app-id", "Cove decides which pages open"},
	{"restore-last-session", "Cove decides which pages open"},
	{"proxy-server", "the profile has a field of its own for it"},
	{"proxy-pac-url", "the profile has a field of its own for a proxy"},
	{"no-proxy-server", "the profile has a field of its own for a proxy"},
	{"proxy-auto-detect", "the profile has a field of its own for a proxy"},
	{"proxy-*", "traffic would leave beside the profile's proxy"},
	{"host-resolver-rules", "traffic would leave beside the profile's proxy"},
	{"host-rules", "traffic would leave beside the profile's proxy"},
	{"webrtc-ip-handling-policy", "traffic would leave beside the profile's proxy"},
	{"force-webrtc-ip-handling-policy", "traffic would leave beside the profile's proxy"},
	{"webrtc-udp-port-range", "traffic would leave beside the profile's proxy"},
	{"winhttp-proxy-resolver", "the profile has a field of its own for a proxy"},
	{"password-store", "changing it makes saved logins unreadable"},
	{"use-mock-keychain", "changing it makes saved logins unreadable"},
	{"enable-automation", "Cove decides it by the way the profile is started"},
	{"renderer-cmd-prefix", "it runs another program"},
	{"utility-cmd-prefix", "it runs another program"},
	{"gpu-launcher", "it runs another program"},
	{"browser-subprocess-path", "it runs another program"},
	{"single-process", "it takes away what keeps pages apart"},
	{"no-sandbox", "it takes away what keeps pages from your files; Cove decides it"},
	{"disable-web-security", "it takes away what keeps pages apart"},
	{"load-and-launch-app", "it runs another program"},
	{"log-net-log", "it writes cookies and passwords to a file"},
	{"ssl-key-log-file", "it writes what opens encrypted traffic to a file"},
	{"no-zygote-sandbox", "it takes away what keeps pages from your files; Cove decides it"},
	{"disable-setuid-sandbox", "it takes away what keeps pages from your files; Cove decides it"},
}

func (p *Profile) cleanArgs() error {
	if len(p.Args) > maxArgs {
		return fault.Invalidf("A profile has at most %d extra browser arguments.", maxArgs)
	}
	for i, arg := range p.Args {
		if err := checkText("browser argument", arg, maxText); err != nil {
			return err
		}
		name, ok := switchName(arg)
		if !ok {
			return fault.Invalidf("%q is not a browser argument.", clip(arg, 80)).
				WithHint("Write it as --name or --name=value; pages go into the start pages.")
		}
		if why := deniedWhy(name); why != "" {
			return fault.Invalidf("The browser argument --%s is not allowed: %s.", name, why)
		}
		p.Args[i] = "--" + strings.TrimLeft(arg, "-")
	}
	return nil
}

// switchName is the name that Chromium would read: one or two dashes, any case on Windows, blanks trimmed.
func switchName(arg string) (string, bool) {
	bare, dashed := strings.CutPrefix(arg, "-")
	bare = strings.TrimPrefix(bare, "-")
	name, _, _ := strings.Cut(bare, "=")
	if !dashed || name == "" || strings.HasPrefix(name, "-") || strings.ContainsAny(name, " \t/\\\"'") {
		return "", false
	}
	return strings.ToLower(name), true
}

func deniedWhy(name string) string {
	for _, d := range denied {
		if prefix, many := strings.CutSuffix(d.name, "*"); name == d.name || (many && strings.HasPrefix(name, prefix)) {
			return d.why
		}
	}
	return ""
}
