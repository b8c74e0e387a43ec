package guard

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"cove/internal/fault"
)

func TestCheck(t *testing.T) {
	api := Guard{Port: 3001, Open: []string{"/", "/docs"}, OpenBelow: []string{"/ask/"}, OwnPages: true}
	gate := Guard{Port: 3001, Driver: []string{"/json/version"}, BareHost: true}
	named := Guard{Port: 3001, Names: []string{"local.adspower.net", "local.adspower.com"}}
	chrome := map[string][]string{"User-Agent": {"Mozilla/5.0 (X11; Linux x86_64) Chrome/148.0.0.0"}}
	driver := map[string][]string{"Sec-Fetch-Site": {"none"}, "Sec-Fetch-Mode": {"no-cors"},
		"Sec-Fetch-Dest": {"empty"}}
	const me = "127.0.0.1:3001"
	type header = map[string][]string
	cases := []struct {
		name   string
		guard  Guard
		host   string
		path   string
		header header
		code   string
	}{
		{"lets a program pass", api, me, "/v1.0/status", nil, ""},
		{"lets localhost pass", api, "localhost:3001", "/v1.0/status", nil, ""},
		{"lets IPv6 loopback pass", api, "[::1]:3001", "/v1.0/status", nil, ""},
		{"lets Node's fetch pass", api, me, "/v1.0/status", header{"Sec-Fetch-Mode": {"cors"}}, ""},
		{"refuses a rebinding name", api, "evil.example:3001", "/", nil, "E_FORBIDDEN_HOST"},
		{"refuses a name that only starts as ours", api, "127.0.0.1.evil.example:3001", "/", nil, "E_FORBIDDEN_HOST"},
		{"refuses another port", api, "127.0.0.1:80", "/", nil, "E_FORBIDDEN_HOST"},
		{"refuses a Host without a port", api, "127.0.0.1", "/", nil, "E_FORBIDDEN_HOST"},
		{"refuses an empty Host", api, "", "/", nil, "E_FORBIDDEN_HOST"},
		{"refuses 0.0.0.0", api, "0.0.0.0:3001", "/", nil, "E_FORBIDDEN_HOST"},
		{"refuses an IPv4 address inside IPv6", api, "[::ffff:127.0.0.1]:3001", "/", nil, "E_FORBIDDEN_HOST"},
		{"refuses a foreign Origin", api, me, "/v1.0/status", header{"Origin": {"https://evil.example"}},
			"E_FORBIDDEN_ORIGIN"},
		{"refuses Origin null", api, me, "/v1.0/status", header{"Origin": {"null"}}, "E_FORBIDDEN_ORIGIN"},
		{"refuses an empty Origin", api, me, "/v1.0/status", header{"Origin": {""}}, "E_FORBIDDEN_ORIGIN"},
		{"refuses an Origin of another port", api, me, "/v1.0/status", header{"Origin": {"http://127.0.0.1:3002"}},
			"E_FORBIDDEN_ORIGIN"},
		{"refuses two Origins", api, me, "/v1.0/status", header{"Origin": {"http://" + me, "http://evil.example"}},
			"E_FORBIDDEN_ORIGIN"},
		{"lets our own page pass", api, me, "/v1.0/status",
			header{"Origin": {"http://" + me}, "Sec-Fetch-Site": {"same-origin"}}, ""},
		{"refuses cross-site", api, me, "/v1.0/status", header{"Sec-Fetch-Site": {"cross-site"}}, "E_FORBIDDEN_ORIGIN"},
		{"refuses same-site", api, me, "/v1.0/status", header{"Sec-Fetch-Site": {"same-site"}}, "E_FORBIDDEN_ORIGIN"},
		{"refuses a word it does not know", api, me, "/v1.0/status", header{"Sec-Fetch-Site": {"sideways"}},
			"E_FORBIDDEN_ORIGIN"},
		{"refuses a typed address of a call", api, me, "/v1.0/browser_profiles/1/start",
			header{"Sec-Fetch-Site": {"none"}},
			"E_FORBIDDEN_ORIGIN"},
		{"lets a person open the docs", api, me, "/docs", header{"Sec-Fetch-Site": {"none"}}, ""},
		{"lets a person open the page of a request", api, me, "/ask/3-4711", header{"Sec-Fetch-Site": {"none"}}, ""},
		{"refuses a page that leads to that of a request", api, me, "/ask/3-4711",
			header{"Sec-Fetch-Site": {"cross-site"}}, "E_FORBIDDEN_ORIGIN"},
		{"refuses a path that only starts as a folder's", api, me, "/asks", header{"Sec-Fetch-Site": {"none"}},
			"E_FORBIDDEN_ORIGIN"},
		{"refuses our own Origin at the gate", gate, me, "/json/version", header{"Origin": {"http://" + me}},
			"E_FORBIDDEN_ORIGIN"},
		{"refuses a page of the gate at the gate", gate, me, "/json/version", header{"Sec-Fetch-Site": {"same-origin"}},
			"E_FORBIDDEN_ORIGIN"},
		{"refuses a typed address at the gate", gate, me, "/json/version",
			header{"Sec-Fetch-Site": {"none"}, "Sec-Fetch-Mode": {"navigate"},
				"Sec-Fetch-Dest": {"document"}}, "E_FORBIDDEN_ORIGIN"},
		{"lets ChromeDriver open its WebSocket", gate, "127.0.0.1", "/devtools/browser/x", nil, ""},
		{"refuses a rebinding name without a port at the gate", gate, "evil.example", "/devtools/browser/x", nil,
			"E_FORBIDDEN_HOST"},
		{"refuses another port at the gate", gate, "127.0.0.1:80", "/json/version", nil, "E_FORBIDDEN_HOST"},
		{"lets ChromeDriver read the version", gate, me, "/json/version", driver, ""},
		{"refuses the same to what changes something", gate, me, "/json/close/1", driver, "E_FORBIDDEN_ORIGIN"},
		{"lets a program pass by a further name", named, "local.adspower.net:3001", "/status",
			header{"User-Agent": {"python-requests/2.32"}}, ""},
		{"lets a program without a User-Agent pass by a further name", named, "LOCAL.adspower.com:3001", "/status",
			nil, ""},
		{"refuses a browser by a further name", named, "local.adspower.net:3001", "/status", chrome,
			"E_FORBIDDEN_ORIGIN"},
		{"refuses a browser by a further name in capitals", named, "Local.AdsPower.COM:3001", "/status", chrome,
			"E_FORBIDDEN_ORIGIN"},
		{"refuses a browser that also has another User-Agent", named, "local.adspower.net:3001", "/status",
			header{"User-Agent": {"curl/8", "Mozilla/5.0"}}, "E_FORBIDDEN_ORIGIN"},
		{"lets a program that poses as a browser pass at 127.0.0.1", named, me, "/status", chrome, ""},
		{"refuses a further name with another port", named, "local.adspower.net:80", "/", nil, "E_FORBIDDEN_HOST"},
		{"refuses a further name without a port", named, "local.adspower.net", "/", nil, "E_FORBIDDEN_HOST"},
		{"refuses a name that ends in a dot", named, "local.adspower.net.:3001", "/", nil, "E_FORBIDDEN_HOST"},
		{"refuses a name below a further one", named, "x.local.adspower.net:3001", "/", nil, "E_FORBIDDEN_HOST"},
		{"refuses a further name where there is none", api, "local.adspower.net:3001", "/", nil, "E_FORBIDDEN_HOST"},
		{"refuses an Origin at a further name", named, "local.adspower.net:3001", "/status",
			header{"Origin": {"http://local.adspower.net:3001"}}, "E_FORBIDDEN_ORIGIN"},
		{"refuses the same at the API", api, me, "/v1.0/browser_profiles/1/start", driver, "E_FORBIDDEN_ORIGIN"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://x"+c.path, nil)
			r.Host = c.host
			for k, v := range c.header {
				r.Header[k] = v
			}
			err := c.guard.Check(r)
			code := ""
			if err != nil {
				code = string(fault.From(err).Code)
			}
			if code != c.code {
				t.Fatalf("got %q, want %q", code, c.code)
			}
		})
	}
}
