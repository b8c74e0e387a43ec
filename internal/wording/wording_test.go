package wording

import (
	"testing"
	"unicode/utf8"
)

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"", 0, ""}, {"", 3, ""}, {"a", 0, ""}, {"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"äöü", 3, "äöü"},
		{"äöüß", 3, "äö…"}, {"日本語", 2, "日…"}, {"ab", 1, "…"},
		{"a\xffbc", 4, "a\xffbc"}, {"a\xffbcd", 4, "ab…"}, {"👩‍👩‍👧", 2, "👩…"},
	} {
		if got := Shorten(c.text, c.most); got != c.want {
			t.Errorf("%q to %d: %q, not %q", c.text, c.most, got, c.want)
		}
	}
}

func TestCapitalize(t *testing.T) {
	for text, want := range map[string]string{"": "", "a": "A", "button x": "Button x", "Button": "Button",
		"ärger": "Ärger", "1 x": "1 x", "\xff": "\xff"} {
		if got := Capitalize(text); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}

func FuzzShorten(f *testing.F) {
	f.Add("abcd", 3)
	f.Add("ä\xff", 1)
	f.Fuzz(func(t *testing.T, s string, most int) {
		if most < 0 {
			return
		}
		got := Shorten(s, most)
		if got != s && (utf8.RuneCountInString(got) > most || !utf8.ValidString(got)) {
			t.Errorf("%q to %d: %q", s, most, got)
		}
	})
}

func TestExcerpt(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"", 0, ""}, {"abc", 3, "abc"}, {"abcd", 3, "abc…(+1 characters)"}, {"éé", 2, "éé"},
		{"ééé", 2, "éé…(+1 characters)"}, {"éééé", 2, "éé…(+2 characters)"},
	} {
		if got := Excerpt(c.text, c.most); got != c.want {
			t.Errorf("%q to %d: %q, not %q", c.text, c.most, got, c.want)
		}
	}
}

func TestANumberAgreesWithItsNoun(t *testing.T) {
	for _, c := range []struct {
		n          int
		noun, want string
	}{{1, "proxy", "1 proxy"}, {0, "proxy", "0 proxies"}, {2, "status", "2 statuses"}, {3, "cookie", "3 cookies"}} {
		if got := Count(c.n, c.noun); got != c.want {
			t.Errorf("%q, not %q", got, c.want)
		}
	}
}
