package remote

import (
	"strings"
	"testing"
)

func TestTextOf(t *testing.T) {
	for _, c := range []struct{ name, raw, want string }{
		{"short", `"abc"`, "abc"},
		{"escapes", `"a\"\u00e9\n"`, "a\"é\n"},
		{"long", `"` + strings.Repeat("x", 100_000) + `"`, strings.Repeat("x", MaxText)},
		{"long, of escapes", `"` + strings.Repeat(`\ud83d\ude00`, 20_000) + `"`, "😀😀😀"},
		{"long, of slashes", `"` + strings.Repeat(`\\`, 60_000) + `"`, `\\\`},
		{"long, of bytes", `"` + strings.Repeat("é", 60_000) + `"`, strings.Repeat("é", MaxText)},
	} {
		got := textOf([]byte(c.raw))
		if !strings.HasPrefix(got, c.want) || len([]rune(got)) > MaxText+40 {
			t.Errorf("%s: %d characters: %.40q", c.name, len([]rune(got)), got)
		}
	}
}
