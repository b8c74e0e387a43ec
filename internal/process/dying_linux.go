package process

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// exiting is PF_EXITING, the kernel's mark of a process that is being taken apart. killBit is SIGKILL in a set of
// signals.
const (
	exiting = 0x4
	killBit = 1 << 8
)

// Dying reports whether the process is gone or was killed. A killed process with much memory stays for a while, and
// until it is gone its files and pipes are open.
func (id ID) Dying() bool {
	dir := "/proc/" + strconv.Itoa(id.PID)
	stat, _ := os.ReadFile(dir + "/stat")
	status, _ := os.ReadFile(dir + "/status")
	return dying(stat, status) || !id.Alive() // last: it may have gone while its files were read
}

// dying reads the files by which the system describes a process.
func dying(stat, status []byte) bool {
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) > 6 {
		if flags, err := strconv.ParseUint(fields[6], 10, 64); err == nil && flags&exiting != 0 {
			return true
		}
	}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		if name != "SigPnd" && name != "ShdPnd" {
			continue
		}
		if set, err := strconv.ParseUint(strings.TrimSpace(value), 16, 64); err == nil && set&killBit != 0 {
			return true
		}
	}
	return false
}
