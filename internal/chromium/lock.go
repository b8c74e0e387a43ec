package chromium

import (
	"strings"

	"cove/internal/process"
)

// Holder is the browser that has a data folder open.
type Holder struct {
	process.Info
	// Host is set when the lock was made on another computer, or under another name of this one. Then nothing is known
	// of the process.
	Host string
	// Debugged says that the browser has a debugging pipe, so it ends with the process at the other end.
	Debugged bool
}

// FindHolder returns the browser that has the folder open. It answers false when there is none, whatever stale lock is
// there. known is the browser that was last seen there, for systems whose lock names no process.
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
	args := strings.Join(info.Args, " ")
	if !strings.Contains(args, "--user-data-dir="+dataDir) {
		return Holder{}, false // the process number was reused
	}
	return Holder{Info: info, Debugged: strings.Contains(args, "--remote-debugging-pipe")}, true
}
