package chromium

import (
	"os"

	"golang.org/x/sys/unix"
)

// widen lets the pipe hold a megabyte, so that a large message needs fewer turns between the two processes.
func widen(f *os.File) {
	if c, err := f.SyscallConn(); err == nil {
		_ = c.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, 1<<20) })
	}
}
