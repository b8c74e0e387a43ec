package keeper

import (
	"context"
	"log/slog"
	"net/http"
	"os"

	"cove/internal/keeperclient"
	"cove/internal/policy"
)

// policyAPI is the person's side of the policy on the keeper's socket: the person sets it, watches the agents, decides,
// takes over and keeps agents out. It owns nothing but takeovers; the enforcer has the state. In ordinary mode there
// are no agents, and the calls have no effect.
type policyAPI struct {
	enforcer  *policy.Enforcer
	takeovers *takeovers
	exited    <-chan struct{} // closed when the browser is gone, which ends what is watched
	log       *slog.Logger
}

// routes adds the calls.
func (p *policyAPI) routes(routes *http.ServeMux) {
	routes.HandleFunc("PUT /v1/policy", handleJSON(func(_ context.Context, set policy.Policy) (any, error) {
		if err := set.Clean(); err != nil {
			return nil, err
		}
		p.enforcer.Set(set)
		p.log.Info("policy", "preset", set.Preset)
		return nil, nil
	}))
	routes.HandleFunc("GET /v1/access", p.watch(func(s policy.State) any { return s }))
	p.accessRoutes(routes, "/v1/access", "suspend")
	routes.HandleFunc("POST /v1/access/pause", handleJSON(func(_ context.Context, in keeperclient.Pause) (any, error) {
		return nil, p.enforcer.Pause(in.Session, in.On)
	}))
	routes.HandleFunc("POST /v1/access/disconnect", handleJSON(
		func(_ context.Context, in keeperclient.Pause) (any, error) {
			return nil, p.enforcer.Disconnect(in.Session)
		}))
}

// accessRoutes are the calls below prefix. suspend is the name of one of them, which protocol 1 calls otherwise.
func (p *policyAPI) accessRoutes(routes *http.ServeMux, prefix, suspend string) {
	post := func(name string, h http.HandlerFunc) { routes.HandleFunc("POST "+prefix+"/"+name, h) }
	post("decide", handleJSON(func(_ context.Context, d keeperclient.Decision) (any, error) {
		return nil, p.enforcer.Decide(d.ID, d.Yes, d.Always)
	}))
	post("takeover", handleJSON(func(ctx context.Context, _ struct{}) (any, error) { return p.takeovers.start(ctx) }))
	post("giveback", handleJSON(func(ctx context.Context, _ struct{}) (any, error) { return p.takeovers.end(ctx) }))
	post(suspend, handleJSON(func(_ context.Context, s keeperclient.Suspension) (any, error) {
		was := p.enforcer.State().Suspended
		if p.enforcer.Suspend(s.On); was != s.On {
			p.log.Info("agents suspended", "on", s.On)
		}
		return nil, nil
	}))
}

// watch streams the enforcer's state in the words of a protocol, one line of JSON for each change; with ?once=1 it
// writes one line.
func (p *policyAPI) watch(inWords func(policy.State) any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		sub := p.enforcer.Subscribe()
		defer sub.Close()
		once := r.URL.Query().Has("once")
		streamJSON(w, r, p.enforcer.State(), sub, p.exited, func(s policy.State) (any, bool) {
			return inWords(s), once
		})
	}
}

// readPanic suspends the agents if the person has suspended them everywhere, which the existence of file says. It runs
// after others can find this keeper, so whoever writes the file and then looks for keepers misses none.
func (p *policyAPI) readPanic(file string) {
	if file == "" {
		return
	}
	if _, err := os.Stat(file); err == nil {
		p.enforcer.Suspend(true)
	}
}
