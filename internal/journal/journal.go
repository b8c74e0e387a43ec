// Package journal keeps what agents did: one line for each step, each bound to the one before it by its hash.
package journal

import (
	"encoding/json"
	"time"

	"cove/internal/policy"
)

// Entry is one step of one agent.
type Entry struct {
	Time  time.Time    `json:"time"`
	Agent policy.Agent `json:"agent"`
	// Name is the tool, the protocol's method, or what happened: connected, disconnected, taken over, ….
	Name string `json:"name"`
	// Args has no secrets in it.
	Args json.RawMessage `json:"args,omitempty"`
	Page string          `json:"page,omitempty"`
	// Outcome is ok, error or refused; Error is the sentence.
	Outcome string        `json:"outcome"`
	Error   string        `json:"error,omitempty"`
	Took    time.Duration `json:"took"`
	// Picture is a JPEG of the page after an acting step; it is kept in a file of its own.
	Picture []byte `json:"-"`
}

// Recorder takes entries. It never waits for the disk longer than it must and never fails its caller.
type Recorder interface {
	Record(e Entry)
}
