// Package imports answers the call that takes profiles over from other products.
package imports

import (
	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/permit"
	"cove/internal/profile"
)

// Handlers answers the call.
type Handlers struct {
	Batches  profile.Batches
	Browsers permit.Browsers
	// Created announces new profiles.
	Created func(ids ...profile.ID)
}

// Import answers POST /import. It creates everything or nothing.
func (h *Handlers) Import(c *call.Call) (any, error) {
	raw, err := c.JSON()
	if err != nil {
		return nil, err
	}
	batch, dry, err := read(raw)
	if err != nil {
		return nil, err
	}
	if len(batch.Profiles)+len(batch.Proxies) == 0 {
		return nil, fault.Fieldf("profiles", "There is nothing to import.").
			WithHint(`Send {"profiles":[{"name":"work"}]}.`)
	}
	if err := call.First(c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	if err := permit.Create(c, h.Browsers, batch.Profiles...); err != nil {
		return nil, err
	}

	made, err := h.Batches.CreateBatch(c.Context(), batch, dry)
	if err != nil {
		return nil, err
	}
	out := api.Imported{
		Success: true, DryRun: dry, IDs: []profile.ID{}, Profiles: len(made.Profiles), Proxies: made.Proxies,
		Folders: made.Folders, Statuses: made.Statuses,
	}
	if made.UnchangedLinks > 0 {
		out.Ignored = []string{"proxies.changeIpUrl"}
	}
	if dry {
		return out, nil
	}
	for _, p := range made.Profiles {
		out.IDs = append(out.IDs, p.ID)
	}
	if len(out.IDs) > 0 {
		h.Created(out.IDs...)
	}
	return out, nil
}
