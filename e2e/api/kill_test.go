//go:build e2e

package api

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"cove/e2e/harness"
)

// login opens a profile at the login page of a site and waits until the page has stored everything; after half a minute
// it would be on disk by itself, so what these tests keep is kept by the way the browser ends.
func login(t *testing.T, a *harness.App, web *harness.Site, id int) {
	t.Helper()
	if err := harness.ForgetTabs(a, id); err != nil {
		t.Fatal(err)
	}
	a.Own("PATCH", fmt.Sprintf("/v1.0/browser_profiles/%d", id), fmt.Sprintf(`{"startPages":[%q]}`, web.URL+"/login"))
	a.Open(id)
	web.Report(t, "login")
}

// loggedIn opens the profile again and tells whether its persistent login is there; it leaves the profile open.
func loggedIn(t *testing.T, a *harness.App, web *harness.Site, id int) bool {
	t.Helper()
	if err := harness.ForgetTabs(a, id); err != nil {
		t.Fatal(err)
	}
	a.Own("PATCH", fmt.Sprintf("/v1.0/browser_profiles/%d", id), fmt.Sprintf(`{"startPages":[%q]}`, web.URL+"/check"))
	a.Open(id)
	r := web.Report(t, "check")
	cookie, _ := r["cookie"].(string)
	return strings.Contains(cookie, "kept=yes") && r["local"] == "yes" && r["db"] == "yes"
}

func TestTheAppIsKilledWhileProfilesAreOpen(t *testing.T) {
	a := harness.Start(t)
	second := a.Create(`{"name":"second"}`)
	port := a.Open(1)
	a.OpenOrdinary(second)
	pid, ordinary := a.Browser(1), a.Browser(second)
	a.Kill()
	res, err := harness.Get(t, fmt.Sprintf("http://127.0.0.1:%d/json/version", port))
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("the gate without the app: %v, %v", res, err)
	}
	_ = res.Body.Close()
	a.Up()
	if r := a.Get("/v1.0/browser_profiles/1/active"); r.Port() != port || a.Browser(1) != pid {
		t.Errorf("found again with %s, browser %d; before: port %d, browser %d", r.Raw, a.Browser(1), port, pid)
	}
	if state, mode := a.State(second); state != "open" || mode != "ordinary" || a.Browser(second) != ordinary {
		t.Errorf("the ordinary profile is %s %s, browser %d; before: %d", state, mode, a.Browser(second), ordinary)
	}
	if r := a.Get("/v1.0/browser_profiles/1/start?automation=1"); r.Code() != "E_BROWSER_RUN_DUPLICATE" ||
		r.Port() != port {
		t.Errorf("start of the found one: %d %s", r.Status, r.Raw)
	}
	a.Close(1)
	a.Close(second)
	harness.NoTraces(t, a, 1)
	harness.NoTraces(t, a, second)
}

func TestTheAppIsKilledDuringStart(t *testing.T) {
	a := harness.Start(t)
	for _, after := range []time.Duration{0, 20 * time.Millisecond, 60 * time.Millisecond, 150 * time.Millisecond,
		350 * time.Millisecond} {
		asked := make(chan struct{})
		go func() {
			defer close(asked)
			_, _ = a.Try(http.MethodGet, "/v1.0/browser_profiles/1/start?automation=1", "")
		}()
		harness.Delay(t.Context(), after)
		a.Kill()
		<-asked
		a.Up()
		// A keeper that had begun goes on; whatever the app shows must become true.
		harness.Wait(t, "the start to end one way or the other",
			func() bool { s, _ := a.State(1); return s == "" || s == "open" })
		state, _ := a.State(1)
		if open := harness.Exists(a.ActivePort(1)); open != (state == "open") {
			t.Errorf("killed after %v: the state is %q, DevToolsActivePort there: %v", after, state, open)
		}
		if state == "" {
			a.Open(1)
		}
		a.Close(1)
		harness.NoTraces(t, a, 1)
	}
}

func TestTheAppIsKilledDuringStop(t *testing.T) {
	a, web := harness.Start(t), harness.NewSite(t)
	for _, after := range []time.Duration{0, 10 * time.Millisecond, 60 * time.Millisecond} {
		login(t, a, web, 1)
		asked := make(chan struct{})
		go func() {
			defer close(asked)
			_, _ = a.Try(http.MethodGet, "/v1.0/browser_profiles/1/stop", "")
		}()
		harness.Delay(t.Context(), after)
		a.Kill()
		<-asked
		a.Up()
		if s, _ := a.State(1); s == "open" { // it was killed before it could ask
			a.Close(1)
		}
		harness.Wait(t, "the profile to close", harness.Closed(a, 1))
		harness.NoTraces(t, a, 1)
		if !loggedIn(t, a, web, 1) {
			t.Errorf("killed after %v: the login is lost", after)
		}
		a.Close(1)
	}
}

func TestTheKeeperOfAnAutomationProfileIsKilled(t *testing.T) {
	a, web := harness.Start(t), harness.NewSite(t)
	login(t, a, web, 1)
	before := a.Browser(1)
	harness.Kill(t, a.Keeper(1))
	if r := a.Get("/v1.0/browser_profiles/1/start?automation=1"); r.Status != http.StatusOK &&
		r.Code() != "E_BROWSER_RUN_DUPLICATE" {
		t.Fatalf("start at once: %d %s", r.Status, r.Raw)
	}
	harness.Wait(t, "a new browser", func() bool {
		if s, _ := a.State(1); s != "open" {
			_, _ = a.Try(http.MethodGet, "/v1.0/browser_profiles/1/start?automation=1", "")
			return false
		}
		pid := a.Pid(1) // none when the app has just heard of the keeper's end
		return pid != 0 && pid != before
	})
	a.Close(1)
	if !loggedIn(t, a, web, 1) {
		t.Error("the login is lost")
	}

	t.Run("while no app is running", func(t *testing.T) {
		keeper := a.Keeper(1)
		a.Kill()
		harness.Kill(t, keeper)
		a.Up()
		harness.Wait(t, "the profile to be closed", harness.Closed(a, 1))
		harness.NoTraces(t, a, 1)
		if !loggedIn(t, a, web, 1) {
			t.Error("the login is lost")
		}
	})
	t.Run("and seen at once without a start", func(t *testing.T) {
		harness.Kill(t, a.Keeper(1))
		harness.Wait(t, "the profile to be closed", harness.Closed(a, 1))
		harness.NoTraces(t, a, 1)
	})
	t.Run("while it starts", func(t *testing.T) {
		answer := make(chan harness.Answer, 1)
		go func() {
			r, _ := a.Try(http.MethodGet, "/v1.0/browser_profiles/1/start?automation=1", "")
			answer <- r
		}()
		harness.Wait(t, "the keeper", func() bool { return harness.Exists(a.File(1, "keeper.json")) })
		harness.Kill(t, a.Keeper(1))
		if r := <-answer; r.Status != http.StatusInternalServerError || r.Code() != "E_BROWSER_LAUNCH" {
			t.Errorf("the start answers %d %s", r.Status, r.Raw)
		}
		a.Open(1)
	})
}

func TestTheKeeperOfAnOrdinaryProfileIsKilled(t *testing.T) {
	a := harness.Start(t, harness.Headed)
	a.OpenOrdinary(1)
	browser, keeper := a.Browser(1), a.Keeper(1)
	harness.Kill(t, keeper)
	harness.Wait(t, "a new keeper", func() bool {
		return harness.Exists(a.File(1, "keeper.json")) &&
			a.Keeper(1) != keeper
	})
	if state, mode := a.State(1); state != "open" || mode != "ordinary" || a.Browser(1) != browser {
		t.Errorf("the profile is %s %s, browser %d; before: %d", state, mode, a.Browser(1), browser)
	}
	if r := a.Get("/v1.0/browser_profiles/1/start?automation=1"); r.Code() != "E_BROWSER_OPEN_ORDINARY" {
		t.Errorf("automation start: %d %s", r.Status, r.Raw)
	}

	t.Run("while no app is running", func(t *testing.T) {
		keeper := a.Keeper(1)
		a.Kill()
		harness.Kill(t, keeper)
		a.Up()
		if state, mode := a.State(1); state != "open" || mode != "ordinary" || a.Browser(1) != browser {
			t.Errorf("the profile is %s %s, browser %d; before: %d", state, mode, a.Browser(1), browser)
		}
	})
	t.Run("and its record is gone too", func(t *testing.T) {
		keeper := a.Keeper(1)
		a.Kill()
		harness.Kill(t, keeper)
		_ = os.Remove(a.File(1, "keeper.json"))
		a.Up()
		if state, mode := a.State(1); state != "open" || mode != "ordinary" || a.Browser(1) != browser {
			t.Errorf("the profile is %s %s, browser %d; before: %d", state, mode, a.Browser(1), browser)
		}
	})
	a.Close(1)
	harness.NoTraces(t, a, 1)
}

func TestWhatAnOpenProfileIsFoundByIsPutBack(t *testing.T) {
	a := harness.Start(t)
	port := a.Open(1)
	found := []string{a.File(1, "keeper.json"), a.ActivePort(1), filepath.Join(a.Home, "app.json")}
	for name, spoil := range map[string]func(string) error{
		"removed":      os.Remove,
		"emptied":      func(f string) error { return os.Truncate(f, 0) },
		"half written": func(f string) error { return os.Truncate(f, 3) },
	} {
		for _, file := range found {
			before, err := os.ReadFile(file)
			if err == nil {
				err = spoil(file)
			}
			if err != nil {
				t.Fatal(err)
			}
			harness.Wait(t, filepath.Base(file)+", "+name,
				func() bool { now, _ := os.ReadFile(file); return string(now) == string(before) })
		}
	}
	t.Run("while no app is running", func(t *testing.T) {
		a.Kill()
		for _, file := range []string{a.File(1, "keeper.sock"), a.File(1, "keeper.json")} {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.RemoveAll(filepath.Join(a.Home, "logs")); err != nil {
			t.Fatal(err)
		}
		a.Up()
		harness.Wait(t, "the profile to be found", func() bool {
			s, mode := a.State(1)
			return s == "open" &&
				mode == "automation"
		})
		if r := a.Get("/v1.0/browser_profiles/1/start?automation=1"); r.Code() != "E_BROWSER_RUN_DUPLICATE" ||
			r.Port() != port {
			t.Errorf("start of the found one: %d %s", r.Status, r.Raw)
		}
	})
	a.Close(1)
	harness.NoTraces(t, a, 1)
	if err := os.RemoveAll(filepath.Join(a.Home, "logs")); err != nil {
		t.Fatal(err)
	}
	a.Open(1) // its keeper writes a log
	a.Close(1)
}

func TestChromiumIsKilled(t *testing.T) {
	a, web := harness.Start(t), harness.NewSite(t)
	login(t, a, web, 1)
	a.Close(1) // on disk; what a killed browser had not written yet nobody can keep
	for _, mode := range []string{"automation", "ordinary"} {
		if mode == "automation" {
			a.Open(1)
		} else {
			a.OpenOrdinary(1)
		}
		harness.Kill(t, a.Browser(1))
		harness.Wait(t, "the profile to be closed", harness.Closed(a, 1))
		harness.NoTraces(t, a, 1)
		if !loggedIn(t, a, web, 1) {
			t.Errorf("%s: the login is lost", mode)
		}
		a.Close(1)
	}
}

func TestTheProcessGroupOfWhoeverStartedTheAppIsKilled(t *testing.T) {
	a := harness.Start(t)
	port := a.Open(1)
	if err := syscall.Kill(-a.Cmd.Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = a.Cmd.Wait()
	a.Up()
	if r := a.Get("/v1.0/browser_profiles/1/active"); r.Port() != port {
		t.Errorf("the profile is not found again: %d %s", r.Status, r.Raw)
	}
}

func TestAnInterruptEndsTheAppAndLeavesProfilesOpen(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		a := harness.Start(t)
		port := a.Open(1)
		if err := syscall.Kill(-a.Cmd.Process.Pid, signal); err != nil { // as a terminal does
			t.Fatal(err)
		}
		if err := a.Cmd.Wait(); err != nil {
			t.Errorf("%v: the app ends with %v", signal, err)
		}
		if harness.Exists(filepath.Join(a.Home, "app.json")) {
			t.Errorf("%v: app.json is left behind", signal)
		}
		a.Up()
		if r := a.Get("/v1.0/browser_profiles/1/active"); r.Port() != port {
			t.Errorf("%v: the profile is not found again: %d %s", signal, r.Status, r.Raw)
		}
	}
}

func TestAnythingIsKilledAtAnyMoment(t *testing.T) {
	a, web := harness.Start(t), harness.NewSite(t)
	login(t, a, web, 1)
	a.Close(1)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for round := range 8 {
		go func() { _, _ = a.Try(http.MethodGet, "/v1.0/browser_profiles/1/start?automation=1", "") }()
		harness.Delay(t.Context(), time.Duration(random.IntN(700))*time.Millisecond)
		victim := []string{"app", "keeper", "browser"}[random.IntN(3)]
		switch victim {
		case "app":
			a.Kill()
			a.Up()
		case "keeper":
			for _, line := range a.Processes(" keeper ") {
				var pid int
				_, _ = fmt.Sscan(line, &pid)
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		case "browser":
			for _, line := range a.Processes("--remote-debugging-pipe") {
				var pid int
				_, _ = fmt.Sscan(line, &pid)
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
		harness.Wait(t, "a settled state", func() bool { s, _ := a.State(1); return s == "" || s == "open" })
		harness.Delay(t.Context(), time.Duration(random.IntN(300))*time.Millisecond)
		a.Close(1)
		harness.Wait(t, "the profile to be closed", harness.Closed(a, 1))
		harness.NoTraces(t, a, 1)
		if !loggedIn(t, a, web, 1) {
			t.Fatalf("round %d, %s killed: the login is lost", round, victim)
		}
		a.Close(1)
	}
}

// TestABrowserThatHangsEndsWithItsKeeper: a browser notices that its keeper was killed, and exits. One that hangs is
// ended: nobody else would, before the next start.
func TestABrowserThatHangsEndsWithItsKeeper(t *testing.T) {
	a := harness.Start(t)
	a.Open(1)
	browser := a.Browser(1)
	for _, one := range []struct {
		pid    int
		signal syscall.Signal
	}{{browser, syscall.SIGSTOP}, {a.Keeper(1), syscall.SIGKILL}} {
		if err := syscall.Kill(one.pid, one.signal); err != nil {
			t.Fatal(err)
		}
	}
	harness.Wait(t, "the profile to be closed", harness.Closed(a, 1))
	harness.NoTraces(t, a, 1)
	a.Open(1)
}

// TestTheAppIsKilledDuringAClone: a copy is whole, or it is not there.
func TestTheAppIsKilledDuringAClone(t *testing.T) {
	a := harness.Start(t)
	a.Open(1)
	a.Close(1)
	const files = 300
	for i := range files {
		if err := os.WriteFile(a.File(1, fmt.Sprintf("data_dir/Default/part%d", i)), make([]byte, 200_000),
			0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, ms := range []int{5, 15, 30, 60, 120} {
		asked := make(chan struct{})
		go func() {
			defer close(asked)
			_, _ = a.Try(http.MethodPost, "/v1.0/browser_profiles/1/clone", `{"data":true}`, "Authorization",
				"Bearer "+a.Token())
		}()
		harness.Delay(t.Context(), time.Duration(ms)*time.Millisecond)
		a.Kill()
		<-asked
		a.Up()
		var profiles []struct{ ID int }
		if err := json.Unmarshal([]byte(a.Must("profile", "list", "--json")), &profiles); err != nil {
			t.Fatal(err)
		}
		known := map[string]bool{}
		for _, p := range profiles {
			known[fmt.Sprint(p.ID)] = true
			if found, err := filepath.Glob(a.File(p.ID, "data_dir/Default/part*")); err != nil || len(found) != files {
				t.Errorf("killed after %d ms: profile %d has %d of %d files", ms, p.ID, len(found), files)
			}
		}
		folders, err := os.ReadDir(filepath.Join(a.Home, "browser_profiles"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range folders {
			if !known[f.Name()] {
				t.Errorf("killed after %d ms: the folder %s is left, and the profiles are %v", ms, f.Name(), known)
			}
		}
	}
}

func TestAFullDisk(t *testing.T) {
	if os.Getuid() != 0 { // as root of a namespace of its own a user may mount, too
		cmd := harness.Exec(t, "unshare", "-Urm", os.Args[0], "-test.run", "^TestAFullDisk$", "-test.v")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	home := t.TempDir()
	if out, err := harness.Exec(t, "mount", "-t", "tmpfs", "-o", "size=400m,mode=700", "tmpfs",
		home).CombinedOutput(); err != nil {
		t.Fatalf("mount: %v: %s", err, out)
	}
	t.Cleanup(func() { _ = harness.Exec(t, "umount", "-l", home).Run() })
	a, web := harness.Start(t, harness.At(home)), harness.NewSite(t)
	login(t, a, web, 1)
	a.Close(1)
	port := a.Open(1)

	filler := filepath.Join(home, "filler")
	fill(t, filler)
	if r := a.Own("POST", "/v1.0/browser_profiles", `{"name":"`+strings.Repeat("x", 190)+`","notes":"`+
		strings.Repeat("y", 19000)+`"}`); r.Code() != "E_DISK_FULL" {
		t.Errorf("create on a full disk: %d %s", r.Status, r.Raw)
	}
	if r := a.Own("GET", "/v1.0/browser_profiles", ""); r.Body["total"] != 1.0 {
		t.Errorf("after a refused create: %s", r.Raw)
	}
	if r := a.Get("/v1.0/browser_profiles/1/active"); r.Port() != port {
		t.Errorf("the open profile: %d %s", r.Status, r.Raw)
	}
	a.Close(1)
	harness.NoTraces(t, a, 1)
	fill(t, filler)
	for _, path := range []string{"/v1.0/browser_profiles/1/start?automation=1", "/v1.0/browser_profiles/1/start"} {
		if r := a.Get(path); r.Status != http.StatusServiceUnavailable || r.Code() != "E_DISK_FULL" {
			t.Errorf("start on a full disk: %d %s", r.Status, r.Raw)
		}
	}
	harness.Wait(t, "the profile to be closed", harness.Closed(a, 1))
	harness.NoTraces(t, a, 1)
	// The app itself is killed, says what is wrong when it is started on the full disk, and comes back when there is
	// room.
	a.Kill()
	if out, code := a.Cli("up", "--no-window"); code != 6 || !strings.Contains(out, "Free some space") {
		t.Errorf("cove up on a full disk: exit code %d, %s", code, out)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	a.Up()
	if !loggedIn(t, a, web, 1) {
		t.Error("the login is lost")
	}
	a.Close(1)
	if r := a.Own("POST", "/v1.0/browser_profiles", `{"name":"after"}`); r.Status != http.StatusOK {
		t.Errorf("create after space was freed: %d %s", r.Status, r.Raw)
	}
}

// fill writes until nothing fits any more.
func fill(t *testing.T, name string) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for size := 1 << 20; size > 0; size /= 2 {
		for block := make([]byte, size); ; {
			if _, err := f.Write(block); err != nil {
				break
			}
		}
	}
}
