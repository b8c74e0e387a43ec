package trace

import "time"

// LCP is the largest contentful paint: when the largest element of the page was shown.
type LCP struct {
	Time    time.Duration
	Element Element
	Image   bool
	// Request is what an image was loaded with; nil for text, and for an image that needed none.
	Request *Request
	// Parts add up to Time; nil when it is not known how the document came.
	Parts []Part
}

// Part is one stretch of the way to the largest contentful paint.
type Part struct {
	Name string
	Time time.Duration
}

func (t *Trace) lcp(n navigation, doc *request, b Bounds) *LCP {
	var last *candidate
	for i, c := range t.candidates {
		switch {
		case c.navigation != "" && c.navigation != n.id:
		case c.navigation == "" && (c.frame != n.frame || !b.contains(c.at)):
		case c.invalid:
			last = nil
		default:
			last = &t.candidates[i]
		}
	}
	if last == nil || last.at < b.Min {
		return nil
	}
	l := &LCP{Time: span(b.Min, last.at), Element: Element{last.name, last.node.id}, Image: last.kind == "image"}
	var load *request
	if l.Image {
		if load = t.imageRequest(t.imageURLs[last.node], n, last.at); load != nil {
			l.Request = ptr(outward(load, b.Min))
		}
	}
	l.Parts = parts(b.Min, doc, load, last.at)
	return l
}

// imageRequest returns the newest request for an image that was sent before it was shown.
func (t *Trace) imageRequest(url string, n navigation, shown int64) (found *request) {
	if url == "" {
		return nil
	}
	for _, r := range t.requests {
		if r.url == url && r.frame == n.frame && r.began() >= n.at && r.began() <= shown &&
			(found == nil || r.began() > found.began()) {
			found = r
		}
	}
	return found
}

// parts splits the time to the paint at the document's first byte and, for a loaded image, at its request's two ends.
func parts(start int64, doc, load *request, shown int64) []Part {
	if doc == nil || doc.firstByte == 0 {
		return nil
	}
	type cut struct {
		name string
		at   int64
	}
	cuts := []cut{{"TTFB", doc.firstByte}}
	if load != nil && load.end > 0 {
		cuts = append(cuts, cut{"Load delay", load.began()}, cut{"Load duration", load.end})
	}
	cuts = append(cuts, cut{"Render delay", shown})
	var all []Part
	at := start
	for _, c := range cuts {
		// What was preloaded before the first byte, or still loads when it is shown, must not make a part negative.
		to := min(max(c.at, at), shown)
		all = append(all, Part{c.name, span(at, to)})
		at = to
	}
	return all
}

func ptr[T any](v T) *T { return &v }
