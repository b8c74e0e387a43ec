// Package task reads the work of the main threads in a trace, and explains their long tasks.
package task

import (
	"sort"

	"cove/internal/trace/event"
	"cove/internal/trace/page"
)

// maxSamples bounds how many samples of scripts are stored. A trace has thousands.
const maxSamples = 4_000_000

// Log has the long tasks of a trace, the work in them and the sampled stacks.
type Log struct {
	Full bool // the trace has more than maxSamples

	page       *page.Page
	tasks      []activity
	activities []activity
	profiles   map[profileKey]*profile
	samples    int
}

// NewLog returns a log without tasks.
func NewLog(p *page.Page) *Log { return &Log{page: p, profiles: map[profileKey]*profile{}} }

// Reader returns the function that reads events of this name about the work of a thread, or nil for others.
func (l *Log) Reader(name string) func(*event.Event) bool {
	switch name {
	case "RunTask":
		return l.readTask
	case "Profile":
		return l.readProfile
	case "ProfileChunk":
		return l.readChunk
	}
	if kindOf(name) != "" {
		return l.readActivity
	}
	return nil
}

// Sort sorts the events by time, because they come in the order of the browser's buffers.
func (l *Log) Sort() {
	for _, p := range l.profiles {
		sort.SliceStable(p.chunks, func(i, j int) bool { return p.chunks[i].at < p.chunks[j].at })
	}
	for _, list := range [][]activity{l.tasks, l.activities} {
		sort.SliceStable(list, func(i, j int) bool {
			return list[i].from < list[j].from || (list[i].from == list[j].from && list[i].to > list[j].to)
		})
	}
}

// longTask is how long the main thread may be busy before a person notices, in microseconds.
const longTask = 50_000

// shortest is the shortest piece of work that is stored to explain a long task, in microseconds.
const shortest = 5_000

// kindOf returns our name for the kind of work of an event, or "" for events that are not pieces of work inside a task.
func kindOf(event string) string {
	switch event {
	case "TimerFire":
		return "timer callback"
	case "FireAnimationFrame":
		return "animation frame callback"
	case "FireIdleCallback":
		return "idle callback"
	case "EventDispatch":
		return "event handler"
	case "RunMicrotasks":
		return "microtasks"
	case "XHRReadyStateChange", "XHRLoad":
		return "XHR handler"
	case "HandlePostMessage":
		return "message handler"
	case "FunctionCall":
		return "function call"
	case "EvaluateScript":
		return "script evaluation"
	case "v8.evaluateModule":
		return "module evaluation"
	case "v8.compile", "v8.compileModule":
		return "script compilation"
	case "ParseHTML":
		return "HTML parsing"
	case "ParseAuthorStyleSheet":
		return "style sheet parsing"
	case "UpdateLayoutTree":
		return "style calculation"
	case "Layout":
		return "layout"
	case "PrePaint":
		return "pre-paint"
	case "Paint":
		return "paint"
	case "Layerize":
		return "layerize"
	case "Commit":
		return "commit"
	case "Decode Image":
		return "image decoding"
	case "MajorGC", "MinorGC", "V8.GCFinalizeMC", "BlinkGC.AtomicPhase":
		return "garbage collection"
	case "IntersectionObserverController::computeIntersections":
		return "intersection observers"
	}
	return ""
}

// activity is a piece of work of one thread.
type activity struct {
	from, to int64
	thread   event.Thread
	kind     string
	where    event.Location
}

func (l *Log) readTask(e *event.Event) bool {
	if e.Phase != "X" || e.Dur < longTask {
		return false
	}
	l.tasks = append(l.tasks, activity{from: e.Start(), to: e.End(), thread: e.Thread()})
	return true
}

func (l *Log) readActivity(e *event.Event) bool {
	if e.Phase != "X" || e.Dur < shortest {
		return false
	}
	var a struct {
		Data struct {
			Type     string `json:"type"`
			Function string `json:"functionName"`
			URL      string `json:"url"`
			Lineno   int    `json:"lineNumber"`
		}
		StyleSheetURL string `json:"styleSheetUrl"`
	}
	_ = e.Decode(&a)
	kind := kindOf(e.Name)
	if e.Name == "EventDispatch" && a.Data.Type != "" {
		kind = a.Data.Type + " handler"
	}
	where := event.Location{Function: a.Data.Function, URL: a.Data.URL, Lineno: a.Data.Lineno}
	l.activities = append(l.activities, activity{e.Start(), e.End(), e.Thread(), kind, where})
	return true
}

type profileKey struct {
	pid int
	id  string
}

// profile has the sampled stacks of one thread.
type profile struct {
	tid    int
	from   int64
	nodes  map[int]event.Location
	chunks []chunk
}

// chunk is a run of samples: the innermost function, and the microseconds since the sample before it.
type chunk struct {
	at            int64
	nodes, deltas []int32
}

func (l *Log) profile(e *event.Event) *profile {
	key := profileKey{e.PID, e.Key()}
	if l.profiles[key] == nil {
		l.profiles[key] = &profile{nodes: map[int]event.Location{}}
	}
	return l.profiles[key]
}

func (l *Log) readProfile(e *event.Event) bool {
	var a struct {
		Data struct {
			Start float64 `json:"startTime"`
		}
	}
	if !e.Decode(&a) {
		return false
	}
	p := l.profile(e)
	p.tid, p.from = e.TID, int64(a.Data.Start)
	return true
}

func (l *Log) readChunk(e *event.Event) bool {
	var a struct {
		Data struct {
			Profile struct {
				Nodes []struct {
					ID    int `json:"id"`
					Frame struct {
						Function string `json:"functionName"`
						URL      string `json:"url"`
						Lineno   *int   `json:"lineNumber"`
					} `json:"callFrame"`
				} `json:"nodes"`
				Samples []int32 `json:"samples"`
			} `json:"cpuProfile"`
			Deltas []int32 `json:"timeDeltas"`
		}
	}
	if !e.Decode(&a) {
		return false
	}
	p := l.profile(e)
	for _, n := range a.Data.Profile.Nodes {
		at := event.Location{Function: n.Frame.Function, URL: n.Frame.URL}
		if n.Frame.Lineno != nil { // lines count from 0 in this event
			at.Lineno = *n.Frame.Lineno + 1
		}
		p.nodes[n.ID] = at
	}
	c := chunk{e.Start(), a.Data.Profile.Samples, a.Data.Deltas}
	if len(c.nodes) != len(c.deltas) {
		return false
	}
	if l.samples += len(c.nodes); l.samples > maxSamples {
		l.Full = true
		return false
	}
	p.chunks = append(p.chunks, c)
	return true
}

// hottest returns the function that a thread was itself running longest between from and to, and for how long.
func (l *Log) hottest(on event.Thread, from, to int64) (where event.Location, busy int64) {
	spent := map[event.Location]int64{}
	for key, p := range l.profiles {
		if key.pid == on.PID && p.tid == on.TID {
			p.spend(spent, from, to)
		}
	}
	for l, d := range spent {
		if d > busy || (d == busy && l.URL+l.Function < where.URL+where.Function) {
			where, busy = l, d
		}
	}
	return where, busy
}

func (p *profile) spend(spent map[event.Location]int64, from, to int64) {
	at, before := p.from, int32(0)
	for _, c := range p.chunks {
		for i, d := range c.deltas {
			next := at + int64(d)
			if l, ok := p.nodes[int(before)]; ok && l.URL != "" {
				if part := min(next, to) - max(at, from); part > 0 {
					spent[l] += part
				}
			}
			at, before = next, c.nodes[i]
		}
	}
}
