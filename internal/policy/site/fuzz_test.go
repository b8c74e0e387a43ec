package site

import (
	"fmt"
	"regexp"
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
		if !s.expressed(t, o) {
			t.Fatalf("%q does not match %s as %s", text, o, s.Expression())
		}
		for _, host := range []string{"x" + s.host, s.host + ".x", s.host + "x"} {
			if o.Host = host; s.Matches(o) || s.expressed(t, o) {
				t.Fatalf("%q matches %s", text, o)
			}
		}
	})
}

// expressed reports whether the pattern's expression finds an origin.
func (s Pattern) expressed(t *testing.T, o Origin) bool {
	found, err := regexp.MatchString(s.Expression(), fmt.Sprintf("%s://%s:%d", o.Scheme, o.Host, o.Port))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestExpressionsFindWhatPatternsMatch(t *testing.T) {
	origins := []Origin{{"http", "a.test", 80}, {"https", "a.test", 443}, {"http", "a.test", 8080},
		{"https", "b.a.test", 443}, {"http", "a.test", 443}, {"https", "ba.test", 443}, {"http", "axtest", 80},
		{"http", "127.0.0.1", 3000}, {"http", "::1", 80}}
	for _, text := range []string{"*", "a.test", "https://a.test", "http://*.a.test", "a.test:*", "http://a.test:8080",
		"*.a.test", "http://*", "*:80", "[::1]", "http://127.0.0.1:*"} {
		s, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range origins {
			if s.Matches(o) != s.expressed(t, o) {
				t.Errorf("%s and %s: %s says otherwise", text, o, s.Expression())
			}
		}
	}
}
