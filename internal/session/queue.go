package session

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// queue limits the launches that run at the same time to the number of cores: more would slow all of them down.
type queue struct {
	slots   chan struct{}
	mu      sync.Mutex
	waiting int
}

const (
	maxWaiting = 64
	maxWait    = 60 * time.Second
)

func newQueue(atOnce int) *queue { return &queue{slots: make(chan struct{}, max(1, atOnce))} }

// acquire waits for a turn; release gives it back.
func (q *queue) acquire(ctx context.Context) (release func(), err error) {
	release = func() { <-q.slots }
	select {
	case q.slots <- struct{}{}:
		return release, nil
	default:
	}
	if !q.wait(1) {
		return nil, errBusy(fmt.Sprintf("%d profiles are waiting to start already.", maxWaiting))
	}
	defer q.wait(-1)
	timer := time.NewTimer(maxWait)
	defer timer.Stop()
	select {
	case q.slots <- struct{}{}:
		return release, nil
	case <-timer.C:
		return nil, errBusy("The profile waited a minute for its turn to start.")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (q *queue) wait(n int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.waiting+n > maxWaiting {
		return false
	}
	q.waiting += n
	return true
}
