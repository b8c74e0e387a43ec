package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// Proxies returns one page of stored proxies.
func (c *Client) Proxies(ctx context.Context, query url.Values) (l StoredProxyList, err error) {
	err = c.Do(ctx, http.MethodGet, "/proxy?"+query.Encode(), nil, &l)
	return l, err
}

// Proxy returns a stored proxy.
func (c *Client) Proxy(ctx context.Context, id ProxyID) (StoredProxy, error) {
	var d StoredProxyData
	err := c.Do(ctx, http.MethodGet, fmt.Sprintf("/proxy/%d", id), nil, &d)
	return d.Data, err
}

// CreateProxy stores a proxy.
func (c *Client) CreateProxy(ctx context.Context, in StoredProxyInput) (StoredProxy, error) {
	var d StoredProxyData
	err := c.Do(ctx, http.MethodPost, "/proxy", in, &d)
	return d.Data, err
}

// EditProxy changes a stored proxy. Fields that are nil stay unchanged.
func (c *Client) EditProxy(ctx context.Context, id ProxyID, in StoredProxyInput) (StoredProxy, error) {
	var d StoredProxyData
	err := c.Do(ctx, http.MethodPatch, fmt.Sprintf("/proxy/%d", id), in, &d)
	return d.Data, err
}

// DeleteProxies deletes stored proxies: all of them or none.
func (c *Client) DeleteProxies(ctx context.Context, ids ...ProxyID) error {
	in := map[string][]ProxyID{"ids": ids}
	return c.Do(ctx, http.MethodDelete, "/proxy", in, nil)
}

// ImportProxies stores proxies from a text, one per line: all of them or none.
func (c *Client) ImportProxies(ctx context.Context, text string) (i ProxiesImported, err error) {
	err = c.Do(ctx, http.MethodPost, "/proxy/import", ProxyLines{Text: text}, &i)
	return i, err
}

// ChangeProxyIP calls the link that gives a proxy another exit address.
func (c *Client) ChangeProxyIP(ctx context.Context, id ProxyID) error {
	return c.Do(ctx, http.MethodGet, fmt.Sprintf("/proxy/%d/change_proxy_ip", id), nil, nil)
}

// CheckProxies checks stored proxies, all of them without ids, and calls each as soon as one is checked.
func (c *Client) CheckProxies(ctx context.Context, ids []ProxyID, each func(ProxyChecked)) error {
	in := map[string][]ProxyID{}
	if len(ids) > 0 {
		in["ids"] = ids
	}
	stream, err := c.stream(ctx, http.MethodPost, "/proxy/check", in)
	if err != nil {
		return err
	}
	defer func() { _ = stream.Close() }()
	lines := json.NewDecoder(stream)
	for {
		var one ProxyChecked
		if err := lines.Decode(&one); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("%w: %w", ErrNoApp, err)
		}
		each(one)
	}
}
