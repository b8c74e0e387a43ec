//go:build e2e

package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
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
)

// stateIn is the same app for a subtest, which fails by itself.
func stateIn(t *testing.T, a *app) *app {
	b := *a
	b.t = t
	return &b
}

// stateStart runs the app without the second that a program with the race detector sleeps at its end.
func stateStart(t *testing.T, options ...option) *app {
	t.Helper()
	return start(t, append(options, with("GORACE=halt_on_error=0 atexit_sleep_ms=10"))...)
}

func statePath(id int, rest string) string {
	return fmt.Sprintf("/v1.0/browser_profiles/%d%s", id, rest)
}

// stateKinds are the two ways that a browser shows its pages.
var stateKinds = map[string][]option{"headless": nil, "headed": {headed}}

// stateTraces are the files that a profile has while it is open.
func stateTraces(a *app, id int) []string {
	return []string{a.activePort(id), a.file(id, "keeper.json"), a.file(id, "keeper.sock")}
}

// mustBeClosed checks that nothing of an open profile is left.
func (a *app) mustBeClosed(id, port int) {
	a.t.Helper()
	if state, _ := a.state(id); state != "" {
		a.t.Errorf("profile %d is %q instead of closed", id, state)
	}
	mustRefuse(a.t, a.get(statePath(id, "/active")), http.StatusNotFound, "E_NOT_OPEN")
	for _, name := range stateTraces(a, id) {
		if exists(name) {
			a.t.Errorf("%s is there although the profile is closed", name)
		}
	}
	if port != 0 {
		if c, err := net.DialTimeout("tcp4", "127.0.0.1:"+strconv.Itoa(port), time.Second); err == nil {
			_ = c.Close()
			a.t.Errorf("port %d is open although the profile is closed", port)
		}
	}
	wait(a.t, "the browser's processes to go", func() bool { return len(a.processes(a.file(id, "data_dir"))) == 0 })
}

// stateClosing waits until a profile is closed.
func (a *app) stateClosing(id int) {
	a.t.Helper()
	wait(a.t, "the profile to close", func() bool { state, _ := a.state(id); return state == "" })
}

// running is the API's map of open profiles.
func (a *app) running() map[string]any {
	a.t.Helper()
	r := a.get("/v1.0/browser_profiles/running")
	mustSucceed(a.t, r)
	return r.Body
}

// statePages are the addresses of an open profile's pages, in order.
func statePages(t *testing.T, port int) (urls []string) {
	t.Helper()
	for _, p := range stateTargets(t, port) {
		urls = append(urls, p["url"])
	}
	slices.Sort(urls)
	return urls
}

func stateTargets(t *testing.T, port int) (pages []map[string]string) {
	t.Helper()
	var all []map[string]string
	stateJSON(t, port, "/json/list", &all)
	for _, p := range all {
		if p["type"] == "page" {
			pages = append(pages, p)
		}
	}
	return pages
}

func stateJSON(t *testing.T, port int, path string, out any) {
	t.Helper()
	res, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d%s", port, path))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if err := json.NewDecoder(res.Body).Decode(out); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// mustShow waits until exactly these pages are open.
func mustShow(t *testing.T, port int, want ...string) {
	t.Helper()
	slices.Sort(want)
	var got []string
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if got = statePages(t, port); slices.Equal(got, want) {
			return
		}
		if len(got) > len(want) {
			break // no page goes away by itself
		}
	}
	t.Fatalf("the browser shows %q, not %q", got, want)
}

// stateClient is a program that is connected to a profile's gate.
type stateClient struct {
	t    *testing.T
	ws   *websocket.Conn
	last int
}

func stateConnect(t *testing.T, address string) *stateClient {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
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
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c.last++
	if err := c.ws.Write(ctx, websocket.MessageText, fmt.Appendf(nil, `{"id":%d,"method":%q}`, c.last, method)); err != nil {
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
func stateAddress(r answer) string {
	o, _ := r.Body["automation"].(map[string]any)
	s, _ := o["webSocketDebuggerUrl"].(string)
	return s
}

// stateEvents follows /v1.0/events.
type stateEvents struct {
	mu   sync.Mutex
	seen []string
}

// events follows the app's events from now on.
func (a *app) events() *stateEvents {
	a.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.base+"/v1.0/events", nil)
	if err != nil {
		a.t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		a.t.Fatal(err)
	}
	if kind := res.Header.Get("Content-Type"); res.StatusCode != http.StatusOK || kind != "text/event-stream" {
		a.t.Fatalf("events: %d %s", res.StatusCode, kind)
	}
	e := &stateEvents{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for lines := bufio.NewScanner(res.Body); lines.Scan(); {
			e.take(lines.Text())
		}
	}()
	a.t.Cleanup(func() {
		cancel()
		_ = res.Body.Close()
		<-done
	})
	return e
}

// take notes "1 open automation", "1 closed automation stopped", "profile created".
func (e *stateEvents) take(line string) {
	data, ok := strings.CutPrefix(line, "data: ")
	if !ok {
		return
	}
	var m struct {
		Type    string
		Session struct {
			ID               int
			State, Mode, End string
		}
		Profile struct{ Change string }
	}
	text := "unreadable: " + data
	if json.Unmarshal([]byte(data), &m) == nil {
		text = strings.TrimSpace(fmt.Sprintf("%d %s %s %s", m.Session.ID, m.Session.State, m.Session.Mode, m.Session.End))
		if m.Type == "profile" {
			text = "profile " + m.Profile.Change
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.seen = append(e.seen, text)
}

// next waits until as many events as wanted are there and takes them; each begins as wanted.
func (e *stateEvents) next(t *testing.T, want ...string) {
	t.Helper()
	var got []string
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		e.mu.Lock()
		if got = e.seen; len(got) >= len(want) {
			e.seen = nil
			e.mu.Unlock()
			break
		}
		e.mu.Unlock()
	}
	if !slices.EqualFunc(got, want, strings.HasPrefix) {
		t.Fatalf("the events are %q, not %q", got, want)
	}
}

// closed waits for the end of a session and takes everything up to it; it must begin as wanted.
func (e *stateEvents) closed(t *testing.T, want string) {
	t.Helper()
	var got string
	wait(t, want, func() bool {
		e.mu.Lock()
		defer e.mu.Unlock()
		i := slices.IndexFunc(e.seen, func(s string) bool { return strings.Contains(s, " closed ") })
		if i < 0 {
			return false
		}
		got, e.seen = e.seen[i], e.seen[i+1:]
		return true
	})
	if !strings.HasPrefix(got, want) {
		t.Errorf("the session ended as %q, not %q", got, want)
	}
}

// stateHeldBrowser is a browser that starts only when release was called.
func stateHeldBrowser(t *testing.T, a *app) (path string, release func()) {
	t.Helper()
	dir := t.TempDir()
	path, gate := filepath.Join(dir, "held"), filepath.Join(dir, "go")
	errScript(t, path, fmt.Sprintf("case \"$1\" in --version) exec %[1]s --version;; esac\nwhile [ ! -e %[2]s ]; do sleep 0.05; done\nexec %[1]s \"$@\"", a.realBrowser(), gate))
	return path, func() {
		if err := os.WriteFile(gate, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// realBrowser is the executable that profiles open with.
func (a *app) realBrowser() string {
	a.t.Helper()
	list, _ := a.own(http.MethodGet, "/v1.0/browsers", "").Body["data"].([]any)
	for _, one := range list {
		b, _ := one.(map[string]any)
		if path, _ := b["path"].(string); b["used"] == true && path != "" {
			return path
		}
	}
	a.t.Fatal("there is no browser")
	return ""
}

// startMany sends the same start several times at once; the answers come when all are there.
func (a *app) startMany(n int, path string) func() []answer {
	answers, errs := make([]answer, n), make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { answers[i], errs[i] = a.try(http.MethodGet, path, "") })
	}
	return func() []answer {
		a.t.Helper()
		all.Wait()
		for _, err := range errs {
			if err != nil {
				a.t.Fatal(err)
			}
		}
		return answers
	}
}

func TestEachAutomationStartHasANewPortThatIsThereExactlyWhileTheProfileIsOpen(t *testing.T) {
	a := stateStart(t)
	seen := map[string]bool{}
	for range 3 {
		a.mustBeClosed(1, 0)
		r := a.get(statePath(1, "/start?automation=1"))
		mustSucceed(t, r)
		automation, _ := r.Body["automation"].(map[string]any)
		port, path := r.port(), fmt.Sprint(automation["wsEndpoint"])
		if want := fmt.Sprintf("ws://127.0.0.1:%d%s", port, path); automation["webSocketDebuggerUrl"] != want || !strings.HasPrefix(path, "/devtools/browser/") {
			t.Errorf("the answer is %s", r.Raw)
		}
		for _, one := range []string{strconv.Itoa(port), path} {
			if seen[one] {
				t.Errorf("%s was given before", one)
			}
			seen[one] = true
		}
		for _, name := range stateTraces(a, 1) {
			if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s of an open profile: %v, %v", name, info, err)
			}
		}
		if raw, err := os.ReadFile(a.activePort(1)); string(raw) != fmt.Sprintf("%d\n%s", port, path) {
			t.Errorf("DevToolsActivePort is %q, %v; the answer was %s", raw, err, r.Raw)
		}
		var version map[string]string
		if stateJSON(t, port, "/json/version", &version); version["webSocketDebuggerUrl"] != automation["webSocketDebuggerUrl"] {
			t.Errorf("/json/version says %q, the answer was %s", version["webSocketDebuggerUrl"], r.Raw)
		}
		for path, of := range map[string]func(answer) any{
			statePath(1, "/active"): func(r answer) any { return r.Body["automation"] },
			"/v1.0/browser_profiles/running": func(r answer) any {
				one, _ := r.Body["1"].(map[string]any)
				return one["automation"]
			},
		} {
			r := a.get(path)
			mustSucceed(t, r)
			if !reflect.DeepEqual(of(r), any(automation)) {
				t.Errorf("%s says %s, the start said %v", path, r.Raw, automation)
			}
		}
		a.close(1)
		a.mustBeClosed(1, port)
	}
}

func TestTheFreePlanOpensProfilesByHandOnly(t *testing.T) {
	a := stateStart(t)
	a.must("account", "set-plan", "free")
	for _, call := range [][3]string{
		{"GET", statePath(1, "/start?automation=1")}, {"POST", statePath(1, "/start"), `{"automation":true}`},
		{"POST", "/v1.0/browser_profiles/start", `{"automation":true}`},
	} {
		mustRefuse(t, a.request(call[0], call[1], call[2]), http.StatusPaymentRequired, "E_PLAN_AUTOMATION")
	}
	a.mustBeClosed(1, 0)
	if exists(a.file(2, "")) || exists(a.file(1, "data_dir")) {
		t.Error("a refused start left a folder behind")
	}
	a.openOrdinary(1)
	if state, mode := a.state(1); state != "open" || mode != "ordinary" {
		t.Errorf("on the free plan an ordinary start leads to %q %q", state, mode)
	}
	a.close(1)
	a.must("account", "set-plan", "team")
	port := a.open(1)
	a.close(1)
	a.mustBeClosed(1, port)
}

func TestAnOrdinaryProfileCanNotBeDebuggedAndIsNotTakenOver(t *testing.T) {
	a := stateStart(t, headed)
	a.openOrdinary(1)
	wait(t, "the browser's pages", func() bool { return len(a.processes("--type=renderer")) > 0 })
	before := a.running()
	for _, line := range a.processes("") {
		if strings.Contains(line, "remote-debugging") || strings.Contains(line, "--enable-automation") || strings.Contains(line, "--headless") {
			t.Errorf("an ordinary browser runs as %s", line)
		}
	}
	if len(a.processes("--user-data-dir="+a.file(1, "data_dir"))) == 0 {
		t.Error("no process has the profile's data folder open")
	}
	if exists(a.activePort(1)) {
		t.Error("an ordinary profile has a DevToolsActivePort")
	}
	r := a.get(statePath(1, "/start?automation=1"))
	mustRefuse(t, r, http.StatusConflict, "E_BROWSER_OPEN_ORDINARY")
	if o, _ := r.Body["errorObject"].(map[string]any); !strings.Contains(fmt.Sprint(o["hint"]), "cove stop 1") {
		t.Errorf("the hint does not say how to close it: %s", r.Raw)
	}
	r = a.get(statePath(1, "/start"))
	mustRefuse(t, r, http.StatusConflict, "E_BROWSER_RUN_DUPLICATE")
	if _, there := r.Body["automation"]; there {
		t.Errorf("an ordinary profile has automation: %s", r.Raw)
	}
	if after := a.running(); !reflect.DeepEqual(before, after) {
		t.Errorf("refused starts changed %v into %v", before, after)
	}
	if r := a.get(statePath(1, "/active")); r.Status != http.StatusOK || r.Body["automation"] != nil {
		t.Errorf("active says %d %s", r.Status, r.Raw)
	}
	a.close(1)
	a.mustBeClosed(1, 0)
}

func TestASecondAutomationStartIsToldOfTheRunningOne(t *testing.T) {
	a := stateStart(t)
	first := a.get(statePath(1, "/start?automation=1"))
	mustSucceed(t, first)
	for _, line := range a.processes("") {
		if strings.Contains(line, "--remote-debugging-port") {
			t.Errorf("the browser has a port of its own: %s", line)
		}
	}
	if len(a.processes("--remote-debugging-pipe")) == 0 {
		t.Error("no browser with a pipe is running")
	}
	before := a.running()
	for _, path := range []string{statePath(1, "/start?automation=1"), statePath(1, "/start")} {
		r := a.get(path)
		mustRefuse(t, r, http.StatusConflict, "E_BROWSER_RUN_DUPLICATE")
		if !reflect.DeepEqual(r.Body["automation"], first.Body["automation"]) {
			t.Errorf("%s answers %s, running is %s", path, r.Raw, first.Raw)
		}
	}
	if after := a.running(); !reflect.DeepEqual(before, after) {
		t.Errorf("refused starts changed %v into %v", before, after)
	}
	stateConnect(t, stateAddress(first)).call("Browser.getVersion")
}

func TestStartsInTheSameModeJoinAndTheOtherModeIsRefused(t *testing.T) {
	a := stateStart(t)
	for mode, c := range map[string]struct{ path, other, code string }{
		"automation": {"/start?automation=1", "/start", "E_BROWSER_RUN_DUPLICATE"},
		"ordinary":   {"/start", "/start?automation=1", "E_BROWSER_OPEN_ORDINARY"},
	} {
		t.Run(mode, func(t *testing.T) {
			a := stateIn(t, a)
			browser, release := stateHeldBrowser(t, a)
			id := a.create(fmt.Sprintf(`{"name":%q,"browser":%q}`, mode, browser))
			answers := a.startMany(5, statePath(id, c.path))
			wait(t, "the start", func() bool { state, _ := a.state(id); return state != "" })
			time.Sleep(300 * time.Millisecond) // for all five to arrive; the browser is held
			if state, got := a.state(id); state != "starting" || got != mode {
				t.Errorf("before its browser runs the profile is %q %q", state, got)
			}
			mustRefuse(t, a.get(statePath(id, c.other)), http.StatusConflict, c.code)
			mustRefuse(t, a.get(statePath(id, "/active")), http.StatusNotFound, "E_NOT_OPEN")
			if exists(a.activePort(id)) {
				t.Error("DevToolsActivePort is there before the profile is open")
			}
			release()
			all := answers()
			for _, r := range all {
				if r.Status != http.StatusOK || r.Raw != all[0].Raw || (r.port() != 0) != (mode == "automation") {
					t.Errorf("one answer is %d %s, another %d %s", r.Status, r.Raw, all[0].Status, all[0].Raw)
				}
			}
			if state, got := a.state(id); state != "open" || got != mode {
				t.Errorf("after the start the profile is %q %q", state, got)
			}
			a.close(id)
			a.mustBeClosed(id, all[0].port())
		})
	}
}

func TestAStartThatIsStoppedTellsEveryCallerAndLeavesNothing(t *testing.T) {
	a := stateStart(t)
	id := a.create(fmt.Sprintf(`{"name":"hangs","browser":%q}`, errHangingBrowser(t)))
	answers := a.startMany(3, statePath(id, "/start?automation=1"))
	wait(t, "the browser's process", func() bool { return len(a.processes("--user-data-dir="+a.file(id, "data_dir"))) > 0 })
	mustRefuse(t, a.own("DELETE", statePath(id, ""), ""), http.StatusConflict, "E_PROFILE_OPEN")
	a.close(id)
	for _, r := range answers() {
		mustRefuse(t, r, http.StatusConflict, "E_STOPPED")
	}
	a.mustBeClosed(id, 0)
}

func TestStopIsGoodForAClosedProfileToo(t *testing.T) {
	a := stateStart(t)
	a.close(1)
	port := a.open(1)
	stops := a.startMany(4, statePath(1, "/stop"))()
	for _, r := range append(stops, a.get(statePath(1, "/stop")), a.request("POST", statePath(1, "/stop"), "")) {
		mustSucceed(t, r)
		if len(r.Body) != 1 || r.Body["success"] != true {
			t.Errorf("stop answers %s", r.Raw)
		}
	}
	a.mustBeClosed(1, port)
	mustRefuse(t, a.get(statePath(99, "/stop")), http.StatusNotFound, "E_NOT_FOUND")
}

func TestBrowserCloseOfAClientClosesTheProfile(t *testing.T) {
	for name, options := range stateKinds {
		t.Run(name, func(t *testing.T) {
			a := stateStart(t, options...)
			events := a.events()
			r := a.get(statePath(1, "/start?automation=1"))
			mustSucceed(t, r)
			stateConnect(t, stateAddress(r)).call("Browser.close")
			a.stateClosing(1)
			a.mustBeClosed(1, r.port())
			events.closed(t, "1 closed automation stopped")
		})
	}
}

func TestAnOrdinaryProfileIsClosedAtAnyMomentOfItsStart(t *testing.T) {
	for name, options := range stateKinds {
		t.Run(name, func(t *testing.T) {
			a := start(t, options...)
			for after := range 8 {
				a.openOrdinary(1)
				time.Sleep(time.Duration(after) * 35 * time.Millisecond)
				a.close(1)
			}
			raw, err := os.ReadFile(filepath.Join(a.home, "logs", "keeper-1.log"))
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
	a := start(t)
	for range 3 {
		r := a.get(statePath(1, "/start?automation=1"))
		mustSucceed(t, r)
		stateConnect(t, stateAddress(r)).call("Browser.close")
		again := a.get(statePath(1, "/start?automation=1"))
		mustSucceed(t, again)
		if again.port() == r.port() {
			t.Errorf("the port of the browser that was closing, %d, was given out", r.port())
		}
		a.close(1)
	}
}

func TestTheGateListsThePageUsedLastFirst(t *testing.T) {
	a := start(t)
	gate := fmt.Sprintf("http://127.0.0.1:%d", a.open(1))
	ask := func(method, path string, into any) {
		t.Helper()
		req, err := http.NewRequest(method, gate+path, nil)
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
		wait(t, "the new page to be the first", func() bool { return first() == made })
	}
	ask("GET", "/json/activate/"+before.ID, nil)
	if got := first(); got != before {
		t.Errorf("the first is %v, not the one that was activated", got)
	}
	a.close(1)
}

func TestAClientThatClosesTheLastTab(t *testing.T) {
	for name, options := range stateKinds {
		t.Run(name, func(t *testing.T) {
			a := stateStart(t, options...)
			events := a.events()
			port := a.open(1)
			for _, p := range stateTargets(t, port) {
				if res, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/json/close/%s", port, p["id"])); err != nil || res.StatusCode != http.StatusOK {
					t.Fatalf("close the tab: %v, %v", res, err)
				}
			}
			if name == "headless" { // as Chrome: there is no window to close, and a script can open the next tab
				wait(t, "the tab to go", func() bool { return len(stateTargets(t, port)) == 0 })
				if state, _ := a.state(1); state != "open" {
					t.Errorf("the profile is %q", state)
				}
				return
			}
			a.stateClosing(1)
			a.mustBeClosed(1, port)
			events.closed(t, "1 closed automation left")
		})
	}
}

func TestAPersonWhoClosesTheLastWindowClosesTheProfile(t *testing.T) {
	a, web := stateStart(t, headed), newSite(t)
	events := a.events()
	// A page that closes itself does as a person does.
	address := stateServe(t, web, "/leave", `<!doctype html><script type=module>await fetch('/report', {method: 'POST', body: '{"page":"leave"}'}); window.close()</script>`)
	id := a.create(fmt.Sprintf(`{"name":"leaves","startPages":[%q]}`, address+"/leave"))
	a.openOrdinary(id)
	web.report(t, "leave")
	a.stateClosing(id)
	a.mustBeClosed(id, 0)
	events.closed(t, fmt.Sprintf("%d closed ordinary left", id))
}

// stateServe serves one more page beside those of the site and returns the server's address.
func stateServe(t *testing.T, web *site, path, text string) string {
	t.Helper()
	return apiServe(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != path {
			web.Config.Handler.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(text))
	})
}

func TestARestartedAppFindsOpenProfilesAgain(t *testing.T) {
	a := stateStart(t)
	ordinary := a.create(`{"name":"by hand"}`)
	first := a.get(statePath(1, "/start?automation=1"))
	mustSucceed(t, first)
	a.openOrdinary(ordinary)
	client := stateConnect(t, stateAddress(first))
	before := a.running()
	for name, end := range map[string]func(){
		"stop-app": func() { a.must("stop-app"); _ = a.cmd.Wait() },
		"kill":     a.kill,
	} {
		end()
		client.call("Browser.getVersion") // there is no app now
		a.up()
		if after := a.running(); !reflect.DeepEqual(before, after) {
			t.Fatalf("%s: the app knew %v before and %v after", name, before, after)
		}
		client.call("Browser.getVersion")
		mustRefuse(t, a.get(statePath(1, "/start?automation=1")), http.StatusConflict, "E_BROWSER_RUN_DUPLICATE")
		mustRefuse(t, a.get(statePath(ordinary, "/start?automation=1")), http.StatusConflict, "E_BROWSER_OPEN_ORDINARY")
		if raw, err := os.ReadFile(a.activePort(1)); err != nil || !strings.HasPrefix(string(raw), strconv.Itoa(first.port())+"\n") {
			t.Errorf("%s: DevToolsActivePort is %q, %v", name, raw, err)
		}
	}
	a.close(1)
	a.mustBeClosed(1, first.port())
	a.close(ordinary)
	a.mustBeClosed(ordinary, 0)
}

func TestARestartedAppFindsAProfileThatIsStarting(t *testing.T) {
	a := stateStart(t)
	browser, release := stateHeldBrowser(t, a)
	id := a.create(fmt.Sprintf(`{"name":"held","browser":%q}`, browser))
	go func() { _, _ = a.try(http.MethodGet, statePath(id, "/start?automation=1"), "") }()
	wait(t, "the keeper", func() bool { return exists(a.file(id, "keeper.json")) })
	a.kill()
	a.up()
	if state, mode := a.state(id); state != "starting" || mode != "automation" {
		t.Errorf("found again as %q %q", state, mode)
	}
	answers := a.startMany(2, statePath(id, "/start?automation=1"))
	time.Sleep(200 * time.Millisecond) // for both to arrive
	release()
	for _, r := range answers() {
		mustSucceed(t, r)
		stateConnect(t, stateAddress(r)).call("Browser.getVersion")
	}
}

func TestAClientsEndLeavesTheProfileOpen(t *testing.T) {
	a := stateStart(t)
	r := a.get(statePath(1, "/start?automation=1"))
	mustSucceed(t, r)
	before := a.running()
	polite, rude, other := stateConnect(t, stateAddress(r)), stateConnect(t, stateAddress(r)), stateConnect(t, stateAddress(r))
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
	if after := a.running(); !reflect.DeepEqual(before, after) {
		t.Errorf("clients that end changed %v into %v", before, after)
	}
}

func TestADeadBrowserOrKeeperClosesTheProfileWhichStartsAgainAtOnce(t *testing.T) {
	a := stateStart(t)
	events := a.events()
	for _, c := range []struct {
		mode, start string
		victim      func(int) int
	}{
		{"automation", "/start?automation=1", a.browser},
		{"automation", "/start?automation=1", a.keeper},
		{"ordinary", "/start", a.browser},
		{"automation", "/start?automation=1", a.browser},
	} {
		r := a.get(statePath(1, c.start))
		mustSucceed(t, r)
		if err := syscall.Kill(c.victim(1), syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		a.stateClosing(1)
		a.mustBeClosed(1, r.port())
		events.next(t, "1 starting "+c.mode, "1 open "+c.mode, "1 closed "+c.mode+" crashed")
	}
	a.open(1)
}

func TestAnOrdinaryBrowserOutlivesItsKeeper(t *testing.T) {
	a := stateStart(t)
	a.openOrdinary(1)
	wait(t, "the browser's lock", func() bool { return exists(a.file(1, "data_dir/SingletonLock")) })
	before, old := a.running(), a.keeper(1)
	if err := syscall.Kill(old, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	wait(t, "a new keeper", func() bool { return exists(a.file(1, "keeper.json")) && a.keeper(1) != old })
	if after := a.running(); !reflect.DeepEqual(before, after) {
		t.Errorf("the keeper's death changed %v into %v", before, after)
	}
	mustRefuse(t, a.get(statePath(1, "/start?automation=1")), http.StatusConflict, "E_BROWSER_OPEN_ORDINARY")
	a.close(1)
	a.mustBeClosed(1, 0)
}

func TestTabsComeBackAndDoNotMultiply(t *testing.T) {
	for name, options := range stateKinds {
		t.Run(name, func(t *testing.T) {
			a, web := stateStart(t, options...), newSite(t)
			a.own("PATCH", statePath(1, ""), fmt.Sprintf(`{"startPages":[%q]}`, web.URL+"/tab/1"))
			port := a.open(1)
			mustShow(t, port, web.URL+"/tab/1")
			req, _ := http.NewRequest(http.MethodPut, fmt.Sprintf("http://127.0.0.1:%d/json/new?%s", port, web.URL+"/tab/2"), nil)
			if res, err := http.DefaultClient.Do(req); err != nil || res.StatusCode != http.StatusOK {
				t.Fatalf("open a tab: %v, %v", res, err)
			}
			// A browser does not remember a page that it has not got yet.
			wait(t, "the pages to load", func() bool {
				return !slices.ContainsFunc(stateTargets(t, port), func(p map[string]string) bool { return !strings.HasPrefix(p["title"], "tab ") })
			})
			for range 3 {
				mustShow(t, port, web.URL+"/tab/1", web.URL+"/tab/2")
				a.close(1)
				port = a.open(1)
			}
			mustShow(t, port, web.URL+"/tab/1", web.URL+"/tab/2")
		})
	}
}

func TestTabsComeBackAfterAnOrdinarySession(t *testing.T) {
	for name, options := range stateKinds {
		t.Run(name, func(t *testing.T) {
			a, web := stateStart(t, options...), newSite(t)
			visits := make(chan string, 100)
			address := apiServe(t, func(w http.ResponseWriter, r *http.Request) {
				if strings.HasPrefix(r.URL.Path, "/tab/") {
					visits <- r.URL.Path
				}
				w.Header().Set("Cache-Control", "no-store") // else a page that comes back may not be asked for
				web.Config.Handler.ServeHTTP(w, r)
			})
			a.own("PATCH", statePath(1, ""), fmt.Sprintf(`{"startPages":[%q]}`, address+"/tab/1"))
			for range 2 {
				a.openOrdinary(1)
				stateVisit(t, visits, "/tab/1")
				a.close(1)
			}
			port := a.open(1)
			stateVisit(t, visits, "/tab/1")
			mustShow(t, port, address+"/tab/1")
			a.close(1)
			// Stopped before the browser had time to show anything.
			a.openOrdinary(1)
			a.close(1)
			mustShow(t, a.open(1), address+"/tab/1")
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
	case <-time.After(patience):
		t.Fatalf("the browser did not ask for %s", path)
	}
}

func TestStartPagesOpenWhenNothingIsRestored(t *testing.T) {
	for name, options := range stateKinds {
		t.Run(name, func(t *testing.T) {
			a, web := stateStart(t, options...), newSite(t)
			mustShow(t, a.open(1), "about:blank")
			a.close(1)
			pages := []string{web.URL + "/tab/1", web.URL + "/tab/2", web.URL + "/tab/3"}
			id := a.create(fmt.Sprintf(`{"name":"pages","startPages":["%s"]}`, strings.Join(pages, `","`)))
			mustShow(t, a.open(id), pages...)
			a.close(id)
			r := a.request("POST", statePath(id, "/start"), `{"automation":true,"noTabs":true}`)
			mustSucceed(t, r)
			mustShow(t, r.port(), "about:blank")
			a.close(id)
			mustShow(t, a.open(id), pages...)
		})
	}
}

func TestATemporaryProfileIsGoneWhenItIsClosed(t *testing.T) {
	a, web := stateStart(t), newSite(t)
	begin := func() (id, port int) {
		r := a.request("POST", "/v1.0/browser_profiles/start", fmt.Sprintf(`{"automation":true,"name":"once","startPages":[%q]}`, web.URL+"/tab/1"))
		mustSucceed(t, r)
		n, _ := r.Body["profileId"].(float64)
		if r.Body["type"] != "temporary" || n < 2 || r.port() == 0 {
			t.Fatalf("the answer is %s", r.Raw)
		}
		return int(n), r.port()
	}
	gone := func(id, port int) {
		t.Helper()
		mustRefuse(t, a.own("GET", statePath(id, ""), ""), http.StatusNotFound, "E_NOT_FOUND")
		mustRefuse(t, a.get(statePath(id, "/start?automation=1")), http.StatusNotFound, "E_NOT_FOUND")
		mustRefuse(t, a.get(statePath(id, "/stop")), http.StatusNotFound, "E_NOT_FOUND")
		for _, name := range []string{a.file(id, ""), a.file(id, "") + ".deleted"} {
			if exists(name) {
				t.Errorf("%s is still there", name)
			}
		}
		if c, err := net.Dial("tcp4", "127.0.0.1:"+strconv.Itoa(port)); err == nil {
			_ = c.Close()
			t.Error("its port is still open")
		}
	}
	id, port := begin()
	mustShow(t, port, web.URL+"/tab/1")
	if !exists(a.file(id, "data_dir")) {
		t.Error("an open temporary profile has no folder")
	}
	if list := a.own("GET", "/v1.0/browser_profiles", ""); list.Body["total"] != 1.0 {
		t.Errorf("the list shows it: %s", list.Raw)
	}
	a.close(id)
	gone(id, port)

	// One that closes while there is no app goes when the next one starts.
	second, port := begin()
	if second == id {
		t.Errorf("the id %d was given again", id)
	}
	a.kill()
	if err := syscall.Kill(a.keeper(second), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	wait(t, "the keeper to go", func() bool { return len(a.processes("keeper")) == 0 })
	a.up()
	gone(second, port)

	// One that never opened is not kept either.
	before := a.own("GET", "/v1.0/browser_profiles?limit=10000", "").Raw
	mustRefuse(t, a.own("POST", "/v1.0/browser_profiles/start", fmt.Sprintf(`{"automation":true,"browser":%q}`, errBrowser(t, "exit 3"))),
		http.StatusInternalServerError, "E_BROWSER_LAUNCH")
	if after := a.own("GET", "/v1.0/browser_profiles?limit=10000", "").Raw; before != after || exists(a.file(second+1, "")) {
		t.Errorf("a temporary profile that did not open left %s", after)
	}
}

func TestSixProfilesStartedAtOnceAllOpen(t *testing.T) {
	a := stateStart(t)
	ids := a.massCreate(5, "")
	ids = append(ids, 1)
	answers, errs := make([]answer, len(ids)), make([]error, len(ids))
	var all sync.WaitGroup
	for i, id := range ids {
		all.Go(func() { answers[i], errs[i] = a.try(http.MethodGet, statePath(id, "/start?automation=1"), "") })
	}
	all.Wait()
	ports := map[int]bool{}
	for i, r := range answers {
		if errs[i] != nil {
			t.Fatal(errs[i])
		}
		mustSucceed(t, r)
		ports[r.port()] = true
	}
	running := a.running()
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
	other := a.create(`{"name":"other"}`)
	first := a.get(statePath(1, "/start?automation=1"))
	mustSucceed(t, first)
	a.must("logout")
	for _, call := range [][3]string{
		{"GET", "/v1.0/browser_profiles"}, {"POST", "/v1.0/browser_profiles", `{"name":"x"}`}, {"POST", "/v1.0/browser_profiles/mass", `{"profiles":[{"name":"x"}]}`},
		{"DELETE", "/v1.0/browser_profiles", fmt.Sprintf(`{"ids":[%d]}`, other)},
		{"GET", "/v1.0/browser_profiles/running"}, {"POST", "/v1.0/browser_profiles/start", `{"automation":true}`}, {"POST", "/v1.0/browser_profiles/start"},
		{"GET", statePath(other, "")}, {"PATCH", statePath(other, ""), `{"name":"x"}`}, {"PUT", statePath(other, ""), `{"name":"x"}`}, {"DELETE", statePath(other, "")},
		{"POST", statePath(other, "/restore")}, {"POST", statePath(other, "/clone"), `{}`}, {"GET", statePath(1, "/active")},
		{"GET", statePath(1, "/start?automation=1")}, {"GET", statePath(1, "/start")}, {"POST", statePath(other, "/start"), `{"automation":true}`}, {"GET", statePath(other, "/start")},
		{"GET", statePath(99, "/start?automation=1")},
	} {
		for name, r := range map[string]answer{"without a credential": a.request(call[0], call[1], call[2]), "with the owner's token": a.own(call[0], call[1], call[2])} {
			t.Run(call[0]+" "+call[1]+" "+name, func(t *testing.T) { mustRefuse(t, r, http.StatusUnauthorized, "E_UNAUTHORIZED") })
		}
	}
	mustRefuse(t, a.own("GET", "/v1.0/auth/me", ""), http.StatusUnauthorized, "E_UNAUTHORIZED")
	status := a.get("/v1.0/status")
	if open, _ := status.Body["open"].([]any); status.Body["logged_in"] != false || len(open) != 1 {
		t.Errorf("after the logout the status is %s", status.Raw)
	}
	stateConnect(t, stateAddress(first)).call("Browser.getVersion")
	mustSucceed(t, a.get(statePath(other, "/stop")))
	a.close(1)
	if exists(a.activePort(1)) {
		t.Error("stop did not close the profile")
	}
	a.must("login", "--owner")
	a.mustBeClosed(1, first.port())
	if list := a.own("GET", "/v1.0/browser_profiles", ""); list.Body["total"] != 2.0 {
		t.Errorf("after all that the profiles are %s", list.Raw)
	}
	a.open(other)
}

func TestRequireTokenClosesStartAndStop(t *testing.T) {
	a := stateStart(t)
	made := a.own("POST", "/v1.0/tokens", `{"name":"script"}`)
	token, _ := apiAt(made.Body, "data", "token").(string)
	if token == "" {
		t.Fatalf("create a token: %s", made.Raw)
	}
	a.must("config", "set", "require_token", "true")
	for _, header := range [][]string{nil, {"Authorization", "Bearer wrong"}, {"Authorization", "Basic " + token}, {"Authorization", token}} {
		for _, call := range [][2]string{{"GET", statePath(1, "/start?automation=1")}, {"GET", statePath(1, "/start")}, {"POST", statePath(1, "/start")},
			{"GET", statePath(1, "/stop")}, {"POST", "/v1.0/browser_profiles/start"}} {
			r := a.request(call[0], call[1], "", header...)
			mustRefuse(t, r, http.StatusUnauthorized, "E_UNAUTHORIZED")
			if r.Header.Get("WWW-Authenticate") == "" {
				t.Errorf("%v does not say which credential it wants", call)
			}
		}
	}
	a.mustBeClosed(1, 0)
	r := a.request("GET", statePath(1, "/start?automation=1"), "", "Authorization", "Bearer "+token)
	mustSucceed(t, r)
	mustRefuse(t, a.get(statePath(1, "/stop")), http.StatusUnauthorized, "E_UNAUTHORIZED")
	stateConnect(t, stateAddress(r)).call("Browser.getVersion")
	mustSucceed(t, a.own("GET", statePath(1, "/stop"), ""))
	a.mustBeClosed(1, r.port())
	a.must("config", "set", "require_token", "false")
	a.close(1)
}

func TestEventsTellEveryState(t *testing.T) {
	a := stateStart(t)
	events := a.events()
	a.open(1)
	events.next(t, "1 starting automation", "1 open automation")
	a.events().next(t, "1 open automation") // who comes later gets the present state first
	a.close(1)
	events.next(t, "1 stopping automation", "1 closed automation stopped")
	a.openOrdinary(1)
	events.next(t, "1 starting ordinary", "1 open ordinary")
	a.close(1)
	events.next(t, "1 stopping ordinary", "1 closed ordinary stopped")
	id := a.create(fmt.Sprintf(`{"name":"broken","browser":%q}`, errBrowser(t, "exit 3")))
	mustRefuse(t, a.get(statePath(id, "/start?automation=1")), http.StatusInternalServerError, "E_BROWSER_LAUNCH")
	events.next(t, "profile created", fmt.Sprintf("%d starting automation", id), fmt.Sprintf("%d closed automation", id))
}
