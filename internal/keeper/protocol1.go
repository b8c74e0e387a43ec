package keeper

import (
	"net/http"

	"cove/internal/keeperclient"
	"cove/internal/policy"
)

// protocol1Routes are the calls of an app of protocol 1: it was running while Cove was replaced on disk, and started
// this keeper.
func (p *policyAPI) protocol1Routes(routes *http.ServeMux) {
	routes.HandleFunc("GET "+keeperclient.Access1Path, p.watch(func(s policy.State) any {
		return keeperclient.NewState1(s)
	}))
	p.accessRoutes(routes, keeperclient.Access1Path, keeperclient.Suspend1Name)
}
