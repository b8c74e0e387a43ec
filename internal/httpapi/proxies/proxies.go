// Package proxies answers the calls about stored proxies: reading and changing them, checks, and change of IP address.
package proxies

import (
	"context"
	"slices"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/input"
	"cove/internal/httpapi/permit"
	"cove/internal/httpapi/wire"
	"cove/internal/profile"
	"cove/internal/proxy"
	"cove/internal/proxy/changeip"
	"cove/internal/proxy/check"
)

// Handlers answers the calls about proxies.
type Handlers struct {
	Proxies  proxy.Store
	Profiles Profiles
	// CheckURL returns the setting proxy.check.
	CheckURL func(context.Context) (string, error)
	Links    changeip.Caller
	// Changed announces profiles whose proxy has changed.
	Changed func(ids ...profile.ID)
	Ended   <-chan struct{} // closed when the app ends
}

// Profiles reads profiles.
type Profiles interface {
	Get(ctx context.Context, id profile.ID) (profile.Profile, error)
	List(ctx context.Context, q profile.Query) (profile.Page, error)
}

func id(c *call.Call) proxy.ID { return proxy.ID(c.ID) }

// may refuses callers without a credential: answers have passwords, and a check connects to any address.
func may(c *call.Call) error { return call.First(c.RequireCredential, c.RequireLogin) }

// List answers GET /proxy.
func (h *Handlers) List(c *call.Call) (any, error) {
	q, err := call.ReadList[proxy.ID](c)
	if err != nil {
		return nil, err
	}
	if err := may(c); err != nil {
		return nil, err
	}
	found, err := h.Proxies.List(c.Context(), proxy.Query{Search: q.Search, IDs: q.IDs, Page: q.Page, PerPage: q.Limit,
		ByName: q.Sort == "name", Desc: q.Desc, ExactFirst: q.Sort == ""})
	if err != nil {
		return nil, err
	}
	out := api.StoredProxyList{
		Data:     make([]api.StoredProxy, len(found.Proxies)),
		PageInfo: c.PageInfo(q.Page, q.Limit, found.Total, len(found.Proxies)),
	}
	for i, r := range found.Proxies {
		out.Data[i] = wire.ShowProxy(r)
	}
	return out, nil
}

// Read answers GET /proxy/{id}.
func (h *Handlers) Read(c *call.Call) (any, error) {
	if err := may(c); err != nil {
		return nil, err
	}
	r, err := h.Proxies.Get(c.Context(), id(c))
	if err != nil {
		return nil, err
	}
	return data(r, nil), nil
}

func data(r proxy.Record, ignored []string) api.StoredProxyData {
	return api.StoredProxyData{Success: true, ProxyID: r.ID, Data: wire.ShowProxy(r), Ignored: ignored}
}

// Create answers POST /proxy.
func (h *Handlers) Create(c *call.Call) (any, error) {
	in, ignored, err := readInput(c)
	if err != nil {
		return nil, err
	}
	r := proxy.Record{Saved: true}
	if err := in.apply(&r); err != nil {
		return nil, err
	}
	if err := may(c); err != nil {
		return nil, err
	}
	created, err := h.Proxies.Create(c.Context(), r)
	if err != nil {
		return nil, err
	}
	return data(created[0], input.Sorted(ignored)), nil
}

// Edit answers PATCH /proxy/{id} and PUT /proxy/{id}. Both leave what is not sent.
func (h *Handlers) Edit(c *call.Call) (any, error) {
	in, ignored, err := readInput(c)
	if err != nil {
		return nil, err
	}
	trial := proxy.Record{Proxy: proxy.Proxy{Type: "http", Host: "trial.example", Port: 1}}
	if err := call.First(func() error { return in.apply(&trial) }, func() error { return may(c) }); err != nil {
		return nil, err
	}
	r, err := permit.EditProxy(c, h.Proxies, id(c), in.apply)
	if err != nil {
		return nil, err
	}
	users, err := permit.UsersOf(c.Context(), h.Profiles, r.ID)
	if err != nil {
		return nil, err
	}
	if len(users[r.ID]) > 0 {
		h.Changed(users[r.ID]...)
	}
	return data(r, input.Sorted(ignored)), nil
}

// Delete answers DELETE /proxy/{id}.
func (h *Handlers) Delete(c *call.Call) (any, error) { return h.remove(c, id(c)) }

// DeleteMany answers DELETE /proxy.
func (h *Handlers) DeleteMany(c *call.Call) (any, error) {
	ids, err := readIDs(c)
	if err != nil {
		return nil, err
	}
	if len(ids) == 0 || len(ids) > api.MaxMass {
		return nil, fault.Fieldf("ids", "You can delete 1 to %d proxies at a time.", api.MaxMass).
			WithHint(`Send {"ids":[1,2]}.`)
	}
	return h.remove(c, ids...)
}

func readIDs(c *call.Call) ([]proxy.ID, error) {
	var in api.ProxyIDs
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	ids := make([]proxy.ID, len(in.IDs))
	for i, id := range in.IDs {
		ids[i] = proxy.ID(id)
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

func (h *Handlers) remove(c *call.Call, ids ...proxy.ID) (any, error) {
	if err := may(c); err != nil {
		return nil, err
	}
	return api.OK{Success: true}, h.Proxies.Delete(c.Context(), ids...)
}

// checker returns what checks proxies, with the setting of the moment.
func (h *Handlers) checker(ctx context.Context) (check.Checker, error) {
	if h.CheckURL == nil {
		return check.Checker{}, nil
	}
	url, err := h.CheckURL(ctx)
	return check.Checker{URL: url}, err
}
