package chromium

import (
	"strings"

	"cove/internal/process"
)

// Holder is the browser that has a data folder open.
type Holder struct {
	process.Info
	// Host is set when the lock was made on another computer, or under another name of this one: then nothing is known of
	// the process.
	Host string
	// Debugged says that it was started with a debugging pipe, so it ends with whoever holds the other end.
	Debugged bool
}

// FindHolder answers who has the folder open; false when nobody has, whatever stale lock lies there. known is the browser that
// was last seen there, for systems whose lock names nobody.
func FindHolder(dataDir string, known process.ID) (Holder, bool) {
	pid, host := readLock(dataDir)
	if host != "" {
		return Holder{Host: host}, true
	}
	if pid == 0 {
		pid = known.PID
	}
	info, ok := process.Lookup(pid)
	if !ok {
		return Holder{}, false
	}
	line := strings.Join(info.Args, " ")
	if !strings.Contains(line, "--user-data-dir="+dataDir) {
		return Holder{}, false // the number was handed out again
	}
	return Holder{Info: info, Debugged: strings.Contains(line, "--remote-debugging-pipe")}, true
}
