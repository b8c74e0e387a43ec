// Package undo takes back what a browser did to the cookies and the local storage in its data folder.
//
// While no browser has the folder, Prepare copies both. Arm, before the first change, makes the copy count: from then
// on PutBack restores it, also after a kill or a power failure, until Commit drops it. The copy is in the data folder,
// so that it goes wherever the half-changed data goes.
package undo

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cove/internal/paths"
)

// armed is the folder of a copy that PutBack restores. Until Arm renames it, it also has the suffix.
const (
	armed  = "Cove Undo"
	suffix = ".unused"
)

// list is the file with what was added, a name per line.
const list = "added"

// patterns name what is copied. Chromium on Windows stores its cookies in the folder Network.
var patterns = []string{"Default/Cookies*", "Default/Network/Cookies*", "Default/Local Storage"}

// Prepare copies the data. No browser may have the folder.
func Prepare(dataDir string) error {
	to := filepath.Join(dataDir, armed+suffix)
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	return copyAll(dataDir, to, func(from, to string) error {
		// LevelDB never changes a table, so a second name is as good as a copy.
		if filepath.Ext(from) == ".ldb" && os.Link(from, to) == nil {
			return nil
		}
		return paths.CopyFile(from, to)
	})
}

// Arm makes the copy count, and returns when the copy is on the disk. added names what the change will create: PutBack
// removes it.
func Arm(dataDir string, added ...string) error {
	unused := filepath.Join(dataDir, armed+suffix)
	err := os.WriteFile(filepath.Join(unused, list), []byte(strings.Join(added, "\n")), 0o600)
	if err != nil {
		return err
	}
	err = filepath.WalkDir(unused, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return paths.Flush(name)
	})
	if err != nil {
		return err
	}
	return os.Rename(unused, filepath.Join(dataDir, armed))
}

// Commit keeps the data as it is now.
func Commit(dataDir string) error {
	unused := filepath.Join(dataDir, armed+suffix)
	if err := os.RemoveAll(unused); err != nil {
		return err
	}
	err := os.Rename(filepath.Join(dataDir, armed), unused) // in one step
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	_ = os.RemoveAll(unused)
	return err
}

// PutBack restores a copy that counts, if there is one. No browser may have the folder. If it fails or is killed, it
// can be called again.
func PutBack(dataDir string) error {
	from := filepath.Join(dataDir, armed)
	if _, err := os.Stat(from); errors.Is(err, os.ErrNotExist) {
		return os.RemoveAll(from + suffix)
	}
	there, err := copied(dataDir)
	if err != nil {
		return err
	}
	if added, err := os.ReadFile(filepath.Join(from, list)); err == nil {
		there = slices.AppendSeq(there, strings.FieldsFuncSeq(string(added), func(r rune) bool { return r == '\n' }))
	}
	for _, name := range there {
		if err := os.RemoveAll(filepath.Join(dataDir, name)); err != nil {
			return err
		}
	}
	err = copyAll(from, dataDir, func(from, to string) error {
		if os.Link(from, to) == nil {
			return nil
		}
		return errors.Join(paths.CopyFile(from, to), paths.Flush(to))
	})
	if err != nil {
		return err
	}
	return Commit(dataDir)
}

// copied returns what is copied of a folder, by names in it.
func copied(dir string) (names []string, err error) {
	for _, p := range patterns {
		more, err := fs.Glob(os.DirFS(dir), p)
		if err != nil {
			return nil, err
		}
		names = append(names, more...)
	}
	return names, nil
}

// copyAll copies every file from one folder to the other.
func copyAll(from, to string, copyFile func(from, to string) error) error {
	names, err := copied(from)
	if err != nil {
		return err
	}
	for _, root := range names {
		err := fs.WalkDir(os.DirFS(from), root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			target := filepath.Join(to, name)
			if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
				return err
			}
			return copyFile(filepath.Join(from, name), target)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
