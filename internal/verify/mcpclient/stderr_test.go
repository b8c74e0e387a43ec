package mcpclient

import (
	"strings"
	"testing"
)

func TestTheEndOfALongStderrIsRetained(t *testing.T) {
	t.Parallel()
	var w stderrTail
	for range 3 {
		if n, err := w.Write([]byte(strings.Repeat("x", 3000))); n != 3000 || err != nil {
			t.Fatal(n, err)
		}
	}
	_, _ = w.Write([]byte("\nthe reason\n"))
	if w.last() != "the reason" || len(w.text) != 4096 {
		t.Errorf("%d bytes, %q", len(w.text), w.last())
	}
}
