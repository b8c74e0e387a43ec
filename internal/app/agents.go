package app

import (
	"context"
	"net/http"
	"time"

	"cove/api"
	"cove/internal/keeper"
	"cove/internal/paths"
	"cove/internal/profile"
)

// agents passes MCP over HTTP on to the profile's keeper.
type agents struct{ home paths.Home }

func (a agents) ServeMCP(w http.ResponseWriter, r *http.Request, id profile.ID) error {
	return keeper.ProxyAgents(w, r, a.home.Profile(int32(id)))
}

func (a agents) ServeLive(w http.ResponseWriter, r *http.Request, id profile.ID) error {
	return keeper.ProxyLive(w, r, a.home.Profile(int32(id)))
}

func (a agents) Connected(ctx context.Context, id profile.ID) []api.Agent {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	known, scripts, err := keeper.Connected(ctx, a.home.Profile(int32(id)))
	if err != nil {
		return nil
	}
	var out []api.Agent
	for _, one := range known {
		out = append(out, api.Agent{Profile: int32(id), Name: one.Name, Kind: "agent", Since: &one.Since})
	}
	for range scripts {
		out = append(out, api.Agent{Profile: int32(id), Name: "script", Kind: "script"})
	}
	return out
}
