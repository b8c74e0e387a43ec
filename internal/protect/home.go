package protect

import (
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// programData reports whether a folder of a home belongs to programs rather than to the person. Folders that begin with
// a dot do too.
func programData(folder string) bool {
	switch runtime.GOOS {
	case "darwin":
		return folder == "library"
	case "windows":
		return folder == "appdata"
	}

	return false
}

// Hidden reports whether any element of a relative path is hidden from people.
func Hidden(rel string) bool {
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(rel), "/"), func(part string) bool {
		return strings.HasPrefix(part, ".") && part != "." && part != ".."
	})
}

// HiddenInHome reports whether a path without links is in a hidden part of somebody's home folder.
func HiddenInHome(name string) bool {
	for _, home := range homes(name) {
		rel, ok := Within(home, name)
		if !ok {
			continue
		}
		first, _, _ := strings.Cut(strings.ToLower(filepath.ToSlash(rel)), "/")
		if Hidden(rel) || programData(first) {
			return true
		}
	}
	return false
}

// homeFolders are the folders in which systems have the homes of people.
var homeFolders = [...]string{"/home", "/Users", `C:\Users`}

// homes returns this person's home folders, the home folder that a path is in, and the folders of all homes.
func homes(name string) (all []string) {
	if dir, err := os.UserHomeDir(); err == nil {
		all = append(all, dir)
	}
	if u, err := user.Current(); err == nil && u.HomeDir != "" { // whatever the environment says
		all = append(all, u.HomeDir)
	}
	for _, dir := range homeFolders {
		if rel, ok := Within(dir, name); ok && rel != "." {
			first, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
			all = append(all, filepath.Join(dir, first))
		}
	}
	all = append(all, homeFolders[:]...)
	if runtime.GOOS != "windows" {
		all = append(all, "/root")
	}
	for i, dir := range all {
		if resolved, err := Real(filepath.Clean(dir)); err == nil {
			all[i] = resolved
		}
	}
	return all
}

// Narrow reports whether a folder is one that somebody has chosen for a task: not the root, not a whole home, not a
// hidden part of one, and not a folder that contains a protected one.
func (f *Files) Narrow(dir string) bool {
	resolved, err := Real(filepath.Clean(dir))
	if err != nil || resolved == filepath.Dir(resolved) || !filepath.IsAbs(resolved) ||
		checkName(resolved, runtime.GOOS) != nil || HiddenInHome(resolved) {
		return false
	}

	wide := homes(resolved)
	if f != nil {
		wide = append(wide, f.folders...)
	}
	for _, below := range wide {
		if at, err := Real(below); err == nil {
			below = at
		}
		if isInside(resolved, below, ancestors(below)) {
			return false
		}
	}
	return f.Check(resolved) == nil
}
