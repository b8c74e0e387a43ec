package picture

import (
	"context"
	"sync"
	"time"
)

// Queue captures the images for the journal. It captures one after another and while the agents rest, because one
// capture costs as much of the browser's time as many a call.
type Queue struct {
	mu      sync.Mutex
	waiting []awaited
	calls   int           // calls of tools that are under way
	rests   time.Time     // since when none is
	due     bool          // capture at once
	changed chan struct{} // closed when calls or due have changed
	idle    chan struct{} // closed when no image is waiting
}

// awaited is an image that waits.
type awaited struct {
	capture func()
	since   time.Time
}

const (
	// rest is how long no call may have been under way before an image is captured.
	rest = 100 * time.Millisecond
	// patience is how long an image waits for that.
	patience = 2 * time.Second
)

// NewQueue returns an empty Queue.
func NewQueue() *Queue {
	return &Queue{changed: make(chan struct{}), idle: make(chan struct{})}
}

// Pause counts a call that is under way: the images wait for its end.
func (q *Queue) Pause() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.calls++
	q.wakeLocked(false)
}

// Due makes the images that wait due at once: a step begins that changes a page.
func (q *Queue) Due() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.wakeLocked(true)
}

// Unpause counts the end of a call.
func (q *Queue) Unpause() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.calls--
	q.rests = time.Now()
	q.wakeLocked(false)
}

// wakeLocked wakes the goroutine that waits for a rest.
func (q *Queue) wakeLocked(due bool) {
	if len(q.waiting) == 0 {
		return
	}
	q.due = q.due || due
	close(q.changed)
	q.changed = make(chan struct{})
}

// Add adds an image to those that wait.
func (q *Queue) Add(capture func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, awaited{capture, time.Now()})
	if len(q.waiting) == 1 {
		go q.work()
	}
}

// work captures until the queue is empty.
func (q *Queue) work() {
	for left := true; left; {
		q.mu.Lock()
		next := q.waiting[0]
		q.mu.Unlock()

		q.awaitRest(next.since)
		next.capture()

		q.mu.Lock()
		q.waiting = q.waiting[1:]
		if left = len(q.waiting) > 0; !left {
			q.due = false
			close(q.idle)
			q.idle = make(chan struct{})
		}
		q.mu.Unlock()
	}
}

// awaitRest waits until the agents have rested for a moment, or an image that waits since then is due.
func (q *Queue) awaitRest(since time.Time) {
	late := time.After(patience - time.Since(since))
	for {
		q.mu.Lock()
		due, busy, rests, changed := q.due, q.calls > 0, q.rests, q.changed
		q.mu.Unlock()
		if due {
			return
		}

		var rested <-chan time.Time
		if !busy {
			rested = time.After(rest - time.Since(rests))
		}
		select {
		case <-changed:
		case <-rested:
			return
		case <-late:
			return
		}
	}
}

// Flush captures all waiting images now. It waits for them until ctx ends.
func (q *Queue) Flush(ctx context.Context) {
	for {
		q.mu.Lock()
		left, idle := len(q.waiting), q.idle
		q.wakeLocked(true)
		q.mu.Unlock()
		if left == 0 {
			return
		}

		select {
		case <-idle:
		case <-ctx.Done():
			return
		}
	}
}
