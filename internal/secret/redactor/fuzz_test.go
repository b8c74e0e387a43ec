package redactor

import (
	"bytes"
	"strings"
	"testing"

	"cove/internal/secret"
)

// However a text holds a secret, nothing of what is promised to be hidden is left; and it makes no difference in
// which pieces it comes.
func FuzzRedactor(f *testing.F) {
	f.Add("hunter2 & <co>", "pass", "before %s after", 7)
	f.Add("pässwörter", "more of it", "%s%s", 1)
	f.Add("abcdef", "abcdefgh", "x%sy", 3)
	f.Add("aaaaaa", "aaaaaaa", "aaa%saaa", 2)
	f.Add("\"quoted\" \\ back", "", "{\"a\":\"%s\"}", 5)
	f.Fuzz(func(t *testing.T, one, other, text string, size int) {
		for _, value := range []string{one, other} {
			size := len(value)
			if size < secret.MinValue || size > 200 || strings.ContainsAny(value, "•\r\n\x00") || len(text) > 2000 {
				return
			}
		}
		forms := append(formsOf(one), formsOf(other)...)
		h := New([]secret.Secret{{Name: "a", Value: one}, {Name: "b", Value: other}})
		for _, form := range forms {
			held := strings.ReplaceAll(text, "%s", form)
			out := h.Text(held)
			for _, left := range forms {
				if strings.Contains(out, left) {
					t.Fatalf("%q became %q, which holds %q", held, out, left)
				}
			}
			if string(h.Bytes([]byte(held))) != out {
				t.Fatalf("%q: bytes and text differ", held)
			}
		}
		long := strings.Repeat(strings.ReplaceAll(text, "%s", one)+strings.ReplaceAll(text, "%s", other), 3)
		var got bytes.Buffer
		w := &filter{redactor: h, to: &got, most: 1 + size&15}
		for rest := long; rest != ""; {
			n := min(len(rest), 1+size&7)
			if _, err := w.Write([]byte(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		_ = w.Close()
		if want := h.Text(long); got.String() != want {
			t.Fatalf("in pieces %q became %q, not %q", long, got.String(), want)
		}
	})
}

func TestALongerSecretIsHiddenThoughItsBeginningIsOneToo(t *testing.T) {
	h := New([]secret.Secret{{Value: "abcdef"}, {Value: "abcdefgh-long"}})
	var got bytes.Buffer
	w := h.Writer(&got)
	for _, piece := range []string{"x abcdef", "gh-long y"} {
		_, _ = w.Write([]byte(piece))
	}
	_ = w.Close()
	if want := "x " + Dots + " y"; got.String() != want {
		t.Errorf("%q, not %q", got.String(), want)
	}
}
