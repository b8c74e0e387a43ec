package process

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"strings"

	"golang.org/x/sys/unix"
)

const stateZombie = 5 // SZOMB of sys/proc.h

func lookup(pid int) (Info, bool) {
	kp, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(kp.Proc.P_pid) != pid || kp.Proc.P_stat == stateZombie {
		return Info{}, false
	}
	start := kp.Proc.P_starttime
	info := Info{ID: ID{PID: pid, Start: fmt.Sprintf("%d.%06d", start.Sec, start.Usec)}, Parent: int(kp.Eproc.Ppid)}
	if raw, err := unix.SysctlRaw("kern.procargs2", pid); err == nil {
		info.Args = procArgs(raw)
	}
	return info, true
}

// procArgs reads the kernel's block: argc, the executable's path, padding, then argc strings.
func procArgs(raw []byte) []string {
	if len(raw) < 4 {
		return nil
	}
	argc := int(binary.LittleEndian.Uint32(raw))
	rest := raw[4:]
	end := bytes.IndexByte(rest, 0)
	if end < 0 {
		return nil
	}
	parts := strings.Split(string(bytes.TrimLeft(rest[end:], "\x00")), "\x00")
	return parts[:min(argc, len(parts))]
}

func watchExit(context.Context, ID) bool { return false }
