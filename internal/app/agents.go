package app

import (
	"net/http"

	"cove/internal/keeper"
	"cove/internal/paths"
	"cove/internal/profile"
)

// agents passes MCP over HTTP on to the profile's keeper.
type agents struct{ home paths.Home }

func (a agents) ServeMCP(w http.ResponseWriter, r *http.Request, id profile.ID) error {
	return keeper.ProxyAgents(w, r, a.home.Profile(int32(id)))
}
