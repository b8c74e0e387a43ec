package api

import (
	"time"
)

// Agent is a program that works in an open profile.
type Agent struct {
	Profile ProfileID `json:"profile"`
	Name    string    `json:"name"`
	// Kind is agent for an MCP client and script for a program on the gate's port.
	Kind  string     `json:"kind"`
	Since *time.Time `json:"since,omitempty"`
}

// Agents is a list of agents.
type Agents struct {
	Data []Agent `json:"data"`
}

// Live is one message of the live view's stream. Type says which of the other fields is set.
type Live struct {
	Type    string       `json:"type"`
	Tabs    []LiveTab    `json:"tabs,omitempty"`
	Picture *LivePicture `json:"picture,omitempty"`
	Dialog  string       `json:"dialog,omitempty"`
	Agents  []LiveAgent  `json:"agents,omitempty"`
	Scripts int          `json:"scripts,omitempty"`
	Actions []LiveAction `json:"actions,omitempty"`
}

// LiveTab is an open tab.
type LiveTab struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	URL     string `json:"url"`
	Crashed bool   `json:"crashed,omitempty"`
}

// LivePicture is the present image of a tab. Data is base64.
type LivePicture struct {
	Tab  string `json:"tab"`
	MIME string `json:"mime"`
	Data string `json:"data"`
}

// LiveAgent is a connected agent.
type LiveAgent struct {
	Name  string    `json:"name"`
	Since time.Time `json:"since"`
}

// LiveAction is one call of a tool. It never holds what was typed.
type LiveAction struct {
	N      int       `json:"n"`
	Agent  string    `json:"agent"`
	Tool   string    `json:"tool"`
	About  string    `json:"about,omitempty"`
	Tab    string    `json:"tab,omitempty"`
	Error  string    `json:"error,omitempty"`
	At     time.Time `json:"at"`
	Millis int64     `json:"ms"`
	Going  bool      `json:"going,omitempty"`
}
