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
	locked := pid != 0
	if !locked {
		pid = known.PID
	}
	info, ok := process.Lookup(pid)
	if !ok || (!locked && info.ID != known) {
		return Owner{}, false
	}
	return ownerOf(dataDir, info)
}

// FindStarting returns a browser with a debugging pipe that was started on the folder and need not have locked it yet.
// It looks at every process.
func FindStarting(dataDir string) (Owner, bool) {
	found, err := process.Find(func(info process.Info) bool { return isDriven(dataDir, info) })
	if err != nil || len(found) == 0 {
		return Owner{}, false
	}
	return ownerOf(dataDir, found[0])
}

// isDriven reports whether a process is a browser with a debugging pipe on the folder.
func isDriven(dataDir string, info process.Info) bool {
	owner, ok := ownerOf(dataDir, info)
	return ok && owner.Debugged
}

// ownerOf describes a process as the owner of a data folder. It reports false for a process that has nothing to do
// with the folder, because a system reuses process numbers, and for the processes that a browser starts. Those may
// outlive the browser for a moment, and write all of their arguments into one.
func ownerOf(dataDir string, info process.Info) (Owner, bool) {
	args := strings.Join(info.Args, " ")
	if !strings.Contains(args, "--user-data-dir="+dataDir) || strings.Contains(args, " --type=") {
		return Owner{}, false
	}
	return Owner{Info: info, Debugged: strings.Contains(args, "--remote-debugging-pipe")}, true
}
