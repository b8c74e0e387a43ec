package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"cove/api"
	"cove/internal/cookie"
	"cove/internal/fault"
	"cove/internal/policy"
	"cove/internal/profile"
	"cove/internal/session"
)

// shelf is the data of profiles, in memory.
type shelf struct {
	data  cookie.Data
	wrote int
}

func (s *shelf) Read(context.Context, profile.ID, cookie.Query) (cookie.Data, error) {
	return s.data, nil
}

func (s *shelf) Write(_ context.Context, _ profile.ID, d cookie.Data) error {
	s.data.Cookies, s.data.Origins = append(s.data.Cookies, d.Cookies...), append(s.data.Origins, d.Origins...)
	s.wrote++
	return nil
}

// admits says whether agents are blocked.
type admits struct{ blocked *bool }

func (admits) LoggedIn(context.Context) error   { return nil }
func (admits) Automation(context.Context) error { return nil }
func (a admits) Agents(context.Context, profile.Profile) error {
	if *a.blocked {
		return policy.SuspendedError()
	}
	return nil
}

// shelved is an office whose profiles have data.
func shelved(t *testing.T) (o *office, s *shelf, blocked *bool) {
	t.Helper()
	o, s, blocked = newOffice(t), &shelf{}, new(bool)
	o.rebuild(func(c *Config) {
		c.Storage = s
		c.Sessions = session.New(session.Config{Access: admits{blocked}, Log: slog.New(slog.DiscardHandler), AtOnce: 1})
	})
	o.look()
	return o, s, blocked
}

const (
	someCookies = `[{"domain":"a.example","name":"n","value":"v"}]`
	toImport    = `{"profileId":"1","cookies":` + someCookies + `}`
	toExport    = `{"browserProfiles":[{"id":1}]}`
)

// reads and writes are the calls that take data out and bring it in.
var (
	reads = [][3]string{
		{"GET", "/browser_profiles/1/cookies", ""}, {"POST", "/export-cookies", toExport},
		{"GET", "/local-storage/export/1", ""}, {"POST", "/local-storage/export/1", `{"transfer":0,"plan":"base"}`},
		{"GET", "/local-storage/export?plan=base&browserProfiles=" + url.QueryEscape(`[{"id":1,"name":"a"}]`), ""},
		{"GET", "/local-storage/export?browserProfiles[0][id]=1&browserProfiles[0][name]=a", ""},
		{"GET", "/?actionType=getCookies&browserProfileId=1", ""},
		{"POST", "/?actionType=getCookies&browserProfileId=1", ""},
		{"POST", "/browser_profiles/1/cookies?dryRun=1", someCookies},
		{"POST", "/browser_profiles/1/cookies", `{"dryRun":true,"cookies":` + someCookies + `}`},
	}
	writes = [][3]string{
		{"POST", "/cookies/import", toImport}, {"POST", "/browser_profiles/1/cookies", someCookies},
		{"POST", "/browser_profiles/1/cookies", "a.example\tFALSE\t/\tFALSE\t0\tn\tv"},
		{"POST", "/?actionType=importCookies&browserProfileId=1", `{"cookies":` + someCookies + `}`},
		{"POST", "/?actionType=importCookies&browserProfileId=1", someCookies},
		{"POST", "/local-storage/import", `{"profileId":1,"localStorage":[{"domain":"https://a.b","data":{"aw==":"dg=="}}]}`},
	}
)

func TestWhoMayReachTheDataOfAProfile(t *testing.T) {
	o, s, blocked := shelved(t)
	all := func(calls [][3]string, status int, code, token string) {
		t.Helper()
		for _, c := range calls {
			o.want(status, code, token, c[0], c[1], c[2])
		}
	}
	all(reads, 200, "", "")
	all(writes, 200, "", "")
	if s.wrote != len(writes) {
		t.Errorf("%d of %d imports wrote", s.wrote, len(writes))
	}

	*blocked = true // a panic
	all(reads, 403, "E_PANIC", "")
	all(writes, 403, "E_PANIC", o.token)
	all(reads, 200, "", ownersToken)
	*blocked = false

	o.want(200, "", ownersToken, "PUT", policyPath, `{"preset":"guarded"}`)
	all(reads, 401, "E_UNAUTHORIZED", "")
	all(writes, 401, "E_UNAUTHORIZED", "")
	all(reads, 403, "E_NOT_PERSON", o.token)
	all(writes, 200, "", o.token)
	all(reads, 200, "", ownersToken)
	if s.wrote != 2*len(writes) {
		t.Errorf("a refused import wrote: %d", s.wrote)
	}
}

func TestAnExportNamesOneProfile(t *testing.T) {
	o, _, _ := shelved(t)
	const path = "/local-storage/export"
	for said, status := range map[string]int{
		`[{"id":1},{"id":2}]`: 422, `[]`: 422, ``: 422, `[1]`: 422, `x`: 422, `{"id":1}`: 422, `[null]`: 422,
		`[{"id":9}]`: 404, `[{"name":"a"}]`: 400, `[{"id":"x"}]`: 400,
	} {
		got, _, answer := o.send("", "GET", path+"?browserProfiles="+url.QueryEscape(said), "")
		if got != status {
			t.Errorf("%s: %d, not %d: %s", said, got, status, answer)
		}
	}
	o.want(422, "E_UNPROCESSABLE", "", "GET", path, "")
	o.want(405, "E_METHOD", "", "POST", path, "{}")
}

func TestABadImportWritesNothing(t *testing.T) {
	o, s, _ := shelved(t)
	for _, c := range []struct {
		path, body string
		status     int
	}{
		{"/cookies/import", `{"profileId":1,"cookies":[{"name":"n"}]}`, 422},
		{"/cookies/import", `{"profileId":1}`, 422},
		{"/cookies/import", `{"cookies":[]}`, 400},
		{"/cookies/import", `{"profileId":9,"cookies":[]}`, 404},
		{"/cookies/import", `{"profileId":1,"cookies":[],"browserProfilePassword":"x"}`, 422},
		{"/cookies/import", "", 400},
		{"/browser_profiles/1/cookies", "a=b; c=d", 422},
		{"/browser_profiles/1/cookies", "", 422},
		{"/browser_profiles/1/cookies", `{"cookies":[],"dryRun":"maybe"}`, 400},
		{"/export-cookies", `{"browserProfiles":[]}`, 422},
		{"/export-cookies", `{"browserProfiles":[{"id":1},{"id":2}]}`, 422},
		{"/local-storage/import", `{"profileId":1,"localStorage":[{"domain":"dolphin-anty-export","data":{"AA==":"/w=="}}]}`, 422},
		{"/?actionType=importCookies", someCookies, 400},
		{"/?actionType=dropCookies&browserProfileId=1", someCookies, 400},
	} {
		if status, _, answer := o.send(ownersToken, "POST", c.path, c.body); status != c.status {
			t.Errorf("%s %s: %d %s", c.path, c.body, status, answer)
		}
	}
	o.want(405, "E_METHOD", "", "GET", "/?actionType=importCookies&browserProfileId=1", "")
	o.want(413, "E_TOO_LARGE", "", "POST", "/browser_profiles/1/cookies", strings.Repeat(" ", 16<<20+1))
	if s.wrote > 0 {
		t.Errorf("%d refused imports wrote", s.wrote)
	}
}

// The address / is open to whoever types it, so the Sync API at the same place refuses every browser.
func TestNoPageUsesTheSyncAPI(t *testing.T) {
	o, s, _ := shelved(t)
	s.data.Cookies = []cookie.Cookie{{Domain: "a.example", Path: "/", Name: "n", Value: "hush"}}
	for _, header := range [][2]string{
		{"Sec-Fetch-Site", "none"}, {"Sec-Fetch-Site", "same-origin"}, {"Sec-Fetch-Site", "cross-site"},
		{"Origin", "http://127.0.0.1:3001"}, {"Origin", "https://evil.example"},
	} {
		for _, method := range []string{"GET", "POST"} {
			r := httptest.NewRequestWithContext(t.Context(), method,
				"http://127.0.0.1:3001/?actionType=getCookies&browserProfileId=1", nil)
			r.Header.Set(header[0], header[1])
			w := httptest.NewRecorder()
			o.ServeHTTP(w, r)
			if w.Code != 403 || strings.Contains(w.Body.String(), "hush") {
				t.Errorf("%s with %v answers %d %s", method, header, w.Code, w.Body)
			}
		}
	}
}

func TestAFaultOfTheBrowserShowsNoValue(t *testing.T) {
	err := fault.From(fault.Unprocessablef(cookie.Field, "%v", cookie.Cookie{Domain: "a.b", Name: "n", Value: "hush"}))
	if strings.Contains(err.Text, "hush") {
		t.Errorf("a cookie prints its value: %s", err.Text)
	}
}

// direct answers the calls of a client without a network.
type direct struct{ http.Handler }

func (d direct) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	return w.Result(), nil
}

func TestAnExportCountsWhatItLeavesOut(t *testing.T) {
	o, s, _ := shelved(t)
	s.data = cookie.Data{Opaque: 2, Cookies: []cookie.Cookie{{Domain: "a.example", Path: "/", Name: "n", Secure: true,
		Partition: "https://b.example"}}}
	client := api.Client{Base: "http://127.0.0.1:3001", Token: ownersToken, HTTP: &http.Client{Transport: direct{o}}}
	for format, partitioned := range map[string]int{"netscape": 1, "dolphin": 0, "storageState": 0} {
		file, err := client.Cookies(1).Export(t.Context(), format)
		if err != nil || file.Partitioned != partitioned || file.Opaque != 2 || len(file.Content) == 0 {
			t.Errorf("%s: %+v, %v", format, file, err)
		}
	}

	changes, err := client.Cookies(1).Try(t.Context(), `[{"domain":"a.example","name":"n","value":"1"},
		{"domain":"a.example","name":"n","value":"2"}]`)
	if err != nil || changes.Repeated != 1 {
		t.Errorf("%+v, %v", changes, err)
	}
}

func TestAnImportWithoutAProfileSaysSo(t *testing.T) {
	o, _, _ := shelved(t)
	status, answer, raw := o.cloud("POST", "/cookies/import", `{"cookies":[]}`)
	if status != 400 || answer["error"] != "The request names no profile." || o.config.Storage.(*shelf).wrote != 0 {
		t.Errorf("%d %s", status, raw)
	}
}
