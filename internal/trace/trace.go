// Package trace reads a performance trace of Chromium and says what was slow. A package below it for each subject
// (network, paint, shift, interaction, task) reads its events and works out its findings; report writes them.
package trace

import (
	"io"
	"strings"

	"cove/internal/trace/event"
	"cove/internal/trace/interaction"
	"cove/internal/trace/network"
	"cove/internal/trace/page"
	"cove/internal/trace/paint"
	"cove/internal/trace/shift"
	"cove/internal/trace/task"
)

// Categories are what to record and nothing else (includedCategories of a trace's configuration): what the analysis
// needs, and what makes the saved file useful in the Performance panel of DevTools (its script samples and its frames).
// The sampling is the coarse one, which disturbs the page less.
var Categories = []string{
	"blink.console",
	"blink.user_timing",
	"devtools.timeline",
	"disabled-by-default-devtools.timeline",
	"disabled-by-default-devtools.timeline.frame",
	"disabled-by-default-devtools.timeline.stack",
	"disabled-by-default-layout_shift.debug",
	"disabled-by-default-lighthouse",
	"disabled-by-default-v8.cpu_profiler",
	"latencyInfo",
	"loading",
	"v8.execute",
}

// Screenshots is a category that adds a film strip to the saved file. The analysis does not need it, and it makes the
// file several times larger.
const Screenshots = "disabled-by-default-devtools.screenshot"

// maxEvents bounds how many events of a trace are stored.
const maxEvents = 400_000

// Trace is what the analysis needs of a recorded trace.
type Trace struct {
	truncated bool // the file ends early
	full      bool // there were more than maxEvents
	recorded  int
	bounds    event.Bounds

	page         *page.Page
	requests     *network.Log
	paints       *paint.Log
	shifts       *shift.Log
	interactions *interaction.Log
	tasks        *task.Log
}

// Parse reads a trace: {"traceEvents": […]} or a bare list, compressed or not. Events that are unknown or malformed are
// passed over. A file that ends early gives what it holds.
func Parse(r io.Reader) (*Trace, error) {
	p := page.New()
	paints := paint.NewLog(p)
	t := &Trace{
		page: p, requests: network.NewLog(p), paints: paints, shifts: shift.NewLog(p, paints),
		interactions: interaction.NewLog(p), tasks: task.NewLog(p),
	}

	truncated, err := event.Read(r, t.add)
	if err != nil {
		return nil, err
	}

	t.truncated = truncated
	t.sort()
	return t, nil
}

// add counts an event, and records what the analysis needs of it.
func (t *Trace) add(e *event.Event) {
	if e.TS > 0 && e.Phase != "M" && !strings.HasSuffix(e.Name, "::UMA") {
		if t.bounds.Min == 0 || e.Start() < t.bounds.Min {
			t.bounds.Min = e.Start()
		}
		t.bounds.Max = max(t.bounds.Max, e.End())
	}

	read := t.reader(e.Name)
	if read == nil {
		return
	}
	if t.recorded >= maxEvents {
		t.full = true
		return
	}
	if read(e) {
		t.recorded++
	}
}

// reader returns what reads an event that the analysis needs; nil for all others.
func (t *Trace) reader(name string) func(*event.Event) bool {
	if read := t.page.Reader(name); read != nil {
		return read
	}
	if read := t.requests.Reader(name); read != nil {
		return read
	}
	if read := t.paints.Reader(name); read != nil {
		return read
	}
	if read := t.shifts.Reader(name); read != nil {
		return read
	}
	if read := t.interactions.Reader(name); read != nil {
		return read
	}
	return t.tasks.Reader(name)
}

// sort puts in order what came in the order of the browser's buffers, and finds navigations whose beginning is missing.
func (t *Trace) sort() {
	if t.page.Started > t.bounds.Min && t.page.Started < t.bounds.Max {
		t.bounds.Min = t.page.Started
	}

	t.page.SortCommits()
	t.paints.EachNavigation(func(id, frame string, pid int) {
		if at, ok := t.requests.Requested(id); ok {
			t.page.Recover(id, frame, pid, at)
		}
	})
	t.page.SortNavigations()
	t.paints.Sort()
	t.shifts.Sort()
	t.interactions.Sort()
	t.tasks.Sort()
}
