package trace

import (
	"encoding/json"
	"slices"
	"sort"
	"strings"
)

// event is one entry of a trace. Times are microseconds.
type event struct {
	Name  string          `json:"name"`
	Phase string          `json:"ph"`
	TS    float64         `json:"ts"`
	Dur   float64         `json:"dur"`
	PID   int             `json:"pid"`
	TID   int             `json:"tid"`
	ID    json.RawMessage `json:"id"`
	ID2   struct {
		Local  string `json:"local"`
		Global string `json:"global"`
	} `json:"id2"`
	Args json.RawMessage `json:"args"`
}

func (e *event) at() int64  { return int64(e.TS) }
func (e *event) end() int64 { return int64(e.TS + e.Dur) }

func (e *event) id() string { return string(e.ID) + e.ID2.Local + e.ID2.Global }

// into reads the arguments. It reports false when they are not what is expected.
func (e *event) into(args any) bool { return len(e.Args) > 0 && json.Unmarshal(e.Args, args) == nil }

// readerOf returns what reads an event that the analysis needs; nil for all others.
func readerOf(name string) func(*Trace, *event) bool {
	switch name {
	case "TracingStartedInBrowser":
		return (*Trace).readStart
	case "FrameCommittedInBrowser", "CommitLoad":
		return (*Trace).readFrame
	case "thread_name":
		return (*Trace).readThread
	case "navigationStart":
		return (*Trace).readNavigation
	case "firstContentfulPaint":
		return (*Trace).readPaint
	case "largestContentfulPaint::Candidate", "largestContentfulPaint::Invalidate":
		return (*Trace).readCandidate
	case "LargestImagePaint::Candidate":
		return (*Trace).readImageCandidate
	case "PaintImage":
		return (*Trace).readPaintImage
	case "LayoutImageUnsized":
		return (*Trace).readUnsized
	case "LayoutShift":
		return (*Trace).readShift
	case "RemoteFontLoaded":
		return (*Trace).readFont
	case "Animation":
		return (*Trace).readAnimation
	case "ScheduleStyleRecalculation":
		return (*Trace).readRestyle
	case "EventTiming":
		return (*Trace).readInput
	case "ResourceWillSendRequest":
		return (*Trace).readWillSend
	case "ResourceSendRequest":
		return (*Trace).readSend
	case "ResourceReceiveResponse":
		return (*Trace).readResponse
	case "ResourceFinish":
		return (*Trace).readFinish
	case "ResourceMarkAsCached":
		return (*Trace).readCached
	case "PreloadRenderBlockingStatusChange":
		return (*Trace).readBlocking
	case "RunTask":
		return (*Trace).readTask
	case "Profile":
		return (*Trace).readProfile
	case "ProfileChunk":
		return (*Trace).readChunk
	}
	if kindOf(name) != "" {
		return (*Trace).readActivity
	}
	return nil
}

// add counts an event, and records what the analysis needs of it.
func (t *Trace) add(e *event) {
	t.seen++
	if e.TS > 0 && e.Phase != "M" && !strings.HasSuffix(e.Name, "::UMA") {
		if t.bounds.Min == 0 || e.at() < t.bounds.Min {
			t.bounds.Min = e.at()
		}
		t.bounds.Max = max(t.bounds.Max, e.end())
	}
	read := readerOf(e.Name)
	if read == nil {
		return
	}
	if t.recorded >= room {
		t.full = true
		return
	}
	if read(t, e) {
		t.recorded++
	}
}

// settle sorts what came in the order of the browser's buffers.
func (t *Trace) settle() {
	if t.started > t.bounds.Min && t.started < t.bounds.Max {
		t.bounds.Min = t.started
	}
	sort.SliceStable(t.commits, func(i, j int) bool { return t.commits[i].at < t.commits[j].at })
	t.recover()
	// Only now it is known which frame is the page's.
	t.navigations = slices.DeleteFunc(t.navigations, func(n navigation) bool { return t.main != "" && n.frame != t.main })
	sort.SliceStable(t.navigations, func(i, j int) bool { return t.navigations[i].at < t.navigations[j].at })
	sort.SliceStable(t.candidates, func(i, j int) bool {
		a, b := t.candidates[i], t.candidates[j]
		return a.at < b.at || (a.at == b.at && a.index < b.index)
	})
	sort.SliceStable(t.shifts, func(i, j int) bool { return t.shifts[i].at < t.shifts[j].at })
	sort.SliceStable(t.inputs, func(i, j int) bool { return t.inputs[i].at < t.inputs[j].at })
	sort.SliceStable(t.restyles, func(i, j int) bool { return t.restyles[i].at < t.restyles[j].at })
	for _, p := range t.profiles {
		sort.SliceStable(p.chunks, func(i, j int) bool { return p.chunks[i].at < p.chunks[j].at })
	}
	for _, list := range [][]activity{t.tasks, t.activities} {
		sort.SliceStable(list, func(i, j int) bool {
			return list[i].from < list[j].from || (list[i].from == list[j].from && list[i].to > list[j].to)
		})
	}
}

// micros turns seconds of the browser's clock into microseconds.
func micros(seconds float64) int64 { return int64(seconds*1e6 + 0.5) }
