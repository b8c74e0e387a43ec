package profile

import (
	"reflect"
	"strings"
	"testing"

	"cove/internal/fault"
	"cove/internal/policy"
	"cove/internal/proxy"
	"cove/internal/wording"

	"github.com/google/go-cmp/cmp"
)

func TestParseID(t *testing.T) {
	for _, s := range []string{"1", "42", "2147483647"} {
		if id, err := ParseID(s); err != nil || id.String() != s {
			t.Errorf("ParseID(%q) = %v, %v", s, id, err)
		}
	}
	for _, s := range []string{"", "0", "01", "-1", "+1", "1e3", "../1", "1/..", "٣", "2147483648",
		strings.Repeat("9", 40), " 1", "1 ", "0x1", "1.0", "NaN", "1\x00"} {
		if id, err := ParseID(s); fault.KindOf(err) != fault.Invalid {
			t.Errorf("ParseID(%q) = %v, %v", s, id, err)
		}
	}
}

func TestClean(t *testing.T) {
	t.Run("tidies what people type", func(t *testing.T) {
		p := Profile{Name: "  work ", Tags: []string{"a", " a", "", "b"},
			StartPages: []string{"example.com", "http://localhost:1/x"}, Locale: "en_GB", PageTools: "on",
			Proxy: proxy.Proxy{Type: "SOCKS5", Host: "[::1]", Port: 1080}, Args: []string{"-mute-audio"}}
		if err := p.Clean(); err != nil {
			t.Fatal(err)
		}
		want := Profile{Name: "work", Tags: []string{"a", "b"},
			StartPages: []string{"https://example.com", "http://localhost:1/x"}, Locale: "en-GB",
			Proxy: proxy.Proxy{Type: "socks5", Host: "::1", Port: 1080}, Args: []string{"--mute-audio"},
			Policy: policy.Policy{Preset: policy.Open}}
		if d := cmp.Diff(want, p); d != "" {
			t.Fatal(d)
		}
		if got := p.Proxy.Address(); got != "socks5://[::1]:1080" {
			t.Fatal(got)
		}
	})
	bad := map[string]func(*Profile){
		"no name":                         func(p *Profile) { p.Name = "  " },
		"a name that is too long":         func(p *Profile) { p.Name = strings.Repeat("ü", maxName+1) },
		"a control character":             func(p *Profile) { p.Name = "a\x1bb" },
		"bytes that are not text":         func(p *Profile) { p.Notes = "\xff" },
		"a file as start page":            func(p *Profile) { p.StartPages = []string{"file:///etc/passwd"} },
		"a script as start page":          func(p *Profile) { p.StartPages = []string{"javascript:alert(1)"} },
		"a switch as start page":          func(p *Profile) { p.StartPages = []string{"--remote-debugging-port=1"} },
		"a window without height":         func(p *Profile) { p.Window = Size{Width: 800} },
		"a negative window":               func(p *Profile) { p.Window = Size{-800, 600} },
		"a locale that is none":           func(p *Profile) { p.Locale = "en;x" },
		"page tools that are neither":     func(p *Profile) { p.PageTools = "maybe" },
		"a timezone that is none":         func(p *Profile) { p.Timezone = "Mars/Phobos" },
		"a timezone outside the database": func(p *Profile) { p.Timezone = "../../etc/passwd" },
		"a proxy of another kind":         func(p *Profile) { p.Proxy = proxy.Proxy{Type: "ftp", Host: "h", Port: 1} },
		"a proxy host with a path":        func(p *Profile) { p.Proxy = proxy.Proxy{Type: "http", Host: "h/x", Port: 1} },
		"a proxy host with a list": func(p *Profile) {
			p.Proxy = proxy.Proxy{Type: "http", Host: "h;direct",
				Port: 1}
		},
		"a proxy without a port": func(p *Profile) { p.Proxy = proxy.Proxy{Type: "http", Host: "h"} },
	}
	for name, spoil := range bad {
		t.Run("refuses "+name, func(t *testing.T) {
			p := Profile{Name: "x"}
			spoil(&p)
			if k := fault.KindOf(p.Clean()); k != fault.Invalid && k != fault.Unprocessable {
				t.Fatalf("got %v", k)
			}
		})
	}
}

// Every text of a profile has an end, and no control characters: a field without a check fails here.
func TestEveryTextIsChecked(t *testing.T) {
	for f := range reflect.TypeFor[Profile]().Fields() {
		for _, wrong := range []string{"a\x00b", strings.Repeat("x", 30_000)} {
			p := Profile{Name: "x"}
			switch field := reflect.ValueOf(&p).Elem().FieldByIndex(f.Index); v := field.Addr().Interface().(type) {
			case *string:
				*v = wrong
			case *[]string:
				*v = []string{wrong}
			default:
				continue
			}
			if err := p.Clean(); err == nil {
				t.Errorf("%s may be %q", f.Name, wording.Shorten(wrong, 20))
			}
		}
	}
}
