package undo

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// write makes files of a data folder by their names.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// files returns all files of a folder.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(filepath.Join(dir, name))
		all[name] = string(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// used is a data folder after some use. Its name has what patterns of files give a meaning.
func used(t *testing.T) (dir string, before map[string]string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "a [1]")
	before = map[string]string{
		"Local State": "key", "Default/Preferences": "p", "Default/Cookies": "old", "Default/Cookies-journal": "j",
		"Default/Local Storage/leveldb/000003.log": "old", "Default/Local Storage/leveldb/000005.ldb": "table",
		"Default/Local Storage/leveldb/CURRENT": "1",
	}
	write(t, dir, before)
	return dir, before
}

// change is what a browser does.
func change(t *testing.T, dir string) {
	t.Helper()
	write(t, dir, map[string]string{
		"Default/Cookies": "new", "Default/Cookies-wal": "more", "Default/Local Storage/leveldb/000003.log": "old, new",
		"Default/Local Storage/leveldb/000007.ldb": "new", "Default/Network/Cookies": "new",
	})
	for _, name := range []string{"Cookies-journal", "Local Storage/leveldb/000005.ldb"} {
		if err := os.Remove(filepath.Join(dir, "Default", name)); err != nil {
			t.Fatal(err)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestAChangeThatWasNotCommittedIsTakenBack(t *testing.T) {
	dir, before := used(t)
	must(t, Prepare(dir))
	must(t, Arm(dir))
	change(t, dir)
	must(t, PutBack(dir))
	if got := files(t, dir); !maps.Equal(got, before) {
		t.Errorf("there is %v", got)
	}
	must(t, PutBack(dir))
	if got := files(t, dir); !maps.Equal(got, before) {
		t.Errorf("a second time: %v", got)
	}
	// What is restored is no second name of the copy.
	must(t, Prepare(dir))
	must(t, Arm(dir))
	change(t, dir)
	must(t, PutBack(dir))
	if got := files(t, dir); !maps.Equal(got, before) {
		t.Errorf("after a second import there is %v", got)
	}
}

func TestAFolderWithoutDataHasNoneAgain(t *testing.T) {
	dir := t.TempDir()
	must(t, Prepare(dir))
	must(t, Arm(dir))
	write(t, dir, map[string]string{"Default/Cookies": "new", "Default/Local Storage/leveldb/CURRENT": "1"})
	must(t, PutBack(dir))
	if got := files(t, dir); len(got) != 0 {
		t.Errorf("there is %v", got)
	}
}

func TestACommittedChangeStays(t *testing.T) {
	dir, _ := used(t)
	must(t, Prepare(dir))
	must(t, Arm(dir))
	change(t, dir)
	after := files(t, dir)
	must(t, Commit(dir))
	must(t, PutBack(dir))
	for name := range after {
		if filepath.Dir(name) != "Default" && name[0] == 'C' { // the copy itself
			delete(after, name)
		}
	}
	if got := files(t, dir); !maps.Equal(got, after) {
		t.Errorf("%v became %v", after, got)
	}
	must(t, Commit(dir)) // without a copy
}

func TestWithoutAChangeNothingIsPutBack(t *testing.T) {
	dir, _ := used(t)
	must(t, Prepare(dir))
	write(t, dir, map[string]string{"Default/Cookies": "of the browser"})
	must(t, PutBack(dir))
	if got := files(t, dir); got["Default/Cookies"] != "of the browser" || len(got) != 7 {
		t.Errorf("there is %v", got)
	}
	if Arm(dir) == nil {
		t.Error("a copy that does not exist counts")
	}
}

// A kill leaves the work at any file. Whoever comes next does all of it again.
func TestPutBackCanBeStoppedAnywhere(t *testing.T) {
	dir, before := used(t)
	must(t, Prepare(dir))
	must(t, Arm(dir))
	change(t, dir)
	for _, name := range []string{"Default/Cookies", "Default/Local Storage/leveldb"} {
		must(t, os.RemoveAll(filepath.Join(dir, name)))
	}
	must(t, os.Link(filepath.Join(dir, armed, "Default", "Cookies"), filepath.Join(dir, "Default", "Cookies")))
	write(t, dir, map[string]string{armed + suffix + "/Default/Cookies": "left of another"})
	must(t, PutBack(dir))
	if got := files(t, dir); !maps.Equal(got, before) {
		t.Errorf("there is %v", got)
	}
}
