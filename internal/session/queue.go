package session

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// queue lets as many launches run at a time as there are cores; more only slows them all down.
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

// enter waits for a turn; leave gives it back.
func (q *queue) enter(ctx context.Context) (leave func(), err error) {
	leave = func() { <-q.slots }
	select {
	case q.slots <- struct{}{}:
		return leave, nil
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
		return leave, nil
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
