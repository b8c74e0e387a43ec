package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// What a check has tried: only to connect, so that a login may be wrong; the login, too; or a page through the proxy.
const (
	TestedConnection = "connection"
	TestedLogin      = "login"
	TestedPage       = "page"
)

// ProxyCheck is the result of a check of a proxy.
type ProxyCheck struct {
	Success bool `json:"success"`
	// Status says the same as Success. Clients of other products read it.
	Status bool `json:"status"`
	// IP and the place are known only with the setting proxy.check.
	IP       string `json:"ip"`
	Country  string `json:"country"`
	Region   string `json:"region"`
	City     string `json:"city"`
	Timezone string `json:"timezone"`
	// Tested says what a check that passed has tried: one of TestedConnection, TestedLogin and TestedPage.
	Tested string `json:"tested,omitempty"`
	// Latency is in milliseconds.
	Latency   int       `json:"latency"`
	CreatedAt time.Time `json:"createdAt"`
	// Error says what failed. Hint says how to learn more.
	Error string `json:"error,omitempty"`
	Hint  string `json:"hint,omitempty"`
}

// StoredProxy is a proxy that profiles refer to by its id.
type StoredProxy struct {
	ID          ProxyID `json:"id"`
	Name        string  `json:"name"`
	Type        string  `json:"type"`
	Host        string  `json:"host"`
	Port        int     `json:"port"`
	Login       string  `json:"login"`
	Password    string  `json:"password"`
	ChangeIPURL string  `json:"changeIpUrl"`
	// SavedByUser is false for a proxy that came with a profile. It goes with the last profile that uses it.
	SavedByUser bool `json:"savedByUser"`
	// LastCheck is null until the proxy is checked.
	LastCheck *ProxyCheck `json:"lastCheck"`
	// Profiles is how many profiles use the proxy, the trash included.
	Profiles int       `json:"browser_profiles_count"`
	Created  time.Time `json:"created_at"`
	Updated  time.Time `json:"updated_at"`
}

// StoredProxyInput describes a stored proxy. A field that is left out stays unchanged.
type StoredProxyInput struct {
	Type        *string `json:"type,omitempty"`
	Host        *string `json:"host,omitempty"`
	Port        *Number `json:"port,omitempty"`
	Login       *string `json:"login,omitempty"`
	Password    *string `json:"password,omitempty"`
	Name        *string `json:"name,omitempty"`
	ChangeIPURL *string `json:"changeIpUrl,omitempty"`
	// Proxy is a proxy as people paste it, in place of type, host, port, login and password.
	Proxy *string `json:"proxy,omitempty"`
}

// StoredProxyData is one stored proxy.
type StoredProxyData struct {
	Success bool        `json:"success"`
	ProxyID ProxyID     `json:"proxyId"`
	Data    StoredProxy `json:"data"`
	Ignored []string    `json:"ignored,omitzero"`
}

// StoredProxyList is one page of stored proxies.
type StoredProxyList struct {
	Data []StoredProxy `json:"data"`
	PageInfo
}

// ProxyLines are proxies as people paste them, one per line.
type ProxyLines struct {
	Text string `json:"text"`
}

// ProxiesImported is the answer to an import.
type ProxiesImported struct {
	Success bool `json:"success"`
	// IDs are those of all lines, in their order. Created of them are new; the others were stored already.
	IDs     []ProxyID `json:"ids"`
	Created int       `json:"created"`
	// Ignored names changeIpUrl if a proxy kept its own link: a profile with rules uses it.
	Ignored []string `json:"ignored,omitempty"`
}

// ProxyIDs names several stored proxies.
type ProxyIDs struct {
	IDs IDList `json:"ids,omitempty"`
}

// ProxyChecked is one line of the answer to a check of many proxies.
type ProxyChecked struct {
	ID ProxyID `json:"id"`
	// Done of Total proxies are checked, this one included.
	Done  int        `json:"done"`
	Total int        `json:"total"`
	Check ProxyCheck `json:"check"`
}

// ProxyCalls are the calls about stored proxies.
type ProxyCalls struct{ client *Client }

// Proxies returns the calls about stored proxies.
func (c *Client) Proxies() ProxyCalls { return ProxyCalls{c} }

// List returns one page of stored proxies.
func (c ProxyCalls) List(ctx context.Context, query url.Values) (l StoredProxyList, err error) {
	err = c.client.Do(ctx, http.MethodGet, "/proxy?"+query.Encode(), nil, &l)
	return l, err
}

// Get returns a stored proxy.
func (c ProxyCalls) Get(ctx context.Context, id ProxyID) (StoredProxy, error) {
	var d StoredProxyData
	err := c.client.Do(ctx, http.MethodGet, fmt.Sprintf("/proxy/%d", id), nil, &d)
	return d.Data, err
}

// Create stores a proxy.
func (c ProxyCalls) Create(ctx context.Context, in StoredProxyInput) (StoredProxy, error) {
	var d StoredProxyData
	err := c.client.Do(ctx, http.MethodPost, "/proxy", in, &d)
	return d.Data, err
}

// Edit changes a stored proxy. Fields that are nil stay unchanged.
func (c ProxyCalls) Edit(ctx context.Context, id ProxyID, in StoredProxyInput) (StoredProxy, error) {
	var d StoredProxyData
	err := c.client.Do(ctx, http.MethodPatch, fmt.Sprintf("/proxy/%d", id), in, &d)
	return d.Data, err
}

// Delete deletes stored proxies: all of them or none.
func (c ProxyCalls) Delete(ctx context.Context, ids ...ProxyID) error {
	in := map[string][]ProxyID{"ids": ids}
	return c.client.Do(ctx, http.MethodDelete, "/proxy", in, nil)
}

// Import stores proxies from a text, one per line: all of them or none.
func (c ProxyCalls) Import(ctx context.Context, text string) (i ProxiesImported, err error) {
	err = c.client.Do(ctx, http.MethodPost, "/proxy/import", ProxyLines{Text: text}, &i)
	return i, err
}

// ChangeIP calls the link that gives a proxy another exit address.
func (c ProxyCalls) ChangeIP(ctx context.Context, id ProxyID) error {
	return c.client.Do(ctx, http.MethodGet, fmt.Sprintf("/proxy/%d/change_proxy_ip", id), nil, nil)
}

// Check checks stored proxies, all of them without ids, and calls each as soon as one is checked.
func (c ProxyCalls) Check(ctx context.Context, ids []ProxyID, each func(ProxyChecked)) error {
	in := map[string][]ProxyID{}
	if len(ids) > 0 {
		in["ids"] = ids
	}
	stream, err := c.client.stream(ctx, http.MethodPost, "/proxy/check", in)
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
