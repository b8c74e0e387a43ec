package profiler

import (
	"context"
	"io"
	"sync"
	"time"

	"cove/internal/fault"
)

// HeapSnapshot writes a snapshot of the page's heap to w, in the format of DevTools.
func (p *Profiler) HeapSnapshot(ctx context.Context, w io.Writer) error {
	ctx, cancel := p.target.Bound(ctx, 5*time.Minute)
	defer cancel()
	chunks := newQueue()
	p.mu.Lock()
	if p.heap != nil {
		p.mu.Unlock()
		return fault.New(fault.CodeHeapSnapshot, "Another heap snapshot of this page is being taken.",
			"Wait for it.")
	}
	p.heap = chunks
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		p.heap = nil
		p.mu.Unlock()
	}()

	if err := p.target.Conn.Call(ctx, p.target.Session, "HeapProfiler.enable", nil, nil); err != nil {
		return err
	}
	defer p.target.Post(p.target.Session, "HeapProfiler.disable", nil)
	done := make(chan error, 1)
	go func() {
		params := object{"reportProgress": false, "captureNumericValue": true}
		done <- p.target.Conn.Call(ctx, p.target.Session, "HeapProfiler.takeHeapSnapshot", params, nil)
	}()
	for {
		select {
		case <-chunks.wake:
			if err := chunks.writeTo(w); err != nil {
				return err
			}
		case err := <-done:
			if err != nil {
				return err
			}
			return chunks.writeTo(w)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// queue stores the parts of a heap snapshot until they are written. The goroutine that delivers events must not wait
// for the disk.
type queue struct {
	wake chan struct{}

	mu    sync.Mutex
	parts []string
	bytes int
	over  bool
}

// maxQueue is how many bytes the disk may fall behind.
const maxQueue = 256 << 20

func newQueue() *queue { return &queue{wake: make(chan struct{}, 1)} }

func (q *queue) add(part string) {
	q.mu.Lock()
	if q.bytes += len(part); q.bytes > maxQueue {
		q.over, q.parts = true, nil
	} else {
		q.parts = append(q.parts, part)
	}
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func (q *queue) writeTo(w io.Writer) error {
	for {
		q.mu.Lock()
		parts, over := q.parts, q.over
		q.parts, q.bytes = nil, 0
		q.mu.Unlock()
		if over {
			return fault.New(fault.CodeSlowDisk, "The disk is too slow for the heap snapshot.",
				"Save it to another disk.")
		}
		if len(parts) == 0 {
			return nil
		}
		for _, part := range parts {
			if _, err := io.WriteString(w, part); err != nil {
				return err
			}
		}
	}
}
