package paint

import (
	"time"

	"cove/internal/trace/event"
	"cove/internal/trace/network"
	"cove/internal/trace/page"
)

// LCP is the largest contentful paint: when the largest element of the page was shown.
type LCP struct {
	Time    time.Duration
	Element page.Element
	Image   bool
	// Request is the request of an image; nil for text, and for an image without a request in the trace.
	Request *network.Request
	// Parts add up to Time. They are nil when it is not known how the document was loaded.
	Parts []Part
}

// Part is one part of the time until the largest contentful paint.
type Part struct {
	Name string
	Time time.Duration
}

// LCP returns the largest contentful paint of a navigation, or nil if none was recorded. doc is the load of its
// document and may be nil.
func (l *Log) LCP(n page.Navigation, doc *network.Load, requests *network.Log, b event.Bounds) *LCP {
	var last *candidate
	for i, c := range l.candidates {
		switch {
		case c.navigation != "" && c.navigation != n.ID:
		case c.navigation == "" && (c.frame != n.Frame || !b.Contains(c.at)):
		case c.invalid:
			last = nil
		default:
			last = &l.candidates[i]
		}
	}
	if last == nil || last.at < b.Min {
		return nil
	}
	largest := &LCP{Time: event.Span(b.Min, last.at), Element: page.Element{Name: last.name, Node: last.node.ID},
		Image: last.kind == "image"}
	var load *network.Load
	if largest.Image {
		if load = requests.Image(l.imageURLs[last.node], n, last.at); load != nil {
			request := load.Request(b.Min)
			largest.Request = &request
		}
	}
	largest.Parts = parts(b.Min, doc, load, last.at)
	return largest
}

// parts splits the time until the paint at the document's first byte and, for a loaded image, at the beginning and the
// end of its request.
func parts(start int64, doc, load *network.Load, shown int64) []Part {
	if doc == nil || doc.FirstByte == 0 {
		return nil
	}
	type cut struct {
		name string
		at   int64
	}
	cuts := []cut{{"TTFB", doc.FirstByte}}
	if load != nil && load.End > 0 {
		cuts = append(cuts, cut{"Load delay", load.Began()}, cut{"Load duration", load.End})
	}
	cuts = append(cuts, cut{"Render delay", shown})
	var all []Part
	at := start
	for _, c := range cuts {
		// An image that was preloaded before the first byte, or that still loads when it is shown, must not make a part
		// negative.
		to := min(max(c.at, at), shown)
		all = append(all, Part{c.name, event.Span(at, to)})
		at = to
	}
	return all
}
