package trace

import (
	"slices"
	"strings"
)

// shift is one layout shift.
type shift struct {
	at    int64
	frame string
	pid   int
	score float64
	input bool
	nodes []node
}

func (t *Trace) readShift(e *event) bool {
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
	if !e.into(&a) {
		return false
	}
	s := shift{at: e.at(), frame: a.Frame, pid: e.PID, score: a.Data.Score, input: a.Data.Input}
	if a.Data.Weighted != nil { // what an iframe moves counts by its part of the page
		s.score = *a.Data.Weighted
	}
	for _, n := range a.Data.Nodes {
		t.name(node{e.PID, n.ID}, n.Name)
		s.nodes = append(s.nodes, node{e.PID, n.ID})
	}
	t.shifts = append(t.shifts, s)
	return true
}

// font is a web font that became usable.
type font struct {
	at  int64
	pid int
	url string
}

func (t *Trace) readFont(e *event) bool {
	var a struct {
		URL  string
		Name string
		Data struct{ URL string }
	}
	if !e.into(&a) {
		return false
	}
	t.fonts = append(t.fonts, font{e.at(), e.PID, first(a.URL, a.Data.URL, a.Name)})
	return true
}

type animationKey struct {
	pid int
	id  string
}

// animation is one run of an animation, with the properties that the compositor could not animate by itself.
type animation struct {
	from, to   int64
	node       node
	name       string
	properties []string
}

func (t *Trace) readAnimation(e *event) bool {
	var a struct {
		Data struct {
			Node    int      `json:"nodeId"`
			Name    string   `json:"nodeName"`
			Display string   `json:"displayName"`
			Bad     []string `json:"unsupportedProperties"`
		}
	}
	_ = e.into(&a)
	key := animationKey{e.PID, e.id()}
	known := t.running[key]
	switch e.Phase {
	case "b":
		n := node{e.PID, a.Data.Node}
		t.name(n, a.Data.Name)
		t.running[key] = &animation{from: e.at(), node: n, name: a.Data.Display}
		t.animations = append(t.animations, t.running[key])
		return true
	case "n":
		if known != nil && len(a.Data.Bad) > 0 {
			known.properties = a.Data.Bad
		}
	case "e":
		if known != nil {
			known.to = e.at()
			delete(t.running, key) // numbers are used again
		}
	}
	return false
}

// movers are the parts of names of properties that move or resize what is around an element.
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

// restyle is a script's change to the page that needs new styles.
type restyle struct {
	at    int64
	pid   int
	frame string
	where Location
}

func (t *Trace) readRestyle(e *event) bool {
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
	if !e.into(&a) {
		return false
	}
	f, known := t.frames[a.Data.Frame]
	if !known || e.at() < f.first { // an iframe is in the page some time before it is committed
		t.meet(frameArgs{Frame: a.Data.Frame}, e.at())
	}
	if len(a.Data.Stack) == 0 {
		return false
	}
	top := a.Data.Stack[0]
	t.restyles = append(t.restyles, restyle{e.at(), e.PID, a.Data.Frame, Location{top.Function, top.URL, top.Lineno}})
	return true
}

// first is the first text that is not empty.
func first(texts ...string) string {
	for _, s := range texts {
		if s != "" {
			return s
		}
	}
	return ""
}
