package extensions

import (
	"encoding/json"

	"cove/api"
	"cove/internal/extension"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/input"
	"cove/internal/httpapi/permit"
	"cove/internal/profile"
)

// Attach answers POST /extensions/attach.
func (h *Handlers) Attach(c *call.Call) (any, error) {
	in, err := read(c)
	if err != nil {
		return nil, err
	}
	return h.change(c, in, h.takers, h.attach)
}

// Detach answers POST /extensions/detach.
func (h *Handlers) Detach(c *call.Call) (any, error) {
	in, err := read(c)
	if err != nil {
		return nil, err
	}
	return h.change(c, in, h.profiles, h.detach)
}

// OfProfile answers GET /browser_profiles/{id}/extensions.
func (h *Handlers) OfProfile(c *call.Call) (any, error) {
	if err := call.First(c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	if _, err := h.Profiles.Get(c.Context(), c.ID); err != nil {
		return nil, err
	}
	all, err := h.Library.Of(c.Context(), c.ID)
	if err != nil {
		return nil, err
	}
	out := api.ProfileExtensions{Data: []api.ProfileExtension{}}
	for _, e := range all {
		out.Data = append(out.Data, api.ProfileExtension{Extension: show(e.Extension), Enabled: e.Enabled})
	}
	return out, nil
}

// AddToProfile answers POST /browser_profiles/{id}/extensions.
func (h *Handlers) AddToProfile(c *call.Call) (any, error) {
	in, err := readOne(c)
	if err != nil {
		return nil, err
	}
	return h.change(c, in, h.takers, h.attach)
}

// RemoveFromProfile answers DELETE /browser_profiles/{id}/extensions.
func (h *Handlers) RemoveFromProfile(c *call.Call) (any, error) {
	in, err := readOne(c)
	if err != nil {
		return nil, err
	}
	return h.change(c, in, h.profiles, h.detach)
}

// EnableInProfile answers PATCH /browser_profiles/{id}/extensions.
func (h *Handlers) EnableInProfile(c *call.Call) (any, error) {
	in, err := readOne(c)
	if err == nil {
		err = in.CheckEnabled()
	}
	if err != nil {
		return nil, err
	}
	return h.change(c, in, h.takers, h.enable)
}

// Enable answers PATCH /extensions. Without profiles it means all that have one of the extensions.
func (h *Handlers) Enable(c *call.Call) (any, error) {
	in, err := read(c)
	if err == nil {
		err = in.CheckEnabled()
	}
	if err != nil {
		return nil, err
	}
	if len(in.ProfileIDs) > 0 {
		return h.change(c, in, h.takers, h.enable)
	}
	es, err := extensionIDs("extensionIds", in.ExtensionIDs)
	if err != nil {
		return nil, err
	}
	if err := call.First(c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	have := map[extension.ID][]profile.ID{}
	for _, e := range es {
		ps, err := h.Library.Profiles(c.Context(), e)
		if err != nil {
			return nil, err
		}
		if err := permit.Extensions(c, ps); err != nil {
			return nil, err
		}
		for _, p := range ps {
			if p.Trashed.IsZero() {
				have[e] = append(have[e], p.ID)
			}
		}
	}
	for _, e := range es {
		if err := h.Library.Enable(c.Context(), []extension.ID{e}, have[e], bool(*in.Enabled)); err != nil {
			return nil, err
		}
	}
	return api.OK{Success: true}, nil
}

type apply func(c *call.Call, in api.ExtensionChange, es []extension.ID, ps []profile.ID) error

func (h *Handlers) attach(c *call.Call, in api.ExtensionChange, es []extension.ID, ps []profile.ID) error {
	return h.Library.Attach(c.Context(), es, ps, (*bool)(in.Enabled))
}

func (h *Handlers) enable(c *call.Call, in api.ExtensionChange, es []extension.ID, ps []profile.ID) error {
	return h.Library.Enable(c.Context(), es, ps, bool(*in.Enabled))
}

func (h *Handlers) detach(c *call.Call, _ api.ExtensionChange, es []extension.ID, ps []profile.ID) error {
	return h.Library.Detach(c.Context(), es, ps)
}

// readOne reads a change of the profile in the path.
func readOne(c *call.Call) (api.ExtensionChange, error) {
	in, err := read(c)
	if err == nil && len(in.ProfileIDs) > 0 {
		err = fault.Fieldf("profileIds", "The path names the profile already.").
			WithHint("Leave profileIds out, or use /extensions/attach.")
	}
	in.ProfileIDs = api.IDList{c.ID}
	return in, err
}

// read reads a change. It refuses names that it does not know: one that is misspelt would change another profile.
func read(c *call.Call) (in api.ExtensionChange, err error) {
	raw, err := c.JSON()
	if err != nil {
		return in, err
	}
	if raw == nil {
		raw = json.RawMessage("{}")
	}
	if err := input.DecodeJSON(raw, &in); err != nil {
		return in, err
	}
	var names map[string]json.RawMessage
	_ = json.Unmarshal(raw, &names)
	for name := range names {
		switch name {
		case "extensionIds", "profileIds", "enabled":
		default:
			return in, fault.Fieldf(name, "The field %q is not known here.", input.Clip(name)).
				WithHint(`Send {"extensionIds":[1],"profileIds":[1,2]}.`)
		}
	}
	return in, nil
}

type find func(c *call.Call, ids []profile.ID) ([]profile.Profile, error)

// change applies a change to all profiles that of finds, or to none. It is in force from their next start on.
func (h *Handlers) change(c *call.Call, in api.ExtensionChange, of find, do apply) (any, error) {
	es, err := extensionIDs("extensionIds", in.ExtensionIDs)
	if err != nil {
		return nil, err
	}
	ids, err := checkIDs("profileIds", in.ProfileIDs, "profiles")
	if err != nil {
		return nil, err
	}
	if err := call.First(c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	ps, err := of(c, ids)
	if err != nil {
		return nil, err
	}
	if err := permit.Extensions(c, ps); err != nil {
		return nil, err
	}
	return api.OK{Success: true}, do(c, in, es, ids)
}

// profiles returns the profiles of ids.
func (h *Handlers) profiles(c *call.Call, ids []profile.ID) ([]profile.Profile, error) {
	ps := make([]profile.Profile, len(ids))
	for i, id := range ids {
		p, err := h.Profiles.Get(c.Context(), id)
		if err != nil {
			return nil, err
		}
		ps[i] = p
	}
	return ps, nil
}

// takers returns the profiles of ids, which can have extensions of Cove's.
func (h *Handlers) takers(c *call.Call, ids []profile.ID) ([]profile.Profile, error) {
	ps, err := h.profiles(c, ids)
	if err != nil {
		return nil, err
	}
	for _, p := range ps {
		if err := p.NeedsData("add extensions to it"); err != nil {
			return nil, err
		}
	}
	return ps, nil
}
