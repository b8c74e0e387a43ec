package adspower

import (
	"context"
	"errors"
	"strings"

	"cove/internal/fault"
	"cove/internal/httpapi/input"
	"cove/internal/httpapi/permit"
	"cove/internal/profile"
)

// made names a new profile, in the words of the first generation.
type made struct {
	ID           string `json:"id"`
	SerialNumber string `json:"serial_number"`
}

// madeV2 names a new profile, in the words of the second generation.
type madeV2 struct {
	ProfileID string `json:"profile_id"`
	ProfileNo string `json:"profile_no"`
}

func (s *Server) createV1(c *request) (answer, error) {
	p, ignored, err := s.create(c)
	id := p.ID.String()
	return answer{made{id, id}, input.Sorted(ignored)}, err
}

func (s *Server) createV2(c *request) (answer, error) {
	p, ignored, err := s.create(c)
	id := p.ID.String()
	return answer{madeV2{id, id}, input.Sorted(ignored)}, err
}

// create makes a profile, with its cookies or not at all.
func (s *Server) create(c *request) (p profile.Profile, ignored []string, err error) {
	in, err := s.readProfile(c, true)
	if err != nil {
		return p, nil, err
	}
	in.apply(&p)
	if err := s.inherit(c, in, &p); err != nil {
		return p, nil, err
	}
	unnamed := p.Name == ""
	if unnamed {
		p.Name = "Profile"
	}
	if err := p.Clean(); err != nil {
		return p, nil, err
	}
	if err := permit.Create(c.Call, s.Machine, p); err != nil {
		return p, nil, err
	}
	if err := s.mayImport(c, in, p); err != nil {
		return p, nil, err
	}
	all, err := s.Profiles.Create(c.Context(), p)
	if err != nil {
		return p, nil, err
	}

	p = all[0]
	if err := s.finish(c, &p, in, unnamed); err != nil {
		undo := s.Profiles.Delete(context.WithoutCancel(c.Context()), p.ID)
		return p, nil, errors.Join(err, undo)
	}
	return p, in.ignored, nil
}

// inherit gives a new profile the defaults of its group, where the request says nothing.
func (s *Server) inherit(c *request, in *profileInput, p *profile.Profile) error {
	if p.FolderID == 0 && p.Folder == "" {
		return nil
	}
	d, err := s.Folders.Defaults(c.Context(), p.FolderID, p.Folder)
	if err != nil {
		return err
	}

	p.Locale, p.Timezone, p.Policy.Preset = d.Locale, d.Timezone, d.Agents
	if in.tags == nil {
		p.Tags = d.Tags
	}
	if in.pages == nil && in.domain == "" {
		p.StartPages = d.StartPages
	}
	if in.proxy == nil {
		p.Proxy = d.Proxy
	}

	return nil
}

// finish gives a new profile what needs its id.
func (s *Server) finish(c *request, p *profile.Profile, in *profileInput, unnamed bool) error {
	if unnamed {
		named, err := s.Profiles.Update(c.Context(), p.ID, func(p *profile.Profile) error {
			p.Name = "Profile " + p.ID.String()
			return nil
		})
		if err != nil {
			return err
		}
		*p = named
	}
	if err := s.setLink(c, *p, in, false); err != nil {
		return err
	}
	return s.importCookies(c, p.ID, in)
}

// updated names a changed profile.
type updated struct {
	ID string `json:"id"`
}

// update changes a profile. What is not sent stays as it is.
func (s *Server) update(c *request) (answer, error) {
	id, err := c.profileID()
	if err != nil {
		return answer{}, err
	}
	in, err := s.readProfile(c, false)
	if err != nil {
		return answer{}, err
	}
	before, err := s.Profiles.Get(c.Context(), id)
	if err != nil {
		return answer{}, err
	}
	after, err := changed(before, in)
	if err != nil {
		return answer{}, err
	}
	granted, err := permit.Edit(c.Call, s.Machine, before, after)
	if err != nil {
		return answer{}, err
	}
	if err := s.mayImport(c, in, before); err != nil {
		return answer{}, err
	}
	// Cookies first: they fail more often than what was judged above, and then nothing else has changed.
	if err := s.importCookies(c, id, in); err != nil {
		return answer{}, err
	}
	p, err := s.Profiles.Update(c.Context(), id, func(p *profile.Profile) error {
		next, err := changed(*p, in)
		if err != nil {
			return err
		}
		if !granted && permit.NeedsPerson(*p, next, true) != "" {
			return permit.ErrChanged()
		}
		*p = next
		return nil
	})
	if err != nil {
		return answer{}, afterCookies(in, err)
	}
	err = s.setLink(c, p, in, granted)
	return answer{updated{id.String()}, input.Sorted(in.ignored)}, err
}

// afterCookies says that the cookies of an update stay, although the rest was refused: the profile, its proxy or its
// group was changed while the browser took them.
func afterCookies(in *profileInput, err error) error {
	if in.cookies == nil {
		return err
	}
	f := fault.From(err)
	return f.WithHint(strings.TrimSpace(f.Hint + " The cookies were imported already."))
}

// changed returns a profile after an update.
func changed(p profile.Profile, in *profileInput) (profile.Profile, error) {
	next := p
	in.apply(&next)
	return next, next.CleanEdit(p)
}

// delete moves closed profiles to the trash, all of them or none.
func (s *Server) delete(c *request) (answer, error) {
	ids, err := c.manyIDs()
	if err != nil {
		return answer{}, err
	}
	return answer{data: empty{}}, s.Profiles.Trash(c.Context(), ids...)
}

// regroup moves profiles into a group, all of them or none. Group 0 takes them out of theirs.
func (s *Server) regroup(c *request) (answer, error) {
	ids, err := c.manyIDs()
	if err != nil {
		return answer{}, err
	}
	if !c.says("group_id") {
		return answer{}, fault.Fieldf("group_id", "This call needs a group_id.").WithHint(`Send "0" for no group.`)
	}
	to, err := c.folderID()
	if err != nil {
		return answer{}, err
	}
	if err := s.Folders.Move(c.Context(), to, ids...); err != nil {
		return answer{}, err
	}
	s.publish(ids...)
	return answer{data: empty{}}, nil
}
