package httpapi

import (
	"context"
	"strings"
	"testing"

	"cove/internal/profile"
)

// looker remembers the programs that were run to see whether they are browsers.
type looker struct {
	settings
	ran *[]string
}

func (l looker) CheckBrowser(_ context.Context, path string) error {
	*l.ran = append(*l.ran, path)
	return nil
}

func (looker) RequireToken(context.Context) (bool, error) { return false, nil }

func (o *office) look() *[]string {
	ran := &[]string{}
	o.Machine = looker{ran: ran}
	return ran
}

func TestACallerWithoutACredentialNamesNoBrowserArgumentsOrProxy(t *testing.T) {
	o := newOffice(t)
	ran := o.look()
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	for _, c := range []struct {
		path, body, field string
		header            []string
	}{
		{"/browser_profiles/start", `{"automation":1,"browser":"/path/x"}`, "browser", nil},
		{"/browser_profiles/start", `{"Browser":"/path/x"}`, "browser", nil},
		{"/browser_profiles/start", `{"args":["--mute-audio"]}`, "args", nil},
		{"/browser_profiles/start", `{"args":"--mute-audio"}`, "args", nil},
		{"/browser_profiles/start", `{"proxy":{"type":"http","host":"h.example","port":1}}`, "proxy", nil},
		{"/browser_profiles/start", "automation=1&browser=/path/x", "browser", form},
		{"/browser_profiles/start", "args[]=--mute-audio", "args", form},
		{"/browser_profiles/start", "proxy[type]=http&proxy[host]=h.example&proxy[port]=1", "proxy", form},
		{"/browser_profiles/start?automation=1&browser=/path/x", "", "browser", nil},
		{"/browser_profiles/start?args=--mute-audio", "", "args", nil},
		{"/browser_profiles/start?proxy=http://h.example:1", `{}`, "proxy", nil},
		{"/browser_profiles/1/start?browser=/path/x", "", "browser", nil},
		{"/browser_profiles/1/start?automation=1&args=--mute-audio", "", "args", nil},
		{"/browser_profiles/1/start", `{"browser":"/path/x"}`, "browser", nil},
		{"/browser_profiles/1/start", `{"args":["--mute-audio"]}`, "args", nil},
		{"/browser_profiles/1/start", `{"proxy":{"id":7}}`, "proxy", nil},
		{"/browser_profiles/1/start", `{"proxyId":7}`, "proxyId", nil},
		{"/browser_profiles/1/start", "browser=/path/x", "browser", form},
	} {
		status, code, answer := o.send("", "POST", c.path, c.body, c.header...)
		if status != 401 || code != "E_UNAUTHORIZED" || !strings.Contains(answer, `\"`+c.field+`\"`) || !strings.Contains(answer, "Authorization: Bearer") {
			t.Errorf("POST %s %s: %d %s", c.path, c.body, status, answer)
		}
	}
	if len(*ran) > 0 {
		t.Errorf("programs were run: %q", *ran)
	}
	// With a credential they are understood or refused, never left aside.
	for path, body := range map[string]string{"/browser_profiles/1/start": `{"browser":"/path/x"}`, "/browser_profiles/1/start?args=--mute-audio": "", "/browser_profiles/start?browser=/path/x": ""} {
		o.want(400, "E_INVALID", ownersToken, "POST", path, body)
	}
}

func TestOnlyThePersonNamesAProgramOrLoadsCode(t *testing.T) {
	o := newOffice(t)
	ran := o.look()
	for _, body := range []string{`{"name":"x","browser":"/path/x"}`, `{"name":"x","args":["--load-extension=/path/x"]}`} {
		for _, c := range []struct{ method, path, body string }{{"POST", "/browser_profiles", body}, {"PATCH", "/browser_profiles/1", body}, {"PUT", "/browser_profiles/1", body},
			{"POST", "/browser_profiles/mass", `{"profiles":[{"name":"y"},` + body + `]}`}, {"POST", "/browser_profiles/mass", `{"count":2,"template":` + body + `}`}, {"POST", "/browser_profiles/start", body}} {
			o.want(403, "E_NOT_PERSON", o.token, c.method, c.path, c.body)
		}
	}
	if len(*ran) > 0 {
		t.Errorf("an API token runs %q", *ran)
	}
	o.want(200, "", o.token, "PATCH", "/browser_profiles/1", `{"browser":"/usr/bin/chromium","args":["--mute-audio"]}`)
	o.want(200, "", ownersToken, "PATCH", "/browser_profiles/1", `{"browser":"/path/x","args":["--load-extension=/path/x"]}`)
	if len(*ran) != 2 || (*ran)[1] != "/path/x" {
		t.Errorf("looked at %q", *ran)
	}
	o.want(200, "", o.token, "PATCH", "/browser_profiles/1", `{"name":"two","browser":"/path/x","args":["--load-extension=/path/x"]}`) // as it was
	o.want(403, "E_NOT_PERSON", o.token, "PATCH", "/browser_profiles/1", `{"args":["--load-extension=/path/x","--load-extension=/path/y"]}`)
}

// What a profile got when more was allowed keeps nobody from changing the rest of it.
func TestAProfileWithAnArgumentThatIsNoLongerAllowedCanBeEdited(t *testing.T) {
	o := newOffice(t)
	if _, err := o.Profiles.Update(t.Context(), 1, func(p *profile.Profile) error {
		p.Args = []string{"--old-switch", "--mute-audio"}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	o.want(200, "", o.token, "PATCH", "/browser_profiles/1", `{"name":"two"}`)
	o.want(200, "", o.token, "PATCH", "/browser_profiles/1", `{"name":"three","args":["--old-switch","--mute-audio"]}`)
	o.want(400, "E_INVALID", o.token, "PATCH", "/browser_profiles/1", `{"args":["--old-switch"]}`)
	o.want(400, "E_INVALID", "", "PATCH", "/browser_profiles/1", `{"args":["--old-switch"]}`)
	o.want(400, "E_INVALID", o.token, "PATCH", "/browser_profiles/99", `{"args":["--old-switch"]}`)
	o.want(200, "", o.token, "PATCH", "/browser_profiles/1", `{"args":["--mute-audio"]}`)
}
