package clients

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
)

// Env is the computer as Table sees it. Everything that differs between operating systems goes through Env, so that
// tests on one system can cover all.
type Env struct {
	// OS is linux, darwin or windows.
	OS string
	// Home is the person's home folder. Dir is the folder in which they work.
	Home, Dir string
	Getenv    func(string) string
	LookPath  func(string) (string, error)
	// Real returns where a path of this Env is on the disk. If it is nil, paths are used as they are.
	Real func(string) string
}

// Here returns the Env of this computer. dir is the folder in which the person works.
func Here(dir string) (Env, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return Env{}, err
	}

	return Env{OS: runtime.GOOS, Home: home, Dir: dir, Getenv: os.Getenv, LookPath: exec.LookPath}, nil
}

// dirOf returns the folder that a scope belongs to, or "" for the person's scope.
func (e Env) dirOf(s Scope) string {
	switch s {
	case Local:
		return e.repository()
	case Project:
		return e.Dir
	}

	return ""
}

// real returns where a path is on the disk.
func (e Env) real(path string) string {
	if e.Real == nil {
		return path
	}

	return e.Real(path)
}

// exists reports whether there is something at a path.
func (e Env) exists(path string) bool {
	if path == "" {
		return false
	}
	_, err := os.Stat(e.real(path))
	return err == nil
}

// filled reports whether there is a file at a path that is not empty.
func (e Env) filled(path string) bool {
	info, err := os.Stat(e.real(path))
	return err == nil && info.Mode().IsRegular() && info.Size() > 0
}

// join joins the parts of a path with the separator of the system.
func (e Env) join(parts ...string) string {
	if e.OS == runtime.GOOS {
		return filepath.Join(parts...)
	}
	separator := "/"
	if e.OS == "windows" {
		separator = `\`
	}
	var clean []string
	for _, p := range parts {
		if e.OS == "windows" {
			p = strings.ReplaceAll(p, "/", `\`)
		}
		if p != "" {
			clean = append(clean, strings.TrimSuffix(p, separator))
		}
	}

	return strings.Join(clean, separator)
}

// folder returns the path without its last element.
func (e Env) folder(path string) string {
	at := strings.LastIndexAny(path, `/\`)
	if e.OS != "windows" {
		at = strings.LastIndexByte(path, '/')
	}
	if at <= 0 {
		return path
	}

	return path[:at]
}

// repository returns the folder by which a client identifies the project of Dir: the root of the git repository, or, in
// a linked worktree, the root of the main worktree. Outside of any repository it returns Dir itself.
func (e Env) repository() string {
	for dir := e.Dir; ; {
		git := e.join(dir, ".git")
		info, err := os.Stat(e.real(git))
		switch {
		case err == nil && info.IsDir():
			return dir
		case err == nil:
			return e.mainTree(dir, git)
		}
		up := e.folder(dir)
		if up == dir || len(up) < 2 {
			return e.Dir
		}
		dir = up
	}
}

// mainTree follows the file .git of a linked worktree to the main worktree, or to the repository itself if that has no
// main worktree. A submodule, which also has such a file, is a project of its own. So is a worktree that was moved
// without git.
func (e Env) mainTree(dir, git string) string {
	link, ok := strings.CutPrefix(e.readTrimmed(git), "gitdir:")
	if !ok {
		return dir
	}
	own := e.from(dir, strings.TrimSpace(link))
	common := e.from(own, e.readTrimmed(e.join(own, "commondir")))
	back := e.from(own, e.readTrimmed(e.join(own, "gitdir")))
	there, err1 := os.Stat(e.real(back))
	here, err2 := os.Stat(e.real(git))
	if e.folder(own) != e.join(common, "worktrees") || err1 != nil || err2 != nil || !os.SameFile(there, here) {
		return dir
	}
	if main := e.folder(common); e.join(main, ".git") == common {
		return main
	}

	return common
}

// readTrimmed returns the text of a small file without the white space around it, or "" if the file cannot be read.
func (e Env) readTrimmed(file string) string {
	raw, _ := os.ReadFile(e.real(file))
	return strings.TrimSpace(string(raw))
}

// from resolves a path that may be relative to a folder. Git writes slashes on every system.
func (e Env) from(dir, to string) string {
	if e.OS == "windows" {
		dir, to = strings.ReplaceAll(dir, `\`, "/"), strings.ReplaceAll(to, `\`, "/")
	}
	if !strings.HasPrefix(to, "/") && (e.OS != "windows" || !strings.Contains(to, ":/")) {
		to = dir + "/" + to
	}

	return e.join(path.Clean(to))
}

// or returns a variable of the environment, or fallback if the variable is empty.
func (e Env) or(name, fallback string) string {
	if v := e.Getenv(name); v != "" {
		return v
	}

	return fallback
}

// home returns a path below the person's home folder.
func (e Env) home(parts ...string) string { return e.join(append([]string{e.Home}, parts...)...) }

// dir returns a path below the folder in which the person works.
func (e Env) dir(parts ...string) string { return e.join(append([]string{e.Dir}, parts...)...) }

// xdg returns a path below XDG_CONFIG_HOME or ~/.config.
func (e Env) xdg(parts ...string) string {
	return e.join(append([]string{e.or("XDG_CONFIG_HOME", e.home(".config"))}, parts...)...)
}

// roaming returns a path below the folder of Windows for settings.
func (e Env) roaming(parts ...string) string {
	return e.join(append([]string{e.or("APPDATA", e.home("AppData", "Roaming"))}, parts...)...)
}

// usualData returns the data folder of a Cove that was given none.
func (e Env) usualData() string {
	if e.OS == "linux" { // clients strip the environment
		return e.home(".config", "cove_browser")
	}

	return e.support("cove_browser")
}

// support returns a path below the system's folder for the settings of desktop programs.
func (e Env) support(parts ...string) string {
	switch e.OS {
	case "windows":
		return e.roaming(parts...)
	case "darwin":
		return e.home(append([]string{"Library", "Application Support"}, parts...)...)
	}

	return e.xdg(parts...)
}
