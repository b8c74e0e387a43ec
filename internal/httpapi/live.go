package httpapi

import (
	"net/http"
	"time"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/session"
)

// live streams what a person sees of a profile that is open for agents. It includes pages that agents cannot see, and
// goes on while agents are suspended.
func (s *Server) live(c *call) (any, error) {
	if err := c.requirePerson(); err != nil {
		return nil, err
	}
	status := s.config.Sessions.Get(c.id)
	if status.State != session.Open || status.Mode != session.Automation {
		if _, err := s.config.Profiles.Get(c.Context(), c.id); err != nil {
			return nil, err
		}
		return nil, fault.New(fault.CodeNotOpen, "Profile "+c.id.String()+" is not open for agents.",
			"Open it with: cove start "+c.id.String()+" --automation")
	}
	limits := http.NewResponseController(c.w)
	_ = limits.SetReadDeadline(time.Time{})
	_ = limits.SetWriteDeadline(time.Time{})
	if err := s.config.Agents.ServeLive(c.w, c.Request, c.id); err != nil {
		return nil, err
	}
	return streamed{}, nil
}

// agents lists the agents of every open profile. A profile whose keeper does not answer has none to show.
func (s *Server) agents(c *call) (any, error) {
	if err := c.requireCredential(); err != nil {
		return nil, err
	}
	out := api.Agents{Data: []api.Agent{}}
	for _, p := range s.config.Sessions.Running() {
		if p.State == session.Open && p.Mode == session.Automation {
			out.Data = append(out.Data, s.config.Agents.Connected(c.Context(), p.ID)...)
		}
	}
	return out, nil
}
