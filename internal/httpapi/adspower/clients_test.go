package adspower

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// recorded is a request as a client's source builds it, and what that client reads from the answer.
type recorded struct {
	method, path, body string
	reads              []string // members of the answer, from the top, with dots in between
}

// The requests of AdsPower/adspower-browser (packages/core, its CLI and its MCP server): axios, Bearer, 127.0.0.1.
var adspowerBrowser = []recorded{
	{"GET", "/status", "", []string{"code", "msg"}},
	{"POST", "/api/v1/group/create", `{"group_name":"Shops","remark":"r"}`, nil},
	{"GET", "/api/v1/group/list?group_name=Sho&page=1&page_size=100", "", []string{"data.list.0.group_id"}},
	{"POST", "/api/v2/proxy-list/create", `[{"type":"http","host":"192.0.2.1","port":"8000","user":"u",` +
		`"password":"p","proxy_url":"https://proxy.example/","remark":"r","ipchecker":"ipapi"}]`,
		[]string{"data.proxy_id.0"}},
	{"POST", "/api/v2/proxy-list/list", `{"proxy_id":["1"],"limit":50,"page":1}`, []string{"data.list.0.proxy_id"}},
	{"POST", "/api/v2/proxy-list/update", `{"proxy_id":"1","host":"192.0.2.2","remark":"s"}`, nil},
	{"GET", "/api/v2/category/list?page=1&limit=1", "", []string{"data.list"}},
	{"POST", "/api/v2/browser-tags/create", `{"tags":[{"name":"vip","color":"darkBlue"}]}`, nil},
	{"POST", "/api/v2/browser-profile/create", `{"group_id":"1","username":"me","name":"mine","platform":"facebook.com",` +
		`"remark":"r","user_proxy_config":{"proxy_soft":"no_proxy"},"repeat_config":"0","tabs":["https://a.example"],` +
		`"country":"us","profile_tag_ids":["vip"],"fingerprint_config":{"random_ua":{"ua_system_version":["Windows"]},` +
		`"browser_kernel_config":{"version":"latest","type":"chrome"}},"platform_account":{"domain_name":"facebook.com",` +
		`"login_user":"me"}}`, []string{"data.profile_id", "data.profile_no"}},
	{"POST", "/api/v2/browser-profile/update", `{"profile_id":"1","proxyid":"1","profile_tag_ids":["b"],` +
		`"tags_update_type":"2","remark":"s"}`, nil},
	{"POST", "/api/v2/browser-profile/list", `{"group_id":"1","limit":50,"page":1,"profile_id":["1"],` +
		`"sort_type":"profile_no","sort_order":"desc","tag_ids":["vip"],"tags_filter":"include","name":"mi",` +
		`"name_filter":"include"}`, []string{"data.list.0.profile_id", "data.list.0.user_proxy_config.proxy_host"}},
	{"POST", "/api/v2/browser-profile/start", `{"profile_id":"1","ip_tab":"0","launch_args":` +
		`["--window-position=400,0"],"headless":"1","last_opened_tabs":"1","proxy_detection":"0","password_filling":"0",` +
		`"password_saving":"0","cdp_mask":"1","delete_cache":"0"}`,
		[]string{"data.ws.puppeteer", "data.ws.selenium", "data.debug_port", "data.webdriver"}},
	{"GET", "/api/v1/browser/local-active", "", []string{"data.list.0.user_id", "data.list.0.ws.puppeteer"}},
	{"GET", "/api/v2/browser-profile/active?profile_id=1", "", []string{"data.status", "data.ws.puppeteer"}},
	{"POST", "/api/v2/browser-profile/stop", `{"profile_id":"1"}`, nil},
	{"POST", "/api/v2/browser-profile/stop-all", `{}`, nil},
	{"POST", "/api/v1/user/regroup", `{"group_id":"0","user_ids":["1"]}`, nil},
	{"POST", "/api/v1/group/update", `{"group_id":"1","group_name":"Stores","remark":null}`, nil},
	{"POST", "/api/v2/browser-tags/list", `{"limit":50,"page":1}`, []string{"data.list.0.id"}},
	{"POST", "/api/v2/browser-tags/update", `{"tags":[{"id":"vip","name":"VIP","color":"red"}]}`, nil},
	{"POST", "/api/v2/browser-tags/delete", `{"ids":["VIP"]}`, nil},
	{"POST", "/api/v2/browser-profile/delete", `{"profile_id":["1"]}`, nil},
}

// The requests of AdsPower/localAPI's examples in Python and JavaScript: no key, the host local.adspower.net.
var localAPI = []recorded{
	{"POST", "/api/v1/group/create", `{"group_name": "your_group_name"}`, []string{"data.group_id"}},
	{"GET", "/api/v1/group/list?page=1&page_size=15", "", []string{"data.list.0.group_name"}},
	{"POST", "/api/v1/user/create", `{"name": "test", "group_id": "0", "domain_name": "facebook.com", ` +
		`"repeat_config": ["0"], "country": "us", "fingerprint_config": {"language": ["en-US"], "ua": "Mozilla/5.0", ` +
		`"flash": "block", "scan_port_type": "1", "screen_resolution": "1024_600", "fonts": ["all"], "longitude": "180", ` +
		`"latitude": "90", "webrtc": "proxy", "do_not_track": "true", "hardware_concurrency": "default", ` +
		`"device_memory": "default"}, "user_proxy_config": {"proxy_soft": "no_proxy"}}`, []string{"data.id"}},
	{"POST", "/api/v1/user/update", `{"user_id": "1", "name": "test", "domain_name": "facebook.com", "repeat_config": ` +
		`["0"], "open_urls": ["http://a.example", "https://b.example"], "country": "us", "remark": "remark", ` +
		`"fingerprint_config": {"webrtc": "proxy"}, "user_proxy_config": {"proxy_soft": "no_proxy"}}`, nil},
	{"GET", "/api/v1/user/list?page=1&page_size=100", "", []string{"data.list.0.user_id", "data.page_size"}},
	{"GET", "/api/v1/browser/start?user_id=1", "", []string{"data.ws.selenium", "data.ws.puppeteer", "data.webdriver"}},
	{"GET", "/api/v1/browser/active?user_id=1", "", []string{"data.status"}},
	{"GET", "/api/v1/browser/stop?user_id=1", "", nil},
	{"POST", "/api/v1/user/regroup", `{"user_ids": ["1"], "group_id": "0"}`, nil},
	{"POST", "/api/v1/user/delete", `{"user_ids": ["1"]}`, nil},
}

func TestRequestsOfKnownClientsAreAnswered(t *testing.T) {
	for name, c := range map[string]struct {
		requests []recorded
		headers  []string
		keyOff   bool
	}{
		"AdsPower/adspower-browser": {adspowerBrowser, []string{"User-Agent", "axios/1.8.4",
			"Accept", "application/json, text/plain, */*", "Content-Type", "application/json"}, false},
		"AdsPower/localAPI": {localAPI, []string{"User-Agent", "python-requests/2.32.3", "Accept", "*/*",
			"Content-Type", "application/json", "Host", "local.adspower.net:50325"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.computer.keyOff = c.keyOff
			for _, r := range c.requests {
				headers := c.headers
				if !c.keyOff || !strings.Contains(r.path, "/browser/") {
					headers = append([]string{"Authorization", "Bearer " + o.key}, headers...)
				}
				status, answer := o.send(r.method, r.path, r.body, headers...)
				var body map[string]any
				if err := json.Unmarshal([]byte(answer), &body); err != nil || status != http.StatusOK ||
					body["code"] != 0.0 {
					t.Fatalf("%s %s is answered with %d %s", r.method, r.path, status, answer)
				}
				for _, member := range r.reads {
					if v := find(body, strings.Split(member, ".")); v == nil || v == "" {
						t.Errorf("%s %s: %s is %v in %s", r.method, r.path, member, v, answer)
					}
				}
			}
		})
	}
}

// find returns a member of an answer, nil if it is not there.
func find(v any, path []string) any {
	for _, name := range path {
		switch at := v.(type) {
		case map[string]any:
			v = at[name]
		case []any:
			if name != "0" || len(at) == 0 {
				return nil
			}
			v = at[0]
		default:
			return nil
		}
	}
	return v
}
