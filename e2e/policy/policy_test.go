//go:build e2e

package policy

import (
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

	"cove/e2e/harness"
)

// refusesAgents checks every door.
func refusesAgents(t *testing.T, a *harness.App, id int, code, words string) {
	t.Helper()
	harness.MustRefuse(t, a.Get(harness.StatePath(id, "/start?automation=1")), 403, code)
	harness.RefusedBridge(t, a, "initialize", 5, []string{strconv.Itoa(id)}, words)
	w := &harness.WebAgent{A: a, Path: fmt.Sprintf("/mcp/%d", id), Token: a.Token()}
	harness.MustRefuse(t, w.Initialize(), 403, code)
}

func TestAPolicyIsInForceAtOnce(t *testing.T) {
	a := harness.Start(t)
	a.Policy(1, "--preset", "off")
	refusesAgents(t, a, 1, "E_AGENTS_OFF", "cove policy set 1 --preset open")
	if r := a.Request("POST", "/v1.0/browser_profiles/start?automation=1",
		`{"policy":{"preset":"off"}}`); r.Code() != "E_AGENTS_OFF" {
		t.Errorf("a temporary profile without agents: %s", r.Raw)
	}
	if state, _ := a.State(1); state != "" {
		t.Fatalf("a refused start left the profile %s", state)
	}
	a.OpenOrdinary(1) // the person may
	a.Policy(1, "--preset", "open")
	a.Close(1)
	a.Open(1)
	if !a.Admits(1) {
		t.Fatal("an open profile lets nobody in")
	}
	a.Policy(1, "--preset", "off")
	refusesAgents(t, a, 1, "E_AGENTS_OFF", "not allowed in profile 1")
	if state, mode := a.State(1); state != "open" || mode != "automation" {
		t.Fatalf("the profile is %s %s: it stays open for the person", state, mode)
	}
	a.Kill()
	if a.Admits(1) {
		t.Error("without the app the keeper has forgotten the policy")
	}
	a.Up()
	refusesAgents(t, a, 1, "E_AGENTS_OFF", "not allowed in profile 1")
	a.Policy(1, "--preset", "guarded")
	if !a.Admits(1) {
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
	a := harness.Start(t)
	a.Open(1)
	miss := func() {
		t.Helper()
		a.Policy(1, "--preset", "open")
		keeper := a.Keeper(1)
		if err := syscall.Kill(keeper, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = syscall.Kill(keeper, syscall.SIGCONT) })
		harness.Wait(t, "the keeper to stand still", func() bool { return still(keeper) })
		harness.MustRefuse(t, a.Own("PUT", harness.PolicyPath(1), `{"preset":"off"}`), 503, "E_POLICY_NOT_IN_FORCE")
	}
	miss()
	_ = syscall.Kill(a.Keeper(1), syscall.SIGCONT)
	harness.Wait(t, "the app to hand the policy on", func() bool { return !a.Admits(1) })
	miss()
	a.Kill()
	_ = syscall.Kill(a.Keeper(1), syscall.SIGCONT)
	a.Up()
	harness.Wait(t, "the new app to hand the policy on", func() bool { return !a.Admits(1) })
}

func TestPanicCutsEveryAgentOffUntilItIsUndone(t *testing.T) {
	a := harness.Start(t)
	second, later := a.Create(`{"name":"second"}`), a.Create(`{"name":"later"}`)
	a.Open(1)
	a.Open(second)
	cutOff := func(when string) {
		t.Helper()
		for _, id := range []int{1, second} {
			refusesAgents(t, a, id, "E_PANIC", "cove panic --undo")
			if state, _ := a.State(id); state != "open" {
				t.Errorf("%s profile %d is %q: it stays open for the person", when, id, state)
			}
			if a.Admits(id) {
				t.Errorf("%s the keeper of profile %d lets agents in", when, id)
			}
		}
		harness.MustRefuse(t, a.Get(harness.StatePath(later, "/start?automation=1")), 403, "E_PANIC")
	}
	if out := a.Must("panic"); !strings.Contains(out, fmt.Sprintf("disconnected from: 1, %d", second)) {
		t.Errorf("panic says %s", out)
	}
	cutOff("at once")
	a.Kill()
	if a.Admits(1) || a.Admits(second) {
		t.Error("without the app a keeper lets agents in")
	}
	a.Up()
	cutOff("after a restart")
	a.OpenOrdinary(later) // the person may
	a.Close(later)
	a.Must("panic", "--undo")
	if !a.Admits(1) || !a.Admits(second) {
		t.Error("undone, and agents are not let in")
	}
	a.Open(later)

	a.Kill()
	if out := a.Must("panic"); !strings.Contains(out, strconv.Itoa(later)) {
		t.Errorf("without the app panic says %s", out)
	}
	for _, id := range []int{1, second, later} {
		if a.Admits(id) {
			t.Errorf("without the app profile %d lets agents in", id)
		}
	}
	if out, code := a.Cli("panic", "--undo"); code != 6 {
		t.Errorf("undone without the app, which knows the PIN: %d %s", code, out)
	}
	a.CloseKeeper(later)
	a.Up()
	if err := os.Remove(a.Home + "/panic"); err != nil {
		t.Fatal(err)
	}
	cutOff("with its file removed")
	a.Must("panic", "--undo")
	if !a.Admits(1) {
		t.Error("undone, and agents are not let in")
	}
}

// accessUntil waits for an access state that is as wanted.
func accessUntil(t *testing.T, states <-chan map[string]any, what string, ok func(map[string]any) bool) {
	t.Helper()
	limit := time.After(harness.Patience)
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

// personSite plays the person: its page goes elsewhere when the test says so. Through the port it would be a program,
// which waits.
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
		options []harness.Option
		window  bool
	}{"in a window": {[]harness.Option{harness.Headed}, true}, "without one": {nil, false}} {
		t.Run(name, func(t *testing.T) {
			a, web := harness.Start(t, c.options...), newPersonSite(t)
			a.Own("PATCH", harness.StatePath(1, ""), fmt.Sprintf(`{"startPages":[%q]}`, web.URL+"/before"))
			harness.MustRefuse(t, a.Own("POST", harness.StatePath(1, "/takeover"), ""), 404, "E_NOT_OPEN")
			harness.MustRefuse(t, a.Own("POST", harness.StatePath(99, "/takeover"), ""), 404, "E_NOT_FOUND")
			a.Open(1)
			harness.MustRefuse(t, a.Own("POST", harness.StatePath(1, "/giveback"), ""), 409, "E_NOT_TAKEN_OVER")
			<-web.before
			states := a.AccessEvents()
			r := a.Own("POST", harness.StatePath(1, "/takeover"), "")
			if harness.MustSucceed(t, r); r.Body["window"] != c.window {
				t.Errorf("a window: %s", r.Raw)
			}
			accessUntil(t, states, "the profile to be taken over",
				func(d map[string]any) bool { return d["takenOver"] == true })
			close(web.leave)
			<-web.after
			a.Own("POST", harness.StatePath(1, "/takeover"), "") // again: what it was at first counts
			out := a.Must("takeover", "1", "--back")
			if want := fmt.Sprintf("Pages went elsewhere: %[1]s/before is now %[1]s/after.",
				web.URL); !strings.Contains(out, want) {
				t.Errorf("the agents are told: %s", out)
			}
			accessUntil(t, states, "the profile to be given back",
				func(d map[string]any) bool { return d["takenOver"] == false })
			if out := a.Must("takeover", "1"); strings.Contains(out, "no window") == c.window {
				t.Errorf("the person is told: %s", out)
			}
		})
	}
}

func TestAGuardedProfilesAddressIsForCallersWithACredential(t *testing.T) {
	a := harness.Start(t)
	a.Policy(1, "--preset", "guarded")
	const secret = "/devtools/browser/"
	said := func(r harness.Answer) bool {
		return strings.Contains(r.Raw, secret) || strings.Contains(r.Raw, "wsEndpoint") ||
			strings.Contains(r.Raw, "webSocketDebuggerUrl")
	}
	events := a.Events()
	for i, path := range []string{"/1/start?automation=1", "/1/start?automation=1", "/running", "/1/active", "", "/1"} {
		r := a.Get("/v1.0/browser_profiles" + path)
		if said(r) || (i < 4 && !strings.Contains(r.Raw, `"port":`)) {
			t.Errorf("%s without a credential: %s", path, r.Raw)
		}
	}
	if r := a.Get("/v1.0/status"); said(r) {
		t.Errorf("status: %s", r.Raw)
	}
	events.Mu.Lock()
	for _, e := range events.Seen {
		if strings.Contains(e, secret) {
			t.Errorf("an event: %s", e)
		}
	}
	events.Mu.Unlock()
	for _, path := range []string{"/1/start?automation=1", "/running", "/1/active"} {
		if r := a.Own("GET", "/v1.0/browser_profiles"+path, ""); !strings.Contains(r.Raw, secret) {
			t.Errorf("%s with a credential: %s", path, r.Raw)
		}
	}
	// The wrapper finds its way: by the owner's token or by the file that only its owner can read.
	args := a.Install().Args("1")
	if text := strings.Join(args, " "); !strings.Contains(text,
		strconv.Itoa(a.Get(harness.StatePath(1, "/active")).Port())) {
		t.Errorf("the wrapper runs the devtools server with %q", args)
	}
	if info, err := os.Stat(a.ActivePort(1)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("DevToolsActivePort: %v %v", info.Mode(), err)
	}
	a.Policy(1, "--preset", "open")
	if !said(a.Get("/v1.0/browser_profiles/running")) {
		t.Error("an open profile's address is not told")
	}
}

func TestThePINStandsBetweenATokenAndMoreRights(t *testing.T) {
	a := harness.Start(t)
	own := func(status int, code, method, path, body string) {
		t.Helper()
		r := a.Own(method, path, body)
		if r.Status != status || r.Code() != code {
			t.Errorf("%s %s: %d %s", method, path, r.Status, r.Raw)
		}
	}
	own(200, "", "PUT", "/v1.0/pin", `{"pin":"4711"}`)
	own(200, "", "PUT", harness.PolicyPath(1), `{"preset":"guarded"}`)
	own(403, "E_PIN_REQUIRED", "PUT", harness.PolicyPath(1), `{"preset":"open"}`)
	for _, change := range []string{`{"args":["--load-extension=/x"]}`, `{"browser":"/bin/sh"}`,
		`{"proxy":{"type":"http","host":"127.0.0.1","port":1}}`} {
		own(403, "E_PIN_REQUIRED", "PATCH", "/v1.0/browser_profiles/1", change)
	}
	withPIN := func(pin string) harness.Answer {
		return a.Request("PUT", harness.PolicyPath(1), `{"preset":"open"}`, "Authorization", "Bearer "+a.Token(),
			"Cove-Pin", pin)
	}
	for i := range 3 {
		harness.MustRefuse(t, withPIN(fmt.Sprint(1000+i)), 403, "E_PIN_WRONG")
	}
	harness.MustRefuse(t, withPIN("4711"), 429, "E_PIN_SLOWED")
	a.Kill() // no way to try more
	a.Up()
	harness.MustRefuse(t, withPIN("4711"), 429, "E_PIN_SLOWED")
	harness.Wait(t, "the PIN to be tried again", func() bool { return withPIN("4711").Status == 200 })
	for _, name := range []string{"cove.db", "cove.db-wal", "logs/app.log", "up.out"} {
		if raw, err := os.ReadFile(a.Home + "/" + name); err == nil && strings.Contains(string(raw), "4711") {
			t.Errorf("the PIN is in %s", name)
		}
	}
}
