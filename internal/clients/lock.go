package clients

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/gofrs/flock"

	"cove/internal/fault"
	"cove/internal/paths"
)

// lockTimeout is how long a change waits for another program's lock. lockAbandoned is the age at which a client's lock
// counts as one of a killed program: clients renew theirs every few seconds. lockAbandoned is shorter than lockTimeout,
// so that an abandoned lock never makes a change fail.
const (
	lockTimeout   = 20 * time.Second
	lockAbandoned = 15 * time.Second
)

// lockHome keeps other processes with the same data folder from changing files of clients at the same time.
func lockHome(ctx context.Context, home paths.Home) (unlock func(), err error) {
	if err := os.MkdirAll(string(home), 0o700); err != nil {
		return nil, unwritable(string(home), err)
	}

	l := flock.New(home.ClientLock(), flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(ctx, 3*lockTimeout)
	defer cancel()
	ok, err := l.TryLockContext(ctx, 10*time.Millisecond)
	switch {
	case ok:
		return func() { _ = l.Unlock() }, nil
	case errors.Is(err, context.DeadlineExceeded) || err == nil:
		return nil, fault.New(fault.CodeLocked, "Another Cove is changing the files of clients and does not end.",
			"Try again in a moment.")
	case errors.Is(err, context.Canceled):
		return nil, err
	}

	return nil, unwritable(home.ClientLock(), err)
}

// lockClient locks files as the client itself does: for each file it makes the folder that the client makes while it
// writes.
func lockClient(ctx context.Context, title string, files ...string) (unlock func(), err error) {
	var made []string
	unlock = func() {
		for _, lock := range made {
			_ = os.Remove(lock)
		}
	}

	for _, file := range files {
		lock := file + ".lock"
		if err := acquireFolder(ctx, lock); err != nil {
			unlock()
			if errors.Is(err, errLocked) {
				return nil, fault.New(fault.CodeLocked, title+" is writing "+file+" and does not end.",
					"Try again; if "+title+" is not running, remove "+lock+".")
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, unwritable(file, err)
		}
		made = append(made, lock)
	}

	return unlock, nil
}

var errLocked = errors.New("another program has the lock")

// acquireFolder makes the folder of a lock. If the folder exists, acquireFolder removes it if it is abandoned, and
// otherwise waits until it is gone.
func acquireFolder(ctx context.Context, lock string) error {
	for deadline := time.Now().Add(lockTimeout); ; {
		err := os.Mkdir(lock, 0o700)
		if !errors.Is(err, os.ErrExist) {
			return err
		}
		if isAbandoned(lock) && os.Remove(lock) == nil {
			continue
		}
		if time.Now().After(deadline) {
			return errLocked
		}

		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func isAbandoned(lock string) bool {
	info, err := os.Lstat(lock)
	return err == nil && info.IsDir() && time.Since(info.ModTime()) > lockAbandoned
}
