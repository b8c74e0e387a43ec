//go:build unix

package clients

import (
	"io/fs"
	"os"
	"syscall"
	"time"
)

// lockFolder keeps Coves with other data folders from changing a file in this folder at the same time; nothing is left of it. A file
// system that knows no such lock, and somebody who never gives it back, are no reason to fail.
func lockFolder(dir string) (unlock func()) {
	d, err := os.Open(dir)
	if err != nil {
		return func() {}
	}
	for end := time.Now().Add(patience / 4); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if err := syscall.Flock(int(d.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != syscall.EWOULDBLOCK && err != syscall.EINTR {
			break
		}
	}
	return func() { _ = d.Close() }
}

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
