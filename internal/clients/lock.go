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

// patience is how long somebody else may hold a file; abandoned how old a client's lock is when nobody holds it any more: clients
// renew theirs every few seconds. The one is longer than the other, so that a lock of a killed program is never a failure.
const (
	patience  = 20 * time.Second
	abandoned = 15 * time.Second
)

// lockOurs keeps other Coves from changing files of clients at the same time.
func lockOurs(ctx context.Context, home paths.Home) (unlock func(), err error) {
	if err := os.MkdirAll(string(home), 0o700); err != nil {
		return nil, unwritable(string(home), err)
	}
	l := flock.New(home.ClientLock(), flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(ctx, 3*patience)
	defer cancel()
	ok, err := l.TryLockContext(ctx, 10*time.Millisecond)
	if !ok {
		if errors.Is(err, context.DeadlineExceeded) || err == nil {
			return nil, fault.New(fault.CodeLocked, "Another Cove is changing the files of clients and does not end.", "Try again in a moment.")
		}
		if errors.Is(err, context.Canceled) {
			return nil, err
		}
		return nil, unwritable(home.ClientLock(), err)
	}
	return func() { _ = l.Unlock() }, nil
}

// lockTheirs makes the folder that the client itself makes while it writes a file.
func lockTheirs(ctx context.Context, title string, files ...string) (unlock func(), err error) {
	var held []string
	unlock = func() {
		for _, l := range held {
			_ = os.Remove(l)
		}
	}
	for _, file := range files {
		lock := file + ".lock"
		if err := takeFolder(ctx, lock); err != nil {
			unlock()
			if errors.Is(err, errHeld) {
				return nil, fault.New(fault.CodeLocked, title+" is writing "+file+" and does not end.", "Try again; if "+title+" is not running, remove "+lock+".")
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, unwritable(file, err)
		}
		held = append(held, lock)
	}
	return unlock, nil
}

var errHeld = errors.New("held by somebody else")

func takeFolder(ctx context.Context, lock string) error {
	for deadline := time.Now().Add(patience); ; {
		err := os.Mkdir(lock, 0o700)
		if !errors.Is(err, os.ErrExist) {
			return err
		}
		if info, err := os.Lstat(lock); err == nil && info.IsDir() && time.Since(info.ModTime()) > abandoned && os.Remove(lock) == nil {
			continue
		}
		if time.Now().After(deadline) {
			return errHeld
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}
