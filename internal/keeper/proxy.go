package keeper

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httputil"

	"cove/internal/fault"
	"cove/internal/paths"
)

// headerCaller names the credential of a caller over HTTP, for the keeper to tell them apart.
const headerCaller = "Cove-Caller"

// ProxyAgents passes an MCP request on to the keeper of an open profile. With an error nothing has been written.
func ProxyAgents(w http.ResponseWriter, r *http.Request, dir paths.ProfileDir) error {
	return toKeeper(w, r, dir, "/v1/mcp/http")
}

// ProxyLive passes the live view of an open profile on to a person. With an error nothing has been written.
func ProxyLive(w http.ResponseWriter, r *http.Request, dir paths.ProfileDir) error {
	return toKeeper(w, r, dir, "/v1/live")
}

// toKeeper passes a request on to a path of the keeper of an open profile.
func toKeeper(w http.ResponseWriter, r *http.Request, dir paths.ProfileDir, path string) error {
	record, err := FindAgentLine(dir)
	if err != nil {
		return errLeft(err)
	}
	var failed error
	proxy := &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.Out.URL.Scheme, p.Out.URL.Host, p.Out.URL.Path = "http", "keeper", path
			p.Out.Host = "localhost"
			p.Out.Header.Set(headerCaller, p.In.Header.Get("Authorization"))
			p.Out.Header.Set("Authorization", "Bearer "+record.Token)
		},
		Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", record.Socket)
		}},
		FlushInterval: -1,
		ErrorHandler:  func(_ http.ResponseWriter, _ *http.Request, err error) { failed = errLeft(err) },
	}
	proxy.ServeHTTP(w, r)
	return failed
}

// errLeft: the profile has closed under a client. It is told as a session that is gone, so that the client begins a new one.
func errLeft(err error) error {
	return fault.New(fault.CodeNotOpen, "The profile has closed.", "Start a new session: it opens the profile again.").Because(err)
}

// maxMCP bounds a message of an MCP client over HTTP.
const maxMCP = 64 << 20

// whole reads a request's body before it is answered: an answer that comes while the body is still being sent can get lost.
func whole(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMCP))
		if err != nil {
			http.Error(w, "the message is too long", http.StatusRequestEntityTooLarge)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}
