//go:build unix

package chromium

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"cove/internal/process"
)

// readLock reads SingletonLock, a link named host-pid.
func readLock(dataDir string) (pid int, host string) {
	link, err := os.Readlink(filepath.Join(dataDir, "SingletonLock"))
	if err != nil {
		return 0, ""
	}
	dash := strings.LastIndexByte(link, '-')
	if dash < 0 {
		return 0, ""
	}
	pid, err = strconv.Atoi(link[dash+1:])
	if err != nil {
		return 0, ""
	}
	if here, err := os.Hostname(); err == nil && link[:dash] != here {
		return pid, link[:dash]
	}
	return pid, ""
}

// Holder returns the process that has locked a folder on this computer, however it was started.
func Holder(dataDir string) (process.ID, bool) {
	pid, host := readLock(dataDir)
	if host != "" {
		return process.ID{}, false
	}
	info, ok := process.Lookup(pid)
	return info.ID, ok
}

// LockedBy reports whether that browser has locked the folder.
func LockedBy(dataDir string, id process.ID) bool {
	pid, host := readLock(dataDir)
	return pid == id.PID && host == ""
}

// LockedByOther reports whether another browser than that one has the folder now. It checks less than FindOwner:
// whatever locked the folder after it was free is a browser, however it was started.
func LockedByOther(dataDir string, but process.ID) bool {
	pid, host := readLock(dataDir)
	if host != "" {
		return true
	}
	_, alive := process.Lookup(pid)
	return alive && pid != but.PID
}

// ClearLocks removes the locks that a browser that is gone left in its folder. Call it only if FindOwner found none.
func ClearLocks(dataDir string) {
	// The socket has a folder of its own below the system's temporary one, with a copy of the cookie.
	if socket, err := os.Readlink(filepath.Join(dataDir, "SingletonSocket")); err == nil {
		dir, temporary := filepath.Dir(socket), filepath.Clean(os.TempDir())+string(filepath.Separator)
		if strings.HasPrefix(filepath.Clean(dir), temporary) {
			_ = os.Remove(socket)
			_ = os.Remove(filepath.Join(dir, "SingletonCookie"))
			_ = os.Remove(dir) // only if it is empty now
		}
	}
	for _, name := range []string{"SingletonLock", "SingletonSocket", "SingletonCookie"} {
		_ = os.Remove(filepath.Join(dataDir, name))
	}
}
