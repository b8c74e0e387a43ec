package trace

import (
	"fmt"

	"cove/internal/trace/event"
	"cove/internal/trace/page"
	"cove/internal/trace/report"
)

// Analyze works out the report on the trace.
func (t *Trace) Analyze() report.Report {
	r := report.Report{URL: t.page.URL, Bounds: t.bounds, Incomplete: t.incomplete()}
	navigations := t.page.Navigations

	before := t.bounds
	if len(navigations) > 0 {
		before.Max = navigations[0].At
	}
	start := page.Navigation{PID: t.page.PID, URL: t.page.URL, At: before.Min, Frame: t.page.Main}
	// The time before the first navigation is reported only when something happened in it.
	if s := t.set("NO_NAVIGATION", start, before.Max); len(navigations) == 0 || s.HasFindings() {
		r.Sets = append(r.Sets, s)
	}

	for i, n := range navigations {
		to := t.bounds.Max
		if i+1 < len(navigations) {
			to = navigations[i+1].At
		}
		s := t.set(fmt.Sprintf("NAVIGATION_%d", i), n, to)
		r.Sets = append(r.Sets, s)
		r.URL = s.URL
	}
	return r
}

// incomplete says why a part of the trace is missing from the report; "" when none is.
func (t *Trace) incomplete() string {
	switch {
	case t.truncated:
		return "the file ends early"
	case t.full || t.tasks.Full:
		return "the trace is too large to be read whole; record a shorter one"
	case t.page.Late:
		return "a page came in a new process, whose first moments the browser did not record; " +
			"load it again while recording to see all"
	}
	return ""
}

// set works out the part of the report that belongs to one document, from the navigation n to the moment to.
func (t *Trace) set(id string, n page.Navigation, to int64) report.Set {
	b := event.Bounds{Min: n.At, Max: max(to, n.At)}
	s := report.Set{ID: id, URL: n.URL, Bounds: b, CLS: t.shifts.CLS(b), INP: t.interactions.INP(b)}
	s.Tasks, s.TBT = t.tasks.Long(n.PID, b)
	s.Requests, s.Bytes = t.requests.Traffic(b)
	if n.ID == "" {
		return s
	}

	doc := t.requests.Document(n.ID)
	if doc != nil {
		s.URL = doc.URL
		s.Document = doc.Latency(b.Min)
	}
	painted := t.paints.Contentful(n.ID)
	if painted > b.Min {
		s.FCP = event.Span(b.Min, painted)
	}
	s.LCP = t.paints.LCP(n, doc, t.requests, b)
	s.Blocking = t.requests.Blockers(n, b, painted)
	return s
}
