package keeper

import (
	"context"
	"net"
	"net/http"
	"net/http/httputil"

	"cove/internal/fault"
	"cove/internal/paths"
)

// headerCaller names the credential of a caller over HTTP, for the keeper to tell them apart.
const headerCaller = "Cove-Caller"

// AgentProxy passes MCP requests on to the keeper of an open profile.
func AgentProxy(dir paths.ProfileDir) (http.Handler, error) { return toKeeper(dir, "/v1/mcp/http") }

// toKeeper passes requests on to a path of the keeper of an open profile.
func toKeeper(dir paths.ProfileDir, path string) (http.Handler, error) {
	record, err := FindAgentLine(dir)
	if err != nil {
		return nil, fault.New(fault.NotFound, "E_NOT_OPEN", "The profile is not open for agents.", "Start a new session.").Because(err)
	}
	return &httputil.ReverseProxy{
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
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			http.Error(w, "The profile has closed: "+err.Error(), http.StatusBadGateway)
		},
	}, nil
}
