package entries

import (
	"os/exec"
	"path/filepath"

	"cove/internal/cli/command"
	"cove/internal/paths"
	"cove/internal/wrapper"
)

// WrapperFile returns the absolute path of a data folder's wrapper in dir, or in the usual folder.
func WrapperFile(home paths.Home, dir string) (string, error) {
	if dir == "" {
		var err error
		if dir, err = wrapper.DirFor(home); err != nil {
			return "", err
		}
	}

	return filepath.Abs(filepath.Join(dir, wrapper.Name))
}

// FindNode returns the full path of Node, because clients start programs with a PATH of their own. If Node is not
// found, it returns the name.
func FindNode() string {
	if path, err := exec.LookPath("node"); err == nil {
		if abs, err := filepath.Abs(path); err == nil {
			return abs
		}
	}
	return "node"
}

// InstalledWrapper returns the path of the wrapper in dir, or in the usual folder. It fails if the wrapper is not there
// or belongs to another data folder.
func InstalledWrapper(env *command.Env, dir string) (string, error) {
	home, err := env.HomeDir()
	if err != nil {
		return "", err
	}
	file, err := WrapperFile(home, dir)
	if err != nil {
		return "", err
	}

	return file, wrapper.CheckOwner(file, home)
}
