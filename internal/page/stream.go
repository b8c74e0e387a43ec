package page

import (
	"context"
	"encoding/base64"
	"io"
	"sync"
	"time"

	"cove/internal/cdp"
	"cove/internal/fault"
)

// HeapSnapshot writes the page's memory as DevTools reads it.
func (t *Tab) HeapSnapshot(ctx context.Context, w io.Writer) error {
	ctx, cancel := t.bound(ctx, 5*time.Minute)
	defer cancel()
	chunks := newQueue()
	t.mu.Lock()
	if t.heap != nil {
		t.mu.Unlock()
		return fault.New(fault.CodeHeapSnapshot, "Another heap snapshot of this page is being taken.", "Wait for it.")
	}
	t.heap = chunks
	t.mu.Unlock()
	defer func() {
		t.mu.Lock()
		t.heap = nil
		t.mu.Unlock()
	}()
	if err := t.b.conn.Call(ctx, t.session, "HeapProfiler.enable", nil, nil); err != nil {
		return err
	}
	defer func() { t.forget(t.b.conn.Start(t.session, "HeapProfiler.disable", nil)) }()
	done := make(chan error, 1)
	go func() {
		done <- t.b.conn.Call(ctx, t.session, "HeapProfiler.takeHeapSnapshot", object{"reportProgress": false, "captureNumericValue": true}, nil)
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

// queue holds the parts of a heap snapshot that the disk has not taken yet: whoever hears them must not wait.
type queue struct {
	wake chan struct{}

	mu    sync.Mutex
	parts []string
	bytes int
	over  bool
}

// maxQueue is how far the disk may fall behind.
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
			return fault.New(fault.CodeSlowDisk, "The disk is too slow for the heap snapshot.", "Save it to another disk.")
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

// StartTrace begins to record what the browser does for this page.
func (t *Tab) StartTrace(ctx context.Context, categories []string) error {
	t.mu.Lock()
	busy := t.traced != nil
	t.mu.Unlock()
	if busy {
		return fault.New(fault.CodeTracing, "A trace of this page is being recorded already.", "Stop it with performance_stop_trace.")
	}
	err := t.do(ctx, "Tracing.start", object{"transferMode": "ReturnAsStream", "streamFormat": "json", "streamCompression": "none",
		"traceConfig": object{"recordMode": "recordUntilFull", "includedCategories": categories, "excludedCategories": []string{"*"}}}, nil)
	if err != nil {
		return err
	}
	t.mu.Lock()
	t.traced = make(chan string, 1)
	t.mu.Unlock()
	return nil
}

// Tracing tells whether a trace is being recorded.
func (t *Tab) Tracing() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.traced != nil
}

// StopTrace ends the recording and writes it.
func (t *Tab) StopTrace(ctx context.Context, w io.Writer) error {
	t.mu.Lock()
	traced := t.traced
	t.traced = nil
	t.mu.Unlock()
	if traced == nil {
		return fault.New(fault.CodeNotTracing, "No trace of this page is being recorded.", "Start one with performance_start_trace.")
	}
	ctx, cancel := t.bound(ctx, 2*time.Minute)
	defer cancel()
	t.mu.Lock()
	t.ending = traced
	t.mu.Unlock()
	if err := t.b.conn.Call(ctx, t.session, "Tracing.end", nil, nil); err != nil {
		return err
	}
	select {
	case stream := <-traced:
		return t.readStream(ctx, stream, w)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (t *Tab) readStream(ctx context.Context, handle string, w io.Writer) error {
	defer func() { t.forget(t.b.conn.Start(t.session, "IO.close", object{"handle": handle})) }()
	for {
		var part struct {
			Data   string `json:"data"`
			Base64 bool   `json:"base64Encoded"`
			EOF    bool   `json:"eof"`
		}
		if err := t.b.conn.Call(ctx, t.session, "IO.read", object{"handle": handle, "size": 1 << 20}, &part); err != nil {
			return err
		}
		data := []byte(part.Data)
		if part.Base64 {
			var err error
			if data, err = base64.StdEncoding.DecodeString(part.Data); err != nil {
				return err
			}
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
		if part.EOF {
			return nil
		}
	}
}

// streamEvent takes the parts of what is recorded.
func (t *Tab) streamEvent(e cdp.Event) {
	p, ok := decode[struct {
		Chunk  string `json:"chunk"`
		Stream string `json:"stream"`
	}](e)
	if !ok {
		return
	}
	t.mu.Lock()
	heap, ending := t.heap, t.ending
	t.mu.Unlock()
	switch e.Method {
	case "HeapProfiler.addHeapSnapshotChunk":
		if heap != nil {
			heap.add(p.Chunk)
		}
	case "Tracing.tracingComplete":
		if ending != nil {
			select {
			case ending <- p.Stream:
			default:
			}
		}
	}
}
