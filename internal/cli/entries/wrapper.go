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

// FindNode returns the full path of Node, because clients start programs with a PATH of their own. Without one it
// returns just the name.
func FindNode() string {
	if path, err := exec.LookPath("node"); err == nil {
		if abs, err := filepath.Abs(path); err == nil {
			return abs
		}
	}
	return "node"
}

// WrapperThere returns the path of the wrapper in dir, or in the usual folder, if it was written there.
func WrapperThere(env *command.Env, dir string) (string, error) {
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
