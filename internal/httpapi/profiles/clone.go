package profiles

import (
	"cove/api"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/wire"
	"cove/internal/profile"
)

// mayCopyData requires the person before the data of a profile with secrets is copied: secrets stay with their profile,
// and the copy would not hide their values.
func (h *Handlers) mayCopyData(c *call.Call) error {
	if _, err := h.Profiles.Get(c.Context(), c.ID); err != nil {
		return err
	}
	all, err := h.Secrets.List(c.ID)
	if err != nil || len(all) == 0 {
		return err
	}
	return c.RequirePersonFor("copy the data of a profile that has secrets")
}

// Clone answers POST /browser_profiles/{id}/clone.
func (h *Handlers) Clone(c *call.Call) (any, error) {
	var in api.CloneInput
	raw, err := c.JSON()
	if err != nil {
		return nil, err
	}
	ignored, err := wire.ReadClone(raw, &in)
	if err != nil {
		return nil, err
	}
	trial := profile.Profile{Name: in.Name}
	if in.Name == "" {
		trial.Name = "trial"
	}
	if err := call.First(trial.Clean, c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	if in.Data {
		if err := h.mayCopyData(c); err != nil {
			return nil, err
		}
	}
	source, err := h.Profiles.Get(c.Context(), c.ID)
	if err == nil {
		err = source.NeedsData("clone it")
	}
	if err != nil {
		return nil, err
	}
	c.AllowTime()
	p, err := h.Profiles.Clone(c.Context(), c.ID, in.Name, in.Data)
	if err != nil {
		return nil, err
	}
	return h.created(c, p, ignored)
}
