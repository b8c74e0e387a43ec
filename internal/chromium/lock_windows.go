package chromium

import (
	"errors"
	"os"
	"path/filepath"

	"cove/internal/process"
)

// readLock knows nothing on Windows: the browser holds "lockfile" open, which names no process and goes with it. The
// keeper's record says which process the browser is.
func readLock(string) (pid int, host string) { return 0, "" }

// ClearLocks has nothing to clear on Windows.
func ClearLocks(string) {}

// LockedByOther reports whether another browser than that one has the folder now. Call it when that one is gone: the
// browser that is left holds the file open, and nobody else can write to it.
func LockedByOther(dataDir string, _ process.ID) bool {
	file, err := os.OpenFile(filepath.Join(dataDir, "lockfile"), os.O_WRONLY, 0)
	if err == nil {
		_ = file.Close()
	}
	return err != nil && !errors.Is(err, os.ErrNotExist)
}

// Holder returns the process that has a folder open. The lock names none here, so the system is asked who has it open.
func Holder(dataDir string) (process.ID, bool) {
	found := process.Openers(filepath.Join(dataDir, "lockfile"))
	if len(found) != 1 {
		return process.ID{}, false
	}
	return found[0].ID, true
}

// LockedBy reports whether that browser has locked the folder.
func LockedBy(dataDir string, id process.ID) bool {
	_, err := os.Stat(filepath.Join(dataDir, "lockfile"))
	return err == nil && id.Alive()
}
