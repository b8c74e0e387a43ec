package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"cove/internal/httpapi/accounts"
	"cove/internal/httpapi/agents"
	"cove/internal/httpapi/input"
	"cove/internal/httpapi/machine"
	"cove/internal/httpapi/pages"
	"cove/internal/httpapi/profiles"
	"cove/internal/httpapi/sessions"
	"cove/internal/httpapi/stream"
)

// handlers answer the calls, grouped by what these are about.
type handlers struct {
	pages    pages.Handlers
	accounts accounts.Handlers
	agents   agents.Handlers
	machine  machine.Handlers
	profiles profiles.Handlers
	sessions sessions.Handlers
	stream   stream.Handlers
}

const (
	get   = http.MethodGet
	post  = http.MethodPost
	put   = http.MethodPut
	patch = http.MethodPatch
	del   = http.MethodDelete
)

// The names that the query of each call can hold.
var (
	listQuery = input.Query{
		Names:   []string{"page", "limit", "query", "search", "folder", "tags[]", "tags", "tag", "trashed", "sort"},
		Filters: true,
	}
	deleteQuery  = input.Query{Names: []string{"forceDelete"}}
	journalQuery = input.Query{Names: []string{"after", "before", "limit", "newest", "since", "agent", "outcome"}}
	logQuery     = input.Query{Names: []string{"lines"}}
	liveQuery    = input.Query{Names: []string{"tab"}}
)

// table is the whole API. A path with a fixed name stands before one with a parameter in the same position.
func (h *handlers) table() []route {
	routes := slices.Concat(h.pageRoutes(), h.profileRoutes(), h.agentRoutes(), h.accountRoutes(), h.machineRoutes())
	for i := range routes {
		routes[i].segments = strings.Split(strings.TrimPrefix(routes[i].path, "/"), "/")
	}
	return routes
}

// pageRoutes are the pages, and the sign-in of the window.
func (h *handlers) pageRoutes() []route {
	return []route{
		{method: get, path: "/", handle: h.pages.Home},
		{method: get, path: "/docs", handle: h.pages.Docs},
		{method: get, path: "/docs/docs.js", handle: h.pages.DocsScript},
		{method: get, path: "/docs/docs.css", handle: h.pages.DocsStyle},
		{method: post, path: "/ui/code", handle: h.accounts.WindowCode},
		{method: get, path: "/ui/session", handle: h.accounts.SignedIn},
		{method: post, path: "/ui/session", handle: h.accounts.SignIn},
		{method: del, path: "/ui/session", handle: h.accounts.SignOut},
		{method: get, path: "/ui/{name}", handle: h.pages.File},
		{method: get, path: "/openapi.json", handle: h.pages.Description},
	}
}

// profileRoutes are the profiles and their sessions.
func (h *handlers) profileRoutes() []route {
	return []route{
		{method: get, path: "/browser_profiles/running", handle: h.sessions.Running},
		{method: post, path: "/browser_profiles/start", handle: h.sessions.StartTemporary},
		{method: post, path: "/browser_profiles/mass", handle: h.profiles.CreateMany},
		{method: get, path: "/browser_profiles/{id}/start", handle: h.sessions.Start, acts: true},
		{method: post, path: "/browser_profiles/{id}/start", handle: h.sessions.Start},
		{method: get, path: "/browser_profiles/{id}/stop", handle: h.sessions.Stop, acts: true},
		{method: post, path: "/browser_profiles/{id}/stop", handle: h.sessions.Stop},
		{method: get, path: "/browser_profiles/{id}/active", handle: h.sessions.Active},
		{method: get, path: "/browser_profiles/{id}/live", handle: h.stream.Live, acts: true, query: liveQuery},
		{method: post, path: "/browser_profiles/{id}/restore", handle: h.profiles.Restore},
		{method: post, path: "/browser_profiles/{id}/clone", handle: h.profiles.Clone},
		{method: get, path: "/browser_profiles", handle: h.profiles.List, query: listQuery},
		{method: post, path: "/browser_profiles", handle: h.profiles.Create},
		{method: del, path: "/browser_profiles", handle: h.profiles.DeleteMany, query: deleteQuery},
		{method: get, path: "/browser_profiles/{id}", handle: h.profiles.Read},
		{method: patch, path: "/browser_profiles/{id}", handle: h.profiles.Edit},
		{method: put, path: "/browser_profiles/{id}", handle: h.profiles.Replace},
		{method: del, path: "/browser_profiles/{id}", handle: h.profiles.Delete, query: deleteQuery},
	}
}

// agentRoutes are what agents may do, ask for and did, and MCP over HTTP.
func (h *handlers) agentRoutes() []route {
	return []route{
		{method: get, path: "/browser_profiles/{id}/policy", handle: h.agents.Policy},
		{method: put, path: "/browser_profiles/{id}/policy", handle: h.agents.SetPolicy},
		{method: get, path: "/browser_profiles/{id}/secrets", handle: h.agents.ListSecrets},
		{method: post, path: "/browser_profiles/{id}/secrets", handle: h.agents.SetSecret},
		{method: del, path: "/browser_profiles/{id}/secrets/{name}", handle: h.agents.RemoveSecret},
		{method: get, path: "/browser_profiles/{id}/access", handle: h.agents.State},
		{method: post, path: "/browser_profiles/{id}/takeover", handle: h.agents.Takeover},
		{method: post, path: "/browser_profiles/{id}/giveback", handle: h.agents.GiveBack},
		{method: get, path: "/browser_profiles/{id}/journal", handle: h.agents.Journal, query: journalQuery},
		{method: get, path: "/browser_profiles/{id}/journal/verify", handle: h.agents.VerifyJournal},
		{method: get, path: "/browser_profiles/{id}/journal/pictures/{name}", handle: h.agents.JournalImage},
		{method: get, path: "/approvals", handle: h.agents.Approvals},
		{method: post, path: "/approvals/{name}", handle: h.agents.Decide},
		{method: get, path: "/panic", handle: h.agents.Panic},
		{method: post, path: "/panic", handle: h.agents.SetPanic},
		{method: get, path: "/agents", handle: h.agents.List},
		{method: get, path: "/mcp/{id}", handle: h.stream.MCP},
		{method: post, path: "/mcp/{id}", handle: h.stream.MCP},
		{method: del, path: "/mcp/{id}", handle: h.stream.MCP},
	}
}

// accountRoutes are the accounts, the tokens and the PIN.
func (h *handlers) accountRoutes() []route {
	return []route{
		{method: post, path: "/auth/login", handle: h.accounts.Login},
		{method: post, path: "/auth/login-with-token", handle: h.accounts.LoginWithToken},
		{method: post, path: "/auth/login-owner", handle: h.accounts.LoginOwner},
		{method: post, path: "/auth/logout", handle: h.accounts.Logout},
		{method: get, path: "/auth/me", handle: h.accounts.Me},
		{method: get, path: "/accounts", handle: h.accounts.List},
		{method: post, path: "/accounts", handle: h.accounts.Add},
		{method: post, path: "/accounts/plan", handle: h.accounts.SetPlan},
		{method: get, path: "/tokens", handle: h.accounts.ListTokens},
		{method: post, path: "/tokens", handle: h.accounts.CreateToken},
		{method: del, path: "/tokens/{name}", handle: h.accounts.RevokeToken},
		{method: get, path: "/pin", handle: h.accounts.ReadPIN},
		{method: put, path: "/pin", handle: h.accounts.SetPIN},
		{method: del, path: "/pin", handle: h.accounts.ClearPIN},
		{method: post, path: "/pin/unlock", handle: h.accounts.Unlock},
	}
}

// machineRoutes are the app, its computer and the MCP clients.
func (h *handlers) machineRoutes() []route {
	return []route{
		{method: get, path: "/status", handle: h.machine.Status},
		{method: get, path: "/events", handle: h.stream.Events, acts: true},
		{method: get, path: "/clients", handle: h.machine.ListClients},
		{method: post, path: "/clients/{name}/add", handle: h.machine.AddToClient},
		{method: post, path: "/clients/{name}/remove", handle: h.machine.RemoveFromClient},
		{method: post, path: "/clients/{name}/check", handle: h.machine.CheckClient},
		{method: post, path: "/clients/{name}/snippet", handle: h.machine.ClientSnippet},
		{method: get, path: "/settings", handle: h.machine.Settings},
		{method: put, path: "/settings/{name}", handle: h.machine.SetSetting},
		{method: get, path: "/browsers", handle: h.machine.Browsers},
		{method: get, path: "/doctor", handle: h.machine.Doctor},
		{method: get, path: "/logs", handle: h.machine.Logs, query: logQuery},
		{method: post, path: "/app/stop", handle: h.machine.StopApp},
	}
}
