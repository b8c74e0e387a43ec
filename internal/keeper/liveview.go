package keeper

import (
	"encoding/json"
	"net/http"

	"cove/internal/fault"
	"cove/internal/keeper/control"
	"cove/internal/keeper/live"
	"cove/internal/mcpserver"
)

// liveSource is what the live view and the list of agents read.
type liveSource struct {
	*mcpserver.Server
	agents *agents
}

// Connected returns everybody who works in the profile now.
func (s liveSource) Connected() live.Connected {
	c := live.Connected{Agents: s.Agents()}
	if gate := s.agents.gate.Load(); gate != nil {
		c.Scripts = gate.Connected()
	}
	return c
}

// Control knows in which tabs the person works.
func (s liveSource) Control() *control.Controller { return s.agents.control }

// list answers who is connected.
func (a *agents) list(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(liveSource{a.server, a}.Connected())
}

// live streams the profile to a person who watches it.
func (a *agents) live(w http.ResponseWriter, r *http.Request) {
	b, err := a.awaitBrowser(r.Context())
	if err != nil {
		http.Error(w, fault.From(err).Text, http.StatusConflict)
		return
	}
	live.Serve(w, r, b, liveSource{a.server, a})
}
