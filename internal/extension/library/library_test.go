package library_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"cove/internal/extension"
	"cove/internal/extension/library"
	"cove/internal/paths"
)

func source(t *testing.T, files map[string]string) *extension.Source {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, text := range files {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := extension.Open(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestACopyIsWholeAndHasItsKey(t *testing.T) {
	l := library.Library{Home: paths.Home(t.TempDir())}
	s := source(t, map[string]string{"manifest.json": `{"manifest_version":3,"name":"<A>","version":"1"}`, "a/b.js": "1"})
	e, err := s.Extension()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time it is there already
		if err := l.Save(s, e); err != nil {
			t.Fatal(err)
		}
	}
	var manifest struct{ Key, Name string }
	raw, err := os.ReadFile(filepath.Join(l.Path(e), "manifest.json"))
	if err != nil || json.Unmarshal(raw, &manifest) != nil || manifest.Key != e.Key || manifest.Name != "<A>" {
		t.Errorf("%s, %v", raw, err)
	}
	if raw, err := os.ReadFile(filepath.Join(l.Path(e), "a", "b.js")); err != nil || string(raw) != "1" {
		t.Errorf("%s, %v", raw, err)
	}
	left, err := filepath.Glob(filepath.Join(l.Home.Extensions(), ".new-*"))
	if err != nil || len(left) != 0 {
		t.Errorf("left: %q, %v", left, err)
	}
}

func TestASweepLeavesWhatIsUsed(t *testing.T) {
	l := library.Library{Home: paths.Home(t.TempDir())}
	if err := l.Sweep(nil); err != nil {
		t.Errorf("without a library: %v", err)
	}
	used, old := l.Home.Extension("abc", "1111111111111111"), l.Home.Extension("abc", "2222222222222222")
	gone, half := l.Home.Extension("def", "3333333333333333"), filepath.Join(l.Home.Extensions(), ".new-1")
	for _, dir := range []string{used, old, gone, half} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Sweep(map[string]bool{used: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(used); err != nil {
		t.Error(err)
	}
	for _, dir := range []string{old, half, filepath.Dir(gone)} {
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s is still there", dir)
		}
	}
}
