package adspower

import (
	"fmt"
	"strings"
	"testing"

	"cove/internal/profile"
	"cove/internal/proxy"
)

const ok = `{"code":0,"msg":"Success","data":`

func TestGroups(t *testing.T) {
	o := newOffice(t)
	o.want("GET", "/api/v1/group/list?page=1&page_size=15", "", ok+`{"list":[],"page":1,"page_size":15}}`)
	o.want("POST", "/api/v1/group/create", `{"group_name":"Shops","remark":"r"}`,
		ok+`{"group_id":"1","group_name":"Shops","remark":"r"}}`)
	o.want("POST", "/api/v1/group/create", `{"group_name":"Öl"}`, ok+`{"group_id":"2","group_name":"Öl","remark":""}}`)
	o.want("GET", "/api/v1/group/list", "", ok+`{"list":[{"group_id":"1","group_name":"Shops","remark":"r"},`+
		`{"group_id":"2","group_name":"Öl","remark":""}],"page":1,"page_size":10}}`)
	o.want("GET", "/api/v1/group/list?group_name=%C3%B6&page_size=1", "",
		ok+`{"list":[{"group_id":"2","group_name":"Öl","remark":""}],"page":1,"page_size":1}}`)
	o.want("GET", "/api/v1/group/list?page_size=1&page=2", "",
		ok+`{"list":[{"group_id":"2","group_name":"Öl","remark":""}],"page":2,"page_size":1}}`)
	o.want("POST", "/api/v1/group/update", `{"group_id":"1","group_name":"Stores"}`,
		ok+`{"group_id":"1","group_name":"Stores","remark":"r"}}`)
	o.want("POST", "/api/v1/group/update", `{"group_id":"1","group_name":"Stores","remark":"line\nline","color":"red"}`,
		ok+`{"group_id":"1","group_name":"Stores","remark":"line\nline"},"ignored":["color"]}`)
	o.want("POST", "/api/v1/group/update", `{"group_id":"1","group_name":"Stores","remark":null}`,
		ok+`{"group_id":"1","group_name":"Stores","remark":"line\nline"}}`)
	o.want("POST", "/api/v1/group/update", `{"group_id":"1","group_name":"Stores","remark":""}`,
		ok+`{"group_id":"1","group_name":"Stores","remark":""}}`)
	for _, body := range []string{`{}`, `{"group_name":"ÖL"}`, `{"group_name":["a"]}`} {
		o.refused("POST", "/api/v1/group/create", body, "")
	}
	o.refused("POST", "/api/v1/group/update", `{"group_id":"1","group_name":"Öl"}`, "")
	o.refused("POST", "/api/v1/group/create", `{"group_name":"x","remark":"`+strings.Repeat("x", 20_001)+`"}`, "remark")
	o.refused("POST", "/api/v1/group/update", `{"group_id":"0","group_name":"x"}`, "")
	o.refused("POST", "/api/v1/group/update", `{"group_id":"9","group_name":"x"}`, "There is no folder 9")
	o.refused("GET", "/api/v1/group/list?status=1", "", `by "status"`)
}

func TestStoredProxies(t *testing.T) {
	o := newOffice(t)
	const path = "/api/v2/proxy-list/"
	o.want("POST", path+"create", `[{"type":"http","host":"a.example","port":"8080","user":"u","password":"p",`+
		`"proxy_url":"https://a.example/c","remark":"mine","ipchecker":"ipapi"},{"type":"socks5","host":"b.example","port":1}]`,
		ok+`{"proxy_id":["1","2"]},"ignored":["ipchecker"]}`)
	o.add(profile.Profile{Name: "user", ProxyID: 1})
	const first = `{"proxy_id":"1","type":"http","host":"a.example","port":"8080","user":"u","password":"p",` +
		`"proxy_url":"https://a.example/c","remark":"mine","ipchecker":"","profile_count":"1","related_profile_no":["1"]}`
	const second = `{"proxy_id":"2","type":"socks5","host":"b.example","port":"1","user":"","password":"","proxy_url":"",` +
		`"remark":"","ipchecker":"","profile_count":"0","related_profile_no":[]}`
	o.want("POST", path+"list", `{"page":"1","limit":"50"}`,
		ok+`{"list":[`+second+`,`+first+`],"page":1,"page_size":50}}`)
	o.want("POST", path+"list", `{"proxy_id":["1"]}`, ok+`{"list":[`+first+`],"page":1,"page_size":50}}`)
	o.want("POST", path+"list", `{"limit":1,"page":2}`, ok+`{"list":[`+first+`],"page":2,"page_size":1}}`)

	for body, words := range map[string]string{
		`[]`:  "1 to",
		`{}`:  "1 to",
		`[1]`: "Proxy 1 of 1",
		`[{"type":"http","host":"a.example","port":"1"},{"type":"ssh","host":"a.example","port":"22"}]`: "Proxy 2 of 2: Unknown proxy type",
		`[{"type":"http","host":"a.example"}]`:                                                          "is not a port",
		`[{"type":"http","port":"1"}]`:                                                                  "host",
		`[{"host":"a.example","port":"1"}]`:                                                             "type",
		`[{"type":"http","host":"a.example","port":"1","usr":"x"}]`:                                     "Did you mean user?",
		`[{"type":"http","host":"a.example","port":"1","user":["x"]}]`:                                  "must be a text",
	} {
		o.refused("POST", path+"create", body, words)
	}
	o.want("POST", path+"update", `{"proxy_id":"2","port":"2","remark":"two"}`, ok+`{"proxy_id":"2"}}`)
	r, err := o.db.Proxies().Get(t.Context(), 2)
	if err != nil || r.Name != "two" || r.Proxy != (proxy.Proxy{Type: "socks5", Host: "b.example", Port: 2}) || !r.Saved {
		t.Errorf("the proxy is %+v, %v", r, err)
	}
	for body, words := range map[string]string{
		`{"port":"3"}`:                      "id of one proxy",
		`{"proxy_id":"9","port":"3"}`:       "There is no proxy 9",
		`{"proxy_id":"2","port":"0"}`:       "is not a port",
		`{"proxy_id":"2","type":"ssh"}`:     "Unknown proxy type",
		`{"proxy_id":["1","2"],"port":"3"}`: "id of one proxy",
		`{"proxy_id":"x","port":"3"}`:       "ids of proxies",
	} {
		o.refused("POST", path+"update", body, words)
	}
	o.refused("POST", path+"delete", `{"proxy_id":["2","1"]}`, "Proxy 1 is in use")
	o.refused("POST", path+"delete", `{}`, "1 to")
	o.refused("POST", path+"list", `{"type":"http"}`, `by "type"`)
	o.want("POST", path+"delete", `{"proxy_id":["2"]}`, ok+`{}}`)
}

func TestTags(t *testing.T) {
	o := newOffice(t)
	o.add(profile.Profile{Name: "one", Tags: []string{"b", "a"}})
	o.add(profile.Profile{Name: "two", Tags: []string{"b"}})
	const path = "/api/v2/browser-tags/"
	o.want("POST", path+"list", `{}`, ok+`{"list":[{"id":"a","name":"a","color":""},{"id":"b","name":"b","color":""}],`+
		`"page":1,"page_size":50}}`)
	o.want("POST", path+"list", `{"ids":["b","z"]}`,
		ok+`{"list":[{"id":"b","name":"b","color":""}],"page":1,"page_size":50}}`)
	o.want("POST", path+"create", `{"tags":[{"name":"new","color":"red"}]}`,
		ok+`{"list":[{"id":"new","name":"new","color":""}]},"ignored":["tags.color"]}`)
	o.want("POST", path+"update", `{"tags":[{"id":"b","name":"c"}]}`, ok+`{"list":[{"id":"c","name":"c","color":""}]}}`)
	if got := fmt.Sprint(o.profile(1).Tags, o.profile(2).Tags); got != "[c a] [c]" {
		t.Errorf("the tags are now %s", got)
	}
	o.want("POST", path+"delete", `{"ids":["c"]}`, ok+`{}}`)
	if got := fmt.Sprint(o.profile(1).Tags, o.profile(2).Tags); got != "[a] []" {
		t.Errorf("the tags are now %s", got)
	}
	for _, c := range [][3]string{{"create", `{}`, "list of tags"}, {"create", `{"tags":[{}]}`, "needs a name"},
		{"update", `{"tags":[{"name":"x"}]}`, "id of each tag"}, {"delete", `{}`, "ids of tags"},
		{"list", `{"name":"a"}`, `by "name"`}} {
		o.refused("POST", path+c[0], c[1], c[2])
	}
}

// Renames are made at once, so that tags can change places, and also in the trash: a profile that is restored brings no
// old tag back.
func TestTagsAreRenamedAtOnce(t *testing.T) {
	o := newOffice(t)
	o.add(profile.Profile{Name: "one", Tags: []string{"a", "b", "c"}})
	o.add(profile.Profile{Name: "two", Tags: []string{"b"}})
	o.add(profile.Profile{Name: "three", Tags: []string{"a", "d"}})
	if err := o.db.Profiles().Trash(t.Context(), 3); err != nil {
		t.Fatal(err)
	}
	changes := o.Changes.Subscribe(9)
	const path = "/api/v2/browser-tags/"
	o.want("POST", path+"update", `{"tags":[{"id":"a","name":"b"},{"id":"b","name":"a"},{"id":"c","name":"a"}]}`,
		ok+`{"list":[{"id":"b","name":"b","color":""},{"id":"a","name":"a","color":""},{"id":"a","name":"a","color":""}]}}`)
	if e := <-changes.C(); fmt.Sprint(e.IDs) != "[1 2 3]" {
		t.Errorf("the window was told of %v", e.IDs)
	}
	restored, err := o.db.Profiles().Restore(t.Context(), 3)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(o.profile(1).Tags, o.profile(2).Tags, restored.Tags); got != "[b a] [a] [b d]" {
		t.Errorf("the tags are now %s", got)
	}
	if err := o.db.Profiles().Trash(t.Context(), 3); err != nil {
		t.Fatal(err)
	}
	o.refused("POST", path+"update", `{"tags":[{"id":"b","name":"x"},{"id":"b","name":"y"}]}`, "twice")
	o.want("POST", path+"delete", `{"ids":["b","d"]}`, ok+`{}}`)
	if restored, err = o.db.Profiles().Restore(t.Context(), 3); err != nil || len(restored.Tags) != 0 {
		t.Errorf("a restored profile brings %v back, %v", restored.Tags, err)
	}
	found, err := o.db.Profiles().List(t.Context(), profile.Query{Search: "d", Sort: profile.ByID, Page: 1, PerPage: 9})
	if err != nil || found.Total != 0 {
		t.Errorf("a deleted tag is still found: %v, %v", found, err)
	}
}

func TestEmptyLists(t *testing.T) {
	o := newOffice(t)
	o.want("GET", "/api/v1/application/list", "", ok+`{"list":[],"page":1,"page_size":10}}`)
	o.refused("GET", "/api/v1/group/list?page=9223372036854775807&page_size=10000", "", `"page" must be`)
	o.want("GET", "/api/v1/group/list?page=2147483647&page_size=10000", "",
		ok+`{"list":[],"page":2147483647,"page_size":10000}}`)
	o.want("GET", "/api/v2/category/list?page=2&limit=3", "", ok+`{"list":[],"page":2,"page_size":3}}`)
}
