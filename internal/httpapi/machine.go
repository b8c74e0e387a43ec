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
	out := s.config.About
	if !owned {
		out.Bridge = nil
	}
	out.Open, out.Panic = []api.OpenProfile{}, s.config.Access.Panic()
	for _, p := range s.config.Sessions.Running() {
		o := api.OpenProfile{ID: int32(p.ID), State: string(p.State), Mode: string(p.Mode)}
		if known, err := s.config.Profiles.Get(c.Context(), p.ID); err == nil {
			o.Name = known.Name
		}
		out.Open = append(out.Open, o)
	}
	a, err := s.config.Accounts.Current(c.Context())
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
	all, err := s.config.Machine.Settings(c.Context())
	return api.Settings{Data: all}, err
}

func (s *Server) setSetting(c *call) (any, error) {
	var in api.Setting
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if err := s.config.Machine.CheckSetting(c.name, in.Value); err != nil {
		return nil, fault.From(err).WithField("value")
	}
	if err := c.requireOwner(); err != nil {
		return nil, err
	}
	// Settings decide who can drive profiles and with which browser. Only requiring a token takes nothing from the
	// person, so any owner's token can do it.
	if yes, _ := api.ParseFlag(in.Value); c.name != "require_token" || !yes {
		if err := first(c.requirePerson, c.confirm); err != nil {
			return nil, err
		}
	}
	return s.config.Machine.SetSetting(c.Context(), c.name, in.Value)
}

func (s *Server) browsers(c *call) (any, error) {
	if err := c.requireCredential(); err != nil {
		return nil, err
	}
	all, err := s.config.Machine.Browsers(c.Context())
	return api.Browsers{Data: all}, err
}

func (s *Server) doctor(c *call) (any, error) {
	if err := c.requireCredential(); err != nil {
		return nil, err
	}
	return api.Findings{Data: s.config.Machine.Examine(c.Context())}, nil
}

func (s *Server) logs(c *call) (any, error) {
	lines, err := c.number("lines", 200)
	if err != nil {
		return nil, err
	}
	if lines < 1 || lines > 10000 {
		return nil, fault.Fieldf("lines", "You can read 1 to 10000 lines of the log.")
	}
	if err := c.requireOwner(); err != nil {
		return nil, err
	}
	return s.config.Machine.Log(lines)
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
		c.allowTime()
		if err := s.config.Sessions.StopAll(c.Context()); err != nil {
			return nil, err
		}
	}
	s.config.Machine.Stop()
	return api.OK{Success: true}, nil
}
