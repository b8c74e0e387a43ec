package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"cove/api"
	"cove/internal/proxy"
	"cove/internal/proxy/proxytest"
)

func TestStoredProxiesThroughTheAPI(t *testing.T) {
	o := owned(t)
	want := func(status int, method, path, body string, has ...string) {
		t.Helper()
		got, _, raw := o.cloud(method, path, body)
		for _, text := range has {
			if got != status || !strings.Contains(raw, text) {
				t.Errorf("%s %s %s: %d %s", method, path, body, got, raw)
			}
		}
	}
	want(200, "GET", "/proxy?limit=1", "", `"data":[{"id":1,"name":"exit","type":"http","host":"a.example","port":80,`+
		`"login":"me","password":"pw","changeIpUrl":"","savedByUser":true,"lastCheck":null,"browser_profiles_count":1,`,
		`"next_page_url":"http://127.0.0.1:3001/proxy?limit=1\u0026page=2"`)
	want(200, "GET", "/v1.0/proxy?query=b.ex", "", `"total":1`, `"id":2`)
	want(200, "POST", "/proxy", `{"name":"n","type":"SOCKS","host":"c.example","port":"1080","user":"u","pass":"p",`+
		`"change_ip_url":"https://change.example/?k=1","provider":"x"}`, `"proxyId":3`, `"type":"socks5"`, `"login":"u"`,
		`"changeIpUrl":"https://change.example/?k=1"`, `"ignored":["provider"]`)
	want(200, "POST", "/v1.0/proxy", `{"proxy":"https://u:p%40@d.example:1","name":"m"}`, `"proxyId":4`, `"password":"p@"`)
	want(200, "PATCH", "/proxy/4", `{"id":9,"name":"m2","lastCheck":null,"created_at":"x"}`, `"id":4`, `"name":"m2"`,
		`"host":"d.example"`)
	want(200, "PUT", "/proxy/4", `{"port":2}`, `"name":"m2"`, `"port":2`)
	want(200, "GET", "/proxy/4", "", `"success":true`, `"port":2`)
	want(409, "DELETE", "/proxy/1", "", "E_IN_USE")
	want(409, "DELETE", "/proxy", `{"ids":[4,1]}`, "E_IN_USE")
	want(200, "GET", "/proxy/4", "", `"id":4`) // none was deleted
	want(200, "DELETE", "/proxy", `{"ids":["3",4]}`, `"success":true`)
	want(404, "GET", "/proxy/4", "", "E_NOT_FOUND")
	want(404, "DELETE", "/proxy/4", "", "E_NOT_FOUND")
	want(404, "PATCH", "/proxy/4", `{"name":"x"}`, "E_NOT_FOUND")
	want(200, "POST", "/proxy/import", `{"text":"# two\na.example:80:me:pw\nsocks4:e.example:1[https://c.example/]\n`+
		`e.example:1"}`, `"ids":[1,5,6]`, `"created":2`)
}

func TestARefusedProxyChangesNothing(t *testing.T) {
	o := owned(t)
	before := o.state()
	for _, c := range [][3]string{
		{"POST", "/proxy", `{}`},
		{"POST", "/proxy", `{"type":"http","host":"h.example"}`},
		{"POST", "/proxy", `{"type":"none"}`},
		{"POST", "/proxy", `{"type":"ssh","host":"h.example","port":22}`},
		{"POST", "/proxy", `{"type":"socks4","host":"h.example","port":1,"password":"p"}`},
		{"POST", "/proxy", `{"type":"http","host":"h.example;direct","port":1}`},
		{"POST", "/proxy", `{"type":"http","host":"h.example","port":1,"bypass":"*"}`},
		{"POST", "/proxy", `{"type":"http","host":"h.example","port":1,"user":"a","login":"b"}`},
		{"POST", "/proxy", `{"type":"http","host":"h.example","port":1,"changeIpUrl":"ftp://x"}`},
		{"POST", "/proxy", `{"proxy":"none"}`},
		{"POST", "/proxy", `{"proxy":"h.example:1","host":"k.example"}`},
		{"PATCH", "/proxy/1", `{"type":"none"}`},
		{"PATCH", "/proxy/1", `{"host":""}`},
		{"PATCH", "/proxy/1", `{"type":"socks4"}`}, // it has a password
		{"POST", "/proxy/import", `{"text":"a.example:1\nb.example:1:c.example:2"}`},
		{"POST", "/proxy/import", `{"text":"none"}`},
		{"POST", "/check/proxy", `{"type":"none"}`},
		{"POST", "/check/proxy", `{"id":1,"host":"other.example"}`},
		{"GET", "/proxy/1/change_proxy_ip", ""},
		{"GET", "/browser_profiles/1/change_proxy_ip", ""},
	} {
		if status, _, raw := o.cloud(c[0], c[1], c[2]); status != 422 || strings.Contains(raw, `"pw"`) {
			t.Errorf("%s %s %s: %d %s", c[0], c[1], c[2], status, raw)
		}
	}
	_, _, raw := o.cloud("POST", "/proxy/import", `{"text":"a.example:1\nb.example:1:c.example:2"}`)
	if !strings.Contains(raw, "Line 2: The proxy can be read in two ways.") {
		t.Error(raw)
	}
	if o.state() != before {
		t.Errorf("something changed:\n%s\n%s", before, o.state())
	}
}

func TestOnlyThePersonChangesAProxyOfAProfileWithRules(t *testing.T) {
	o := owned(t)
	o.want(200, "", o.token, "PATCH", "/proxy/1", `{"host":"c.example"}`)
	o.want(200, "", o.token, "PUT", policyPath, `{"preset":"guarded"}`)
	o.want(403, "E_NOT_PERSON", o.token, "PATCH", "/proxy/1", `{"host":"d.example"}`)
	o.want(403, "E_NOT_PERSON", o.token, "PUT", "/proxy/1", `{"proxy":"d.example:1"}`)
	o.want(200, "", o.token, "PATCH", "/proxy/1", `{"name":"x","host":"c.example"}`) // it leads where it led
	o.want(200, "", o.token, "PATCH", "/proxy/2", `{"host":"d.example"}`)
	o.want(200, "", ownersToken, "PATCH", "/proxy/1", `{"host":"d.example"}`)
	o.want(200, "", ownersToken, "DELETE", "/browser_profiles/1", "")
	o.want(403, "E_NOT_PERSON", o.token, "PATCH", "/proxy/1", `{"host":"e.example"}`) // the trash counts
	for _, c := range [][2]string{{"GET", "/proxy"}, {"GET", "/proxy/1"}, {"POST", "/proxy/check"}, {"DELETE", "/proxy/1"},
		{"GET", "/proxy/1/change_proxy_ip"}} {
		o.want(401, "E_UNAUTHORIZED", "", c[0], c[1], "")
	}
}

func TestOnlyThePersonChangesTheLinkOfAProxyOfAProfileWithRules(t *testing.T) {
	o := owned(t)
	link := func() string {
		t.Helper()
		r, err := o.config.Proxies.Get(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		return r.ChangeIPURL
	}
	const first, evil = "https://change.example/1", "http://192.168.1.1/reboot"
	imports := [][2]string{
		{"/proxy/import", `{"text":"b.example:1\na.example:80:me:pw[` + evil + `]"}`},
		{"/import", `{"proxies":[{"type":"http","host":"a.example","port":80,"login":"me","password":"pw",` +
			`"changeIpUrl":"` + evil + `"}]}`},
	}
	o.want(200, "", ownersToken, "PUT", policyPath, `{"preset":"guarded"}`)
	for _, before := range []string{"", first} {
		o.want(200, "", ownersToken, "PATCH", "/proxy/1", `{"changeIpUrl":"`+before+`"}`)
		o.want(403, "E_NOT_PERSON", o.token, "PATCH", "/proxy/1", `{"changeIpUrl":"`+evil+`"}`)
		o.want(403, "E_NOT_PERSON", o.token, "PUT", "/proxy/1", `{"proxy":"a.example:80:me:pw[`+evil+`]"}`)
		for _, c := range imports {
			status, _, answer := o.send(o.token, "POST", c[0], c[1])
			if status != 200 || !strings.Contains(answer, `"ignored":[`) || !strings.Contains(answer, `changeIpUrl"]`) {
				t.Errorf("POST %s: %d %s", c[0], status, answer)
			}
		}
		if got := link(); got != before {
			t.Errorf("the link %q has become %q", before, got)
		}
	}
	o.want(403, "E_NOT_PERSON", o.token, "PATCH", "/proxy/1", `{"changeIpUrl":""}`)
	o.want(200, "", o.token, "PATCH", "/proxy/1", `{"name":"n","changeIpUrl":"`+first+`"}`)

	o.want(200, "", ownersToken, "PUT", policyPath, `{"preset":"open"}`)
	o.want(200, "", o.token, "PATCH", "/proxy/1", `{"changeIpUrl":""}`)
	for _, c := range imports {
		if status, _, answer := o.send(o.token, "POST", c[0], c[1]); status != 200 || strings.Contains(answer, "ignored") {
			t.Errorf("POST %s: %d %s", c[0], status, answer)
		}
		if got := link(); got != evil {
			t.Errorf("POST %s: the link is %q", c[0], got)
		}
		o.want(200, "", o.token, "PATCH", "/proxy/1", `{"changeIpUrl":""}`)
	}
	o.want(200, "", o.token, "PATCH", "/proxy/1", `{"changeIpUrl":"`+first+`"}`)
	if _, _, answer := o.send(o.token, "POST", imports[1][0], imports[1][1]); link() != first ||
		!strings.Contains(answer, `"ignored":["proxies.changeIpUrl"]`) {
		t.Errorf("the link is %q after %s", link(), answer) // what another product says changes nothing that is here
	}
}

// lateRules is a store in which something happens right before an update.
type lateRules struct {
	proxy.Store
	happen func()
}

func (s lateRules) Update(ctx context.Context, id proxy.ID, edit func(*proxy.Record) error) (proxy.Record, error) {
	s.happen()
	return s.Store.Update(ctx, id, edit)
}

func TestRulesThatAreSetDuringAnEditOfTheProxyHold(t *testing.T) {
	for _, edited := range []string{`{"host":"evil.example"}`, `{"changeIpUrl":"http://192.168.1.1/reboot"}`} {
		o := owned(t)
		o.rebuild(func(c *Config) {
			c.Proxies = lateRules{c.Proxies, func() {
				o.want(200, "", ownersToken, "PUT", policyPath, `{"preset":"guarded"}`)
			}}
		})
		o.want(409, "E_PROFILE_CHANGED", o.token, "PATCH", "/proxy/1", edited)
		r, err := o.config.Proxies.Get(t.Context(), 1)
		if err != nil || r.Host != "a.example" || r.ChangeIPURL != "" {
			t.Errorf("%s: the proxy is %+v, %v", edited, r, err)
		}
	}
}

func TestTwoImportsAtOnceStoreEachProxyOnce(t *testing.T) {
	o := owned(t)
	for round := range 10 {
		var text strings.Builder
		for i := range 50 {
			fmt.Fprintf(&text, "h%d-%d.example:1[https://c.example/%d]\n", round, i, i)
		}
		body, _ := json.Marshal(api.ProxyLines{Text: text.String()})
		answers := make([]api.ProxiesImported, 8)
		var all sync.WaitGroup
		for i := range answers {
			all.Go(func() {
				_, _, raw := o.cloud("POST", "/proxy/import", string(body))
				_ = json.Unmarshal([]byte(raw), &answers[i])
			})
		}
		all.Wait()
		created := 0
		for _, a := range answers {
			if created += a.Created; len(a.IDs) != 50 || !slices.Equal(a.IDs, answers[0].IDs) {
				t.Errorf("got %v and %v", a.IDs, answers[0].IDs)
			}
		}
		if created != 50 {
			t.Errorf("%d proxies were stored", created)
		}
	}
}

func TestChecksThroughTheAPI(t *testing.T) {
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"ip":"203.0.113.7","country_code":"DE"}`))
	}))
	defer page.Close()
	s := proxytest.Start(t, proxytest.Config{Type: "socks5", Login: "me", Password: "pw",
		Resolve: func(string) string { return page.Listener.Addr().String() }})
	o := owned(t)
	working, err := o.config.Proxies.Create(t.Context(), proxy.Record{Proxy: s.Proxy(), Saved: true})
	if err != nil {
		t.Fatal(err)
	}
	id := strconv.Itoa(int(working[0].ID))
	_, answer, raw := o.cloud("POST", "/check/proxy", `{"id":`+id+`}`)
	if answer["success"] != true || answer["status"] != true || answer["ip"] != "" || len(s.Requested()) != 0 ||
		!strings.Contains(raw, "proxy.check") || answer["latency"].(float64) < 1 || answer["tested"] != "login" {
		t.Errorf("%s; the proxy was asked for %v", raw, s.Requested())
	}

	o.rebuild(func(c *Config) {
		c.ProxyCheck = func(context.Context) (string, error) { return "http://check.example/", nil }
	})
	p := s.Proxy()
	p.Password = "no"
	body, _ := json.Marshal(p)
	status, answer, raw := o.cloud("POST", "/v1.0/check/proxy", string(body))
	if status != 200 || answer["success"] != false || answer["status"] != false ||
		answer["error"] != "The proxy refused the login: check the login and the password." {
		t.Errorf("%d %s", status, raw)
	}
	_, _, raw = o.cloud("POST", "/proxy/check", `{"ids":["`+id+`"]}`)
	var line api.ProxyChecked
	if json.Unmarshal([]byte(raw), &line) != nil || line.ID != working[0].ID || line.Done != 1 || line.Total != 1 ||
		line.Check.IP != "203.0.113.7" || line.Check.Country != "DE" {
		t.Errorf("got %s", raw)
	}
	stored, err := o.config.Proxies.Get(t.Context(), working[0].ID)
	if err != nil || !stored.LastCheck.OK || stored.LastCheck.IP != "203.0.113.7" {
		t.Errorf("stored %+v, %v", stored.LastCheck, err)
	}
	o.want(404, "E_NOT_FOUND", ownersToken, "POST", "/proxy/check", `{"ids":[99]}`)
}

// What a check found out is about the address that it checked.
func TestACheckSaysNothingAboutAProxyThatWasEditedMeanwhile(t *testing.T) {
	o := owned(t)
	path, edited := "", ""
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if status, _, raw := o.cloud("PATCH", path, edited); status != 200 {
			t.Error(raw)
		}
		_, _ = w.Write([]byte("203.0.113.7"))
	}))
	defer page.Close()
	o.rebuild(func(c *Config) {
		c.ProxyCheck = func(context.Context) (string, error) { return "http://check.example/", nil }
	})
	s := proxytest.Start(t, proxytest.Config{Type: "http",
		Resolve: func(string) string { return page.Listener.Addr().String() }})
	for _, c := range []struct {
		edited, ip string
	}{{`{"host":"b.example"}`, ""}, {`{"login":"other"}`, ""}, {`{"name":"n"}`, "203.0.113.7"}} {
		for call, body := range map[string]string{"/check/proxy": `{"id":%d}`, "/proxy/check": `{"ids":[%d]}`} {
			made, err := o.config.Proxies.Create(t.Context(), proxy.Record{Proxy: s.Proxy(), Saved: true})
			if err != nil {
				t.Fatal(err)
			}
			id := made[0].ID
			path, edited = fmt.Sprintf("/proxy/%d", id), c.edited
			status, _, raw := o.cloud("POST", call, fmt.Sprintf(body, id))
			if status != 200 || !strings.Contains(raw, `"ip":"203.0.113.7"`) {
				t.Errorf("%s: %d %s", call, status, raw)
			}
			stored, err := o.config.Proxies.Get(t.Context(), id)
			if err != nil || stored.LastCheck.IP != c.ip {
				t.Errorf("%s with %s: stored %+v, %v", call, c.edited, stored.LastCheck, err)
			}
		}
	}
}
