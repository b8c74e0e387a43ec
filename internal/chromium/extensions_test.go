package chromium

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestInstalledExtensions(t *testing.T) {
	dir := t.TempDir()
	if found, err := InstalledExtensions(dir); err != nil || len(found) != 0 {
		t.Errorf("a new folder: %v, %v", found, err)
	}
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, "Default", name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("Preferences", `{"extensions":{"settings":{
		"kept":{"path":"/a","creation_flags":38,"disable_reasons":[]}, "new":{"path":"/a"},
		"person":{"path":"/a","disable_reasons":[1]}, "older":{"path":"/a","disable_reasons":1},
		"developer":{"path":"/a","disable_reasons":[16777216]}, "sum":{"path":"/a","disable_reasons":16777217},
		"temporary":{"path":"/a","creation_flags":32806}, "gone":{"ack_external":true}}}}`)
	write("Secure Preferences", `{"extensions":{"settings":{"secure":{"path":"/a"}}}}`)
	found, err := InstalledExtensions(dir)
	want := []string{"kept", "new", "older", "person", "secure"}
	if got := slices.Sorted(maps.Keys(found)); err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	write("Preferences", `{`)
	if _, err := InstalledExtensions(dir); err == nil {
		t.Error("half a file is read")
	}
}
