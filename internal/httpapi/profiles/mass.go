package profiles

import (
	"cove/api"
	"cove/internal/httpapi/call"
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
	ps, ignored, err := wire.ReadMany(raw)
	if err != nil {
		return nil, err
	}
	if err := call.First(c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	if err := permit.Create(c, h.Browsers, ps...); err != nil {
		return nil, err
	}
	made, err := h.Profiles.Create(c.Context(), ps...)
	if err != nil {
		return nil, err
	}
	out := api.CreatedMany{Success: true, IDs: make([]profile.ID, 0, len(made)), Ignored: ignored}
	for _, p := range made {
		out.IDs = append(out.IDs, p.ID)
	}
	return out, nil
}
