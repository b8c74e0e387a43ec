package agents

import (
	"context"

	"cove/api"
	"cove/internal/httpapi/call"
	"cove/internal/profile"
	"cove/internal/session"
)

// Connected knows the programs that work in open profiles.
type Connected interface {
	// Connected lists who works in an open profile, and how many tabs each has.
	Connected(ctx context.Context, id profile.ID) api.Agents
}

// List answers GET /agents. It lists the agents of every open profile. A profile whose keeper does not answer has none
// to show.
func (h *Handlers) List(c *call.Call) (any, error) {
	if err := c.RequireCredential(); err != nil {
		return nil, err
	}
	out := api.Agents{Data: []api.Agent{}}
	for _, p := range h.Sessions.Running() {
		if p.State == session.Open && p.Mode == session.Automation {
			there := h.Connected.Connected(c.Context(), p.ID)
			out.Data, out.Tabs = append(out.Data, there.Data...), append(out.Tabs, there.Tabs...)
		}
	}
	return out, nil
}
