package httpapi

import (
	"net/http"
	"strings"

	"cove/api"
)

// table is the whole API. A path with a name stands before one with a parameter in the same place.
func (s *Server) table() []route {
	const get, post, put, patch, del = http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete
	routes := []route{
		{method: get, path: "/", handle: s.home},
		{method: get, path: "/docs", handle: s.docs},
		{method: get, path: "/docs/docs.js", handle: s.docsScript},
		{method: get, path: "/docs/docs.css", handle: s.docsStyle},
		{method: post, path: "/ui/code", handle: s.windowCode},
		{method: get, path: "/ui/session", handle: s.signedIn},
		{method: post, path: "/ui/session", handle: s.signIn},
		{method: del, path: "/ui/session", handle: s.signOut},
		{method: get, path: "/ui/{name}", handle: s.windowFile},
		{method: get, path: "/openapi.json", handle: func(*call) (any, error) { return page{"application/json", api.OpenAPI}, nil }},
		{method: get, path: "/status", handle: s.status},
		{method: get, path: "/events", handle: s.events, acts: true},

		{method: get, path: "/browser_profiles/running", handle: s.running},
		{method: post, path: "/browser_profiles/start", handle: s.startTemporary},
		{method: post, path: "/browser_profiles/mass", handle: s.createMany},
		{method: get, path: "/browser_profiles/{id}/start", handle: s.start, acts: true},
		{method: post, path: "/browser_profiles/{id}/start", handle: s.start},
		{method: get, path: "/browser_profiles/{id}/stop", handle: s.stop, acts: true},
		{method: post, path: "/browser_profiles/{id}/stop", handle: s.stop},
		{method: get, path: "/browser_profiles/{id}/active", handle: s.active},
		{method: get, path: "/browser_profiles/{id}/live", handle: s.live, acts: true, takes: liveNames},
		{method: post, path: "/browser_profiles/{id}/restore", handle: s.restore},
		{method: post, path: "/browser_profiles/{id}/clone", handle: s.clone},
		{method: get, path: "/browser_profiles/{id}/policy", handle: s.policy},
		{method: put, path: "/browser_profiles/{id}/policy", handle: s.setPolicy},
		{method: get, path: "/browser_profiles/{id}/secrets", handle: s.secrets},
		{method: post, path: "/browser_profiles/{id}/secrets", handle: s.setSecret},
		{method: del, path: "/browser_profiles/{id}/secrets/{name}", handle: s.removeSecret},
		{method: get, path: "/browser_profiles/{id}/access", handle: s.access},
		{method: post, path: "/browser_profiles/{id}/takeover", handle: s.takeOver},
		{method: post, path: "/browser_profiles/{id}/giveback", handle: s.giveBack},
		{method: get, path: "/browser_profiles/{id}/journal", handle: s.journal, takes: journalNames},
		{method: get, path: "/browser_profiles/{id}/journal/verify", handle: s.verifyJournal},
		{method: get, path: "/browser_profiles/{id}/journal/pictures/{name}", handle: s.journalPicture},
		{method: get, path: "/browser_profiles", handle: s.list, takes: listNames},
		{method: post, path: "/browser_profiles", handle: s.create},
		{method: del, path: "/browser_profiles", handle: s.deleteMany, takes: deleteNames},
		{method: get, path: "/browser_profiles/{id}", handle: s.read},
		{method: patch, path: "/browser_profiles/{id}", handle: s.edit},
		{method: put, path: "/browser_profiles/{id}", handle: s.replace},
		{method: del, path: "/browser_profiles/{id}", handle: s.delete, takes: deleteNames},

		{method: post, path: "/auth/login", handle: s.login},
		{method: post, path: "/auth/login-with-token", handle: s.loginWithToken},
		{method: post, path: "/auth/login-owner", handle: s.loginOwner},
		{method: post, path: "/auth/logout", handle: s.logout},
		{method: get, path: "/auth/me", handle: s.me},
		{method: get, path: "/accounts", handle: s.accounts},
		{method: post, path: "/accounts", handle: s.addAccount},
		{method: post, path: "/accounts/plan", handle: s.setPlan},
		{method: get, path: "/tokens", handle: s.tokens},
		{method: post, path: "/tokens", handle: s.createToken},
		{method: del, path: "/tokens/{name}", handle: s.revokeToken},

		{method: get, path: "/approvals", handle: s.approvals},
		{method: post, path: "/approvals/{name}", handle: s.decide},
		{method: get, path: "/panic", handle: s.panic},
		{method: post, path: "/panic", handle: s.setPanic},
		{method: get, path: "/pin", handle: s.readPIN},
		{method: put, path: "/pin", handle: s.setPIN},
		{method: del, path: "/pin", handle: s.clearPIN},
		{method: post, path: "/pin/unlock", handle: s.unlock},
		{method: get, path: "/agents", handle: s.agents},
		{method: get, path: "/clients", handle: s.clients},
		{method: post, path: "/clients/{name}/add", handle: s.addToClient},
		{method: post, path: "/clients/{name}/remove", handle: s.removeFromClient},
		{method: post, path: "/clients/{name}/check", handle: s.checkClient},
		{method: post, path: "/clients/{name}/snippet", handle: s.clientSnippet},

		{method: get, path: "/settings", handle: s.settings},
		{method: put, path: "/settings/{name}", handle: s.setSetting},
		{method: get, path: "/browsers", handle: s.browsers},
		{method: get, path: "/doctor", handle: s.doctor},
		{method: get, path: "/logs", handle: s.logs, takes: logNames},
		{method: post, path: "/app/stop", handle: s.stopApp},
	}
	for _, method := range []string{get, post, del} {
		routes = append(routes, route{method: method, path: "/mcp/{id}", handle: s.mcp})
	}
	for i := range routes {
		routes[i].segments = strings.Split(strings.TrimPrefix(routes[i].path, "/"), "/")
	}
	return routes
}
