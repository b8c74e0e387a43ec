package protect

import (
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"cove/internal/fault"
)

// devices are folders in which there are no files. Their entries lead to processes, open files and hardware, by names
// that can mean something else to each program. /dev/shm contains files.
var devices = [...]string{"/proc", "/sys", "/dev", "/.vol"}

// checkName refuses names that are no plain names of files on a system.
func checkName(name, system string) error {
	if strings.ContainsRune(name, 0) || strings.ContainsRune(name, '\uFFFD') {
		return fault.Invalidf("The file name holds a zero byte or is no text.").WithHint("Give the path of a file.")
	}
	if system == "windows" {
		return checkWindowsName(name)
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

// checkWindowsName refuses names of other computers, of devices and of streams inside files, and names that Windows
// changes before it uses them.
func checkWindowsName(name string) error {
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
		numbered := len(base) > 3 && len([]rune(base)) == 4 &&
			(strings.HasPrefix(base, "com") || strings.HasPrefix(base, "lpt"))
		if numbered || slices.Contains([]string{"con", "prn", "aux", "nul", "conin$", "conout$"}, base) {
			return denied(name, "it is a device")
		}
	}
	return nil
}

// Literal checks a path that another program will open as it is written. It also refuses a path that the other program
// may read in another way than we do.
func (f *Files) Literal(name string) error {
	plain := filepath.FromSlash(name)
	clean := filepath.Clean(name)
	if !filepath.IsAbs(name) || (plain != clean && plain != clean+string(filepath.Separator)) {
		return fault.Invalidf("The path %q is not a whole one.",
			name).WithHint("Give the whole path, without . and .. in it.")
	}

	return f.Check(name)
}

// CheckURL refuses an address of a protected file. Addresses of other kinds pass.
func (f *Files) CheckURL(address string) error {
	text := strings.TrimFunc(address, func(r rune) bool { return r <= ' ' })
	text = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(text)
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
		if host != "" && !strings.EqualFold(host, "localhost") &&
			(runtime.GOOS != "windows" || !strings.HasSuffix(host, ":")) {
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
