package adspower

import (
	"net/http"
	"strings"
	"testing"

	"cove/internal/policy"
	"cove/internal/profile"
)

// firstWords is what tells the answers of calls without a key apart.
func firstWords(answer string) string {
	switch {
	case strings.HasPrefix(answer, `{"code":-1,"msg":"Require api-key","data":{},"hint":"Send an API token`):
		return "key"
	case strings.HasPrefix(answer, `{"code":0,`):
		return "ok"
	}
	return answer
}

// allCalls has one request for each call, in an order in which each can succeed.
var allCalls = []struct {
	method, path, body string
	kind               right
}{
	{"GET", "/status", "", free},
	{"GET", "/api/v1/browser/start?user_id=1", "", drive},
	{"GET", "/api/v1/browser/active?user_id=1", "", look},
	{"GET", "/api/v1/browser/local-active", "", look},
	{"POST", "/api/v1/browser/stop", `{"user_id":"1"}`, drive},
	{"GET", "/api/v2/browser-profile/cookies?profile_id=1", "", drive},
	{"POST", "/api/v2/browser-profile/start", `{"profile_id":"1"}`, drive},
	{"GET", "/api/v2/browser-profile/active?profile_no=1", "", look},
	{"POST", "/api/v2/browser-profile/stop", `{"profile_id":"1"}`, drive},
	{"POST", "/api/v2/browser-profile/stop-all", ``, drive},
	{"GET", "/api/v1/user/list", "", keyed},
	{"POST", "/api/v2/browser-profile/list", "{}", keyed},
	{"POST", "/api/v1/user/create", `{"group_id":"0"}`, keyed},
	{"POST", "/api/v2/browser-profile/create", `{"group_id":"0"}`, keyed},
	{"POST", "/api/v1/user/update", `{"user_id":"1","name":"x"}`, keyed},
	{"POST", "/api/v2/browser-profile/update", `{"profile_id":"1","name":"y"}`, keyed},
	{"POST", "/api/v1/group/create", `{"group_name":"g"}`, keyed},
	{"GET", "/api/v1/group/list", "", keyed},
	{"POST", "/api/v1/group/update", `{"group_id":"1","group_name":"h"}`, keyed},
	{"POST", "/api/v1/user/regroup", `{"user_ids":["1"],"group_id":"1"}`, keyed},
	{"POST", "/api/v2/proxy-list/create", `[{"type":"http","host":"p.example","port":"1"}]`, keyed},
	{"POST", "/api/v2/proxy-list/list", `{}`, keyed},
	{"POST", "/api/v2/proxy-list/update", `{"proxy_id":"1","port":"2"}`, keyed},
	{"POST", "/api/v2/proxy-list/delete", `{"proxy_id":["1"]}`, keyed},
	{"POST", "/api/v2/browser-tags/create", `{"tags":[{"name":"a"}]}`, keyed},
	{"POST", "/api/v2/browser-tags/list", `{}`, keyed},
	{"POST", "/api/v2/browser-tags/update", `{"tags":[{"id":"a","name":"b"}]}`, keyed},
	{"POST", "/api/v2/browser-tags/delete", `{"ids":["a"]}`, keyed},
	{"GET", "/api/v1/application/list", "", keyed},
	{"GET", "/api/v2/category/list", "", keyed},
	{"POST", "/api/v1/user/delete", `{"user_ids":["2"]}`, keyed},
	{"POST", "/api/v2/browser-profile/delete", `{"profile_id":["3"]}`, keyed},
}

func TestWhoMayMakeEachCall(t *testing.T) {
	for name, setting := range map[string]struct {
		keyOff, requireToken bool
		free                 []right // what needs no key
	}{
		"by default":                                 {false, false, []right{free}},
		"with a key required and also a token":       {false, true, []right{free}},
		"with adspower.key off":                      {true, false, []right{free, drive, look}},
		"with adspower.key off and require_token on": {true, true, []right{free, look}},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			for range 3 {
				o.add(profile.Profile{Name: "one"})
			}
			o.computer.keyOff, o.computer.requireToken = setting.keyOff, setting.requireToken
			for _, c := range allCalls {
				want := "key"
				for _, kind := range setting.free {
					if kind == c.kind {
						want = "ok"
					}
				}
				for _, headers := range [][]string{nil, {"Authorization", "Bearer of-adspower"}, {"api-key", "x"},
					{"X-Anty-Session-Token", o.key}} {
					if want == "ok" && headers != nil {
						continue // once is enough: it has an effect
					}
					status, answer := o.send(c.method, c.path, c.body, headers...)
					if got := firstWords(answer); got != want || status != http.StatusOK {
						t.Errorf("%s %s with %v: %d %s", c.method, c.path, headers, status, answer)
					}
				}
				if want == "ok" {
					continue
				}
				if answer := o.call(c.method, c.path, c.body); firstWords(answer) != "ok" {
					t.Errorf("%s %s with a key: %s", c.method, c.path, answer)
				}
			}
		})
	}
}

func TestEveryCallIsInTheTestOfRights(t *testing.T) {
	tested := map[string]bool{}
	for _, c := range allCalls {
		path, _, _ := strings.Cut(c.path, "?")
		tested[path] = true
	}
	for path := range newOffice(t).routes {
		if _, refused := notOffered[path]; !refused && !tested[path] {
			t.Errorf("%s is not in allCalls", path)
		}
	}
}

func TestTheKeyIsTakenFromEveryPlace(t *testing.T) {
	o := newOffice(t)
	const list = "/api/v2/browser-profile/list"
	for name, c := range map[string]struct {
		body    string
		headers []string
		want    string
	}{
		"Authorization with Bearer":    {"", []string{"Authorization", "Bearer " + o.key}, "ok"},
		"Authorization without Bearer": {"", []string{"Authorization", o.key}, "ok"},
		"the header api-key":           {"", []string{"api-key", o.key}, "ok"},
		"the field api_key":            {`{"api_key":"` + o.key + `"}`, nil, "ok"},
		"a foreign Authorization too":  {"", []string{"Authorization", "Bearer x", "api-key", o.key}, "ok"},
		"the field api_key in a form": {"api_key=" + o.key, []string{"Content-Type",
			"application/x-www-form-urlencoded"}, "ok"},
		"a wrong one":  {`{"api_key":"no"}`, nil, "key"},
		"an empty one": {`{"api_key":""}`, []string{"api-key", ""}, "key"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, answer := o.send("POST", list, c.body, c.headers...); firstWords(answer) != c.want {
				t.Errorf("got %s", answer)
			}
		})
	}
	if _, answer := o.send("POST", list+"?api_key="+o.key, ""); firstWords(answer) != "key" {
		t.Errorf("in the URL: %s", answer)
	}
}

func TestRulesNeedAKeyAndArgumentsToo(t *testing.T) {
	o := newOffice(t)
	o.computer.keyOff = true
	o.add(profile.Profile{Name: "ruled", Policy: policy.Policy{Preset: policy.Guarded}})
	o.add(profile.Profile{Name: "open"})
	for _, path := range []string{"/api/v1/browser/start?user_id=1",
		"/api/v1/browser/start?user_id=2&launch_args=--mute-audio",
		"/api/v1/browser/start?user_id=2&proxy=http://x:1"} {
		if _, answer := o.send("GET", path, ""); firstWords(answer) != "key" {
			t.Errorf("%s without a key: %s", path, answer)
		}
	}
	if len(o.runner.started) != 0 {
		t.Fatal("something was started")
	}

	o.call("GET", "/api/v1/browser/start?user_id=1", "")
	o.call("GET", "/api/v1/browser/start?user_id=2", "")
	if _, answer := o.send("GET", "/api/v1/browser/active?user_id=1", ""); firstWords(answer) != "key" {
		t.Errorf("active without a key: %s", answer)
	}
	_, answer := o.send("GET", "/api/v1/browser/local-active", "")
	if strings.Contains(answer, "uuid-1") || !strings.Contains(answer, "uuid-2") {
		t.Errorf("local-active without a key: %s", answer)
	}
	if answer = o.call("GET", "/api/v1/browser/local-active", ""); !strings.Contains(answer, "uuid-1") {
		t.Errorf("local-active with a key: %s", answer)
	}
}

func TestNoPageAndNoOtherHostReachesThePort(t *testing.T) {
	o := newOffice(t)
	o.computer.keyOff = true
	o.add(profile.Profile{Name: "one"})
	const start = "/api/v1/browser/start?user_id=1"
	chrome := "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/148.0.0.0 Safari/537.36"
	for name, headers := range map[string][]string{
		"rebinding":                       {"Host", "evil.example:50325"},
		"rebinding with our name":         {"Host", "local.adspower.net.evil.example:50325"},
		"another port":                    {"Host", "127.0.0.1:80"},
		"no port":                         {"Host", "local.adspower.net"},
		"0.0.0.0":                         {"Host", "0.0.0.0:50325"},
		"an Origin":                       {"Origin", "https://evil.example"},
		"our own Origin":                  {"Origin", "http://127.0.0.1:50325"},
		"Origin null":                     {"Origin", "null"},
		"cross-site":                      {"Sec-Fetch-Site", "cross-site"},
		"same-origin":                     {"Sec-Fetch-Site", "same-origin"},
		"a typed address":                 {"Sec-Fetch-Site", "none"},
		"a page by local.adspower.net":    {"Host", "local.adspower.net:50325", "User-Agent", chrome},
		"a page by local.adspower.com":    {"Host", "local.adspower.com:50325", "User-Agent", chrome},
		"a page by that name in capitals": {"Host", "LOCAL.ADSPOWER.NET:50325", "User-Agent", chrome},
	} {
		t.Run(name, func(t *testing.T) {
			for _, path := range []string{start, "/status"} {
				status, answer := o.send("GET", path, "", headers...)
				if status != http.StatusForbidden || !strings.HasPrefix(answer, `{"code":-1,"msg":"`) ||
					!strings.HasSuffix(answer, `,"data":{}}`) {
					t.Errorf("%s: %d %s", path, status, answer)
				}
				if headers[len(headers)-1] == chrome && !strings.Contains(answer, "Use 127.0.0.1") {
					t.Errorf("%s does not say what to use", answer)
				}
			}
		})
	}
	if len(o.runner.started) != 0 {
		t.Error("something was started")
	}
	for name, headers := range map[string][]string{
		"requests by name": {"Host", "local.adspower.net:50325", "User-Agent", "python-requests/2.32.3"},
		"axios by name":    {"Host", "local.adspower.com:50325", "User-Agent", "axios/1.7.2"},
		"Node's fetch":     {"Sec-Fetch-Mode", "cors", "User-Agent", "node"},
		"a posing program": {"User-Agent", chrome},
		"localhost":        {"Host", "localhost:50325"},
		"IPv6":             {"Host", "[::1]:50325"},
	} {
		if status, answer := o.send("GET", "/status", "", headers...); status != http.StatusOK {
			t.Errorf("%s: %d %s", name, status, answer)
		}
	}
}

func TestUnknownPathsAndMethods(t *testing.T) {
	o := newOffice(t)
	for _, path := range []string{"/", "/v1.0/status", "/api/v1/browser", "/api/v3/x", "/api/v1/user/list/1"} {
		status, answer := o.send("GET", path, "")
		if status != http.StatusNotFound || !strings.HasPrefix(answer, `{"code":-1,"msg":"There is no such call`) {
			t.Errorf("%s: %d %s", path, status, answer)
		}
	}
	o.refused("GET", "/api/v1/user/create", "", "does not support GET. Use POST.")
	o.refused("HEAD", "/api/v1/browser/start?user_id=1", "", "does not support HEAD")
	o.refused("POST", "/api/v1/user/create", strings.Repeat(" ", 17<<20), "larger than 16 MiB")
	o.refused("POST", "/api/v1/user/delete", strings.Repeat(" ", 2<<20), "larger than 1 MiB")
	o.refused("POST", "/api/v1/user/create", "{", "not valid JSON")
	for path, why := range notOffered {
		first, _, _ := strings.Cut(why, ". ")
		o.refused("POST", path, "{}", strings.TrimSuffix(first, "."))
	}
	o.Close()
	o.refused("GET", "/status", "", "is being closed")
}
