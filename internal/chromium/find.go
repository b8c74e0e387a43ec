// Package chromium finds and launches browsers, and reads their data folders.
package chromium

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"cove/internal/fault"
)

// Browser is an installed browser.
type Browser struct {
	Name    string `json:"name"`
	Path    string `json:"path"`
	Version string `json:"version"`
}

// Major returns the number before the first dot; 0 when it is not known.
func (b Browser) Major() int { return major(b.Version) }

func major(version string) int {
	first, _, _ := strings.Cut(strings.TrimSpace(version), ".")
	n, err := strconv.Atoi(first)
	if err != nil {
		return 0
	}
	return n
}

// candidate is a path where a browser may be installed.
type candidate struct{ name, path string }

// Installed lists the browsers of this computer with their versions, in the order of preference.
func Installed(ctx context.Context) []Browser {
	var found []Browser
	seen := map[string]bool{}
	for _, c := range candidates() {
		path, err := exec.LookPath(c.path)
		if err != nil {
			continue
		}
		resolved, err := filepath.EvalSymlinks(path)
		if err != nil || seen[resolved] {
			continue
		}
		seen[resolved] = true
		if v, err := Version(ctx, path); err == nil {
			found = append(found, Browser{c.name, path, v})
		}
	}
	return found
}

// Find returns the browser at the first wanted path that is not empty, or else the first that is installed.
func Find(ctx context.Context, wanted ...string) (Browser, error) {
	for _, path := range wanted {
		if path == "" {
			continue
		}
		full, err := exec.LookPath(path)
		if err != nil {
			return Browser{}, fault.New(fault.CodeNoBrowser, "There is no browser at "+path+".",
				"Correct the path, or let Cove find one: cove config set browser \"\"").Because(err)
		}
		v, err := Version(ctx, full)
		if err != nil {
			return Browser{}, fault.New(fault.CodeNoBrowser,
				path+" does not answer as a Chromium browser.",
				"Name the executable of Chrome, Chromium, Edge or Brave.").Because(err)
		}
		return Browser{displayName(full), full, v}, nil
	}
	for _, c := range candidates() {
		path, err := exec.LookPath(c.path)
		if err != nil {
			continue
		}
		if v, err := Version(ctx, path); err == nil {
			return Browser{c.name, path, v}, nil
		}
	}
	return Browser{}, fault.New(fault.CodeNoBrowser, "No browser was found on this computer.",
		"Install Google Chrome, Chromium, Microsoft Edge or Brave (Debian: apt install chromium),"+
			" or run: cove browser install")
}

func displayName(path string) string {
	for _, c := range candidates() {
		if found, err := exec.LookPath(c.path); err == nil && found == path {
			return c.name
		}
	}
	return strings.TrimSuffix(filepath.Base(path), ".exe")
}

// versions caches the version of each executable, because reading it starts a process.
var versions struct {
	sync.Mutex
	known map[versionKey]string
}

type versionKey struct {
	path    string
	size    int64
	changed time.Time
}

// versionPattern matches the version of a Chromium: its four numbers tell it from most other programs.
var versionPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(\d+)\.\d+\.\d+\.\d+\b`) })

// findVersion returns the version in a text; "" when there is none.
func findVersion(text string) string { return versionPattern().FindString(text) }

// Version returns the version that the executable reports. It runs each executable once.
func Version(ctx context.Context, path string) (string, error) {
	return programVersion(ctx, path, readVersion)
}

// programVersion returns the version that read finds out, and remembers it.
func programVersion(ctx context.Context, path string, read func(context.Context, string) (string, error)) (
	string, error,
) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	key := versionKey{path, info.Size(), info.ModTime()}
	versions.Lock()
	defer versions.Unlock()
	if v, ok := versions.known[key]; ok {
		return v, nil
	}
	v, err := read(ctx, path)
	if err != nil {
		return "", err
	}
	if versions.known == nil {
		versions.known = map[versionKey]string{}
	}
	versions.known[key] = v
	return v, nil
}

func runVersion(ctx context.Context, path string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return "", err
	}
	v := findVersion(string(out))
	if v == "" {
		return "", fmt.Errorf("%s --version names no version", path)
	}
	return v, nil
}
