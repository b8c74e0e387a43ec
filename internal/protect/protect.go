// Package protect knows the files of this computer that no agent reads or writes: Cove's own, and those from which
// other programs read commands. It opens other files so that they cannot be exchanged between the check and the use.
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

// Paths are the paths that are protected.
type Paths struct {
	// Folders are protected with everything in them, Files alone. They need not exist.
	Folders, Files []string
	// Names are the ends of paths, with slashes, that are protected in every folder. A star stands for anything within
	// one element.
	Names []string
}

// Files denies agents the protected files. A nil Files denies only what is no file at all. It never changes and may be
// used from any goroutine.
type Files struct {
	folders, files []string
	names          [][]string
}

// New returns the Files that protect p.
func New(p Paths) *Files {
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
	return fault.New(fault.CodeFileProtected, name+" was not used: "+why+".",
		"Use a file of the task, in a folder of the project or in the one for temporary files.")
}

// Check refuses a path to a protected file, by whatever name, and a path that another program could read in another way
// than we do. The path is absolute and need not exist.
func (f *Files) Check(name string) error {
	if err := checkName(name, runtime.GOOS); err != nil {
		return err
	}
	resolved, err := Real(filepath.Clean(name))
	if err != nil {
		return fault.Invalidf("%s cannot be used: %v.", name, err)
	}
	if err := checkName(resolved, runtime.GOOS); err != nil {
		return err
	}
	if f == nil {
		return nil
	}

	if f.hasProtectedName(name) || f.hasProtectedName(resolved) {
		return denied(name, "programs take commands from files of this name")
	}
	chain := ancestors(resolved)
	for _, dir := range f.folders {
		if isInside(dir, resolved, chain) {
			return denied(name, "Cove's own files are closed to agents")
		}
	}
	info, err := os.Stat(resolved)
	for _, file := range f.files {
		if isFile(file, resolved, info) {
			return denied(name, "Cove's program and the settings of MCP clients are closed to agents")
		}
	}
	if err == nil && info.Mode().IsRegular() && linked(resolved, info) && f.containsLink(info) {
		return denied(name, "it is another name of a file that is closed to agents")
	}
	return nil
}

// CheckFolder checks a folder in which a page may store files under names that the page chooses.
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
		if info, _ := os.Stat(below); isFile(file, below, info) {
			return denied(dir, "there is a file in it that is closed to agents")
		}
	}
	for _, name := range f.names {
		if len(name) > 1 && hasSuffix(elements(resolved), name[:len(name)-1]) {
			return denied(dir, "programs take commands from files in it")
		}
	}
	return nil
}

// hasProtectedName reports whether a path ends in a protected name.
func (f *Files) hasProtectedName(name string) bool {
	parts := elements(name)
	return slices.ContainsFunc(f.names, func(want []string) bool { return hasSuffix(parts, want) })
}

// elements returns the parts of a path, in lower case.
func elements(name string) []string {
	return strings.Split(strings.ToLower(filepath.ToSlash(name)), "/")
}

func hasSuffix(parts, want []string) bool {
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

// ancestors returns what exists of a path and of the folders above it. A file system has more names for a folder than
// we could list (upper and lower case, short names, mounts), but one identity.
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

// isInside reports whether a path is a folder or below it. chain are the path's ancestors.
func isInside(dir, resolved string, chain []os.FileInfo) bool {
	if at, err := Real(dir); err == nil {
		dir = at
	}
	if isBelow(strings.ToLower(dir), strings.ToLower(resolved)) {
		return true
	}
	info, err := os.Stat(dir)
	return err == nil && slices.ContainsFunc(chain, func(above os.FileInfo) bool { return os.SameFile(above, info) })
}

// isFile reports whether a path is that file. info is what is at the path now; nil if there is nothing.
func isFile(file, resolved string, info os.FileInfo) bool {
	if at, err := Real(file); err == nil {
		file = at
	}
	if strings.EqualFold(file, resolved) {
		return true
	}
	there, err := os.Stat(file)
	return err == nil && info != nil && os.SameFile(there, info)
}

// containsLink reports whether a file has another name in the protected folders.
func (f *Files) containsLink(info os.FileInfo) bool {
	found := false
	for _, dir := range f.folders {
		if at, err := Real(dir); err == nil {
			dir = at
		}
		_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return nil //nolint:nilerr // a file that cannot be read is skipped
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

// isBelow reports whether a path is dir or below it, by its letters.
func isBelow(dir, name string) bool {
	rel, err := filepath.Rel(dir, name)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// Within reports whether a path is dir or below it; both are without links. rel is the path relative to dir.
func Within(dir, name string) (rel string, ok bool) {
	rel, err := filepath.Rel(dir, name)
	return rel, err == nil && isBelow(dir, name)
}

// Real resolves the links of a path as far as it exists.
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
		if _, err := os.Lstat(dir); err == nil { // to write it would make the file that it names, wherever that is
			return "", errors.New("it is a link that leads nowhere")
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}
