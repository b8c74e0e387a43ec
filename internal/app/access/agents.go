package access

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"cove/api"
	"cove/internal/keeperclient"
	"cove/internal/paths"
	"cove/internal/profile"
)

// Agents forwards MCP over HTTP and the live view to the keeper of a profile.
type Agents struct{ Home paths.Home }

// ServeMCP forwards an MCP request. After an error nothing was written.
func (a Agents) ServeMCP(w http.ResponseWriter, r *http.Request, id profile.ID) error {
	return keeperclient.ProxyMCP(w, r, a.Home.Profile(id))
}

// ServeLive forwards the live view. After an error nothing was written.
func (a Agents) ServeLive(w http.ResponseWriter, r *http.Request, id profile.ID) error {
	return keeperclient.ProxyLive(w, r, a.Home.Profile(id))
}

// Glance calls each with every message of the live view of a profile, until ctx or the profile's session ends.
func (a Agents) Glance(ctx context.Context, id profile.ID, each func(json.RawMessage)) error {
	c, err := keeperclient.Find(a.Home.Profile(id))
	if err != nil {
		return err
	}
	return c.Glance(ctx, each)
}

// Connected returns who works in an open profile, and how many tabs each has.
func (a Agents) Connected(ctx context.Context, id profile.ID) (out api.Agents) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	c, err := keeperclient.Find(a.Home.Profile(id))
	if err != nil {
		return out
	}
	connected, err := c.Agents(ctx)
	if err != nil {
		return out
	}

	for _, one := range connected.Agents {
		out.Data = append(out.Data, api.Agent{Profile: id, Name: one.Name, Kind: "agent", Since: &one.Since})
	}
	for range connected.Scripts {
		out.Data = append(out.Data, api.Agent{Profile: id, Name: "script", Kind: "script"})
	}
	for _, t := range connected.Tabs {
		out.Tabs = append(out.Tabs, api.OwnedTabs{Profile: id, Owner: t.Owner, Person: t.Person, Count: t.Count})
	}
	return out
}
