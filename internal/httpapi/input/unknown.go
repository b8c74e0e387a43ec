package input

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"cove/internal/fault"
	"cove/internal/wording"
)

// Identity are the fields that decide who a profile is to sites and to this computer. Cove refuses what might be meant
// for one of them and is not understood: a proxy that silently means none would show a site the wrong person.
var Identity = []string{"proxy", "args", "browser", "timezone", "locale", "policy"}

// otherNames maps what other programs call such fields, in lower case and without - and _, to a hint for the sender.
var otherNames = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"proxyid": "Send it with the profile.", "proxies": sayProxy, "proxyserver": sayProxy,
		"proxyurl": sayProxy, "proxystring": sayProxy, "proxyconfig": sayProxy,
		"proxysettings": sayProxy, "proxyhost": sayProxy, "proxyport": sayProxy, "proxytype": sayProxy,
		"proxysoft": sayProxy, "userproxyconfig": sayProxy, "httpproxy": sayProxy, "socksproxy": sayProxy,
		"arguments": sayArgs, "launchargs": sayArgs, "launcharguments": sayArgs, "browserargs": sayArgs,
		"browserarguments": sayArgs, "chromeargs": sayArgs, "extraargs": sayArgs, "chromiumargs": sayArgs,
		"commandline": sayArgs, "commandlineargs": sayArgs, "cmdargs": sayArgs, "flags": sayArgs, "switches": sayArgs,
		"browserpath": sayBrowser, "browserexecutable": sayBrowser, "executablepath": sayBrowser,
		"executable": sayBrowser,
		"binary":     sayBrowser, "chromepath": sayBrowser,
		"userdatadir": sayFolder, "datadir": sayFolder, "profiledirectory": sayFolder, "profiledir": sayFolder,
		"storagepath": sayFolder,
		"external":    sayExternal,
		"cookies":     sayCookies, "cookie": sayCookies, "storagestate": sayCookies, "localstorage": sayCookies,
		"browserprofilepassword": "Cove protects profiles with file permissions. Leave this field out.",
		"timezoneid":             `Send it in "timezone", such as "Europe/Berlin".`,
	}
})

const (
	sayProxy = `Describe the proxy in "proxy", such as ` +
		`{"type":"http","host":"proxy.example","port":8080,"login":"…","password":"…"}.`
	sayArgs     = `Send a list in "args", such as ["--mute-audio"].`
	sayBrowser  = `Send the path in "browser".`
	sayExternal = "To let agents work in a browser that you use outside Cove, run cove adopt. Leave this field out."
	sayFolder   = "Cove stores each profile's data in its own folder. Leave this field out."
	sayCookies  = "Leave this field out, and import the cookies afterwards with POST /v1.0/cookies/import or: " +
		"cove cookies import ID FILE"
)

// plainName returns a name without the differences in spelling: proxyId, proxy_id and Proxy-ID are the same.
func plainName(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name))
}

// SaysNothing reports whether a value changes nothing. Clients send every field that they know.
func SaysNothing(value json.RawMessage) bool {
	switch strings.TrimSpace(string(value)) {
	case "", "null", `""`, `"0"`, "0", "[]", "false":
		return true
	}
	return false
}

// Decides reports whether a name could be meant for a field that decides an identity, and returns a hint for the
// sender.
func Decides(name string) (next string, yes bool) {
	plain := plainName(name)
	if next, yes = otherNames()[plain]; yes {
		return next, true
	}
	for _, field := range Identity {
		if plain == field || oneOff(plain, field) {
			return `Did you mean "` + field + `"?`, true
		}
	}
	return "", false
}

// CheckUnknownField refuses a field that Cove does not know and that could decide an identity.
func CheckUnknownField(name string, value json.RawMessage) error {
	next, yes := Decides(name)
	if !yes || SaysNothing(value) {
		return nil
	}
	if next == sayCookies {
		return fault.Unprocessablef(Clip(name), "This call does not import %q.", Clip(name)).WithHint(next)
	}
	return fault.Fieldf(Clip(name), "Unknown field %q. It could change the profile's identity.",
		Clip(name)).WithHint(next)
}

// Meant returns the known name that an unknown one probably stands for, or "".
func Meant(name string, known []string) string {
	if slices.Contains(known, name) {
		return ""
	}
	for _, k := range known {
		if plainName(name) == plainName(k) || oneOff(strings.ToLower(name), strings.ToLower(k)) {
			return k
		}
	}
	return ""
}

// oneOff reports whether two names differ by one letter: one added, one missing, one replaced, or two swapped.
func oneOff(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 || a == b {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	if a[i+1:] == b[i+1:] {
		return true
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// Clip shortens a name from a request so that a sentence can hold it.
func Clip(name string) string { return wording.Shorten(name, 60) }
