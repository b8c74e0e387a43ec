package clients

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
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

// resolve follows symbolic links to the file itself, even if the file does not exist yet.
func resolve(file string) string {
	for range 40 {
		to, err := os.Readlink(file)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			dir := filepath.Dir(file)
			// ".." leads to the parent of the folder itself, not of the link to it.
			if direct, err := filepath.EvalSymlinks(dir); err == nil {
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

// readFile returns the bytes of a file. there is false if the file does not exist.
func readFile(file string) (raw []byte, there bool, err error) {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() { // reading a pipe would never end
		return nil, true, &fs.PathError{Op: "read", Path: file, Err: errors.New("it is not an ordinary file")}
	}

	raw, err = os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}

	return raw, err == nil, err
}

// errMoved says that another program has written the file since it was read.
var errMoved = errors.New("the file was changed meanwhile")

// replaceFile replaces a file in one step. It returns errMoved if the file is no longer as it was read. It preserves
// the mode and the owner; a new file gets mode.
func replaceFile(file string, was []byte, there bool, now []byte, mode fs.FileMode) error {
	info, err := checkWritable(file)
	if err != nil {
		return err
	}
	if info != nil {
		mode = info.Mode().Perm()
	}

	scratch, err := writeScratch(file, now, mode, info)
	if err != nil {
		return err
	}
	if raw, still, err := readFile(file); err != nil || still != there || !bytes.Equal(raw, was) {
		_ = os.Remove(scratch)
		return errMoved
	}
	if err := rename(scratch, file); err != nil {
		_ = os.Remove(scratch)
		return err
	}
	syncFolder(filepath.Dir(file))

	return nil
}

// checkWritable refuses a file that must not be replaced. info is nil for a file that does not exist.
func checkWritable(file string) (info fs.FileInfo, err error) {
	info, err = os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not an ordinary file")
	case info.Mode().Perm()&0o200 == 0:
		return nil, &fs.PathError{Op: "write", Path: file, Err: errors.New("it is read-only")}
	}

	// In this user's folder, a file of another user can be replaced although it cannot be written. So try to open it.
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	_ = f.Close()

	return info, nil
}

// writeScratch writes a text to a new file beside the one that it will replace, and returns its name.
func writeScratch(file string, text []byte, mode fs.FileMode, info fs.FileInfo) (name string, err error) {
	prefix := "." + filepath.Base(file) + ".cove-"
	sweep(filepath.Dir(file), prefix)
	f, err := os.CreateTemp(filepath.Dir(file), prefix+"*")
	var p *fs.PathError
	if errors.As(err, &p) {
		p.Err = fmt.Errorf("nothing can be written into its folder: %w", p.Err)
	}
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()

	if _, err = f.Write(text); err == nil {
		err = f.Chmod(mode)
	}
	if err == nil && info != nil {
		preserveOwner(f, info)
	}
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}

	return f.Name(), err
}

// removeFile deletes a file. It returns errMoved if the file is no longer as it was read.
func removeFile(file string, was []byte) error {
	raw, there, err := readFile(file)
	if err != nil || !there || !bytes.Equal(raw, was) {
		return errMoved
	}

	return os.Remove(file)
}

// sweep removes scratch files of a Cove that was killed while it wrote.
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

// rename replaces a file. On Windows that fails while another program reads the file, so rename tries for about a
// second.
func rename(from, to string) (err error) {
	for range 50 {
		if err = os.Rename(from, to); err == nil || runtime.GOOS != "windows" {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}

	return err
}

// makeFolders makes the folder of a file and returns the folders that did not exist, the outermost first.
func makeFolders(file string, mode fs.FileMode) (made []string, err error) {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			break
		}
		made = append([]string{dir}, made...)
	}

	return made, os.MkdirAll(filepath.Dir(file), mode)
}

// removeFolders removes folders, the innermost first, up to the first one that is not empty.
func removeFolders(folders []string) {
	for i := len(folders) - 1; i >= 0; i-- {
		if err := os.Remove(folders[i]); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return
		}
	}
}

// backup copies a file as it is into the data folder, at most once a day.
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

func shortHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:4])
}
