package keeperclient

import (
	"context"
	"net/http"
	"time"
)

// Agent is an MCP client that works in the profile now.
type Agent struct {
	Name  string    `json:"name"`
	Since time.Time `json:"since"`
}

// Agents is everybody who works in the profile now: MCP clients by name, and the number of programs on the gate's port.
type Agents struct {
	Agents  []Agent `json:"agents"`
	Scripts int     `json:"scripts"`
	// Tabs says whose the open tabs are. A keeper of an older version does not tell.
	Tabs []OwnedTabs `json:"tabs,omitempty"`
}

// OwnedTabs is how many tabs belong to one agent. They are the person's where Person is set, and nobody's where Owner
// is empty otherwise.
type OwnedTabs struct {
	Owner  string `json:"owner,omitempty"`
	Person bool   `json:"person,omitempty"`
	Count  int    `json:"count"`
}

// Agents asks who works in the profile.
func (c *Client) Agents(ctx context.Context) (a Agents, err error) {
	err = c.call(ctx, http.MethodGet, "/v1/agents", nil, &a)
	return a, err
}
