// Package profiler records what a page costs: heap snapshots and performance traces.
package profiler

import (
	"sync"

	"cove/internal/cdp"
	"cove/internal/page/target"
)

type object = map[string]any

// Profiler profiles one tab. It makes at most one heap snapshot and records at most one trace at a time. All methods
// may be called from any goroutine; Event never waits.
type Profiler struct {
	target *target.Target

	mu     sync.Mutex
	heap   *queue      // set while a heap snapshot is made
	trace  chan string // set while a trace is recorded; receives its stream at the end
	ending chan string // the trace that was stopped last
}

// New returns the profiler of a tab.
func New(t *target.Target) *Profiler { return &Profiler{target: t} }

// Event records a part of a heap snapshot, or the end of a trace.
func (p *Profiler) Event(e cdp.Event) {
	params, ok := target.Decode[struct {
		Chunk  string `json:"chunk"`
		Stream string `json:"stream"`
	}](e)
	if !ok {
		return
	}

	p.mu.Lock()
	heap, ending := p.heap, p.ending
	p.mu.Unlock()
	switch e.Method {
	case "HeapProfiler.addHeapSnapshotChunk":
		if heap != nil {
			heap.add(params.Chunk)
		}
	case "Tracing.tracingComplete":
		if ending != nil {
			select {
			case ending <- params.Stream:
			default:
			}
		}
	}
}
