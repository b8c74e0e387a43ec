package keeper

import (
	"net/http"

	"cove/internal/keeperclient"
	"cove/internal/policy"
)

// protocol1Routes are the calls of an app of protocol 1: it was running while Cove was replaced on disk, and started
// this keeper.
func (k *keeper) protocol1Routes(routes *http.ServeMux) {
	routes.HandleFunc("GET "+keeperclient.Access1Path, k.watchAccess1)
	k.accessRoutes(routes, keeperclient.Access1Path, keeperclient.Suspend1Name)
}

// watchAccess1 is watchAccess in the words of protocol 1.
func (k *keeper) watchAccess1(w http.ResponseWriter, r *http.Request) {
	sub := k.enforcer.Subscribe()
	defer sub.Close()
	once := r.URL.Query().Has("once")
	streamJSON(w, r, k.enforcer.State(), sub, k.exited, func(s policy.State) (any, bool) {
		return keeperclient.NewState1(s), once
	})
}
