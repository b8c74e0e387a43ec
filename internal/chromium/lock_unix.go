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

// Holds reports whether that browser has taken the folder.
func Holds(dataDir string, id process.ID) bool {
	pid, host := readLock(dataDir)
	return pid == id.PID && host == ""
}

// Taken reports whether another browser than that one has the folder now. It asks less than FindHolder: whoever took the folder after it was
// free is a browser, however it was started.
func Taken(dataDir string, but process.ID) bool {
	pid, host := readLock(dataDir)
	if host != "" {
		return true
	}
	_, alive := process.Lookup(pid)
	return alive && pid != but.PID
}

// ClearLocks removes what a browser that is gone left in its folder. Call it only when FindHolder found nobody.
func ClearLocks(dataDir string) {
	// The socket lies in a folder of its own below the system's temporary one, with a copy of the cookie.
	if socket, err := os.Readlink(filepath.Join(dataDir, "SingletonSocket")); err == nil {
		if dir := filepath.Dir(socket); strings.HasPrefix(filepath.Clean(dir), filepath.Clean(os.TempDir())+string(filepath.Separator)) {
			_ = os.Remove(socket)
			_ = os.Remove(filepath.Join(dir, "SingletonCookie"))
			_ = os.Remove(dir) // only if it is empty now
		}
	}
	for _, name := range []string{"SingletonLock", "SingletonSocket", "SingletonCookie"} {
		_ = os.Remove(filepath.Join(dataDir, name))
	}
}
