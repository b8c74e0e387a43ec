package trace

import (
	"fmt"
	"strings"
	"time"
)

// Report says what was slow, for each navigation of the page.
type Report struct {
	URL    string
	Bounds Bounds
	Sets   []Set
	// Incomplete says why a part of the trace is missing from the report; empty when none is.
	Incomplete string
	// CPUThrottling and NetworkThrottling are what the page was slowed by, when the caller knows; they are only repeated.
	CPUThrottling, NetworkThrottling string
}

// Set is the part of a trace that belongs to one document. Times of what is in it count from its beginning.
type Set struct {
	ID       string
	URL      string
	Bounds   Bounds
	FCP      time.Duration // 0 without one
	LCP      *LCP
	CLS      CLS
	INP      *Interaction
	Blocking []Request
	Tasks    []Task
	// TBT is the sum of what each long task is longer than 50 ms.
	TBT      time.Duration
	Document *Document
	Requests int
	Bytes    int64
}

// Element is an element of the page: its name as the browser writes it (IMG id='hero'), and its backend node id.
type Element struct {
	Name string
	Node int
}

// Analyze works out the report.
func (t *Trace) Analyze() Report {
	r := Report{URL: t.pageURL, Bounds: t.bounds}
	switch {
	case t.truncated:
		r.Incomplete = "the file ends early"
	case t.full:
		r.Incomplete = "the trace is too large to be read whole; record a shorter one"
	case t.late:
		r.Incomplete = "a page came in a new process, whose first moments the browser did not record; " +
			"load it again while recording to see all"
	}
	before := t.bounds
	if len(t.navigations) > 0 {
		before.Max = t.navigations[0].at
	}
	// What was before the first navigation is reported only when there is something to report.
	if s := t.set("NO_NAVIGATION", navigation{pid: t.pid, url: t.pageURL, at: before.Min, frame: t.main}, before.Max); len(
		t.navigations,
	) == 0 ||
		s.hasFindings() {
		r.Sets = append(r.Sets, s)
	}
	for i, n := range t.navigations {
		to := t.bounds.Max
		if i+1 < len(t.navigations) {
			to = t.navigations[i+1].at
		}
		s := t.set(fmt.Sprintf("NAVIGATION_%d", i), n, to)
		r.Sets = append(r.Sets, s)
		r.URL = s.URL
	}
	return r
}

func (t *Trace) set(id string, n navigation, to int64) Set {
	b := Bounds{n.at, max(to, n.at)}
	s := Set{ID: id, URL: n.url, Bounds: b, CLS: t.cls(b), INP: t.inp(b)}
	s.Tasks, s.TBT = t.longTasks(n.pid, b)
	s.Requests, s.Bytes = t.traffic(b)
	if n.id == "" {
		return s
	}
	doc := t.document(n.id)
	if doc != nil {
		s.URL = doc.url
		s.Document = latency(doc, b.Min)
	}
	if at := t.paints[n.id]; at > b.Min {
		s.FCP = span(b.Min, at)
	}
	s.LCP = t.lcp(n, doc, b)
	s.Blocking = t.blockers(n, b)
	return s
}

// hasFindings reports whether a person did something or something happened in the set.
func (s Set) hasFindings() bool { return s.INP != nil || len(s.CLS.Shifts) > 0 || len(s.Tasks) > 0 }

// span is the time between two moments of the browser's clock.
func span(from, to int64) time.Duration { return time.Duration(max(to-from, 0)) * time.Microsecond }

// element names a node by what any event said of it.
func (t *Trace) element(n node) Element { return Element{t.names[n], n.id} }

// Insight returns all that is known of one finding of one set.
func (r Report) Insight(setID, name string) (string, error) {
	var ids []string
	for _, s := range r.Sets {
		if s.ID != setID {
			ids = append(ids, s.ID)
			continue
		}
		var names []string
		for _, i := range insights {
			if i.name == name {
				return i.explain(s), nil
			}
			names = append(names, i.name)
		}
		return "", fmt.Errorf("there is no insight %q: use one of %s", name, strings.Join(names, ", "))
	}
	return "", fmt.Errorf("there is no insight set %q in this trace: use one of %s", setID, strings.Join(ids, ", "))
}
