package tools

import (
	"time"

	"cove/internal/mcpserver"
)

// number is a number in the input of a tool.
type number = mcpserver.Number

// onElement is the input of a tool that acts on one element.
type onElement struct {
	mcpserver.OnPage
	UID string `json:"uid"`
}

// shows is the input of a tool that may add a snapshot to its result.
type shows struct {
	IncludeSnapshot bool `json:"includeSnapshot,omitempty"`
}

// defaultLimit is how long a server may take to answer a navigation.
const defaultLimit = 30 * time.Second

// limitOf returns the time that an agent gives in milliseconds; defaultLimit when it gives none.
func limitOf(ms *number) time.Duration {
	if ms == nil || *ms <= 0 {
		return defaultLimit
	}
	return min(time.Duration(float64(*ms)*float64(time.Millisecond)), 10*time.Minute)
}
