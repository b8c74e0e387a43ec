package adspower

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"cove/internal/profile"
	"cove/internal/proxy"
)

func TestAListItemIsWhatScriptsRead(t *testing.T) {
	o := newOffice(t)
	plain := o.add(profile.Profile{Name: "plain"})
	full := o.add(profile.Profile{Name: "full", Folder: "Shops", Notes: "first\nsecond", Tags: []string{"vip"},
		StartPages: []string{"https://facebook.com", "https://x.example/a"},
		Proxy:      proxy.Proxy{Type: "socks5", Host: "p.example", Port: 1080, Login: "u", Password: "pw"}})
	if err := o.db.Profiles().MarkOpened(t.Context(), full.ID, time.Unix(1700000001, 0)); err != nil {
		t.Fatal(err)
	}
	if err := o.db.Proxies().SetCheck(t.Context(), full.ProxyID, full.Proxy, proxy.Check{OK: true, IP: "192.0.2.7",
		Country: "DE"}); err != nil {
		t.Fatal(err)
	}
	item := func(p profile.Profile, rest string) string {
		id := p.ID.String()
		return fmt.Sprintf(`{"user_id":%q,"profile_id":%q,"serial_number":%q,"profile_no":%q,"name":%q,`, id, id, id,
			id,
			p.Name) + strings.ReplaceAll(rest, "CREATED", strconv.FormatInt(p.Created.Unix(), 10))
	}
	const plainRest = `"group_id":"0","group_name":"","domain_name":"","platform":"","username":"","password":"",` +
		`"fakey":"","remark":"","created_time":"CREATED","last_open_time":"0","ip":"","ip_country":"","ipchecker":"",` +
		`"sys_app_cate_id":"0","fbcc_proxy_acc_id":"0","user_proxy_config":{"proxy_soft":"no_proxy"}}`
	const fullRest = `"group_id":"1","group_name":"Shops","domain_name":"facebook.com","platform":"facebook.com",` +
		`"username":"","password":"","fakey":"","remark":"first\nsecond","created_time":"CREATED",` +
		`"last_open_time":"1700000001","ip":"192.0.2.7","ip_country":"de","ipchecker":"","sys_app_cate_id":"0",` +
		`"fbcc_proxy_acc_id":"1","user_proxy_config":{"proxy_soft":"other","proxy_type":"socks5",` +
		`"proxy_host":"p.example","proxy_port":"1080","proxy_user":"u","proxy_password":"pw","proxy_url":""}}`
	o.want("GET", "/api/v1/user/list?page=1&page_size=100", "", `{"code":0,"msg":"Success","data":{"list":[`+
		item(full, fullRest)+`,`+item(plain, plainRest)+`],"page":1,"page_size":100}}`)
	o.want("POST", "/api/v2/browser-profile/list", `{"limit":"1","page":2}`,
		`{"code":0,"msg":"Success","data":{"list":[`+
			item(plain, strings.Replace(plainRest, `acc_id":"0"`, `acc_id":""`, 1))+`],"page":2,"page_size":1}}`)
	// Without a size a page holds one profile, the newest.
	o.want("GET", "/api/v1/user/list", "", `{"code":0,"msg":"Success","data":{"list":[`+item(full, fullRest)+
		`],"page":1,"page_size":1}}`)
	o.want("GET", "/api/v1/user/list?page=9&page_size=100", "",
		`{"code":0,"msg":"Success","data":{"list":[],"page":9,"page_size":100}}`)
}

// ids are the profiles of a list, in their order.
func (o *office) ids(answer string) (ids []string) {
	o.t.Helper()
	var e struct {
		Code int
		Data struct {
			List []struct {
				ID string `json:"user_id"`
			}
		}
	}
	if err := json.Unmarshal([]byte(answer), &e); err != nil || e.Code != 0 {
		o.t.Errorf("the list is %s", answer)
	}
	for _, one := range e.Data.List {
		ids = append(ids, one.ID)
	}
	return ids
}

func TestListFiltersAndOrders(t *testing.T) {
	o := newOffice(t)
	for i, p := range []profile.Profile{
		{Name: "Alpha", Folder: "Shops", Tags: []string{"a"}},
		{Name: "beta", Folder: "Shops", Tags: []string{"a", "b"}},
		{Name: "Ärger", Tags: []string{"b"}},
		{Name: "gamma alpha"},
	} {
		made := o.add(p)
		if err := o.db.Profiles().MarkOpened(t.Context(), made.ID, time.Unix(1700000000-int64(i), 0)); err != nil {
			t.Fatal(err)
		}
	}
	for body, want := range map[string]string{
		`{}`:                                                "4 3 2 1",
		`{"group_id":"1"}`:                                  "2 1",
		`{"group_id":1}`:                                    "2 1",
		`{"group_id":"0"}`:                                  "4 3",
		`{"group_id":"77"}`:                                 "",
		`{"group_id":""}`:                                   "4 3 2 1",
		`{"user_id":"3"}`:                                   "3",
		`{"serial_number":"3"}`:                             "3",
		`{"profile_id":["1","4"]}`:                          "4 1",
		`{"profile_no":["2"]}`:                              "2",
		`{"profile_id":["1"],"profile_no":["2"]}`:           "1",
		`{"profile_id":["99"]}`:                             "",
		`{"name":"ALPHA"}`:                                  "4 1",
		`{"name":"ALPHA","name_filter":"include"}`:          "4 1",
		`{"name":"alpha","name_filter":"exclude"}`:          "3 2",
		`{"name":"ärg"}`:                                    "3",
		`{"name":"ärg","name_filter":"exclude"}`:            "4 2 1",
		`{"tag_ids":["a"]}`:                                 "2 1",
		`{"tag_ids":["a","b"]}`:                             "3 2 1",
		`{"tag_ids":["a"],"tags_filter":"exclude"}`:         "4 3",
		`{"tag_ids":["b","none"]}`:                          "3 2",
		`{"sort_type":"profile_no","sort_order":"asc"}`:     "1 2 3 4",
		`{"sort_type":"last_open_time"}`:                    "1 2 3 4",
		`{"sort_type":"last_open_time","sort_order":"asc"}`: "4 3 2 1",
		`{"sort_type":"created_time","sort_order":"asc"}`:   "1 2 3 4",
		`{"user_sort":"{\"serial_number\":\"asc\"}"}`:       "1 2 3 4",
		`{"user_sort":{"last_open_time":"desc"}}`:           "1 2 3 4",
	} {
		sized := strings.Replace(strings.Replace(body, "{", `{"page_size":100,`, 1), ",}", "}", 1)
		if got := strings.Join(o.ids(o.call("POST", "/api/v2/browser-profile/list", sized)), " "); got != want {
			t.Errorf("%s selects %q, want %q", body, got, want)
		}
	}
	sort := url.Values{"user_sort": {`{"serial_number":"asc"}`}, "page_size": {"2"}, "Content-Type": {"application/json"}}
	if got := o.ids(o.call("GET", "/api/v1/user/list?"+sort.Encode(), "")); !slices.Equal(got, []string{"1", "2"}) {
		t.Errorf("v1 sorts to %v", got)
	}
}

func TestAListRefusesWhatItCannotApply(t *testing.T) {
	o := newOffice(t)
	o.add(profile.Profile{Name: "one"})
	for query, words := range map[string]string{
		"status=1":                            `by "status"`,
		"users=4":                             `by "users"`,
		"mainWebsites=y":                      `by "mainwebsites"`,
		"remark=x":                            `by "remark"`,
		"group_name=Shops":                    `by "group_name"`,
		"ip_country=de":                       `by "ip_country"`,
		"group_id=abc":                        `is not the id of a group`,
		"user_id=h1yynkm":                     `is not a profile id`,
		"page=0":                              `"page" must be`,
		"page_size=0":                         `"page_size" must be`,
		"page_size=-1":                        `"page_size" must be`,
		"page_size=10001":                     `1 to 10000`,
		"limit=x":                             `"limit" must be`,
		"name=a&name_filter=not":              `include or exclude`,
		"tag_ids=a&tags_filter=all":           `include or exclude`,
		"user_sort=x":                         `must be an object`,
		"user_sort=%7B%22remark%22:1%7D":      `cannot be sorted by`,
		"user_sort=%7B%22a%22:1,%22b%22:1%7D": `one order`,
		"sort_type=name":                      `cannot be sorted by`,
		"sort_order=up":                       `asc or desc`,
	} {
		o.refused("GET", "/api/v1/user/list?"+query, "", words)
	}
	o.refused("POST", "/api/v1/user/list?page_size=2", `{"page_size":3}`, "sent twice")
}
