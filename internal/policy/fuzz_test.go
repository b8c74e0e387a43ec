package policy

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// browserHost is the host that a browser reads out of a web address, after the WHATWG's rules, without the names in
// other letters; "" when it is none. It is written apart from the rules, on purpose.
func browserHost(address string) string {
	s := strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' {
			return -1
		}
		return r
	}, strings.TrimFunc(address, func(r rune) bool { return r <= ' ' }))
	scheme, rest, ok := strings.Cut(s, ":")
	if scheme = strings.ToLower(scheme); !ok ||
		(scheme != "http" && scheme != "https" && scheme != "ws" && scheme != "wss") {
		return ""
	}
	rest = strings.TrimLeft(strings.ReplaceAll(rest, `\`, "/"), "/")
	if at := strings.IndexAny(rest, "/?#"); at >= 0 {
		rest = rest[:at]
	}
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	if end := strings.LastIndexByte(rest, ':'); end >= 0 && !strings.HasSuffix(rest, "]") {
		rest = rest[:end]
	}
	if plain, err := url.PathUnescape(rest); err == nil {
		rest = plain
	}
	rest = strings.TrimRight(strings.ToLower(strings.Trim(rest, "[]")), ".")
	if ip, err := netip.ParseAddr(rest); err == nil {
		return ip.Unmap().WithZone("").String()
	}
	return rest
}

// An address that the rules let through for its site is one of that site to a browser, too.
func FuzzRulesURL(f *testing.F) {
	for _, s := range []string{"https://example.com/", "HTTP://EXAMPLE.COM:80/x?y#z", "https://evil.test@example.com",
		"https://example.com@evil.test", `https://evil.test\@example.com`, `https:\\example.com`, "https:example.com",
		"https:/example.com",
		"https:///example.com", "https://example.com.", "https://example.com%2eevil.test", "https://ex%61mple.com",
		" https://example.com", "ht\ntps://evil.test", "https://example.com:443@evil.test/", "https://[::1]/",
		"blob:https://example.com/1",
		"view-source:https://evil.test", "filesystem:https://evil.test/t/x", "https://example.com#@evil.test", "https://evil.test#@example.com", "https://evil.test?@example.com", "wss://example.com", "//example.com", "https://a:b@example.com:8443"} {
		f.Add(s)
	}
	rules := NewRules(Policy{Preset: Guarded, Sites: Sites{Allow: []string{"https://example.com", "http://[::1]:*"}}})
	f.Fuzz(func(t *testing.T, address string) {
		v := rules.URL(address)
		if !v.OK() {
			return
		}
		scheme, _, absolute := strings.Cut(strings.ToLower(strings.TrimSpace(address)), ":")
		if !absolute { // a browser does not navigate to it
			return
		}
		switch scheme {
		case "http", "https", "ws", "wss":
		default:
			if slices.Contains([]string{"http", "https", "ws", "wss"}, browserScheme(address)) {
				t.Fatalf("%q is a web address to a browser", address)
			}
			return
		}
		if host := browserHost(address); host != "example.com" && host != "::1" {
			t.Fatalf("%q is of %q to a browser", address, host)
		}
	})
}

// browserScheme is what a browser takes for the scheme.
func browserScheme(address string) string {
	s := strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' {
			return -1
		}
		return r
	}, strings.TrimFunc(address, func(r rune) bool { return r <= ' ' }))
	scheme, _, ok := strings.Cut(s, ":")
	if !ok {
		return ""
	}
	return strings.ToLower(scheme)
}
