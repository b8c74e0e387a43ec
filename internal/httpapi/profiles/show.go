package profiles

import (
	"context"

	"cove/api"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/input"
	"cove/internal/httpapi/wire"
	"cove/internal/profile"
	"cove/internal/proxy"
)

// show returns profiles in the shape of the call: Cove's own or that of Dolphin's cloud API.
func (h *Handlers) show(c *call.Call, owned bool, ps ...profile.Profile) (own []api.Profile, cloud []any, err error) {
	if !c.Cloud() {
		own = make([]api.Profile, len(ps))
		for i, p := range ps {
			own[i] = wire.ShowProfile(p, h.Sessions.Get(p.ID).Shown(), owned)
		}
		return own, nil, nil
	}

	stored, err := h.proxiesOf(c.Context(), ps)
	if err != nil {
		return nil, nil, err
	}
	cloud = make([]any, len(ps))
	for i, p := range ps {
		cloud[i] = wire.ShowCloudProfile(p, h.Sessions.Get(p.ID).Shown(), stored[p.ProxyID], owned)
	}
	return nil, cloud, nil
}

// proxiesOf returns the stored proxies of profiles by their ids.
func (h *Handlers) proxiesOf(ctx context.Context, ps []profile.Profile) (map[proxy.ID]proxy.Record, error) {
	q := proxy.Query{Page: 1, PerPage: len(ps)}
	for _, p := range ps {
		if p.ProxyID != 0 {
			q.IDs = append(q.IDs, p.ProxyID)
		}
	}
	if len(q.IDs) == 0 {
		return nil, nil
	}
	page, err := h.Proxies.List(ctx, q)
	found := make(map[proxy.ID]proxy.Record, len(page.Proxies))
	for _, r := range page.Proxies {
		found[r.ID] = r
	}
	return found, err
}

// data answers with one profile.
func (h *Handlers) data(c *call.Call, p profile.Profile, owned bool, ignored []string) (any, error) {
	own, cloud, err := h.show(c, owned, p)
	if err != nil {
		return nil, err
	}
	if c.Cloud() {
		return api.CloudProfileData{Data: cloud[0], Ignored: ignored}, nil
	}
	return api.ProfileData{Data: own[0], Ignored: ignored}, nil
}

// created answers with a new profile.
func (h *Handlers) created(c *call.Call, p profile.Profile, ignored []string) (any, error) {
	own, cloud, err := h.show(c, true, p)
	if err != nil {
		return nil, err
	}
	ignored = input.Sorted(ignored)
	if c.Cloud() {
		return api.CloudCreated{Success: true, BrowserProfileID: p.ID, Data: cloud[0], Ignored: ignored}, nil
	}
	return api.Created{Success: true, BrowserProfileID: p.ID, Data: own[0], Ignored: ignored}, nil
}
