package adspower

import (
	"errors"
	"strconv"
	"sync"

	"cove/internal/fault"
	"cove/internal/httpapi/input"
	"cove/internal/profile"
	"cove/internal/session"
)

// endpoint is how a script reaches an open profile.
type endpoint struct {
	WS        sockets `json:"ws"`
	DebugPort string  `json:"debug_port"`
	Webdriver string  `json:"webdriver"`
}

type sockets struct {
	Selenium  string `json:"selenium"`
	Puppeteer string `json:"puppeteer"`
}

// activity is whether a profile is open for scripts.
type activity struct {
	Status string `json:"status"`
	*endpoint
}

// openProfile is one item of the list of open profiles.
type openProfile struct {
	UserID string `json:"user_id"`
	*endpoint
}

func (s *Server) status(*request) (answer, error) { return answer{}, nil }

// start opens a profile for scripts. A profile that is open for scripts already is left as it is.
func (s *Server) start(c *request) (answer, error) {
	id, err := c.profileID()
	if err != nil {
		return answer{}, err
	}
	o, ignored, err := s.startOptions(c)
	if err != nil {
		return answer{}, err
	}
	p, err := s.Profiles.Get(c.Context(), id)
	if err != nil {
		return answer{}, err
	}
	if err := s.mayReach(c, p); err != nil {
		return answer{}, err
	}
	if err := s.mayLaunch(c, p, o); err != nil {
		return answer{}, err
	}
	if o.Launch != nil && s.Sessions.Get(id).Shown().State != session.Closed {
		ignored = append(ignored, launchArgs)
	}

	c.AllowTime()
	status, err := s.Sessions.Start(c.Context(), id, o)
	joined := fault.KindOf(err) == fault.Conflict && forScripts(status)
	if err != nil && !joined {
		return answer{}, err
	}
	return answer{data: s.endpoint(c, p, status), ignored: input.Sorted(ignored)}, nil
}

// mayReach refuses a caller without a key where programs have to follow rules: the answer opens the browser's port.
func (s *Server) mayReach(c *request, p profile.Profile) error {
	if !p.Policy.BindsPrograms() {
		return nil
	}
	return c.requireKey()
}

// forScripts reports whether a profile is open in the mode that scripts can use.
func forScripts(status session.Status) bool {
	return status.State == session.Open && status.Mode == session.Automation && status.Endpoint.Port != 0
}

func (s *Server) endpoint(c *request, p profile.Profile, status session.Status) *endpoint {
	port := strconv.Itoa(status.Endpoint.Port)
	return &endpoint{
		WS: sockets{
			Selenium:  "127.0.0.1:" + port,
			Puppeteer: "ws://127.0.0.1:" + port + status.Endpoint.Path,
		},
		DebugPort: port, Webdriver: s.Machine.Driver(c.Context(), p),
	}
}

// stop closes a profile.
func (s *Server) stop(c *request) (answer, error) {
	id, err := c.profileID()
	if err != nil {
		return answer{}, err
	}
	if s.Sessions.Get(id).Shown().State == session.Closed {
		return answer{}, errNotOpen()
	}
	c.AllowTime()
	return answer{data: empty{}}, s.Sessions.Stop(c.Context(), id)
}

// stopAll closes every profile that is open for scripts. What a person has opened stays open.
func (s *Server) stopAll(c *request) (answer, error) {
	c.AllowTime()
	var all sync.WaitGroup
	running := s.Sessions.Running()
	errs := make([]error, len(running))
	for i, status := range running {
		if status.Mode == session.Automation {
			all.Go(func() { errs[i] = s.Sessions.Stop(c.Context(), status.ID) })
		}
	}
	all.Wait()
	return answer{data: empty{}}, errors.Join(errs...)
}

// active says whether a profile is open for scripts, and how they reach it. A profile that a person has opened counts
// as inactive: it has no address, and scripts read one from every active profile.
func (s *Server) active(c *request) (answer, error) {
	id, err := c.profileID()
	if err != nil {
		return answer{}, err
	}
	p, err := s.Profiles.Get(c.Context(), id)
	if err != nil {
		return answer{}, err
	}
	status := s.Sessions.Get(id)
	if !forScripts(status) {
		return answer{data: activity{Status: "Inactive"}}, nil
	}
	if err := s.mayReach(c, p); err != nil {
		return answer{}, err
	}
	return answer{data: activity{"Active", s.endpoint(c, p, status)}}, nil
}

// localActive lists the profiles that are open for scripts, without those that the caller may not reach.
func (s *Server) localActive(c *request) (answer, error) {
	list := []openProfile{}
	for _, status := range s.Sessions.Running() {
		if !forScripts(status) {
			continue
		}
		p, err := s.Profiles.Get(c.Context(), status.ID)
		if err != nil || s.mayReach(c, p) != nil {
			continue
		}
		list = append(list, openProfile{status.ID.String(), s.endpoint(c, p, status)})
	}
	return answer{data: map[string]any{"list": list}}, nil
}
