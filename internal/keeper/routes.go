package keeper

import "net/http"

// addRoutes adds the calls of the keeper's socket to those of its server, which are about the session's status. Every
// subject has its calls in a file of its own.
func (k *keeper) addRoutes(routes *http.ServeMux) {
	k.storageRoutes(routes)
	if k.maintains() {
		return
	}
	a := k.agents
	routes.HandleFunc("GET /v1/mcp", a.serve)
	routes.Handle("/v1/mcp/http", withWholeBody(a.server.Handler()))
	routes.HandleFunc("POST /v1/call", handleJSON(a.call))
	routes.HandleFunc("GET /v1/live", a.live)
	a.controlRoutes(routes)
	routes.HandleFunc("GET /v1/agents", a.list)
	routes.HandleFunc("GET /v1/secrets", handleJSON(k.listSecrets))
	k.policy.routes(routes)
	k.policy.protocol1Routes(routes)
	k.sharedRoutes(routes)
	(&requests{enforcer: k.enforcer, agents: a}).routes(routes)
}
