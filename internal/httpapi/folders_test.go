package httpapi

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"cove/api"
	"cove/internal/event"
	"cove/internal/policy"
	"cove/internal/profile"
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
	o.want(200, "", ownersToken, "PATCH", "/folders/1", `{"defaults":{}}`)
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

func TestOnlyThePersonLoosensTheDefaultsOfAFolder(t *testing.T) {
	o := newOffice(t)
	loose := []string{`{"defaults":{"agents":"open"}}`, `{"defaults":{"agents":"guarded"}}`, `{"defaults":{}}`}
	tighten := func() {
		t.Helper()
		o.want(200, "", o.token, "PATCH", "/folders/1", `{"defaults":{"agents":"off"}}`)
	}
	o.want(200, "", o.token, "POST", "/folders", `{"name":"Shops","defaults":{"agents":"read-only"}}`)
	for _, body := range loose {
		tighten()
		for _, method := range []string{"PATCH", "PUT"} {
			o.want(403, "E_NOT_PERSON", o.token, method, "/folders/1", body)
			o.want(401, "E_UNAUTHORIZED", "", method, "/folders/1", body)
		}
		o.want(200, "", ownersToken, "PATCH", "/folders/1", body)
	}
	tighten()
	o.want(200, "", o.token, "PATCH", "/folders/1", `{"name":"Stores","color":"red"}`)
	o.want(200, "", ownersToken, "PUT", "/pin", `{"pin":"4711"}`)
	o.want(403, "E_PIN_REQUIRED", ownersToken, "PATCH", "/folders/1", loose[0])
	o.want(200, "", ownersToken, "PATCH", "/folders/1", loose[0], "Cove-Pin", "4711")
	o.want(404, "E_NOT_FOUND", o.token, "PATCH", "/folders/9", loose[0])
}

// tightening makes the defaults of a folder tighter right before each change.
type tightening struct{ profile.Folders }

func (t tightening) Update(ctx context.Context, id profile.FolderID, edit func(*profile.Folder) error) (profile.Folder,
	error) {
	return t.Folders.Update(ctx, id, func(f *profile.Folder) error {
		f.Defaults.Agents = policy.Off
		return edit(f)
	})
}

func TestAFolderThatWasTightenedMeanwhileIsNotLoosened(t *testing.T) {
	o := newOffice(t)
	o.want(200, "", o.token, "POST", "/folders", `{"name":"Shops"}`)
	o.rebuild(func(c *Config) { c.Folders = tightening{c.Folders} })
	o.want(409, "E_POLICY_CHANGED", o.token, "PATCH", "/folders/1", `{"defaults":{"agents":"guarded"}}`)
	o.want(200, "", o.token, "PATCH", "/folders/1", `{"name":"Stores"}`)
}

// A window reads the folders again when it hears of a change.
func TestEveryChangeOfAFolderIsAnnounced(t *testing.T) {
	o := newOffice(t)
	var changes event.Feed[api.ProfileEvent]
	heard := changes.Subscribe(1)
	o.rebuild(func(c *Config) { c.Changes = &changes })
	for _, c := range []struct{ method, path, body string }{{"POST", "/folders", `{"name":"Shops"}`},
		{"PATCH", "/folders/1", `{"color":"red"}`}, {"DELETE", "/folders/1", ""}} {
		o.want(200, "", o.token, c.method, c.path, c.body)
		select {
		case e := <-heard.C():
			if e.IDs == nil {
				t.Errorf("%s %s: there is no list of profiles", c.method, c.path)
			}
		default:
			t.Errorf("%s %s is not announced", c.method, c.path)
		}
	}
}

// A start needs no credential, but a proxy and its login do: also those that a folder gives.
func TestATemporaryProfileGetsTheProxyOfAFolderOnlyWithACredential(t *testing.T) {
	o, _, blocked := shelved(t)
	*blocked = true // nothing is opened
	o.want(200, "", o.token, "POST", "/folders", `{"name":"Shops","defaults":{"tags":["a"],`+
		`"proxy":{"type":"socks5","host":"p.example","port":1080,"login":"me","password":"x"}}}`)
	o.want(200, "", o.token, "POST", "/folders", `{"name":"Plain","defaults":{"tags":["a"]}}`)
	for _, folder := range []string{`{"id":1}`, `"shops"`} {
		status, code, answer := o.send("", "POST", "/browser_profiles/start", `{"automation":true,"folder":`+folder+`}`)
		if status != 401 || code != "E_UNAUTHORIZED" || !strings.Contains(answer, `\"folder\"`) {
			t.Errorf("folder %s: %d %s", folder, status, answer)
		}
		// With one it gets as far as the question whether agents may use it.
		o.want(403, "E_PANIC", o.token, "POST", "/browser_profiles/start", `{"automation":true,"folder":`+folder+`}`)
	}
	o.want(403, "E_PANIC", "", "POST", "/browser_profiles/start", `{"automation":true,"folder":"plain"}`)
}
