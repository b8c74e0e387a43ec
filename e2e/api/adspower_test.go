//go:build e2e

package api

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cove/e2e/harness"
)

// ads is AdsPower's API of a running Cove.
type ads struct {
	*harness.App
	port int
	key  string
}

// openAds switches AdsPower's API on, as its owner does.
func openAds(t *testing.T, a *harness.App) *ads {
	t.Helper()
	x := &ads{App: a, port: harness.FreePort(t), key: a.APIToken()}
	a.Must("config", "set", "adspower.port", strconv.Itoa(x.port))
	return x
}

func (x *ads) base() string { return "http://127.0.0.1:" + strconv.Itoa(x.port) }

// send makes one call with the key; more are names and values of headers.
func (x *ads) send(method, path, body string, more ...string) (int, map[string]any) {
	x.T.Helper()
	req, err := http.NewRequestWithContext(x.T.Context(), method, x.base()+path, strings.NewReader(body))
	if err != nil {
		x.T.Fatal(err)
	}
	if x.key != "" {
		req.Header.Set("api-key", x.key)
	}
	for i := 0; i+1 < len(more); i += 2 {
		if more[i] == "Host" {
			req.Host = more[i+1]
		}
		req.Header.Set(more[i], more[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		x.T.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	raw, _ := io.ReadAll(res.Body)
	var out map[string]any
	if err := json.Unmarshal(raw, &out); err != nil {
		x.T.Fatalf("%s %s answers %q", method, path, raw)
	}
	return res.StatusCode, out
}

// must makes a call that succeeds, and returns its data.
func (x *ads) must(method, path, body string, more ...string) any {
	x.T.Helper()
	status, out := x.send(method, path, body, more...)
	if status != http.StatusOK || out["code"] != 0.0 {
		x.T.Fatalf("%s %s %s is answered with %d %v", method, path, body, status, out)
	}
	return out["data"]
}

func TestScriptsForAdsPowerDriveProfiles(t *testing.T) {
	for _, generation := range []string{"v1", "v2"} {
		for name, options := range map[string][]harness.Option{"headless": nil, "headed": {harness.Headed}} {
			t.Run(generation+" "+name, func(t *testing.T) {
				x, web := openAds(t, harness.Start(t, options...)), harness.NewSite(t)
				path, body := "/api/v1/user/create", `{"name":"shop","group_id":"0","domain_name":"facebook.com",`+
					`"repeat_config":["0"],"country":"us","fingerprint_config":{"webrtc":"proxy"},`+
					`"user_proxy_config":{"proxy_soft":"no_proxy"}}`
				key := "id"
				if generation == "v2" {
					path, key = "/api/v2/browser-profile/create", "profile_id"
				}
				id, _ := harness.Member(x.must("POST", path, body), key).(string)
				var got struct {
					Before, Active, Stop, Again, After map[string]any
					Puppeteer, Selenium                string
				}
				harness.Node(t, &got, "ads.mjs", x.base(), x.key, generation, id, web.URL+"/form")
				if got.Puppeteer != "puppeteer p" || got.Selenium != "selenium s" {
					t.Errorf("the page said %q and %q", got.Puppeteer, got.Selenium)
				}
				if s := harness.Member(got.Active, "data", "status"); s != "Active" {
					t.Errorf("while it was open: %v", got.Active)
				}
				for when, answer := range map[string]map[string]any{"before": got.Before, "after": got.After} {
					data, _ := answer["data"].(map[string]any)
					if len(data) != 1 || data["status"] != "Inactive" {
						t.Errorf("%s: %v", when, answer)
					}
				}
				if got.Stop["code"] != 0.0 || got.Again["code"] != -1.0 || got.Again["msg"] != "User_id is not open" {
					t.Errorf("stop: %v, then %v", got.Stop, got.Again)
				}
				list := x.must("GET", "/api/v1/user/list", "")
				items, _ := harness.Member(list, "list").([]any)
				if opened := harness.Member(items[0], "last_open_time"); len(items) != 1 || opened == "0" ||
					harness.Member(items[0], "user_id") != id {
					t.Errorf("the list is %v", list)
				}
			})
		}
	}
}

// pages are the addresses of the pages of an open profile.
func pages(t *testing.T, port int) (list []string) {
	t.Helper()
	for _, target := range harness.StateTargets(t, port) {
		list = append(list, target["url"])
	}
	return list
}

func TestLaunchArgumentsHoldForOneStart(t *testing.T) {
	x, web := openAds(t, harness.Start(t)), harness.NewSite(t)
	one, two := web.URL+"/tab/1", web.URL+"/tab/2"
	x.Own(http.MethodPatch, "/v1.0/browser_profiles/1", fmt.Sprintf(`{"args":["--lang=de"],"startPages":[%q]}`, one))
	start := func(body string) int {
		t.Helper()
		data := x.must("POST", "/api/v2/browser-profile/start", body)
		port, _ := harness.Member(data, "debug_port").(string)
		return atoi(port)
	}
	line := func() string {
		t.Helper()
		return strings.Join(x.Processes("--user-data-dir"), "\n")
	}
	port := start(fmt.Sprintf(`{"profile_id":"1","launch_args":["--mute-audio","--headless=new",%q]}`, two))
	harness.Wait(t, "the page of this start", func() bool { return slices.Contains(pages(t, port), two) })
	if l := line(); !strings.Contains(l, "--mute-audio") || strings.Contains(l, "--lang=de") {
		t.Errorf("the browser runs as %s", l)
	}
	x.must("POST", "/api/v2/browser-profile/stop", `{"profile_id":"1"}`)

	// Without tabs, and yet with the page that this start asks for.
	port = start(fmt.Sprintf(`{"profile_id":"1","last_opened_tabs":"0","launch_args":[%q]}`, one))
	harness.Wait(t, "the page of this start", func() bool { return slices.Equal(pages(t, port), []string{one}) })
	x.must("POST", "/api/v2/browser-profile/stop", `{"profile_id":"1"}`)

	start(`{"profile_id":"1"}`)
	if l := line(); strings.Contains(l, "--mute-audio") || !strings.Contains(l, "--lang=de") {
		t.Errorf("at the next start the browser runs as %s", l)
	}
	x.must("POST", "/api/v2/browser-profile/stop-all", "")
}

func TestAdsPowersPortIsTheOwnersChoice(t *testing.T) {
	x := openAds(t, harness.Start(t))
	if out := x.Must("status"); !strings.Contains(out, "AdsPower  "+strconv.Itoa(x.port)) {
		t.Errorf("cove status prints\n%s", out)
	}
	if out, _ := x.Cli("doctor"); !strings.Contains(out, x.base()) {
		t.Errorf("cove doctor prints\n%s", out)
	}
	l, err := harness.Listen(t, "tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	taken := strconv.Itoa(harness.PortOf(l))
	if out, code := x.Cli("config", "set", "adspower.port", taken); code == 0 || !strings.Contains(out,
		taken+" is in use") {
		t.Errorf("a port that is taken: %d %s", code, out)
	}
	x.must("GET", "/status", "")
	// A key for everything but the status, until the owner lifts that.
	key := x.key
	x.key = ""
	x.must("GET", "/status", "")
	if _, out := x.send("GET", "/api/v1/browser/start?user_id=1", ""); out["msg"] != "Require api-key" {
		t.Errorf("without a key: %v", out)
	}
	x.Must("config", "set", "adspower.key", "off")
	host := fmt.Sprintf("local.adspower.net:%d", x.port)
	x.must("GET", "/api/v1/browser/start?user_id=1", "", "Host", host)
	x.must("GET", "/api/v1/browser/stop?user_id=1", "", "Host", host)
	if _, out := x.send("GET", "/api/v1/user/list", ""); out["msg"] != "Require api-key" {
		t.Errorf("a list without a key: %v", out)
	}
	x.key = key
	x.must("GET", "/api/v1/user/list", "")
	x.Must("config", "set", "adspower.port", "")
	if _, err := harness.Get(t, x.base()+"/status"); err == nil {
		t.Error("the port is open after it was switched off")
	}
}

// besiegeAds points a siege at AdsPower's API, which needs no key to start and stop: the worst case.
func besiegeAds(t *testing.T) *siege {
	t.Helper()
	s := besiege(t)
	x := openAds(t, s.App)
	s.Must("config", "set", "adspower.key", "off")
	s.api, s.ads = x.port, true
	s.watchedAPI = serve(t, s.in(s.watch(s.api)))
	s.before = s.picture(t)
	return s
}

// adsGoals is what no web page may get done or read on AdsPower's port.
func adsGoals() []goal {
	two := map[string]string{"user_id": "2"}
	return []goal{
		{method: "GET", path: "/api/v1/browser/start?user_id=2"},
		{method: "GET", path: "/api/v1/browser/stop?user_id=1"},
		{method: "GET", path: "/status", reads: true},
		{method: "GET", path: "/api/v1/browser/local-active", reads: true},
		{method: "GET", path: "/api/v1/user/list", reads: true},
		{method: "POST", path: "/api/v1/browser/start", fields: two},
		{method: "POST", path: "/api/v2/browser-profile/start", fields: map[string]string{"profile_id": "2"}},
		{method: "POST", path: "/api/v2/browser-profile/stop-all"},
		{method: "POST", path: "/api/v1/user/create", fields: map[string]string{"name": "evil"}},
		{method: "PUT", path: "/api/v1/user/update", fields: two},
		{method: "PATCH", path: "/api/v1/user/update", fields: two},
		{method: "DELETE", path: "/api/v1/user/delete", fields: two},
		{method: "EVENTS", path: "/api/v1/browser/start?user_id=2"},
		{method: "SOCKET", path: "/api/v1/browser/start?user_id=2"},
	}
}

// adsVantages are the places from which AdsPower's port is attacked: those of the API, and AdsPower's names.
func (s *siege) adsVantages(t *testing.T) []vantage {
	const page = "/evil/page?page="
	insecure := []string{"secure context"}
	all := s.vantages(t)
	for _, host := range []string{"local.adspower.net", "local.adspower.com"} {
		all = append(all,
			vantage{name: "a foreign site to " + host, page: fmt.Sprintf("http://ads.example:%d%s", s.public, page),
				host:  host,
				lacks: insecure, always: true},
			vantage{name: "a page that got hold of " + host, page: "http://" + host + ":%d" + page, host: host, lacks: insecure,
				always: true})
	}
	return all
}

func TestNoWebPageCanUseAdsPowersAPIByAnyName(t *testing.T) {
	s := besiegeAds(t)
	s.arm(t, append(s.arguments(), unguarded)...)
	for _, v := range s.adsVantages(t) {
		if !s.lost {
			// The API's own siege has shown that the tricks work from each place.
			v.rehearsed, v.always = false, true
			t.Run(v.name, func(t *testing.T) { s.assault(t, v) })
		}
	}
	t.Logf("%d attacks", s.marks)
}

func TestNoPageInAnOpenProfileCanUseAdsPowersAPI(t *testing.T) {
	s := besiegeAds(t)
	var tries []struct {
		Way, Address, Text, Error string
		Statuses                  []int
	}
	base := fmt.Sprintf("http://127.0.0.1:%d", s.api)
	addresses := []string{base + "/api/v1/browser/start?user_id=2", base + "/api/v1/browser/stop?user_id=1",
		base + "/status"}
	config, _ := json.Marshal(map[string]any{"port": s.gate, "site": fmt.Sprintf("http://127.0.0.1:%d", s.local),
		"addresses": addresses})
	harness.Node(t, &tries, "agent.mjs", string(config))
	if len(tries) != 7*len(addresses) {
		t.Errorf("%d tries at %d addresses", len(tries), len(addresses))
	}
	for _, try := range tries {
		fetched := strings.HasPrefix(try.Way, "fetch") && strings.Contains(try.Text, "Failed to fetch")
		if !fetched && !strings.Contains(try.Text, refusal) {
			t.Errorf("%s to %s shows %q %s", try.Way, try.Address, try.Text, try.Error)
		}
	}
	s.unchanged(t, "an agent")
}

func TestCookiesForAdsPowerScriptsReachTheBrowser(t *testing.T) {
	x, web := openAds(t, harness.Start(t)), harness.NewSite(t)
	const sent = `[{\"domain\":\"127.0.0.1\",\"name\":\"kept\",\"value\":\"from-adspower\",\"expirationDate\":4102444800}]`
	id, _ := harness.Member(x.must("POST", "/api/v2/browser-profile/create", `{"group_id":"0","name":"shop","tabs":["`+
		web.URL+`/check"],"cookie":"`+sent+`"}`), "profile_id").(string)
	x.must("POST", "/api/v2/browser-profile/start", `{"profile_id":"`+id+`"}`)
	if r := web.Report(t, "check"); !strings.Contains(fmt.Sprint(r["cookie"]), "kept=from-adspower") {
		t.Errorf("the page finds %v", r)
	}
	x.must("POST", "/api/v2/browser-profile/stop", `{"profile_id":"`+id+`"}`)

	text, _ := harness.Member(x.must("GET", "/api/v2/browser-profile/cookies?profile_id="+id, ""), "cookies").(string)
	var cookies []map[string]any
	if err := json.Unmarshal([]byte(text), &cookies); err != nil {
		t.Fatalf("the cookies are %q", text)
	}
	if !slices.ContainsFunc(cookies, func(c map[string]any) bool {
		return c["name"] == "kept" && c["value"] == "from-adspower" && c["domain"] == "127.0.0.1" && c["session"] == false
	}) {
		t.Errorf("the cookies are %s", text)
	}
}
