package process

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// desktop lists the variables by which a program finds the person's screen.
var desktop = []string{"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"}

// LoginEnvironment returns the variables that this process lacks to reach the person's screen. It reads them from
// another process of the same person, because MCP clients remove them from the programs that they start.
func LoginEnvironment() []string {
	if os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "" {
		return nil
	}
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		raw, err := os.ReadFile(dir + "/environ") // only those of the same person can be read
		x11, wayland := bytes.Contains(raw, []byte("\x00DISPLAY=")), bytes.Contains(raw, []byte("\x00WAYLAND_DISPLAY="))
		if err != nil || (!x11 && !wayland) || foreign(dir) {
			continue
		}
		var found []string
		for kv := range strings.SplitSeq(string(raw), "\x00") {
			name, value, _ := strings.Cut(kv, "=")
			for _, wanted := range desktop {
				if name == wanted && value != "" && os.Getenv(name) == "" {
					found = append(found, kv)
				}
			}
		}
		return found
	}
	return nil
}

// foreign reports whether a process belongs to another user. Root can read the environment of all processes.
func foreign(dir string) bool {
	info, err := os.Stat(dir)
	return err != nil || !ownedBySelf(info)
}

func ownedBySelf(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}
