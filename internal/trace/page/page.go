// Package page knows which of the frames, documents, threads and elements in a trace are the recorded page's: a trace
// holds all tabs.
package page

import (
	"fmt"
	"slices"
	"sort"

	"cove/internal/trace/event"
	"cove/internal/trace/format"
)

// Page is the recorded page.
type Page struct {
	URL     string // what the page showed when recording began
	Main    string // the frame id of the page; empty when the trace does not name one
	PID     int    // the process that the page started in
	Started int64  // when recording began; what is older was carried into the trace
	Late    bool   // a process joined the recording late

	// Navigations are the documents of the page, in order once the trace is read.
	Navigations []Navigation

	frames  map[string]*Frame
	threads map[event.Thread]bool // the main threads of renderers
	commits []commit
	names   map[event.Node]string
}

// New returns a page of which nothing is known.
func New() *Page {
	return &Page{
		frames: map[string]*Frame{}, threads: map[event.Thread]bool{}, names: map[event.Node]string{},
	}
}

// Frame is one document's position in a page.
type Frame struct {
	ID, Parent, URL string
	First           int64 // when an event named it first
}

// Navigation is the start of a document in the page's main frame.
type Navigation struct {
	At    int64
	ID    string
	Frame string
	PID   int
	URL   string
}

// commit is the moment when a main frame showed another document.
type commit struct {
	at         int64
	frame, url string
}

// Contains reports whether a frame is in the recorded page. Without a named page all frames count.
func (p *Page) Contains(frame string) bool {
	if p.Main == "" || frame == "" {
		return p.Main == ""
	}

	for range 64 { // frames do not nest deeper, and a malformed trace may hold a circle
		if frame == p.Main {
			return true
		}
		known := p.frames[frame]
		if known == nil || known.Parent == "" {
			return false
		}
		frame = known.Parent
	}
	return false
}

// Iframes returns the frames of the page but its main one, in no order.
func (p *Page) Iframes() (all []*Frame) {
	for id, f := range p.frames {
		if f.Parent != "" && id != p.Main && p.Contains(id) {
			all = append(all, f)
		}
	}
	return all
}

// OnMain reports whether a thread is the main thread of a process; pid 0 stands for any process.
func (p *Page) OnMain(thread event.Thread, pid int) bool {
	if pid != 0 && thread.PID != pid {
		return false
	}
	return len(p.threads) == 0 || p.threads[thread]
}

// Recover adds a navigation whose beginning is missing: a new process joins the recording some time after it has begun
// to work. The browser's own process still says when the document was requested (at), and the first paint says its id.
func (p *Page) Recover(id, frame string, pid int, at int64) {
	if p.navigation(id) {
		return
	}

	n := Navigation{At: at, ID: id, Frame: frame, PID: pid}
	for _, c := range p.commits {
		if c.frame == frame && c.at >= n.At && n.URL == "" {
			n.URL = c.url
		}
	}
	p.Late = true
	p.Navigations = append(p.Navigations, n)
}

func (p *Page) navigation(id string) bool {
	return slices.ContainsFunc(p.Navigations, func(n Navigation) bool { return n.ID == id })
}

// SortCommits puts in order what came in the order of the browser's buffers; Recover needs it.
func (p *Page) SortCommits() {
	sort.SliceStable(p.commits, func(i, j int) bool { return p.commits[i].at < p.commits[j].at })
}

// SortNavigations puts the navigations in order and drops those of other tabs: only when the trace is read it is known
// which frame is the page's.
func (p *Page) SortNavigations() {
	p.Navigations = slices.DeleteFunc(p.Navigations,
		func(n Navigation) bool { return p.Main != "" && n.Frame != p.Main })
	sort.SliceStable(p.Navigations, func(i, j int) bool { return p.Navigations[i].At < p.Navigations[j].At })
}

// Element is an element of the page: its name as the browser writes it (IMG id='hero'), and its backend node id.
type Element struct {
	Name string
	Node int
}

// String writes the element for a line of a report.
func (e Element) String() string {
	if e.Name == "" && e.Node == 0 {
		return "unknown element"
	}
	return fmt.Sprintf("%s (nodeId %d)", format.First(format.Clean(e.Name), "unnamed element"), e.Node)
}

// Element returns a node with the name that any event gave it.
func (p *Page) Element(n event.Node) Element { return Element{p.names[n], n.ID} }

// Name records how an event calls an element.
func (p *Page) Name(n event.Node, name string) {
	if name != "" && n.ID != 0 {
		p.names[n] = name
	}
}
