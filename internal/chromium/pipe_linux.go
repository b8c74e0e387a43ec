package chromium

import (
	"os"

	"golang.org/x/sys/unix"
)

// widen sets the size of the pipe to a megabyte, so that a large message needs fewer switches between the processes.
func widen(f *os.File) {
	if c, err := f.SyscallConn(); err == nil {
		_ = c.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, 1<<20) })
	}
}
