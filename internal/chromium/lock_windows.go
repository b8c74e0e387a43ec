package chromium

import (
	"errors"
	"os"
	"path/filepath"

	"cove/internal/process"
)

// On Windows the browser holds "lockfile" open, which names nobody and goes with the process: the keeper's own record of the
// browser tells who it is.
func readLock(string) (pid int, host string) { return 0, "" }

// ClearLocks has nothing to clear on Windows.
func ClearLocks(string) {}

// Taken reports whether another browser than that one has the folder now. Call it when that one is gone: whoever is left holds the file open, and
// lets nobody else write to it.
func Taken(dataDir string, _ process.ID) bool {
	file, err := os.OpenFile(filepath.Join(dataDir, "lockfile"), os.O_WRONLY, 0)
	if err == nil {
		_ = file.Close()
	}
	return err != nil && !errors.Is(err, os.ErrNotExist)
}

// Holds reports whether that browser has taken the folder.
func Holds(dataDir string, id process.ID) bool {
	_, err := os.Stat(filepath.Join(dataDir, "lockfile"))
	return err == nil && id.Alive()
}
