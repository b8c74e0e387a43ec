package keeper

import (
	"context"
	"net/http"
	"os"

	"cove/internal/keeperclient"
	"cove/internal/policy"
)

// policyRoutes are the calls by which the person controls agents. In ordinary mode there are no agents, and the calls
// have no effect.
func (k *keeper) policyRoutes(routes *http.ServeMux) {
	routes.HandleFunc("PUT /v1/policy", handleJSON(func(_ context.Context, p policy.Policy) (any, error) {
		if err := p.Clean(); err != nil {
			return nil, err
		}
		k.enforcer.Set(p)
		k.log.Info("policy", "preset", p.Preset)
		return nil, nil
	}))
	routes.HandleFunc("GET /v1/access", k.watchAccess)
	k.accessRoutes(routes, "/v1/access", "suspend")
	routes.HandleFunc("POST /v1/access/pause", handleJSON(func(_ context.Context, p keeperclient.Pause) (any, error) {
		return nil, k.enforcer.Pause(p.Session, p.On)
	}))
	routes.HandleFunc("POST /v1/access/disconnect", handleJSON(
		func(_ context.Context, p keeperclient.Pause) (any, error) {
			return nil, k.enforcer.Disconnect(p.Session)
		}))
}

// accessRoutes are the calls below prefix. suspend is the name of one of them, which protocol 1 calls otherwise.
func (k *keeper) accessRoutes(routes *http.ServeMux, prefix, suspend string) {
	post := func(name string, h http.HandlerFunc) { routes.HandleFunc("POST "+prefix+"/"+name, h) }
	post("decide", handleJSON(func(_ context.Context, d keeperclient.Decision) (any, error) {
		return nil, k.enforcer.Decide(d.ID, d.Yes, d.Always)
	}))
	post("takeover", handleJSON(func(ctx context.Context, _ struct{}) (any, error) { return k.startTakeover(ctx) }))
	post("giveback", handleJSON(func(ctx context.Context, _ struct{}) (any, error) { return k.endTakeover(ctx) }))
	post(suspend, handleJSON(func(_ context.Context, s keeperclient.Suspension) (any, error) {
		was := k.enforcer.State().Suspended
		if k.enforcer.Suspend(s.On); was != s.On {
			k.log.Info("agents suspended", "on", s.On)
		}
		return nil, nil
	}))
}

// watchAccess streams the enforcer's state, one line of JSON for each change; with ?once=1 it writes one line.
func (k *keeper) watchAccess(w http.ResponseWriter, r *http.Request) {
	sub := k.enforcer.Subscribe()
	defer sub.Close()
	once := r.URL.Query().Has("once")
	streamJSON(w, r, k.enforcer.State(), sub, k.exited, func(s policy.State) (any, bool) { return s, once })
}

// readPanic suspends the agents if the person has suspended them everywhere. It runs after others can find this
// keeper, so whoever writes the file and then looks for keepers misses none.
func (k *keeper) readPanic() {
	if k.spec.Panic == "" {
		return
	}
	if _, err := os.Stat(k.spec.Panic); err == nil {
		k.enforcer.Suspend(true)
	}
}
