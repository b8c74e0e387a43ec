//go:build e2e

package api

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"cove/e2e/harness"
)

// A start needs no credential, so it must not be able to say which program runs.
func TestNobodyRunsAProgramWithoutThePerson(t *testing.T) {
	a := stateStart(t)
	ran := filepath.Join(t.TempDir(), "ran")
	program := filepath.Join(t.TempDir(), "program")
	harness.Script(t, program, "touch "+ran+"; echo Chromium 999.0.1.2; exit 3")
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
	check := func(who string, c try, r harness.Answer) {
		t.Helper()
		if r.Status < 400 || harness.Exists(ran) {
			t.Fatalf("%s: %s %s %s answers %d %s, and the program ran: %v", who, c.method, c.path, c.body, r.Status,
				r.Raw, harness.Exists(ran))
		}
	}
	for _, c := range tries {
		r := a.Request(c.method, c.path, c.body, c.header...)
		check("a stranger", c, r)
		if strings.Contains(c.path, "start") && !strings.Contains(c.body, "cmd-prefix") {
			harness.MustRefuse(t, r, http.StatusUnauthorized, "E_UNAUTHORIZED")
			if hint, _ := harness.Member(r.Body, "errorObject", "hint").(string); !strings.Contains(hint,
				"Authorization: Bearer") {
				t.Errorf("it is not told how to send a credential: %s", r.Raw)
			}
		}
	}
	token := a.APIToken()
	for _, c := range tries {
		check("an API token", c, a.Request(c.method, c.path, c.body,
			append([]string{"Authorization", "Bearer " + token}, c.header...)...))
	}
	a.MustList("", "First profile")
	a.MustBeClosed(1, 0)

	// What needs no more than a start still works without a credential, and an installed browser may be named with one.
	plain := a.Request("POST", "/v1.0/browser_profiles/start", `{"automation":1,"name":"plain","platform":"linux"}`)
	harness.MustSucceed(t, plain)
	if fmt.Sprint(plain.Body["ignored"]) != "[platform]" {
		t.Errorf("the start says %s", plain.Raw)
	}
	harness.MustSucceed(t, a.Request("POST", "/v1.0/browser_profiles/start",
		`{"automation":1,"browser":"/usr/bin/chromium","args":["--mute-audio"]}`, "Authorization", "Bearer "+token))
	if len(a.Processes("--mute-audio")) == 0 {
		t.Error("the argument did not reach the browser")
	}
}

func TestAnAPITokenIsNotThePerson(t *testing.T) {
	a := stateStart(t)
	token := a.APIToken()
	program := func(method, path, body string) harness.Answer {
		t.Helper()
		return a.Request(method, path, body, "Authorization", "Bearer "+token, "Content-Type", "application/json")
	}
	harness.MustSucceed(t, a.Own("PATCH", harness.StatePath(1, ""),
		`{"proxy":{"type":"http","host":"h.example","port":1},"args":["--mute-audio"]}`))
	harness.MustSucceed(t, a.Own("PUT", harness.PolicyPath(1), `{"preset":"guarded"}`))
	secrets := harness.StatePath(1, "/secrets")
	harness.MustSucceed(t, program("POST", secrets, `{"name":"mail","site":"https://a.example","value":"first value"}`))
	for _, c := range [][3]string{
		{"POST", secrets, `{"name":"mail","site":"https://a.example","value":"other value"}`},
		{"DELETE", secrets + "/mail"}, {"POST", harness.StatePath(1, "/clone"), `{"data":true}`},
		{"PUT", harness.StatePath(1, ""), `{"name":"b","proxy":null}`}, {"PATCH", harness.StatePath(1, ""), `{"proxy":null}`},
		{"PATCH", harness.StatePath(1, ""), `{"args":[]}`},
		{"POST", "/v1.0/tokens", `{"name":"mine"}`}, {"DELETE", "/v1.0/tokens/1"},
		{"POST", "/v1.0/accounts", `{"email":"me@a.example","password":"long enough","plan":"team"}`},
		{"POST", "/v1.0/accounts/plan", `{"plan":"team"}`},
		{"GET", "/v1.0/login_sources"}, {"GET", "/v1.0/login_imports"}, {"GET", "/v1.0/login_imports/x"},
		{"POST", "/v1.0/login_imports", `{"profile":1,"dataDir":"/home/ann/.config/chromium"}`},
		{"POST", "/v1.0/login_imports/x", `{"all":true}`}, {"DELETE", "/v1.0/login_imports/x"},
	} {
		t.Run(c[0]+" "+c[1], func(t *testing.T) {
			harness.MustRefuse(t, stateIn(t, a).Request(c[0], c[1], c[2], "Authorization", "Bearer "+token,
				"Content-Type", "application/json"), http.StatusForbidden, "E_NOT_PERSON")
		})
	}
	one := a.Own("GET", harness.StatePath(1, ""), "")
	if harness.Member(one.Body, "data", "proxy", "host") != "h.example" ||
		fmt.Sprint(harness.Member(one.Body, "data", "args")) != "[--mute-audio]" ||
		harness.Member(one.Body, "data", "name") != "First profile" {
		t.Errorf("the profile is %s", one.Raw)
	}
	if r := a.Own("GET", secrets, ""); strings.Count(r.Raw, `"mail"`) != 1 {
		t.Errorf("the secrets are %s", r.Raw)
	}
	if r := a.Own("GET", "/v1.0/tokens", ""); strings.Count(r.Raw, `"id"`) != 1 {
		t.Errorf("the tokens are %s", r.Raw)
	}
	// The person may, with the PIN where there is one.
	harness.MustSucceed(t, a.Own("PUT", "/v1.0/pin", `{"pin":"4711"}`))
	harness.MustRefuse(t, a.Own("DELETE", secrets+"/mail", ""), http.StatusForbidden, "E_PIN_REQUIRED")
	person := []string{"Authorization", "Bearer " + a.Token(), "Cove-Pin", "4711"}
	harness.MustSucceed(t, a.Request("POST", harness.StatePath(1, "/clone"), `{"data":true}`, person...))
	harness.MustSucceed(t, a.Request("DELETE", secrets+"/mail", "", person...))
}

func TestStrangersAreToldWhatIsMissing(t *testing.T) {
	a := stateStart(t)
	for _, header := range [][]string{nil, {"Authorization", "Bearer wrong"}} {
		for _, c := range [][2]string{{"GET", "/v1.0/auth/me"}, {"POST", "/v1.0/auth/logout"},
			{"GET", "/v1.0/tokens"}} {
			r := a.Request(c[0], c[1], "", header...)
			harness.MustRefuse(t, r, http.StatusUnauthorized, "E_UNAUTHORIZED")
			if wrong := strings.Contains(r.Raw, "is not valid"); wrong != (header != nil) {
				t.Errorf("with %q %s answers %s", header, c[1], r.Raw)
			}
		}
	}
	harness.MustSucceed(t, a.Own("PUT", harness.PolicyPath(1), `{"preset":"guarded"}`))
	started := a.Get(harness.StatePath(1, "/start?automation=1"))
	harness.MustSucceed(t, started)
	hint, _ := harness.Member(started.Body, "automation", "hint").(string)
	if started.Port() == 0 || harness.Member(started.Body, "automation", "wsEndpoint") != nil ||
		!strings.Contains(hint, "this profile's policy is guarded") || !strings.Contains(hint, "cove token create") {
		t.Errorf("a stranger's start says %s", started.Raw)
	}
	again := a.Request("GET", harness.StatePath(1, "/active"), "", "Authorization", "Bearer wrong")
	if hint, _ := harness.Member(again.Body, "automation", "hint").(string); !strings.Contains(hint, "is not valid") {
		t.Errorf("a wrong token is told %s", again.Raw)
	}
	// What the port's answer names is there: the header, and an address that opens without it.
	version := fmt.Sprintf("http://127.0.0.1:%d/json/version", started.Port())
	for token, want := range map[string]string{"": "needs a credential", "wrong": "is not valid"} {
		if status, body := harness.Fetch(t, http.MethodGet, version, token); status != 401 ||
			!strings.Contains(body, want) || !strings.Contains(body, "owner.token") {
			t.Errorf("the port answers %d %s", status, body)
		}
	}
	if status, body := harness.Fetch(t, http.MethodGet, version, a.Token()); status != 200 {
		t.Errorf("with a credential the port answers %d %s", status, body)
	}
	owned := a.Own("GET", harness.StatePath(1, "/active"), "")
	address, _ := harness.Member(owned.Body, "automation", "webSocketDebuggerUrl").(string)
	if harness.Member(owned.Body, "automation", "hint") != nil || !strings.HasPrefix(address, "ws://127.0.0.1:") {
		t.Fatalf("with a credential it says %s", owned.Raw)
	}
	stateConnect(t, address).call("Browser.getVersion")
}

// Whoever types the README's lines one after the other can go on.
func TestTheReadmesPolicyLeavesItsNextLinesWorking(t *testing.T) {
	a := stateStart(t)
	raw, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for line := range strings.Lines(string(raw)) {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(strings.ReplaceAll(line, "'", ""))
		if len(words) < 3 || words[0] != "bin/cove" ||
			!slices.Contains([]string{"profile create", "policy set", "policy test"}, words[1]+" "+words[2]) {
			continue
		}
		a.Must(words[1:]...)
		ran++
	}
	if ran < 2 {
		t.Fatalf("only %d lines were found", ran)
	}
	r := a.Get(harness.StatePath(1, "/start?automation=1"))
	harness.MustSucceed(t, r)
	if endpoint, _ := harness.Member(r.Body, "automation", "wsEndpoint").(string); endpoint == "" {
		t.Errorf("the README's start answers %s", r.Raw)
	}
	if status, body := harness.Fetch(t, http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/json/version", r.Port()),
		""); status != 200 {
		t.Errorf("Puppeteer's first request answers %d %s", status, body)
	}
}

// A proxy that silently means none shows a site the wrong person.
func TestAProxyThatIsNotUnderstoodIsNeverNone(t *testing.T) {
	a := stateStart(t)
	harness.MustSucceed(t, a.Own("PATCH", harness.StatePath(1, ""),
		`{"proxy":{"type":"http","host":"h.example","port":1}}`))
	form := []string{"Authorization", "Bearer " + a.Token(), "Content-Type", "application/x-www-form-urlencoded"}
	a.Unchanged(func() {
		for _, proxy := range []string{`"proxy":{"id":7}`, `"proxy":7`, `"proxy":{}`, `"proxy_id":7`, `"proxyId":"7"`,
			`"proxy":{"type":"ssh","host":"h.example","port":1}`, `"proxy":{"type":"http","host":"h.example","port":1,"via":"x"}`} {
			for _, c := range [][3]string{{"PATCH", harness.StatePath(1, ""), "{" + proxy + "}"},
				{"PUT", harness.StatePath(1, ""), `{"name":"x",` + proxy + "}"},
				{"POST", "/v1.0/browser_profiles", `{"name":"x",` + proxy + "}"},
				{"POST", "/v1.0/browser_profiles/mass", `{"profiles":[{"name":"a"},{"name":"x",` + proxy + "}]}"},
				{"POST", "/v1.0/browser_profiles/start", `{"automation":1,` + proxy + "}"},
				{"POST", harness.StatePath(1, "/start"), `{"automation":1,` + proxy + "}"}, {"POST",
					harness.StatePath(1, "/clone"), "{" + proxy + "}"}} {
				t.Run(c[0]+" "+c[1]+" "+proxy, func(t *testing.T) {
					r := stateIn(t, a).Own(c[0], c[1], c[2])
					status, code := http.StatusUnprocessableEntity, "E_UNPROCESSABLE"
					if strings.HasPrefix(c[1], harness.StatePath(1, "/")) { // no proxy at all is allowed there
						status, code = http.StatusBadRequest, "E_INVALID"
					}
					harness.MustRefuse(t, r, status, code)
				})
			}
		}
		harness.MustRefuse(t, a.Request("PATCH", harness.StatePath(1, ""), "proxy[id]=7", form...),
			http.StatusUnprocessableEntity, "E_UNPROCESSABLE")
		for _, query := range []string{"automaton=1", "automation=1&headles=1", "AUTOMATION=1"} {
			r := a.Get(harness.StatePath(1, "/start?"+query))
			harness.MustRefuse(t, r, http.StatusBadRequest, "E_INVALID")
			if !strings.Contains(r.Raw, "Did you mean") {
				t.Errorf("%s answers %s", query, r.Raw)
			}
		}
	})
	a.MustBeClosed(1, 0)
	r := a.Own("PATCH", harness.StatePath(1, ""), `{"proxy":{"type":"none"},"canvas":{"mode":"noise"}}`)
	harness.MustSucceed(t, r)
	if harness.Member(r.Body, "data", "proxy") != nil || fmt.Sprint(r.Body["ignored"]) != "[canvas]" {
		t.Errorf("PATCH answers %s", r.Raw)
	}
}

// listenAsDisplay listens at the address of a display that has ended, as the next display does that gets its number. It
// shows nothing. The returned function ends that.
func listenAsDisplay(t *testing.T, name string) (end func()) {
	at := "@/tmp/.X11-unix/X" + strings.TrimPrefix(name, ":")
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "unix", at)
	if err != nil {
		t.Log(err) // a display of another test has the number
		return func() {}
	}
	go func() {
		for c, err := l.Accept(); err == nil; c, err = l.Accept() {
			_ = c.Close()
		}
	}()
	return func() { _ = l.Close() }
}

// A browser that loses its display while it starts ends with code 0, as one does that finds the folder taken.
func TestADisplayThatVanishesDuringAStartIsNotALock(t *testing.T) {
	told := map[string]int{}
	for _, path := range []string{"/start?automation=1", "/start"} {
		for _, c := range []struct {
			moment   string
			replaced bool // another display gets its number
		}{
			{"SingletonLock", false}, {"SingletonLock", true}, {"Default", false}, {"Default", true},
			{"Default/Session Storage", false},
		} {
			t.Run(fmt.Sprintf("%s %s replaced=%t", path, c.moment, c.replaced), func(t *testing.T) {
				x, name, err := harness.NewX()
				if err != nil {
					t.Fatal(err)
				}
				endDisplay := sync.OnceValue(func() (endNext func()) {
					_ = x.Process.Kill()
					_ = x.Wait()
					if c.replaced {
						return listenAsDisplay(t, name)
					}
					return func() {}
				})
				t.Cleanup(func() { endDisplay()() })
				a := stateStart(t, harness.With("DISPLAY="+name))
				go func() {
					harness.Catch(harness.Patience,
						func() bool { return harness.Exists(a.File(1, "data_dir/"+c.moment)) })
					endDisplay()
				}()
				r := a.Get(harness.StatePath(1, path))
				endDisplay()()
				if r.Status == http.StatusOK {
					return // it was faster
				}
				harness.MustRefuse(t, r, http.StatusInternalServerError, "E_BROWSER_LAUNCH")
				for _, word := range []string{"display", "Last output: "} {
					if !strings.Contains(r.Raw, word) {
						t.Errorf("it does not say %q: %s", word, r.Raw)
					}
				}
				told[path]++
				// Without the display it opens without a window.
				harness.Wait(t, "the profile to be closed", func() bool { state, _ := a.State(1); return state == "" })
				a.Open(1)
			})
		}
		if told[path] == 0 {
			t.Errorf("every %s was faster than the end of its display", path)
		}
	}
}
