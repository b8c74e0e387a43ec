//go:build e2e

package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func policyPath(id int) string { return statePath(id, "/policy") }

// policy sets what agents may do in a profile, with flags of the command line.
func (a *app) policy(id int, flags ...string) {
	a.t.Helper()
	a.must(append([]string{"policy", "set", strconv.Itoa(id)}, flags...)...)
}

// admits tells whether the keeper of an open profile lets an agent in: it is asked without the app.
func (a *app) admits(id int) bool {
	a.t.Helper()
	out, code := a.cli("mcp", strconv.Itoa(id), "--no-autostart")
	if code != 0 && code != 5 {
		a.t.Fatalf("cove mcp %d: exit code %d\n%s", id, code, out)
	}
	return code == 0
}

// refusesAgents checks every door.
func refusesAgents(t *testing.T, a *app, id int, code, words string) {
	t.Helper()
	mustRefuse(t, a.get(statePath(id, "/start?automation=1")), 403, code)
	refusedBridge(t, a, "initialize", 5, []string{strconv.Itoa(id)}, words)
	w := &webAgent{a: a, path: fmt.Sprintf("/mcp/%d", id), token: a.token()}
	mustRefuse(t, w.initialize(), 403, code)
}

func TestAPolicyIsInForceAtOnce(t *testing.T) {
	a := start(t)
	a.policy(1, "--preset", "off")
	refusesAgents(t, a, 1, "E_AGENTS_OFF", "cove policy set 1 --preset open")
	if r := a.request("POST", "/v1.0/browser_profiles/start?automation=1", `{"policy":{"preset":"off"}}`); r.code() != "E_AGENTS_OFF" {
		t.Errorf("a temporary profile without agents: %s", r.Raw)
	}
	if state, _ := a.state(1); state != "" {
		t.Fatalf("a refused start left the profile %s", state)
	}
	a.openOrdinary(1) // the person may
	a.policy(1, "--preset", "open")
	a.close(1)
	a.open(1)
	if !a.admits(1) {
		t.Fatal("an open profile lets nobody in")
	}
	a.policy(1, "--preset", "off")
	refusesAgents(t, a, 1, "E_AGENTS_OFF", "not allowed in profile 1")
	if state, mode := a.state(1); state != "open" || mode != "automation" {
		t.Fatalf("the profile is %s %s: it stays open for the person", state, mode)
	}
	a.kill()
	if a.admits(1) {
		t.Error("without the app the keeper has forgotten the policy")
	}
	a.up()
	refusesAgents(t, a, 1, "E_AGENTS_OFF", "not allowed in profile 1")
	a.policy(1, "--preset", "guarded")
	if !a.admits(1) {
		t.Error("agents are allowed again, and not let in")
	}
}

// still tells whether every thread of a process is stopped: the signal returns before they are.
func still(pid int) bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	for _, name := range threads {
		if raw, err := os.ReadFile(name); err == nil && !strings.Contains(string(raw), ") T ") {
			return false
		}
	}
	return len(threads) > 0
}

func TestAPolicyThatTheKeeperMissedIsHandedToItLater(t *testing.T) {
	a := start(t)
	a.open(1)
	miss := func() {
		t.Helper()
		a.policy(1, "--preset", "open")
		keeper := a.keeper(1)
		if err := syscall.Kill(keeper, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = syscall.Kill(keeper, syscall.SIGCONT) })
		wait(t, "the keeper to stand still", func() bool { return still(keeper) })
		mustRefuse(t, a.own("PUT", policyPath(1), `{"preset":"off"}`), 503, "E_POLICY_NOT_IN_FORCE")
	}
	miss()
	_ = syscall.Kill(a.keeper(1), syscall.SIGCONT)
	wait(t, "the app to hand the policy on", func() bool { return !a.admits(1) })
	miss()
	a.kill()
	_ = syscall.Kill(a.keeper(1), syscall.SIGCONT)
	a.up()
	wait(t, "the new app to hand the policy on", func() bool { return !a.admits(1) })
}

func TestPanicCutsEveryAgentOffUntilItIsUndone(t *testing.T) {
	a := start(t)
	second, later := a.create(`{"name":"second"}`), a.create(`{"name":"later"}`)
	a.open(1)
	a.open(second)
	cutOff := func(when string) {
		t.Helper()
		for _, id := range []int{1, second} {
			refusesAgents(t, a, id, "E_PANIC", "cove panic --undo")
			if state, _ := a.state(id); state != "open" {
				t.Errorf("%s profile %d is %q: it stays open for the person", when, id, state)
			}
			if a.admits(id) {
				t.Errorf("%s the keeper of profile %d lets agents in", when, id)
			}
		}
		mustRefuse(t, a.get(statePath(later, "/start?automation=1")), 403, "E_PANIC")
	}
	if out := a.must("panic"); !strings.Contains(out, fmt.Sprintf("told: 1, %d", second)) {
		t.Errorf("panic says %s", out)
	}
	cutOff("at once")
	a.kill()
	if a.admits(1) || a.admits(second) {
		t.Error("without the app a keeper lets agents in")
	}
	a.up()
	cutOff("after a restart")
	a.openOrdinary(later) // the person may
	a.close(later)
	a.must("panic", "--undo")
	if !a.admits(1) || !a.admits(second) {
		t.Error("undone, and agents are not let in")
	}
	a.open(later)

	a.kill()
	if out := a.must("panic"); !strings.Contains(out, strconv.Itoa(later)) {
		t.Errorf("without the app panic says %s", out)
	}
	for _, id := range []int{1, second, later} {
		if a.admits(id) {
			t.Errorf("without the app profile %d lets agents in", id)
		}
	}
	if out, code := a.cli("panic", "--undo"); code != 6 {
		t.Errorf("undone without the app, which knows the PIN: %d %s", code, out)
	}
	a.close1(later)
	a.up()
	if err := os.Remove(a.home + "/panic"); err != nil {
		t.Fatal(err)
	}
	cutOff("with its file removed")
	a.must("panic", "--undo")
	if !a.admits(1) {
		t.Error("undone, and agents are not let in")
	}
}

// close1 ends the browser of a profile while no app is running.
func (a *app) close1(id int) {
	a.t.Helper()
	keeper := a.keeper(id)
	_ = syscall.Kill(keeper, syscall.SIGTERM)
	wait(a.t, "the keeper to end", func() bool { return !exists(a.file(id, "keeper.json")) })
}

// accessEvents follows the access states of open profiles.
func (a *app) accessEvents() <-chan map[string]any {
	a.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.base+"/v1.0/events", nil)
	if err != nil {
		a.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+a.token())
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(func() { cancel(); _ = res.Body.Close() })
	states := make(chan map[string]any, 1000)
	go func() {
		for lines := bufio.NewScanner(res.Body); lines.Scan(); {
			data, ok := strings.CutPrefix(lines.Text(), "data: ")
			var e map[string]any
			if ok && json.Unmarshal([]byte(data), &e) == nil && e["type"] == "access" {
				states <- e["access"].(map[string]any)
			}
		}
	}()
	return states
}

// accessUntil waits for an access state that is as wanted.
func accessUntil(t *testing.T, states <-chan map[string]any, what string, ok func(map[string]any) bool) {
	t.Helper()
	limit := time.After(patience)
	for {
		select {
		case d := <-states:
			if ok(d) {
				return
			}
		case <-limit:
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// personSite plays the person: its page goes elsewhere when the test says so. Through the port it would be a program, which waits.
type personSite struct {
	*httptest.Server
	before, leave, after chan struct{} // the page is there; it may go; the next one is there
}

func newPersonSite(t *testing.T) *personSite {
	t.Helper()
	s := &personSite{before: make(chan struct{}), leave: make(chan struct{}), after: make(chan struct{})}
	var once, twice sync.Once
	routes := http.NewServeMux()
	page := func(script string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprintf(w, "<!doctype html><title>person</title><script>onload = () => setTimeout(() => %s, 0)</script>", script)
		}
	}
	routes.HandleFunc("/before", page("fetch('/leave').then(() => location.replace('/after'))"))
	routes.HandleFunc("/leave", func(_ http.ResponseWriter, r *http.Request) {
		once.Do(func() { close(s.before) })
		select {
		case <-s.leave:
		case <-r.Context().Done():
		}
	})
	routes.HandleFunc("/after", page("fetch('/arrived')"))
	routes.HandleFunc("/arrived", func(http.ResponseWriter, *http.Request) { twice.Do(func() { close(s.after) }) })
	s.Server = httptest.NewServer(routes)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s
}

func TestThePersonTakesOverAndGivesBack(t *testing.T) {
	for name, c := range map[string]struct {
		options []option
		window  bool
	}{"in a window": {[]option{headed}, true}, "without one": {nil, false}} {
		t.Run(name, func(t *testing.T) {
			a, web := start(t, c.options...), newPersonSite(t)
			a.own("PATCH", statePath(1, ""), fmt.Sprintf(`{"startPages":[%q]}`, web.URL+"/before"))
			mustRefuse(t, a.own("POST", statePath(1, "/takeover"), ""), 404, "E_NOT_OPEN")
			mustRefuse(t, a.own("POST", statePath(99, "/takeover"), ""), 404, "E_NOT_FOUND")
			a.open(1)
			mustRefuse(t, a.own("POST", statePath(1, "/giveback"), ""), 409, "E_NOT_TAKEN_OVER")
			<-web.before
			states := a.accessEvents()
			r := a.own("POST", statePath(1, "/takeover"), "")
			if mustSucceed(t, r); r.Body["window"] != c.window {
				t.Errorf("a window: %s", r.Raw)
			}
			accessUntil(t, states, "the profile to be taken over", func(d map[string]any) bool { return d["takenOver"] == true })
			close(web.leave)
			<-web.after
			a.own("POST", statePath(1, "/takeover"), "") // again: what it was at first counts
			out := a.must("takeover", "1", "--back")
			if want := fmt.Sprintf("Pages went elsewhere: %[1]s/before is now %[1]s/after.", web.URL); !strings.Contains(out, want) {
				t.Errorf("the agents are told: %s", out)
			}
			accessUntil(t, states, "the profile to be given back", func(d map[string]any) bool { return d["takenOver"] == false })
			if out := a.must("takeover", "1"); strings.Contains(out, "no window") == c.window {
				t.Errorf("the person is told: %s", out)
			}
		})
	}
}

func TestAGuardedProfilesAddressIsForCallersWithACredential(t *testing.T) {
	a := start(t)
	a.policy(1, "--preset", "guarded")
	const secret = "/devtools/browser/"
	said := func(r answer) bool {
		return strings.Contains(r.Raw, secret) || strings.Contains(r.Raw, "wsEndpoint") || strings.Contains(r.Raw, "webSocketDebuggerUrl")
	}
	events := a.events()
	for i, path := range []string{"/1/start?automation=1", "/1/start?automation=1", "/running", "/1/active", "", "/1"} {
		r := a.get("/v1.0/browser_profiles" + path)
		if said(r) || (i < 4 && !strings.Contains(r.Raw, `"port":`)) {
			t.Errorf("%s without a credential: %s", path, r.Raw)
		}
	}
	if r := a.get("/v1.0/status"); said(r) {
		t.Errorf("status: %s", r.Raw)
	}
	events.mu.Lock()
	for _, e := range events.seen {
		if strings.Contains(e, secret) {
			t.Errorf("an event: %s", e)
		}
	}
	events.mu.Unlock()
	for _, path := range []string{"/1/start?automation=1", "/running", "/1/active"} {
		if r := a.own("GET", "/v1.0/browser_profiles"+path, ""); !strings.Contains(r.Raw, secret) {
			t.Errorf("%s with a credential: %s", path, r.Raw)
		}
	}
	// The wrapper finds its way: by the owner's token or by the file that only its owner can read.
	args := a.install().args("1")
	if text := strings.Join(args, " "); !strings.Contains(text, strconv.Itoa(a.get(statePath(1, "/active")).port())) {
		t.Errorf("the wrapper runs the devtools server with %q", args)
	}
	if info, err := os.Stat(a.activePort(1)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("DevToolsActivePort: %v %v", info.Mode(), err)
	}
	a.policy(1, "--preset", "open")
	if !said(a.get("/v1.0/browser_profiles/running")) {
		t.Error("an open profile's address is not told")
	}
}

func TestThePINStandsBetweenATokenAndMoreRights(t *testing.T) {
	a := start(t)
	own := func(status int, code, method, path, body string) {
		t.Helper()
		r := a.own(method, path, body)
		if r.Status != status || r.code() != code {
			t.Errorf("%s %s: %d %s", method, path, r.Status, r.Raw)
		}
	}
	own(200, "", "PUT", "/v1.0/pin", `{"pin":"4711"}`)
	own(200, "", "PUT", policyPath(1), `{"preset":"guarded"}`)
	own(403, "E_PIN_REQUIRED", "PUT", policyPath(1), `{"preset":"open"}`)
	for _, change := range []string{`{"args":["--load-extension=/x"]}`, `{"browser":"/bin/sh"}`, `{"proxy":{"type":"http","host":"127.0.0.1","port":1}}`} {
		own(403, "E_PIN_REQUIRED", "PATCH", "/v1.0/browser_profiles/1", change)
	}
	withPIN := func(pin string) answer {
		return a.request("PUT", policyPath(1), `{"preset":"open"}`, "Authorization", "Bearer "+a.token(), "Cove-Pin", pin)
	}
	for i := range 3 {
		mustRefuse(t, withPIN(fmt.Sprint(1000+i)), 403, "E_PIN_WRONG")
	}
	mustRefuse(t, withPIN("4711"), 429, "E_PIN_SLOWED")
	a.kill() // no way to try more
	a.up()
	mustRefuse(t, withPIN("4711"), 429, "E_PIN_SLOWED")
	wait(t, "the PIN to be tried again", func() bool { return withPIN("4711").Status == 200 })
	for _, name := range []string{"cove.db", "cove.db-wal", "logs/app.log", "up.out"} {
		if raw, err := os.ReadFile(a.home + "/" + name); err == nil && strings.Contains(string(raw), "4711") {
			t.Errorf("the PIN is in %s", name)
		}
	}
}
