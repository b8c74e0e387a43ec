package shift

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"cove/internal/trace/event"
	"cove/internal/trace/format"
	"cove/internal/trace/page"
)

// A session window of layout shifts ends after a second without one, and after five seconds at the latest.
const (
	windowGap  = 1_000_000
	windowSpan = 5_000_000
)

// CLS is the cumulative layout shift: the score of the worst session window.
type CLS struct {
	Score  float64
	Window time.Duration // when the worst window began
	Shifts []Shift       // those of the worst window
	Others int           // how many more there were outside it
}

// Shift is one layout shift with its probable causes.
type Shift struct {
	Time     time.Duration
	Score    float64
	Elements []page.Element
	Culprits []string
}

// CLS returns the cumulative layout shift of a part of the trace.
func (l *Log) CLS(b event.Bounds) CLS {
	var windows [][]shift
	total := 0
	for _, s := range l.shifts {
		// A person expects a shift after an action of their own.
		if s.input || s.score <= 0 || !b.Contains(s.at) || !l.page.Contains(s.frame) {
			continue
		}
		total++
		if n := len(windows); n > 0 {
			w := windows[n-1]
			if s.at-w[len(w)-1].at < windowGap && s.at-w[0].at < windowSpan {
				windows[n-1] = append(w, s)
				continue
			}
		}
		windows = append(windows, []shift{s})
	}
	var c CLS
	var worst []shift
	for _, w := range windows {
		score := 0.0
		for _, s := range w {
			score += s.score
		}
		if score > c.Score {
			c.Score, worst = score, w
		}
	}
	if len(worst) == 0 {
		return c
	}
	c.Window, c.Others = event.Span(b.Min, worst[0].at), total-len(worst)
	before := b.Min
	for _, s := range worst {
		out := Shift{Time: event.Span(b.Min, s.at), Score: s.score, Culprits: l.culprits(s, before)}
		for _, n := range s.nodes {
			out.Elements = append(out.Elements, l.page.Element(n))
		}
		c.Shifts = append(c.Shifts, out)
		before = s.at
	}
	return c
}

// These limits say how far a cause may be from the shift that it makes, in microseconds. An image is painted in the
// frame that shifts. A font, an iframe or a script takes effect some frames later.
const (
	frameReach  = 10_000
	paintReach  = 100_000
	causeReach  = 500_000
	scriptReach = 100_000
)

// culprits returns the likely causes of a shift, the likeliest kind first. before is the time of the shift before it.
func (l *Log) culprits(s shift, before int64) []string {
	var all []string
	for _, n := range l.paints.UnsizedImages(s.pid, s.at-frameReach, s.at+paintReach) {
		all = append(all, fmt.Sprintf(
			"image without width and height: %s (nodeId %d) %s",
			format.Clean(l.page.Element(n).Name), n.ID, format.Clean(l.paints.ImageURL(n)),
		))
	}
	sort.Strings(all)
	for _, a := range l.animations {
		if moving := a.moves(); a.node.PID == s.pid && len(moving) > 0 && a.from <= s.at &&
			(a.to == 0 || a.to >= s.at) {
			all = append(
				all,
				fmt.Sprintf(
					"animation of %s: %s on %s (nodeId %d)",
					format.Clean(strings.Join(moving, ", ")),
					format.Clean(format.First(a.name, "unnamed")),
					format.Clean(l.page.Element(a.node).Name),
					a.node.ID,
				),
			)
		}
	}
	recent := func(at int64) bool { return at > max(before, s.at-causeReach) && at <= s.at }
	var frames, fonts []string
	for _, f := range l.page.Iframes() {
		if recent(f.First) {
			frames = append(frames, "iframe added: "+format.Clean(f.URL))
		}
	}
	for _, f := range l.fonts {
		if f.pid == s.pid && recent(f.at) {
			fonts = append(fonts, "web font arrived: "+format.Clean(f.url))
		}
	}
	sort.Strings(frames)
	sort.Strings(fonts)
	all = append(append(all, frames...), fonts...)
	for i := len(l.restyles) - 1; i >= 0; i-- {
		if r := l.restyles[i]; r.pid == s.pid && r.frame == s.frame && recent(r.at) && r.at > s.at-scriptReach {
			all = append(all, "content changed by a script: "+r.where.String())
			break
		}
	}
	return all
}
