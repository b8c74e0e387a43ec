package profiles

import (
	"encoding/json"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/input"
	"cove/internal/httpapi/permit"
	"cove/internal/httpapi/wire"
	"cove/internal/profile"
)

// CreateMany answers POST /browser_profiles/mass.
func (h *Handlers) CreateMany(c *call.Call) (any, error) {
	raw, err := c.JSON()
	if err != nil {
		return nil, err
	}
	mass, err := wire.ReadMass(raw)
	if err != nil {
		return nil, err
	}
	if len(mass.Items) > 0 {
		return h.createEach(c, mass)
	}

	ps := make([]profile.Profile, len(mass.Profiles))
	for i, in := range mass.Profiles {
		wire.Apply(in, &ps[i])
		if err := ps[i].Clean(); err != nil {
			return nil, mass.About(i, err)
		}
	}
	if err := call.First(c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	for i := range mass.Profiles {
		more, err := h.References.FindForNew(c.Context(), &mass.Profiles[i], c.Cloud())
		if err != nil {
			return nil, mass.About(i, err)
		}
		mass.Ignored = append(mass.Ignored, more...)
		ps[i] = profile.Profile{}
		wire.Apply(mass.Profiles[i], &ps[i])
		if err := ps[i].Clean(); err != nil {
			return nil, mass.About(i, err)
		}
	}
	if err := permit.Create(c, h.Browsers, ps...); err != nil {
		return nil, err
	}
	made, err := h.Profiles.Create(c.Context(), ps...)
	if err != nil {
		return nil, err
	}
	out := api.CreatedMany{
		Success: true, IDs: make([]profile.ID, 0, len(made)), Failed: []json.RawMessage{}, Errors: []api.ErrorObject{},
		Ignored: input.Sorted(mass.Ignored),
	}
	for _, p := range made {
		out.IDs = append(out.IDs, p.ID)
	}
	return out, nil
}

// createEach creates the items of a request each by itself, and answers which of them failed and why.
func (h *Handlers) createEach(c *call.Call, mass wire.Mass) (any, error) {
	if err := call.First(c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	out := api.CreatedMany{
		IDs: []profile.ID{}, Failed: []json.RawMessage{}, Errors: []api.ErrorObject{}, Ignored: mass.Ignored,
	}
	for _, raw := range mass.Items {
		p, ignored, err := h.create(c, raw)
		if err != nil {
			f := fault.From(err) // also of an internal one: a script must learn which profiles were made
			out.Failed = append(out.Failed, raw)
			out.Errors = append(out.Errors, api.ErrorObject{Type: f.Kind, Code: f.Code, Text: f.Text, Hint: f.Hint,
				Field: f.Field})
			continue
		}
		out.IDs = append(out.IDs, p.ID)
		out.Ignored = append(out.Ignored, ignored...)
	}
	out.Success = len(out.Failed) == 0
	out.Ignored = input.Sorted(out.Ignored)
	return out, nil
}

// create creates one profile, and returns the names of fields that Cove does not use.
func (h *Handlers) create(c *call.Call, raw json.RawMessage) (profile.Profile, []string, error) {
	cookies, fields, err := readCookies(raw)
	if err != nil {
		return profile.Profile{}, nil, err
	}
	in, ignored, err := wire.ReadInput(raw, fields...)
	if err != nil {
		return profile.Profile{}, nil, err
	}
	var p profile.Profile
	wire.Apply(in, &p)
	if err := call.First(p.Clean, c.RequireCredential, c.RequireLogin); err != nil {
		return p, nil, err
	}

	more, err := h.References.FindForNew(c.Context(), &in, c.Cloud())
	if err != nil {
		return p, nil, wire.Spelled(raw, err)
	}
	p = profile.Profile{}
	wire.Apply(in, &p)
	if err := p.Clean(); err != nil {
		return p, nil, err
	}
	if err := permit.Create(c, h.Browsers, p); err != nil {
		return p, nil, err
	}
	if err := h.mayAddCookies(c, cookies); err != nil {
		return p, nil, err
	}
	made, err := h.Profiles.Create(c.Context(), p)
	if err != nil {
		return p, nil, err
	}
	if err := h.addCookies(c, made[0].ID, cookies); err != nil {
		return p, nil, err
	}
	return made[0], input.Sorted(append(ignored, wire.Spellings(raw, more...)...)), nil
}
