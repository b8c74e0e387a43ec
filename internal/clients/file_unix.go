//go:build unix

package clients

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// lockFolder keeps Coves with other data folders from changing a file in this folder at the same time. It leaves no
// file behind. It never fails: on a file system without such locks, or if another program does not unlock in time, the
// change goes on without the lock.
func lockFolder(dir string) (unlock func()) {
	d, err := os.Open(dir)
	if err != nil {
		return func() {}
	}

	for end := time.Now().Add(lockTimeout / 4); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		err := syscall.Flock(int(d.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			break
		}
	}

	return func() { _ = d.Close() }
}

// preserveOwner gives a file the owner of the one that it replaces when root edits it.
func preserveOwner(f *os.File, was fs.FileInfo) {
	if s, ok := was.Sys().(*syscall.Stat_t); ok && os.Geteuid() == 0 {
		_ = f.Chown(int(s.Uid), int(s.Gid))
	}
}

// syncFolder writes a folder to the disk, so that a rename in it lasts.
func syncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
