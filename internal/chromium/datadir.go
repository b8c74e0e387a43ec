package chromium

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cove/internal/fault"
)

// Tabs reports whether the data folder holds tabs of a last session that are worth coming back to: a web page, not only
// blank ones.
func Tabs(dataDir string) bool {
	files, _ := filepath.Glob(filepath.Join(sessionsDir(dataDir), "Session_*"))
	for _, name := range files {
		// Addresses stand in these files as plain text.
		text, err := os.ReadFile(name)
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

// ForgetTabs makes the next start open without the tabs of the last session. Cookies of that session stay: they hang on
// --restore-last-session, not on these files.
func ForgetTabs(dataDir string) error { return os.RemoveAll(sessionsDir(dataDir)) }

func sessionsDir(dataDir string) string { return filepath.Join(dataDir, "Default", "Sessions") }

// Shown reports whether a browser that was launched at that time has begun to show its first page: it opens the storage of that page's
// session anew then. The storage that all pages share is too early, on a busy machine.
func Shown(dataDir string, launched time.Time) bool {
	info, err := os.Stat(filepath.Join(dataDir, "Default", "Session Storage", "LOG"))
	return err == nil && info.ModTime().After(launched)
}

// CheckDowngrade refuses a browser older than the one that last opened the folder: it could destroy it.
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
		fmt.Sprintf("The profile was last opened with version %s, and %s %s is older: opening it could destroy the profile's data.", last, b.Name, b.Version),
		"Update the browser, or name a newer one with: cove config set browser PATH")
}
