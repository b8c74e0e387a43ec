package paths

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSocketStaysShort(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	short := Home("/h").Profile(7)
	if s, err := short.Socket(); err != nil || s != filepath.Join("/h", "browser_profiles", "7", "keeper.sock") {
		t.Fatalf("short folder: %q, %v", s, err)
	}
	long := Home("/" + strings.Repeat("x", 120)).Profile(7)
	s, err := long.Socket()
	if err != nil || len(s) > maxSocket {
		t.Fatalf("long folder: %q (%d bytes), %v", s, len(s), err)
	}
	other, err := Home("/" + strings.Repeat("y", 120)).Profile(7).Socket()
	if err != nil || other == s {
		t.Fatalf("two data folders share the socket %q", s)
	}
}

func TestWriteFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	for _, text := range []string{"one", "two"} {
		if err := WriteFile(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(name)
		if err != nil || string(got) != text {
			t.Fatalf("got %q, %v", got, err)
		}
	}
	info, err := os.Stat(name)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v, %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(name), ".f.*")); len(left) > 0 {
		t.Fatalf("left behind: %v", left)
	}
}
