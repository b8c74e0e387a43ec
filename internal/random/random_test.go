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

func TestUUID(t *testing.T) {
	seen := map[string]bool{}
	form := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	for range 1000 {
		name := UUID()
		if seen[name] || !form.MatchString(name) {
			t.Fatalf("%q is not new, or not a UUID of version 4", name)
		}
		seen[name] = true
	}
}
