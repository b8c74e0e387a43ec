package proxies

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/input"
	"cove/internal/httpapi/wire"
	"cove/internal/proxy"
)

// Check answers POST /check/proxy: a stored proxy by its id, or one that the request describes.
func (h *Handlers) Check(c *call.Call) (any, error) {
	raw, err := c.JSON()
	if err != nil {
		return nil, err
	}
	var in api.LooseProxy
	if raw != nil {
		if err := input.DecodeJSON(raw, &in); err != nil {
			return nil, err
		}
	}
	p := proxy.Proxy(in.Proxy)
	if err := p.Clean(); err != nil {
		return nil, err
	}
	if in.ID == 0 && !p.Set() {
		return nil, fault.Unprocessablef("host", "The request names no proxy.").
			WithHint(`Send {"id":7}, or type, host and port.`)
	}
	if err := may(c); err != nil {
		return nil, err
	}
	if in.ID != 0 {
		r, err := h.Proxies.Get(c.Context(), in.ID)
		if err != nil {
			return nil, err
		}
		if name := in.Disagrees(api.Proxy(r.Proxy)); name != "" {
			return nil, fault.Unprocessablef(name, "Proxy %d has another %s than the request.", r.ID, name).
				WithHint("Send the id alone, or change the proxy first.")
		}
		p = r.Proxy
	}

	checker, err := h.checker(c.Context())
	if err != nil {
		return nil, err
	}
	result := checker.Check(c.Context(), p)
	if in.ID != 0 && c.Context().Err() == nil {
		if err := h.Proxies.SetCheck(c.Context(), in.ID, p, result); err != nil {
			return nil, err
		}
	}
	shown := wire.ShowCheck(result, p)
	shown.Hint = checker.Hint(p)
	return shown, nil
}

// CheckMany answers POST /proxy/check with a line of JSON for each proxy, as soon as it is checked. Without ids it
// checks all. It stops when the caller leaves.
func (h *Handlers) CheckMany(c *call.Call) (any, error) {
	ids, err := readIDs(c)
	if err != nil {
		return nil, err
	}
	if err := may(c); err != nil {
		return nil, err
	}
	all, err := h.all(c.Context(), ids)
	if err != nil {
		return nil, err
	}
	checker, err := h.checker(c.Context())
	if err != nil {
		return nil, err
	}

	ctx, cancel := context.WithCancel(c.Context())
	defer cancel()
	go func() {
		select {
		case <-h.Ended:
			cancel()
		case <-ctx.Done():
		}
	}()
	c.LiftLimits()
	c.W.Header().Set("Content-Type", "application/jsonl")
	c.W.WriteHeader(http.StatusOK)
	flush, lines, done := http.NewResponseController(c.W), json.NewEncoder(c.W), 0
	_ = flush.Flush()
	checker.All(ctx, all, func(r proxy.Record, result proxy.Check) {
		_ = h.Proxies.SetCheck(ctx, r.ID, r.Proxy, result) // the caller gets the result all the same
		done++
		shown := wire.ShowCheck(result, r.Proxy)
		shown.Hint = checker.Hint(r.Proxy)
		if lines.Encode(api.ProxyChecked{ID: r.ID, Done: done, Total: len(all), Check: shown}) != nil ||
			flush.Flush() != nil {
			cancel()
		}
	})
	return call.Streamed{}, nil
}

// all returns the proxies with these ids, or every proxy. It refuses an id that no proxy has.
func (h *Handlers) all(ctx context.Context, ids []proxy.ID) (all []proxy.Record, err error) {
	const limit = 1000
	for page := 1; ; page++ {
		found, err := h.Proxies.List(ctx, proxy.Query{IDs: ids, Page: page, PerPage: limit})
		if err != nil {
			return nil, err
		}
		all = append(all, found.Proxies...)
		if len(found.Proxies) < limit {
			break
		}
	}
	if len(ids) > len(all) {
		for _, id := range ids {
			if _, err := h.Proxies.Get(ctx, id); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// ChangeIP answers GET /proxy/{id}/change_proxy_ip.
func (h *Handlers) ChangeIP(c *call.Call) (any, error) {
	if err := may(c); err != nil {
		return nil, err
	}
	r, err := h.Proxies.Get(c.Context(), id(c))
	if err != nil {
		return nil, err
	}
	return h.changeIP(c, r)
}

// ChangeProfileIP answers GET /browser_profiles/{id}/change_proxy_ip.
func (h *Handlers) ChangeProfileIP(c *call.Call) (any, error) {
	if err := may(c); err != nil {
		return nil, err
	}
	p, err := h.Profiles.Get(c.Context(), c.ID)
	if err != nil {
		return nil, err
	}
	if p.ProxyID == 0 {
		return nil, fault.Unprocessablef("proxy", "Profile %s has no proxy.", p.ID).
			WithHint("Give it one with: cove profile edit " + p.ID.String() + " --proxy …")
	}
	r, err := h.Proxies.Get(c.Context(), p.ProxyID)
	if err != nil {
		return nil, err
	}
	return h.changeIP(c, r)
}

func (h *Handlers) changeIP(c *call.Call, r proxy.Record) (any, error) {
	if strings.TrimSpace(r.ChangeIPURL) == "" {
		return nil, fault.Unprocessablef("changeIpUrl", "Proxy %d has no link that changes its IP address.", r.ID).
			WithHint(fmt.Sprintf("Add the link that the provider of the proxy gives you (changeIpUrl in the API): "+
				"cove proxy edit %d --change-ip URL", r.ID))
	}
	c.AllowTime()
	return api.OK{Success: true}, h.Links.Call(c.Context(), r.ChangeIPURL)
}
