package protect

import (
	"errors"
	"os"
	"path/filepath"

	"cove/internal/fault"
)

// errMoved: somebody changes the folders while an agent's file is opened.
var errMoved = errors.New("its folders have changed in this moment")

// Open opens a checked file for reading: the one that was checked, not one that has taken its place since.
func (f *Files) Open(name string) (*os.File, error) {
	root, rel, err := f.enter(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	if err := plain(root, rel, false); err != nil {
		return nil, err
	}
	file, err := root.Open(rel)
	if err != nil {
		return nil, err
	}
	return f.same(file, name)
}

// Create opens a checked file for writing and empties it, not before it is known to be the one that was checked. Folders that are
// missing are made.
func (f *Files) Create(name string) (*os.File, error) {
	root, rel, err := f.enter(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	if dir := filepath.Dir(rel); dir != "." {
		if err := root.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	if err := plain(root, rel, true); err != nil {
		return nil, err
	}
	file, err := root.OpenFile(rel, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	if file, err = f.same(file, name); err != nil {
		return nil, err
	}
	if err := file.Truncate(0); err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// enter holds the nearest folder of a path that exists, in which nothing leads out any more, and gives the way on from there.
func (f *Files) enter(name string) (*os.Root, string, error) {
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
	held, err1 := root.Stat(".")
	now, err2 := os.Lstat(dir)
	again, err3 := Real(filepath.Clean(name))
	if err1 != nil || err2 != nil || err3 != nil || !os.SameFile(held, now) || again != at || f.Check(at) != nil {
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

// plain refuses what is no file: a pipe would hold whoever opens it, a link leads elsewhere.
func plain(root *os.Root, rel string, create bool) error {
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

// same makes sure that an open file is what its name means and may be used.
func (f *Files) same(file *os.File, name string) (*os.File, error) {
	err := f.Check(name)
	if err == nil {
		held, err1 := file.Stat()
		now, err2 := os.Stat(name)
		if err1 != nil || err2 != nil || !held.Mode().IsRegular() || !os.SameFile(held, now) {
			err = errMoved
		}
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}
