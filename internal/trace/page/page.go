// Package page knows which frames, documents, threads and elements in a trace belong to the recorded page. A trace has
// events of all tabs.
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
	URL     string // the address that the page showed when recording began
	Main    string // the id of the page's main frame; empty when the trace does not name one
	PID     int    // the process that the page started in
	Started int64  // when recording began; the trace may have older events
	Late    bool   // a process joined the recording late, so events are missing

	// Navigations has the documents of the page. It is complete and sorted once the trace is read.
	Navigations []Navigation

	frames  map[string]*Frame
	threads map[event.Thread]bool // the main threads of renderers
	commits []commit
	names   map[event.Node]string
}

// New returns a page that nothing is known about yet.
func New() *Page {
	return &Page{
		frames: map[string]*Frame{}, threads: map[event.Thread]bool{}, names: map[event.Node]string{},
	}
}

// Frame is one frame of a page.
type Frame struct {
	ID, Parent, URL string
	First           int64 // the time of the first event that names it
}

// Navigation is the start of a document in the page's main frame.
type Navigation struct {
	At    int64
	ID    string
	Frame string
	PID   int
	URL   string
}

// commit records that a main frame showed another document.
type commit struct {
	at         int64
	frame, url string
}

// Contains reports whether a frame is in the recorded page. When the trace does not name the page, all frames count.
func (p *Page) Contains(frame string) bool {
	if p.Main == "" || frame == "" {
		return p.Main == ""
	}

	for range 64 { // frames do not nest deeper, and a malformed trace may have a circle
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

// Iframes returns all frames of the page except the main one, in no particular order.
func (p *Page) Iframes() (all []*Frame) {
	for id, f := range p.frames {
		if f.Parent != "" && id != p.Main && p.Contains(id) {
			all = append(all, f)
		}
	}
	return all
}

// OnMain reports whether a thread is the main thread of the process pid, or of any process when pid is 0.
func (p *Page) OnMain(thread event.Thread, pid int) bool {
	if pid != 0 && thread.PID != pid {
		return false
	}
	return len(p.threads) == 0 || p.threads[thread]
}

// Recover adds a navigation whose beginning is missing, because a new process joins the recording some time after it
// has begun to work. The browser's own process still reports when the document was requested (at), and the first paint
// reports its id.
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

// SortCommits sorts the commits by time. Call it before Recover.
func (p *Page) SortCommits() {
	sort.SliceStable(p.commits, func(i, j int) bool { return p.commits[i].at < p.commits[j].at })
}

// SortNavigations sorts the navigations by time and drops those of other tabs. Only when the whole trace is read is it
// known which frame is the page's.
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

// Element returns a node with the name that an event gave it.
func (p *Page) Element(n event.Node) Element { return Element{p.names[n], n.ID} }

// Name records the name that an event gives an element.
func (p *Page) Name(n event.Node, name string) {
	if name != "" && n.ID != 0 {
		p.names[n] = name
	}
}
