package httpapi

import (
	_ "embed"

	"cove/api"
	"cove/internal/fault"
)

//go:embed page/docs.html
var docsPage []byte

//go:embed page/docs.js
var docsJS []byte

//go:embed page/docs.css
var docsCSS []byte

func (s *Server) docs(*call) (any, error) { return page{"text/html; charset=utf-8", docsPage}, nil }
func (s *Server) docsScript(*call) (any, error) {
	return page{"text/javascript; charset=utf-8", docsJS}, nil
}
func (s *Server) docsStyle(*call) (any, error) { return page{"text/css; charset=utf-8", docsCSS}, nil }

func (s *Server) status(c *call) (any, error) {
	_, owned, err := c.credential()
	if err != nil {
		return nil, err
	}
	out := s.About
	if !owned {
		out.Bridge = nil
	}
	out.Open, out.Panic = []api.OpenProfile{}, s.Access.Panic()
	for _, p := range s.Sessions.Running() {
		o := api.OpenProfile{ID: int32(p.ID), State: string(p.State), Mode: string(p.Mode)}
		if known, err := s.Profiles.Get(c.Context(), p.ID); err == nil {
			o.Name = known.Name
		}
		out.Open = append(out.Open, o)
	}
	a, err := s.Accounts.Current(c.Context())
	if fault.KindOf(err) == fault.Unauthenticated {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	out.LoggedIn, out.Plan, out.Automation = true, string(a.Plan), a.MayAutomate() == nil
	if owned {
		out.Account = a.Email
	}
	return out, nil
}

func (s *Server) settings(c *call) (any, error) {
	if err := c.requireOwner(); err != nil {
		return nil, err
	}
	all, err := s.Machine.Settings(c.Context())
	return api.Settings{Data: all}, err
}

func (s *Server) setSetting(c *call) (any, error) {
	var in api.Setting
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if err := s.Machine.CheckSetting(c.name, in.Value); err != nil {
		return nil, err
	}
	if err := c.requireOwner(); err != nil {
		return nil, err
	}
	// Settings decide who may drive profiles and with what browser; only closing more is not the person's alone.
	if yes, _ := api.ParseFlag(in.Value); c.name != "require_token" || !yes {
		if err := first(c.requirePerson, c.confirm); err != nil {
			return nil, err
		}
	}
	return s.Machine.SetSetting(c.Context(), c.name, in.Value)
}

func (s *Server) browsers(c *call) (any, error) {
	if err := c.requireCredential(); err != nil {
		return nil, err
	}
	all, err := s.Machine.Browsers(c.Context())
	return api.Browsers{Data: all}, err
}

func (s *Server) doctor(c *call) (any, error) {
	if err := c.requireCredential(); err != nil {
		return nil, err
	}
	return api.Findings{Data: s.Machine.Examine(c.Context())}, nil
}

func (s *Server) logs(c *call) (any, error) {
	lines, err := c.number("lines", 200)
	if err != nil {
		return nil, err
	}
	if lines < 1 || lines > 10000 {
		return nil, fault.Invalidf("Between 1 and 10000 lines of the log can be read.")
	}
	if err := c.requireOwner(); err != nil {
		return nil, err
	}
	return s.Machine.Log(lines)
}

func (s *Server) stopApp(c *call) (any, error) {
	var in api.StopApp
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if err := c.requireOwner(); err != nil {
		return nil, err
	}
	if in.Profiles {
		c.patient()
		if err := s.Sessions.StopAll(c.Context()); err != nil {
			return nil, err
		}
	}
	s.Machine.Stop()
	return api.OK{Success: true}, nil
}
