// Package protect knows the files of this computer that no agent reads or writes: Cove's own, and those of which other programs take
// commands. It opens the others so that they cannot be exchanged between the check and the use.
package protect

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"cove/internal/fault"
)

// Places are what is protected.
type Places struct {
	// Folders are protected with all that is in them, Files by themselves. They need not exist.
	Folders, Files []string
	// Names are protected in every folder: the ends of paths, with slashes. A star stands for anything within one element.
	Names []string
}

// Files keeps agents away from places. Nil protects nothing but what is no file at all.
type Files struct {
	folders, files []string
	names          [][]string
}

// New protects places.
func New(p Places) *Files {
	f := &Files{folders: absolute(p.Folders), files: absolute(p.Files)}
	for _, name := range p.Names {
		f.names = append(f.names, elements(name))
	}
	return f
}

func absolute(all []string) (clean []string) {
	for _, name := range all {
		if full, err := filepath.Abs(name); err == nil && name != "" && !slices.Contains(clean, full) {
			clean = append(clean, full)
		}
	}
	return clean
}

func denied(name string, why string) *fault.Error {
	return fault.New(fault.CodeFileProtected, name+" was not used: "+why+".", "Use a file of the task, in a folder of the project or in the one for temporary files.")
}

// Check refuses a path that is protected, by whatever name, and one that another program could read in another way than we do. The path
// is absolute and need not exist.
func (f *Files) Check(name string) error {
	if err := odd(name, runtime.GOOS); err != nil {
		return err
	}
	resolved, err := Real(filepath.Clean(name))
	if err != nil {
		return fault.Invalidf("%s cannot be used: %v.", name, err)
	}
	if err := odd(resolved, runtime.GOOS); err != nil {
		return err
	}
	if f == nil {
		return nil
	}
	if f.named(name) || f.named(resolved) {
		return denied(name, "programs take commands from files of this name")
	}
	chain := ancestors(resolved)
	for _, dir := range f.folders {
		if inside(dir, resolved, chain) {
			return denied(name, "Cove's own files are closed to agents")
		}
	}
	info, err := os.Stat(resolved)
	for _, file := range f.files {
		if is(file, resolved, info) {
			return denied(name, "Cove's program and the settings of MCP clients are closed to agents")
		}
	}
	if err == nil && info.Mode().IsRegular() && linked(resolved, info) && f.holds(info) {
		return denied(name, "it is another name of a file that is closed to agents")
	}
	return nil
}

// CheckFolder refuses a folder into which a page's files may go, under names that the page chooses.
func (f *Files) CheckFolder(dir string) error {
	if err := f.Check(dir); err != nil || f == nil {
		return err
	}
	resolved, err := Real(filepath.Clean(dir))
	if err != nil {
		return fault.Invalidf("%s cannot be used: %v.", dir, err)
	}
	for _, file := range f.files {
		below := filepath.Join(resolved, filepath.Base(file))
		if info, _ := os.Stat(below); is(file, below, info) {
			return denied(dir, "there is a file in it that is closed to agents")
		}
	}
	for _, name := range f.names {
		if len(name) > 1 && ends(elements(resolved), name[:len(name)-1]) {
			return denied(dir, "programs take commands from files in it")
		}
	}
	return nil
}

// named tells whether a path ends in a protected name.
func (f *Files) named(name string) bool {
	parts := elements(name)
	return slices.ContainsFunc(f.names, func(want []string) bool { return ends(parts, want) })
}

// elements are the parts of a path, in lower case.
func elements(name string) []string {
	return strings.Split(strings.ToLower(filepath.ToSlash(name)), "/")
}

func ends(parts, want []string) bool {
	if len(want) > len(parts) {
		return false
	}
	for i, part := range parts[len(parts)-len(want):] {
		if ok, err := path.Match(want[i], part); err != nil || !ok {
			return false
		}
	}
	return true
}

// ancestors are what exists of a path and of the folders above it. A file system has more names for a folder than we could think of:
// upper and lower case, short names, mounts. Its identity is one.
func ancestors(resolved string) (all []os.FileInfo) {
	for dir := resolved; ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil {
			all = append(all, info)
		}
		if dir == filepath.Dir(dir) {
			return all
		}
	}
}

// inside tells whether a path is a folder or below it.
func inside(dir, resolved string, chain []os.FileInfo) bool {
	if at, err := Real(dir); err == nil {
		dir = at
	}
	if within(strings.ToLower(dir), strings.ToLower(resolved)) {
		return true
	}
	info, err := os.Stat(dir)
	return err == nil && slices.ContainsFunc(chain, func(above os.FileInfo) bool { return os.SameFile(above, info) })
}

// is tells whether a path is a file; info is what is at the path now, nil for nothing.
func is(file, resolved string, info os.FileInfo) bool {
	if at, err := Real(file); err == nil {
		file = at
	}
	if strings.EqualFold(file, resolved) {
		return true
	}
	there, err := os.Stat(file)
	return err == nil && info != nil && os.SameFile(there, info)
}

// holds looks for another name of a file in the protected folders.
func (f *Files) holds(info os.FileInfo) bool {
	found := false
	for _, dir := range f.folders {
		if at, err := Real(dir); err == nil {
			dir = at
		}
		_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return nil //nolint:nilerr // what cannot be looked at is passed over
			}
			if there, err := d.Info(); err == nil && os.SameFile(there, info) {
				found = true
				return fs.SkipAll
			}
			return nil
		})
	}
	return found
}

// within tells whether a path is dir or below it, by its letters.
func within(dir, name string) bool {
	rel, err := filepath.Rel(dir, name)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// Within tells whether a path is dir or below it; both are without links. rel is the way there.
func Within(dir, name string) (rel string, ok bool) {
	rel, err := filepath.Rel(dir, name)
	return rel, err == nil && within(dir, name)
}

// Real follows links as far as the path exists.
func Real(name string) (string, error) {
	rest := ""
	for dir := name; ; dir = filepath.Dir(dir) {
		resolved, err := filepath.EvalSymlinks(dir)
		if err == nil {
			return filepath.Join(resolved, rest), nil
		}
		if !errors.Is(err, os.ErrNotExist) || dir == filepath.Dir(dir) {
			return "", err
		}
		if _, err := os.Lstat(dir); err == nil { // writing would make the file that it names, wherever that is
			return "", errors.New("it is a link that leads nowhere")
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}
