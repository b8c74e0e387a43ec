// Package paint reads the paints of a trace: the first and the largest contentful paint, and images.
package paint

import (
	"sort"

	"cove/internal/trace/event"
	"cove/internal/trace/page"
)

// Log has the paints of a trace.
type Log struct {
	page       *page.Page
	contentful map[string]int64 // the first contentful paint, by navigation
	candidates []candidate
	imageURLs  map[event.Node]string
	unsized    map[event.Node]int64
	painted    map[event.Node]int64 // when an image was first painted
}

// NewLog returns a log without paints.
func NewLog(p *page.Page) *Log {
	return &Log{
		page: p, contentful: map[string]int64{}, imageURLs: map[event.Node]string{},
		unsized: map[event.Node]int64{}, painted: map[event.Node]int64{},
	}
}

// Reader returns the function that reads events of this name about paints, or nil for others.
func (l *Log) Reader(name string) func(*event.Event) bool {
	switch name {
	case "firstContentfulPaint":
		return l.readContentful
	case "largestContentfulPaint::Candidate", "largestContentfulPaint::Invalidate":
		return l.readCandidate
	case "LargestImagePaint::Candidate":
		return l.readImageCandidate
	case "PaintImage":
		return l.readPaintImage
	case "LayoutImageUnsized":
		return l.readUnsized
	}
	return nil
}

// Sort sorts the candidates by time, because they come in the order of the browser's buffers.
func (l *Log) Sort() {
	sort.SliceStable(l.candidates, func(i, j int) bool {
		a, b := l.candidates[i], l.candidates[j]
		return a.at < b.at || (a.at == b.at && a.index < b.index)
	})
}

// Contentful returns the time of the first contentful paint of a navigation, or 0 if there was none.
func (l *Log) Contentful(navigation string) int64 { return l.contentful[navigation] }

// EachNavigation calls f with the navigation of each candidate for the largest contentful paint. It may do so several
// times for one navigation.
func (l *Log) EachNavigation(f func(id, frame string, pid int)) {
	for _, c := range l.candidates {
		f(c.navigation, c.frame, c.node.PID)
	}
}

// UnsizedImages returns the images without width and height that a process first painted between two moments, in no
// particular order.
func (l *Log) UnsizedImages(pid int, from, to int64) (all []event.Node) {
	for n := range l.unsized {
		if at, ok := l.painted[n]; ok && n.PID == pid && at >= from && at < to {
			all = append(all, n)
		}
	}
	return all
}

// ImageURL returns the address of the image that an element shows.
func (l *Log) ImageURL(n event.Node) string { return l.imageURLs[n] }

func (l *Log) readContentful(e *event.Event) bool {
	var a struct {
		Data struct {
			ID string `json:"navigationId"`
		}
	}
	if !e.Decode(&a) || a.Data.ID == "" {
		return false
	}

	l.contentful[a.Data.ID] = e.Start()
	return true
}

// candidate is an element that was the largest so far. With invalid it says that there is no such element any more.
type candidate struct {
	at         int64
	invalid    bool
	index      int
	navigation string
	frame      string
	node       event.Node
	name, kind string
}

func (l *Log) readCandidate(e *event.Event) bool {
	var a struct {
		Frame string
		Data  struct {
			Index      int    `json:"candidateIndex"`
			Navigation string `json:"navigationId"`
			Node       int    `json:"nodeId"`
			Name       string `json:"nodeName"`
			Kind       string `json:"type"`
			Outermost  *bool  `json:"isOutermostMainFrame"`
			Main       *bool  `json:"isMainFrame"`
		}
	}
	if !e.Decode(&a) {
		return false
	}
	for _, no := range []*bool{a.Data.Main, a.Data.Outermost} {
		if no != nil && !*no {
			return false
		}
	}
	n := e.Node(a.Data.Node)
	l.page.Name(n, a.Data.Name)
	l.candidates = append(l.candidates, candidate{
		at: e.Start(), invalid: e.Name == "largestContentfulPaint::Invalidate", index: a.Data.Index,
		navigation: a.Data.Navigation, frame: a.Frame, node: n, name: a.Data.Name, kind: a.Data.Kind,
	})
	return true
}

func (l *Log) readImageCandidate(e *event.Event) bool {
	var a struct {
		Data struct {
			Node int    `json:"DOMNodeId"`
			Name string `json:"nodeName"`
			URL  string `json:"imageUrl"`
		}
	}
	if !e.Decode(&a) || a.Data.Node == 0 {
		return false
	}
	n := e.Node(a.Data.Node)
	l.page.Name(n, a.Data.Name)
	l.imageURLs[n] = a.Data.URL
	return true
}

func (l *Log) readPaintImage(e *event.Event) bool {
	var a struct {
		Data struct {
			Node int    `json:"nodeId"`
			Name string `json:"nodeName"`
			URL  string `json:"url"`
		}
	}
	if !e.Decode(&a) || a.Data.Node == 0 {
		return false
	}
	n := e.Node(a.Data.Node)
	l.page.Name(n, a.Data.Name)
	if l.imageURLs[n] == "" {
		l.imageURLs[n] = a.Data.URL
	}
	first, again := l.painted[n]
	if !again || e.Start() < first {
		l.painted[n] = e.Start()
	}
	return !again
}

func (l *Log) readUnsized(e *event.Event) bool {
	var a struct {
		Data struct {
			Node int `json:"nodeId"`
		}
	}
	if !e.Decode(&a) || a.Data.Node == 0 {
		return false
	}
	n := e.Node(a.Data.Node)
	if _, again := l.unsized[n]; again {
		return false
	}
	l.unsized[n] = e.Start()
	return true
}
