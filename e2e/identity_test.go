//go:build e2e

package e2e

import (
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
)

// apiToken makes an API token, as programs have them.
func (a *app) apiToken() string {
	a.t.Helper()
	r := a.own(http.MethodPost, "/v1.0/tokens", `{"name":"program"}`)
	token, _ := apiAt(r.Body, "data", "token").(string)
	if token == "" {
		a.t.Fatal(r.Raw)
	}
	return token
}

// A start needs no credential, so it must not be able to say which program runs.
func TestNobodyRunsAProgramWithoutThePerson(t *testing.T) {
	a := stateStart(t)
	ran := filepath.Join(t.TempDir(), "ran")
	program := filepath.Join(t.TempDir(), "program")
	errScript(t, program, "touch "+ran+"; echo Chromium 999.0.1.2; exit 3")
	prefix := "--zygote-cmd-prefix=" + program
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	json := []string{"Content-Type", "application/json"}
	type try struct {
		method, path, body string
		header             []string
	}
	tries := []try{
		{"POST", "/v1.0/browser_profiles/start", fmt.Sprintf(`{"automation":1,"browser":%q}`, program), json},
		{"POST", "/browser_profiles/start/", fmt.Sprintf(`{"browser":%q}`, program), nil},
		{"POST", "/v1.0/browser_profiles/start", "automation=1&browser=" + url.QueryEscape(program), form},
		{"POST", "/v1.0/browser_profiles/start?automation=1&browser=" + url.QueryEscape(program), "", nil},
		{"POST", "/v1.0/browser_profiles/start", fmt.Sprintf(`{"automation":1,"args":[%q]}`, prefix), json},
		{"POST", "/v1.0/browser_profiles/start", "args[]=" + url.QueryEscape(prefix), form},
		{"GET", "/v1.0/browser_profiles/1/start?automation=1&browser=" + url.QueryEscape(program), "", nil},
		{"GET", "/v1.0/browser_profiles/1/start?automation=1&args=" + url.QueryEscape(prefix), "", nil},
		{"POST", "/v1.0/browser_profiles/1/start", fmt.Sprintf(`{"automation":true,"browser":%q}`, program), json},
		{"PUT", "/v1.0/settings/browser", fmt.Sprintf(`{"value":%q}`, program), json},
		{"POST", "/v1.0/browser_profiles", fmt.Sprintf(`{"name":"x","browser":%q}`, program), json},
		{"PATCH", "/v1.0/browser_profiles/1", fmt.Sprintf(`{"browser":%q}`, program), json},
	}
	check := func(who string, c try, r answer) {
		t.Helper()
		if r.Status < 400 || exists(ran) {
			t.Fatalf("%s: %s %s %s answers %d %s, and the program ran: %v", who, c.method, c.path, c.body, r.Status, r.Raw, exists(ran))
		}
	}
	for _, c := range tries {
		r := a.request(c.method, c.path, c.body, c.header...)
		check("a stranger", c, r)
		if strings.Contains(c.path, "start") && !strings.Contains(c.body, "cmd-prefix") {
			mustRefuse(t, r, http.StatusUnauthorized, "E_UNAUTHORIZED")
			if hint, _ := apiAt(r.Body, "errorObject", "hint").(string); !strings.Contains(hint, "Authorization: Bearer") {
				t.Errorf("it is not told how to send a credential: %s", r.Raw)
			}
		}
	}
	token := a.apiToken()
	for _, c := range tries {
		check("an API token", c, a.request(c.method, c.path, c.body, append([]string{"Authorization", "Bearer " + token}, c.header...)...))
	}
	a.mustList("", "First profile")
	a.mustBeClosed(1, 0)

	// What needs no more than a start still works without a credential, and an installed browser may be named with one.
	plain := a.request("POST", "/v1.0/browser_profiles/start", `{"automation":1,"name":"plain","platform":"linux"}`)
	mustSucceed(t, plain)
	if fmt.Sprint(plain.Body["ignored"]) != "[platform]" {
		t.Errorf("the start says %s", plain.Raw)
	}
	mustSucceed(t, a.request("POST", "/v1.0/browser_profiles/start", `{"automation":1,"browser":"/usr/bin/chromium","args":["--mute-audio"]}`, "Authorization", "Bearer "+token))
	if len(a.processes("--mute-audio")) == 0 {
		t.Error("the argument did not reach the browser")
	}
}
