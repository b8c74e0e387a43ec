package httpapi

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"cove/api"
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
	o.rebuild(func(c *Config) { c.Machine = looker{ran: ran} })
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
		if status != 401 || code != "E_UNAUTHORIZED" || !strings.Contains(answer, `\"`+c.field+`\"`) ||
			!strings.Contains(answer, "Authorization: Bearer") {
			t.Errorf("POST %s %s: %d %s", c.path, c.body, status, answer)
		}
	}
	if len(*ran) > 0 {
		t.Errorf("programs were run: %q", *ran)
	}
	if status, _, answer := o.send("", "POST", "/browser_profiles/start?name=x",
		`{"automation":"maybe"}`); status != 400 {
		t.Errorf("a name in the address: %d %s", status, answer)
	}
	// With a credential they are understood or refused, never left aside.
	for path, body := range map[string]string{"/browser_profiles/1/start": `{"browser":"/path/x"}`,
		"/browser_profiles/1/start?args=--mute-audio": "", "/browser_profiles/start?browser=/path/x": ""} {
		o.want(400, "E_INVALID", ownersToken, "POST", path, body)
	}
}

func TestOnlyThePersonNamesAProgramOrLoadsCode(t *testing.T) {
	o := newOffice(t)
	ran := o.look()
	for _, body := range []string{`{"name":"x","browser":"/path/x"}`,
		`{"name":"x","args":["--load-extension=/path/x"]}`} {
		for _, c := range []struct{ method, path, body string }{{"POST", "/browser_profiles", body},
			{"PATCH", "/browser_profiles/1", body}, {"PUT", "/browser_profiles/1", body},
			{"POST", "/browser_profiles/mass", `{"profiles":[{"name":"y"},` + body + `]}`},
			{"POST", "/browser_profiles/mass", `{"count":2,"template":` + body + `}`},
			{"POST", "/browser_profiles/start", body}} {
			o.want(403, "E_NOT_PERSON", o.token, c.method, c.path, c.body)
			if _, _, answer := o.send(o.token, c.method, c.path, c.body); !strings.Contains(answer,
				"Only the user can choose a browser") &&
				!strings.Contains(answer, "Only the user can add the argument --load-extension=") {
				t.Errorf("%s: it does not say what is the person's: %s", c.path, answer)
			}
		}
	}
	if len(*ran) > 0 {
		t.Errorf("an API token runs %q", *ran)
	}
	o.want(200, "", o.token, "PATCH", "/browser_profiles/1", `{"browser":"/usr/bin/chromium","args":["--mute-audio"]}`)
	o.want(200, "", ownersToken, "PATCH", "/browser_profiles/1",
		`{"browser":"/path/x","args":["--load-extension=/path/x"]}`)
	if len(*ran) != 2 || (*ran)[1] != "/path/x" {
		t.Errorf("looked at %q", *ran)
	}
	// as it was
	o.want(200, "", o.token, "PATCH", "/browser_profiles/1",
		`{"name":"two","browser":"/path/x","args":["--load-extension=/path/x"]}`)
	o.want(403, "E_NOT_PERSON", o.token, "PATCH", "/browser_profiles/1",
		`{"args":["--load-extension=/path/x","--load-extension=/path/y"]}`)
}

// What a profile got when more was allowed keeps nobody from changing the rest of it.
func TestAProfileWithAnArgumentThatIsNoLongerAllowedCanBeEdited(t *testing.T) {
	o := newOffice(t)
	if _, err := o.config.Profiles.Update(t.Context(), 1, func(p *profile.Profile) error {
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

// drawer keeps the names of secrets.
type drawer struct {
	names []string
}

func (d *drawer) List(profile.ID) (all []api.Secret, err error) {
	for _, name := range d.names {
		all = append(all, api.Secret{Name: name})
	}
	return all, nil
}

func (*drawer) Correct(profile.ID, string, api.SecretChange) error { return nil }

func (*drawer) Code(profile.ID, string) (api.SecretCode, error) { return api.SecretCode{}, nil }

func (d *drawer) Set(_ profile.ID, in api.NewSecret, replace bool) error {
	if slices.Contains(d.names, in.Name) != replace {
		return errors.New("not what was judged")
	}
	if !replace {
		d.names = append(d.names, in.Name)
	}
	return nil
}

func (d *drawer) Remove(_ profile.ID, name string) error {
	d.names = slices.DeleteFunc(d.names, func(n string) bool { return n == name })
	return nil
}

func TestAnAPITokenTakesNoSecretAway(t *testing.T) {
	o, d := newOffice(t), &drawer{}
	o.rebuild(func(c *Config) { c.Secrets = d })
	const path, value = "/browser_profiles/1/secrets",
		`{"name":"mail","site":"https://a.example","value":"long enough"}`
	o.want(200, "", o.token, "POST", path, value) // a new one only hides more
	o.want(200, "", o.token, "GET", path, "")
	o.want(200, "", ownersToken, "PUT", "/pin", `{"pin":"4711"}`)
	for _, c := range [][3]string{{"POST", path, value}, {"DELETE", path + "/mail", ""},
		{"PATCH", path + "/mail", `{"skew":40}`}, {"POST", path + "/mail/code", ""},
		{"POST", "/browser_profiles/1/clone", `{"data":true}`}} {
		o.want(403, "E_NOT_PERSON", o.token, c[0], c[1], c[2])
		o.want(403, "E_PIN_REQUIRED", ownersToken, c[0], c[1], c[2])
	}
	if len(d.names) != 1 {
		t.Fatalf("what is kept: %q", d.names)
	}
	o.want(200, "", ownersToken, "POST", path, value, "Cove-Pin", "4711")
	o.want(200, "", ownersToken, "DELETE", path+"/mail", "", "Cove-Pin", "4711")
	if len(d.names) != 0 {
		t.Errorf("what is kept: %q", d.names)
	}
}

func TestAnAPITokenMakesNoTokensAndNoAccounts(t *testing.T) {
	o := newOffice(t)
	for _, c := range [][3]string{{"POST", "/tokens", `{"name":"mine"}`}, {"DELETE", "/tokens/1", ""},
		{"POST", "/accounts", `{"email":"me@a.example","password":"long enough","plan":"team"}`},
		{"POST", "/accounts/plan", `{"plan":"team"}`}} {
		o.want(403, "E_NOT_PERSON", o.token, c[0], c[1], c[2])
		o.want(401, "E_UNAUTHORIZED", "", c[0], c[1], c[2])
	}
	o.want(200, "", o.token, "GET", "/tokens", "")
	o.want(200, "", ownersToken, "POST", "/tokens", `{"name":"mine"}`)
	o.want(200, "", ownersToken, "POST", "/accounts", `{"email":"me@a.example","password":"long enough","plan":"team"}`)
}

func TestWhoIsLoggedInIsNotForEverybody(t *testing.T) {
	o := newOffice(t)
	for _, token := range []string{"", "wrong"} {
		o.want(401, "E_UNAUTHORIZED", token, "GET", "/auth/me", "")
		o.want(401, "E_UNAUTHORIZED", token, "POST", "/auth/logout", "")
	}
	o.want(200, "", o.token, "GET", "/auth/me", "")
	o.want(200, "", o.token, "POST", "/auth/logout", "")
	o.want(401, "E_UNAUTHORIZED", o.token, "GET", "/auth/me", "")
}

func TestAWrongCredentialIsToldFromNone(t *testing.T) {
	o := newOffice(t)
	for header, want := range map[string]string{"": "needs a credential", "Bearer wrong": "is not valid",
		"Bearer ": "has no token", "Basic b3duZXI6": "is not a Bearer token",
		"wrong": "is not valid", "Basic " + o.token: "is not a Bearer token", o.token + " x": "is not a Bearer token"} {
		var more []string
		if header != "" {
			more = []string{"Authorization", header}
		}
		for _, c := range [][3]string{{"GET", "/tokens", ""},
			{"POST", "/browser_profiles/start", `{"browser":"/path/x"}`}} {
			status, _, answer := o.send("", c[0], c[1], c[2], more...)
			if status != 401 || !strings.Contains(answer, want) || !strings.Contains(answer, "cove token create") {
				t.Errorf("%q: %d %s", header, status, answer)
			}
		}
	}
}

// What a change does counts, not which fields it sends.
func TestAPUTIsJudgedByWhatItChanges(t *testing.T) {
	o := newOffice(t)
	full := `"proxy":{"type":"http","host":"h.example","port":1},"args":["--mute-audio"]`
	o.want(200, "", o.token, "PATCH", "/browser_profiles/1", `{`+full+`}`)
	o.want(200, "", ownersToken, "PUT", policyPath, `{"preset":"guarded"}`)
	for _, body := range []string{`{"name":"b","args":[]}`, `{"name":"b","proxy":null}`, `{"proxy":""}`,
		`{"name":"b","proxyId":null}`, `{"name":"b","proxy":{"type":"http","host":"h.example","port":1,"login":"x"},"args":["--mute-audio"]}`} {
		o.want(403, "E_NOT_PERSON", o.token, "PUT", "/browser_profiles/1", body)
	}
	o.want(403, "E_NOT_PERSON", o.token, "PATCH", "/browser_profiles/1", `{"proxy":null}`)
	o.want(200, "", o.token, "PATCH", "/browser_profiles/1", `{"name":"c",`+full+`}`) // nothing of it is new
	o.want(200, "", o.token, "PUT", "/browser_profiles/1", `{"name":"d",`+full+`}`)
	if _, _, answer := o.send(o.token, "GET", "/browser_profiles/1", ""); !strings.Contains(answer, "h.example") ||
		!strings.Contains(answer, "--mute-audio") || !strings.Contains(answer, `"name":"d"`) {
		t.Errorf("the profile is %s", answer)
	}
	o.want(200, "", o.token, "PUT", "/browser_profiles/1", `{"name":"e"}`) // what is not sent stays
	if _, _, answer := o.send(o.token, "GET", "/browser_profiles/1", ""); !strings.Contains(answer, "h.example") ||
		!strings.Contains(answer, "--mute-audio") || !strings.Contains(answer, `"name":"e"`) {
		t.Errorf("the profile is %s", answer)
	}
}

// The PIN is slow to try, and wrong ones are counted: one call asks for it once.
func TestManyProfilesAskThePersonOnce(t *testing.T) {
	o := newOffice(t)
	ran := o.look()
	o.want(200, "", ownersToken, "PUT", "/pin", `{"pin":"4711"}`)
	const body = `{"count":50,"template":{"name":"x","browser":"/path/x","args":["--load-extension=/path/y"]}}`
	o.want(403, "E_PIN_WRONG", ownersToken, "POST", "/browser_profiles/mass", body, "Cove-Pin", "0000")
	o.want(200, "", ownersToken, "POST", "/browser_profiles/mass", body, "Cove-Pin", "4711")
	if len(*ran) != 1 {
		t.Errorf("the browser was looked at %d times", len(*ran))
	}
}
