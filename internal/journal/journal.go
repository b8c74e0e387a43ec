// Package journal keeps what agents did: one line for each step, each bound to the one before it by its hash.
package journal

import (
	"encoding/json"
	"time"

	"cove/internal/policy"
)

// Entry is one step of one agent.
type Entry struct {
	Time  time.Time
	Agent policy.Agent
	// Name is the tool, the protocol's method, or what happened: connected, disconnected, takeover, ….
	Name string
	// Args has no secrets in it. What is longer than a few kilobytes is cut.
	Args json.RawMessage
	// Page is the address of the page that it was about.
	Page string
	// Outcome is OK, Failed or Refused; Error is the sentence.
	Outcome string
	Error   string
	Took    time.Duration
	// Picture is a JPEG of the page after an acting step; it is kept in a file of its own.
	Picture []byte
}

// Outcomes of a step.
const (
	OK      = "ok"
	Failed  = "error"
	Refused = "refused"
)

// Keeper is the kind of the agent that the profile's own keeper is.
const Keeper policy.Kind = "keeper"

// What the journal says of itself.
const (
	// Gap: what was there before had been changed or cut while no keeper had it. It is never written for any other reason.
	Gap = "gap"
	// Recovered: a line that a killed keeper had not written to its end was taken out.
	Recovered = "recovered"
	// Lost: entries that the disk had no room for.
	Lost = "lost"
	// Shortened: the oldest entries were removed, because of their age or of the room that they took.
	Shortened = "shortened"
)

// Recorder takes entries. It never waits for the disk longer than it must and never fails its caller.
type Recorder interface {
	Record(e Entry)
}

// Nothing is the recorder that keeps nothing.
type Nothing struct{}

// Record forgets e.
func (Nothing) Record(Entry) {}
