package adspower

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"cove/internal/policy"
	"cove/internal/profile"
	"cove/internal/proxy"
	"cove/internal/session"
)

func TestCreate(t *testing.T) {
	shop := proxy.Proxy{Type: "http", Host: "p.example", Port: 8080, Login: "u", Password: "p:w"}
	for name, c := range map[string]struct {
		body    string
		want    profile.Profile
		ignored string
	}{
		"nothing": {`{}`, profile.Profile{Name: "Profile 1"}, ``},
		"the example of AdsPower": {`{"name":"test","group_id":"0","domain_name":"facebook.com","repeat_config":["0"],
			"country":"us","fingerprint_config":{"language":["en-US"],"ua":"Mozilla/5.0","flash":"block"},
			"user_proxy_config":{"proxy_soft":"no_proxy"}}`,
			profile.Profile{Name: "test", StartPages: []string{"https://facebook.com"}},
			`"country","fingerprint_config","repeat_config"`},
		"everything": {`{"name":" n ","group_id":"1","remark":"r","platform":"a.example","tabs":["https://b.example/x"],
			"profile_tag_ids":["t1","t2"],"username":"me","password":"pw","fakey":"2fa","ip":"192.0.2.1",
			"launch_args":["--mute-audio"],
			"user_proxy_config":{"proxy_soft":"other","proxy_type":"HTTP","proxy_host":"p.example","proxy_port":"8080",
			"proxy_user":"u","proxy_password":"p:w","latest_ip":"x"}}`,
			profile.Profile{Name: "n", FolderID: 1, Folder: "Shops", Notes: "r", Args: []string{"--mute-audio"},
				StartPages: []string{"https://a.example", "https://b.example/x"}, Tags: []string{"t1", "t2"},
				Proxy: shop, ProxyID: 2},
			`"fakey","ip","password","user_proxy_config.latest_ip","username"`},
		"a group by its name": {`{"name":"n","group_id":"0","group_name":"shops"}`,
			profile.Profile{Name: "n", FolderID: 1, Folder: "Shops"}, ``},
		"a new group by its name": {`{"name":"n","group_name":"New"}`, profile.Profile{Name: "n", FolderID: 2,
			Folder: "New"}, ``},
		"a group of an old account": {`{"name":"n","group_id":"3662521"}`, profile.Profile{Name: "n"}, `"group_id"`},
		"a stored proxy, which wins": {`{"name":"n","proxyid":"1","user_proxy_config":{"proxy_soft":"911"}}`,
			profile.Profile{Name: "n", ProxyID: 1, Proxy: proxy.Proxy{Type: "socks5", Host: "s.example", Port: 1}},
			`"user_proxy_config"`},
		"a random proxy": {`{"name":"n","proxyid":"random"}`, profile.Profile{Name: "n", ProxyID: 1,
			Proxy: proxy.Proxy{Type: "socks5", Host: "s.example", Port: 1}}, ``},
		"the proxy id of none": {`{"name":"n","proxyid":"0"}`, profile.Profile{Name: "n"}, ``},
		"no proxy, whatever else is there": {`{"name":"n","user_proxy_config":{"proxy_soft":"no_proxy","proxy_type":"ssh",
			"proxy_host":"p","proxy_port":"x"}}`, profile.Profile{Name: "n"}, ``},
		"brightdata, and the other name of the login": {`{"name":"n","user_proxy_config":{"proxy_soft":"brightdata",
			"proxy_type":"http","proxy_host":"p.example","proxy_port":8080,"proxy_username":"u","proxy_password":"p:w"}}`,
			profile.Profile{Name: "n", ProxyID: 2, Proxy: shop}, ``},
		"a proxy as a JSON text": {`{"name":"n","user_proxy_config":"{\"proxy_soft\":\"other\",\"proxy_type\":\"http\",` +
			`\"proxy_host\":\"p.example\",\"proxy_port\":\"8080\",\"proxy_user\":\"u\",\"proxy_password\":\"p:w\"}"}`,
			profile.Profile{Name: "n", ProxyID: 2, Proxy: shop}, ``},
		"a kernel of Chrome": {`{"name":"n","fingerprint_config":{"browser_kernel_config":{"version":"latest","type":"chrome"}}}`,
			profile.Profile{Name: "n"}, `"fingerprint_config"`},
		"spaces in a password, and fields without a value": {`{"name":"n","remark":"r \n","tabs":null,"cookie":null,
			"user_proxy_config":{"proxy_soft":" other ","proxy_type":"http","proxy_host":" p.example ","proxy_port":" 1 ",
			"proxy_user":" u","proxy_password":"p "}}`,
			profile.Profile{Name: "n", Notes: "r \n", ProxyID: 2, Proxy: proxy.Proxy{Type: "http", Host: "p.example",
				Port: 1, Login: " u", Password: "p "}}, ``},
		"a fingerprint without a kernel": {`{"name":"n","fingerprint_config":{"browser_kernel_config":null}}`,
			profile.Profile{Name: "n"}, `"fingerprint_config"`},
		"names in capitals": {`{"Name":"n","Remark":"r"}`, profile.Profile{Name: "n", Notes: "r"}, ``},
	} {
		t.Run(name, func(t *testing.T) {
			for path, data := range map[string]string{"/api/v1/user/create": `{"id":"1","serial_number":"1"}`,
				"/api/v2/browser-profile/create": `{"profile_id":"1","profile_no":"1"}`} {
				o := newOffice(t)
				o.addShared()
				answer := `{"code":0,"msg":"Success","data":` + data
				if c.ignored != "" {
					answer += `,"ignored":[` + c.ignored + `]`
				}
				o.want("POST", path, c.body, answer+"}")
				got, want := o.profile(1), c.want
				want.ID, want.Created, want.Updated, want.Policy.Preset = 1, got.Created, got.Updated, policy.Open
				for _, list := range []*[]string{&want.Tags, &want.StartPages, &want.Args} {
					if *list == nil {
						*list = []string{}
					}
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("the profile differs (-want +got):\n%s", d)
				}
			}
		})
	}
}

// addShared stores a group and a proxy.
func (o *office) addShared() {
	o.t.Helper()
	if _, err := o.db.Folders().Create(o.t.Context(), profile.Folder{Name: "Shops"}); err != nil {
		o.t.Fatal(err)
	}
	if _, err := o.db.Proxies().Create(o.t.Context(), proxy.Record{Saved: true, Name: "stored",
		Proxy: proxy.Proxy{Type: "socks5", Host: "s.example", Port: 1}}); err != nil {
		o.t.Fatal(err)
	}
}

func TestANewProfileGetsTheDefaultsOfItsGroup(t *testing.T) {
	given := proxy.Proxy{Type: "socks5", Host: "p.example", Port: 1080, Login: "me", Password: "x"}
	defaults := profile.Defaults{Tags: []string{"shop"}, StartPages: []string{"https://a.example", "https://b.example"},
		Locale: "de-DE", Timezone: "Europe/Berlin", Proxy: given, Agents: policy.Off}
	all := profile.Profile{Tags: defaults.Tags, StartPages: defaults.StartPages, Proxy: given}
	for body, want := range map[string]profile.Profile{
		`"group_id":"1"`:                  all,
		`"group_name":"stores"`:           all,
		`"group_id":"1","proxyid":"0"`:    all,
		`"group_id":"1","open_urls":null`: all,
		`"group_id":"1","tabs":[],"profile_tag_ids":[],"user_proxy_config":{"proxy_soft":"no_proxy"}`: {},
		`"group_id":"1","domain_name":"c.example","profile_tag_ids":["t"],"user_proxy_config":{"proxy_soft":"other",` +
			`"proxy_type":"http","proxy_host":"q.example","proxy_port":"1"}`: {Tags: []string{"t"},
			StartPages: []string{"https://c.example"}, Proxy: proxy.Proxy{Type: "http", Host: "q.example", Port: 1}},
	} {
		for _, path := range []string{"/api/v1/user/create", "/api/v2/browser-profile/create"} {
			o := newOffice(t)
			if _, err := o.db.Folders().Create(t.Context(), profile.Folder{Name: "Stores", Defaults: defaults}); err != nil {
				t.Fatal(err)
			}
			o.call("POST", path, `{"name":"n",`+body+`}`)
			p := o.profile(1)
			got := profile.Profile{Tags: p.Tags, StartPages: p.StartPages, Proxy: p.Proxy}
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s %s: %s", path, body, diff)
			}
			if p.FolderID != 1 || p.Locale != "de-DE" || p.Timezone != "Europe/Berlin" || p.Policy.Preset != policy.Off {
				t.Errorf("%s %s: the profile is %+v", path, body, p)
			}
		}
	}
}

// refusals are what no profile can be made of or changed to.
var refusals = map[string]string{
	`"proxyid":"99"`:                             "There is no proxy 99.",
	`"proxyid":"abc"`:                            "is not the id of a proxy",
	`"user_proxy_config":{}`:                     "needs a proxy_type",
	`"user_proxy_config":[]`:                     "must be an object",
	`"user_proxy_config":"x"`:                    "must be an object",
	`"user_proxy_config":{"proxy_soft":"other"}`: "needs a proxy_type",
	`"user_proxy_config":{"proxy_soft":"other","proxy_type":"http"}`:                                               "needs a proxy_host",
	`"user_proxy_config":{"proxy_type":"http","proxy_host":"p.example"}`:                                           "needs a proxy_port",
	`"user_proxy_config":{"proxy_soft":"ssh"}`:                                                                     `proxies of "ssh"`,
	`"user_proxy_config":{"proxy_soft":"911"}`:                                                                     `proxies of "911"`,
	`"user_proxy_config":{"proxy_soft":"922S5auth"}`:                                                               `proxies of "922s5auth"`,
	`"user_proxy_config":{"proxy_soft":"oxylabsauto"}`:                                                             `proxies of "oxylabsauto"`,
	`"user_proxy_config":{"proxy_soft":"luminati"}`:                                                                `proxies of "luminati"`,
	`"user_proxy_config":{"proxy_soft":"no_proxy","global_config":"1"}`:                                            "no global proxy settings",
	`"user_proxy_config":{"proxy_soft":{"a":1}}`:                                                                   "must be a text",
	`"user_proxy_config":{"proxy_softt":"no_proxy"}`:                                                               "Did you mean proxy_soft?",
	`"user_proxy_config":{"proxy_soft":"other","proxy_type":"ssh","proxy_host":"p.example","proxy_port":"22"}`:     "Unknown proxy type",
	`"user_proxy_config":{"proxy_soft":"other","proxy_type":"http","proxy_host":"p.example","proxy_port":"70000"}`: "is not a port",
	`"user_proxy_config":{"proxy_soft":"other","proxy_type":"http","proxy_host":"p.example","proxy_port":"x"}`:     "is not a port",
	`"user_proxy_config":{"proxy_soft":"other","proxy_type":"http","proxy_host":"a b","proxy_port":"1"}`:           "is not a host",
	`"user_proxy_config":{"proxy_soft":"other","proxy_type":"http","proxy_host":"p.example","proxy_port":"1",` +
		`"proxy_user":"a","proxy_username":"b"}`: "proxy_user and proxy_username differ",
	`"user_proxy_config":{"proxy_soft":"other","proxy_type":"http","proxy_host":"p.example","proxy_port":"1",` +
		`"proxy_url":"ftp://x"}`: "link",
	`"fingerprint_config":{"browser_kernel_config":{"type":"firefox"}}`:       `no browser of the type "firefox"`,
	`"fingerprint_config":{"browser_kernel_config":"{\"type\":\"firefox\"}"}`: `no browser of the type "firefox"`,
	`"browser_kernel_config":{"version":"120","type":"Firefox"}`:              `no browser of the type "Firefox"`,
	`"proxy":"http://p.example:1"`:                                            `Unknown field "proxy"`,
	`"proxy_id":"1"`:                                                          `Unknown field "proxy_id"`,
	`"user_proxy_confg":{"proxy_soft":"no_proxy"}`:                            `Unknown field "user_proxy_confg"`,
	`"cookies":"[]"`:      `Unknown field "cookies"`,
	`"cookie":"a=b; c=d"`: "cookie",
	`"cookie":"[{\"name\":\"a\",\"value\":\"b\"}]"`: "Cookie 1 has no domain",
	`"cookie":{"a":1}`:                                               "cookie",
	`"launch_args":["--proxy-server=x:1"]`:                           "--proxy-server is not allowed",
	`"launch_args":["--load-extension=/x"]`:                          "Only the user can",
	`"group_id":"abc"`:                                               "is not the id of a group",
	`"name":["a"]`:                                                   "must be a text",
	`"name":"` + strings.Repeat("x", 300) + `"`:                      "300 characters",
	`"tabs":["javascript:alert(1)"]`:                                 "is not a web address",
	`"tabs":["https://a.example"],"open_urls":["https://b.example"]`: "differ",
	`"domain_name":"a.example","platform":"b.example"`:               "differ",
	`"profile_tag_ids":[{"a":1}]`:                                    "list of texts",
	`"tags_update_type":"3"`:                                         "must be 1 or 2",
	`"ignore_cookie_error":"x"`:                                      "must be 1 or 0",
}

func TestCreateAndUpdateRefuseAndChangeNothing(t *testing.T) {
	o := newOffice(t)
	o.addShared()
	o.add(profile.Profile{Name: "one", Folder: "Shops", Notes: "n", Tags: []string{"t"}, Args: []string{"--mute-audio"},
		StartPages: []string{"https://a.example"}, Proxy: proxy.Proxy{Type: "http", Host: "p.example", Port: 1}})
	for said, words := range refusals {
		for _, path := range []string{"/api/v1/user/create", "/api/v2/browser-profile/create"} {
			o.refused("POST", path, `{"name":"x",`+said+`}`, words)
		}
		for _, path := range []string{"/api/v1/user/update", "/api/v2/browser-profile/update"} {
			o.refused("POST", path, `{"user_id":"1",`+said+`}`, words)
		}
	}
	o.refused("POST", "/api/v1/user/update", `{"user_id":"1","group_id":"3662521"}`, "There is no folder 3662521")
	o.refused("POST", "/api/v1/user/update", `{"user_id":"9","name":"x"}`, "There is no profile 9")
	o.refused("POST", "/api/v1/user/update", `{"name":"x"}`, "id of one profile")
}

func TestUpdateKeepsWhatIsNotSent(t *testing.T) {
	start := profile.Profile{Name: "one", Folder: "Shops", Notes: "n", Tags: []string{"t"}, Args: []string{"--mute-audio"},
		StartPages: []string{"https://a.example", "https://b.example"},
		Proxy:      proxy.Proxy{Type: "http", Host: "p.example", Port: 1}}
	for name, c := range map[string]struct {
		body   string
		change func(*profile.Profile)
	}{
		"nothing":       {``, func(*profile.Profile) {}},
		"a name":        {`"name":"two"`, func(p *profile.Profile) { p.Name = "two" }},
		"an empty name": {`"name":""`, func(*profile.Profile) {}},
		"a remark":      {`"remark":""`, func(p *profile.Profile) { p.Notes = "" }},
		"no group":      {`"group_id":"0"`, func(p *profile.Profile) { p.FolderID, p.Folder = 0, "" }},
		"a platform": {`"platform":"c.example"`,
			func(p *profile.Profile) { p.StartPages[0] = "https://c.example" }},
		"its own platform": {`"domain_name":"a.example"`, func(*profile.Profile) {}},
		"tabs": {`"tabs":["c.example"]`,
			func(p *profile.Profile) { p.StartPages = []string{"https://c.example"} }},
		"no tabs": {`"open_urls":[]`, func(p *profile.Profile) { p.StartPages = []string{} }},
		"tags":    {`"profile_tag_ids":["u"]`, func(p *profile.Profile) { p.Tags = []string{"u"} }},
		"more tags": {`"profile_tag_ids":["u","t"],"tags_update_type":"2"`,
			func(p *profile.Profile) { p.Tags = []string{"t", "u"} }},
		"no proxy": {`"user_proxy_config":{"proxy_soft":"no_proxy"}`, func(p *profile.Profile) {
			p.ProxyID,
				p.Proxy = 0, proxy.Proxy{}
		}},
		"a stored proxy": {`"proxyid":1`, func(p *profile.Profile) {
			p.ProxyID, p.Proxy = 1, proxy.Proxy{Type: "socks5", Host: "s.example", Port: 1}
		}},
		"an unsaid proxy": {`"user_proxy_config":null,"proxyid":""`, func(*profile.Profile) {}},
		"fields without a value": {`"remark":null,"tabs":null,"open_urls":"","profile_tag_ids":null,"launch_args":""`,
			func(*profile.Profile) {}},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.addShared()
			want := o.add(start)
			body := strings.Replace(`{"user_id":"1",`+c.body+`}`, ",}", "}", 1)
			o.want("POST", "/api/v1/user/update", body, `{"code":0,"msg":"Success","data":{"id":"1"}}`)
			got := o.profile(1)
			c.change(&want)
			want.Updated = got.Updated
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("the profile differs (-want +got):\n%s", d)
			}
		})
	}
}

func TestAnItemSentBackChangesNothing(t *testing.T) {
	o := newOffice(t)
	o.addShared()
	o.add(profile.Profile{Name: "one", Folder: "Shops", Notes: " n\n", StartPages: []string{"https://a.example/x",
		"https://b.example"},
		Proxy: proxy.Proxy{Type: "http", Host: "p.example", Port: 1, Login: "u", Password: "p"}})
	before := o.profile(1)
	var e struct {
		Data struct{ List []json.RawMessage }
	}
	if err := json.Unmarshal([]byte(o.call("GET", "/api/v1/user/list", "")), &e); err != nil || len(e.Data.List) != 1 {
		t.Fatal(err)
	}
	answer := o.call("POST", "/api/v1/user/update", string(e.Data.List[0]))
	if !strings.HasPrefix(answer, `{"code":0,"msg":"Success","data":{"id":"1"},"ignored":["created_time",`) {
		t.Errorf("sent back: %s", answer)
	}
	after := o.profile(1)
	before.Updated = after.Updated
	if d := cmp.Diff(before, after); d != "" {
		t.Errorf("it changed:\n%s", d)
	}
}

func TestAProfileWithRulesIsChangedByThePerson(t *testing.T) {
	o := newOffice(t)
	o.addShared()
	o.add(profile.Profile{Name: "one", Policy: policy.Policy{Preset: policy.Guarded}, ProxyID: 1})
	for _, said := range []string{`"user_proxy_config":{"proxy_soft":"no_proxy"}`, `"launch_args":["--mute-audio"]`} {
		o.refused("POST", "/api/v1/user/update", `{"user_id":"1",`+said+`}`, "Only the user can change")
	}
	o.refused("POST", "/api/v2/proxy-list/update", `{"proxy_id":"1","host":"evil.example"}`, "Only the user can change")
	o.want("POST", "/api/v2/proxy-list/update", `{"proxy_id":"1","remark":"x"}`,
		`{"code":0,"msg":"Success","data":{"proxy_id":"1"}}`)
	o.refused("POST", "/api/v2/proxy-list/update", `{"proxy_id":"1","proxy_url":"http://192.168.1.1/reboot"}`,
		"Only the user can change")
	x := o.profile(1).Proxy
	described := fmt.Sprintf(`"user_proxy_config":{"proxy_soft":"other","proxy_type":%q,"proxy_host":%q,"proxy_port":"%d",`+
		`"proxy_user":%q,"proxy_password":%q,"proxy_url":"http://192.168.1.1/reboot"}`, x.Type, x.Host, x.Port, x.Login,
		x.Password)
	for path, body := range map[string]string{"/api/v1/user/create": `{"name":"two",` + described + `}`,
		"/api/v1/user/update": `{"user_id":"1",` + described + `}`} {
		if answer := o.call("POST", path, body); !strings.HasSuffix(answer, `"ignored":["user_proxy_config.proxy_url"]}`) {
			t.Errorf("%s: another link: %s", path, answer)
		}
	}
	if r, err := o.db.Proxies().Get(t.Context(), 1); err != nil || r.ChangeIPURL != "" || r.Profiles != 2 {
		t.Errorf("the proxy is %+v, %v", r, err)
	}
	_, answer := o.send("POST", "/api/v1/user/update", `{"user_id":"1","user_proxy_config":{"proxy_soft":"other",`+
		`"proxy_type":"http","proxy_host":"new.example","proxy_port":"1","proxy_url":"https://new.example/change"}}`,
		"api-key", ownersToken)
	if r, err := o.db.Proxies().Get(t.Context(), o.profile(1).ProxyID); err != nil ||
		r.ChangeIPURL != "https://new.example/change" {
		t.Errorf("the person gets %s, the proxy is %+v, %v", answer, r, err)
	}
	_, answer = o.send("POST", "/api/v1/user/update", `{"user_id":"1","user_proxy_config":{"proxy_soft":"no_proxy"}}`,
		"api-key", ownersToken)
	if answer != `{"code":0,"msg":"Success","data":{"id":"1"},"ignored":[]}` || o.profile(1).ProxyID != 0 {
		t.Errorf("the person gets %s", answer)
	}
}

func TestAChangeLinkIsKeptWithTheProxy(t *testing.T) {
	o := newOffice(t)
	create := func(link string) string {
		return o.call("POST", "/api/v1/user/create",
			fmt.Sprintf(`{"name":"n","user_proxy_config":{"proxy_soft":"other",`+
				`"proxy_type":"http","proxy_host":"p.example","proxy_port":"1","proxy_url":%q}}`, link))
	}
	create("https://p.example/change")
	create("")
	if answer := create("https://p.example/other"); !strings.HasSuffix(answer,
		`"ignored":["user_proxy_config.proxy_url"]}`) {
		t.Errorf("another link for a shared proxy: %s", answer)
	}
	r, err := o.db.Proxies().Get(t.Context(), o.profile(1).ProxyID)
	if err != nil || r.ChangeIPURL != "https://p.example/change" || r.Profiles != 3 || r.Saved {
		t.Errorf("the proxy is %+v, %v", r, err)
	}
}

func TestDeleteAndRegroup(t *testing.T) {
	o := newOffice(t)
	o.addShared()
	for range 4 {
		o.add(profile.Profile{Name: "one"})
	}
	o.want("POST", "/api/v1/user/regroup", `{"user_ids":["1",2],"group_id":"1"}`, done)
	if o.profile(1).Folder != "Shops" || o.profile(2).FolderID != 1 || o.profile(3).FolderID != 0 {
		t.Error("the profiles were not moved")
	}
	o.want("POST", "/api/v1/user/regroup", `{"user_ids":"2","group_id":0}`, done)
	if o.profile(2).FolderID != 0 {
		t.Error("the profile was not taken out")
	}
	for body, words := range map[string]string{
		`{"user_ids":["1"]}`:                     "needs a group_id",
		`{"user_ids":["1"],"group_id":"9"}`:      "9",
		`{"user_ids":["1","99"],"group_id":"0"}`: "99",
		`{"user_ids":[],"group_id":"1"}`:         "1 to",
		`{"user_ids":["1","x"],"group_id":"1"}`:  "is not a profile id",
	} {
		o.refused("POST", "/api/v1/user/regroup", body, words)
	}

	if _, err := o.Sessions.Start(t.Context(), 3, session.Options{Mode: session.Automation}); err != nil {
		t.Fatal(err)
	}
	for body, words := range map[string]string{
		`{"user_ids":["1","3"]}`:  "Profile 3 is open.",
		`{"user_ids":["1","99"]}`: "There is no profile 99.",
		`{"user_ids":[]}`:         "1 to",
		`{}`:                      "1 to",
		`{"profile_id":["1",""]}`: "is not a profile id",
	} {
		o.refused("POST", "/api/v1/user/delete", body, words)
		o.refused("POST", "/api/v2/browser-profile/delete", body, words)
	}
	o.want("POST", "/api/v1/user/delete", `{"user_ids":["1"]}`, `{"code":0,"msg":"Success","data":{}}`)
	o.want("POST", "/api/v2/browser-profile/delete", `{"profile_id":["2","4"]}`, `{"code":0,"msg":"Success","data":{}}`)
	trash, err := o.db.Profiles().List(t.Context(), profile.Query{Trashed: true, Page: 1, PerPage: 10})
	if err != nil || trash.Total != 3 {
		t.Errorf("the trash holds %d, %v", trash.Total, err)
	}
}

func TestChangesSayWhatIsIgnored(t *testing.T) {
	o := newOffice(t)
	o.addShared()
	for _, c := range [][2]string{{"/api/v1/user/create", `{"name":"a"}`}, {"/api/v2/browser-profile/create", `{"name":"a"}`},
		{"/api/v1/user/update", `{"user_id":"1","name":"b"}`}, {"/api/v2/browser-profile/start", `{"profile_id":"1"}`}} {
		if got := o.call("POST", c[0], c[1]); !strings.HasSuffix(got, `,"ignored":[]}`) {
			t.Errorf("%s: %s", c[0], got)
		}
		body := strings.Replace(c[1], "{", `{"ip_tab":"1","country":"us",`, 1)
		if got := o.call("POST", c[0], body); !strings.Contains(got, `,"ignored":["`) {
			t.Errorf("%s: %s", c[0], got)
		}
	}
}

func TestAdviceNamesTheCallsOfThisPort(t *testing.T) {
	o := newOffice(t)
	o.add(profile.Profile{Name: "one"})
	for path, body := range map[string]string{"/api/v1/user/update": `{"user_id":"1","group_id":"999"}`,
		"/api/v1/user/regroup": `{"user_ids":["1"],"group_id":"999"}`, "/api/v1/group/update": `{"group_id":"999","group_name":"x"}`} {
		o.refused("POST", path, body, "/api/v1/group/list")
		if got := o.call("POST", path, body); strings.Contains(got, "/v1.0/") {
			t.Errorf("%s: %s", path, got)
		}
	}
}

func TestARandomProxyIsNoneThatFailed(t *testing.T) {
	o := newOffice(t)
	for i := range 10 {
		x := proxy.Proxy{Type: "http", Host: "h.example", Port: 1000 + i}
		made, err := o.db.Proxies().Create(t.Context(), proxy.Record{Proxy: x, Saved: true})
		if err != nil {
			t.Fatal(err)
		}
		check := proxy.Check{At: time.Now(), OK: i == 3}
		if err := o.db.Proxies().SetCheck(t.Context(), made[0].ID, x, check); err != nil {
			t.Fatal(err)
		}
	}
	for range 10 {
		o.call("POST", "/api/v1/user/create", `{"proxyid":"random"}`)
	}
	for id := range profile.ID(10) {
		if got := o.profile(id + 1).Proxy.Port; got != 1003 {
			t.Errorf("profile %d has the proxy of port %d", id+1, got)
		}
	}
}
