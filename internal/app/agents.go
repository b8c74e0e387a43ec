package app

import (
	"context"
	"net/http"
	"time"

	"cove/api"
	"cove/internal/keeperclient"
	"cove/internal/paths"
	"cove/internal/profile"
)

// agents forwards MCP over HTTP and the live view to the keeper of a profile.
type agents struct{ home paths.Home }

// ServeMCP forwards an MCP request. After an error nothing was written.
func (a agents) ServeMCP(w http.ResponseWriter, r *http.Request, id profile.ID) error {
	return keeperclient.ProxyMCP(w, r, a.home.Profile(id))
}

// ServeLive forwards the live view. After an error nothing was written.
func (a agents) ServeLive(w http.ResponseWriter, r *http.Request, id profile.ID) error {
	return keeperclient.ProxyLive(w, r, a.home.Profile(id))
}

// Connected returns who works in an open profile.
func (a agents) Connected(ctx context.Context, id profile.ID) []api.Agent {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	c, err := keeperclient.Find(a.home.Profile(id))
	if err != nil {
		return nil
	}
	connected, err := c.Agents(ctx)
	if err != nil {
		return nil
	}

	var out []api.Agent
	for _, one := range connected.Agents {
		out = append(out, api.Agent{Profile: id, Name: one.Name, Kind: "agent", Since: &one.Since})
	}
	for range connected.Scripts {
		out = append(out, api.Agent{Profile: id, Name: "script", Kind: "script"})
	}
	return out
}
