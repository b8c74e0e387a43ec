package protect

import (
	"errors"
	"os"
	"path/filepath"

	"cove/internal/fault"
)

// errMoved reports that somebody changes the folders while an agent's file is opened.
var errMoved = errors.New("its folders have changed in this moment")

// Open opens a file for reading that agents may use. It opens the file that was checked, not one that has replaced it
// since.
func (f *Files) Open(name string) (*os.File, error) {
	root, rel, err := f.openParent(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	if err := checkRegular(root, rel, false); err != nil {
		return nil, err
	}
	file, err := root.Open(rel)
	if err != nil {
		return nil, err
	}
	return f.verifyOpened(file, name)
}

// Create opens a file for writing that agents may use, and empties it after it is known to be the file that was
// checked. It makes missing folders.
func (f *Files) Create(name string) (*os.File, error) {
	root, rel, err := f.openParent(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	if dir := filepath.Dir(rel); dir != "." {
		if err := root.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	if err := checkRegular(root, rel, true); err != nil {
		return nil, err
	}
	file, err := root.OpenFile(rel, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	if file, err = f.verifyOpened(file, name); err != nil {
		return nil, err
	}
	if err := file.Truncate(0); err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// openParent opens the nearest folder of a path that exists, so that nothing below it leads out of it any more. It also
// returns the rest of the path.
func (f *Files) openParent(name string) (*os.Root, string, error) {
	if err := f.Check(name); err != nil {
		return nil, "", err
	}
	at, err := Real(filepath.Clean(name))
	if err != nil {
		return nil, "", err
	}
	dir := filepath.Dir(at)
	for {
		if _, err := os.Lstat(dir); err == nil || dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, "", err
	}

	opened, err1 := root.Stat(".")
	now, err2 := os.Lstat(dir)
	again, err3 := Real(filepath.Clean(name))
	if err1 != nil || err2 != nil || err3 != nil || !os.SameFile(opened, now) || again != at || f.Check(at) != nil {
		_ = root.Close()
		return nil, "", errMoved
	}
	rel, err := filepath.Rel(dir, at)
	if err != nil {
		_ = root.Close()
		return nil, "", err
	}
	return root, rel, nil
}

// checkRegular refuses what is no file: a pipe would block whoever opens it, and a link leads elsewhere.
func checkRegular(root *os.Root, rel string, create bool) error {
	info, err := root.Lstat(rel)
	switch {
	case create && errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return fault.Invalidf("%s is a folder.", filepath.Base(rel)).WithHint("Give the name of a file in it.")
	case !info.Mode().IsRegular():
		return fault.Invalidf("%s is not a plain file.", filepath.Base(rel)).WithHint("Give the name of a file.")
	}
	return nil
}

// verifyOpened makes sure that an open file is the one that its name means, and that agents may use it.
func (f *Files) verifyOpened(file *os.File, name string) (*os.File, error) {
	err := f.Check(name)
	if err == nil {
		opened, err1 := file.Stat()
		now, err2 := os.Stat(name)
		if err1 != nil || err2 != nil || !opened.Mode().IsRegular() || !os.SameFile(opened, now) {
			err = errMoved
		}
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}
