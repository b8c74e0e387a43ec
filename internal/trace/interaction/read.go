// Package interaction reads the clicks, taps and key presses of a trace, and how long a person waited for their
// effects.
package interaction

import (
	"sort"

	"cove/internal/trace/event"
	"cove/internal/trace/page"
)

// Log has the interactions of a trace.
type Log struct {
	page   *page.Page
	inputs []input
}

// NewLog returns a log without interactions.
func NewLog(p *page.Page) *Log { return &Log{page: p} }

// Reader returns the function that reads events of this name about interactions, or nil for others.
func (l *Log) Reader(name string) func(*event.Event) bool {
	if name == "EventTiming" {
		return l.readInput
	}
	return nil
}

// Sort sorts the events by time, because they come in the order of the browser's buffers.
func (l *Log) Sort() {
	sort.SliceStable(l.inputs, func(i, j int) bool { return l.inputs[i].at < l.inputs[j].at })
}

// input is one event of an interaction, with its times.
type input struct {
	at, processed, done, end int64 // when it came, its handlers began, they ended, the next frame was shown
	interaction              int
	frame                    string
	kind                     string
	node                     event.Node
}

func (l *Log) readInput(e *event.Event) bool {
	var a struct {
		Data struct {
			Interaction int     `json:"interactionId"`
			Frame       string  `json:"frame"`
			Kind        string  `json:"type"`
			Node        int     `json:"nodeId"`
			Stamp       float64 `json:"timeStamp"`
			Start       float64 `json:"processingStart"`
			End         float64 `json:"processingEnd"`
			Duration    float64 `json:"duration"`
		}
	}
	// The first event of a pair has all times. An event without an interaction is a mouse move or the like.
	if e.Phase != "b" || !e.Decode(&a) || a.Data.Interaction == 0 {
		return false
	}
	from := e.Start()
	after := func(ms float64) int64 { return from + int64(max(ms, 0)*1e3) }
	i := input{
		at: from, processed: after(a.Data.Start - a.Data.Stamp), done: after(a.Data.End - a.Data.Stamp),
		end:         after(a.Data.Duration),
		interaction: a.Data.Interaction, frame: a.Data.Frame, kind: a.Data.Kind, node: e.Node(a.Data.Node),
	}
	i.done = max(i.done, i.processed)
	i.end = max(i.end, i.done)
	l.inputs = append(l.inputs, i)
	return true
}
