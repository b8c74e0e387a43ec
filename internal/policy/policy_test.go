package policy

import (
	"context"
	"encoding/json"
	"errors"
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"

	"cove/internal/policy/site"
)

func TestRules(t *testing.T) {
	b := NewRules(
		Policy{
			Sites: Sites{
				Allow: []string{"https://*.example.com", "http://127.0.0.1:*"},
				Block: []string{"https://pay.example.com", "http://127.0.0.1:9000"},
			},
		},
	)
	for address, want := range map[string]string{
		"https://www.example.com/": "", "about:blank": "", "data:text/html,x": "", "blob:https://www.example.com/1": "",
		"https://other.test/": "leave", "blob:https://other.test/1": "leave",
		"https://pay.example.com/": "blocked", "http://127.0.0.1:9000/": "blocked",
		"file:///etc/passwd": "local", "chrome://settings": "local", "devtools://devtools/x": "local",
		"view-source:https://www.example.com": "local", "chrome-extension://x/": "local", "FILE:///x": "local",
		"about:settings": "local", "About:Version": "local", "about:": "local", "about:srcdoc": "", "about:blank#x": "",
		"ABOUT:BLANK": "",
	} {
		v := b.URL(address)
		got := string(v.Class)
		if v.Blocked {
			got = "blocked"
		}
		if got != want || v.OK() != (want == "") || (want != "" && v.Rule == "") {
			t.Errorf("%s: %q %q, want %q", address, got, v.Rule, want)
		}
	}
	o, _ := site.OriginOfHost("evil.test:9000")
	if !b.Address(o, netip.MustParseAddr("::ffff:127.0.0.1"), nil).Blocked {
		t.Error("a name for a blocked address is let through")
	}
}

// No right opens a page of an extension where the policy binds programs.
func TestNoRightOpensAnExtension(t *testing.T) {
	every := map[Class]Answer{}
	for _, c := range Classes {
		every[c] = Yes
	}
	guarded, open := NewRules(Policy{Preset: Guarded, Rights: every}), NewRules(Policy{Rights: every})
	for _, address := range []string{"chrome-extension://x/", "Chrome-\nExtension://x/", " chrome-extension://x/",
		"blob:chrome-extension://x/1", "filesystem:chrome-extension://x/temporary/a", "extension://x/",
		"view-source:chrome-extension://x/", "view-source:filesystem:chrome-extension://x/"} {
		if v := guarded.URL(address); !v.Blocked || v.Rule == "" || guarded.Permits(v) {
			t.Errorf("%q under guarded: %+v", address, v)
		}
		if v := open.URL(address); v.Class != Local || v.Blocked || !open.Permits(v) {
			t.Errorf("%q under open: %+v", address, v)
		}
	}
	for _, address := range []string{"https://x.example/?chrome-extension://x/", "blob:null/1", "about:blank", "",
		"blob:https://x.example/1"} {
		if v := guarded.URL(address); !v.OK() {
			t.Errorf("%q: %+v", address, v)
		}
	}
}

// This computer's names and addresses are one place; names below localhost are sites of their own.
func TestARuleForThisComputerIsForAllItsNames(t *testing.T) {
	also := func(host string) bool { return host == "192.168.1.5" || host == "desk" }
	for _, c := range []struct {
		rule, ip string
		blocked  bool
	}{
		{"http://localhost:80", "192.168.1.5", true},
		{"http://127.0.0.1:80", "192.168.1.5", true},
		{"http://[::1]:80", "127.8.8.8", true},
		{"http://desk:80", "127.0.0.1", true},
		{"http://192.168.1.5:80", "127.0.0.1", true},
		{"http://192.168.1.5:80", "0.0.0.0", true},
		{"http://192.168.1.5:81", "127.0.0.1", false},
		{"http://192.168.1.6:80", "127.0.0.1", false},
		{"http://localhost:80", "192.168.1.6", false},
		{"http://app.localhost:80", "127.0.0.1", false},
	} {
		b := NewRules(Policy{Sites: Sites{Block: []string{c.rule}}})
		if got := b.Address(site.Origin{Scheme: "http", Host: "any.test", Port: 80}, netip.MustParseAddr(c.ip),
			also).Blocked; got != c.blocked {
			t.Errorf("%s and %s: %v", c.rule, c.ip, got)
		}
	}
	b := NewRules(Policy{Sites: Sites{Block: []string{"https://bad.example"}}})
	for _, address := range []string{"https://bad.example./", "https://bad.example../", "https://BAD.example.../"} {
		if !b.URL(address).Blocked {
			t.Errorf("%s is let through", address)
		}
	}
}

func TestPresetsAndLoosening(t *testing.T) {
	p := Policy{
		Rights: map[Class]Answer{Script: Yes, Upload: No},
		Sites:  Sites{Allow: []string{" HTTPS://Example.com/ ", "https://example.com"}},
	}
	if err := p.Clean(); err != nil {
		t.Fatal(err)
	}
	if p.Preset != Open || len(p.Rights) != 1 || len(p.Sites.Allow) != 1 || p.Sites.Allow[0] != "https://example.com" {
		t.Errorf("cleaned: %+v", p)
	}
	for _, bad := range []Policy{{Preset: "loose"}, {Rights: map[Class]Answer{"fly": Yes}},
		{Rights: map[Class]Answer{Act: "maybe"}}, {Sites: Sites{Block: []string{"x y"}}}} {
		if bad.Clean() == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
	tight := Policy{Preset: Guarded, Sites: Sites{Allow: []string{"https://a.test"}, Block: []string{"https://b.test"}}}
	for name, loose := range map[string]Policy{
		"preset":  {Preset: Open, Sites: tight.Sites},
		"right":   {Preset: Guarded, Sites: tight.Sites, Rights: map[Class]Answer{Script: Yes}},
		"no list": {Preset: Guarded, Sites: Sites{Block: tight.Sites.Block}},
		"more": {Preset: Guarded, Sites: Sites{Allow: []string{"https://a.test", "https://c.test"},
			Block: tight.Sites.Block}},
		"unblocked": {Preset: Guarded, Sites: Sites{Allow: tight.Sites.Allow}},
	} {
		if !loose.Loosens(tight) {
			t.Errorf("%s: not seen as looser", name)
		}
		if tight.Loosens(tight) {
			t.Error("the same is looser than itself")
		}
	}
	if !(Policy{Preset: ReadOnly, Sites: tight.Sites}).Agents() || (Policy{Preset: Off}).Agents() {
		t.Error("agents")
	}
}

func TestEnforcerAsks(t *testing.T) {
	e := NewEnforcer(Policy{Preset: Guarded})
	s, err := e.Admit(Agent{Kind: Tools, Name: "a"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Authorize(t.Context(), Request{Class: Act}); err != nil {
		t.Error(err)
	}
	if err := s.Authorize(t.Context(), Request{Class: Script}); err == nil {
		t.Error("a script was allowed")
	}
	ask := func() chan error {
		done := make(chan error, 1)
		sub := e.Subscribe()
		defer sub.Close()
		go func() { done <- s.Authorize(context.Background(), Request{Class: Upload, What: "upload x"}) }()
		for state := range sub.C() {
			if len(state.Requests) > 0 {
				break
			}
		}
		return done
	}
	done := ask()
	if err := e.Decide(e.State().Requests[0].ID, false, false); err != nil || (<-done) == nil {
		t.Error("a no was not heard")
	}
	done = ask()
	if err := e.Decide(e.State().Requests[0].ID, true, true); err != nil {
		t.Error(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := s.Authorize(t.Context(), Request{Class: Upload}); err != nil {
		t.Error("a yes for all is forgotten")
	}
	for want, answer := range map[bool]Answer{true: Yes, false: No} { // nobody needs to be asked any more
		e.Set(Policy{Preset: Guarded})
		done = ask()
		e.Set(Policy{Preset: Guarded, Rights: map[Class]Answer{Upload: answer}})
		if err := <-done; (err == nil) != want || len(e.State().Requests) > 0 {
			t.Errorf("the right became %s while an agent waited: %v", answer, err)
		}
	}
	e.Set(Policy{Preset: Guarded})
	done = ask()
	e.Set(Policy{Preset: Off})
	if err := <-done; err == nil || err.Error() != AgentsOffError().Error() || e.Admits() == nil {
		t.Errorf("agents were turned off while one waited: %v", err)
	}
	s.Close()
	e.Set(Policy{Preset: Guarded})
	if s, err = e.Admit(Agent{Kind: Tools, Name: "a"}); err != nil {
		t.Fatal(err)
	}
	done = ask()
	e.Suspend(true)
	if (<-done) == nil || s.Begin(t.Context(), false) == nil {
		t.Error("an agent goes on after panic")
	}
	if _, err := e.Admit(Agent{}); err == nil {
		t.Error("an agent comes in after panic")
	}
	s.Close()
	if st := e.State(); len(st.Agents)+len(st.Requests) > 0 {
		t.Errorf("left behind: %+v", st)
	}
}

func TestEnforcerHolds(t *testing.T) {
	defer func(a, b time.Duration) { takeoverLimit, driverLimit = a, b }(takeoverLimit, driverLimit)
	driverLimit = time.Millisecond
	e := NewEnforcer(Policy{OneDriver: true})
	a, _ := e.Admit(Agent{Name: "a"})
	b, _ := e.Admit(Agent{Name: "b"})
	if err := a.Begin(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if err := b.Begin(t.Context(), true); err == nil || !strings.Contains(err.Error(), "a") {
		t.Errorf("two drive: %v", err)
	}
	if err := b.Begin(t.Context(), false); err != nil {
		t.Errorf("b may not look: %v", err)
	}
	a.Close()
	if err := b.Begin(t.Context(), true); err != nil {
		t.Errorf("nobody drives: %v", err)
	}
	e.TakeOver()
	done := make(chan error, 1)
	go func() { done <- b.Begin(context.Background(), true) }()
	select {
	case <-done:
		t.Fatal("b goes on while the person works")
	case <-time.After(20 * time.Millisecond):
	}
	e.GiveBack("the address has changed")
	if err := <-done; err != nil || b.TakeNotice() == "" || b.TakeNotice() != "" {
		t.Errorf("given back: %v", err)
	}
	takeoverLimit = time.Millisecond
	e.TakeOver()
	if err := b.Begin(t.Context(), false); err == nil {
		t.Error("b goes on while the person works")
	}
}

func TestAProgramThatLosesARightMustComeAgain(t *testing.T) {
	for _, c := range []struct {
		name     string
		from, to Policy
		ends     bool
	}{
		{"open to guarded", Policy{}, Policy{Preset: Guarded}, true},
		{"guarded to read-only", Policy{Preset: Guarded}, Policy{Preset: ReadOnly}, true},
		{"guarded loses a right", Policy{Preset: Guarded, Rights: map[Class]Answer{Script: Yes}},
			Policy{Preset: Guarded}, true},
		{"any to off", Policy{}, Policy{Preset: Off}, true},
		{"read-only to guarded", Policy{Preset: ReadOnly}, Policy{Preset: Guarded}, false},
		{"guarded to open", Policy{Preset: Guarded}, Policy{}, false},
		{"other sites", Policy{Preset: Guarded}, Policy{Preset: Guarded, Sites: Sites{Block: []string{"a.example"}}},
			false},
		{"open with another right", Policy{}, Policy{Rights: map[Class]Answer{Script: No}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := NewEnforcer(c.from)
			s, err := e.Admit(Agent{Kind: Program, Name: "a"})
			if err != nil {
				t.Fatal(err)
			}
			e.Set(c.to)
			ended := false
			select {
			case <-s.Done():
				ended = true
			default:
			}
			if ended != c.ends || (s.Err() != nil) != c.ends {
				t.Fatalf("ended %v, why %v", ended, s.Err())
			}
			if ended && s.Begin(t.Context(), false) == nil {
				t.Fatal("it still gets in")
			}
			if want := c.to.preset() == Open; e.Free() != want {
				t.Fatalf("free is %v", e.Free())
			}
		})
	}
}

func TestWhatPeopleDoIsKept(t *testing.T) {
	e := NewEnforcer(Policy{Preset: Guarded})
	var events []string
	e.OnEvent(func(event Event) {
		text, _ := json.Marshal(event.Args)
		text = regexp.MustCompile(`"request":"\d+"`).ReplaceAll(text, []byte(`"request":"N"`))
		events = append(events, event.Name+" "+event.Page+" "+string(text))
	})
	admission, err := e.Admit(Agent{Kind: Tools, Name: "x"})
	if err != nil {
		t.Fatal(err)
	}
	for _, yes := range []bool{true, false} {
		asked := make(chan error)
		go func() {
			asked <- admission.Authorize(t.Context(), Request{Class: Upload, What: "upload a", Page: "https://a.test/",
				Elsewhere: func(context.Context) (bool, bool) { return false, !yes }})
		}()
		for yes && len(e.State().Requests) == 0 {
			<-time.After(time.Millisecond)
		}
		if yes {
			if err := e.Decide(e.State().Requests[0].ID, true, true); err != nil {
				t.Fatal(err)
			}
		}
		if err := <-asked; (err == nil) != yes {
			t.Fatal(err)
		}
		e.Set(Policy{Preset: Guarded, OneDriver: true}) // once it is new
	}
	e.TakeOver()
	e.TakeOver()
	e.GiveBack("nothing")
	e.Suspend(true)
	e.Suspend(true)
	e.Suspend(false)
	const about = `https://a.test/ {"request":"N","kind":"approve","agent":"x","class":"upload","what":"upload a"`
	want := `asked ` + about + `}
allowed ` + about + `,"by":"person","always":true,"scope":"session"}
policy  {"preset":"guarded","sites":{},"one_driver":true}
asked ` + about + `}
refused ` + about + `,"by":"x"}
takeover  null
giveback  {"note":"nothing"}
panic  null
panic lifted  null`
	if got := strings.Join(events, "\n"); got != want {
		t.Errorf("kept:\n%s\nwant:\n%s", got, want)
	}
}

func TestAYesIsNoneForWhatHasChangedMeanwhile(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile func(e *Enforcer)
		goesOn    bool
	}{
		"nothing": {func(*Enforcer) {}, true},
		"another right taken away": {func(e *Enforcer) {
			e.Set(Policy{Preset: Guarded,
				Rights: map[Class]Answer{Act: No}})
		}, false},
		"a right given": {func(e *Enforcer) {
			e.Set(Policy{Preset: Guarded,
				Rights: map[Class]Answer{Script: Yes}})
		}, true},
		"another site": {func(e *Enforcer) {
			e.Grant(site.Origin{Scheme: "https", Host: "a.test",
				Port: 443})
		}, true},
		"taken over and given back": {func(e *Enforcer) {
			e.TakeOver()
			time.AfterFunc(20*time.Millisecond,
				func() { e.GiveBack("") })
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			e := NewEnforcer(Policy{Preset: Guarded})
			s, err := e.Admit(Agent{Name: "a"})
			if err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			go func() { done <- s.Authorize(t.Context(), Request{Class: Submit, What: "x"}) }()
			for len(e.State().Requests) == 0 {
				<-time.After(time.Millisecond)
			}
			c.meanwhile(e)
			if err := e.Decide(e.State().Requests[0].ID, true, false); err != nil {
				t.Fatal(err)
			}
			if err := <-done; (err == nil) != c.goesOn {
				t.Errorf("it was told %v", err)
			}
		})
	}
	// While the person works in the profile, even their own yes has to wait.
	old := takeoverLimit
	takeoverLimit = 20 * time.Millisecond
	defer func() { takeoverLimit = old }()
	e := NewEnforcer(Policy{Preset: Guarded})
	s, _ := e.Admit(Agent{Name: "a"})
	done := make(chan error, 1)
	go func() { done <- s.Authorize(t.Context(), Request{Class: Submit, What: "x"}) }()
	for len(e.State().Requests) == 0 {
		<-time.After(time.Millisecond)
	}
	e.TakeOver()
	_ = e.Decide(e.State().Requests[0].ID, true, false)
	if err := <-done; !errors.Is(err, errTakenOver) {
		t.Errorf("taken over: %v", err)
	}
}
