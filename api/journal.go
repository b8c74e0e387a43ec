package api

import (
	"encoding/json"
	"time"
)

// Outcomes are the possible outcomes of a step in a journal.
var Outcomes = []string{"ok", "error", "refused"}

// MaxJournal is the number of entries that one call can read.
const MaxJournal = 1000

// JournalQuery selects entries of a journal. After and Before are numbers of entries. Agent is a part of the agent's
// name, version or process. Newest returns the newest entry first.
type JournalQuery struct {
	After, Before  int64
	Since          time.Time
	Agent, Outcome string
	Limit          int
	Newest         bool
}

// Journal is a part of a journal. Each entry is byte for byte as it was written: its hash is the SHA-256 of its bytes
// before `,"hash"`.
type Journal struct {
	Data []json.RawMessage `json:"data"`
}

// JournalEntry is one entry of a journal: one step of one agent.
type JournalEntry struct {
	Seq   int64        `json:"seq"`
	Time  time.Time    `json:"time"`
	Agent JournalAgent `json:"agent"`
	// Name is the tool, the protocol's method, or the event.
	Name string          `json:"name"`
	Args json.RawMessage `json:"args,omitempty"`
	Page string          `json:"page,omitempty"`
	// Outcome is ok, error or refused. Reason is a sentence about it.
	Outcome string  `json:"outcome"`
	Reason  string  `json:"reason,omitempty"`
	MS      float64 `json:"ms"`
	// Picture is the name of a screenshot that was taken after the step.
	Picture string `json:"picture,omitempty"`
	Prev    string `json:"prev"`
	Hash    string `json:"hash"`
	Seal    string `json:"seal"`
}

// JournalAgent is the agent of a step. Its kind is mcp, cdp, or the keeper itself.
type JournalAgent struct {
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	PID     int    `json:"pid,omitempty"`
}

// JournalReport is the result of verifying a journal.
type JournalReport struct {
	OK       bool       `json:"ok"`
	Entries  int64      `json:"entries"`
	Pictures int        `json:"pictures"`
	Since    *time.Time `json:"since,omitempty"`
	Problems []string   `json:"problems"`
}
