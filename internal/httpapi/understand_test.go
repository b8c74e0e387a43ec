package httpapi

import (
	"slices"
	"strings"
	"testing"

	"cove/internal/httpapi/sessions"
	"cove/internal/profile"
)

// proxied is a profile with a proxy in an office, and whether it is as it was.
func proxied(t *testing.T) (o *office, unchanged func() bool) {
	t.Helper()
	o = newOffice(t)
	o.want(200, "", ownersToken, "PATCH", "/browser_profiles/1",
		`{"proxy":{"type":"http","host":"h.example","port":1,"login":"me","password":"pw"},"args":["--mute-audio"],"timezone":"UTC","locale":"de"}`)
	before, err := o.config.Profiles.Get(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return o, func() bool {
		t.Helper()
		now, err := o.config.Profiles.Get(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		list, err := o.config.Profiles.List(t.Context(), profile.Query{Sort: profile.ByID, Page: 1, PerPage: 10})
		if err != nil {
			t.Fatal(err)
		}
		return now.Proxy == before.Proxy && slices.Equal(now.Args, before.Args) && now.Timezone == "UTC" &&
			now.Locale == "de" && list.Total == 1
	}
}

func TestWhatDecidesAnIdentityIsRefusedWhenItIsNotUnderstood(t *testing.T) {
	o, unchanged := proxied(t)
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	for _, body := range []string{
		`{"proxy":{"id":7}}`, `{"proxy":{"id":"7"}}`, `{"proxy":7}`, `{"proxy":"7"}`,
		`{"proxy":{"id":7,"type":"http","host":"h.example","port":1}}`, `{"proxyId":7}`, `{"proxy_id":7}`,
		`{"proxyid":"7"}`,
		`{"proxy":{}}`, `{"proxy":[]}`, `{"proxy":true}`, `{"proxy":"direct"}`, `{"proxy":"none"}`,
		`{"proxy":"h.example"}`, `{"proxy":"h.example:1:2"}`, `{"proxy":" "}`, `{"proxy":{"type":""}}`, `{"proxy":{"type":"","host":""}}`,
		`{"proxy":{"host":"h.example","port":1}}`,
		`{"proxy":{"type":"http"}}`, `{"proxy":{"type":"http","host":"h.example"}}`,
		`{"proxy":{"type":"ssh","host":"h.example","port":1}}`,
		`{"proxy":{"type":"socks4","host":"h.example","port":1,"password":"p"}}`,
		`{"proxy":{"type":"http","host":"h.example","port":"x"}}`,
		`{"proxy":{"type":"http","host":"h.example","port":1.5}}`,
		`{"proxy":{"type":"http","host":"h.example","port":[1]}}`, `{"proxy":{"server":"http://h.example:1"}}`,
		`{"proxy":{"type":"http","host":"h.example","port":1,"bypass":"*"}}`,
		`{"proxy":{"type":"http","host":"h.example","port":1,"user":"a","login":"b"}}`,
		`{"proxy":{"type":"http","hots":"h.example","port":1}}`,
		`{"proxy":null,"Proxy":{"type":"http","host":"x.example","port":1}}`,
		`{"porxy":{"type":"http","host":"x.example","port":1}}`, `{"proxi":"x"}`, `{"Proxies":[7]}`,
		`{"proxyServer":"x.example:1"}`, `{"user_proxy_config":{"proxy_soft":"other"}}`,
		`{"launch_args":["--no-sandbox"]}`, `{"arg":"--mute-audio"}`, `{"agrs":["--mute-audio"]}`,
		`{"browserPath":"/path/x"}`, `{"browsr":"/path/x"}`, `{"userDataDir":"/path/x"}`, `{"storagePath":"/path/x"}`,
		`{"cookies":[{"name":"a"}]}`, `{"cookies":"a=b"}`, `{"browserProfilePassword":"x"}`, `{"timezoneId":"UTC"}`,
		`{"timezon":"UTC"}`, `{"timezone":{"mode":"guess","value":"UTC"}}`, `{"locale":{"mode":"manual"}}`,
		`{"locale":{"lang":"de"}}`,
	} {
		for _, c := range [][3]string{{"PATCH", "/browser_profiles/1", body},
			{"PUT", "/browser_profiles/1", `{"name":"x",` + body[1:]},
			{"POST", "/browser_profiles", `{"name":"x",` + body[1:]},
			{"POST", "/browser_profiles/mass", `{"profiles":[{"name":"a"},{"name":"x",` + body[1:] + `]}`},
			{"POST", "/browser_profiles/mass", `{"count":2,"template":{"name":"x",` + body[1:] + `}`},
			{"POST", "/browser_profiles/start", body}, {"POST", "/browser_profiles/1/start", body},
			{"POST", "/browser_profiles/1/clone", body}} {
			if body == `{"proxy":[]}` && (c[1] == "/browser_profiles/1/start" || c[1] == "/browser_profiles/1/clone") {
				continue // some languages write nothing so, and here it changes nothing
			}
			if status, code, answer := o.send(ownersToken, c[0], c[1], c[2]); (status != 400 && status != 422) ||
				(code != "E_INVALID" && code != "E_UNPROCESSABLE") || !strings.Contains(answer, `"hint":"`) {
				t.Errorf("%s %s %s: %d %s", c[0], c[1], c[2], status, answer)
			}
		}
	}
	for _, body := range []string{"proxy[id]=7", "proxy=7", "proxyId=7", "proxy=x&proxy[type]=http", "proxy[type]=http",
		"proxy[type]=http&proxy[type]=socks5&proxy[host]=h&proxy[port]=1", "proxy[]=x", "launch_args=--x"} {
		for _, c := range [][3]string{{"PATCH", "/browser_profiles/1", body}, {"POST", "/browser_profiles", "name=x&" + body}} {
			if status, _, answer := o.send(ownersToken, c[0], c[1], c[2], form...); status != 400 && status != 422 {
				t.Errorf("%s %s: %d %s", c[0], c[2], status, answer)
			}
		}
	}
	if !unchanged() {
		t.Error("a refusal changed something")
	}
}

func TestAProxyAsClientsSendIt(t *testing.T) {
	o, _ := proxied(t)
	for body, want := range map[string]string{
		`{"type":"http","host":"a.example","port":"81"}`:                                         `"proxy":{"type":"http","host":"a.example","port":81}`,
		`{"type":"socks5","host":"a.example","port":81,"username":"u","pass":"p"}`:               `"proxy":{"type":"socks5","host":"a.example","port":81,"login":"u","password":"p"}`,
		`{"Type":"HTTPS","Host":"a.example","Port":443,"id":null,"login":null,"password":""}`:    `"proxy":{"type":"https","host":"a.example","port":443}`,
		`{"type":"http","host":"a.example","port":1,"name":"n","changeIpUrl":"","provider":"x"}`: `"ignored":["proxy.changeIpUrl","proxy.name","proxy.provider"]`,
		`{"type":"http","host":"a.example","port":1,"Name":"n"}`:                                 `"ignored":["proxy.Name"]`,
		`{"type":"none"}`:                     "none",
		`{"type":"None","host":"","port":""}`: "none",
		`null`:                                "none",
		`""`:                                  "none",
		`{"type":"none","host":"a.example","port":1}`: "none",
	} {
		o.want(200, "", ownersToken, "PATCH", "/browser_profiles/1",
			`{"proxy":{"type":"http","host":"h.example","port":1}}`)
		status, _, answer := o.send(ownersToken, "PATCH", "/browser_profiles/1", `{"proxy":`+body+`}`)
		if want == "none" && status == 200 && !strings.Contains(answer, `"proxy":{`) {
			continue
		}
		if status != 200 || !strings.Contains(answer, want) {
			t.Errorf("%s: %d %s", body, status, answer)
		}
	}
}

func TestTheModeOfATextIsRead(t *testing.T) {
	o, _ := proxied(t)
	for body, want := range map[string]string{`{"locale":{"mode":"auto","value":"fr"}}`: `"locale":""`,
		`{"locale":{"mode":"manual","value":"fr"}}`: `"locale":"fr"`, `{"locale":{"value":"fr"}}`: `"locale":"fr"`,
		`{"timezone":{"mode":"auto","value":""}}`: `"timezone":""`, `{"notes":{"content":"n"}}`: `"notes":"n"`,
		`{"notes":{"content":null,"color":"blue","style":"text","icon":"info"}}`: `"notes":""`,
		`{"timezone":{"mode":"auto","value":null}}`:                              `"timezone":""`} {
		if status, _, answer := o.send(ownersToken, "PATCH", "/browser_profiles/1", body); status != 200 ||
			!strings.Contains(answer, want) {
			t.Errorf("%s: %d %s", body, status, answer)
		}
	}
}

func TestFieldsThatCoveDoesNotKnowAreNamedInEveryAnswer(t *testing.T) {
	o, unchanged := proxied(t)
	const foreign = `"webrtc":{"mode":"altered"},"canvas":{},"useragent":{"mode":"manual","value":"x"},"cookies":[]`
	const named = `"ignored":["canvas","cookies","useragent","webrtc"]`
	for _, c := range [][3]string{{"PATCH", "/browser_profiles/1", `{"notes":"x",` + foreign + `}`},
		{"PUT", "/browser_profiles/1",
			`{"name":"one","timezone":"UTC","locale":"de","args":["--mute-audio"],"proxy":{"type":"http","host":"h.example","port":1,"login":"me","password":"pw"},` + foreign + `}`}} {
		if status, _, answer := o.send(o.token, c[0], c[1], c[2]); status != 200 || !strings.Contains(answer, named) ||
			!unchanged() {
			t.Errorf("%s: %d %s", c[0], status, answer)
		}
	}
	for _, c := range [][3]string{{"POST", "/browser_profiles", `{"name":"x",` + foreign + `}`},
		{"POST", "/browser_profiles/mass",
			`{"profiles":[{"name":"x","canvas":{},"webrtc":1},{"name":"y","cookies":[],"useragent":1}]}`},
		{"POST", "/browser_profiles/mass",
			`{"count":1,"canvas":1,"template":{"name":"x","webrtc":1,"cookies":"","useragent":1}}`}} {
		if status, _, answer := o.send(o.token, c[0], c[1], c[2]); status != 200 || !strings.Contains(answer, named) {
			t.Errorf("%s %s: %d %s", c[0], c[1], status, answer)
		}
	}
}

func TestASlipInTheAddressIsNotLeftAside(t *testing.T) {
	o := newOffice(t)
	for path, known := range map[string]string{
		"GET /browser_profiles/1/start?automaton=1":            "automation",
		"GET /browser_profiles/1/start?automation=1&headles=1": "headless",
		"GET /browser_profiles/1/start?Automation=1":           "automation",
		"GET /browser_profiles/1/start?notabs=1":               "noTabs",
		"POST /browser_profiles/start?automatoin=1":            "automation", "GET /browser_profiles?limt=5": "limit",
		"GET /browser_profiles?tag[]=a":     "tags[]",
		"GET /browser_profiles?statusess=9": "statuses", "DELETE /browser_profiles/1?forcedelete=1": "forceDelete",
		"DELETE /browser_profiles/1?forceDelet=1": "forceDelete", "GET /logs?line=5": "lines",
		"GET /browser_profiles/1/journal?agnet=x": "agent",
	} {
		method, path, _ := strings.Cut(path, " ")
		if status, _, answer := o.send(ownersToken, method, path, ""); status != 400 ||
			!strings.Contains(answer, "Did you mean "+known+"?") {
			t.Errorf("%s %s: %d %s", method, path, status, answer)
		}
	}
	for _, query := range []string{"users=4", "mainWebsites=y", "users[]=4", "mainWebsites[0]=y", "sortBy=size",
		"sortBy=name&order=UP", "folders=x", "ids=1,x", "statuses[]=-1", "proxies=1.5"} {
		o.want(422, "E_UNPROCESSABLE", ownersToken, "GET", "/browser_profiles?"+query, "")
	}
	for _, query := range []string{"Content-Type=application/json", "x=1", "_=17", "sortBy=created_at&order=DESC",
		"ids=", "tags=a&tags[]=b&tag=c&query=d&search=e&folder=f&page=1&limit=5&sort=-id"} {
		o.want(200, "", ownersToken, "GET", "/browser_profiles?"+query, "")
	}
	o.want(400, "E_INVALID", "", "POST", "/browser_profiles/1/start", `{"automaton":true}`)
}

// What the description lists is what the calls know.
func TestTheCallsKnowTheNamesThatAreDescribed(t *testing.T) {
	described := describedCalls(t)
	for _, r := range New(newOffice(t).config).routes {
		for _, p := range described[r.method+" "+r.path].Parameters {
			if p.In == "query" && r.query.Names != nil && !slices.Contains(r.query.Names, p.Name) {
				t.Errorf("%s %s does not know %q", r.method, r.path, p.Name)
			}
			if p.In == "query" && r.query.Names == nil && !slices.Contains(sessions.StartFields, p.Name) {
				t.Errorf("%s %s looks at no names, and %q is described", r.method, r.path, p.Name)
			}
		}
	}
}
