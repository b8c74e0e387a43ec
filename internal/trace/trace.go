// Package trace reads a performance trace of Chromium and says what was slow. Below it, each subject (network, paint,
// shift, interaction, task) has a package that reads its events and works out its findings. Package report writes the
// findings.
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

// Categories lists the only categories to record (includedCategories of a trace's configuration). The analysis needs
// some of them. The others make the saved file useful in the Performance panel of DevTools, with script samples and
// frames. The sampling is the coarse one, which disturbs the page less.
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

// Trace has the events of a recorded trace that the analysis needs. Parse makes it; after that it does not change.
type Trace struct {
	truncated bool // the file ends early
	full      bool // the trace has more than maxEvents that we need
	recorded  int
	bounds    event.Bounds

	page         *page.Page
	requests     *network.Log
	paints       *paint.Log
	shifts       *shift.Log
	interactions *interaction.Log
	tasks        *task.Log
}

// Parse reads a trace: {"traceEvents": […]} or a bare list, compressed or not. It passes over events that are unknown
// or malformed. Of a file that ends early it reads what is there.
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

// add extends the bounds of the trace by an event, and records the event if the analysis needs it.
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

// reader returns the function that reads events of this name, or nil when the analysis does not need them.
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

// sort sorts the events by time, because they come in the order of the browser's buffers. It also finds navigations
// whose beginning is missing.
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
