// Package journal records what agents did. Each step is one row, and each row carries the hash of the row before it, so
// that a change of any row is detected. The package writes, reads and verifies journals.
package journal

import (
	"encoding/json"
	"time"

	"cove/internal/policy"
	"cove/internal/step"
)

// Entry is one step of one agent.
type Entry struct {
	Time  time.Time
	Agent policy.Agent
	// Session is the name of the agent's admission. An event has the session of the agent that it is about.
	Session string
	// Name is the name of a tool, of a protocol method, or of an event such as connected, disconnected or takeover.
	Name string
	// Args contains no secrets. Arguments longer than a few kilobytes are cut.
	Args json.RawMessage
	// Page is the address of the page that the step was about.
	Page string
	// Outcome is OK, Failed or Refused; Error is the sentence that explains it, Brief the same in a few words.
	Outcome  string
	Error    string
	Brief    string
	Duration time.Duration
	// Element is what the step was about, Onto where it was dragged to, as the tool saw them: without secrets.
	Element, Onto *step.Element
	// Count is how many things the step was about, Secrets how many secrets it typed.
	Count, Secrets int
	// Before is a JPEG of the page before a step that acts, and BeforeTime is when it was taken.
	Before     []byte
	BeforeTime time.Time
	// Screenshot is a JPEG of the page after a step that acts. It is stored in a file of its own.
	Screenshot []byte
}

// Outcomes of a step.
const (
	OK      = step.OK
	Failed  = step.Failed
	Refused = step.Refused
)

// Keeper is the kind of agent that stands for the profile's own keeper.
const Keeper policy.Kind = "keeper"

// Picture is the name of the row that has the screenshot after a step, which is taken later than the step ends. Its
// arguments say after which step.
const Picture = "picture"

// PageTool is the name of the row about a program's call of a tool that a page offers, written when the call has ended.
const PageTool = "page tool"

// Names of the rows that the journal writes about itself.
const (
	// Gap says that rows are missing or were changed by somebody other than a keeper. A loss of power can also remove
	// the last rows. Verify reports every gap.
	Gap = "gap"
	// Recovered says that an unfinished row of a killed keeper was removed.
	Recovered = "recovered"
	// Lost says how many entries could not be written, because the disk was full or failed.
	Lost = "lost"
	// Shortened says that the oldest entries were removed, because of their age or their size.
	Shortened = "shortened"
)

// Recorder accepts entries. Record waits for the disk no longer than necessary and reports no error to its caller.
type Recorder interface {
	Record(e Entry)
}

// Discard is a Recorder that drops every entry.
type Discard struct{}

// Record drops e.
func (Discard) Record(Entry) {}
