// Package throttle slows down repeated wrong passwords.
package throttle

import (
	"context"
	"sync"
	"time"

	"cove/internal/fault"
)

const (
	freeTries  = 3
	firstDelay = 500 * time.Millisecond
	maxDelay   = 15 * time.Second
	maxWaiting = 16
	// forgive is the time without an attempt after which wrong attempts are forgotten.
	forgive = 15 * time.Minute
)

// Throttle slows down repeated wrong passwords. Attempts for one email run one at a time, each later than the one
// before.
type Throttle struct {
	mu    sync.Mutex
	turns map[string]*turn
}

type turn struct {
	slot     chan struct{}
	waiting  int
	failures int
	last     time.Time // time of the last failure
}

// Try waits for this email's turn and runs check.
func (t *Throttle) Try(ctx context.Context, email string, check func() bool) (ok bool, err error) {
	t.mu.Lock()
	if t.turns == nil {
		t.turns = map[string]*turn{}
	}
	for other, u := range t.turns {
		if u.waiting == 0 && time.Since(u.last) > forgive {
			delete(t.turns, other)
		}
	}
	u := t.turns[email]
	if u == nil {
		u = &turn{slot: make(chan struct{}, 1)}
		t.turns[email] = u
	}
	if u.waiting >= maxWaiting {
		t.mu.Unlock()
		return false, fault.New(fault.CodeTooManyLogins, "Too many logins are waiting for this account.",
			"Wait a minute, then try again.")
	}
	u.waiting++
	t.mu.Unlock()
	defer func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if u.waiting--; u.waiting == 0 && u.failures == 0 {
			delete(t.turns, email)
		}
	}()

	select {
	case u.slot <- struct{}{}:
	case <-ctx.Done():
		return false, ctx.Err()
	}
	defer func() { <-u.slot }()
	if err := sleep(ctx, delay(u.failures)); err != nil {
		return false, err
	}
	ok = check()
	t.record(u, ok)
	return ok, nil
}

func (t *Throttle) record(u *turn, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if ok {
		u.failures = 0
	} else {
		u.failures++
		u.last = time.Now()
	}
}

func delay(failures int) time.Duration {
	if failures < freeTries {
		return 0
	}
	return min(maxDelay, firstDelay<<min(failures-freeTries, 10))
}

func sleep(ctx context.Context, d time.Duration) error {
	if d == 0 {
		return nil
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
