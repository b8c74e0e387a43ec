package random

import (
	"regexp"
	"testing"
)

func TestHex(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		name := Hex(16)
		if seen[name] || !regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(name) {
			t.Fatalf("%q is not new, or not 32 digits", name)
		}
		seen[name] = true
	}
	if Hex(0) != "" {
		t.Error("no bytes are no digits")
	}
}
