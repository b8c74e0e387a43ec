package process

import (
	"context"
	"errors"
	"os"
	"time"
)

// ErrLocked says that another process holds the lock.
var ErrLocked = errors.New("locked by another process")

// Lock is a file lock that one process at a time can hold. The system releases it when the process ends, however it
// ends.
type Lock struct{ f *os.File }

// TryLock acquires the lock, or returns ErrLocked at once.
func TryLock(name string) (*Lock, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lockFile(f); err != nil {
		_ = f.Close()
		return nil, err
	}
	return &Lock{f}, nil
}

// WaitLock acquires the lock as soon as it is free, or returns ErrLocked when ctx ends first.
func WaitLock(ctx context.Context, name string) (*Lock, error) {
	for {
		l, err := TryLock(name)
		if !errors.Is(err, ErrLocked) {
			return l, err
		}
		select {
		case <-ctx.Done():
			return nil, ErrLocked
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Release releases the lock. The file stays: if it were removed, two processes could hold locks of the same name.
func (l *Lock) Release() { _ = l.f.Close() }
