package adspower

import (
	"net/http"
	"slices"
	"strings"

	"cove/internal/cookie"
	"cove/internal/fault"
)

// route is one call of the API.
type route struct {
	methods []string
	right   right
	// msg is what a success says. Scripts compare it.
	msg    string
	limit  int64
	handle func(*request) (answer, error)
}

// The messages of success.
const (
	small = "success"
	big   = "Success"
)

// maxBody limits a request's body where no cookies can be sent.
const maxBody = 1 << 20

// Reads take both methods, as scripts send them; what changes something and is new takes POST only.
var (
	both = []string{http.MethodGet, http.MethodPost}
	post = []string{http.MethodPost}
	get  = []string{http.MethodGet}
)

const (
	v1 = "/api/v1/"
	v2 = "/api/v2/"
	pv = v2 + "browser-profile/"
)

// table is the whole API.
func (s *Server) table() map[string]route {
	t := map[string]route{
		"/status": {methods: get, right: free, msg: small, handle: s.status},

		v1 + "browser/start":        {methods: both, right: drive, msg: small, handle: s.start},
		v1 + "browser/stop":         {methods: both, right: drive, msg: small, handle: s.stop},
		v1 + "browser/active":       {methods: both, right: look, msg: small, handle: s.active},
		v1 + "browser/local-active": {methods: both, right: look, msg: small, handle: s.localActive},
		pv + "start":                {methods: post, right: drive, msg: small, handle: s.start},
		pv + "stop":                 {methods: post, right: drive, msg: small, handle: s.stop},
		pv + "stop-all":             {methods: post, right: drive, msg: small, handle: s.stopAll},
		pv + "active":               {methods: both, right: look, msg: small, handle: s.active},
		pv + "cookies":              {methods: both, right: drive, msg: big, handle: s.cookies},

		v1 + "user/list":    {methods: both, msg: big, handle: s.listV1},
		v1 + "user/create":  {methods: post, msg: big, limit: cookie.MaxBytes, handle: s.createV1},
		v1 + "user/update":  {methods: post, msg: big, limit: cookie.MaxBytes, handle: s.update},
		v1 + "user/delete":  {methods: post, msg: big, handle: s.delete},
		v1 + "user/regroup": {methods: post, msg: small, handle: s.regroup},
		pv + "list":         {methods: both, msg: big, handle: s.listV2},
		pv + "create":       {methods: post, msg: big, limit: cookie.MaxBytes, handle: s.createV2},
		pv + "update":       {methods: post, msg: big, limit: cookie.MaxBytes, handle: s.update},
		pv + "delete":       {methods: post, msg: big, handle: s.delete},

		v1 + "group/list":          {methods: both, msg: big, handle: s.listGroups},
		v1 + "group/create":        {methods: post, msg: big, handle: s.createGroup},
		v1 + "group/update":        {methods: post, msg: big, handle: s.updateGroup},
		v2 + "proxy-list/list":     {methods: both, msg: big, handle: s.listProxies},
		v2 + "proxy-list/create":   {methods: post, msg: big, handle: s.createProxies},
		v2 + "proxy-list/update":   {methods: post, msg: big, handle: s.updateProxy},
		v2 + "proxy-list/delete":   {methods: post, msg: big, handle: s.deleteProxies},
		v2 + "browser-tags/list":   {methods: both, msg: big, handle: s.listTags},
		v2 + "browser-tags/create": {methods: post, msg: big, handle: s.createTags},
		v2 + "browser-tags/update": {methods: post, msg: big, handle: s.updateTags},
		v2 + "browser-tags/delete": {methods: post, msg: big, handle: s.deleteTags},

		v1 + "application/list": {methods: both, msg: big, handle: s.emptyList},
		v2 + "category/list":    {methods: both, msg: big, handle: s.emptyList},
	}
	for path, why := range notOffered {
		t[path] = route{methods: both, msg: big, handle: refuse(why)}
	}
	return t
}

// notOffered are calls of AdsPower that Cove knows and does not answer, with the reasons.
var notOffered = map[string]string{
	v1 + "browser/cloud-active": "Cove has no cloud, so it cannot know what is open on other computers. " +
		"Use /api/v1/browser/local-active.",
	v1 + "user/delete-cache": noCache,
	pv + "delete-cache":      noCache,
	pv + "share":             "Cove does not share profiles with other accounts.",
	v2 + "team/members":      noMembers,
	v2 + "members/list":      noMembers,
	v1 + "members/list":      noMembers,
	pv + "new-fingerprint": "Cove makes no fingerprints: a profile has those of its browser. " +
		"Leave this call out.",
	pv + "ua": "Cove does not change the User-Agent of a profile. " +
		"Read navigator.userAgent in the profile.",
	pv + "kernels":         noKernels,
	pv + "download-kernel": noKernels,
	pv + "update-patch":    "Cove has no patches. Leave this call out.",
}

const (
	noCache = "Cove does not delete the cache of a profile through this API. " +
		"Delete it in the profile: Settings, Privacy, Delete browsing data."
	noMembers = "Cove has no teams, so there are no members."
	noKernels = "Cove opens profiles with the browsers of this computer. `cove browser list` shows them."
)

func refuse(why string) func(*request) (answer, error) {
	return func(*request) (answer, error) {
		text, hint, _ := strings.Cut(why, ". ")
		return answer{}, fault.New(fault.CodeNotOffered, strings.TrimSuffix(text, ".")+".", hint)
	}
}

// find returns the route of a request.
func (s *Server) find(r *http.Request) (route, error) {
	path := r.URL.Path
	if len(path) > 1 {
		path = strings.TrimSuffix(path, "/")
	}
	found, ok := s.routes[path]
	if !ok {
		return found, fault.New(fault.CodeNoRoute, "There is no such call of AdsPower's API in Cove.",
			"docs/compat.md lists the calls. Cove's own API is on another port: cove status")
	}
	if !slices.Contains(found.methods, r.Method) {
		return found, fault.New(fault.CodeMethod, "This call does not support "+r.Method+".",
			"Use "+strings.Join(found.methods, " or ")+".")
	}
	return found, nil
}

// envelope is the answer of a call that succeeded.
func (r route) envelope(a answer) envelope {
	return envelope{Msg: r.msg, Data: a.data, Ignored: a.ignored}
}
