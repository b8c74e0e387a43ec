package profiles

import (
	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/permit"
	"cove/internal/httpapi/wire"
	"cove/internal/profile"
)

// Edit answers PATCH /browser_profiles/{id} and PUT /browser_profiles/{id}. Both leave what is not sent: scripts send
// only what they change, with either.
func (h *Handlers) Edit(c *call.Call) (any, error) {
	raw, err := c.JSON()
	if err != nil {
		return nil, err
	}
	if raw == nil {
		return nil, fault.Invalidf("The request contains no changes.")
	}
	in, ignored, err := wire.ReadInput(raw)
	if err != nil {
		return nil, err
	}
	if in.Policy != nil {
		return nil, fault.Fieldf("policy", "This call cannot change the policy of a profile.").
			WithHint("Send it with PUT to /v1.0/browser_profiles/" + c.ID.String() +
				"/policy, or use: cove policy set " + c.ID.String())
	}
	before, err := h.profileToChange(c, &in)
	if err != nil {
		return nil, wire.Spelled(raw, err)
	}
	after, err := changed(before, in)
	if err != nil {
		return nil, err
	}
	granted, err := permit.Edit(c, h.Browsers, before, after)
	if err != nil {
		return nil, err
	}

	p, err := h.Profiles.Update(c.Context(), c.ID, func(p *profile.Profile) error {
		next, err := changed(*p, in)
		if err != nil {
			return err
		}
		// A browser other than the one that was checked counts as unknown.
		if !granted && permit.NeedsPerson(*p, next, next.Browser == after.Browser) != "" {
			return permit.ErrChanged()
		}
		*p = next
		return nil
	})
	if err != nil {
		return nil, err
	}
	return h.data(c, p, true, ignored)
}

// profileToChange returns the profile that a call changes, after it has checked the input and the caller. It fills in
// what the input refers to.
func (h *Handlers) profileToChange(c *call.Call, in *api.ProfileInput) (p profile.Profile, err error) {
	trial := profile.Profile{Name: "trial"}
	wire.Apply(*in, &trial)
	wrong := trial.Clean()
	if trial.Args = nil; wrong != nil && trial.Clean() != nil {
		return p, wrong
	}
	err = call.First(c.RequireCredential, c.RequireLogin)
	if err == nil {
		p, err = h.Profiles.Get(c.Context(), c.ID)
	}
	if err != nil && wrong != nil {
		return p, wrong // otherwise the arguments may be those that the profile already has
	}
	if err != nil {
		return p, err
	}
	return p, h.References.Find(c.Context(), in, c.Cloud())
}

// changed returns the profile after an edit.
func changed(p profile.Profile, in api.ProfileInput) (profile.Profile, error) {
	next := p
	wire.Apply(in, &next)
	return next, next.CleanEdit(p)
}
