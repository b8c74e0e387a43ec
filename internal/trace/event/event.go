// Package event reads the events of a performance trace from its file, one at a time.
package event

import (
	"encoding/json"
	"fmt"
	"time"

	"cove/internal/trace/format"
)

// Event is one entry of a trace. Times are microseconds.
type Event struct {
	Name  string          `json:"name"`
	Phase string          `json:"ph"`
	TS    float64         `json:"ts"`
	Dur   float64         `json:"dur"`
	PID   int             `json:"pid"`
	TID   int             `json:"tid"`
	ID    json.RawMessage `json:"id"`
	ID2   struct {
		Local  string `json:"local"`
		Global string `json:"global"`
	} `json:"id2"`
	Args json.RawMessage `json:"args"`
}

// Start returns when the event began.
func (e *Event) Start() int64 { return int64(e.TS) }

// End returns when the event ended.
func (e *Event) End() int64 { return int64(e.TS + e.Dur) }

// Key returns the id that all events of one animation or one profile share within a process.
func (e *Event) Key() string { return string(e.ID) + e.ID2.Local + e.ID2.Global }

// Thread returns the thread that the event happened on.
func (e *Event) Thread() Thread { return Thread{e.PID, e.TID} }

// Node returns the element with this number in the event's process.
func (e *Event) Node(id int) Node { return Node{e.PID, id} }

// Decode reads the event's arguments. It reports false when they are missing or do not fit args.
func (e *Event) Decode(args any) bool { return len(e.Args) > 0 && json.Unmarshal(e.Args, args) == nil }

// Thread is one thread of one process.
type Thread struct{ PID, TID int }

// Node identifies an element by its renderer process and its number there.
type Node struct{ PID, ID int }

// Bounds is a span of a trace in the browser's own clock, in microseconds.
type Bounds struct{ Min, Max int64 }

// Contains reports whether a moment is in the bounds.
func (b Bounds) Contains(at int64) bool { return at >= b.Min && at <= b.Max }

// String writes the bounds as DevTools does.
func (b Bounds) String() string { return fmt.Sprintf("{min: %dµs, max: %dµs}", b.Min, b.Max) }

// Span returns the time between two moments of the browser's clock.
func Span(from, to int64) time.Duration { return time.Duration(max(to-from, 0)) * time.Microsecond }

// Location is a position in a script. Lines count from 1; 0 is unknown.
type Location struct {
	Function string
	URL      string
	Lineno   int
}

// String writes the location as "function at address:number".
func (l Location) String() string {
	if l.URL == "" && l.Function == "" {
		return "unknown"
	}

	text := format.Clean(l.URL)
	if l.Lineno > 0 {
		text += fmt.Sprintf(":%d", l.Lineno)
	}
	if l.Function != "" {
		text = format.Clean(l.Function) + " at " + text
	}
	return text
}
