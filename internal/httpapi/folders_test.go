package httpapi

import (
	"encoding/json"
	"testing"

	"cove/api"
)

func TestANewProfileGetsTheDefaultsOfItsFolder(t *testing.T) {
	o := newOffice(t)
	o.want(200, "", o.token, "POST", "/folders", `{"name":"Shops","color":"Green","defaults":{"tags":["shop"," eu "],`+
		`"startPages":["a.example"],"timezone":"Europe/Berlin","agents":"guarded",`+
		`"proxy":{"type":"socks5","host":"p.example","port":1080,"login":"me","password":"x"}}}`)
	_, _, answer := o.send(o.token, "GET", "/folders/1", "")
	var folder api.FolderData
	if err := json.Unmarshal([]byte(answer), &folder); err != nil {
		t.Fatal(err)
	}
	if f := folder.Data; f.Color != "green" || len(f.Defaults.Tags) != 2 || f.Defaults.Tags[1] != "eu" ||
		f.Defaults.StartPages[0] != "https://a.example" {
		t.Fatalf("got %s", answer)
	}

	made := func(body string) api.Profile {
		t.Helper()
		_, _, answer := o.send(o.token, "POST", "/browser_profiles", body)
		var got api.Created
		if err := json.Unmarshal([]byte(answer), &got); err != nil || !got.Success {
			t.Fatalf("%s: %s", body, answer)
		}
		return got.Data
	}
	for _, body := range []string{`{"name":"a","folder":"shops"}`, `{"name":"a","folder":{"id":1}}`} {
		if p := made(body); len(p.Tags) != 2 || p.Agents != "guarded" || p.Proxy == nil || p.Proxy.Password != "x" ||
			*p.Timezone != "Europe/Berlin" || (*p.StartPages)[0] != "https://a.example" {
			t.Errorf("%s: got %+v", body, p)
		}
	}
	if p := made(`{"name":"a","folder":"Shops","tags":[],"proxy":null,"policy":{"preset":"open"},"timezone":""}`); len(
		p.Tags) != 0 || p.Agents != "open" || p.Proxy != nil || *p.Timezone != "" {
		t.Errorf("what was said is not kept: %+v", p)
	}
	if p := made(`{"name":"a","folder":"Other"}`); len(p.Tags) != 0 || p.Agents != "open" {
		t.Errorf("another folder has defaults: %+v", p)
	}

	// A change leaves what it does not name, and profiles that exist.
	o.want(200, "", o.token, "PATCH", "/folders/1", `{"name":"Stores"}`)
	o.want(200, "", o.token, "PATCH", "/folders/1", `{"color":""}`)
	if p := made(`{"name":"a","folder":"stores"}`); p.Agents != "guarded" {
		t.Errorf("the defaults are gone: %+v", p)
	}
	o.want(200, "", o.token, "PATCH", "/folders/1", `{"defaults":{}}`)
	if p := made(`{"name":"a","folder":"stores"}`); p.Agents != "open" || len(p.Tags) != 0 {
		t.Errorf("there are still defaults: %+v", p)
	}

	for _, c := range []struct{ body, field string }{
		{`{}`, "name"}, {`{"color":"pink"}`, "color"}, {`{"defaults":{"timezone":"Europe/Atlantis"}}`, "defaults.timezone"},
		{`{"defaults":{"agents":"loose"}}`, "defaults.agents"}, {`{"defaults":{"startPages":["x y"]}}`, "defaults.startPages"},
		{`{"defaults":{"proxy":{"type":"fax","host":"a","port":1}}}`, "defaults.proxy.type"},
	} {
		o.wants(c.field, "PATCH", "/folders/1", c.body)
	}
}
