// Package shift reads the layout shifts of a trace, works out their score and looks for their causes.
package shift

import (
	"slices"
	"sort"
	"strings"

	"cove/internal/trace/event"
	"cove/internal/trace/format"
	"cove/internal/trace/page"
	"cove/internal/trace/paint"
)

// Log has the layout shifts of a trace and the events that may have caused them.
type Log struct {
	page   *page.Page
	paints *paint.Log

	shifts     []shift
	fonts      []font
	animations []*animation
	running    map[animationKey]*animation
	restyles   []restyle
}

// NewLog returns a log without shifts.
func NewLog(p *page.Page, paints *paint.Log) *Log {
	return &Log{page: p, paints: paints, running: map[animationKey]*animation{}}
}

// Reader returns the function that reads events of this name about shifts and their possible causes, or nil for others.
func (l *Log) Reader(name string) func(*event.Event) bool {
	switch name {
	case "LayoutShift":
		return l.readShift
	case "RemoteFontLoaded":
		return l.readFont
	case "Animation":
		return l.readAnimation
	case "ScheduleStyleRecalculation":
		return l.readRestyle
	}
	return nil
}

// Sort sorts the events by time, because they come in the order of the browser's buffers.
func (l *Log) Sort() {
	sort.SliceStable(l.shifts, func(i, j int) bool { return l.shifts[i].at < l.shifts[j].at })
	sort.SliceStable(l.restyles, func(i, j int) bool { return l.restyles[i].at < l.restyles[j].at })
}

// shift is one layout shift.
type shift struct {
	at    int64
	frame string
	pid   int
	score float64
	input bool
	nodes []event.Node
}

func (l *Log) readShift(e *event.Event) bool {
	var a struct {
		Frame string
		Data  struct {
			Score    float64  `json:"score"`
			Weighted *float64 `json:"weighted_score_delta"`
			Input    bool     `json:"had_recent_input"`
			Nodes    []struct {
				ID   int    `json:"node_id"`
				Name string `json:"debug_name"`
			} `json:"impacted_nodes"`
		}
	}
	if !e.Decode(&a) {
		return false
	}
	s := shift{at: e.Start(), frame: a.Frame, pid: e.PID, score: a.Data.Score, input: a.Data.Input}
	if a.Data.Weighted != nil { // a shift in an iframe counts by the iframe's share of the page
		s.score = *a.Data.Weighted
	}
	for _, n := range a.Data.Nodes {
		l.page.Name(e.Node(n.ID), n.Name)
		s.nodes = append(s.nodes, e.Node(n.ID))
	}
	l.shifts = append(l.shifts, s)
	return true
}

// font is a web font that became usable.
type font struct {
	at  int64
	pid int
	url string
}

func (l *Log) readFont(e *event.Event) bool {
	var a struct {
		URL  string
		Name string
		Data struct{ URL string }
	}
	if !e.Decode(&a) {
		return false
	}
	l.fonts = append(l.fonts, font{e.Start(), e.PID, format.First(a.URL, a.Data.URL, a.Name)})
	return true
}

type animationKey struct {
	pid int
	id  string
}

// animation is one run of an animation, with the properties that the compositor could not animate on its own.
type animation struct {
	from, to   int64
	node       event.Node
	name       string
	properties []string
}

func (l *Log) readAnimation(e *event.Event) bool {
	var a struct {
		Data struct {
			Node    int      `json:"nodeId"`
			Name    string   `json:"nodeName"`
			Display string   `json:"displayName"`
			Bad     []string `json:"unsupportedProperties"`
		}
	}
	_ = e.Decode(&a)
	key := animationKey{e.PID, e.Key()}
	known := l.running[key]
	switch e.Phase {
	case "b":
		n := e.Node(a.Data.Node)
		l.page.Name(n, a.Data.Name)
		l.running[key] = &animation{from: e.Start(), node: n, name: a.Data.Display}
		l.animations = append(l.animations, l.running[key])
		return true
	case "n":
		if known != nil && len(a.Data.Bad) > 0 {
			known.properties = a.Data.Bad
		}
	case "e":
		if known != nil {
			known.to = e.Start()
			delete(l.running, key) // the browser uses its number again
		}
	}
	return false
}

// movers are parts of the names of CSS properties that move or resize other elements around an element.
var movers = []string{
	"width",
	"height",
	"top",
	"left",
	"right",
	"bottom",
	"margin",
	"padding",
	"inset",
	"border",
	"font",
	"line-height",
	"gap",
	"flex",
	"grid",
	"spacing",
	"block-size",
	"inline-size",
}

func (a *animation) moves() []string {
	var moving []string
	for _, p := range a.properties {
		if slices.ContainsFunc(movers, func(m string) bool { return strings.Contains(p, m) }) &&
			!strings.Contains(p, "color") {
			moving = append(moving, p)
		}
	}
	return moving
}

// restyle is a change of the page by a script, after which styles are calculated anew.
type restyle struct {
	at    int64
	pid   int
	frame string
	where event.Location
}

func (l *Log) readRestyle(e *event.Event) bool {
	var a struct {
		Data struct {
			Frame string
			Stack []struct {
				Function string `json:"functionName"`
				URL      string `json:"url"`
				Lineno   int    `json:"lineNumber"`
			} `json:"stackTrace"`
		}
	}
	if !e.Decode(&a) {
		return false
	}
	l.page.SawFrame(a.Data.Frame, e.Start())
	if len(a.Data.Stack) == 0 {
		return false
	}
	top := a.Data.Stack[0]
	where := event.Location{Function: top.Function, URL: top.URL, Lineno: top.Lineno}
	l.restyles = append(l.restyles, restyle{e.Start(), e.PID, a.Data.Frame, where})
	return true
}
