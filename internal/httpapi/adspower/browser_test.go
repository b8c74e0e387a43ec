package adspower

import (
	"net/http"
	"reflect"
	"strings"
	"testing"

	"cove/internal/account"
	"cove/internal/policy"
	"cove/internal/profile"
	"cove/internal/session"
)

const (
	opened = `{"ws":{"selenium":"127.0.0.1:40001","puppeteer":"ws://127.0.0.1:40001/devtools/browser/uuid-1"},` +
		`"debug_port":"40001","webdriver":"/opt/chromedriver"}`
	notOpen  = `{"code":-1,"msg":"User_id is not open","data":{}}`
	inactive = `{"code":0,"msg":"success","data":{"status":"Inactive"}}`
	done     = `{"code":0,"msg":"success","data":{}}`
)

func TestTheLifeOfABrowserInBothGenerations(t *testing.T) {
	active := `{"code":0,"msg":"success","data":{"status":"Active",` + opened[1:] + `}`
	local := `{"code":0,"msg":"success","data":{"list":[{"user_id":"1",` + opened[1:] + `]}}`
	for name, g := range map[string]struct{ start, stop, active [3]string }{
		"v1 with GET": {[3]string{"GET", "/api/v1/browser/start?user_id=1&open_tabs=1&ip_tab=0"},
			[3]string{"GET", "/api/v1/browser/stop?user_id=1"}, [3]string{"GET", "/api/v1/browser/active?user_id=1"}},
		"v1 with POST": {[3]string{"POST", "/api/v1/browser/start", `{"user_id":"1","open_tabs":1,"ip_tab":"0"}`},
			[3]string{"POST", "/api/v1/browser/stop", `user_id=1`},
			[3]string{"POST", "/api/v1/browser/active", `{"serial_number":1}`}},
		"v1 by number": {[3]string{"GET", "/api/v1/browser/start?serial_number=1&open_tabs=1&ip_tab=0"},
			[3]string{"GET", "/api/v1/browser/stop?serial_number=1"},
			[3]string{"GET", "/api/v1/browser/active?serial_number=1&user_id="}},
		"v2": {[3]string{"POST", "/api/v2/browser-profile/start",
			`{"profile_id":"1","profile_no":"99","last_opened_tabs":"0","ip_tab":"0"}`},
			[3]string{"POST", "/api/v2/browser-profile/stop", `{"profile_no":"1"}`},
			[3]string{"GET", "/api/v2/browser-profile/active?profile_id=1"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.add(profile.Profile{Name: "one"})
			send := func(call [3]string, answer string) {
				t.Helper()
				kind := "application/json"
				if strings.HasPrefix(call[2], "user_id=") {
					kind = "application/x-www-form-urlencoded"
				}
				if got := o.call(call[0], call[1], call[2], "Content-Type", kind); got != answer {
					t.Errorf("%v\n got %s\nwant %s", call, got, answer)
				}
			}
			o.want("GET", "/status", "", `{"code":0,"msg":"success"}`)
			send(g.active, inactive)
			send(g.stop, notOpen)
			for range 2 { // a second start joins
				send(g.start, `{"code":0,"msg":"success","data":`+opened+`,"ignored":["ip_tab"]}`)
			}
			send(g.active, active)
			o.want("GET", "/api/v1/browser/local-active", "", local)
			if got := o.runner.last(t); len(o.runner.started) != 1 ||
				!reflect.DeepEqual(got, session.Options{Mode: session.Automation, NoTabs: true}) {
				t.Errorf("%d starts, the last with %+v", len(o.runner.started), got)
			}
			send(g.stop, done)
			send(g.stop, notOpen)
			o.want("GET", "/api/v1/browser/local-active", "", `{"code":0,"msg":"success","data":{"list":[]}}`)
		})
	}
}

func TestStartOptions(t *testing.T) {
	launch := func(args, pages []string) *session.Launch {
		if args == nil {
			args = []string{}
		}
		if pages == nil {
			pages = []string{}
		}
		return &session.Launch{Args: args, Pages: pages}
	}
	for name, c := range map[string]struct {
		body string
		want session.Options
	}{
		"nothing":                    {`{}`, session.Options{}},
		"headless as a text":         {`{"headless":"1"}`, session.Options{Headless: true}},
		"headless as a number":       {`{"headless":0}`, session.Options{}},
		"open_tabs 0 keeps the tabs": {`{"open_tabs":"0"}`, session.Options{}},
		"last_opened_tabs 1":         {`{"last_opened_tabs":"1"}`, session.Options{}},
		"last_opened_tabs 0":         {`{"last_opened_tabs":0}`, session.Options{NoTabs: true}},
		"an empty list of arguments": {`{"launch_args":[]}`, session.Options{}},
		"an empty text of arguments": {`{"launch_args":""}`, session.Options{}},
		"arguments replace":          {`{"launch_args":["--mute-audio"]}`, session.Options{Launch: launch([]string{"--mute-audio"}, nil)}},
		"arguments as a JSON text":   {`{"launch_args":"[\"--mute-audio\"]"}`, session.Options{Launch: launch([]string{"--mute-audio"}, nil)}},
		"one argument as a text":     {`{"launch_args":"--mute-audio"}`, session.Options{Launch: launch([]string{"--mute-audio"}, nil)}},
		"headless as an argument":    {`{"launch_args":["--headless=new"]}`, session.Options{Headless: true, Launch: launch(nil, nil)}},
		"a bare address is a page": {`{"launch_args":["https://a.example/x"]}`, session.Options{Launch: launch(nil,
			[]string{"https://a.example/x"})}},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.add(profile.Profile{Name: "one", Args: []string{"--disable-gpu"}})
			body := strings.Replace(c.body, "{", `{"profile_id":"1",`, 1)
			body = strings.Replace(body, ",}", "}", 1)
			o.want("POST", "/api/v2/browser-profile/start", body, `{"code":0,"msg":"success","data":`+opened+`}`)
			c.want.Mode = session.Automation
			if got := o.runner.last(t); !reflect.DeepEqual(got, c.want) {
				t.Errorf("started with %+v %+v, want %+v %+v", got, got.Launch, c.want, c.want.Launch)
			}
			if p := o.profile(1); !reflect.DeepEqual(p.Args, []string{"--disable-gpu"}) {
				t.Errorf("the profile now has %q", p.Args)
			}
		})
	}
}

func TestAStartIsRefused(t *testing.T) {
	const start = "/api/v2/browser-profile/start"
	for name, c := range map[string]struct {
		body  string
		words []string
	}{
		"without a profile":              {`{}`, []string{"id of one profile"}},
		"with an id of AdsPower":         {`{"profile_id":"h1yynkm"}`, []string{`"h1yynkm" is not a profile id`}},
		"with two ids that differ":       {`{"profile_id":"1","user_id":"2"}`, []string{"different profiles"}},
		"of a profile that is not there": {`{"profile_id":"9"}`, []string{"There is no profile 9."}},
		"with another proxy": {`{"profile_id":"1","launch_args":["--proxy-server=evil:1"]}`,
			[]string{"--proxy-server is not allowed"}},
		"with another data folder": {`{"profile_id":"1","launch_args":["--user-data-dir=/tmp/x"]}`,
			[]string{"--user-data-dir is not allowed"}},
		"with a debugging port": {`{"profile_id":"1","launch_args":"[\"--remote-debugging-port=1\"]"}`,
			[]string{"--remote-debugging-port"}},
		"with arguments of the person": {`{"profile_id":"1","launch_args":["--load-extension=/tmp/x"]}`,
			[]string{"Only the user can add the argument"}},
		"with a file as a page": {`{"profile_id":"1","launch_args":["file:///etc/passwd"]}`,
			[]string{"is not a web address"}},
		"with unreadable arguments": {`{"profile_id":"1","launch_args":{"a":1}}`, []string{"must be a list"}},
		"with a flag that is none":  {`{"profile_id":"1","headless":"maybe"}`, []string{"headless"}},
		"with a proxy": {`{"profile_id":"1","user_proxy_config":{"proxy_soft":"no_proxy"}}`,
			[]string{"cannot change its identity"}},
		"with a browser": {`{"profile_id":"1","browser":"/bin/sh"}`,
			[]string{"cannot change its identity"}},
		"with a misspelled option": {`{"profile_id":"1","launch_arg":["--x"]}`,
			[]string{"Did you mean launch_args?"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.add(profile.Profile{Name: "one"})
			o.refused("POST", start, c.body, c.words...)
			if len(o.runner.started) != 0 {
				t.Error("something was started")
			}
		})
	}
	t.Run("on the plan Free", func(t *testing.T) {
		o := newOffice(t)
		o.add(profile.Profile{Name: "one"})
		if _, err := o.local.SetPlan(t.Context(), "", account.Free); err != nil {
			t.Fatal(err)
		}
		o.refused("POST", start, `{"profile_id":"1"}`, "plan")
	})
	t.Run("of a profile whose policy is off", func(t *testing.T) {
		o := newOffice(t)
		o.add(profile.Profile{Name: "one", Policy: policy.Policy{Preset: policy.Off}})
		o.refused("POST", start, `{"profile_id":"1"}`, "Agents are not allowed")
	})
}

func TestAPersonsWindowIsNotForScripts(t *testing.T) {
	o := newOffice(t)
	o.add(profile.Profile{Name: "one"})
	o.add(profile.Profile{Name: "two"})
	if _, err := o.Sessions.Start(t.Context(), 1, session.Options{Mode: session.Ordinary}); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Sessions.Start(t.Context(), 2, session.Options{Mode: session.Automation}); err != nil {
		t.Fatal(err)
	}
	o.refused("GET", "/api/v1/browser/start?user_id=1", "", "is open in ordinary mode")
	o.want("GET", "/api/v1/browser/active?user_id=1", "", inactive)
	o.want("POST", "/api/v2/browser-profile/stop-all", "", done)
	if s := o.Sessions.Get(1).State; s != session.Open {
		t.Errorf("stop-all left the person's window %s", s)
	}
	if s := o.Sessions.Get(2).State; s != session.Closed {
		t.Errorf("stop-all left the script's profile %s", s)
	}
	o.want("GET", "/api/v1/browser/stop?user_id=1", "", done)
}

func TestLaunchArgumentsOfAProfileWithRulesAreThePersons(t *testing.T) {
	o := newOffice(t)
	o.add(profile.Profile{Name: "one", Policy: policy.Policy{Preset: policy.Guarded}})
	const body = `{"profile_id":"1","launch_args":["--mute-audio"]}`
	o.refused("POST", "/api/v2/browser-profile/start", body, "Only the user can change")
	status, answer := o.send("POST", "/api/v2/browser-profile/start", body, "api-key", ownersToken)
	if status != http.StatusOK || !strings.HasPrefix(answer, `{"code":0,`) {
		t.Errorf("the person gets %d %s", status, answer)
	}
	// The profile is open now, so the arguments of a second start have no effect, and the answer says so.
	_, answer = o.send("POST", "/api/v2/browser-profile/start", body, "api-key", ownersToken)
	if !strings.HasSuffix(answer, `,"ignored":["launch_args"]}`) {
		t.Errorf("the second start is answered with %s", answer)
	}
}
