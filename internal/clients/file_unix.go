//go:build unix

package clients

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner leaves a file with its owner when root edits it.
func keepOwner(f *os.File, was fs.FileInfo) {
	if s, ok := was.Sys().(*syscall.Stat_t); ok && os.Geteuid() == 0 {
		_ = f.Chown(int(s.Uid), int(s.Gid))
	}
}

// syncFolder makes a rename last.
func syncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
