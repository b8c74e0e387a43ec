package protect

import (
	"net/url"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"cove/internal/fault"
)

// devices are folders in which there are no files: what is in them leads to processes, open files and hardware, by names that can
// mean something else to each program. /dev/shm holds files.
var devices = []string{"/proc", "/sys", "/dev", "/.vol"}

// odd refuses names that are no plain names of files on a system.
func odd(name, system string) error {
	if strings.ContainsRune(name, 0) || strings.ContainsRune(name, '\uFFFD') {
		return fault.Invalidf("The file name holds a zero byte or is no text.").WithHint("Give the path of a file.")
	}
	if system == "windows" {
		return oddOnWindows(name)
	}
	low := strings.ToLower(filepath.ToSlash(name))
	for _, dir := range devices {
		if (low == dir || strings.HasPrefix(low, dir+"/")) && !strings.HasPrefix(low, "/dev/shm/") {
			return denied(name, "what is in "+dir+" are no files")
		}
	}
	if slices.Contains(strings.Split(low, "/"), "..namedfork") {
		return denied(name, "it is a part of a file")
	}
	return nil
}

// oddOnWindows refuses names of other computers, of devices and of streams inside files, and names that Windows changes before it
// uses them.
func oddOnWindows(name string) error {
	name = strings.ReplaceAll(name, "/", `\`)
	if strings.HasPrefix(name, `\\`) || strings.HasPrefix(name, `\??\`) {
		return denied(name, "it is on another computer or is a device")
	}
	rest := name
	if len(name) > 1 && name[1] == ':' {
		rest = name[2:]
	}
	if strings.ContainsRune(rest, ':') {
		return denied(name, "it is a part of a file")
	}
	for _, part := range strings.Split(rest, `\`) {
		if part == "." || part == ".." {
			continue
		}
		if part != strings.TrimRight(part, ". ") {
			return denied(name, "it has a dot or a blank at the end of a name")
		}
		base, _, _ := strings.Cut(strings.ToLower(part), ".")
		base = strings.TrimSpace(base)
		numbered := len(base) > 3 && (strings.HasPrefix(base, "com") || strings.HasPrefix(base, "lpt")) && len([]rune(base)) == 4
		if numbered || slices.Contains([]string{"con", "prn", "aux", "nul", "conin$", "conout$"}, base) {
			return denied(name, "it is a device")
		}
	}
	return nil
}

// Literal refuses a path that another program is to open as it stands and that it may read in another way than we do.
func (f *Files) Literal(name string) error {
	plain := filepath.FromSlash(name)
	if clean := filepath.Clean(name); !filepath.IsAbs(name) || (plain != clean && plain != clean+string(filepath.Separator)) {
		return fault.Invalidf("The path %q is not a whole one.", name).WithHint("Give the whole path, without . and .. in it.")
	}
	return f.Check(name)
}

// CheckURL refuses an address of a protected file. Addresses of other sorts pass.
func (f *Files) CheckURL(address string) error {
	text := strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(strings.TrimFunc(address, func(r rune) bool { return r <= ' ' }))
	low := strings.ToLower(text)
	for strings.HasPrefix(low, "view-source:") {
		text, low = text[len("view-source:"):], low[len("view-source:"):]
	}
	if !strings.HasPrefix(low, "file:") {
		return nil
	}
	rest := strings.ReplaceAll(text[len("file:"):], `\`, "/")
	if at := strings.IndexAny(rest, "?#"); at >= 0 {
		rest = rest[:at]
	}
	unreadable := denied(address, "it is not clear which file it means")
	if low := strings.ToLower(rest); strings.Contains(low, "%2f") || strings.Contains(low, "%5c") {
		return unreadable
	}
	if strings.HasPrefix(rest, "//") {
		host, below, _ := strings.Cut(rest[2:], "/")
		if host != "" && !strings.EqualFold(host, "localhost") && (runtime.GOOS != "windows" || !strings.HasSuffix(host, ":")) {
			return unreadable
		}
		if host != "" && strings.HasSuffix(host, ":") { // a drive's letter
			below = host + "/" + below
		}
		rest = "/" + below
	}
	name, err := url.PathUnescape(rest)
	if err != nil {
		return unreadable
	}
	name = "/" + strings.TrimLeft(name, "/")
	if runtime.GOOS == "windows" {
		name = strings.TrimPrefix(name, "/")
	}
	return f.Check(filepath.Clean(filepath.FromSlash(name)))
}

// hiddenInHome are folders of a home that its owner does not see as theirs, beside those that begin with a dot.
var hiddenInHome = map[string][]string{"darwin": {"library"}, "windows": {"appdata"}}

// Hidden tells whether any element of a relative path is hidden from people.
func Hidden(rel string) bool {
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(rel), "/"), func(part string) bool {
		return strings.HasPrefix(part, ".") && part != "." && part != ".."
	})
}

// HiddenInHome tells whether a path without links is in what is hidden in somebody's home.
func HiddenInHome(name string) bool {
	for _, home := range homes(name) {
		rel, ok := Within(home, name)
		if !ok {
			continue
		}
		first, _, _ := strings.Cut(strings.ToLower(filepath.ToSlash(rel)), "/")
		if Hidden(rel) || slices.Contains(hiddenInHome[runtime.GOOS], first) {
			return true
		}
	}
	return false
}

// shared is where systems keep the homes of people.
var shared = []string{"/home", "/Users", `C:\Users`}

// homes are this person's, and the one that a path is in.
func homes(name string) (all []string) {
	if dir, err := os.UserHomeDir(); err == nil {
		all = append(all, dir)
	}
	if u, err := user.Current(); err == nil && u.HomeDir != "" { // whatever the environment says
		all = append(all, u.HomeDir)
	}
	for _, dir := range shared {
		if rel, ok := Within(dir, name); ok && rel != "." {
			first, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
			all = append(all, filepath.Join(dir, first))
		}
	}
	all = append(all, shared...)
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

// Narrow tells whether a folder is one that somebody has chosen for a task: not the root, a home as a whole, what is hidden in one, or
// what a protected folder is in.
func (f *Files) Narrow(dir string) bool {
	resolved, err := Real(filepath.Clean(dir))
	if err != nil || resolved == filepath.Dir(resolved) || !filepath.IsAbs(resolved) || odd(resolved, runtime.GOOS) != nil || HiddenInHome(resolved) {
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
		if inside(resolved, below, ancestors(below)) {
			return false
		}
	}
	return f.Check(resolved) == nil
}
