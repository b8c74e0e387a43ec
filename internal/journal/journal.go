// Package journal records what agents did: one row for each step, each bound to the row before it by its hash. It
// writes, reads and verifies journals.
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
	// Name is the tool, the protocol's method, or the event: connected, disconnected, takeover, ….
	Name string
	// Args contains no secrets. Arguments longer than a few kilobytes are cut.
	Args json.RawMessage
	// Page is the address of the page that the step was about.
	Page string
	// Outcome is OK, Failed or Refused; Error is the sentence that explains it.
	Outcome  string
	Error    string
	Duration time.Duration
	// Screenshot is a JPEG of the page after a step that acts. It is stored in a file of its own.
	Screenshot []byte
}

// Outcomes of a step.
const (
	OK      = "ok"
	Failed  = "error"
	Refused = "refused"
)

// Keeper is the kind of agent that stands for the profile's own keeper.
const Keeper policy.Kind = "keeper"

// Names of the rows that the journal writes about itself.
const (
	// Gap says that somebody changed or cut the journal while no keeper had it. It is written for no other reason.
	Gap = "gap"
	// Recovered says that an unfinished row of a killed keeper was removed.
	Recovered = "recovered"
	// Lost counts entries that the disk had no room for.
	Lost = "lost"
	// Shortened says that the oldest entries were removed, because of their age or their size.
	Shortened = "shortened"
)

// Recorder accepts entries. It waits for the disk no longer than it must, and never fails its caller.
type Recorder interface {
	Record(e Entry)
}

// Discard is a Recorder that drops every entry.
type Discard struct{}

// Record drops e.
func (Discard) Record(Entry) {}
