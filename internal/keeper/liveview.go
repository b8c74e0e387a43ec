package keeper

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"cove/internal/fault"
	"cove/internal/keeper/control"
	"cove/internal/keeper/live"
	"cove/internal/keeperclient"
	"cove/internal/mcpserver"
	"cove/internal/policy/owner"
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

// Tabs knows which agent each tab belongs to.
func (s liveSource) Tabs() *owner.Table { return s.agents.keeper.enforcer.Tabs() }

// list answers who is connected, and how many tabs each has.
func (a *agents) list(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(struct {
		live.Connected
		Tabs []keeperclient.OwnedTabs `json:"tabs"`
	}{liveSource{a.server, a}.Connected(), a.countTabs()})
}

// countTabs counts the tabs of each owner, by name. Before the browser is ready there are none.
func (a *agents) countTabs() []keeperclient.OwnedTabs {
	select {
	case <-a.opened:
	default:
		return nil
	}
	if a.browser == nil {
		return nil
	}
	enforcer, counts := a.keeper.enforcer, map[keeperclient.OwnedTabs]int{}
	for _, t := range a.browser.Tabs() {
		whose := keeperclient.OwnedTabs{Owner: enforcer.Tabs().Of(t.ID())}
		if enforcer.Controlled(t.ID()) {
			whose = keeperclient.OwnedTabs{Person: true}
		}
		counts[whose]++
	}
	list := make([]keeperclient.OwnedTabs, 0, len(counts))
	for whose, n := range counts {
		whose.Count = n
		list = append(list, whose)
	}
	slices.SortFunc(list, func(a, b keeperclient.OwnedTabs) int {
		return cmp.Or(strings.Compare(a.Owner, b.Owner), cmp.Compare(b.Count, a.Count))
	})
	return list
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
