package httpapi

import (
	"context"
	"encoding/json"
	"maps"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"cove/api"
	"cove/internal/clients"
	"cove/internal/fault"
	"cove/internal/httpapi/agents"
	"cove/internal/paths"
	"cove/internal/profile"
	secrets "cove/internal/secret"
)

// requestInput is one thing that a call reads: a part of its path, of its query or of its body.
type requestInput struct{ in, name string }

// inputsOf lists the inputs of every call that the API's description has.
func inputsOf(t *testing.T) map[string][]requestInput {
	t.Helper()
	var whole struct {
		Paths      map[string]map[string]map[string]any
		Components map[string]any
	}
	if err := json.Unmarshal(api.OpenAPI, &whole); err != nil {
		t.Fatal(err)
	}
	d := description{whole.Components}
	out := map[string][]requestInput{}
	for path, methods := range whole.Paths {
		for method, operation := range methods {
			at := strings.ToUpper(method) + " " + strings.TrimPrefix(path, "/v1.0")
			out[at] = nil
			parameters, _ := operation["parameters"].([]any)
			for _, one := range parameters {
				p := d.resolved(one)
				out[at] = append(out[at], requestInput{p["in"].(string), p["name"].(string)})
			}
			body, ok := operation["requestBody"].(map[string]any)
			if !ok {
				continue
			}
			media, ok := d.resolved(body)["content"].(map[string]any)["application/json"].(map[string]any)
			if !ok {
				continue // a form with a file has a test of its own
			}
			for _, name := range d.members(media["schema"], "") {
				out[at] = append(out[at], requestInput{"body", name})
			}
		}
	}
	return out
}

// description is the components that the rest refers to.
type description struct{ components map[string]any }

func (d description) resolved(v any) map[string]any {
	object := v.(map[string]any)
	ref, ok := object["$ref"].(string)
	if !ok {
		return object
	}
	kind, name, _ := strings.Cut(strings.TrimPrefix(ref, "#/components/"), "/")
	return d.resolved(d.components[kind].(map[string]any)[name])
}

// members names what a schema's object holds, at every depth; the first entry of a list has the name 0.
func (d description) members(schema any, before string) (names []string) {
	s := d.resolved(schema)
	parts := []any{s}
	for _, key := range []string{"allOf", "oneOf"} {
		more, _ := s[key].([]any)
		parts = append(parts, more...)
	}
	for _, part := range parts {
		properties, _ := d.resolved(part)["properties"].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			names = append(names, before+name)
			inner := properties[name]
			if items, ok := d.resolved(inner)["items"]; ok {
				names = append(names, d.members(items, before+name+".0.")...)
				continue
			}
			names = append(names, d.members(inner, before+name+".")...)
		}
	}
	return names
}

// bodyWith is a body in which the member at the end of a path has a value, beside what the call needs otherwise.
func bodyWith(path, value, beside string) string {
	names := strings.Split(path, ".")
	for _, name := range slices.Backward(names) {
		if name == "0" {
			value = "[" + value + "]"
		} else {
			value = `{"` + name + `":` + value + `}`
		}
	}
	if beside == "" {
		return value
	}
	return strings.TrimSuffix(beside, "}") + "," + value[1:]
}

// besides is what a call's body needs so that only the tried member is wrong.
func besides(at, member string) string {
	first, _, _ := strings.Cut(member, ".")
	switch {
	case strings.HasSuffix(at, "/mass") && first == "template":
		return `{"count":1}`
	case strings.Contains(at, "/clients/") && first != "profile":
		return `{"profile":1}`
	case strings.HasSuffix(at, "/policy") && first != "preset":
		return `{"preset":"guarded"}`
	case at == "PUT /browser_profiles/{id}" && first != "name", at == "POST /browser_profiles" && first != "name":
		return `{"name":"one"}`
	case at == "POST /accounts" && member != "plan":
		return `{"plan":"solo"}`
	case at == "PATCH /extensions" && first == "extensionIds":
		return `{"enabled":true}`
	case strings.HasPrefix(at, "POST /extensions/") && first == "profileIds":
		return `{"extensionIds":[1]}`
	case strings.HasSuffix(at, "/secrets") && first == "site":
		return `{"name":"mail"}`
	case strings.HasSuffix(at, "/secrets") && first == "value":
		return `{"name":"mail","site":"https://example.com"}`
	}
	return ""
}

// safe checks secrets with the real rules.
type safe struct {
	agents.Secrets
	store *secrets.Store
}

func (safe) List(profile.ID) ([]api.Secret, error) { return nil, nil }

func (l safe) Set(_ profile.ID, in api.NewSecret, _ bool) error {
	return l.store.Set(in.Name, in.Site, in.Value)
}

// fieldOf makes a call and answers the status and the field of its refusal.
func (o *office) fieldOf(method, path, body string) (status int, field, answer string) {
	o.t.Helper()
	r := httptest.NewRequestWithContext(o.t.Context(), method, "http://127.0.0.1:3001/v1.0"+path,
		strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+ownersToken)
	w := httptest.NewRecorder()
	o.ServeHTTP(w, r)
	var e api.Error
	_ = json.Unmarshal(w.Body.Bytes(), &e)
	return w.Code, e.ErrorObject.Field, w.Body.String()
}

// wants checks that a call is refused because of one input, and says which.
func (o *office) wants(field, method, path, body string) {
	o.t.Helper()
	if status, got, answer := o.fieldOf(method, path, body); (status != 400 && status != 422) || got != field {
		o.t.Errorf("%s %s %s: answers %d about %q, not about %q: %s", method, path, body, status, got, field, answer)
	}
}

// wantsOfItem checks the answer to an item of a mass creation that is refused: the call succeeds, and names the member.
func (o *office) wantsOfItem(field, body string) {
	o.t.Helper()
	status, _, answer := o.send(ownersToken, "POST", "/browser_profiles/mass", body)
	var got api.CreatedMany
	if json.Unmarshal([]byte(answer), &got) != nil || status != 200 || got.Success || len(got.IDs) > 0 ||
		len(got.Failed) != 1 || len(got.Errors) != 1 || got.Errors[0].Field != field {
		o.t.Errorf("%s: answers %d, not about %q: %s", body, status, field, answer)
	}
}

// TestEveryRefusalOfAnInputNamesIt sends every input of every call in a form that cannot be right.
func TestEveryRefusalOfAnInputNamesIt(t *testing.T) {
	o := newOffice(t)
	tried := 0
	for at, inputs := range inputsOf(t) {
		method, path, _ := strings.Cut(at, " ")
		for _, one := range inputs {
			here, body := strings.NewReplacer("{id}", "1", "{name}", "one").Replace(path), ""
			switch one.in {
			case "path":
				if one.name != "id" {
					continue // a name may be any text
				}
				here = strings.NewReplacer("{id}", "abc", "{name}", "one").Replace(path)
			case "query":
				value, ok := wrongInQuery[one.name]
				if !ok {
					t.Errorf("%s: no wrong value of %q is known", at, one.name)
				}
				if value == "" {
					continue // any text
				}
				here += "?" + url.Values{one.name: {value}}.Encode()
				if at == "DELETE /browser_profiles" {
					body = `{"ids":[1]}`
				}
			default: // no member is a list of lists
				body = bodyWith(one.name, "[[]]", besides(at, one.name))
			}
			tried++
			want := one.name
			if (want == "profiles" || want == "items") && path == "/browser_profiles/mass" ||
				(want == "profiles" || want == "proxies") && path == "/import" {
				want += ".0"
			}
			if member, ok := strings.CutPrefix(want, "items.0."); ok && path == "/browser_profiles/mass" {
				o.wantsOfItem(member, body)
				continue
			}
			o.wants(want, method, here, body)
		}
	}
	if tried < 250 {
		t.Errorf("only %d inputs were tried", tried)
	}
}

// wrongInQuery is a value that cannot be right for each name of a query; "" where every text can.
var wrongInQuery = map[string]string{"automation": "maybe", "headless": "maybe", "noTabs": "maybe", "trashed": "maybe",
	"forceDelete": "maybe", "newest": "maybe", "withMaximum": "maybe",
	"dryRun": "maybe", "format": "pdf", "browserProfiles": "[]", "plan": "",
	"page": "0", "limit": "0", "lines": "x", "wait": "-1", "after": "-1", "before": "x", "since": "yesterday",
	"outcome": "good", "until": "tomorrow", "kind": "good", "pictures": "maybe", "session": "", "q": "",
	"sort": "size", "sortBy": "size", "order": "sideways",
	"query": strings.Repeat("x", 300), "tags": strings.Repeat("a,", 60), "folder": "", "agent": "", "tab": "", "id": "",
	"known": "x", "ids": "x", "folders": "x", "statuses": "x", "proxies": "x", "noteQuery": strings.Repeat("x", 300)}

// wrongValues is what has the right shape and is refused all the same; the member that is named is the key, unless
// another stands in front of the value.
var wrongValues = map[string]map[string][]string{
	"POST /browser_profiles": {
		"name":   {`""`, `" "`, `"a\u0000b"`, `"` + strings.Repeat("x", 201) + `"`},
		"folder": {`"` + strings.Repeat("x", 201) + `"`}, "notes": {`"a\u0001"`},
		"tags": {`["` + strings.Repeat("x", 65) + `"]`}, "startPages": {`["ftp://x"]`, `"javascript:x"`},
		"window.width": {`1`},
		"locale":       {`"Klingon!"`}, "timezone": {`"Mars"`},
		"pageTools": {`"maybe"`},
		"args":      {`["x"]`, `["--no-such-switch-of-chromium"]`, `["--user-data-dir=x"]`},
		"browser":   {`"` + strings.Repeat("x", 5000) + `"`}, "proxy": {`7`, `"direct"`, `{}`}, "proxyId": {`7`},
		"porxy":       {`{"type":"http"}`},
		"locale.mode": {`"guess"`}, "policy.preset": {`"wide"`}, "policy.rights.fly": {`"yes"`},
		"policy.rights.act": {`"maybe"`}, "policy.sites.allow": {`["https://"]`},
		"policy.sites.block": {`["a b"]`}, "policy.answerers": {`[""]`}, "policy.presets": {`"open"`},
	},
	"PUT /browser_profiles/{id}/policy": {"preset": {`"wide"`, `""`}, "rights.fly": {`"yes"`},
		"rights.act": {`"maybe"`}, "sites.allow": {`["https://"]`}, "sites.block": {`["a b"]`},
		"answerers": {`[""]`}, "site": {`{}`}},
	"PATCH /browser_profiles/{id}": {"policy": {`{"preset":"open"}`}},
	"POST /browser_profiles/mass": {"profiles.0.name": {`""`}, "template.name": {`"a\u0000"`},
		"proxyId": {`7`}},
	"POST /import": {"profiles": {`[]`}, "profiles.0.name": {`""`}, "profiles.0.proxy": {`{}`, `{"host":"h"}`},
		"proxies.0.type": {`"ssh"`}, "profiles.0.porxy": {`{}`}},
	"DELETE /browser_profiles":          {"ids": {`[]`}, "ids.0": {`0`}},
	"POST /browser_profiles/{id}/start": {"automaton": {`true`}, "proxy": {`{"type":"http"}`}},
	"POST /browser_profiles/{id}/clone": {"name": {`"a\u0000b"`}, "args": {`["--x"]`}},
	"POST /browser_profiles/{id}/secrets": {"name": {`"a b"`}, "site": {`"*"`, `"a b"`},
		"value": {`"x"`, `"two\nlines of text"`}},
	"PATCH /extensions":           {"extensionIds": {`[]`}, "extensionIds.0": {`-1`}, "enabled": {`"maybe"`}},
	"DELETE /extensions":          {"ids": {`[]`}, "ids.0": {`0`}},
	"POST /extensions/attach":     {"extensionIds": {`[]`}, "profileIds": {`[]`}, "profileIds.0": {`0`}, "all": {`true`}},
	"POST /panic":                 {"on": {`null`}},
	"PUT /pin":                    {"pin": {`"1"`}},
	"POST /accounts":              {"email": {`"nobody"`}, "plan": {`"gold"`}},
	"POST /accounts/plan":         {"plan": {`"gold"`}},
	"POST /tokens":                {"name": {`""`}},
	"PUT /settings/{name}":        {"value": {`"x"`}},
	"POST /clients/{name}/add":    {"profile": {`0`}, "scope": {`"world"`}, "folder": {`"here"`}},
	"POST /clients/{name}/remove": {"profile": {`-1`}},
}

func TestWhatIsRefusedIsNamed(t *testing.T) {
	o := newOffice(t)
	home := paths.Home(t.TempDir())
	if err := home.Make(); err != nil {
		t.Fatal(err)
	}
	o.rebuild(func(c *Config) {
		c.Secrets, c.Machine = safe{store: secrets.OpenHome(home.Profile(1))}, numbers{}
	})
	for at, members := range wrongValues {
		method, path, _ := strings.Cut(at, " ")
		path = strings.NewReplacer("{id}", "1", "{name}", "api_port").Replace(path)
		for member, values := range members {
			for _, value := range values {
				body := bodyWith(member, value, besides(at, member))
				o.wants(member, method, path, body)
			}
		}
	}
	o.wants("search", "GET", "/browser_profiles?search="+strings.Repeat("x", 300), "")
	o.wants("tags[]", "GET", "/browser_profiles?tags[]="+strings.Repeat("a,", 60), "")
	o.wants("folders", "GET", "/browser_profiles?folders=x", "")
	o.wants("name", "DELETE", "/tokens/x", "")
	o.wants("window.height", "PATCH", "/browser_profiles/1", `{"window":{"width":500,"height":99999}}`)
	o.wants("password", "POST", "/accounts", `{"email":"ann@example.com","plan":"solo","password":"x"}`)
	o.wants("template.name", "POST", "/browser_profiles/mass", `{"count":2,"template":{"notes":"x"}}`)
	o.wants("folder", "POST", "/clients/cursor/add", `{"profile":1,"scope":"project"}`)
	for member, body := range map[string]string{
		"proxy.type":     `{"type":"ssh","host":"h.example","port":1}`,
		"proxy.host":     `{"type":"http","host":"a b","port":1}`,
		"proxy.port":     `{"type":"http","host":"h.example","port":0}`,
		"proxy.login":    `{"type":"http","host":"h.example","port":1,"login":"a\u0000"}`,
		"proxy.password": `{"type":"http","host":"h.example","port":1,"password":"a\u0000"}`,
		"proxy.bypass":   `{"type":"http","host":"h.example","port":1,"bypass":"*"}`,
	} {
		o.wants(member, "POST", "/browser_profiles", `{"name":"one","proxy":`+body+`}`)
		o.wants("profiles.1."+member, "POST", "/browser_profiles/mass",
			`{"profiles":[{"name":"one"},{"name":"two","proxy":`+body+`}]}`)
		o.wants("template."+member, "POST", "/browser_profiles/mass",
			`{"count":2,"template":{"name":"one","proxy":`+body+`}}`)
	}
	o.rebuild(func(c *Config) { c.Machine = noBrowser{} })
	o.wants("value", "PUT", "/settings/browser", `{"value":"/bin/true"}`)
	if err := fault.From(clients.CheckName("A b")); err.Field != "name" {
		t.Errorf("%q", err.Field)
	}
}

// noBrowser is a computer that learns only from a try that a program is not a browser.
type noBrowser struct{ settings }

func (noBrowser) SetSetting(context.Context, string, string) (api.Setting, error) {
	return api.Setting{}, fault.Invalidf("That is not a browser.")
}

// numbers is a computer whose settings are numbers and whose browsers are none.
type numbers struct{ settings }

func (numbers) CheckSetting(string, string) error { return fault.Invalidf("That is not a number.") }
