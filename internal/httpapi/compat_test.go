package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"cove/internal/cookie"
	"cove/internal/fault"
	"cove/internal/profile"
	"cove/internal/proxy"
)

// cloud makes a call without the version, as scripts for Dolphin's cloud API do.
func (o *office) cloud(method, path, body string, more ...string) (status int, answer map[string]any, raw string) {
	o.t.Helper()
	r := httptest.NewRequestWithContext(o.t.Context(), method, "http://127.0.0.1:3001"+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+ownersToken)
	for i := 0; i+1 < len(more); i += 2 {
		r.Header.Set(more[i], more[i+1])
	}
	w := httptest.NewRecorder()
	o.ServeHTTP(w, r)
	_ = json.Unmarshal(w.Body.Bytes(), &answer)
	return w.Code, answer, w.Body.String()
}

// owned is an office with two stored proxies, a folder, a status and a profile that has everything.
func owned(t *testing.T) *office {
	t.Helper()
	o := newOffice(t)
	if _, err := o.config.Proxies.Create(t.Context(),
		proxy.Record{Name: "exit", Saved: true,
			Proxy: proxy.Proxy{Type: "http", Host: "a.example", Port: 80, Login: "me", Password: "pw"}},
		proxy.Record{Saved: true, Proxy: proxy.Proxy{Type: "socks5", Host: "b.example", Port: 1080}}); err != nil {
		t.Fatal(err)
	}
	if _, err := o.config.Statuses.Create(t.Context(), profile.Status{Name: "ready", Color: "green"}); err != nil {
		t.Fatal(err)
	}
	if _, err := o.config.Profiles.Update(t.Context(), 1, func(p *profile.Profile) error {
		p.ProxyID, p.Folder, p.Status.ID = 1, "Shops", 1
		p.Args, p.Tags, p.Notes, p.StartPages = []string{"--mute-audio"}, []string{"t"}, "n", []string{"https://x.example"}
		p.Locale, p.Timezone = "de", "UTC"
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return o
}

// state is everything that is stored of profiles, proxies, folders and statuses.
func (o *office) state() string {
	o.t.Helper()
	ctx := o.t.Context()
	profiles, err1 := o.config.Profiles.List(ctx, profile.Query{Page: 1, PerPage: 100})
	trash, err2 := o.config.Profiles.List(ctx, profile.Query{Page: 1, PerPage: 100, Trashed: true})
	proxies, err3 := o.config.Proxies.List(ctx, proxy.Query{Page: 1, PerPage: 100})
	folders, err4 := o.config.Folders.List(ctx)
	statuses, err5 := o.config.Statuses.List(ctx)
	raw, err6 := json.Marshal([]any{profiles, trash, proxies, folders, statuses})
	for _, err := range []error{err1, err2, err3, err4, err5, err6} {
		if err != nil {
			o.t.Fatal(err)
		}
	}
	return string(raw)
}

func TestARefusalOfAnotherProductsRequestChangesNothing(t *testing.T) {
	o := owned(t)
	before := o.state()
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	for _, c := range []struct {
		method, path, body string
		headers            []string
	}{
		{"POST", "/browser_profiles", `{"name":"a","proxy":{"id":7}}`, nil},
		{"POST", "/browser_profiles", `{"name":"a","proxyId":7}`, nil},
		{"POST", "/browser_profiles/mass", `{"profiles":[{"name":"b"},{"name":"a","proxy":{"id":7}}]}`, nil},
		{"PATCH", "/browser_profiles/1", `{"proxy":{"id":7}}`, nil},
		{"PATCH", "/browser_profiles/1", `proxy[id]=7`, form},
		{"PATCH", "/browser_profiles/1", `{"proxy":{}}`, nil},
		{"PATCH", "/browser_profiles/1", `{"proxy_id":7}`, nil},
		{"PATCH", "/browser_profiles/1", `{"proxyId":"7"}`, nil},
		{"PUT", "/browser_profiles/1", `{"name":"x","proxyId":7}`, nil},
		{"PATCH", "/browser_profiles/1", `{"proxyId":0}`, nil},
		{"PATCH", "/browser_profiles/1", `{"proxy":{"id":1,"host":"other.example"}}`, nil},
		{"PATCH", "/browser_profiles/1", `{"proxy":{"id":1},"proxyId":2}`, nil},
		{"PATCH", "/browser_profiles/1", `{"proxy":{"type":"ssh","host":"h.example","port":22}}`, nil},
		{"PATCH", "/browser_profiles/1", `{"proxy":{"type":"socks4","host":"h.example","port":1,"password":"p"}}`, nil},
		{"PATCH", "/browser_profiles/1", `{"proxy":{"type":"http","host":"h.example"}}`, nil},
		{"PATCH", "/browser_profiles/1", `{"proxy":"1:2:3:4"}`, nil},
		{"PATCH", "/browser_profiles/1", `{"proxy":"a.example:1:b.example:2"}`, nil},
		{"PATCH", "/browser_profiles/1", `{"proxy":"direct"}`, nil},
		{"PATCH", "/browser_profiles/1", `{"proxy":"none"}`, nil},
		{"PATCH", "/browser_profiles/1", `{"proxy":[]}`, nil},
		{"PATCH", "/browser_profiles/1", `{"folder":99}`, nil},
		{"PATCH", "/browser_profiles/1", `{"folderId":"99"}`, nil},
		{"PATCH", "/browser_profiles/1", `{"statusId":99}`, nil},
		{"PATCH", "/browser_profiles/1", `{"status":{"id":99}}`, nil},
		{"PUT", "/browser_profiles/statuses/bulk", `{"ids":[1],"status":{"id":99}}`, nil},
		{"PATCH", "/browser_profiles/1", `{"cookies":"a=b"}`, nil},
		{"POST", "/browser_profiles/mass", `{"profiles":[{"name":"x","cookies":[{"name":"a"}]}]}`, nil},
		{"GET", "/browser_profiles?name=x", "", nil},
		{"GET", "/browser_profiles?profileIds=1", "", nil},
		{"GET", "/browser_profiles?folderIds[]=1", "", nil},
		{"GET", "/browser_profiles?ids=,", "", nil},
		{"GET", "/browser_profiles?users=4", "", nil},
		{"GET", "/browser_profiles?mainWebsites=y", "", nil},
		{"GET", "/browser_profiles?running=1", "", nil},
		{"GET", "/browser_profiles?platform=windows", "", nil},
		{"GET", "/browser_profiles?notes=x", "", nil},
		{"GET", "/browser_profiles?q=x", "", nil},
		{"GET", "/browser_profiles?filter[name]=x", "", nil},
		{"GET", "/browser_profiles?trash=1", "", nil},
		{"GET", "/browser_profiles?deleted=1", "", nil},
		{"GET", "/browser_profiles?created_at=2026-01-01", "", nil},
		{"GET", "/browser_profiles?order=sideways", "", nil},
	} {
		status, _, raw := o.cloud(c.method, c.path, c.body, c.headers...)
		if status != 422 || !strings.Contains(raw, `"errorObject"`) || !strings.Contains(raw, `"success":false`) {
			t.Errorf("%s %s %s: %d %s", c.method, c.path, c.body, status, raw)
		}
	}
	for _, c := range [][3]string{
		{"PATCH", "/browser_profiles/1", `{"args":["--proxy-server=x:1"]}`},
		{"PATCH", "/browser_profiles/1", `{"args":["--user-data-dir=/x"]}`},
		{"PATCH", "/browser_profiles/1", `{"browserProfilePassword":"x"}`},
		{"DELETE", "/browser_profiles", `{"ids":[99]}`},
		{"POST", "/browser_profiles/mass", `{"items":[],"common":{}}`},
	} {
		if status, _, raw := o.cloud(c[0], c[1], c[2]); status < 400 || status >= 500 {
			t.Errorf("%s %s %s: %d %s", c[0], c[1], c[2], status, raw)
		}
	}
	if after := o.state(); after != before {
		t.Errorf("something changed from\n%s\nto\n%s", before, after)
	}
}

func TestAProxyIsReferredToByItsID(t *testing.T) {
	for _, body := range []string{`{"proxy":{"id":2}}`, `{"proxy":{"id":"2"}}`, `{"proxy":2}`, `{"proxy":"2"}`,
		`{"proxyId":2}`, `{"proxy_id":"2"}`, `{"proxy":{"id":2,"type":"SOCKS5","host":"b.example","port":"1080"}}`,
		`{"proxy":"socks5://b.example:1080"}`, `{"proxy":{"id":2},"proxyId":2}`,
		`{"proxy":{"type":"socks5","host":"b.example","port":1080},"proxyId":null}`} {
		o := owned(t)
		for _, c := range [][2]string{{"PATCH", "/browser_profiles/1"}, {"PUT", "/browser_profiles/1"},
			{"POST", "/browser_profiles"}} {
			status, answer, raw := o.cloud(c[0], c[1], `{"name":"x",`+body[1:])
			data, _ := answer["data"].(map[string]any)
			inner, _ := data["proxy"].(map[string]any)
			if status != 200 || data["proxyId"] != 2.0 || inner["id"] != 2.0 || inner["host"] != "b.example" {
				t.Errorf("%s %s: %d %s", c[0], body, status, raw)
			}
		}
	}
}

func TestWhatIsNotSentStays(t *testing.T) {
	o := owned(t)
	for _, method := range []string{"PUT", "PATCH"} {
		status, answer, raw := o.cloud(method, "/browser_profiles/1", `{"name":"b"}`)
		data, _ := answer["data"].(map[string]any)
		if status != 200 || data["name"] != "b" || data["proxyId"] != 1.0 || data["folder"] != 1.0 ||
			len(data["args"].([]any)) != 1 || len(data["tags"].([]any)) != 1 || len(data["tabs"].([]any)) != 1 ||
			data["notes"].(map[string]any)["content"] != "n" || data["status"].(map[string]any)["id"] != 1.0 {
			t.Errorf("%s: %d %s", method, status, raw)
		}
	}
}

// Scripts read a profile, change a field and send all of it back.
func TestAProfileThatIsSentBackWholeIsTheSame(t *testing.T) {
	o := owned(t)
	for _, prefix := range []string{"", "/v1.0", "/api/v2"} {
		read := func() (data any, text string) {
			_, answer, _ := o.cloud("GET", prefix+"/browser_profiles/1", "")
			for _, name := range []string{"updated_at", "updatedAt"} {
				delete(answer["data"].(map[string]any), name)
			}
			raw, err := json.Marshal(answer["data"])
			if err != nil {
				t.Fatal(err)
			}
			return answer["data"], string(raw)
		}
		data, whole := read()
		bodies := []string{whole}
		for name, value := range data.(map[string]any) {
			one, err := json.Marshal(map[string]any{name: value})
			if err != nil {
				t.Fatal(err)
			}
			bodies = append(bodies, string(one))
		}
		bodies = append(bodies, `{"folderId":1}`, `{"statusId":1}`, `{"proxy":1}`, `{"proxy":{"id":1}}`, `{"proxy_id":"1"}`)
		for _, body := range bodies {
			for _, method := range []string{"PATCH", "PUT"} {
				if status, _, raw := o.cloud(method, prefix+"/browser_profiles/1", body); status != 200 {
					t.Errorf("%s %s %s: %d %s", method, prefix, body, status, raw)
				}
				if _, after := read(); after != whole {
					t.Fatalf("%s %s %s changed\n%s\ninto\n%s", method, prefix, body, whole, after)
				}
			}
		}
	}
}

func TestFiltersAndOrdersAreApplied(t *testing.T) {
	o := owned(t)
	o.cloud("POST", "/browser_profiles", `{"name":"two","notes":"hay needle"}`)
	o.cloud("POST", "/browser_profiles", `{"name":"Two of them","tags":["t"],"proxy":{"id":2}}`)
	for query, want := range map[string][]float64{
		"": {1, 2, 3}, "folders=99": {}, "folders=1": {1}, "folders[]=1": {1}, "statuses[]=1": {1}, "statuses=3": {},
		"proxies=2": {3}, "proxies=1,2": {1, 3}, "ids=1": {1}, "ids[]=3&ids[]=1": {1, 3}, "ids[0]=2": {2},
		"noteQuery=needle": {2}, "sortBy=created_at&order=DESC": {3, 2, 1}, "sortBy=name&order=ASC": {1, 2, 3},
		"sortBy=idProfile&order=desc": {3, 2, 1}, "query=two": {2, 3}, "tags=t": {1, 3}, "limit=1&page=2": {2},
		"Content-Type=application/json": {1, 2, 3}, "page=&limit=": {1, 2, 3}, "folder=1": {1}, "folder=2": {},
	} {
		status, answer, raw := o.cloud("GET", "/browser_profiles?"+query, "")
		got := []float64{}
		data, _ := answer["data"].([]any)
		for _, one := range data {
			got = append(got, one.(map[string]any)["id"].(float64))
		}
		if status != 200 || !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v: %d %s", query, got, want, status, raw)
		}
	}
	_, answer, raw := o.cloud("GET", "/api/v2/browser_profiles?limit=2&query=", "")
	if answer["next_page_url"] != "http://127.0.0.1:3001/api/v2/browser_profiles?limit=2&page=2&query=" ||
		answer["prev_page_url"] != nil || answer["from"] != 1.0 || answer["to"] != 2.0 || answer["last_page"] != 2.0 {
		t.Error(raw)
	}
	if _, answer, raw := o.cloud("GET", "/browser_profiles?ids=99", ""); answer["from"] != nil || answer["to"] != nil ||
		answer["total"] != 0.0 {
		t.Error(raw)
	}
}

// A script takes the first of what it looked for, and a clean-up deletes all of it.
func TestListsOfOtherThingsApplyFiltersToo(t *testing.T) {
	o := owned(t)
	for _, name := range []string{"my store", "Store", "store 2"} {
		o.cloud("POST", "/folders", `{"name":"`+name+`"}`)
		o.cloud("POST", "/browser_profiles/statuses", `{"name":"`+name+`","color":"red"}`)
		o.cloud("POST", "/proxy", `{"type":"socks5","host":"s.example","port":1080,"name":"`+name+`"}`)
	}
	first := map[string]float64{}
	for _, list := range []string{"/folders", "/browser_profiles/statuses", "/proxy"} {
		_, answer, _ := o.cloud("GET", list+"?query=my+store", "")
		data, _ := answer["data"].([]any)
		if len(data) != 1 {
			t.Fatalf("%s: %v", list, answer)
		}
		first[list] = data[0].(map[string]any)["id"].(float64)
	}
	for list, n := range first {
		for query, want := range map[string][]float64{
			"query=STORE": {n + 1, n, n + 2}, "query=2+store": {n + 2}, "query=nowhere": {}, "limit=1&page=2&query=store": {n},
			fmt.Sprintf("ids=%v,%v", n+2, n): {n, n + 2}, fmt.Sprintf("ids[]=%v", n+1): {n + 1}, "ids=9999": {},
			fmt.Sprintf("ids=%v,%v&order=DESC", n+2, n): {n + 2, n}, "query=store&Content-Type=x": {n + 1, n, n + 2},
		} {
			status, answer, raw := o.cloud("GET", list+"?"+query, "")
			got := []float64{}
			data, _ := answer["data"].([]any)
			for _, one := range data {
				got = append(got, one.(map[string]any)["id"].(float64))
			}
			if status != 200 || !slices.Equal(got, want) {
				t.Errorf("%s?%s: %v, want %v: %d %s", list, query, got, want, status, raw)
			}
		}
		for _, query := range []string{"name=x", "type=socks5", "host=x", "ids=x", "ids=,", "sortBy=color",
			"order=sideways", "filter[name]=x", "q=x", "deleted=1", "profileId=1"} {
			status, answer, raw := o.cloud("GET", list+"?"+query, "")
			if status != 422 || answer["errorObject"].(map[string]any)["hint"] == "" {
				t.Errorf("%s?%s: %d %s", list, query, status, raw)
			}
		}
	}
}

func TestShapesThatScriptsSend(t *testing.T) {
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	for _, c := range []struct {
		body    string
		headers []string
		want    string
	}{
		{`{"name":"x","folder":1}`, nil, `"folder":1`},
		{`{"name":"x","folder":"1"}`, nil, `"folder":1`},
		{`{"name":"x","folderId":"1"}`, nil, `"folder":1`},
		{`{"name":"x","folder":"New"}`, nil, `"folder":2`},
		{`{"name":"x","folder":0}`, nil, `"folder":null`},
		{`{"name":"x","folder":99}`, nil, `"ignored":["folder"]`},
		{`{"name":"x","statusId":99,"folderId":98}`, nil, `"ignored":["folderId","statusId"]`},
		{`{"name":"x","statusId":"1"}`, nil, `"status":{"id":1,"name":"ready","color":"green"`},
		{`{"name":"x","status":{"id":1}}`, nil, `"status":{"id":1`},
		{`{"name":"x","notes":[{"content":"a"},{"content":"b"}]}`, nil, `"content":"a\nb"`},
		{`{"name":"x","notes":{"content":"a","color":"red","style":"text","icon":null}}`, nil, `"content":"a"`},
		{`{"name":"x","notes":null}`, nil, `"content":""`},
		{`{"name":"x","tabs":["https://a.example"]}`, nil, `"tabs":["https://a.example"]`},
		{`{"name":"x","newHomepages":[{"name":"h","url":"https://a.example"}]}`, nil, `"tabs":["https://a.example"]`},
		{`{"name":"x","args":["--mute-audio"],"tags":[1,"b"]}`, nil, `"tags":["1","b"]`},
		{`{"name":"x","proxy":{"type":"none"}}`, nil, `"proxyId":null`},
		{`{"name":"x","proxy":null}`, nil, `"proxyId":null`},
		{`{"name":"x","proxy":"h.example:1:u:p"}`, nil, `"login":"u","password":"p"`},
		{`{"name":"x","proxy":{"type":"socks4","host":"h.example","port":1}}`, nil, `"type":"socks4"`},
		{`{"name":"x","platform":"windows","browserType":"anty","mainWebsite":"x","canvas":{"mode":"real"}}`, nil,
			`"ignored":["browserType","canvas","mainWebsite","platform"]`},
		{`{"name":"x","id":77,"running":true,"created_at":"x","access":{}}`, nil, `"running":false`},
		{`name=x&tags[0]=a&tags[1]=b`, form, `"tags":["a","b"]`},
		{`name=x&tags=a&tags=b`, form, `"tags":["a","b"]`},
		{`name=x&proxy[type]=http&proxy[host]=h.example&proxy[port]=8080`, form, `"port":8080`},
		{`name=x&notes[content]=hello`, form, `"content":"hello"`},
		{"\n {\"name\":\"x\"}", form, `"name":"x"`},
	} {
		o := owned(t)
		status, answer, raw := o.cloud("POST", "/browser_profiles", c.body, c.headers...)
		if status != 200 || !strings.Contains(raw, c.want) || answer["browserProfileId"] != 2.0 {
			t.Errorf("%s: %d %s", c.body, status, raw)
		}
		for _, key := range []string{"error", "errorObject"} {
			if _, has := answer[key]; has {
				t.Errorf("%s: a success with the key %s", c.body, key)
			}
		}
	}
}

func TestManyItemsAreCreatedEachByItself(t *testing.T) {
	o := owned(t)
	status, answer, raw := o.cloud("POST", "/browser_profiles/mass", `{"common":{"tags":["c"],"proxy":{"id":1}},
		"items":[{"name":"a"},{"name":"b","proxy":{"id":7}},{"name":"c","proxy":"h.example:1","tags":[]},{"name":""}]}`)
	if status != 200 || answer["success"] != false || len(answer["ids"].([]any)) != 2 ||
		len(answer["failed"].([]any)) != 2 || len(answer["errors"].([]any)) != 2 {
		t.Fatalf("%d %s", status, raw)
	}
	if failed := answer["failed"].([]any)[0].(map[string]any); failed["name"] != "b" {
		t.Errorf("failed %v", failed)
	}
	a, err := o.config.Profiles.Get(t.Context(), 2)
	if err != nil || a.ProxyID != 1 || len(a.Tags) != 1 {
		t.Errorf("got %+v, %v", a, err)
	}
	c, err := o.config.Profiles.Get(t.Context(), 3)
	if err != nil || c.Proxy.Host != "h.example" || len(c.Tags) != 0 {
		t.Errorf("got %+v, %v", c, err)
	}
	if status, answer, raw := o.cloud("POST", "/browser_profiles/mass", `{"items":[{"name":"d"}]}`); status != 200 ||
		answer["success"] != true || len(answer["ids"].([]any)) != 1 || len(answer["failed"].([]any)) != 0 ||
		len(answer["errors"].([]any)) != 0 {
		t.Errorf("%d %s", status, raw)
	}
}

func TestProfilesAreDeletedForGoodFromTheBodyToo(t *testing.T) {
	o := owned(t)
	for _, c := range [][2]string{{"/browser_profiles/2", `{"forceDelete":true}`},
		{"/browser_profiles", `{"ids":["3"],"forceDelete":"1"}`}, {"/browser_profiles?forceDelete=1", `{"ids":[4]}`}} {
		o.cloud("POST", "/browser_profiles", `{"name":"x"}`)
		if status, _, raw := o.cloud("DELETE", c[0], c[1]); status != 200 {
			t.Errorf("%v: %d %s", c, status, raw)
		}
	}
	if got := o.state(); strings.Contains(got, `"Name":"x"`) {
		t.Errorf("left: %s", got)
	}
}

func TestFoldersAndStatusesThroughTheAPI(t *testing.T) {
	o := owned(t)
	want := func(status int, method, path, body, has string) {
		t.Helper()
		got, _, raw := o.cloud(method, path, body)
		if got != status || !strings.Contains(raw, has) {
			t.Errorf("%s %s %s: %d %s", method, path, body, got, raw)
		}
	}
	want(200, "POST", "/folders", `{"name":"Work"}`, `"data":{"id":2`)
	want(409, "POST", "/folders", `{"name":"work"}`, "E_EXISTS")
	want(200, "POST", "/folders/mass/attach-profiles", `{"folderId":"2","profileIds":["1"]}`, `"success":true`)
	want(200, "GET", "/folders/2/profile-ids", "", `"data":{"profileIds":[1]}`)
	want(200, "GET", "/folders/1/profile-ids", "", `"profileIds":[]`)
	want(200, "PATCH", "/folders/2", `{"name":"Play"}`, `"name":"Play"`)
	want(200, "PUT", "/folders/order", `{"ids":[2,1]}`, `"success":true`)
	want(200, "PUT", "/folders/order", `{"folders":[{"id":2,"order":5},{"id":1,"order":9}]}`, `"success":true`)
	want(200, "GET", "/folders", "", `"data":[{"id":2,"name":"Play","profilesCount":1},{"id":1`)
	want(422, "DELETE", "/folders/mass/detach-profiles", `{"folderId":1,"profileIds":[1]}`, "E_UNPROCESSABLE")
	want(200, "DELETE", "/folders/mass/detach-profiles", `{"folderId":2,"profileIds":[1]}`, `"success":true`)
	want(200, "DELETE", "/folders/2", "", `"success":true`)
	want(404, "GET", "/folders/2", "", "E_NOT_FOUND")
	want(400, "GET", "/folders/x", "", "is not an id")

	want(200, "POST", "/browser_profiles/statuses", `{"name":"banned","color":"red"}`,
		`"data":{"id":2,"name":"banned","color":"red","deleted":0}`)
	want(400, "POST", "/browser_profiles/statuses", `{"name":"x","color":"pink"}`, "E_INVALID")
	for _, body := range []string{`{"ids":["1"],"status":{"id":"2"}}`, `{"ids":"1","status":"2"}`,
		`{"ids":[" 1 "],"status":2}`, `ids[]=1&status[id]=2`, `ids[0]=1&status=2`, `ids=1&status[id]=2&status[name]=banned`} {
		if status, _, raw := o.cloud("PUT", "/browser_profiles/statuses/bulk", body, "Content-Type",
			"application/x-www-form-urlencoded"); status != 200 { // JSON is known by its first byte
			t.Errorf("%s: %d %s", body, status, raw)
		}
		want(200, "GET", "/browser_profiles/1", "", `"status":{"id":2,"name":"banned"`)
		want(200, "PUT", "/browser_profiles/statuses/bulk", `{"ids":["1"],"status":{"id":"0"}}`, `"success":true`)
		want(200, "GET", "/browser_profiles/1", "", `"name":"one"`)
	}
	for _, body := range []string{`{"ids":["1","x"],"status":{"id":"2"}}`, `{"ids":["1"],"status":{"id":"x"}}`,
		`{"ids":[""],"status":{"id":"2"}}`, `{"ids":["1"],"status":{"name":"banned"}}`, `{"ids":["1"]}`} {
		before := o.state()
		if status, _, raw := o.cloud("PUT", "/browser_profiles/statuses/bulk", body); status < 400 || o.state() != before {
			t.Errorf("%s: %d %s", body, status, raw)
		}
	}
	want(200, "PUT", "/browser_profiles/statuses/bulk", `{"ids":["1"],"status":{"id":"2"}}`, `"success":true`)
	want(200, "PATCH", "/browser_profiles/statuses/2", `{"color":"blue"}`, `"color":"blue"`)
	want(200, "GET", "/browser_profiles/statuses", "", `"total":2`)
	want(200, "DELETE", "/browser_profiles/statuses", `{"ids":[2]}`, `"success":true`)
	if _, answer, raw := o.cloud("GET", "/browser_profiles/1", ""); answer["data"].(map[string]any)["status"] != nil {
		t.Error(raw)
	}
}

// jar is the storage of profiles without a browser.
type jar struct {
	written map[profile.ID]int
	err     error
}

func (j *jar) Read(context.Context, profile.ID, cookie.Query) (cookie.Data, error) {
	return cookie.Data{}, nil
}

func (j *jar) Write(_ context.Context, id profile.ID, data cookie.Data) error {
	j.written[id] += len(data.Cookies)
	return j.err
}

func TestANewProfileGetsItsCookiesOrIsNotMade(t *testing.T) {
	o := owned(t)
	j := &jar{written: map[profile.ID]int{}}
	o.rebuild(func(c *Config) { c.Storage = j })
	const body = `{"name":"x","cookies":[{"domain":".a.example","name":"n","value":"v","expirationDate":4102444800}]}`
	if status, _, raw := o.cloud("POST", "/browser_profiles", body); status != 200 || j.written[2] != 1 {
		t.Fatalf("%d %s, written %v", status, raw, j.written)
	}

	before := o.state()
	for _, bad := range []string{`{"name":"y","cookies":[{"name":"n","value":"v"}]}`, `{"name":"y","cookies":"a=b; c=d"}`} {
		if status, _, raw := o.cloud("POST", "/browser_profiles", bad); status != 422 {
			t.Errorf("%s: %d %s", bad, status, raw)
		}
	}
	j.err = fault.New(fault.CodeBrowserLaunch, "The browser did not start.", "")
	if status, _, raw := o.cloud("POST", "/browser_profiles", body); status < 400 {
		t.Errorf("%d %s", status, raw)
	}
	if after := o.state(); after != before {
		t.Errorf("a profile without its cookies stays: %s", after)
	}
}
