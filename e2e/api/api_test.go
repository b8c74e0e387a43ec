//go:build e2e

package api

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"cove/e2e/harness"
)

func TestProfilesAreCreatedListedAndSearched(t *testing.T) {
	a := stateStart(t)
	r := a.Own("POST", "/v1.0/browser_profiles",
		`{"name":"  Beta  ","tags":["shop","de","shop"],"folder":"Work","notes":"needle","startPages":["example.com"],"window":{"width":900,"height":700},
		"locale":"de_AT","timezone":"Europe/Vienna","proxy":{"type":"HTTP","host":"p.example","port":"8080","login":"me","password":"secret"},"args":["--mute-audio"],"browser":"/usr/bin/chromium"}`)
	harness.MustSucceed(t, r)
	if r.Body["success"] != true || r.Body["browserProfileId"] != 2.0 || harness.Member(r.Body, "data", "id") != 2.0 ||
		fmt.Sprint(r.Body["ignored"]) != "[]" {
		t.Errorf("create answers %s", r.Raw)
	}
	want := map[string]any{"id": 2.0, "name": "Beta", "tags": []any{"shop", "de"}, "state": "closed", "folder": "Work",
		"notes": "needle", "startPages": []any{"https://example.com"},
		"window": map[string]any{"width": 900.0, "height": 700.0}, "locale": "de-AT", "timezone": "Europe/Vienna",
		"proxy": map[string]any{"type": "http", "host": "p.example", "port": 8080.0, "login": "me",
			"password": "secret"}, "args": []any{"--mute-audio"}, "browser": "/usr/bin/chromium"}
	one := a.Own("GET", harness.StatePath(2, ""), "")
	harness.MustSucceed(t, one)
	for key, value := range want {
		if got := harness.Member(one.Body, "data", key); !reflect.DeepEqual(got, value) {
			t.Errorf("%s is %v, not %v", key, got, value)
		}
	}
	for _, body := range []string{`{"name":"alpha","tags":"shop","folder":"home"}`, `{"name":"Gamma 7"}`,
		`{"name":"delta","folder":"work","tags":["de"]}`, `{"name":"100%_\\"}`} {
		a.Create(body)
	}
	all := []string{"First profile", "Beta", "alpha", "Gamma 7", "delta", `100%_\`}
	a.MustList("", all...)
	a.MustList("sort=name", `100%_\`, "alpha", "Beta", "delta", "First profile", "Gamma 7")
	a.MustList("sort=-name", "Gamma 7", "First profile", "delta", "Beta", "alpha", `100%_\`)
	backwards := slices.Clone(all)
	slices.Reverse(backwards)
	a.MustList("sort=-id", backwards...)
	a.MustList("sort=created", all...)
	a.MustList("query=BETA", "Beta")
	a.MustList("search=eta", "Beta")
	a.MustList("query=needle", "Beta")
	a.MustList("query=home", "alpha")
	a.MustList("query=4", "Gamma 7")
	a.MustList("query="+url.QueryEscape("%_"), `100%_\`)
	a.MustList("query=" + url.QueryEscape("' OR 1=1 --"))
	a.MustList("tags=shop", "Beta", "alpha")
	a.MustList("tags[]=shop&tags[]=de", "Beta")
	a.MustList("tags=shop,de", "Beta")
	a.MustList("folder=work", "Beta", "delta")
	a.MustList("folder=work&tag=de&query=del", "delta")

	total, pages := 6.0, []string{}
	for page, next := 1.0, a.Base+"/v1.0/browser_profiles?limit=4&sort=-id"; ; page++ {
		names, r := a.List(next[strings.IndexByte(next, '?')+1:])
		pages = append(pages, names...)
		if r.Body["current_page"] != page || r.Body["last_page"] != 2.0 || r.Body["per_page"] != 4.0 ||
			r.Body["total"] != total {
			t.Errorf("page %v is %s", page, r.Raw)
		}
		link, there := r.Body["next_page_url"]
		if !there {
			t.Errorf("next_page_url is missing: %s", r.Raw)
		}
		if link == nil {
			break
		}
		if next = fmt.Sprint(link); !strings.HasPrefix(next, a.Base+"/v1.0/browser_profiles?") {
			t.Fatalf("the next page is at %s", next)
		}
	}
	if !slices.Equal(pages, backwards) {
		t.Errorf("the pages hold %q, not %q", pages, backwards)
	}
	if names, r := a.List("page=3&limit=4"); len(names) != 0 || r.Body["total"] != total ||
		r.Body["next_page_url"] != nil {
		t.Errorf("a page past the end is %s", r.Raw)
	}
}

func TestProfilesAreEdited(t *testing.T) {
	a := stateStart(t)
	id := a.Create(`{"name":"one","tags":["a"],"notes":"n","folder":"f","timezone":"UTC","proxy":{"type":"http","host":"p.example","port":1}}`)
	data := func() map[string]any {
		t.Helper()
		r := a.Own("GET", harness.StatePath(id, ""), "")
		harness.MustSucceed(t, r)
		m, _ := r.Body["data"].(map[string]any)
		return m
	}
	created := data()["createdAt"]
	r := a.Own("PATCH", harness.StatePath(id, ""),
		`{"name":"two","notes":{"content":"wrapped"},"timezone":{"mode":"manual","value":"Europe/Berlin"}}`)
	harness.MustSucceed(t, r)
	if harness.Member(r.Body, "data", "name") != "two" {
		t.Errorf("edit answers %s", r.Raw)
	}
	if d := data(); d["name"] != "two" || d["notes"] != "wrapped" || d["timezone"] != "Europe/Berlin" ||
		d["folder"] != "f" || !reflect.DeepEqual(d["tags"], []any{"a"}) || d["proxy"] == nil {
		t.Errorf("after an edit the profile is %v", d)
	}
	harness.MustSucceed(t, a.Own("PATCH", harness.StatePath(id, ""),
		`{"proxy":null,"tags":null,"timezone":"","createdAt":"2000-01-01T00:00:00Z","id":77,"temporary":true}`))
	if d := data(); d["proxy"] != nil || !reflect.DeepEqual(d["tags"], []any{}) || d["timezone"] != "" ||
		d["name"] != "two" || d["createdAt"] != created || d["id"] != float64(id) {
		t.Errorf("after fields were emptied the profile is %v", d)
	}
	harness.MustSucceed(t, a.Own("PUT", harness.StatePath(id, ""), `{"name":"three","notes":"new"}`))
	if d := data(); d["name"] != "three" || d["notes"] != "new" || d["folder"] != "f" || d["createdAt"] != created {
		t.Errorf("after a PUT the profile is %v", d)
	}
	a.MustList("query=two")
	a.MustList("query=three", "three")
}

func TestForeignFieldsAreIgnoredAndNamed(t *testing.T) {
	a := stateStart(t)
	r := a.Own("POST", "/v1.0/browser_profiles",
		`{"name":"from another product","platform":"windows","useragent":{"mode":"manual","value":"x"},"webrtc":{"mode":"altered"},"mainWebsite":"none","tags":["t"],"id":500}`)
	harness.MustSucceed(t, r)
	if want := []any{"mainWebsite", "platform", "useragent", "webrtc"}; !reflect.DeepEqual(r.Body["ignored"],
		want) || r.Body["browserProfileId"] != 2.0 {
		t.Errorf("create answers %s", r.Raw)
	}
	if one := a.Own("GET", harness.StatePath(2, ""), ""); harness.Member(one.Body, "data", "platform") != nil ||
		!reflect.DeepEqual(harness.Member(one.Body, "data", "tags"), []any{"t"}) {
		t.Errorf("the profile is %s", one.Raw)
	}
	form := a.Request("POST", "/v1.0/browser_profiles",
		"name=form&tags[]=a&tags[]=b&proxy[type]=http&proxy[host]=h.example&proxy[port]=81&odd=1",
		"Authorization", "Bearer "+a.Token(), "Content-Type", "application/x-www-form-urlencoded")
	harness.MustSucceed(t, form)
	if one := a.Own("GET", harness.StatePath(3, ""), ""); harness.Member(one.Body, "data", "name") != "form" ||
		!reflect.DeepEqual(harness.Member(one.Body, "data", "tags"), []any{"a", "b"}) ||
		harness.Member(one.Body, "data", "proxy", "port") != 81.0 ||
		!reflect.DeepEqual(form.Body["ignored"], []any{"odd"}) {
		t.Errorf("a form makes %s", one.Raw)
	}
}

func TestProfilesGoToTheTrashAndComeBackOrGoForGood(t *testing.T) {
	a := stateStart(t)
	ids := a.MassCreate(4, "")
	a.MustList("", "First profile", "many 1", "many 2", "many 3", "many 4")
	for _, id := range ids {
		if err := os.MkdirAll(a.File(id, "data_dir/Default"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	harness.MustSucceed(t, a.Own("DELETE", harness.StatePath(ids[0], ""), ""))
	harness.MustRefuse(t, a.Own("GET", harness.StatePath(ids[0], ""), ""), 404, "E_NOT_FOUND")
	harness.MustRefuse(t, a.Get(harness.StatePath(ids[0], "/start")), 404, "E_NOT_FOUND")
	harness.MustRefuse(t, a.Own("PATCH", harness.StatePath(ids[0], ""), `{"name":"x"}`), 404, "E_NOT_FOUND")
	harness.MustRefuse(t, a.Own("DELETE", harness.StatePath(ids[0], ""), ""), 404, "E_NOT_FOUND")
	a.MustList("", "First profile", "many 2", "many 3", "many 4")
	a.MustList("trashed=1", "many 1")
	if !harness.Exists(a.File(ids[0], "data_dir/Default")) {
		t.Error("the trash lost the profile's data")
	}
	back := a.Own("POST", harness.StatePath(ids[0], "/restore"), "")
	harness.MustSucceed(t, back)
	if harness.Member(back.Body, "data", "name") != "many 1" || harness.Member(back.Body, "data", "deletedAt") != nil {
		t.Errorf("restore answers %s", back.Raw)
	}
	a.MustList("trashed=1")
	a.MustList("", "First profile", "many 1", "many 2", "many 3", "many 4")

	// All of them or none.
	harness.MustRefuse(t, a.Own("DELETE", "/v1.0/browser_profiles?forceDelete=1",
		fmt.Sprintf(`{"ids":[%d,99]}`, ids[1])), 404, "E_NOT_FOUND")
	a.MustList("", "First profile", "many 1", "many 2", "many 3", "many 4")
	if !harness.Exists(a.File(ids[1], "data_dir/Default")) {
		t.Error("a refused deletion took the folder")
	}
	harness.MustSucceed(t, a.Own("DELETE", "/v1.0/browser_profiles", fmt.Sprintf(`{"ids":[%d,%d]}`, ids[1], ids[2])))
	a.MustList("trashed=1", "many 2", "many 3")
	// One in the trash, one not.
	harness.MustSucceed(t, a.Own("DELETE", "/v1.0/browser_profiles?forceDelete=1",
		fmt.Sprintf(`{"ids":[%d,%d]}`, ids[2], ids[3])))
	harness.MustSucceed(t, a.Own("DELETE", harness.StatePath(ids[1], "?forceDelete=true"), ""))
	a.MustList("", "First profile", "many 1")
	a.MustList("trashed=1")
	for _, id := range ids[1:] {
		if harness.Exists(a.File(id, "")) || harness.Exists(a.File(id, "")+".deleted") {
			t.Errorf("the folder of profile %d is still there", id)
		}
		harness.MustRefuse(t, a.Own("POST", harness.StatePath(id, "/restore"), ""), 404, "E_NOT_FOUND")
	}
	if next := a.Create(`{"name":"next"}`); next <= ids[3] {
		t.Errorf("the id %d was given again", next)
	}
	mass := a.Own("POST", "/v1.0/browser_profiles/mass", `{"profiles":[{"name":"left","tags":["x"]},{"name":"right"}]}`)
	harness.MustSucceed(t, mass)
	a.MustList("tags=x", "left")
	a.MustList("query=right", "right")
}

func TestAProfileThatIsOpenIsNotDeleted(t *testing.T) {
	a := stateStart(t)
	port := a.Open(1)
	for _, call := range [][3]string{{"DELETE", harness.StatePath(1, "")},
		{"DELETE", harness.StatePath(1, "?forceDelete=1")}, {"DELETE", "/v1.0/browser_profiles", `{"ids":[1]}`},
		{"DELETE", "/v1.0/browser_profiles?forceDelete=1", `{"ids":[1]}`}, {"POST", harness.StatePath(1, "/clone"),
			`{"data":true}`}} {
		harness.MustRefuse(t, a.Own(call[0], call[1], call[2]), http.StatusConflict, "E_PROFILE_OPEN")
	}
	a.MustList("", "First profile")
	if got := statePages(t, port); len(got) != 1 {
		t.Errorf("after that the browser shows %q", got)
	}
	a.Close(1)
	harness.MustSucceed(t, a.Own("DELETE", harness.StatePath(1, "?forceDelete=1"), ""))
	if harness.Exists(a.File(1, "")) {
		t.Error("the folder of a deleted profile is still there")
	}
}

func TestALoginSurvivesInACloneWithDataOnly(t *testing.T) {
	a, web := stateStart(t), harness.NewSite(t)
	id := a.Create(fmt.Sprintf(`{"name":"shop","tags":["t"],"timezone":"UTC","startPages":[%q]}`, web.URL+"/login"))
	a.Open(id)
	web.Report(t, "login")
	// An open one can be copied so.
	settings := a.Own("POST", harness.StatePath(id, "/clone"), `{"name":"settings only"}`)
	harness.MustSucceed(t, settings)
	a.Close(id)
	full := a.Own("POST", harness.StatePath(id, "/clone"), `{"data":true}`)
	harness.MustSucceed(t, full)
	if harness.Member(full.Body, "data", "name") != "shop copy" ||
		!reflect.DeepEqual(harness.Member(full.Body, "data", "tags"), []any{"t"}) ||
		harness.Member(full.Body, "data", "timezone") != "UTC" {
		t.Errorf("the clone is %s", full.Raw)
	}
	for _, c := range []struct {
		made harness.Answer
		kept bool
	}{{settings, false}, {full, true}} {
		n, _ := c.made.Body["browserProfileId"].(float64)
		copied := int(n)
		if harness.Exists(a.File(copied, "data_dir")) != c.kept {
			t.Errorf("%s: is there data: %v", c.made.Raw, !c.kept)
		}
		harness.MustSucceed(t, a.Own("PATCH", harness.StatePath(copied, ""),
			fmt.Sprintf(`{"startPages":[%q]}`, web.URL+"/check")))
		if err := harness.ForgetTabs(a, copied); err != nil {
			t.Fatal(err)
		}
		a.Open(copied)
		r := web.Report(t, "check")
		if got := strings.Contains(fmt.Sprint(r["cookie"]), "kept=yes") && r["local"] == "yes" &&
			r["db"] == "yes"; got != c.kept {
			t.Errorf("with data %v the copy finds %v", c.kept, r)
		}
		a.Close(copied)
		harness.MustSucceed(t, a.Own("DELETE", harness.StatePath(copied, "?forceDelete=1"), ""))
		if harness.Exists(a.File(copied, "")) {
			t.Error("the folder of a deleted copy is still there")
		}
	}
	if !harness.Exists(a.File(id, "data_dir/Default")) {
		t.Error("the original lost its data")
	}
}

func TestWithoutACredentialOnlyIDNameTagsAndStateAreShown(t *testing.T) {
	a := stateStart(t)
	id := a.Create(`{"name":"secret shop","tags":["t"],"notes":"hidden","folder":"inner","proxy":{"type":"http","host":"p.example","port":1,"login":"u","password":"pw"},"args":["--mute-audio"]}`)
	want := map[string]any{"id": float64(id), "name": "secret shop", "tags": []any{"t"}, "state": "closed",
		"running": false}
	for _, header := range [][]string{nil, {"Authorization", "Bearer wrong"}} {
		one := a.Request("GET", harness.StatePath(id, ""), "", header...)
		harness.MustSucceed(t, one)
		if !reflect.DeepEqual(one.Body["data"], any(want)) {
			t.Errorf("a stranger reads %s", one.Raw)
		}
		list := a.Request("GET", "/v1.0/browser_profiles?query=secret", "", header...)
		harness.MustSucceed(t, list)
		if !reflect.DeepEqual(list.Body["data"], []any{want}) {
			t.Errorf("a stranger lists %s", list.Raw)
		}
		// Nor can it be found out by asking.
		for _, query := range []string{"query=hidden", "query=inner", "query=p.example"} {
			if r := a.Request("GET", "/v1.0/browser_profiles?"+query, "", header...); r.Body["total"] != 0.0 {
				t.Errorf("a stranger finds %s by %s", r.Raw, query)
			}
		}
		for _, query := range []string{"folder=inner", "trashed=1", "sort=folder", "sort=opened"} {
			harness.MustRefuse(t, a.Request("GET", "/v1.0/browser_profiles?"+query, "", header...), 401,
				"E_UNAUTHORIZED")
		}
		for _, call := range [][3]string{{"POST", "/v1.0/browser_profiles", `{"name":"x"}`},
			{"POST", "/v1.0/browser_profiles/mass", `{"profiles":[{"name":"x"}]}`},
			{"PATCH", harness.StatePath(id, ""), `{"name":"x"}`},
			{"PUT", harness.StatePath(id, ""), `{"name":"x"}`}, {"DELETE", harness.StatePath(id, "")},
			{"DELETE", "/v1.0/browser_profiles", `{"ids":[2]}`}, {"POST", harness.StatePath(id, "/clone")},
			{"POST", harness.StatePath(id, "/restore")},
			{"GET", "/v1.0/accounts"},
			{"POST", "/v1.0/accounts", `{"email":"a@b.example","password":"long enough","plan":"team"}`},
			{"POST", "/v1.0/accounts/plan", `{"plan":"team"}`},
			{"GET", "/v1.0/tokens"}, {"POST", "/v1.0/tokens", `{"name":"x"}`}, {"DELETE", "/v1.0/tokens/1"},
			{"GET", "/v1.0/settings"}, {"PUT", "/v1.0/settings/browser", `{"value":""}`},
			{"GET", "/v1.0/browsers"}, {"GET", "/v1.0/doctor"}, {"GET", "/v1.0/logs"}, {"POST", "/v1.0/app/stop",
				`{}`}} {
			t.Run(call[0]+" "+call[1], func(t *testing.T) {
				r := stateIn(t, a).Request(call[0], call[1], call[2], header...)
				harness.MustRefuse(t, r, 401, "E_UNAUTHORIZED")
				if r.Header.Get("WWW-Authenticate") != "Bearer" {
					t.Error("the answer does not say which credential is wanted")
				}
			})
		}
	}
	if status := a.Get("/v1.0/status"); status.Status != 200 || strings.Contains(status.Raw, "owner@localhost") {
		t.Errorf("a stranger's status is %s", status.Raw)
	}
	a.MustList("", "First profile", "secret shop")
}

func TestLogins(t *testing.T) {
	a := stateStart(t)
	harness.MustSucceed(t, a.Own("POST", "/v1.0/accounts",
		`{"email":"Eve@Example.com","password":"correct horse","plan":"free"}`))
	harness.MustSucceed(t, a.Request("POST", "/v1.0/auth/login",
		`{"email":"eve@example.com","password":"correct horse"}`))
	made := a.Own("POST", "/v1.0/tokens", `{"name":"hers"}`) // of whoever is logged in
	token, _ := harness.Member(made.Body, "data", "token").(string)
	if token == "" || harness.Member(made.Body, "data", "email") != "eve@example.com" {
		t.Fatalf("the token is %s", made.Raw)
	}
	if again := a.Own("GET", "/v1.0/tokens", ""); strings.Contains(again.Raw, token) {
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
		{"login-with-token", fmt.Sprintf(`{"token":%q}`, a.Token()), "application/json", 200, "owner@localhost"},
		{"login", `{"email":"eve@example.com","password":"wrong horse"}`, "application/json", 401, "owner@localhost"},
		{"login", `{"email":"nobody@example.com","password":"correct horse"}`, "application/json", 401,
			"owner@localhost"},
		{"login", `{"email":"owner@localhost","password":""}`, "application/json", 401, "owner@localhost"},
		{"login", `{}`, "application/json", 401, "owner@localhost"},
		{"login-with-token", `{"token":"cove_wrong"}`, "application/json", 401, "owner@localhost"},
		{"login-with-token", `{"token":""}`, "application/json", 401, "owner@localhost"},
		{"login-with-token", `{"token":"Bearer "}`, "application/json", 401, "owner@localhost"},
	} {
		harness.MustSucceed(t, a.Own("POST", "/v1.0/auth/logout", ""))
		if c.status != 200 { // it is not to log out who is in
			harness.MustSucceed(t, a.Request("POST", "/v1.0/auth/login-with-token",
				fmt.Sprintf(`{"token":%q}`, a.Token())))
		}
		r := a.Request("POST", "/v1.0/auth/"+c.path, c.body, "Content-Type", c.kind)
		if c.status != 200 {
			harness.MustRefuse(t, r, c.status, "E_UNAUTHORIZED")
		} else if harness.MustSucceed(t, r); len(r.Body) != 1 || r.Body["success"] != true {
			t.Errorf("%s %s answers %s", c.path, c.body, r.Raw)
		}
		if me := harness.Member(a.Own("GET", "/v1.0/auth/me", "").Body, "data", "email"); me != c.who {
			t.Errorf("after %s %s the account is %v, not %v", c.path, c.body, me, c.who)
		}
	}
	// Her token is a credential, but not the owner's.
	a.Must("login", "--owner")
	hers := []string{"Authorization", "Bearer " + token}
	harness.MustSucceed(t, a.Request("PATCH", harness.StatePath(1, ""), `{"notes":"hers"}`, hers...))
	harness.MustRefuse(t, a.Request("POST", "/v1.0/accounts/plan", `{"plan":"team"}`, hers...), 403, "E_NOT_OWNER")
	harness.MustSucceed(t, a.Own("DELETE", fmt.Sprintf("/v1.0/tokens/%v", harness.Member(made.Body, "data", "id")), ""))
	harness.MustRefuse(t, a.Request("PATCH", harness.StatePath(1, ""), `{"notes":"hers"}`, hers...), 401,
		"E_UNAUTHORIZED")
	harness.MustRefuse(t, a.Request("POST", "/v1.0/auth/login-with-token", fmt.Sprintf(`{"token":%q}`, token)), 401,
		"E_UNAUTHORIZED")
}

func TestAStartTakesQueryAndJSONAndAWrongTokenDoesNotMatter(t *testing.T) {
	a := stateStart(t, harness.Headed)
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
			r := a.Request(c.method, harness.StatePath(1, "/start"+c.query), c.body, "Content-Type", c.kind,
				"Authorization", "Bearer of-another-product")
			harness.MustSucceed(t, r)
			if r.Body["success"] != true || (r.Body["automation"] != nil) != c.automation ||
				(r.Port() != 0) != c.automation {
				t.Errorf("the answer is %s", r.Raw)
			}
			if one := harness.Member(a.Running(), "1"); harness.Member(one, "headless") != c.headless ||
				(harness.Member(one, "mode") == "automation") != c.automation {
				t.Errorf("it runs as %v", one)
			}
			if headless := len(a.Processes("--headless")) > 0; headless != c.headless {
				t.Errorf("headless is %v", headless)
			}
			a.Close(1)
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
	p.address = harness.Serve(t, func(w http.ResponseWriter, r *http.Request) {
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
		req, err := http.NewRequestWithContext(r.Context(), r.Method, target+r.URL.RequestURI(), r.Body)
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
	a, web := stateStart(t), harness.NewSite(t)
	const password = `p@ss:"wörd"`
	good := newAPIProxy(t, web.URL, "me", password)
	create := func(p *apiProxy, password string) int {
		u, _ := url.Parse(p.address)
		return a.Create(fmt.Sprintf(`{"name":"proxied","startPages":[%q],"proxy":{"type":"http","host":%q,"port":%s,"login":"me","password":%q}}`, apiProxied, u.Hostname(), u.Port(), password))
	}
	for i, path := range []string{"/start?automation=1", "/start"} {
		id := create(good, password)
		harness.MustSucceed(t, a.Get(harness.StatePath(id, path)))
		web.Report(t, "login")
		if _, asked := good.counts(); asked != i+1 {
			t.Errorf("%s: the proxy was asked for the page %d times", path, asked)
		}
		if refused, _ := good.counts(); refused != 0 {
			t.Errorf("%s: the proxy was asked %d times without the login", path, refused)
		}
		for _, line := range a.Processes("") {
			if strings.Contains(line, password) ||
				strings.Contains(line, base64.StdEncoding.EncodeToString([]byte("me:"+password))) {
				t.Errorf("the password is on a command line: %s", line)
			}
		}
		if len(a.Processes("--proxy-server=")) == 0 {
			t.Error("the browser has no proxy")
		}
		a.Close(id)
	}
	// With the wrong password nothing goes around the proxy.
	bad := newAPIProxy(t, web.URL, "me", password)
	id := create(bad, "wrong")
	a.Open(id)
	harness.Wait(t, "the proxy to refuse", func() bool { refused, _ := bad.counts(); return refused > 0 })
	a.Close(id)
	if _, asked := bad.counts(); asked != 0 {
		t.Error("the proxy let a wrong password through")
	}
	web.Mu.Lock()
	defer web.Mu.Unlock()
	if len(web.Reports) != 0 {
		t.Errorf("the page was loaded around the proxy: %v", web.Reports)
	}
}

const whereText = `<!doctype html><title>where</title><script type=module>
await fetch('/report', {method: 'POST', body: JSON.stringify({page: 'where', language: navigator.language,
  languages: navigator.languages.join(),
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone, offset: new Date(2024, 6, 1).getTimezoneOffset(),
    width: outerWidth, height: outerHeight, agent: navigator.userAgent})});
</script>`

func TestLocaleTimezoneWindowSizeAndArgumentsReachThePage(t *testing.T) {
	for name, options := range stateKinds {
		t.Run(name, func(t *testing.T) {
			a, web := stateStart(t, options...), harness.NewSite(t)
			accepted := make(chan string, 10)
			address := harness.Serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/where" {
					web.Config.Handler.ServeHTTP(w, r)
					return
				}
				accepted <- r.Header.Get("Accept-Language")
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				_, _ = io.WriteString(w, whereText)
			})
			for _, path := range []string{"/start?automation=1", "/start"} {
				id := a.Create(fmt.Sprintf(`{"name":"away","startPages":[%q],"locale":"de-AT","timezone":"Asia/Kathmandu","window":{"width":777,"height":555},"args":["--user-agent=Cove Test/7"]}`, address+"/where"))
				harness.MustSucceed(t, a.Get(harness.StatePath(id, path)))
				got := web.Report(t, "where")
				delete(got, "page")
				want := map[string]any{"language": "de-AT", "languages": "de-AT,de", "zone": "Asia/Kathmandu",
					"offset": -345.0, "width": 777.0, "height": 555.0, "agent": "Cove Test/7"}
				if got["zone"] == "Asia/Katmandu" { // its old name
					got["zone"] = "Asia/Kathmandu"
				}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s: the page sees %v, not %v", path, got, want)
				}
				if language := <-accepted; !strings.HasPrefix(language, "de-AT,de") {
					t.Errorf("%s: Accept-Language is %q", path, language)
				}
				a.Close(id)
			}
		})
	}
}

func TestArgumentsThatTakeTheBrowserOutOfCovesHandsAreDenied(t *testing.T) {
	a := stateStart(t)
	for _, arg := range []string{"--remote-debugging-port=9222", "-remote-debugging-port=9222",
		"--REMOTE-DEBUGGING-PORT=9222", "--remote-debugging-pipe", "--remote-debugging-address=0.0.0.0",
		"--remote-debugging-socket-name=x",
		"--remote-allow-origins=*", "--devtools-flags=x", "--user-data-dir=/tmp/x", "--profile-directory=Other",
		"--disk-cache-dir=/tmp/x", "--incognito", "--guest", "--headless", "--headless=old", "--no-startup-window",
		"--app=http://x.example", "--restore-last-session", "--proxy-server=http://x.example:1",
		"--proxy-pac-url=http://x.example", "--no-proxy-server", "--proxy-bypass-list=*", "--password-store=gnome",
		"--use-mock-keychain",
		"--enable-automation", "--renderer-cmd-prefix=/bin/sh", "--utility-cmd-prefix=/bin/sh",
		"--gpu-launcher=/bin/sh", "--browser-subprocess-path=/bin/sh", "--single-process", "--no-sandbox",
		"--disable-web-security",
		"--log-net-log=/tmp/x", "--ssl-key-log-file=/tmp/x", "  --no-sandbox", "---no-sandbox", "--", "-", "http://x.example", "--a b=c"} {
		t.Run(arg, func(t *testing.T) {
			a := stateIn(t, a)
			body := fmt.Sprintf(`{"name":"x","args":["--mute-audio",%q]}`, arg)
			for _, call := range [][3]string{{"POST", "/v1.0/browser_profiles", body},
				{"PATCH", harness.StatePath(1, ""), body}, {"PUT", harness.StatePath(1, ""), body},
				{"POST", "/v1.0/browser_profiles/mass", `{"profiles":[` + body + `]}`},
				{"POST", "/v1.0/browser_profiles/start", body}, {"PUT", "/v1.0/settings/browser_args",
					fmt.Sprintf(`{"value":%q}`, "--mute-audio "+arg)}} {
				if arg == "--a b=c" && strings.Contains(call[1], "settings") {
					continue // two arguments there
				}
				harness.MustRefuse(t, a.Own(call[0], call[1], call[2]), 400, "E_INVALID")
			}
		})
	}
	a.MustList("", "First profile")
	if one := a.Own("GET", harness.StatePath(1, ""), ""); !reflect.DeepEqual(harness.Member(one.Body, "data", "args"),
		[]any{}) {
		t.Errorf("the profile is %s", one.Raw)
	}
	if r := a.Own("GET", "/v1.0/settings", ""); strings.Contains(r.Raw, "mute") {
		t.Errorf("the settings are %s", r.Raw)
	}
	id := a.Create(`{"name":"good","args":["--mute-audio","-force-dark-mode"]}`)
	a.Open(id)
	for _, arg := range []string{"--mute-audio", "--force-dark-mode"} {
		if len(a.Processes(arg)) == 0 {
			t.Errorf("the browser was started without %s as profile %s wants it", arg, strconv.Itoa(id))
		}
	}
}
