//go:build e2e

package e2e

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// apiAt is the value at a path of names in JSON; nil when it is not there.
func apiAt(v any, names ...string) any {
	for _, name := range names {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

// apiServe serves pages for one test and returns their address.
func apiServe(t *testing.T, handle http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(handle)
	t.Cleanup(s.Close)
	return s.URL
}

// list asks for profiles and returns their names.
func (a *app) list(query string) (names []string, r answer) {
	a.t.Helper()
	r = a.own("GET", "/v1.0/browser_profiles?"+query, "")
	mustSucceed(a.t, r)
	data, _ := r.Body["data"].([]any)
	for _, one := range data {
		names = append(names, fmt.Sprint(apiAt(one, "name")))
	}
	return names, r
}

// mustList checks which profiles a query finds, in order.
func (a *app) mustList(query string, want ...string) {
	a.t.Helper()
	if got, r := a.list(query); !slices.Equal(got, want) || r.Body["total"] != float64(len(want)) {
		a.t.Errorf("%q finds %q, not %q: %s", query, got, want, r.Raw)
	}
}

func TestProfilesAreCreatedListedAndSearched(t *testing.T) {
	a := stateStart(t)
	r := a.own("POST", "/v1.0/browser_profiles", `{"name":"  Beta  ","tags":["shop","de","shop"],"folder":"Work","notes":"needle","startPages":["example.com"],"window":{"width":900,"height":700},
		"locale":"de_AT","timezone":"Europe/Vienna","proxy":{"type":"HTTP","host":"p.example","port":"8080","login":"me","password":"secret"},"args":["--mute-audio"],"browser":"/usr/bin/chromium"}`)
	mustSucceed(t, r)
	if r.Body["success"] != true || r.Body["browserProfileId"] != 2.0 || apiAt(r.Body, "data", "id") != 2.0 || r.Body["ignored"] != nil {
		t.Errorf("create answers %s", r.Raw)
	}
	want := map[string]any{"id": 2.0, "name": "Beta", "tags": []any{"shop", "de"}, "state": "closed", "folder": "Work", "notes": "needle", "startPages": []any{"https://example.com"},
		"window": map[string]any{"width": 900.0, "height": 700.0}, "locale": "de-AT", "timezone": "Europe/Vienna",
		"proxy": map[string]any{"type": "http", "host": "p.example", "port": 8080.0, "login": "me", "password": "secret"}, "args": []any{"--mute-audio"}, "browser": "/usr/bin/chromium"}
	one := a.own("GET", statePath(2, ""), "")
	mustSucceed(t, one)
	for key, value := range want {
		if got := apiAt(one.Body, "data", key); !reflect.DeepEqual(got, value) {
			t.Errorf("%s is %v, not %v", key, got, value)
		}
	}
	for _, body := range []string{`{"name":"alpha","tags":"shop","folder":"home"}`, `{"name":"Gamma 7"}`, `{"name":"delta","folder":"work","tags":["de"]}`, `{"name":"100%_\\"}`} {
		a.create(body)
	}
	all := []string{"First profile", "Beta", "alpha", "Gamma 7", "delta", `100%_\`}
	a.mustList("", all...)
	a.mustList("sort=name", `100%_\`, "alpha", "Beta", "delta", "First profile", "Gamma 7")
	a.mustList("sort=-name", "Gamma 7", "First profile", "delta", "Beta", "alpha", `100%_\`)
	backwards := slices.Clone(all)
	slices.Reverse(backwards)
	a.mustList("sort=-id", backwards...)
	a.mustList("sort=created", all...)
	a.mustList("query=BETA", "Beta")
	a.mustList("search=eta", "Beta")
	a.mustList("query=needle", "Beta")
	a.mustList("query=home", "alpha")
	a.mustList("query=4", "Gamma 7")
	a.mustList("query="+url.QueryEscape("%_"), `100%_\`)
	a.mustList("query=" + url.QueryEscape("' OR 1=1 --"))
	a.mustList("tags=shop", "Beta", "alpha")
	a.mustList("tags[]=shop&tags[]=de", "Beta")
	a.mustList("tags=shop,de", "Beta")
	a.mustList("folder=work", "Beta", "delta")
	a.mustList("folder=work&tag=de&query=del", "delta")

	total, pages := 6.0, []string{}
	for page, next := 1.0, a.base+"/v1.0/browser_profiles?limit=4&sort=-id"; ; page++ {
		names, r := a.list(next[strings.IndexByte(next, '?')+1:])
		pages = append(pages, names...)
		if r.Body["current_page"] != page || r.Body["last_page"] != 2.0 || r.Body["per_page"] != 4.0 || r.Body["total"] != total {
			t.Errorf("page %v is %s", page, r.Raw)
		}
		link, there := r.Body["next_page_url"]
		if !there {
			t.Errorf("next_page_url is missing: %s", r.Raw)
		}
		if link == nil {
			break
		}
		if next = fmt.Sprint(link); !strings.HasPrefix(next, a.base+"/v1.0/browser_profiles?") {
			t.Fatalf("the next page is at %s", next)
		}
	}
	if !slices.Equal(pages, backwards) {
		t.Errorf("the pages hold %q, not %q", pages, backwards)
	}
	if names, r := a.list("page=3&limit=4"); len(names) != 0 || r.Body["total"] != total || r.Body["next_page_url"] != nil {
		t.Errorf("a page past the end is %s", r.Raw)
	}
}

func TestProfilesAreEditedAndReplaced(t *testing.T) {
	a := stateStart(t)
	id := a.create(`{"name":"one","tags":["a"],"notes":"n","folder":"f","timezone":"UTC","proxy":{"type":"http","host":"p.example","port":1}}`)
	data := func() map[string]any {
		t.Helper()
		r := a.own("GET", statePath(id, ""), "")
		mustSucceed(t, r)
		m, _ := r.Body["data"].(map[string]any)
		return m
	}
	created := data()["createdAt"]
	r := a.own("PATCH", statePath(id, ""), `{"name":"two","notes":{"content":"wrapped"},"timezone":{"mode":"manual","value":"Europe/Berlin"}}`)
	mustSucceed(t, r)
	if apiAt(r.Body, "data", "name") != "two" {
		t.Errorf("edit answers %s", r.Raw)
	}
	if d := data(); d["name"] != "two" || d["notes"] != "wrapped" || d["timezone"] != "Europe/Berlin" || d["folder"] != "f" || !reflect.DeepEqual(d["tags"], []any{"a"}) || d["proxy"] == nil {
		t.Errorf("after an edit the profile is %v", d)
	}
	mustSucceed(t, a.own("PATCH", statePath(id, ""), `{"proxy":null,"tags":null,"timezone":"","createdAt":"2000-01-01T00:00:00Z","id":77,"temporary":true}`))
	if d := data(); d["proxy"] != nil || !reflect.DeepEqual(d["tags"], []any{}) || d["timezone"] != "" || d["name"] != "two" || d["createdAt"] != created || d["id"] != float64(id) {
		t.Errorf("after fields were emptied the profile is %v", d)
	}
	mustSucceed(t, a.own("PUT", statePath(id, ""), `{"name":"three","notes":"new"}`))
	if d := data(); d["name"] != "three" || d["notes"] != "new" || d["folder"] != "" || d["createdAt"] != created {
		t.Errorf("after it was replaced the profile is %v", d)
	}
	a.mustList("query=two")
	a.mustList("query=three", "three")
}

func TestForeignFieldsAreIgnoredAndNamed(t *testing.T) {
	a := stateStart(t)
	r := a.own("POST", "/v1.0/browser_profiles", `{"name":"from another product","platform":"windows","useragent":{"mode":"manual","value":"x"},"webrtc":{"mode":"altered"},"mainWebsite":"none","tags":["t"],"id":500}`)
	mustSucceed(t, r)
	if want := []any{"id", "mainWebsite", "platform", "useragent", "webrtc"}; !reflect.DeepEqual(r.Body["ignored"], want) || r.Body["browserProfileId"] != 2.0 {
		t.Errorf("create answers %s", r.Raw)
	}
	if one := a.own("GET", statePath(2, ""), ""); apiAt(one.Body, "data", "platform") != nil || !reflect.DeepEqual(apiAt(one.Body, "data", "tags"), []any{"t"}) {
		t.Errorf("the profile is %s", one.Raw)
	}
	form := a.request("POST", "/v1.0/browser_profiles", "name=form&tags[]=a&tags[]=b&proxy[type]=http&proxy[host]=h.example&proxy[port]=81&odd=1",
		"Authorization", "Bearer "+a.token(), "Content-Type", "application/x-www-form-urlencoded")
	mustSucceed(t, form)
	if one := a.own("GET", statePath(3, ""), ""); apiAt(one.Body, "data", "name") != "form" || !reflect.DeepEqual(apiAt(one.Body, "data", "tags"), []any{"a", "b"}) ||
		apiAt(one.Body, "data", "proxy", "port") != 81.0 || !reflect.DeepEqual(form.Body["ignored"], []any{"odd"}) {
		t.Errorf("a form makes %s", one.Raw)
	}
}

func TestProfilesGoToTheTrashAndComeBackOrGoForGood(t *testing.T) {
	a := stateStart(t)
	ids := a.massCreate(4, "")
	a.mustList("", "First profile", "many 1", "many 2", "many 3", "many 4")
	for _, id := range ids {
		if err := os.MkdirAll(a.file(id, "data_dir/Default"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	mustSucceed(t, a.own("DELETE", statePath(ids[0], ""), ""))
	mustRefuse(t, a.own("GET", statePath(ids[0], ""), ""), 404, "E_NOT_FOUND")
	mustRefuse(t, a.get(statePath(ids[0], "/start")), 404, "E_NOT_FOUND")
	mustRefuse(t, a.own("PATCH", statePath(ids[0], ""), `{"name":"x"}`), 404, "E_NOT_FOUND")
	mustRefuse(t, a.own("DELETE", statePath(ids[0], ""), ""), 404, "E_NOT_FOUND")
	a.mustList("", "First profile", "many 2", "many 3", "many 4")
	a.mustList("trashed=1", "many 1")
	if !exists(a.file(ids[0], "data_dir/Default")) {
		t.Error("the trash lost the profile's data")
	}
	back := a.own("POST", statePath(ids[0], "/restore"), "")
	mustSucceed(t, back)
	if apiAt(back.Body, "data", "name") != "many 1" || apiAt(back.Body, "data", "deletedAt") != nil {
		t.Errorf("restore answers %s", back.Raw)
	}
	a.mustList("trashed=1")
	a.mustList("", "First profile", "many 1", "many 2", "many 3", "many 4")

	// All of them or none.
	mustRefuse(t, a.own("DELETE", "/v1.0/browser_profiles?forceDelete=1", fmt.Sprintf(`{"ids":[%d,99]}`, ids[1])), 404, "E_NOT_FOUND")
	a.mustList("", "First profile", "many 1", "many 2", "many 3", "many 4")
	if !exists(a.file(ids[1], "data_dir/Default")) {
		t.Error("a refused deletion took the folder")
	}
	mustSucceed(t, a.own("DELETE", "/v1.0/browser_profiles", fmt.Sprintf(`{"ids":[%d,%d]}`, ids[1], ids[2])))
	a.mustList("trashed=1", "many 2", "many 3")
	mustSucceed(t, a.own("DELETE", "/v1.0/browser_profiles?forceDelete=1", fmt.Sprintf(`{"ids":[%d,%d]}`, ids[2], ids[3]))) // one in the trash, one not
	mustSucceed(t, a.own("DELETE", statePath(ids[1], "?forceDelete=true"), ""))
	a.mustList("", "First profile", "many 1")
	a.mustList("trashed=1")
	for _, id := range ids[1:] {
		if exists(a.file(id, "")) || exists(a.file(id, "")+".deleted") {
			t.Errorf("the folder of profile %d is still there", id)
		}
		mustRefuse(t, a.own("POST", statePath(id, "/restore"), ""), 404, "E_NOT_FOUND")
	}
	if next := a.create(`{"name":"next"}`); next <= ids[3] {
		t.Errorf("the id %d was given again", next)
	}
	mass := a.own("POST", "/v1.0/browser_profiles/mass", `{"profiles":[{"name":"left","tags":["x"]},{"name":"right"}]}`)
	mustSucceed(t, mass)
	a.mustList("tags=x", "left")
	a.mustList("query=right", "right")
}

func TestAProfileThatIsOpenIsNotDeleted(t *testing.T) {
	a := stateStart(t)
	port := a.open(1)
	for _, call := range [][3]string{{"DELETE", statePath(1, "")}, {"DELETE", statePath(1, "?forceDelete=1")}, {"DELETE", "/v1.0/browser_profiles", `{"ids":[1]}`},
		{"DELETE", "/v1.0/browser_profiles?forceDelete=1", `{"ids":[1]}`}, {"POST", statePath(1, "/clone"), `{"data":true}`}} {
		mustRefuse(t, a.own(call[0], call[1], call[2]), http.StatusConflict, "E_PROFILE_OPEN")
	}
	a.mustList("", "First profile")
	if got := statePages(t, port); len(got) != 1 {
		t.Errorf("after that the browser shows %q", got)
	}
	a.close(1)
	mustSucceed(t, a.own("DELETE", statePath(1, "?forceDelete=1"), ""))
	if exists(a.file(1, "")) {
		t.Error("the folder of a deleted profile is still there")
	}
}

func TestALoginSurvivesInACloneWithDataOnly(t *testing.T) {
	a, web := stateStart(t), newSite(t)
	id := a.create(fmt.Sprintf(`{"name":"shop","tags":["t"],"timezone":"UTC","startPages":[%q]}`, web.URL+"/login"))
	a.open(id)
	web.report(t, "login")
	settings := a.own("POST", statePath(id, "/clone"), `{"name":"settings only"}`) // an open one can be copied so
	mustSucceed(t, settings)
	a.close(id)
	full := a.own("POST", statePath(id, "/clone"), `{"data":true}`)
	mustSucceed(t, full)
	if apiAt(full.Body, "data", "name") != "shop copy" || !reflect.DeepEqual(apiAt(full.Body, "data", "tags"), []any{"t"}) || apiAt(full.Body, "data", "timezone") != "UTC" {
		t.Errorf("the clone is %s", full.Raw)
	}
	for _, c := range []struct {
		made answer
		kept bool
	}{{settings, false}, {full, true}} {
		n, _ := c.made.Body["browserProfileId"].(float64)
		copied := int(n)
		if exists(a.file(copied, "data_dir")) != c.kept {
			t.Errorf("%s: is there data: %v", c.made.Raw, !c.kept)
		}
		mustSucceed(t, a.own("PATCH", statePath(copied, ""), fmt.Sprintf(`{"startPages":[%q]}`, web.URL+"/check")))
		if err := forgetTabs(a, copied); err != nil {
			t.Fatal(err)
		}
		a.open(copied)
		r := web.report(t, "check")
		if got := strings.Contains(fmt.Sprint(r["cookie"]), "kept=yes") && r["local"] == "yes" && r["db"] == "yes"; got != c.kept {
			t.Errorf("with data %v the copy finds %v", c.kept, r)
		}
		a.close(copied)
		mustSucceed(t, a.own("DELETE", statePath(copied, "?forceDelete=1"), ""))
		if exists(a.file(copied, "")) {
			t.Error("the folder of a deleted copy is still there")
		}
	}
	if !exists(a.file(id, "data_dir/Default")) {
		t.Error("the original lost its data")
	}
}

func TestWithoutACredentialOnlyIDNameTagsAndStateAreShown(t *testing.T) {
	a := stateStart(t)
	id := a.create(`{"name":"secret shop","tags":["t"],"notes":"hidden","folder":"inner","proxy":{"type":"http","host":"p.example","port":1,"login":"u","password":"pw"},"args":["--mute-audio"]}`)
	want := map[string]any{"id": float64(id), "name": "secret shop", "tags": []any{"t"}, "state": "closed"}
	for _, header := range [][]string{nil, {"Authorization", "Bearer wrong"}} {
		one := a.request("GET", statePath(id, ""), "", header...)
		mustSucceed(t, one)
		if !reflect.DeepEqual(one.Body["data"], any(want)) {
			t.Errorf("a stranger reads %s", one.Raw)
		}
		list := a.request("GET", "/v1.0/browser_profiles?query=secret", "", header...)
		mustSucceed(t, list)
		if !reflect.DeepEqual(list.Body["data"], []any{want}) {
			t.Errorf("a stranger lists %s", list.Raw)
		}
		for _, query := range []string{"query=hidden", "query=inner", "query=p.example"} { // nor can it be found out by asking
			if r := a.request("GET", "/v1.0/browser_profiles?"+query, "", header...); r.Body["total"] != 0.0 {
				t.Errorf("a stranger finds %s by %s", r.Raw, query)
			}
		}
		for _, query := range []string{"folder=inner", "trashed=1", "sort=folder", "sort=opened"} {
			mustRefuse(t, a.request("GET", "/v1.0/browser_profiles?"+query, "", header...), 401, "E_UNAUTHORIZED")
		}
		for _, call := range [][3]string{{"POST", "/v1.0/browser_profiles", `{"name":"x"}`}, {"POST", "/v1.0/browser_profiles/mass", `{"profiles":[{"name":"x"}]}`}, {"PATCH", statePath(id, ""), `{"name":"x"}`},
			{"PUT", statePath(id, ""), `{"name":"x"}`}, {"DELETE", statePath(id, "")}, {"DELETE", "/v1.0/browser_profiles", `{"ids":[2]}`}, {"POST", statePath(id, "/clone")}, {"POST", statePath(id, "/restore")},
			{"GET", "/v1.0/accounts"}, {"POST", "/v1.0/accounts", `{"email":"a@b.example","password":"long enough","plan":"team"}`}, {"POST", "/v1.0/accounts/plan", `{"plan":"team"}`},
			{"GET", "/v1.0/tokens"}, {"POST", "/v1.0/tokens", `{"name":"x"}`}, {"DELETE", "/v1.0/tokens/1"}, {"GET", "/v1.0/settings"}, {"PUT", "/v1.0/settings/browser", `{"value":""}`},
			{"GET", "/v1.0/browsers"}, {"GET", "/v1.0/doctor"}, {"GET", "/v1.0/logs"}, {"POST", "/v1.0/app/stop", `{}`}} {
			t.Run(call[0]+" "+call[1], func(t *testing.T) {
				r := stateIn(t, a).request(call[0], call[1], call[2], header...)
				mustRefuse(t, r, 401, "E_UNAUTHORIZED")
				if r.Header.Get("WWW-Authenticate") != "Bearer" {
					t.Error("the answer does not say which credential is wanted")
				}
			})
		}
	}
	if status := a.get("/v1.0/status"); status.Status != 200 || strings.Contains(status.Raw, "owner@localhost") {
		t.Errorf("a stranger's status is %s", status.Raw)
	}
	a.mustList("", "First profile", "secret shop")
}

func TestLogins(t *testing.T) {
	a := stateStart(t)
	mustSucceed(t, a.own("POST", "/v1.0/accounts", `{"email":"Eve@Example.com","password":"correct horse","plan":"free"}`))
	mustSucceed(t, a.request("POST", "/v1.0/auth/login", `{"email":"eve@example.com","password":"correct horse"}`))
	made := a.own("POST", "/v1.0/tokens", `{"name":"hers"}`) // of whoever is logged in
	token, _ := apiAt(made.Body, "data", "token").(string)
	if token == "" || apiAt(made.Body, "data", "email") != "eve@example.com" {
		t.Fatalf("the token is %s", made.Raw)
	}
	if again := a.own("GET", "/v1.0/tokens", ""); strings.Contains(again.Raw, token) {
		t.Error("a token is shown twice")
	}
	const form = "application/x-www-form-urlencoded"
	encoded := url.QueryEscape("correct horse")
	for _, c := range []struct {
		path, body, kind string
		status           int
		who              string
	}{
		{"login", `{"email":"eve@example.com","password":"correct horse"}`, "application/json", 200, "eve@example.com"},
		{"login", `{"email":" EVE@example.com ","password":"correct horse"}`, "", 200, "eve@example.com"},
		{"login", "email=eve%40example.com&password=" + encoded, form, 200, "eve@example.com"},
		{"login-with-token", fmt.Sprintf(`{"token":%q}`, token), "application/json", 200, "eve@example.com"},
		{"login-with-token", fmt.Sprintf(`{"token":"Bearer %s"}`, token), "application/json", 200, "eve@example.com"},
		{"login-with-token", "token=" + token, form, 200, "eve@example.com"},
		{"login-with-token", "token=Bearer+" + token, form + "; charset=utf-8", 200, "eve@example.com"},
		{"login-with-token", fmt.Sprintf(`{"token":%q}`, a.token()), "application/json", 200, "owner@localhost"},
		{"login", `{"email":"eve@example.com","password":"wrong horse"}`, "application/json", 401, "owner@localhost"},
		{"login", `{"email":"nobody@example.com","password":"correct horse"}`, "application/json", 401, "owner@localhost"},
		{"login", `{"email":"owner@localhost","password":""}`, "application/json", 401, "owner@localhost"},
		{"login", `{}`, "application/json", 401, "owner@localhost"},
		{"login-with-token", `{"token":"cove_wrong"}`, "application/json", 401, "owner@localhost"},
		{"login-with-token", `{"token":""}`, "application/json", 401, "owner@localhost"},
		{"login-with-token", `{"token":"Bearer "}`, "application/json", 401, "owner@localhost"},
	} {
		mustSucceed(t, a.own("POST", "/v1.0/auth/logout", ""))
		if c.status != 200 { // it is not to log out who is in
			mustSucceed(t, a.request("POST", "/v1.0/auth/login-with-token", fmt.Sprintf(`{"token":%q}`, a.token())))
		}
		r := a.request("POST", "/v1.0/auth/"+c.path, c.body, "Content-Type", c.kind)
		if c.status != 200 {
			mustRefuse(t, r, c.status, "E_UNAUTHORIZED")
		} else if mustSucceed(t, r); len(r.Body) != 1 || r.Body["success"] != true {
			t.Errorf("%s %s answers %s", c.path, c.body, r.Raw)
		}
		if me := apiAt(a.own("GET", "/v1.0/auth/me", "").Body, "data", "email"); me != c.who {
			t.Errorf("after %s %s the account is %v, not %v", c.path, c.body, me, c.who)
		}
	}
	// Her token is a credential, but not the owner's.
	a.must("login", "--owner")
	hers := []string{"Authorization", "Bearer " + token}
	mustSucceed(t, a.request("PATCH", statePath(1, ""), `{"notes":"hers"}`, hers...))
	mustRefuse(t, a.request("POST", "/v1.0/accounts/plan", `{"plan":"team"}`, hers...), 403, "E_NOT_OWNER")
	mustSucceed(t, a.own("DELETE", fmt.Sprintf("/v1.0/tokens/%v", apiAt(made.Body, "data", "id")), ""))
	mustRefuse(t, a.request("PATCH", statePath(1, ""), `{"notes":"hers"}`, hers...), 401, "E_UNAUTHORIZED")
	mustRefuse(t, a.request("POST", "/v1.0/auth/login-with-token", fmt.Sprintf(`{"token":%q}`, token)), 401, "E_UNAUTHORIZED")
}

func TestAStartTakesQueryAndJSONAndAWrongTokenDoesNotMatter(t *testing.T) {
	a := stateStart(t, headed)
	for _, c := range []struct {
		method, query, body, kind string
		automation, headless      bool
	}{
		{"GET", "?automation=true&headless=true", "", "", true, true},
		{"GET", "?automation=1&headless=0", "", "", true, false},
		{"POST", "", `{"automation":true,"headless":true,"noTabs":true,"foreign":[1]}`, "application/json", true, true},
		{"POST", "?automation=1", `{"headless":"1"}`, "text/plain", true, true},
		{"POST", "?headless=1", "automation=1", "application/x-www-form-urlencoded", true, true},
		{"POST", "", `{"automation":false,"headless":true}`, "application/json", false, true},
		{"GET", "?automation=0", "", "", false, false},
	} {
		t.Run(c.method+c.query+c.body, func(t *testing.T) {
			a := stateIn(t, a)
			r := a.request(c.method, statePath(1, "/start"+c.query), c.body, "Content-Type", c.kind, "Authorization", "Bearer of-another-product")
			mustSucceed(t, r)
			if r.Body["success"] != true || (r.Body["automation"] != nil) != c.automation || (r.port() != 0) != c.automation {
				t.Errorf("the answer is %s", r.Raw)
			}
			if one := apiAt(a.running(), "1"); apiAt(one, "headless") != c.headless || (apiAt(one, "mode") == "automation") != c.automation {
				t.Errorf("it runs as %v", one)
			}
			if headless := len(a.processes("--headless")) > 0; headless != c.headless {
				t.Errorf("headless is %v", headless)
			}
			a.close(1)
		})
	}
}

// apiProxy is an HTTP proxy that asks for a login and leads everything to one site.
type apiProxy struct {
	address string
	mu      sync.Mutex
	refused int
	asked   []string // addresses, by those with the right login
}

func newAPIProxy(t *testing.T, target, login, password string) *apiProxy {
	t.Helper()
	p := &apiProxy{}
	want := "Basic " + base64.StdEncoding.EncodeToString([]byte(login+":"+password))
	p.address = apiServe(t, func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		good := r.Header.Get("Proxy-Authorization") == want && r.URL.Host != ""
		if good {
			p.asked = append(p.asked, r.URL.String())
		} else {
			p.refused++
		}
		p.mu.Unlock()
		if !good {
			w.Header().Set("Proxy-Authenticate", `Basic realm="p"`)
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		req, err := http.NewRequest(r.Method, target+r.URL.RequestURI(), r.Body)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer func() { _ = res.Body.Close() }()
		w.Header().Set("Content-Type", res.Header.Get("Content-Type"))
		w.WriteHeader(res.StatusCode)
		_, _ = io.Copy(w, res.Body)
	})
	return p
}

// apiProxied is a page that only the proxy knows.
const apiProxied = "http://shop.test/login"

// counts are how many requests were refused, and how many for the page were let through.
func (p *apiProxy) counts() (refused, asked int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, one := range p.asked {
		if one == apiProxied {
			asked++
		}
	}
	return p.refused, asked
}

func TestTheBrowserUsesTheProfilesProxyWithItsLogin(t *testing.T) {
	a, web := stateStart(t), newSite(t)
	const password = `p@ss:"wörd"`
	good := newAPIProxy(t, web.URL, "me", password)
	create := func(p *apiProxy, password string) int {
		u, _ := url.Parse(p.address)
		return a.create(fmt.Sprintf(`{"name":"proxied","startPages":[%q],"proxy":{"type":"http","host":%q,"port":%s,"login":"me","password":%q}}`, apiProxied, u.Hostname(), u.Port(), password))
	}
	for i, path := range []string{"/start?automation=1", "/start"} {
		id := create(good, password)
		mustSucceed(t, a.get(statePath(id, path)))
		web.report(t, "login")
		if _, asked := good.counts(); asked != i+1 {
			t.Errorf("%s: the proxy was asked for the page %d times", path, asked)
		}
		if refused, _ := good.counts(); refused != 0 {
			t.Errorf("%s: the proxy was asked %d times without the login", path, refused)
		}
		for _, line := range a.processes("") {
			if strings.Contains(line, password) || strings.Contains(line, base64.StdEncoding.EncodeToString([]byte("me:"+password))) {
				t.Errorf("the password is on a command line: %s", line)
			}
		}
		if len(a.processes("--proxy-server=")) == 0 {
			t.Error("the browser has no proxy")
		}
		a.close(id)
	}
	// With the wrong password nothing goes around the proxy.
	bad := newAPIProxy(t, web.URL, "me", password)
	id := create(bad, "wrong")
	a.open(id)
	wait(t, "the proxy to refuse", func() bool { refused, _ := bad.counts(); return refused > 0 })
	a.close(id)
	if _, asked := bad.counts(); asked != 0 {
		t.Error("the proxy let a wrong password through")
	}
	web.mu.Lock()
	defer web.mu.Unlock()
	if len(web.reports) != 0 {
		t.Errorf("the page was loaded around the proxy: %v", web.reports)
	}
}

const whereText = `<!doctype html><title>where</title><script type=module>
await fetch('/report', {method: 'POST', body: JSON.stringify({page: 'where', language: navigator.language, languages: navigator.languages.join(),
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone, offset: new Date(2024, 6, 1).getTimezoneOffset(), width: outerWidth, height: outerHeight, agent: navigator.userAgent})});
</script>`

func TestLocaleTimezoneWindowSizeAndArgumentsReachThePage(t *testing.T) {
	for name, options := range stateKinds {
		t.Run(name, func(t *testing.T) {
			a, web := stateStart(t, options...), newSite(t)
			accepted := make(chan string, 10)
			address := apiServe(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/where" {
					web.Config.Handler.ServeHTTP(w, r)
					return
				}
				accepted <- r.Header.Get("Accept-Language")
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				_, _ = io.WriteString(w, whereText)
			})
			for _, path := range []string{"/start?automation=1", "/start"} {
				id := a.create(fmt.Sprintf(`{"name":"away","startPages":[%q],"locale":"de-AT","timezone":"Asia/Kathmandu","window":{"width":777,"height":555},"args":["--user-agent=Cove Test/7"]}`, address+"/where"))
				mustSucceed(t, a.get(statePath(id, path)))
				got := web.report(t, "where")
				delete(got, "page")
				want := map[string]any{"language": "de-AT", "languages": "de-AT,de", "zone": "Asia/Kathmandu", "offset": -345.0, "width": 777.0, "height": 555.0, "agent": "Cove Test/7"}
				if got["zone"] == "Asia/Katmandu" { // its old name
					got["zone"] = "Asia/Kathmandu"
				}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s: the page sees %v, not %v", path, got, want)
				}
				if language := <-accepted; !strings.HasPrefix(language, "de-AT,de") {
					t.Errorf("%s: Accept-Language is %q", path, language)
				}
				a.close(id)
			}
		})
	}
}

func TestArgumentsThatTakeTheBrowserOutOfCovesHandsAreDenied(t *testing.T) {
	a := stateStart(t)
	for _, arg := range []string{"--remote-debugging-port=9222", "-remote-debugging-port=9222", "--REMOTE-DEBUGGING-PORT=9222", "--remote-debugging-pipe", "--remote-debugging-address=0.0.0.0", "--remote-debugging-socket-name=x",
		"--remote-allow-origins=*", "--devtools-flags=x", "--user-data-dir=/tmp/x", "--profile-directory=Other", "--disk-cache-dir=/tmp/x", "--incognito", "--guest", "--headless", "--headless=old", "--no-startup-window",
		"--app=http://x.example", "--restore-last-session", "--proxy-server=http://x.example:1", "--proxy-pac-url=http://x.example", "--no-proxy-server", "--proxy-bypass-list=*", "--password-store=gnome", "--use-mock-keychain",
		"--enable-automation", "--renderer-cmd-prefix=/bin/sh", "--utility-cmd-prefix=/bin/sh", "--gpu-launcher=/bin/sh", "--browser-subprocess-path=/bin/sh", "--single-process", "--no-sandbox", "--disable-web-security",
		"--log-net-log=/tmp/x", "--ssl-key-log-file=/tmp/x", "  --no-sandbox", "---no-sandbox", "--", "-", "http://x.example", "--a b=c"} {
		t.Run(arg, func(t *testing.T) {
			a := stateIn(t, a)
			body := fmt.Sprintf(`{"name":"x","args":["--mute-audio",%q]}`, arg)
			for _, call := range [][3]string{{"POST", "/v1.0/browser_profiles", body}, {"PATCH", statePath(1, ""), body}, {"PUT", statePath(1, ""), body}, {"POST", "/v1.0/browser_profiles/mass", `{"profiles":[` + body + `]}`},
				{"POST", "/v1.0/browser_profiles/start", body}, {"PUT", "/v1.0/settings/browser_args", fmt.Sprintf(`{"value":%q}`, "--mute-audio "+arg)}} {
				if arg == "--a b=c" && strings.Contains(call[1], "settings") {
					continue // two arguments there
				}
				mustRefuse(t, a.own(call[0], call[1], call[2]), 400, "E_INVALID")
			}
		})
	}
	a.mustList("", "First profile")
	if one := a.own("GET", statePath(1, ""), ""); !reflect.DeepEqual(apiAt(one.Body, "data", "args"), []any{}) {
		t.Errorf("the profile is %s", one.Raw)
	}
	if r := a.own("GET", "/v1.0/settings", ""); strings.Contains(r.Raw, "mute") {
		t.Errorf("the settings are %s", r.Raw)
	}
	id := a.create(`{"name":"good","args":["--mute-audio","-force-dark-mode"]}`)
	a.open(id)
	for _, arg := range []string{"--mute-audio", "--force-dark-mode"} {
		if len(a.processes(arg)) == 0 {
			t.Errorf("the browser was started without %s as profile %s wants it", arg, strconv.Itoa(id))
		}
	}
}
