package chromium

import (
	"strings"

	"cove/internal/process"
)

// Owner is the browser that has a data folder open.
type Owner struct {
	process.Info
	// Host is set when the lock was made on another computer, or under another name of this one. Then nothing is known
	// of the process.
	Host string
	// Debugged says that the browser has a debugging pipe, so it ends with the process at the other end.
	Debugged bool
}

// FindOwner returns the browser that has the folder open. It answers false when there is none, whatever stale lock is
// there. known is the browser that was last seen there, for systems whose lock names no process.
func FindOwner(dataDir string, known process.ID) (Owner, bool) {
	pid, host := readLock(dataDir)
	if host != "" {
		return Owner{Host: host}, true
	}
	if pid == 0 {
		pid = known.PID
	}
	info, ok := process.Lookup(pid)
	if !ok {
		return Owner{}, false
	}
	args := strings.Join(info.Args, " ")
	if !strings.Contains(args, "--user-data-dir="+dataDir) {
		return Owner{}, false // the process number was reused
	}
	return Owner{Info: info, Debugged: strings.Contains(args, "--remote-debugging-pipe")}, true
}
