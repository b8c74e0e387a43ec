package proxies

import (
	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/proxy"
)

// Import answers POST /proxy/import: one proxy per line, all of them or none. A proxy that is stored already, with the
// same login and password, is not stored again.
func (h *Handlers) Import(c *call.Call) (any, error) {
	var in api.ProxyLines
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	records, err := proxy.ParseList(in.Text)
	if err != nil {
		return nil, fault.From(err).WithField("text")
	}
	if err := may(c); err != nil {
		return nil, err
	}
	stored, created, err := h.Proxies.Import(c.Context(), records...)
	if err != nil {
		return nil, err
	}

	out := api.ProxiesImported{Success: true, Created: created, IDs: []api.ProxyID{}}
	for i, r := range stored {
		out.IDs = append(out.IDs, r.ID)
		if link := records[i].ChangeIPURL; link != "" && link != r.ChangeIPURL {
			out.Ignored = []string{"changeIpUrl"}
		}
	}
	return out, nil
}
