package clients

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"cove/internal/paths"
)

// resolve follows links to the file itself, also when that is not there yet.
func resolve(file string) string {
	for range 40 {
		to, err := os.Readlink(file)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			dir := filepath.Dir(file)
			if direct, err := filepath.EvalSymlinks(dir); err == nil { // ".." leads out of the folder itself, not of its link
				dir = direct
			}
			to = filepath.Join(dir, to)
		}
		file = to
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(file)); err == nil {
		return filepath.Join(dir, filepath.Base(file))
	}
	return file
}

// readFile is the bytes of a file; there is false when it does not exist.
func readFile(file string) (raw []byte, there bool, err error) {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() { // a pipe would keep us waiting for ever
		return nil, true, &fs.PathError{Op: "read", Path: file, Err: errors.New("it is not an ordinary file")}
	}
	raw, err = os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return raw, err == nil, err
}

// errMoved says that somebody else has written the file since it was read.
var errMoved = errors.New("the file was changed meanwhile")

// replaceFile writes a file in one step, if it still is what it was. It keeps the mode and the owner; a new one gets mode.
func replaceFile(file string, was []byte, there bool, now []byte, mode fs.FileMode) (err error) {
	info, err := os.Stat(file)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return errors.New("it is not an ordinary file")
	case err == nil && info.Mode().Perm()&0o200 == 0:
		return &fs.PathError{Op: "write", Path: file, Err: errors.New("it is read-only")}
	case err == nil:
		// Replacing it would be possible where writing is not: a file of somebody else's in a folder of ours.
		f, err := os.OpenFile(file, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_ = f.Close()
		mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	scratch := "." + filepath.Base(file) + ".cove-"
	sweep(filepath.Dir(file), scratch)
	f, err := os.CreateTemp(filepath.Dir(file), scratch+"*")
	var p *fs.PathError
	if errors.As(err, &p) {
		p.Err = fmt.Errorf("nothing can be written into its folder: %w", p.Err)
	}
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	if _, err = f.Write(now); err == nil {
		err = f.Chmod(mode)
	}
	if err == nil && info != nil {
		keepOwner(f, info)
	}
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	if raw, still, rerr := readFile(file); rerr != nil || still != there || !bytes.Equal(raw, was) {
		return errMoved
	}
	if err = rename(f.Name(), file); err == nil {
		syncFolder(filepath.Dir(file))
	}
	return err
}

// sweep takes away what a Cove left that was killed while it wrote.
func sweep(dir, prefix string) {
	all, _ := os.ReadDir(dir)
	for _, one := range all {
		if !strings.HasPrefix(one.Name(), prefix) || !one.Type().IsRegular() {
			continue
		}
		if info, err := one.Info(); err == nil && time.Since(info.ModTime()) > time.Minute {
			_ = os.Remove(filepath.Join(dir, one.Name()))
		}
	}
}

// rename replaces a file; on Windows somebody who reads it is in the way for a moment.
func rename(from, to string) (err error) {
	for range 50 {
		if err = os.Rename(from, to); err == nil || runtime.GOOS != "windows" {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
	return err
}

// makeFolders makes the folder of a file and returns those that were not there, the outermost first.
func makeFolders(file string, mode fs.FileMode) (made []string, err error) {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			break
		}
		made = append([]string{dir}, made...)
	}
	return made, os.MkdirAll(filepath.Dir(file), mode)
}

// removeFolders takes folders away that hold nothing.
func removeFolders(folders []string) {
	for i := len(folders) - 1; i >= 0; i-- {
		if err := os.Remove(folders[i]); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return
		}
	}
}

// backup keeps a file as it is, once a day.
func backup(home paths.Home, client, file string, raw []byte, now time.Time) error {
	dir := home.ClientBackups(client)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	name := filepath.Join(dir, now.Format("2006-01-02")+"-"+shortHash(file)+"-"+filepath.Base(file))
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	return paths.WriteFile(name, raw)
}
