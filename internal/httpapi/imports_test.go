package httpapi

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"cove/api"
)

func (o *office) importing(token, body string) (status int, got api.Imported, answer string) {
	o.t.Helper()
	status, _, answer = o.send(token, "POST", "/import", body)
	_ = json.Unmarshal([]byte(answer), &got)
	return status, got, answer
}

func TestAnImportMakesEverythingOrNothing(t *testing.T) {
	o := owned(t)
	before := o.state()
	const good = `{"name":"x","tags":["t"],"folder":"New","status":{"name":"hot","color":"red"},"startPages":["a.example"],
		"notes":"n","locale":"de","timezone":"UTC","proxy":{"type":"socks5","host":"h.example","port":1080}}`
	for _, c := range []struct {
		token, body string
		status      int
	}{
		{"", `{"profiles":[` + good + `]}`, 401},
		{o.token, `{"profiles":[` + good + `,{"name":""}]}`, 400},
		{o.token, `{"profiles":[` + good + `,{"name":"y","proxy":{}}]}`, 422},
		{o.token, `{"profiles":[` + good + `,{"name":"y","proxy":{"type":"ssh","host":"h.example","port":1}}]}`, 422},
		{o.token, `{"profiles":[` + good + `,{"name":"y","proxy":{"type":"http","host":"h.example","port":1,"by":1}}]}`, 400},
		{o.token, `{"profiles":[` + good + `,{"name":"y","proxyId":7}]}`, 400},
		{o.token, `{"profiles":[` + good + `,{"name":"y","args":["--proxy-server=x"]}]}`, 400},
		{o.token, `{"profiles":[` + good + `,{"name":"y","args":["--load-extension=/x"]}]}`, 403},
		{o.token, `{"profiles":[` + good + `],"proxies":[{"type":"http","host":"","port":1}]}`, 422},
		{o.token, `{"profiles":[],"proxies":[]}`, 400},
		{o.token, `{"dryRun":true,"profiles":[` + good + `]}`, 200},
	} {
		status, got, answer := o.importing(c.token, c.body)
		if status != c.status || len(got.IDs) > 0 {
			t.Errorf("%s: %d %s", c.body, status, answer)
		}
		if status == 200 && (got.Profiles != 1 || got.Proxies != 1 || got.Folders != 1 || got.Statuses != 1) {
			t.Errorf("%s: %s", c.body, answer)
		}
	}
	if after := o.state(); after != before {
		t.Fatalf("a refusal changed\n%s\ninto\n%s", before, after)
	}

	status, got, answer := o.importing(o.token, `{"profiles":[`+good+`],"proxies":[{"name":"mine","type":"socks5",
		"host":"h.example","port":1080}]}`)
	if status != 200 || len(got.IDs) != 1 || got.Proxies != 1 {
		t.Fatalf("%d %s", status, answer)
	}
	_, _, shown := o.send(o.token, "GET", "/browser_profiles/"+got.IDs[0].String(), "")
	for _, part := range []string{`"name":"x"`, `"folder":"New"`, `"name":"hot"`, `"https://a.example"`, `"timezone":"UTC"`} {
		if !strings.Contains(shown, part) {
			t.Errorf("%s is not in %s", part, shown)
		}
	}
}

func TestManyProfilesAreImportedAtOnce(t *testing.T) {
	o := owned(t)
	in := api.ImportInput{}
	for i := range 3000 {
		in.Profiles = append(in.Profiles, api.ImportProfile{Name: fmt.Sprint("p", i), Notes: strings.Repeat("n", 1000),
			Proxy: &api.Proxy{Type: "http", Host: "h.example", Port: 1 + i}})
	}
	raw, err := json.Marshal(in)
	if err != nil || len(raw) <= maxBody {
		t.Fatalf("%d bytes, %v", len(raw), err)
	}
	before := o.state()
	in.Profiles[1500].Proxy.Type = "wire"
	broken, _ := json.Marshal(in)
	if status, _, answer := o.importing(o.token, string(broken)); status != 422 ||
		!strings.Contains(answer, "Profile 1501 of 3000: Unknown proxy type") {
		t.Errorf("%d %s", status, answer)
	}
	if o.state() != before {
		t.Error("a broken profile in the middle changed something")
	}
	if status, got, answer := o.importing(o.token, string(raw)); status != 200 || len(got.IDs) != 3000 {
		t.Errorf("%d %s", status, answer)
	}
}
