// Package library keeps the copies of extensions in the data folder: one folder for each version, which all profiles
// share and nobody changes.
package library

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"cove/internal/extension"
	"cove/internal/fault"
	"cove/internal/paths"
)

// Library is the folder of the copies.
type Library struct{ Home paths.Home }

// unfinished begins the names of folders that are being written.
const unfinished = ".new-"

// Save copies an extension into its folder. It writes another folder first, so that a crash leaves a whole copy or
// none.
func (l Library) Save(s *extension.Source, e extension.Extension) error {
	target := l.Path(e)
	if _, err := os.Stat(target); err == nil {
		return nil // its name is the hash of its files
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return fault.Disk(err)
	}
	dir, err := os.MkdirTemp(l.Home.Extensions(), unfinished)
	if err != nil {
		return fault.Disk(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fault.Disk(err)
	}
	defer func() { _ = root.Close() }()
	if err := s.Each(e, func(name string, write func(io.Writer) error) error {
		return writeFile(root, filepath.FromSlash(name), write)
	}); err != nil {
		return fault.Disk(err)
	}
	if err := root.Close(); err != nil { // Windows renames no folder that is open
		return err
	}
	err = os.Rename(dir, target)
	if _, there := os.Stat(target); there == nil {
		return nil // somebody else was faster
	}
	return fault.Disk(err)
}

// writeFile creates one file and the folders above it. A root follows no link out of the folder.
func writeFile(root *os.Root, name string, write func(io.Writer) error) error {
	if err := root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	err = write(f)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// Path is the folder of an extension's copy.
func (l Library) Path(e extension.Extension) string { return l.Home.Extension(e.BrowserID, e.Content) }

// Sweep removes the copies that keep does not name, and those that a crash left unfinished. Nobody may save meanwhile.
func (l Library) Sweep(keep map[string]bool) error {
	entries, err := os.ReadDir(l.Home.Extensions())
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var failed []error
	for _, e := range entries {
		dir := filepath.Join(l.Home.Extensions(), e.Name())
		if strings.HasPrefix(e.Name(), unfinished) {
			failed = append(failed, os.RemoveAll(dir))
			continue
		}
		failed = append(failed, sweepVersions(dir, keep))
	}
	return errors.Join(failed...)
}

// sweepVersions removes the versions of one extension that keep does not name.
func sweepVersions(dir string, keep map[string]bool) error {
	versions, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, v := range versions {
		name := filepath.Join(dir, v.Name())
		if keep[name] {
			continue
		}
		if err := os.RemoveAll(name); err != nil {
			return fmt.Errorf("remove a copy of an extension: %w", err)
		}
	}
	_ = os.Remove(dir) // fails while a version is left
	return nil
}
