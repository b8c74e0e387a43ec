package site

import (
	"net/url"
	"strings"
	"testing"
)

func TestSites(t *testing.T) {
	for _, c := range []struct{ site, yes, no string }{
		{"https://example.com", "https://example.com/a?b https://EXAMPLE.com:443 wss://example.com https://example.com./", "http://example.com https://a.example.com https://example.com:8443 https://example.com.evil.test https://notexample.com"},
		{"https://*.example.com", "https://a.example.com https://a.b.example.com https://example.com",
			"http://a.example.com https://badexample.com https://a.example.com:444"},
		{"example.com", "http://example.com https://example.com ws://example.com",
			"https://example.com:8443 http://a.example.com"},
		{"http://localhost:3000", "http://localhost:3000/x ws://localhost:3000",
			"http://localhost https://localhost:3000 http://127.0.0.1:3000"},
		{"http://localhost:*", "http://localhost:1 http://localhost", "https://localhost"},
		{"http://[::1]:80", "http://[::1]/ http://[0:0::1]", "http://127.0.0.1"},
		{"https://*", "https://anything.test", "http://anything.test"},
		{"*", "https://anything.test http://1.2.3.4:99", ""},
		{"wss://chat.example.com", "https://chat.example.com wss://chat.example.com", "ws://chat.example.com"},
	} {
		pattern, err := Parse(c.site)
		if err != nil {
			t.Fatal(err)
		}
		for want, list := range map[bool]string{true: c.yes, false: c.no} {
			for _, address := range strings.Fields(list) {
				u, _ := url.Parse(address)
				o, ok := OriginOf(u)
				if !ok || pattern.Matches(o) != want {
					t.Errorf("%s and %s: %t, want %t", c.site, address, pattern.Matches(o), want)
				}
			}
		}
		if again, err := Parse(pattern.String()); err != nil || again != pattern {
			t.Errorf("%s is written %s, which is not the same", c.site, pattern)
		}
	}
	for _, bad := range []string{"", "ftp://example.com", "https://", "https://a.*.com", "https://exa mple.com",
		"https://example.com/path", "https://u@example.com", "example.com:0", "example.com:70000", "*.1.2.3.4", "https://ex\u00e4mple.com", "https://*example.com", "http://127.1", "http://0x7f.0.0.1", "http://2130706433", "0177.0.0.1", "http://example.0x", "1.2.3.4.5"} {
		if s, err := Parse(bad); err == nil {
			t.Errorf("%q is taken as %v", bad, s)
		}
	}
}
