//go:build e2e

package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"cove/e2e/harness"
)

// stateIn is the same app for a subtest, which fails by itself.
func stateIn(t *testing.T, a *harness.App) *harness.App {
	b := *a
	b.T = t
	return &b
}

// stateStart runs the app without the second that a program with the race detector sleeps at its end.
func stateStart(t *testing.T, options ...harness.Option) *harness.App {
	t.Helper()
	return harness.Start(t, append(options, harness.With("GORACE=halt_on_error=0 atexit_sleep_ms=10"))...)
}

// stateKinds are the two ways that a browser shows its pages.
var stateKinds = map[string][]harness.Option{"headless": nil, "headed": {harness.Headed}}

// statePages are the addresses of an open profile's pages, in order.
func statePages(t *testing.T, port int) (urls []string) {
	t.Helper()
	for _, p := range harness.StateTargets(t, port) {
		urls = append(urls, p["url"])
	}
	slices.Sort(urls)
	return urls
}

// mustShow waits until exactly these pages are open.
func mustShow(t *testing.T, port int, want ...string) {
	t.Helper()
	slices.Sort(want)
	var got []string
	harness.Poll(harness.Patience, func() bool {
		got = statePages(t, port)
		return slices.Equal(got, want) || len(got) > len(want) // no page goes away by itself
	})
	if !slices.Equal(got, want) {
		t.Fatalf("the browser shows %q, not %q", got, want)
	}
}

// stateClient is a program that is connected to a profile's gate.
type stateClient struct {
	t    *testing.T
	ws   *websocket.Conn
	last int
}

func stateConnect(t *testing.T, address string) *stateClient {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), harness.Patience)
	defer cancel()
	ws, _, err := websocket.Dial(ctx, address, nil)
	if err != nil {
		t.Fatalf("connect to %s: %v", address, err)
	}
	ws.SetReadLimit(-1)
	t.Cleanup(func() { _ = ws.CloseNow() })
	return &stateClient{t: t, ws: ws}
}

// call sends one command, which must work.
func (c *stateClient) call(method string) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), harness.Patience)
	defer cancel()
	c.last++
	if err := c.ws.Write(ctx, websocket.MessageText, fmt.Appendf(nil, `{"id":%d,"method":%q}`, c.last,
		method)); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
	for {
		_, raw, err := c.ws.Read(ctx)
		if err != nil {
			c.t.Fatalf("%s: %v", method, err)
		}
		var m struct {
			ID     int            `json:"id"`
			Result map[string]any `json:"result"`
		}
		if json.Unmarshal(raw, &m) == nil && m.ID == c.last {
			if m.Result == nil {
				c.t.Fatalf("%s: %s", method, raw)
			}
			return
		}
	}
}

// stateAddress is webSocketDebuggerUrl.
func stateAddress(r harness.Answer) string {
	o, _ := r.Body["automation"].(map[string]any)
	s, _ := o["webSocketDebuggerUrl"].(string)
	return s
}

func TestEachAutomationStartHasANewPortThatIsThereExactlyWhileTheProfileIsOpen(t *testing.T) {
	a := stateStart(t)
	seen := map[string]bool{}
	for range 3 {
		a.MustBeClosed(1, 0)
		r := a.Get(harness.StatePath(1, "/start?automation=1"))
		harness.MustSucceed(t, r)
		automation, _ := r.Body["automation"].(map[string]any)
		port, path := r.Port(), fmt.Sprint(automation["wsEndpoint"])
		if want := fmt.Sprintf("ws://127.0.0.1:%d%s", port, path); automation["webSocketDebuggerUrl"] != want ||
			!strings.HasPrefix(path, "/devtools/browser/") {
			t.Errorf("the answer is %s", r.Raw)
		}
		for _, one := range []string{strconv.Itoa(port), path} {
			if seen[one] {
				t.Errorf("%s was given before", one)
			}
			seen[one] = true
		}
		for _, name := range harness.StateTraces(a, 1) {
			if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s of an open profile: %v, %v", name, info, err)
			}
		}
		if raw, err := os.ReadFile(a.ActivePort(1)); string(raw) != fmt.Sprintf("%d\n%s", port, path) {
			t.Errorf("DevToolsActivePort is %q, %v; the answer was %s", raw, err, r.Raw)
		}
		var version map[string]string
		if harness.StateJSON(t, port, "/json/version",
			&version); version["webSocketDebuggerUrl"] != automation["webSocketDebuggerUrl"] {
			t.Errorf("/json/version says %q, the answer was %s", version["webSocketDebuggerUrl"], r.Raw)
		}
		for path, of := range map[string]func(harness.Answer) any{
			harness.StatePath(1, "/active"): func(r harness.Answer) any { return r.Body["automation"] },
			"/v1.0/browser_profiles/running": func(r harness.Answer) any {
				one, _ := r.Body["1"].(map[string]any)
				return one["automation"]
			},
		} {
			r := a.Get(path)
			harness.MustSucceed(t, r)
			if !reflect.DeepEqual(of(r), any(automation)) {
				t.Errorf("%s says %s, the start said %v", path, r.Raw, automation)
			}
		}
		a.Close(1)
		a.MustBeClosed(1, port)
	}
}

func TestTheFreePlanOpensProfilesByHandOnly(t *testing.T) {
	a := stateStart(t)
	a.Must("account", "set-plan", "free")
	for _, call := range [][3]string{
		{"GET", harness.StatePath(1, "/start?automation=1")},
		{"POST", harness.StatePath(1, "/start"), `{"automation":true}`},
		{"POST", "/v1.0/browser_profiles/start", `{"automation":true}`},
	} {
		harness.MustRefuse(t, a.Request(call[0], call[1], call[2]), http.StatusPaymentRequired, "E_PLAN_AUTOMATION")
	}
	a.MustBeClosed(1, 0)
	if harness.Exists(a.File(2, "")) || harness.Exists(a.File(1, "data_dir")) {
		t.Error("a refused start left a folder behind")
	}
	a.OpenOrdinary(1)
	if state, mode := a.State(1); state != "open" || mode != "ordinary" {
		t.Errorf("on the free plan an ordinary start leads to %q %q", state, mode)
	}
	a.Close(1)
	a.Must("account", "set-plan", "team")
	port := a.Open(1)
	a.Close(1)
	a.MustBeClosed(1, port)
}

func TestAnOrdinaryProfileCanNotBeDebuggedAndIsNotTakenOver(t *testing.T) {
	a := stateStart(t, harness.Headed)
	a.OpenOrdinary(1)
	harness.Wait(t, "the browser's pages", func() bool { return len(a.Processes("--type=renderer")) > 0 })
	before := a.Running()
	for _, line := range a.Processes("") {
		if strings.Contains(line, "remote-debugging") || strings.Contains(line, "--enable-automation") ||
			strings.Contains(line, "--headless") {
			t.Errorf("an ordinary browser runs as %s", line)
		}
	}
	if len(a.Processes("--user-data-dir="+a.File(1, "data_dir"))) == 0 {
		t.Error("no process has the profile's data folder open")
	}
	if harness.Exists(a.ActivePort(1)) {
		t.Error("an ordinary profile has a DevToolsActivePort")
	}
	r := a.Get(harness.StatePath(1, "/start?automation=1"))
	harness.MustRefuse(t, r, http.StatusConflict, "E_BROWSER_OPEN_ORDINARY")
	if o, _ := r.Body["errorObject"].(map[string]any); !strings.Contains(fmt.Sprint(o["hint"]), "cove stop 1") {
		t.Errorf("the hint does not say how to close it: %s", r.Raw)
	}
	r = a.Get(harness.StatePath(1, "/start"))
	harness.MustRefuse(t, r, http.StatusConflict, "E_BROWSER_RUN_DUPLICATE")
	if _, there := r.Body["automation"]; there {
		t.Errorf("an ordinary profile has automation: %s", r.Raw)
	}
	if after := a.Running(); !reflect.DeepEqual(before, after) {
		t.Errorf("refused starts changed %v into %v", before, after)
	}
	if r := a.Get(harness.StatePath(1, "/active")); r.Status != http.StatusOK || r.Body["automation"] != nil {
		t.Errorf("active says %d %s", r.Status, r.Raw)
	}
	a.Close(1)
	a.MustBeClosed(1, 0)
}

func TestASecondAutomationStartIsToldOfTheRunningOne(t *testing.T) {
	a := stateStart(t)
	first := a.Get(harness.StatePath(1, "/start?automation=1"))
	harness.MustSucceed(t, first)
	for _, line := range a.Processes("") {
		if strings.Contains(line, "--remote-debugging-port") {
			t.Errorf("the browser has a port of its own: %s", line)
		}
	}
	if len(a.Processes("--remote-debugging-pipe")) == 0 {
		t.Error("no browser with a pipe is running")
	}
	before := a.Running()
	for _, path := range []string{harness.StatePath(1, "/start?automation=1"), harness.StatePath(1, "/start")} {
		r := a.Get(path)
		harness.MustRefuse(t, r, http.StatusConflict, "E_BROWSER_RUN_DUPLICATE")
		if !reflect.DeepEqual(r.Body["automation"], first.Body["automation"]) {
			t.Errorf("%s answers %s, running is %s", path, r.Raw, first.Raw)
		}
	}
	if after := a.Running(); !reflect.DeepEqual(before, after) {
		t.Errorf("refused starts changed %v into %v", before, after)
	}
	stateConnect(t, stateAddress(first)).call("Browser.getVersion")
}

// staysStarting watches for a moment that a profile does not open as long as its browser is held.
func staysStarting(t *testing.T, a *harness.App, id int, mode string) {
	t.Helper()
	harness.Never(t, 300*time.Millisecond, func() string {
		if state, got := a.State(id); state != "starting" || got != mode {
			return fmt.Sprintf("before its browser runs the profile is %q %q", state, got)
		}
		return ""
	})
}

func TestStartsInTheSameModeJoinAndTheOtherModeIsRefused(t *testing.T) {
	a := stateStart(t)
	for mode, c := range map[string]struct{ path, other, code string }{
		"automation": {"/start?automation=1", "/start", "E_BROWSER_RUN_DUPLICATE"},
		"ordinary":   {"/start", "/start?automation=1", "E_BROWSER_OPEN_ORDINARY"},
	} {
		t.Run(mode, func(t *testing.T) {
			a := stateIn(t, a)
			browser, release := harness.StateHeldBrowser(t, a)
			id := a.Create(fmt.Sprintf(`{"name":%q,"browser":%q}`, mode, browser))
			answers := a.StartMany(5, harness.StatePath(id, c.path))
			harness.Wait(t, "the start", func() bool { state, _ := a.State(id); return state != "" })
			staysStarting(t, a, id, mode) // while all five arrive; the browser is held
			harness.MustRefuse(t, a.Get(harness.StatePath(id, c.other)), http.StatusConflict, c.code)
			harness.MustRefuse(t, a.Get(harness.StatePath(id, "/active")), http.StatusNotFound, "E_NOT_OPEN")
			if harness.Exists(a.ActivePort(id)) {
				t.Error("DevToolsActivePort is there before the profile is open")
			}
			release()
			all := answers()
			for _, r := range all {
				if r.Status != http.StatusOK || r.Raw != all[0].Raw || (r.Port() != 0) != (mode == "automation") {
					t.Errorf("one answer is %d %s, another %d %s", r.Status, r.Raw, all[0].Status, all[0].Raw)
				}
			}
			if state, got := a.State(id); state != "open" || got != mode {
				t.Errorf("after the start the profile is %q %q", state, got)
			}
			a.Close(id)
			a.MustBeClosed(id, all[0].Port())
		})
	}
}

func TestAStartThatIsStoppedTellsEveryCallerAndLeavesNothing(t *testing.T) {
	a := stateStart(t)
	id := a.Create(fmt.Sprintf(`{"name":"hangs","browser":%q}`, errHangingBrowser(t)))
	answers := a.StartMany(3, harness.StatePath(id, "/start?automation=1"))
	harness.Wait(t, "the browser's process",
		func() bool { return len(a.Processes("--user-data-dir="+a.File(id, "data_dir"))) > 0 })
	harness.MustRefuse(t, a.Own("DELETE", harness.StatePath(id, ""), ""), http.StatusConflict, "E_PROFILE_OPEN")
	a.Close(id)
	for _, r := range answers() {
		harness.MustRefuse(t, r, http.StatusConflict, "E_STOPPED")
	}
	a.MustBeClosed(id, 0)
}

func TestStopIsGoodForAClosedProfileToo(t *testing.T) {
	a := stateStart(t)
	a.Close(1)
	port := a.Open(1)
	stops := a.StartMany(4, harness.StatePath(1, "/stop"))()
	for _, r := range append(stops, a.Get(harness.StatePath(1, "/stop")),
		a.Request("POST", harness.StatePath(1, "/stop"), "")) {
		harness.MustSucceed(t, r)
		if len(r.Body) != 1 || r.Body["success"] != true {
			t.Errorf("stop answers %s", r.Raw)
		}
	}
	a.MustBeClosed(1, port)
	harness.MustRefuse(t, a.Get(harness.StatePath(99, "/stop")), http.StatusNotFound, "E_NOT_FOUND")
}

func TestBrowserCloseOfAClientClosesTheProfile(t *testing.T) {
	for name, options := range stateKinds {
		t.Run(name, func(t *testing.T) {
			a := stateStart(t, options...)
			events := a.Events()
			r := a.Get(harness.StatePath(1, "/start?automation=1"))
			harness.MustSucceed(t, r)
			stateConnect(t, stateAddress(r)).call("Browser.close")
			a.StateClosing(1)
			a.MustBeClosed(1, r.Port())
			events.Closed(t, "1 closed automation stopped")
		})
	}
}

func TestAnOrdinaryProfileIsClosedAtAnyMomentOfItsStart(t *testing.T) {
	for name, options := range stateKinds {
		t.Run(name, func(t *testing.T) {
			a := harness.Start(t, options...)
			for after := range 8 {
				a.OpenOrdinary(1)
				harness.Delay(t.Context(), time.Duration(after)*35*time.Millisecond)
				a.Close(1)
			}
			raw, err := os.ReadFile(filepath.Join(a.Home, "logs", "keeper-1.log"))
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(raw), "killing it"); n > 0 {
				t.Errorf("%d of the browsers had to be killed", n)
			}
		})
	}
}

func TestAStartRightAfterBrowserCloseOpensTheProfileAnew(t *testing.T) {
	a := harness.Start(t)
	for range 3 {
		r := a.Get(harness.StatePath(1, "/start?automation=1"))
		harness.MustSucceed(t, r)
		stateConnect(t, stateAddress(r)).call("Browser.close")
		again := a.Get(harness.StatePath(1, "/start?automation=1"))
		harness.MustSucceed(t, again)
		if again.Port() == r.Port() {
			t.Errorf("the port of the browser that was closing, %d, was given out", r.Port())
		}
		a.Close(1)
	}
}

func TestTheGateListsThePageUsedLastFirst(t *testing.T) {
	a := harness.Start(t)
	gate := fmt.Sprintf("http://127.0.0.1:%d", a.Open(1))
	ask := func(method, path string, into any) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, gate+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		if into == nil {
			return
		}
		if err := json.NewDecoder(res.Body).Decode(into); err != nil {
			t.Fatalf("%s %s: %v", method, path, err)
		}
	}
	type target struct{ ID, Type string }
	first := func() target {
		t.Helper()
		var list []target
		ask("GET", "/json/list", &list)
		return list[0]
	}
	before := first()
	if before.Type != "page" {
		t.Errorf("the first of the list is a %s", before.Type)
	}
	for range 4 {
		var made target
		ask("PUT", "/json/new?about:blank", &made)
		harness.Wait(t, "the new page to be the first", func() bool { return first() == made })
	}
	ask("GET", "/json/activate/"+before.ID, nil)
	if got := first(); got != before {
		t.Errorf("the first is %v, not the one that was activated", got)
	}
	a.Close(1)
}

func TestAClientThatClosesTheLastTab(t *testing.T) {
	for name, options := range stateKinds {
		t.Run(name, func(t *testing.T) {
			a := stateStart(t, options...)
			events := a.Events()
			port := a.Open(1)
			for i, p := range harness.StateTargets(t, port) {
				res, err := harness.Get(t, fmt.Sprintf("http://127.0.0.1:%d/json/close/%s", port, p["id"]))
				if i > 0 && errors.Is(err, syscall.ECONNREFUSED) {
					t.Logf("the browser went with the tab before %v", p) // a page of its own is no tab
					break
				}
				if err != nil || res.StatusCode != http.StatusOK {
					t.Fatalf("close the tab: %v, %v; %v", res, err, p)
				}
			}
			if name == "headless" { // as Chrome: there is no window to close, and a script can open the next tab
				harness.Wait(t, "the tab to go", func() bool { return len(harness.StateTargets(t, port)) == 0 })
				if state, _ := a.State(1); state != "open" {
					t.Errorf("the profile is %q", state)
				}
				return
			}
			a.StateClosing(1)
			a.MustBeClosed(1, port)
			events.Closed(t, "1 closed automation left")
		})
	}
}

func TestAPersonWhoClosesTheLastWindowClosesTheProfile(t *testing.T) {
	a, web := stateStart(t, harness.Headed), harness.NewSite(t)
	events := a.Events()
	// A page that closes itself does as a person does.
	address := harness.StateServe(t, web, "/leave",
		`<!doctype html><script type=module>await fetch('/report', {method: 'POST', body: '{"page":"leave"}'}); window.close()</script>`)
	id := a.Create(fmt.Sprintf(`{"name":"leaves","startPages":[%q]}`, address+"/leave"))
	a.OpenOrdinary(id)
	web.Report(t, "leave")
	a.StateClosing(id)
	a.MustBeClosed(id, 0)
	events.Closed(t, fmt.Sprintf("%d closed ordinary left", id))
}

func TestARestartedAppFindsOpenProfilesAgain(t *testing.T) {
	a := stateStart(t)
	ordinary := a.Create(`{"name":"by hand"}`)
	first := a.Get(harness.StatePath(1, "/start?automation=1"))
	harness.MustSucceed(t, first)
	a.OpenOrdinary(ordinary)
	client := stateConnect(t, stateAddress(first))
	before := a.Running()
	for name, end := range map[string]func(){
		"stop-app": func() { a.Must("stop-app"); _ = a.Cmd.Wait() },
		"kill":     a.Kill,
	} {
		end()
		client.call("Browser.getVersion") // there is no app now
		a.Up()
		if after := a.Running(); !reflect.DeepEqual(before, after) {
			t.Fatalf("%s: the app knew %v before and %v after", name, before, after)
		}
		client.call("Browser.getVersion")
		harness.MustRefuse(t, a.Get(harness.StatePath(1, "/start?automation=1")), http.StatusConflict,
			"E_BROWSER_RUN_DUPLICATE")
		harness.MustRefuse(t, a.Get(harness.StatePath(ordinary, "/start?automation=1")), http.StatusConflict,
			"E_BROWSER_OPEN_ORDINARY")
		if raw, err := os.ReadFile(a.ActivePort(1)); err != nil ||
			!strings.HasPrefix(string(raw), strconv.Itoa(first.Port())+"\n") {
			t.Errorf("%s: DevToolsActivePort is %q, %v", name, raw, err)
		}
	}
	a.Close(1)
	a.MustBeClosed(1, first.Port())
	a.Close(ordinary)
	a.MustBeClosed(ordinary, 0)
}

func TestARestartedAppFindsAProfileThatIsStarting(t *testing.T) {
	a := stateStart(t)
	browser, release := harness.StateHeldBrowser(t, a)
	id := a.Create(fmt.Sprintf(`{"name":"held","browser":%q}`, browser))
	go func() { _, _ = a.Try(http.MethodGet, harness.StatePath(id, "/start?automation=1"), "") }()
	harness.Wait(t, "the keeper", func() bool { return harness.Exists(a.File(id, "keeper.json")) })
	a.Kill()
	a.Up()
	if state, mode := a.State(id); state != "starting" || mode != "automation" {
		t.Errorf("found again as %q %q", state, mode)
	}
	answers := a.StartMany(2, harness.StatePath(id, "/start?automation=1"))
	staysStarting(t, a, id, "automation") // while both arrive
	release()
	for _, r := range answers() {
		harness.MustSucceed(t, r)
		stateConnect(t, stateAddress(r)).call("Browser.getVersion")
	}
}

func TestAClientsEndLeavesTheProfileOpen(t *testing.T) {
	a := stateStart(t)
	r := a.Get(harness.StatePath(1, "/start?automation=1"))
	harness.MustSucceed(t, r)
	before := a.Running()
	polite, rude, other := stateConnect(t, stateAddress(r)), stateConnect(t, stateAddress(r)), stateConnect(t,
		stateAddress(r))
	for _, c := range []*stateClient{polite, rude, other} {
		c.call("Target.getTargets")
	}
	if err := polite.ws.Close(websocket.StatusNormalClosure, ""); err != nil {
		t.Errorf("the gate did not say goodbye: %v", err)
	}
	_ = rude.ws.CloseNow()
	other.call("Browser.getVersion")
	_ = other.ws.CloseNow()
	stateConnect(t, stateAddress(r)).call("Browser.getVersion")
	if after := a.Running(); !reflect.DeepEqual(before, after) {
		t.Errorf("clients that end changed %v into %v", before, after)
	}
}

func TestADeadBrowserOrKeeperClosesTheProfileWhichStartsAgainAtOnce(t *testing.T) {
	a := stateStart(t)
	events := a.Events()
	for _, c := range []struct {
		mode, start string
		victim      func(int) int
	}{
		{"automation", "/start?automation=1", a.Browser},
		{"automation", "/start?automation=1", a.Keeper},
		{"ordinary", "/start", a.Browser},
		{"automation", "/start?automation=1", a.Browser},
	} {
		r := a.Get(harness.StatePath(1, c.start))
		harness.MustSucceed(t, r)
		if err := syscall.Kill(c.victim(1), syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		a.StateClosing(1)
		a.MustBeClosed(1, r.Port())
		events.Next(t, "1 starting "+c.mode, "1 open "+c.mode, "1 closed "+c.mode+" crashed")
	}
	a.Open(1)
}

func TestAnOrdinaryBrowserOutlivesItsKeeper(t *testing.T) {
	a := stateStart(t)
	a.OpenOrdinary(1)
	harness.Wait(t, "the browser's lock", func() bool { return harness.Exists(a.File(1, "data_dir/SingletonLock")) })
	before, old := a.Running(), a.Keeper(1)
	if err := syscall.Kill(old, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	harness.Wait(t, "a new keeper", func() bool {
		return harness.Exists(a.File(1, "keeper.json")) &&
			a.Keeper(1) != old
	})
	if after := a.Running(); !reflect.DeepEqual(before, after) {
		t.Errorf("the keeper's death changed %v into %v", before, after)
	}
	harness.MustRefuse(t, a.Get(harness.StatePath(1, "/start?automation=1")), http.StatusConflict,
		"E_BROWSER_OPEN_ORDINARY")
	a.Close(1)
	a.MustBeClosed(1, 0)
}

func TestTabsComeBackAndDoNotMultiply(t *testing.T) {
	for name, options := range stateKinds {
		t.Run(name, func(t *testing.T) {
			a, web := stateStart(t, options...), harness.NewSite(t)
			a.Own("PATCH", harness.StatePath(1, ""), fmt.Sprintf(`{"startPages":[%q]}`, web.URL+"/tab/1"))
			port := a.Open(1)
			mustShow(t, port, web.URL+"/tab/1")
			req, _ := http.NewRequestWithContext(t.Context(), http.MethodPut,
				fmt.Sprintf("http://127.0.0.1:%d/json/new?%s", port, web.URL+"/tab/2"), nil)
			if res, err := http.DefaultClient.Do(req); err != nil || res.StatusCode != http.StatusOK {
				t.Fatalf("open a tab: %v, %v", res, err)
			}
			// A browser does not remember a page that it has not got yet.
			harness.Wait(t, "the pages to load", func() bool {
				return !slices.ContainsFunc(harness.StateTargets(t, port),
					func(p map[string]string) bool { return !strings.HasPrefix(p["title"], "tab ") })
			})
			for range 3 {
				mustShow(t, port, web.URL+"/tab/1", web.URL+"/tab/2")
				a.Close(1)
				port = a.Open(1)
			}
			mustShow(t, port, web.URL+"/tab/1", web.URL+"/tab/2")
		})
	}
}

func TestTabsComeBackAfterAnOrdinarySession(t *testing.T) {
	for name, options := range stateKinds {
		t.Run(name, func(t *testing.T) {
			a, web := stateStart(t, options...), harness.NewSite(t)
			visits := make(chan string, 100)
			address := harness.Serve(t, func(w http.ResponseWriter, r *http.Request) {
				if strings.HasPrefix(r.URL.Path, "/tab/") {
					visits <- r.URL.Path
				}
				w.Header().Set("Cache-Control", "no-store") // else a page that comes back may not be asked for
				web.Config.Handler.ServeHTTP(w, r)
			})
			a.Own("PATCH", harness.StatePath(1, ""), fmt.Sprintf(`{"startPages":[%q]}`, address+"/tab/1"))
			for range 2 {
				a.OpenOrdinary(1)
				stateVisit(t, visits, "/tab/1")
				a.Close(1)
			}
			port := a.Open(1)
			stateVisit(t, visits, "/tab/1")
			mustShow(t, port, address+"/tab/1")
			a.Close(1)
			// Stopped before the browser had time to show anything.
			a.OpenOrdinary(1)
			a.Close(1)
			mustShow(t, a.Open(1), address+"/tab/1")
		})
	}
}

// stateVisit waits until the browser has asked for a page.
func stateVisit(t *testing.T, visits <-chan string, path string) {
	t.Helper()
	select {
	case got := <-visits:
		if got != path {
			t.Fatalf("the browser asked for %s, not %s", got, path)
		}
	case <-time.After(harness.Patience):
		t.Fatalf("the browser did not ask for %s", path)
	}
}

func TestStartPagesOpenWhenNothingIsRestored(t *testing.T) {
	for name, options := range stateKinds {
		t.Run(name, func(t *testing.T) {
			a, web := stateStart(t, options...), harness.NewSite(t)
			mustShow(t, a.Open(1), "about:blank")
			a.Close(1)
			pages := []string{web.URL + "/tab/1", web.URL + "/tab/2", web.URL + "/tab/3"}
			id := a.Create(fmt.Sprintf(`{"name":"pages","startPages":["%s"]}`, strings.Join(pages, `","`)))
			mustShow(t, a.Open(id), pages...)
			a.Close(id)
			r := a.Request("POST", harness.StatePath(id, "/start"), `{"automation":true,"noTabs":true}`)
			harness.MustSucceed(t, r)
			mustShow(t, r.Port(), "about:blank")
			a.Close(id)
			mustShow(t, a.Open(id), pages...)
		})
	}
}

func TestATemporaryProfileIsGoneWhenItIsClosed(t *testing.T) {
	a, web := stateStart(t), harness.NewSite(t)
	begin := func() (id, port int) {
		r := a.Request("POST", "/v1.0/browser_profiles/start",
			fmt.Sprintf(`{"automation":true,"name":"once","startPages":[%q]}`, web.URL+"/tab/1"))
		harness.MustSucceed(t, r)
		n, _ := r.Body["profileId"].(float64)
		if r.Body["type"] != "temporary" || n < 2 || r.Port() == 0 {
			t.Fatalf("the answer is %s", r.Raw)
		}
		return int(n), r.Port()
	}
	gone := func(id, port int) {
		t.Helper()
		harness.MustRefuse(t, a.Own("GET", harness.StatePath(id, ""), ""), http.StatusNotFound, "E_NOT_FOUND")
		harness.MustRefuse(t, a.Get(harness.StatePath(id, "/start?automation=1")), http.StatusNotFound, "E_NOT_FOUND")
		harness.MustRefuse(t, a.Get(harness.StatePath(id, "/stop")), http.StatusNotFound, "E_NOT_FOUND")
		for _, name := range []string{a.File(id, ""), a.File(id, "") + ".deleted"} {
			if harness.Exists(name) {
				t.Errorf("%s is still there", name)
			}
		}
		if harness.Answering(t, port) {
			t.Error("its port is still open")
		}
	}
	id, port := begin()
	mustShow(t, port, web.URL+"/tab/1")
	if !harness.Exists(a.File(id, "data_dir")) {
		t.Error("an open temporary profile has no folder")
	}
	if list := a.Own("GET", "/v1.0/browser_profiles", ""); list.Body["total"] != 1.0 {
		t.Errorf("the list shows it: %s", list.Raw)
	}
	a.Close(id)
	gone(id, port)

	// One that closes while there is no app goes when the next one starts.
	second, port := begin()
	if second == id {
		t.Errorf("the id %d was given again", id)
	}
	a.Kill()
	if err := syscall.Kill(a.Keeper(second), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	harness.Wait(t, "the keeper to go", func() bool { return len(a.Processes("keeper")) == 0 })
	a.Up()
	gone(second, port)

	// One that never opened is not kept either.
	before := a.Own("GET", "/v1.0/browser_profiles?limit=10000", "").Raw
	harness.MustRefuse(t, a.Own("POST", "/v1.0/browser_profiles/start", fmt.Sprintf(`{"automation":true,"browser":%q}`,
		errBrowser(t, "exit 3"))),
		http.StatusInternalServerError, "E_BROWSER_LAUNCH")
	if after := a.Own("GET", "/v1.0/browser_profiles?limit=10000", "").Raw; before != after ||
		harness.Exists(a.File(second+1, "")) {
		t.Errorf("a temporary profile that did not open left %s", after)
	}
}

func TestSixProfilesStartedAtOnceAllOpen(t *testing.T) {
	a := stateStart(t)
	ids := a.MassCreate(5, "")
	ids = append(ids, 1)
	answers, errs := make([]harness.Answer, len(ids)), make([]error, len(ids))
	var all sync.WaitGroup
	for i, id := range ids {
		all.Go(func() { answers[i], errs[i] = a.Try(http.MethodGet, harness.StatePath(id, "/start?automation=1"), "") })
	}
	all.Wait()
	ports := map[int]bool{}
	for i, r := range answers {
		if errs[i] != nil {
			t.Fatal(errs[i])
		}
		harness.MustSucceed(t, r)
		ports[r.Port()] = true
	}
	running := a.Running()
	for _, id := range ids {
		if one, _ := running[strconv.Itoa(id)].(map[string]any); one["state"] != "open" {
			t.Errorf("profile %d is %v", id, one)
		}
	}
	if len(ports) != len(ids) || len(running) != len(ids) {
		t.Errorf("%d profiles have the ports %v and run as %v", len(ids), ports, slices.Sorted(maps.Keys(running)))
	}
}

func TestAfterALogoutOnlyStopWorksAndOpenProfilesStayOpen(t *testing.T) {
	a := stateStart(t)
	other := a.Create(`{"name":"other"}`)
	first := a.Get(harness.StatePath(1, "/start?automation=1"))
	harness.MustSucceed(t, first)
	a.Must("logout")
	for _, call := range [][3]string{
		{"GET", "/v1.0/browser_profiles"}, {"POST", "/v1.0/browser_profiles", `{"name":"x"}`},
		{"POST", "/v1.0/browser_profiles/mass", `{"profiles":[{"name":"x"}]}`},
		{"DELETE", "/v1.0/browser_profiles", fmt.Sprintf(`{"ids":[%d]}`, other)},
		{"GET", "/v1.0/browser_profiles/running"}, {"POST", "/v1.0/browser_profiles/start", `{"automation":true}`},
		{"POST", "/v1.0/browser_profiles/start"},
		{"GET", harness.StatePath(other, "")}, {"PATCH", harness.StatePath(other, ""), `{"name":"x"}`},
		{"PUT", harness.StatePath(other, ""), `{"name":"x"}`}, {"DELETE", harness.StatePath(other, "")},
		{"POST", harness.StatePath(other, "/restore")}, {"POST", harness.StatePath(other, "/clone"), `{}`},
		{"GET", harness.StatePath(1, "/active")},
		{"GET", harness.StatePath(1, "/start?automation=1")}, {"GET", harness.StatePath(1, "/start")},
		{"POST", harness.StatePath(other, "/start"), `{"automation":true}`},
		{"GET", harness.StatePath(other, "/start")},
		{"GET", harness.StatePath(99, "/start?automation=1")},
	} {
		for name, r := range map[string]harness.Answer{"without a credential": a.Request(call[0], call[1], call[2]),
			"with the owner's token": a.Own(call[0], call[1], call[2])} {
			t.Run(call[0]+" "+call[1]+" "+name,
				func(t *testing.T) { harness.MustRefuse(t, r, http.StatusUnauthorized, "E_UNAUTHORIZED") })
		}
	}
	harness.MustRefuse(t, a.Own("GET", "/v1.0/auth/me", ""), http.StatusUnauthorized, "E_UNAUTHORIZED")
	status := a.Get("/v1.0/status")
	if open, _ := status.Body["open"].([]any); status.Body["logged_in"] != false || len(open) != 1 {
		t.Errorf("after the logout the status is %s", status.Raw)
	}
	stateConnect(t, stateAddress(first)).call("Browser.getVersion")
	harness.MustSucceed(t, a.Get(harness.StatePath(other, "/stop")))
	a.Close(1)
	if harness.Exists(a.ActivePort(1)) {
		t.Error("stop did not close the profile")
	}
	a.Must("login", "--owner")
	a.MustBeClosed(1, first.Port())
	if list := a.Own("GET", "/v1.0/browser_profiles", ""); list.Body["total"] != 2.0 {
		t.Errorf("after all that the profiles are %s", list.Raw)
	}
	a.Open(other)
}

func TestRequireTokenClosesStartAndStop(t *testing.T) {
	a := stateStart(t)
	made := a.Own("POST", "/v1.0/tokens", `{"name":"script"}`)
	token, _ := harness.Member(made.Body, "data", "token").(string)
	if token == "" {
		t.Fatalf("create a token: %s", made.Raw)
	}
	a.Must("config", "set", "require_token", "true")
	for _, header := range [][]string{nil, {"Authorization", "Bearer wrong"}, {"Authorization", "Basic " + token},
		{"Authorization", token + "x"}, {"X-Anty-Session-Token", "wrong"}} {
		for _, call := range [][2]string{{"GET", harness.StatePath(1, "/start?automation=1")},
			{"GET", harness.StatePath(1, "/start")}, {"POST", harness.StatePath(1, "/start")},
			{"GET", harness.StatePath(1, "/stop")}, {"POST", "/v1.0/browser_profiles/start"}} {
			r := a.Request(call[0], call[1], "", header...)
			harness.MustRefuse(t, r, http.StatusUnauthorized, "E_UNAUTHORIZED")
			if r.Header.Get("WWW-Authenticate") == "" {
				t.Errorf("%v does not say which credential it wants", call)
			}
		}
	}
	a.MustBeClosed(1, 0)
	r := a.Request("GET", harness.StatePath(1, "/start?automation=1"), "", "Authorization", "Bearer "+token)
	harness.MustSucceed(t, r)
	harness.MustRefuse(t, a.Get(harness.StatePath(1, "/stop")), http.StatusUnauthorized, "E_UNAUTHORIZED")
	stateConnect(t, stateAddress(r)).call("Browser.getVersion")
	harness.MustSucceed(t, a.Own("GET", harness.StatePath(1, "/stop"), ""))
	a.MustBeClosed(1, r.Port())
	a.Must("config", "set", "require_token", "false")
	a.Close(1)
}

func TestEventsTellEveryState(t *testing.T) {
	a := stateStart(t)
	events := a.Events()
	a.Open(1)
	events.Next(t, "1 starting automation", "1 open automation")
	a.Events().Next(t, "1 open automation") // who comes later gets the present state first
	a.Close(1)
	events.Next(t, "1 stopping automation", "1 closed automation stopped")
	a.OpenOrdinary(1)
	events.Next(t, "1 starting ordinary", "1 open ordinary")
	a.Close(1)
	events.Next(t, "1 stopping ordinary", "1 closed ordinary stopped")
	id := a.Create(fmt.Sprintf(`{"name":"broken","browser":%q}`, errBrowser(t, "exit 3")))
	harness.MustRefuse(t, a.Get(harness.StatePath(id, "/start?automation=1")), http.StatusInternalServerError,
		"E_BROWSER_LAUNCH")
	events.Next(t, "profile created", fmt.Sprintf("%d starting automation", id),
		fmt.Sprintf("%d closed automation", id))
}
