package chromium

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cove/internal/fault"
)

// HasTabs reports whether the data folder holds tabs of the last session that are worth restoring: a web page, and not
// only blank ones.
func HasTabs(dataDir string) bool {
	dir := os.DirFS(sessionsDir(dataDir))
	files, _ := fs.Glob(dir, "Session_*")
	for _, name := range files {
		// These files hold addresses as plain text.
		text, err := fs.ReadFile(dir, name)
		if err != nil || bytes.Contains(text, []byte("://")) && !onlyBlank(text) {
			return true
		}
	}
	return false
}

// onlyBlank reports whether every address in a session file is the browser's own blank or new-tab page.
func onlyBlank(text []byte) bool {
	for _, scheme := range []string{"http://", "https://", "file://", "extension://", "ftp://"} {
		if bytes.Contains(text, []byte(scheme)) {
			return false
		}
	}
	return true
}

// RemoveTabs makes the next start open without the tabs of the last session. The cookies of that session stay: they
// depend on --restore-last-session, and not on these files.
func RemoveTabs(dataDir string) error { return os.RemoveAll(sessionsDir(dataDir)) }

func sessionsDir(dataDir string) string { return filepath.Join(dataDir, "Default", "Sessions") }

// HasShownPage reports whether a browser that was launched at that time has begun to show its first page: it opens the
// session storage of that page anew then. The storage that all pages share is opened too early on a busy machine.
func HasShownPage(dataDir string, launched time.Time) bool {
	info, err := os.Stat(filepath.Join(dataDir, "Default", "Session Storage", "LOG"))
	return err == nil && info.ModTime().After(launched)
}

// CheckDowngrade refuses a browser that is older than the last one that opened the folder: it could destroy the data.
func CheckDowngrade(dataDir string, b Browser) error {
	raw, err := os.ReadFile(filepath.Join(dataDir, "Last Version"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	last := strings.TrimSpace(string(raw))
	if major(last) <= b.Major() {
		return nil
	}
	return fault.New(fault.CodeBrowserTooOld,
		fmt.Sprintf("The profile was last opened with version %s, and %s %s is older:"+
			" opening it could destroy the profile's data.", last, b.Name, b.Version),
		"Update the browser, or name a newer one with: cove config set browser PATH")
}
