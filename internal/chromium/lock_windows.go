package chromium

import (
	"os"
	"path/filepath"

	"cove/internal/process"
)

// On Windows the browser holds "lockfile" open, which names nobody and goes with the process: the keeper's own record of the
// browser tells who it is.
func readLock(string) (pid int, host string) { return 0, "" }

// ClearLocks has nothing to clear on Windows.
func ClearLocks(string) {}

// Holds reports whether that browser has taken the folder.
func Holds(dataDir string, id process.ID) bool {
	_, err := os.Stat(filepath.Join(dataDir, "lockfile"))
	return err == nil && id.Alive()
}
