//go:build e2e

package api

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"cove/e2e/harness"
)

// errBrowser is a fake that knows its version and else runs script.
func errBrowser(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fake")
	harness.Script(t, path, "case \"$1\" in --version) echo Chromium 999.0.1.2; exit 0;; esac\n"+script)
	return path
}

// errHangingBrowser never becomes ready, but hears when it is told to close.
func errHangingBrowser(t *testing.T) string {
	t.Helper()
	return errBrowser(t, "case \"$*\" in *--remote-debugging-pipe*) grep -zqm1 Browser.close <&3; exit 0;; esac\nwhile :; do sleep 0.1; done")
}

// An app with one open profile (1), one closed (2) and one in the trash (3) stays as it is whatever nonsense it is
// asked.
func TestARefusedCallIsExplainedAndChangesNothing(t *testing.T) {
	a := stateStart(t)
	a.Create(`{"name":"closed","tags":["a"],"notes":"n"}`)
	a.Create(`{"name":"trashed"}`)
	harness.MustSucceed(t, a.Own("DELETE", harness.StatePath(3, ""), ""))
	a.Open(1)
	for _, c := range []struct {
		name string
		run  func(*testing.T, *harness.App)
	}{
		{"what is wrong first is told first", errOrder},
		{"the guard refuses web pages and foreign names", errGuard},
		{"an id that is none is refused everywhere", errIDs},
		{"a body that is too large is refused", errLarge},
		{"unknown routes and methods are told", errRoutes},
		{"paths work with and without prefix and slash and never redirect", errPaths},
		{"malformed input is refused", errMalformed},
		{"every call is checked in the same order", errEveryCall},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, stateIn(t, a)) })
	}
}

// errOrder: what is wrong first is told first.
func errOrder(t *testing.T, a *harness.App) {
	type fact struct {
		name, code string
		status     int
	}
	order := []fact{
		{"foreign caller", "E_FORBIDDEN_ORIGIN", 403}, {"malformed", "E_INVALID", 400},
		{"logged out", "E_UNAUTHORIZED", 401},
		{"unknown profile", "E_NOT_FOUND", 404}, {"free plan", "E_PLAN_AUTOMATION", 402},
		{"agents off", "E_AGENTS_OFF", 403}, {"running", "E_BROWSER_RUN_DUPLICATE", 409},
	}
	for bits := 1; bits < 1<<len(order); bits++ {
		has := func(i int) bool { return bits&(1<<i) != 0 }
		if has(3) && (has(5) || has(6)) {
			continue // an unknown profile does not run, and has no policy
		}
		if has(5) && (has(0) || has(1) || has(2)) {
			continue // far apart
		}
		var names []string
		first := fact{}
		for i, f := range order {
			if has(i) {
				names = append(names, f.name)
				if first.name == "" {
					first = f
				}
			}
		}
		t.Run(strings.Join(names, ", "), func(t *testing.T) {
			a := stateIn(t, a)
			id, query, header := 2, "?automation=1", []string{}
			if has(0) {
				header = []string{"Origin", "https://evil.example"}
			}
			if has(1) {
				query = "?automation=maybe"
			}
			if has(3) {
				id = 99
			}
			if has(6) {
				id = 1
			}
			if has(5) {
				harness.MustSucceed(t, a.Own("PUT", harness.StatePath(id, "/policy"), `{"preset":"off"}`))
				defer func() {
					harness.MustSucceed(t,
						a.Own("PUT", harness.StatePath(id, "/policy"), `{"preset":"open"}`))
				}()
			}
			a.Unchanged(func() {
				if has(4) {
					harness.MustSucceed(t, a.Own("POST", "/v1.0/accounts/plan",
						`{"email":"owner@localhost","plan":"free"}`))
				}
				if has(2) {
					harness.MustSucceed(t, a.Own("POST", "/v1.0/auth/logout", ""))
				}
				r := a.Request("GET", harness.StatePath(id, "/start"+query), "", header...)
				harness.MustRefuse(t, r, first.status, first.code)
				if has(1) { // in the body, and in the id
					harness.MustRefuse(t, a.Request("POST", harness.StatePath(id, "/start"), `{"automation":"maybe"}`,
						header...), first.status, first.code)
					harness.MustRefuse(t, a.Request("GET", "/v1.0/browser_profiles/0"+strconv.Itoa(id)+
						"/start?automation=1", "", header...), first.status, first.code)
				}
				harness.MustSucceed(t, a.Own("POST", "/v1.0/auth/login-with-token",
					fmt.Sprintf(`{"token":%q}`, a.Token())))
				harness.MustSucceed(t, a.Own("POST", "/v1.0/accounts/plan",
					`{"email":"owner@localhost","plan":"solo"}`))
			})
		})
	}
}

// errEveryCall: every call is checked in the same order.
func errEveryCall(t *testing.T, a *harness.App) {
	const list, one = "/v1.0/browser_profiles", "/v1.0/browser_profiles/ID"
	const account = `{"email":"a@b.example","password":"long enough","plan":"free"}`
	for name, c := range map[string]struct{ method, path, good, badPath, bad string }{
		"create without a name":         {"POST", list, `{"name":"x"}`, list, `{"name":""}`},
		"create with a denied argument": {"POST", list, `{"name":"x"}`, list, `{"name":"x","args":["--no-sandbox"]}`},
		"create many without a name": {"POST", list + "/mass", `{"profiles":[{"name":"x"}]}`, list + "/mass",
			`{"profiles":[{"name":""}]}`},
		"import without a name": {"POST", "/v1.0/import", `{"profiles":[{"name":"x"}]}`, "/v1.0/import",
			`{"profiles":[{"name":""}]}`},
		"delete many, one of them none": {"DELETE", list, `{"ids":[ID]}`, list, `{"ids":[ID,0]}`},
		// A job answers at once, and tells itself which profiles are not there.
		"change many with nothing": {"PATCH", list, `{"ids":[2],"change":{"notes":"x"}}`, list,
			`{"ids":[ID],"change":{}}`},
		"change many, one of them none": {"PATCH", list, `{"ids":[2],"change":{"notes":"x"}}`, list,
			`{"ids":[ID,0],"change":{"notes":"x"}}`},
		"edit into nowhere":            {"PATCH", one, `{"notes":"x"}`, one, `{"timezone":"Nowhere"}`},
		"edit nothing":                 {"PATCH", one, `{"notes":"x"}`, one, ``},
		"a PUT with an empty name":     {"PUT", one, `{"name":"x"}`, one, `{"name":""}`},
		"delete perhaps":               {"DELETE", one, "", one + "?forceDelete=perhaps", ""},
		"delete in a broken query":     {"DELETE", one, "", one + "?forceDelete=%zz", ""},
		"clone with a number for name": {"POST", one + "/clone", `{"name":"x"}`, one + "/clone", `{"name":5}`},
		"clone with a control in name": {"POST", one + "/clone", `{"name":"x"}`, one + "/clone",
			`{"name":"a\u0000b"}`},
		"delete no proxy":             {"DELETE", "/v1.0/proxy", `{"ids":[1]}`, "/v1.0/proxy", `{"ids":[]}`},
		"proxies before the first":    {"GET", "/v1.0/proxy", "", "/v1.0/proxy?page=0", ""},
		"check what is no list":       {"POST", "/v1.0/proxy/check", `{"ids":[1]}`, "/v1.0/proxy/check", `{"ids":{}}`},
		"extensions before the first": {"GET", "/v1.0/extensions", "", "/v1.0/extensions?page=0", ""},
		"delete no extension":         {"DELETE", "/v1.0/extensions", `{"ids":[1]}`, "/v1.0/extensions", `{"ids":[]}`},
		"attach no extension": {"POST", "/v1.0/extensions/attach", `{"extensionIds":[1],"profileIds":[ID]}`,
			"/v1.0/extensions/attach", `{"extensionIds":[],"profileIds":[ID]}`},
		"detach from no profile": {"POST", "/v1.0/extensions/detach", `{"extensionIds":[1],"profileIds":[ID]}`,
			"/v1.0/extensions/detach", `{"extensionIds":[1],"profileIds":[]}`},
		"an extension perhaps": {"PATCH", "/v1.0/extensions", `{"extensionIds":[1],"profileIds":[ID],"enabled":false}`,
			"/v1.0/extensions", `{"extensionIds":[1],"profileIds":[ID],"enabled":"perhaps"}`},
		"extensions of no profile": {"GET", one + "/extensions", "", list + "/x/extensions", ""},
		"a profile and no extension": {"POST", one + "/extensions", `{"extensionIds":[1]}`, one + "/extensions",
			`{"extensionIds":[]}`},
		"a profile's extension perhaps": {"PATCH", one + "/extensions", `{"extensionIds":[1],"enabled":true}`,
			one + "/extensions", `{"extensionIds":[1]}`},
		"take nothing from a profile": {"DELETE", one + "/extensions", `{"extensionIds":[1]}`, one + "/extensions",
			`{"extensionIds":[0]}`},
		"a journal without an end": {"GET", one + "/journal", "", one + "/journal?limit=0", ""},
		"a journal since whenever": {"GET", one + "/journal", "", one + "/journal?since=whenever", ""},
		"a journal until whenever": {"GET", one + "/journal", "", one + "/journal?until=whenever", ""},
		"a kind that is none":      {"GET", one + "/journal", "", one + "/journal?kind=good", ""},
		"an order that is none":    {"GET", one + "/journal", "", one + "/journal?order=up", ""},
		"maybe pictures":           {"GET", one + "/journal/export", "", one + "/journal/export?pictures=maybe", ""},
		"a token without a name":   {"POST", "/v1.0/tokens", `{"name":"x"}`, "/v1.0/tokens", `{"name":""}`},
		"a token without a number": {"DELETE", "/v1.0/tokens/1", "", "/v1.0/tokens/x", ""},
		"an account without an email": {"POST", "/v1.0/accounts", account, "/v1.0/accounts",
			`{"email":"no address","password":"long enough","plan":"free"}`},
		"an account without a password": {"POST", "/v1.0/accounts", account, "/v1.0/accounts",
			`{"email":"a@b.example","password":"short","plan":"free"}`},
		"an unknown plan": {"POST", "/v1.0/accounts/plan", `{"plan":"free"}`, "/v1.0/accounts/plan",
			`{"plan":"golden"}`},
		"a client without a profile": {"POST", "/v1.0/clients/cursor/snippet", `{"profile":ID}`,
			"/v1.0/clients/cursor/snippet", `{}`},
		"a client in another scope": {"POST", "/v1.0/clients/cursor/snippet", `{"profile":ID}`,
			"/v1.0/clients/cursor/snippet", `{"profile":ID,"scope":"galaxy"}`},
		"a project without a folder": {"POST", "/v1.0/clients/cursor/snippet", `{"profile":ID}`,
			"/v1.0/clients/cursor/snippet", `{"profile":ID,"scope":"project"}`},
		"a skill in another scope": {"POST", "/v1.0/clients/cursor/skill/remove", `{}`,
			"/v1.0/clients/cursor/skill/remove", `{"scope":"local"}`},
		"a skill without a folder": {"POST", "/v1.0/clients/cursor/skill/remove", `{}`,
			"/v1.0/clients/cursor/skill/remove", `{"scope":"project"}`},
		"a skill in a relative folder": {"POST", "/v1.0/clients/cursor/skill/remove", `{}`,
			"/v1.0/clients/cursor/skill/remove", `{"scope":"project","folder":"here"}`},
		"a policy that is none": {"PUT", one + "/policy", `{"preset":"off"}`, one + "/policy",
			`{"preset":"loose"}`},
		"a policy with a slip of pen": {"PUT", one + "/policy", `{"preset":"off"}`, one + "/policy",
			`{"preset":"off","site":{"block":["a.example"]}}`},
		"a test of no policy": {"POST", "/v1.0/policy/test", `{"policy":{"preset":"off"},"url":"a.example"}`,
			"/v1.0/policy/test", `{"url":"a.example"}`},
		"a test of a policy without a page": {"POST", "/v1.0/policy/test", `{"policy":{"preset":"off"},"url":"a.example"}`,
			"/v1.0/policy/test", `{"policy":{"preset":"off"},"url":"x y"}`},
		"a view without a name": {"POST", "/v1.0/views", `{"name":"x","address":"/?q=x"}`, "/v1.0/views",
			`{"address":"/?q=x"}`},
		"a view of another page": {"POST", "/v1.0/views", `{"name":"x","address":"/?q=x"}`, "/v1.0/views",
			`{"name":"x","address":"https://a.example"}`},
		"a folder in another color": {"PATCH", "/v1.0/folders/1", `{"color":"red"}`, "/v1.0/folders/1",
			`{"color":"pink"}`},
		"defaults that no profile can have": {"PATCH", "/v1.0/folders/1", `{"defaults":{}}`, "/v1.0/folders/1",
			`{"defaults":{"timezone":"Europe/Atlantis"}}`},
		"an edit with a policy": {"PATCH", one, `{"notes":"x"}`, one, `{"notes":"x","policy":{"preset":"open"}}`},
		"create with a bad policy": {"POST", list, `{"name":"x"}`, list,
			`{"name":"x","policy":{"preset":"open","rights":{"fly":"yes"}}}`},
		"a panic perhaps": {"POST", "/v1.0/panic", `{"on":true}`, "/v1.0/panic", `{"on":"perhaps"}`},
		"an approval perhaps": {"POST", "/v1.0/approvals/2-1", `{"allow":true}`, "/v1.0/approvals/2-1",
			`{"allow":"perhaps"}`},
		"an answer that is none": {"POST", "/v1.0/asks/2-1", `{"done":true}`, "/v1.0/asks/2-1", `{}`},
		"a request without words": {"POST", one + "/asks", `{"message":"x"}`, one + "/asks",
			`{"message":""}`},
		"a request of no kind": {"POST", one + "/asks", `{"message":"x"}`, one + "/asks",
			`{"message":"x","kind":"guess"}`},
		"a wait without end":      {"GET", one + "/asks/ID-1", "", one + "/asks/ID-1?wait=99999", ""},
		"a PIN that is too short": {"PUT", "/v1.0/pin", `{"pin":"4711"}`, "/v1.0/pin", `{"pin":"1"}`},
		"a setting that does not fit": {"PUT", "/v1.0/settings/api_port", `{"value":"4001"}`, "/v1.0/settings/api_port",
			`{"value":"many"}`},
	} {
		t.Run(name, func(t *testing.T) {
			a := stateIn(t, a)
			send := func(path, body, id string, header ...string) harness.Answer {
				return a.Raw(c.method, strings.ReplaceAll(path, "ID", id), strings.ReplaceAll(body, "ID", id),
					header...)
			}
			owner := []string{"Authorization", "Bearer " + a.Token()}
			// If the call before took it away.
			harness.MustSucceed(t, a.Own("POST", harness.StatePath(2, "/restore"), ""))
			a.Unchanged(func() {
				harness.MustRefuse(t, send(c.badPath, c.bad, "2", "Origin", "https://evil.example"), 403,
					"E_FORBIDDEN_ORIGIN")
				for _, id := range []string{"2", "99"} {
					harness.MustRefuse(t, send(c.badPath, c.bad, id, owner...), 400, "E_INVALID")
					harness.MustRefuse(t, send(c.badPath, c.bad, id), 400, "E_INVALID")
					harness.MustRefuse(t, send(c.path, c.good, id), 401, "E_UNAUTHORIZED")
				}
				if strings.Contains(c.path+c.good, "ID") {
					harness.MustRefuse(t, send(c.path, c.good, "99", owner...), 404, "E_NOT_FOUND")
				}
			})
		})
	}
	t.Run("an upload without a file", func(t *testing.T) {
		a := stateIn(t, a)
		good, kind := uploadForm(t, zipped(t, madeUpExtension("1.0", "")), "profileIds", "99")
		bad, badKind := uploadForm(t, nil, "profileIds", "99")
		send := func(body, kind string, header ...string) harness.Answer {
			return a.Raw("POST", "/v1.0/extensions/upload-zipped", body, append(header, "Content-Type", kind)...)
		}
		owner := []string{"Authorization", "Bearer " + a.Token()}
		a.Unchanged(func() {
			harness.MustRefuse(t, send(bad, badKind, "Origin", "https://evil.example"), 403, "E_FORBIDDEN_ORIGIN")
			harness.MustRefuse(t, send(bad, badKind, owner...), 400, "E_INVALID")
			harness.MustRefuse(t, send(good, kind), 401, "E_UNAUTHORIZED")
			harness.MustRefuse(t, send(good, kind, owner...), 404, "E_NOT_FOUND")
		})
	})
	t.Run("an unknown profile beside an open one", func(t *testing.T) {
		a := stateIn(t, a)
		a.Unchanged(func() {
			harness.MustRefuse(t, a.Own("DELETE", "/v1.0/browser_profiles", `{"ids":[1,99]}`), 404, "E_NOT_FOUND")
			harness.MustRefuse(t, a.Own("DELETE", "/v1.0/browser_profiles?forceDelete=1", `{"ids":[99,1]}`), 404,
				"E_NOT_FOUND")
			harness.MustRefuse(t, a.Own("DELETE", "/v1.0/browser_profiles", `{"ids":[1,2]}`), 409, "E_PROFILE_OPEN")
			harness.MustRefuse(t, a.Own("DELETE", "/v1.0/browser_profiles?forceDelete=1", `{"ids":[2,1]}`), 409,
				"E_PROFILE_OPEN")
		})
	})
}

// errGuard: the guard refuses web pages and foreign names.
func errGuard(t *testing.T, a *harness.App) {
	port := a.Base[strings.LastIndexByte(a.Base, ':')+1:]
	calls := [][2]string{{"GET", "/v1.0/status"}, {"GET", "/v1.0/browser_profiles"},
		{"GET", harness.StatePath(2, "/start?automation=1")}, {"GET", harness.StatePath(1, "/stop")},
		{"POST", "/v1.0/browser_profiles/start"}, {"POST", "/v1.0/auth/logout"}, {"GET", "/v1.0/events"},
		{"GET", "/nowhere"}, {"PATCH", "/v1.0/status"}, {"GET", "/v1.0/openapi.json"},
		{"GET", harness.StatePath(1, "/cookies")}, {"POST", "/v1.0/cookies/import"},
		{"GET", "/?actionType=getCookies&browserProfileId=1"}, {"POST", "/?actionType=importCookies&browserProfileId=1"}}
	for name, c := range map[string]struct {
		header []string
		code   string
	}{
		"a foreign Host":               {[]string{"Host", "evil.example:" + port}, "E_FORBIDDEN_HOST"},
		"our name on another port":     {[]string{"Host", "127.0.0.1:1"}, "E_FORBIDDEN_HOST"},
		"our name without a port":      {[]string{"Host", "localhost"}, "E_FORBIDDEN_HOST"},
		"an empty Host":                {[]string{"Host", ""}, "E_FORBIDDEN_HOST"},
		"a foreign Origin":             {[]string{"Origin", "https://evil.example"}, "E_FORBIDDEN_ORIGIN"},
		"no Origin in its own words":   {[]string{"Origin", "null"}, "E_FORBIDDEN_ORIGIN"},
		"an Origin on another port":    {[]string{"Origin", "http://127.0.0.1:1"}, "E_FORBIDDEN_ORIGIN"},
		"a cross-site request":         {[]string{"Sec-Fetch-Site", "cross-site"}, "E_FORBIDDEN_ORIGIN"},
		"a request of the same site":   {[]string{"Sec-Fetch-Site", "same-site"}, "E_FORBIDDEN_ORIGIN"},
		"an address typed by an agent": {[]string{"Sec-Fetch-Site", "none"}, "E_FORBIDDEN_ORIGIN"},
	} {
		t.Run(name, func(t *testing.T) {
			a := stateIn(t, a)
			a.Unchanged(func() {
				for _, call := range calls {
					harness.MustRefuse(t, a.Raw(call[0], call[1], "",
						append([]string{"Authorization", "Bearer " + a.Token()}, c.header...)...), 403, c.code)
				}
			})
		})
	}
	for _, header := range [][]string{nil, {"Host", "localhost:" + port}, {"Host", "[::1]:" + port}, {"Origin", a.Base},
		{"Sec-Fetch-Site", "same-origin"}} {
		harness.MustSucceed(t, a.Raw("GET", "/v1.0/status", "", header...))
	}
	for _, path := range []string{"/", "/docs"} {
		if r := a.Raw("GET", path, "", "Sec-Fetch-Site", "none"); r.Status != 200 || !strings.Contains(r.Raw, "<html") {
			t.Errorf("a person who types %s gets %d %.100s", path, r.Status, r.Raw)
		}
	}
}

// errIDs: an id that is none is refused everywhere.
func errIDs(t *testing.T, a *harness.App) {
	calls := [][2]string{{"GET", "/start?automation=1"}, {"POST", "/start"}, {"GET", "/stop"}, {"GET", "/active"},
		{"GET", ""}, {"PATCH", ""}, {"PUT", ""},
		{"DELETE", "?forceDelete=1"}, {"POST", "/restore"}, {"POST", "/clone"},
		{"GET", "/cookies"}, {"POST", "/cookies"}}
	for _, id := range []string{"0", "-1", "+1", "1e3", "0x1", "1.0", "01", "1%20", "%201", "1%00", "1%0a", "..%2f1",
		"%2e%2e", "%2E%2E%2F1", "1%2fstart", "٣", "%D9%A3", "１", "%EF%BC%91",
		"2147483648", "4294967297", "9223372036854775808", strings.Repeat("1",
			40), "abc", "null", "%ff", "1;2", "1,2", "~", "%25"} {
		t.Run(id, func(t *testing.T) {
			a := stateIn(t, a)
			a.Unchanged(func() {
				for _, call := range calls {
					r := a.Raw(call[0], "/v1.0/browser_profiles/"+id+call[1], `{"name":"x"}`, "Authorization",
						"Bearer "+a.Token())
					harness.MustRefuse(t, r, 400, "E_INVALID")
				}
			})
		})
	}
	t.Run("ways out of the folder", func(t *testing.T) {
		a := stateIn(t, a)
		a.Unchanged(func() {
			for _, target := range []string{"/v1.0/browser_profiles/../1/start", "/v1.0/browser_profiles/1/../2/start",
				"/v1.0/../v1.0/status", "/v1.0/browser_profiles/./1/start"} {
				harness.MustRefuse(t, a.Raw("GET", target, ""), 404, "E_NO_ROUTE")
			}
			// A blank in the request line is no HTTP at all.
			for _, target := range []string{"/v1.0/browser_profiles/1 /start", "/v1.0/browser_profiles/%/start",
				"/v1.0/browser_profiles/%zz/start"} {
				if r := a.Raw("GET", target, ""); r.Status != 400 {
					t.Errorf("%q is answered with %d %s", target, r.Status, r.Raw)
				}
			}
		})
	})
	harness.MustRefuse(t, a.Get(harness.StatePath(2147483647, "/start")), 404, "E_NOT_FOUND")
}

// errMalformed: malformed input is refused.
func errMalformed(t *testing.T, a *harness.App) {
	list, one, begin, open := "/v1.0/browser_profiles", harness.StatePath(2, ""), harness.StatePath(2,
		"/start"), "/v1.0/browser_profiles/start"
	type call struct{ method, path, body string }
	var calls []call
	for _, q := range []string{"automation=maybe", "automation=2", "headless=2", "headless=-1", "noTabs=x",
		"automation=%zz", "automation=1;headless=1", "automation=tru"} {
		calls = append(calls, call{"GET", begin + "?" + q, ""}, call{"POST", begin + "?" + q, `{"automation":true}`},
			call{"POST", open + "?" + q, ""})
	}
	for _, q := range []string{"page=0", "page=-1", "page=x", "page=1.5", "page=99999999999999999999", "limit=0",
		"limit=-5", "limit=x", "limit=99999999", "sort=bogus", "sort=-", "sort=name;drop",
		"trashed=maybe", "query=%zz", "query=" + strings.Repeat("x", 1000)} {
		calls = append(calls, call{"GET", list + "?" + q, ""})
	}
	for _, q := range []string{"forceDelete=perhaps", "forceDelete=2", "forceDelete=%zz"} {
		calls = append(calls, call{"DELETE", one + "?" + q, ""}, call{"DELETE", list + "?" + q, `{"ids":[2]}`})
	}
	for _, body := range []string{`{`, `{"name":`, `{"name":"x"}}`, `{"name":"x"} {}`, `{'name':'x'}`, `name`, "\x00",
		`[]`, `[{"name":"x"}]`, `5`, `"x"`, `true`, strings.Repeat("[", 100000), strings.Repeat(`{"name":`, 100000)} {
		for _, c := range []call{{"POST", list, ""}, {"PATCH", one, ""}, {"PUT", one, ""}, {"POST", begin, ""},
			{"POST", open, ""}, {"POST", list + "/mass", ""}, {"DELETE", list, ""}, {"POST", one + "/clone", ""},
			{"POST", "/v1.0/auth/login", ""}, {"POST", "/v1.0/auth/login-with-token", ""}, {"POST", "/v1.0/tokens",
				""}, {"POST", "/v1.0/accounts", ""}, {"PUT", "/v1.0/settings/browser", ""}, {"POST", "/v1.0/app/stop",
				""}} {
			calls = append(calls, call{c.method, c.path, body})
		}
	}
	for _, field := range []string{`"name":5`, `"name":["x"]`, `"name":{}`, `"name":""`, `"name":null`, `"name":"  "`,
		`"name":"a\u0007b"`, `"name":"` + strings.Repeat("n", 201) + `"`,
		`"tags":{"a":1}`, `"tags":[[]]`, `"tags":[{}]`, `"notes":5`, `"folder":[]`, `"startPages":[1]`,
		`"startPages":["javascript:alert(1)"]`, `"startPages":["file:///etc/passwd"]`, `"startPages":["--no-sandbox"]`,
		`"window":"big"`, `"window":{"width":"x","height":600}`, `"window":{"width":1,"height":1}`,
		`"window":{"width":800}`, `"window":{"width":800.5,"height":600}`, `"locale":"x y"`, `"locale":5`,
		`"timezone":"Nowhere/Else"`, `"timezone":"../etc"`,
		`"proxy":5`, `"proxy":[]`, `"proxy":"http://p.example"`, `"status":"x"`, `"folder":7.5`, `"proxy":{"type":"ftp","host":"p.example","port":1}`,
		`"proxy":{"type":"http","host":"p.example","port":70000}`,
		`"proxy":{"type":"http","host":"p.example","port":"x"}`, `"proxy":{"type":"http","host":"a b","port":1}`,
		`"args":{"a":1}`, `"args":["x"]`, `"args":[1]`, `"browser":5`} {
		body := `{` + field + `}`
		if !strings.HasPrefix(field, `"name"`) {
			body = `{"name":"x",` + field + `}`
		}
		calls = append(calls, call{"POST", list, body}, call{"PATCH", one, body}, call{"PUT", one, body},
			call{"POST", list + "/mass", `{"profiles":[{"name":"good"},` + body + `]}`})
		if field != `"name":null` {
			calls = append(calls, call{"POST", open, body})
		}
	}
	for _, body := range []string{`{"automation":"maybe"}`, `{"automation":2}`, `{"automation":[]}`,
		`{"automation":{}}`, `{"headless":"x"}`, `{"noTabs":5}`} {
		calls = append(calls, call{"POST", begin, body}, call{"POST", open, body})
	}
	for _, body := range []string{`{}`, `{"ids":[]}`, `{"ids":"x"}`, `{"ids":[[2]]}`, `{"ids":[1.5]}`, `{"ids":[-2]}`,
		`{"ids":[0]}`, `{"ids":[2,2147483648]}`, `{"ids":["2x"]}`, `{"ids":{"2":true}}`} {
		calls = append(calls, call{"DELETE", list, body}, call{"DELETE", list + "?forceDelete=1", body})
	}
	for _, body := range []string{`{}`, `{"profiles":[]}`, `{"profiles":{}}`, `{"count":3}`,
		`{"template":{"name":"x"}}`, `{"template":{"name":"x"},"count":-1}`, `{"template":{"name":"x"},"count":1001}`, `{"template":{},"count":2}`, `{"count":"x","template":{"name":"x"}}`} {
		calls = append(calls, call{"POST", list + "/mass", body})
	}
	calls = append(calls, call{"PATCH", one, ""}, call{"PUT", one, ""}, call{"POST", list, ""},
		call{"POST", one + "/clone", `{"data":"yes"}`}, call{"POST", "/v1.0/auth/login", `{"email":5,"password":"x"}`},
		call{"POST", "/v1.0/auth/login-with-token", `{"token":{}}`},
		call{"POST", "/v1.0/app/stop", `{"profiles":"yes"}`}, call{"GET", "/v1.0/logs?lines=0", ""},
		call{"GET", "/v1.0/logs?lines=x", ""}, call{"DELETE", "/v1.0/tokens/x", ""})

	before := a.World()
	for _, c := range calls {
		r := a.Raw(c.method, c.path, c.body, "Authorization", "Bearer "+a.Token(), "Content-Type", "application/json")
		if code, ok := map[int]string{400: "E_INVALID", 422: "E_UNPROCESSABLE"}[r.Status]; ok && r.Code() == code {
			harness.MustRefuse(t, r, r.Status, code) // its shape
			continue
		}
		t.Errorf("%s %s %.80q is answered with %d %.200s", c.method, c.path, c.body, r.Status, r.Raw)
		if after := a.World(); before != after {
			t.Errorf("%s %s %.80q changed\n%s\ninto\n%s", c.method, c.path, c.body, before, after)
			a.Own("POST", harness.StatePath(2, "/restore"), "") // what comes next is to be judged by itself
			before = a.World()
		}
	}
	if after := a.World(); before != after {
		t.Errorf("one of them changed\n%s\ninto\n%s", before, after)
	}
}

// errEndless is a body of n bytes whose length nobody is told.
type errEndless struct{ left int }

func (e *errEndless) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), e.left)
	for i := range n {
		p[i] = ' '
	}
	e.left -= n
	return n, nil
}

// errLarge: a body of more than one mebibyte is refused, of more than sixteen where it may bring cookies.
func errLarge(t *testing.T, a *harness.App) {
	const most, cookies = 1 << 20, 16 << 20
	a.Unchanged(func() {
		for _, c := range []struct {
			method, path string
			limit        int
		}{
			{"POST", "/v1.0/browser_profiles", cookies}, {"POST", "/v1.0/browser_profiles/mass", cookies},
			{"PATCH", harness.StatePath(2, ""), most}, {"POST", harness.StatePath(2, "/start"), most},
			{"POST", "/v1.0/auth/login", most}, {"DELETE", "/v1.0/browser_profiles", most},
		} {
			size := c.limit + most
			for name, length := range map[string]int64{"with Content-Length": int64(size), "chunked": -1} {
				t.Run(c.method+" "+c.path+" "+name, func(t *testing.T) {
					req, err := http.NewRequestWithContext(t.Context(), c.method, a.Base+c.path, &errEndless{size})
					if err != nil {
						t.Fatal(err)
					}
					req.ContentLength = length
					req.Header.Set("Authorization", "Bearer "+a.Token())
					res, err := http.DefaultClient.Do(req)
					if err != nil {
						t.Fatal(err)
					}
					defer func() { _ = res.Body.Close() }()
					raw, _ := io.ReadAll(res.Body)
					r := harness.Answer{Status: res.StatusCode, Header: res.Header, Raw: string(raw)}
					_ = json.Unmarshal(raw, &r.Body)
					harness.MustRefuse(t, r, http.StatusRequestEntityTooLarge, "E_TOO_LARGE")
				})
			}
		}
	})
	// Nearly a mebibyte is no reason to refuse.
	harness.MustRefuse(t, a.Own("PATCH", harness.StatePath(2, ""), strings.Repeat(" ", 1<<20-100)+`{"name":5}`), 400,
		"E_INVALID")
}

// errRoutes: unknown routes and methods are told.
func errRoutes(t *testing.T, a *harness.App) {
	a.Unchanged(func() {
		for _, target := range []string{"/nowhere", "/v1.0", "/v1.0/", "/v1.1/status", "/v1.0status",
			"/v1.0/v1.0/status", "/v1.0/browser_profiles/1/start/now", "/v1.0/browser_profiles/1/nothing",
			"//v1.0/status", "/v1.0//status",
			"/v1.0/browser_profiles/1//start", "/v1.0/browser_profiles//1/start", "/V1.0/status", "/v1.0/Status", "/v1.0/status//", "/v1.0/auth", "/index.html", "/favicon.ico", "/json/version", "/.git/config"} {
			switch r := a.Raw("GET", target, ""); {
			case r.Status >= 300 && r.Status < 400:
				t.Errorf("%s is a redirect to %s", target, r.Header.Get("Location"))
			case (target == "/v1.0" || target == "/v1.0/") && r.Status == 200: // as /
			default:
				harness.MustRefuse(t, r, 404, "E_NO_ROUTE")
			}
		}
		for target, allow := range map[string]string{
			"/v1.0/status": "GET", "/v1.0/browser_profiles": "DELETE, GET, PATCH, POST",
			harness.StatePath(2, ""): "DELETE, GET, PATCH, PUT", harness.StatePath(2, "/start"): "GET, POST",
			harness.StatePath(2, "/stop"):   "GET, POST",
			harness.StatePath(2, "/active"): "GET", "/v1.0/browser_profiles/running": "GET",
			"/v1.0/browser_profiles/start": "POST", "/v1.0/browser_profiles/mass": "POST",
			harness.StatePath(2, "/clone"): "POST", harness.StatePath(2, "/restore"): "POST",
			"/v1.0/auth/login": "POST", "/v1.0/auth/login-with-token": "POST", "/v1.0/auth/logout": "POST",
			"/v1.0/auth/me": "GET", "/v1.0/events": "GET", "/v1.0/openapi.json": "GET", "/docs": "GET",
			"/v1.0/app/stop": "POST",
		} {
			for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"} {
				if slices.Contains(strings.Split(allow, ", "), method) {
					continue
				}
				r := a.Raw(method, target, `{"name":"x"}`, "Authorization", "Bearer "+a.Token())
				harness.MustRefuse(t, r, 405, "E_METHOD")
				if r.Header.Get("Allow") != allow {
					t.Errorf("%s %s allows %q, not %q", method, target, r.Header.Get("Allow"), allow)
				}
			}
		}
	})
}

// errPaths: paths work with and without prefix and slash and never redirect. Without the prefix profiles have another
// shape.
func errPaths(t *testing.T, a *harness.App) {
	for _, path := range []string{"/status", "/browser_profiles", "/browser_profiles/running", "/browser_profiles/1",
		"/browser_profiles/1/active", "/browser_profiles/2/stop", "/openapi.json"} {
		want := a.Raw("GET", "/v1.0"+path, "").Raw
		for _, target := range []string{"/v1.0" + path, "/v1.0" + path + "/", path, path + "/", "/api/v2" + path,
			"/v1.0" + path + "/?x=1"} {
			r := a.Raw("GET", target, "")
			same := r.Raw == want || path == "/browser_profiles" && harness.Member(r.Body, "total") != nil ||
				path == "/browser_profiles/1" && harness.Member(r.Body, "data", "running") == true
			if r.Status != 200 || !same {
				t.Errorf("%s is answered with %d %.200s, not %.200s", target, r.Status, r.Raw, want)
			}
		}
	}
	harness.MustRefuse(t, a.Raw("GET", "/browser_profiles/1/start/?automation=1", ""), 409, "E_BROWSER_RUN_DUPLICATE")
	harness.MustRefuse(t, a.Raw("POST", "/browser_profiles/1/start/", `{"automation":true}`), 409,
		"E_BROWSER_RUN_DUPLICATE")
}

func TestABrowserThatDoesNotOpenIsToldInItsOwnWords(t *testing.T) {
	a := stateStart(t)
	talk := "i=0; while [ $i -lt 30 ]; do i=$((i+1)); echo \"words of line $i.\" >&2; done\n"
	// The lock as a browser leaves it: of another one that lives, its own, and of one that has ended.
	lock := "for a in \"$@\"; do case \"$a\" in --user-data-dir=*) dir=\"${a#*=}\";; esac; done\n"
	taken := lock + "sleep 20 >/dev/null 2>&1 &\nln -sfn \"$(uname -n)-$!\" \"$dir/SingletonLock\"\n"
	own := lock + "ln -sfn \"$(uname -n)-$$\" \"$dir/SingletonLock\"\n"
	gone := lock + "true &\nwait\nln -sfn \"$(uname -n)-$!\" \"$dir/SingletonLock\"\n"
	for name, c := range map[string]struct {
		script, code string
		status       int
		says         []string
	}{
		"it fails at once": {talk + "exit 3", "E_BROWSER_LAUNCH", 500,
			[]string{"code 3", "words of line 30."}},
		"it fails after a while": {talk + "sleep 0.3\nexit 3", "E_BROWSER_LAUNCH", 500,
			[]string{"code 3", "words of line 30."}},
		"it dies": {talk + "kill -9 $$", "E_BROWSER_LAUNCH", 500,
			[]string{"words of line 30."}},
		"another browser has the folder": {talk + taken + "sleep 0.3\nexit 21", "E_PROFILE_LOCKED", 409,
			[]string{"nother browser"}},
		"it handed its pages to another": {taken + "sleep 0.3\nexit 0", "E_PROFILE_LOCKED", 409,
			[]string{"nother browser"}},
		"another browser has it, found fast": {taken + "exit 21", "E_PROFILE_LOCKED", 409,
			[]string{"nother browser"}},
		"it ends well and nobody else is there": {talk + own + "exit 0", "E_BROWSER_LAUNCH", 500,
			[]string{"code 0", "words of line 30."}},
		"it ends with 21 and nobody is there": {talk + "exit 21", "E_BROWSER_LAUNCH", 500,
			[]string{"code 21", "words of line 30."}},
		"who had the folder before it has ended": {talk + gone + "exit 21", "E_BROWSER_LAUNCH", 500,
			[]string{"code 21", "words of line 30."}},
		"it ends without a word": {"exit 0", "E_BROWSER_LAUNCH", 500, []string{"code 0", "Last output: none"}},
	} {
		t.Run(name, func(t *testing.T) {
			a := stateIn(t, a)
			id := a.Create(fmt.Sprintf(`{"name":"broken","browser":%q}`, errBrowser(t, c.script)))
			for mode, path := range map[string]string{"automation": "/start?automation=1", "ordinary": "/start"} {
				t.Run(mode, func(t *testing.T) {
					a := stateIn(t, a)
					r := a.Get(harness.StatePath(id, path))
					harness.MustRefuse(t, r, c.status, c.code)
					message, _ := r.Body["message"].(string)
					for _, word := range c.says {
						if !strings.Contains(message, word) {
							t.Errorf("%q does not say %q", message, word)
						}
					}
					if strings.Contains(message, "words of line 1.") {
						t.Errorf("%q is more than the end of its words", message)
					}
					a.StateClosing(id)
					a.MustBeClosed(id, 0)
				})
			}
		})
	}
}

func TestABrowserThatIsNotThereOrTooOldIsRefusedBeforeItStarts(t *testing.T) {
	a := stateStart(t)
	hinted := func(r harness.Answer) {
		t.Helper()
		if hint, _ := harness.Member(r.Body, "errorObject", "hint").(string); hint == "" {
			t.Errorf("there is no hint: %s", r.Raw)
		}
	}
	missing := filepath.Join(t.TempDir(), "missing")
	mute := filepath.Join(t.TempDir(), "mute")
	harness.Script(t, mute, "echo I am no browser, but version 5.2.37")
	refused := func(path string, r harness.Answer) {
		t.Helper()
		harness.MustRefuse(t, r, http.StatusBadRequest, "E_INVALID")
		hinted(r)
		if !strings.Contains(r.Raw, path) {
			t.Errorf("%s does not name %s", r.Raw, path)
		}
	}
	for _, path := range []string{missing, mute, a.Home} {
		refused(path, a.Own("POST", "/v1.0/browser_profiles", fmt.Sprintf(`{"name":"x","browser":%q}`, path)))
		refused(path, a.Own("PATCH", harness.StatePath(1, ""), fmt.Sprintf(`{"browser":%q}`, path)))
		refused(path, a.Own("PUT", "/v1.0/settings/browser", fmt.Sprintf(`{"value":%q}`, path)))
		// One that was a browser once is told at the start.
		was := errBrowser(t, "exit 3")
		id := a.Create(fmt.Sprintf(`{"name":"x","browser":%q}`, was))
		if err := os.Remove(was); err != nil {
			t.Fatal(err)
		}
		if path == mute {
			harness.Script(t, was, "echo I am no browser, but version 5.2.37")
		}
		r := a.Get(harness.StatePath(id, "/start?automation=1"))
		harness.MustRefuse(t, r, http.StatusServiceUnavailable, "E_NO_BROWSER")
		hinted(r)
		if !strings.Contains(r.Raw, was) {
			t.Errorf("%s does not name %s", r.Raw, was)
		}
		a.MustBeClosed(id, 0)
	}
	ran := filepath.Join(t.TempDir(), "ran")
	id := a.Create(fmt.Sprintf(`{"name":"old","browser":%q}`, errBrowser(t, "touch "+ran+"; exit 3")))
	if err := os.MkdirAll(a.File(id, "data_dir"), 0o700); err != nil {
		t.Fatal(err)
	}
	last := func(version string) {
		if err := os.WriteFile(a.File(id, "data_dir/Last Version"), []byte(version), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	last("1000.0.0.1")
	for _, path := range []string{"/start?automation=1", "/start"} {
		r := a.Get(harness.StatePath(id, path))
		harness.MustRefuse(t, r, http.StatusConflict, "E_BROWSER_TOO_OLD")
		hinted(r)
		if !strings.Contains(r.Raw, "1000.0.0.1") || !strings.Contains(r.Raw, "999.0.1.2") {
			t.Errorf("%s does not name both versions", r.Raw)
		}
	}
	if harness.Exists(ran) {
		t.Error("the old browser was started")
	}
	a.MustBeClosed(id, 0)
	last("999.9.9.9") // the same major version is as good
	harness.MustRefuse(t, a.Get(harness.StatePath(id, "/start?automation=1")), http.StatusInternalServerError,
		"E_BROWSER_LAUNCH")
}

func TestMoreThan64WaitingLaunchesAreTooMany(t *testing.T) {
	a := stateStart(t)
	const more = 10
	ids := a.MassCreate(64+runtime.NumCPU()+more, errHangingBrowser(t))
	answers, errs := make(chan harness.Answer, len(ids)), make(chan error, len(ids))
	each := func(path string) (all *sync.WaitGroup) {
		all = &sync.WaitGroup{}
		for _, id := range ids {
			all.Go(func() {
				if r, err := a.Try(http.MethodGet, harness.StatePath(id, path), ""); err != nil {
					errs <- err
				} else {
					answers <- r
				}
			})
		}
		return all
	}
	take := func() harness.Answer {
		t.Helper()
		select {
		case r := <-answers:
			return r
		case err := <-errs:
			t.Fatal(err)
		}
		return harness.Answer{}
	}
	starts := each("/start?automation=1")
	for range more {
		r := take()
		harness.MustRefuse(t, r, http.StatusTooManyRequests, "E_TOO_MANY_LAUNCHES")
		if n, err := strconv.Atoi(r.Header.Get("Retry-After")); err != nil || n < 1 {
			t.Errorf("Retry-After is %q", r.Header.Get("Retry-After"))
		}
	}
	if n := len(a.Running()); n != len(ids)-more {
		t.Errorf("%d profiles are starting, not %d", n, len(ids)-more)
	}
	stopped, refused := 0, 0
	stops := each("/stop")
	for range len(ids) - more + len(ids) {
		switch r := take(); r.Status {
		case http.StatusOK:
			stopped++
		default:
			harness.MustRefuse(t, r, http.StatusConflict, "E_STOPPED")
			refused++
		}
	}
	starts.Wait()
	stops.Wait()
	if stopped != len(ids) || refused != len(ids)-more {
		t.Errorf("%d stops worked, %d starts were told that they were stopped", stopped, refused)
	}
	if running := a.Running(); len(running) != 0 {
		t.Errorf("after all were stopped there are %v", running)
	}
	for _, id := range ids {
		for _, name := range harness.StateTraces(a, id) {
			if harness.Exists(name) {
				t.Errorf("%s is there although the profile is closed", name)
			}
		}
	}
	harness.Wait(t, "the keepers and browsers to go", func() bool {
		return len(a.Processes("keeper")) == 0 && len(a.Processes("--user-data-dir=")) == 0
	})
	// There is room again.
	id := a.Create(`{"name":"room"}`)
	a.Open(id)
}
