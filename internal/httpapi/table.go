package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"cove/internal/httpapi/accounts"
	"cove/internal/httpapi/adopt"
	"cove/internal/httpapi/agents"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/cookies"
	"cove/internal/httpapi/dolphin"
	"cove/internal/httpapi/extensions"
	"cove/internal/httpapi/fingerprints"
	"cove/internal/httpapi/folders"
	"cove/internal/httpapi/imports"
	"cove/internal/httpapi/input"
	"cove/internal/httpapi/jobs"
	"cove/internal/httpapi/logins"
	"cove/internal/httpapi/machine"
	"cove/internal/httpapi/pages"
	"cove/internal/httpapi/profiles"
	"cove/internal/httpapi/proxies"
	"cove/internal/httpapi/sessions"
	"cove/internal/httpapi/statuses"
	"cove/internal/httpapi/stream"
	"cove/internal/httpapi/views"
)

// handlers answer the calls, grouped by what these are about.
type handlers struct {
	pages        pages.Handlers
	accounts     accounts.Handlers
	adopt        adopt.Handlers
	agents       agents.Handlers
	cookies      cookies.Handlers
	extensions   extensions.Handlers
	fingerprints fingerprints.Handlers
	jobs         jobs.Handlers
	machine      machine.Handlers
	profiles     profiles.Handlers
	proxies      proxies.Handlers
	folders      folders.Handlers
	imports      imports.Handlers
	logins       logins.Handlers
	statuses     statuses.Handlers
	views        views.Handlers
	sessions     sessions.Handlers
	stream       stream.Handlers
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
		Names: []string{
			"page", "limit", "query", "search", "noteQuery", "folder", "folders", "folders[]", "statuses", "statuses[]",
			"proxies", "proxies[]", "ids", "ids[]", "tags[]", "tags", "tag", "trashed", "sort", "sortBy", "order",
		},
		Lists: "Profiles",
	}
	folderQuery  = input.Query{Names: call.ListNames, Lists: "Folders"}
	statusQuery  = input.Query{Names: call.ListNames, Lists: "Statuses"}
	proxyQuery   = input.Query{Names: call.ListNames, Lists: "Proxies"}
	deleteQuery  = input.Query{Names: []string{"forceDelete"}}
	journalQuery = input.Query{Names: []string{"after", "before", "limit", "newest", "since", "until", "agent",
		"outcome", "session", "kind", "q", "order"}}
	requestQuery = input.Query{Names: []string{"wait"}}
	replayQuery  = input.Query{Names: []string{"session", "pictures"}}
	logQuery     = input.Query{Names: []string{"lines"}}
	cookieQuery  = input.Query{Names: []string{"format", "dryRun"}}
	exportQuery  = input.Query{Names: []string{"browserProfiles", "plan"}}
	syncQuery    = input.Query{Names: []string{"actionType", "browserProfileId"}}
	webGLQuery   = input.Query{Names: []string{"withMaximum"}}
	knownQuery   = input.Query{Names: []string{"known"}}
	emptyQuery   = input.Query{Names: []string{"page", "limit"}}
	liveQuery    = input.Query{Names: []string{"tab"}}
	filesQuery   = input.Query{Names: []string{"tab"}}
	savedQuery   = input.Query{Names: []string{"id"}}
)

// table is the whole API. A path with a fixed name stands before one with a parameter in the same position.
func (h *handlers) table() []route {
	routes := slices.Concat(h.pageRoutes(), absentRoutes(), h.profileRoutes(), h.folderRoutes(), h.proxyRoutes(),
		h.cookieRoutes(), h.extensionRoutes(), h.agentRoutes(), h.accountRoutes(), h.machineRoutes(),
		h.fingerprintRoutes())
	for i := range routes {
		routes[i].segments = strings.Split(strings.TrimPrefix(routes[i].path, "/"), "/")
	}
	return routes
}

// pageRoutes are the pages, and the sign-in of the window.
func (h *handlers) pageRoutes() []route {
	return []route{
		{method: get, path: "/", handle: h.cookies.Sync(h.pages.Home), query: syncQuery},
		{method: post, path: "/", handle: h.cookies.Sync(nil), query: syncQuery, limit: cookies.MaxBody},
		{method: get, path: "/docs", handle: h.pages.Docs},
		{method: get, path: "/docs/docs.js", handle: h.pages.DocsScript},
		{method: get, path: "/docs/docs.css", handle: h.pages.DocsStyle},
		{method: get, path: "/ask/ask.js", handle: h.pages.RequestScript},
		{method: get, path: "/ask/ask.css", handle: h.pages.RequestStyle},
		{method: get, path: "/ask/{name}", handle: h.pages.Request},
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
		{method: get, path: "/browser_profiles/usage", handle: h.sessions.Usage},
		{method: post, path: "/browser_profiles/start", handle: h.sessions.StartTemporary},
		{method: post, path: "/browser_profiles/mass", handle: h.profiles.CreateMany, limit: cookies.MaxBody},
		{method: post, path: "/import", handle: h.imports.Import, limit: maxImport},
		{method: get, path: "/browser_profiles/statuses", handle: h.statuses.List, query: statusQuery},
		{method: post, path: "/browser_profiles/statuses", handle: h.statuses.Create},
		{method: del, path: "/browser_profiles/statuses", handle: h.statuses.DeleteMany},
		{method: put, path: "/browser_profiles/statuses/bulk", handle: h.statuses.Give},
		{method: get, path: "/browser_profiles/statuses/{id}", handle: h.statuses.Read},
		{method: patch, path: "/browser_profiles/statuses/{id}", handle: h.statuses.Edit},
		{method: put, path: "/browser_profiles/statuses/{id}", handle: h.statuses.Edit},
		{method: del, path: "/browser_profiles/statuses/{id}", handle: h.statuses.Delete},
		{method: get, path: "/browser_profiles/{id}/start", handle: h.sessions.Start, acts: true},
		{method: post, path: "/browser_profiles/{id}/start", handle: h.sessions.Start},
		{method: get, path: "/browser_profiles/{id}/stop", handle: h.sessions.Stop, acts: true},
		{method: post, path: "/browser_profiles/{id}/stop", handle: h.sessions.Stop},
		{method: post, path: "/adopt", handle: h.adopt.Create},
		{method: post, path: "/browser_profiles/{id}/adopt", handle: h.adopt.Share},
		{method: get, path: "/browser_profiles/{id}/tabs", handle: h.adopt.List},
		{method: post, path: "/browser_profiles/{id}/tabs", handle: h.adopt.Choose},
		{method: get, path: "/browser_profiles/{id}/active", handle: h.sessions.Active},
		{method: get, path: "/browser_profiles/{id}/live", handle: h.stream.Live, acts: true, query: liveQuery},
		{method: post, path: "/browser_profiles/{id}/restore", handle: h.profiles.Restore},
		{method: post, path: "/browser_profiles/{id}/clone", handle: h.profiles.Clone},
		{method: get, path: "/browser_profiles", handle: h.profiles.List, query: listQuery},
		{method: post, path: "/browser_profiles", handle: h.profiles.Create, limit: cookies.MaxBody},
		{method: patch, path: "/browser_profiles", handle: h.jobs.Change},
		{method: del, path: "/browser_profiles", handle: h.profiles.DeleteMany, query: deleteQuery},
		{method: get, path: "/browser_profiles/{id}", handle: h.profiles.Read},
		{method: patch, path: "/browser_profiles/{id}", handle: h.profiles.Edit},
		{method: put, path: "/browser_profiles/{id}", handle: h.profiles.Edit},
		{method: del, path: "/browser_profiles/{id}", handle: h.profiles.Delete, query: deleteQuery},
		{method: get, path: "/jobs", handle: h.jobs.List},
		{method: get, path: "/jobs/{name}", handle: h.jobs.Read},
		{method: del, path: "/jobs/{name}", handle: h.jobs.Cancel},
	}
}

// cookieRoutes bring cookies and local storage into profiles and out of them.
func (h *handlers) cookieRoutes() []route {
	const limit = cookies.MaxBody
	return []route{
		{method: get, path: "/browser_profiles/{id}/cookies", handle: h.cookies.Get, acts: true, query: cookieQuery},
		{method: post, path: "/browser_profiles/{id}/cookies", handle: h.cookies.Put, limit: limit, query: cookieQuery},
		{method: post, path: "/cookies/import", handle: h.cookies.Import, limit: limit},
		{method: post, path: "/export-cookies", handle: h.cookies.Export},
		{method: get, path: "/local-storage/export", handle: h.cookies.ExportLocalOf, acts: true, query: exportQuery},
		{method: get, path: "/local-storage/export/{id}", handle: h.cookies.ExportLocal, acts: true},
		{method: post, path: "/local-storage/export/{id}", handle: h.cookies.ExportLocal},
		{method: get, path: "/login_sources", handle: h.logins.Sources},
		{method: get, path: "/login_imports", handle: h.logins.List},
		{method: post, path: "/login_imports", handle: h.logins.Begin},
		{method: get, path: "/login_imports/{name}", handle: h.logins.Read, query: knownQuery},
		{method: post, path: "/login_imports/{name}", handle: h.logins.Choose},
		{method: del, path: "/login_imports/{name}", handle: h.logins.Cancel},
		{method: post, path: "/local-storage/import", handle: h.cookies.ImportLocal, limit: limit},
	}
}

// folderRoutes are the folders of profiles, and the saved views of their list.
func (h *handlers) folderRoutes() []route {
	return []route{
		{method: get, path: "/folders", handle: h.folders.List, query: folderQuery},
		{method: post, path: "/folders", handle: h.folders.Create},
		{method: del, path: "/folders", handle: h.folders.DeleteMany},
		{method: put, path: "/folders/order", handle: h.folders.Order},
		{method: post, path: "/folders/mass/attach-profiles", handle: h.folders.Attach},
		{method: del, path: "/folders/mass/detach-profiles", handle: h.folders.Detach},
		{method: post, path: "/folders/mass/detach-profiles", handle: h.folders.Detach},
		{method: get, path: "/folders/{id}", handle: h.folders.Read},
		{method: patch, path: "/folders/{id}", handle: h.folders.Edit},
		{method: put, path: "/folders/{id}", handle: h.folders.Edit},
		{method: del, path: "/folders/{id}", handle: h.folders.Delete},
		{method: get, path: "/folders/{id}/profile-ids", handle: h.folders.Members},
		{method: get, path: "/views", handle: h.views.List},
		{method: post, path: "/views", handle: h.views.Create},
		{method: patch, path: "/views/{id}", handle: h.views.Edit},
		{method: del, path: "/views/{id}", handle: h.views.Delete},
	}
}

// proxyRoutes are the stored proxies.
func (h *handlers) proxyRoutes() []route {
	return []route{
		{method: get, path: "/proxy", handle: h.proxies.List, query: proxyQuery},
		{method: post, path: "/proxy", handle: h.proxies.Create},
		{method: del, path: "/proxy", handle: h.proxies.DeleteMany},
		{method: post, path: "/proxy/import", handle: h.proxies.Import},
		{method: post, path: "/proxy/check", handle: h.proxies.CheckMany},
		{method: post, path: "/check/proxy", handle: h.proxies.Check},
		{method: get, path: "/proxy/{id}", handle: h.proxies.Read},
		{method: patch, path: "/proxy/{id}", handle: h.proxies.Edit},
		{method: put, path: "/proxy/{id}", handle: h.proxies.Edit},
		{method: del, path: "/proxy/{id}", handle: h.proxies.Delete},
		{method: get, path: "/proxy/{id}/change_proxy_ip", handle: h.proxies.ChangeIP, acts: true},
		{method: get, path: "/browser_profiles/{id}/change_proxy_ip", handle: h.proxies.ChangeProfileIP, acts: true},
	}
}

// extensionRoutes are the extensions, and those of each profile.
func (h *handlers) extensionRoutes() []route {
	// The file is as large as it may be, and a form has some more bytes.
	const uploadLimit = maxExtension + maxBody
	return []route{
		{method: post, path: "/extensions/upload-zipped", handle: h.extensions.Upload, limit: uploadLimit},
		{method: post, path: "/extensions/attach", handle: h.extensions.Attach},
		{method: post, path: "/extensions/detach", handle: h.extensions.Detach},
		{method: get, path: "/extensions", handle: h.extensions.List, query: emptyQuery},
		{method: patch, path: "/extensions", handle: h.extensions.Enable},
		{method: del, path: "/extensions", handle: h.extensions.Delete},
		{method: get, path: "/browser_profiles/{id}/extensions", handle: h.extensions.OfProfile},
		{method: post, path: "/browser_profiles/{id}/extensions", handle: h.extensions.AddToProfile},
		{method: patch, path: "/browser_profiles/{id}/extensions", handle: h.extensions.EnableInProfile},
		{method: del, path: "/browser_profiles/{id}/extensions", handle: h.extensions.RemoveFromProfile},
	}
}

// agentRoutes are what agents may do, ask for and did, and MCP over HTTP.
func (h *handlers) agentRoutes() []route {
	return []route{
		{method: get, path: "/browser_profiles/{id}/policy", handle: h.agents.Policy},
		{method: put, path: "/browser_profiles/{id}/policy", handle: h.agents.SetPolicy},
		{method: post, path: "/policy/test", handle: h.agents.TestPolicy},
		{method: get, path: "/browser_profiles/{id}/secrets", handle: h.agents.ListSecrets},
		{method: post, path: "/browser_profiles/{id}/secrets", handle: h.agents.SetSecret},
		{method: patch, path: "/browser_profiles/{id}/secrets/{name}", handle: h.agents.ChangeSecret},
		{method: post, path: "/browser_profiles/{id}/secrets/{name}/code", handle: h.agents.ShowCode},
		{method: del, path: "/browser_profiles/{id}/secrets/{name}", handle: h.agents.RemoveSecret},
		{method: get, path: "/browser_profiles/{id}/access", handle: h.agents.State},
		{method: post, path: "/browser_profiles/{id}/agents/{name}", handle: h.agents.Pause},
		{method: del, path: "/browser_profiles/{id}/agents/{name}", handle: h.agents.Disconnect},
		{method: post, path: "/browser_profiles/{id}/takeover", handle: h.agents.Takeover},
		{method: post, path: "/browser_profiles/{id}/giveback", handle: h.agents.GiveBack},
		{method: post, path: "/browser_profiles/{id}/live/control", handle: h.agents.ControlTab},
		{method: post, path: "/browser_profiles/{id}/live/input", handle: h.agents.SendInput},
		{method: post, path: "/browser_profiles/{id}/live/files", handle: h.agents.SendFiles, limit: agents.MaxFiles,
			query: filesQuery},
		{method: get, path: "/browser_profiles/{id}/live/download", handle: h.agents.Download, acts: true,
			query: savedQuery},
		{method: get, path: "/browser_profiles/{id}/journal", handle: h.agents.Journal, query: journalQuery},
		{method: get, path: "/browser_profiles/{id}/journal/sessions", handle: h.agents.JournalSessions},
		{method: get, path: "/browser_profiles/{id}/journal/export", handle: h.agents.ExportJournal,
			query: replayQuery},
		{method: get, path: "/browser_profiles/{id}/journal/verify", handle: h.agents.VerifyJournal},
		{method: get, path: "/browser_profiles/{id}/journal/pictures/{name}", handle: h.agents.JournalImage},
		{method: get, path: "/approvals", handle: h.agents.Approvals},
		{method: post, path: "/approvals/{name}", handle: h.agents.Decide},
		{method: get, path: "/asks", handle: h.agents.Requests},
		{method: get, path: "/asks/{name}", handle: h.agents.Request},
		{method: post, path: "/asks/{name}", handle: h.agents.Answer},
		{method: post, path: "/asks/{name}/seen", handle: h.agents.Seen},
		{method: get, path: "/browser_profiles/{id}/asks", handle: h.agents.ProfileRequests},
		{method: post, path: "/browser_profiles/{id}/asks", handle: h.agents.CreateRequest},
		{method: get, path: "/browser_profiles/{id}/asks/{name}", handle: h.agents.AwaitRequest, query: requestQuery},
		{method: del, path: "/browser_profiles/{id}/asks/{name}", handle: h.agents.WithdrawRequest},
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
		{method: get, path: "/activity", handle: h.stream.Activity, acts: true},
		{method: get, path: "/clients", handle: h.machine.ListClients},
		{method: post, path: "/clients/{name}/add", handle: h.machine.AddToClient},
		{method: post, path: "/clients/{name}/remove", handle: h.machine.RemoveFromClient},
		{method: post, path: "/clients/{name}/check", handle: h.machine.CheckClient},
		{method: post, path: "/clients/{name}/snippet", handle: h.machine.ClientSnippet},
		{method: post, path: "/clients/{name}/skill/add", handle: h.machine.InstallSkill},
		{method: post, path: "/clients/{name}/skill/remove", handle: h.machine.RemoveSkill},
		{method: get, path: "/settings", handle: h.machine.Settings},
		{method: put, path: "/settings/{name}", handle: h.machine.SetSetting},
		{method: get, path: "/browsers", handle: h.machine.Browsers},
		{method: get, path: "/doctor", handle: h.machine.Doctor},
		{method: get, path: "/browser_profiles/{id}/log", handle: h.machine.ProfileLog, query: logQuery},
		{method: get, path: "/logs", handle: h.machine.Logs, query: logQuery},
		{method: post, path: "/app/stop", handle: h.machine.StopApp},
	}
}

// absentRoutes are the calls of Dolphin's that Cove does not offer. They stand before those with an id.
func absentRoutes() []route {
	routes := []route{
		{method: get, path: "/homepages", handle: dolphin.Empty, query: emptyQuery},
		{method: get, path: "/bookmarks", handle: dolphin.Empty, query: emptyQuery},
	}
	for _, absent := range dolphin.NotOffered() {
		routes = append(routes, route{method: absent.Method, path: absent.Path, handle: absent.Refuse, acts: true})
	}
	return routes
}

// fingerprintRoutes are what scripts for Dolphin ask before they create a profile.
func (h *handlers) fingerprintRoutes() []route {
	return []route{
		{method: get, path: "/fingerprints/fingerprint", handle: h.fingerprints.Fingerprint},
		{method: get, path: "/fingerprints/useragent", handle: h.fingerprints.UserAgent},
		{method: get, path: "/fingerprints/webgl", handle: h.fingerprints.WebGL},
		{method: get, path: "/fingerprints/webglList", handle: h.fingerprints.WebGLList, query: webGLQuery},
		{method: get, path: "/fingerprints/font-list", handle: h.fingerprints.Fonts},
	}
}
