package httpapi

import (
	"net/http"
	"time"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/session"
)

// live streams what a person sees of a profile that is open for agents: also pages that are closed to agents, and while these are cut off.
func (s *Server) live(c *call) (any, error) {
	if err := c.requirePerson(); err != nil {
		return nil, err
	}
	picture := s.Sessions.Get(c.id)
	if picture.State != session.Open || picture.Mode != session.Automation {
		if _, err := s.Profiles.Get(c.Context(), c.id); err != nil {
			return nil, err
		}
		return nil, fault.New(fault.Conflict, "E_NOT_OPEN", "Profile "+c.id.String()+" is not open for agents.", "Open it with: cove start "+c.id.String()+" --automation")
	}
	limits := http.NewResponseController(c.w)
	_ = limits.SetReadDeadline(time.Time{})
	_ = limits.SetWriteDeadline(time.Time{})
	return streamed{}, s.Agents.ServeLive(c.w, c.Request, c.id)
}

// agents lists who works in the open profiles. One whose keeper does not answer has nobody to show.
func (s *Server) agents(c *call) (any, error) {
	if err := c.requireCredential(); err != nil {
		return nil, err
	}
	out := api.Agents{Data: []api.Agent{}}
	for _, p := range s.Sessions.Running() {
		if p.State == session.Open && p.Mode == session.Automation {
			out.Data = append(out.Data, s.Agents.Connected(c.Context(), p.ID)...)
		}
	}
	return out, nil
}
