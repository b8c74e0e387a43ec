package keeperclient

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httputil"

	"cove/internal/fault"
	"cove/internal/paths"
)

// HeaderCaller carries the credential of a caller over HTTP, so that the keeper can tell callers apart.
const HeaderCaller = "Cove-Caller"

// ProxyMCP forwards an MCP request to the keeper of an open profile. After an error nothing was written.
func ProxyMCP(w http.ResponseWriter, r *http.Request, dir paths.ProfileDir) error {
	return forward(w, r, dir, "/v1/mcp/http")
}

// ProxyLive forwards the live view of an open profile to a person. After an error nothing was written.
func ProxyLive(w http.ResponseWriter, r *http.Request, dir paths.ProfileDir) error {
	return forward(w, r, dir, "/v1/live")
}

// Glance calls each with every message of the live view, for a person who looks at many profiles at once, until ctx or
// the profile's session ends.
func (c *Client) Glance(ctx context.Context, each func(json.RawMessage)) error {
	return stream(ctx, c, "/v1/live?glance", each)
}

// forward sends a request on to a path of the keeper of an open profile.
func forward(w http.ResponseWriter, r *http.Request, dir paths.ProfileDir, path string) error {
	c, err := Find(dir)
	if err != nil {
		return closedUnderClient(err)
	}
	var failed error
	proxy := &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.Out.URL.Scheme, p.Out.URL.Host, p.Out.URL.Path = "http", "keeper", path
			p.Out.Host = "localhost"
			p.Out.Header.Set(HeaderCaller, p.In.Header.Get("Authorization"))
			c.authorize(p.Out.Header)
		},
		Transport:     c.http.Transport,
		FlushInterval: -1,
		ErrorHandler:  func(_ http.ResponseWriter, _ *http.Request, err error) { failed = closedUnderClient(err) },
	}
	proxy.ServeHTTP(w, r)
	return failed
}

// closedUnderClient says that the profile has closed while a client used it. The client reads it as a session that is
// gone, and begins a new one.
func closedUnderClient(err error) error {
	return fault.New(fault.CodeNotOpen, "The profile has closed.",
		"Start a new session: it opens the profile again.").Because(err)
}
