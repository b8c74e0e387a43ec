package trace

// longTask is how long the main thread may be busy before a person notices.
const longTask = 50_000

// shortest is the shortest piece of work that is stored to explain a long task.
const shortest = 5_000

// kindOf returns the name, in our words, of a piece of work inside a task; "" for other events. What starts other work
// comes with a reason.
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
	thread   thread
	kind     string
	where    Location
}

// Location is a position in a script. Lines count from 1; 0 is unknown.
type Location struct {
	Function string
	URL      string
	Lineno   int
}

func (t *Trace) readTask(e *event) bool {
	if e.Phase != "X" || e.Dur < longTask {
		return false
	}
	t.tasks = append(t.tasks, activity{from: e.at(), to: e.end(), thread: thread{e.PID, e.TID}})
	return true
}

func (t *Trace) readActivity(e *event) bool {
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
	_ = e.into(&a)
	kind := kindOf(e.Name)
	if e.Name == "EventDispatch" && a.Data.Type != "" {
		kind = a.Data.Type + " handler"
	}
	t.activities = append(
		t.activities,
		activity{e.at(), e.end(), thread{e.PID, e.TID}, kind, Location{a.Data.Function, a.Data.URL, a.Data.Lineno}},
	)
	return true
}

type profileKey struct {
	pid int
	id  string
}

// profile is the sampled stack of one thread.
type profile struct {
	tid    int
	from   int64
	nodes  map[int]Location
	chunks []chunk
}

// chunk is a run of samples: the innermost function, and the microseconds since the sample before it.
type chunk struct {
	at            int64
	nodes, deltas []int32
}

func (t *Trace) profile(e *event) *profile {
	key := profileKey{e.PID, e.id()}
	if t.profiles[key] == nil {
		t.profiles[key] = &profile{nodes: map[int]Location{}}
	}
	return t.profiles[key]
}

func (t *Trace) readProfile(e *event) bool {
	var a struct {
		Data struct {
			Start float64 `json:"startTime"`
		}
	}
	if !e.into(&a) {
		return false
	}
	p := t.profile(e)
	p.tid, p.from = e.TID, int64(a.Data.Start)
	return true
}

func (t *Trace) readChunk(e *event) bool {
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
	if !e.into(&a) {
		return false
	}
	p := t.profile(e)
	for _, n := range a.Data.Profile.Nodes {
		at := Location{Function: n.Frame.Function, URL: n.Frame.URL}
		if n.Frame.Lineno != nil { // here lines count from 0
			at.Lineno = *n.Frame.Lineno + 1
		}
		p.nodes[n.ID] = at
	}
	c := chunk{e.at(), a.Data.Profile.Samples, a.Data.Deltas}
	if len(c.nodes) != len(c.deltas) {
		return false
	}
	if t.samples += len(c.nodes); t.samples > sampleRoom {
		t.full = true
		return false
	}
	p.chunks = append(p.chunks, c)
	return true
}

// hottest returns the function of a script that a thread was in for most of a time, and for how long.
func (t *Trace) hottest(on thread, from, to int64) (where Location, busy int64) {
	spent := map[Location]int64{}
	for key, p := range t.profiles {
		if key.pid == on.pid && p.tid == on.tid {
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

func (p *profile) spend(spent map[Location]int64, from, to int64) {
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
