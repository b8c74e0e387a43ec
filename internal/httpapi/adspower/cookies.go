package adspower

import (
	"context"
	"encoding/json"
	"time"

	"cove/internal/cookie"
	"cove/internal/fault"
	"cove/internal/httpapi/permit"
	"cove/internal/profile"
)

// Storage reads and writes the cookies of profiles, open or closed.
type Storage interface {
	Read(ctx context.Context, id profile.ID, q cookie.Query) (cookie.Data, error)
	// Write adds data to a profile: all of it, or none.
	Write(ctx context.Context, id profile.ID, data cookie.Data) error
}

// readCookies reads the cookies for a profile, in any format.
func (s *Server) readCookies(c *request, in *profileInput) error {
	drop, err := c.flag("ignore_cookie_error")
	if err != nil || !c.says("cookie") {
		return err
	}
	set, err := cookie.Read(c.fields["cookie"], cookie.Options{Now: time.Now(), DropBad: drop})
	if err != nil {
		return fault.From(err).WithField("cookie")
	}
	for _, name := range set.Ignored {
		in.ignored = append(in.ignored, "cookie."+name)
	}
	if len(set.Cookies)+len(set.Origins) > 0 {
		in.cookies = &cookie.Data{Cookies: set.Cookies, Origins: set.Origins}
	}
	return nil
}

// mayImport checks who brings cookies into a profile. A new one has no policy yet.
func (s *Server) mayImport(c *request, in *profileInput, p profile.Profile) error {
	if in.cookies == nil {
		return nil
	}
	return permit.Import(c.Call, s.Sessions, p)
}

func (s *Server) importCookies(c *request, id profile.ID, in *profileInput) error {
	if in.cookies == nil {
		return nil
	}
	c.AllowTime()
	return s.Storage.Write(c.Context(), id, *in.cookies)
}

// exported are the cookies of a profile: JSON in a text.
type exported struct {
	Cookies string `json:"cookies"`
}

// cookies answers the cookies of a profile.
func (s *Server) cookies(c *request) (answer, error) {
	id, err := c.profileID()
	if err != nil {
		return answer{}, err
	}
	p, err := s.Profiles.Get(c.Context(), id)
	if err != nil {
		return answer{}, err
	}
	if err := s.mayExport(c, p); err != nil {
		return answer{}, err
	}
	c.AllowTime()
	data, err := s.Storage.Read(c.Context(), id, cookie.Query{Cookies: true})
	if err != nil {
		return answer{}, err
	}
	text, err := json.Marshal(cookie.PuppeteerItems(data.Cookies))
	return answer{data: exported{string(text)}}, err
}

// mayExport checks who takes cookies out of a profile. AdsPower has its own sentence for a missing key.
func (s *Server) mayExport(c *request, p profile.Profile) error {
	if p.Policy.BindsPrograms() {
		if err := c.requireKey(); err != nil {
			return err
		}
	}
	return permit.Export(c.Call, s.Sessions, p)
}
