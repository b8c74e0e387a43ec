package site

import (
	"testing"
)

func FuzzParse(f *testing.F) {
	for _, s := range []string{"*", "example.com", "https://*.example.com", "http://localhost:3000",
		"http://localhost:*", "[::1]:80", "ws://x", "https://a.b./", "127.0.0.1", "0x7f.1", "*://example.com", "https://[::ffff:1.2.3.4]", "a]", "a].", "*.*", "::1", "http://*", "*:80"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(s.String())
		if err != nil || again != s || again.String() != s.String() {
			t.Fatalf("%q is %+v, written %q, read again as %+v: %v", text, s, s.String(), again, err)
		}
		if s.host == "" {
			return
		}
		o := Origin{Scheme: s.scheme, Host: s.host, Port: s.port}
		if o.Scheme == "" {
			o.Scheme = "https"
		}
		if o.Port <= 0 {
			o.Port = ownPort(o.Scheme)
		}
		if !s.Matches(o) {
			t.Fatalf("%q does not match %s", text, o)
		}
		for _, host := range []string{"x" + s.host, s.host + ".x", s.host + "x"} {
			if o.Host = host; s.Matches(o) {
				t.Fatalf("%q matches %s", text, o)
			}
		}
	})
}
