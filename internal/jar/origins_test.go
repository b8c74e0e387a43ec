package jar

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestStoredOrigins(t *testing.T) {
	dataDir := filepath.Join(t.TempDir(), "a [1]") // brackets mean something in patterns of names
	dir := filepath.Join(dataDir, "Local Storage", "leveldb")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := StoredOrigins(dataDir); len(got) != 0 {
		t.Errorf("an empty folder has %q", got)
	}
	// One piece of a log, with the two records that Chromium writes for the first entry of an origin.
	const meta, entry = "META:https://a.example", "_https://a.example\x00\x01name"
	changes := "\x01" + string(rune(len(meta))) + meta + "\x01v" + "\x01" + string(rune(len(entry))) + entry + "\x01v"
	log := "\x00\x00\x00\x00" + string(rune(12+len(changes))) + "\x00\x01" + string(make([]byte, 12)) + changes
	if err := os.WriteFile(filepath.Join(dir, "000003.log"), []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := StoredOrigins(dataDir); !slices.Equal(got, []string{"https://a.example"}) {
		t.Errorf("there is %q", got)
	}
}
