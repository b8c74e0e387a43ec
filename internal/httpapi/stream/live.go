package stream

import (
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/session"
)

// Live answers GET /browser_profiles/{id}/live. It streams what a person sees of a profile that is open for agents. It
// includes pages that agents cannot see, and goes on while agents are suspended.
func (h *Handlers) Live(c *call.Call) (any, error) {
	if err := c.RequirePerson(); err != nil {
		return nil, err
	}
	status := h.Sessions.Get(c.ID)
	if status.State != session.Open || status.Mode != session.Automation {
		p, err := h.Profiles.Get(c.Context(), c.ID)
		if err != nil {
			return nil, err
		}
		return nil, fault.New(fault.CodeNotOpen, "Profile "+c.ID.String()+" is not open for agents.", p.OpenHint())
	}
	c.LiftLimits()
	if err := h.Agents.ServeLive(c.W, c.Request, c.ID); err != nil {
		return nil, err
	}
	return call.Streamed{}, nil
}
