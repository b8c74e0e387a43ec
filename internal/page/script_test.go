package page

import (
	"testing"

	"cove/internal/fault"
)

func TestPretty(t *testing.T) {
	if got := Pretty(`"ééé"`, 4); got != `"é…(+5 bytes; return less, or give filePath)` {
		t.Errorf("%q", got)
	}
	if got := Pretty("12", 4); got != "12" {
		t.Errorf("%q", got)
	}
}

func TestCheckURL(t *testing.T) {
	for _, c := range []struct{ url, code string }{
		{"http://example.com", ""}, {"https://example.com/a?b#c", ""}, {"  https://example.com", ""}, {"about:blank",
			""}, {"data:text/html,x", ""}, {"blob:http://x/1", ""},
		{"file:///tmp/x", ""}, {"view-source:http://x/", ""}, {"HTTP://EXAMPLE.COM", ""},
		{"", "E_INVALID"}, {"example.com", "E_INVALID"}, {"http://", "E_INVALID"}, {"https:///path",
			"E_INVALID"}, {"http://a\nb", "E_INVALID"}, {"http://a\tb", "E_INVALID"}, {"//x", "E_INVALID"},
		{"http://[::1", "E_INVALID"},
		{"javascript:alert(1)", "E_INVALID"}, {"JavaScript:alert(1)", "E_INVALID"},
		{"chrome://settings", ""}, {"about:version", ""}, {"devtools://devtools", ""}, {"chrome-untrusted://x",
			""}, {"ws://x", "E_INVALID"}, {"ftp://x", "E_INVALID"}, {"intent:x", "E_INVALID"},
	} {
		err, code := CheckURL(c.url), ""
		if err != nil {
			code = string(fault.From(err).Code)
		}
		if code != c.code {
			t.Errorf("%q: %q, want %q", c.url, code, c.code)
		}
	}
}
