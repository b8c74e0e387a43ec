//go:build e2e

package api

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"cove/e2e/harness"
	"cove/internal/app"
	"cove/internal/process"
)

// appPort is the port in app.json, 0 while there is none.
func appPort(home string) int {
	var f struct {
		Port int `json:"api_port"`
	}
	raw, err := os.ReadFile(filepath.Join(home, "app.json"))
	if err != nil || json.Unmarshal(raw, &f) != nil {
		return 0
	}
	return f.Port
}

func TestTheUsualPortMovesOnWhenItIsTaken(t *testing.T) {
	// Else somebody else has it, which is as good.
	if l, err := harness.Listen(t, "tcp4", "127.0.0.1:3001"); err == nil {
		defer func() { _ = l.Close() }()
	}
	a := &harness.App{T: t, Home: t.TempDir()}
	t.Cleanup(a.Finish)
	a.Launch("up", "--no-window")
	harness.Wait(t, "the app", func() bool { return appPort(a.Home) != 0 })
	port := appPort(a.Home)
	if port == 3001 {
		t.Fatal("the app shares a taken port")
	}
	a.Base = fmt.Sprintf("http://127.0.0.1:%d", port)
	out := a.Must("status", "--json")
	var s struct {
		Port   int    `json:"api_port"`
		Reason string `json:"port_reason"`
	}
	if err := json.Unmarshal([]byte(out), &s); err != nil || s.Port != port ||
		!strings.Contains(s.Reason, "3001 is in use") {
		t.Errorf("status says %s", out)
	}
	if r := a.Get("/v1.0/status"); r.Body["api_port"] != float64(port) {
		t.Errorf("the API says %s", r.Raw)
	}
}

func TestAPortThatWasAskedForAndIsTakenIsAnError(t *testing.T) {
	l, err := harness.Listen(t, "tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	a := &harness.App{T: t, Home: t.TempDir()}
	out, code := a.Cli("up", "--no-window", "--port", strconv.Itoa(harness.PortOf(l)))
	if code != 4 || !strings.Contains(out, fmt.Sprintf("is in use by “%s” (process %d)", filepath.Base(os.Args[0]),
		os.Getpid())) {
		t.Errorf("exit code %d, %s", code, out)
	}
	if harness.Exists(filepath.Join(a.Home, "app.json")) {
		t.Error("app.json is left behind")
	}
}

func TestASecondAppPrintsTheFirstOnesAddress(t *testing.T) {
	a := harness.Start(t)
	if out, code := a.Cli("up", "--no-window"); code != 0 || !strings.Contains(out, a.Base) {
		t.Errorf("exit code %d, %s", code, out)
	}
	if r := a.Get("/v1.0/status"); r.Status != http.StatusOK {
		t.Errorf("the first one: %d", r.Status)
	}
}

// TestAnAppStartsWhenTheFolderBecomesFree: an app that was killed while it started a program holds its folder for
// another moment.
func TestAnAppStartsWhenTheFolderBecomesFree(t *testing.T) {
	a := &harness.App{T: t, Home: t.TempDir()}
	t.Cleanup(a.Finish)
	lock, err := process.TryLock(filepath.Join(a.Home, "app.lock"))
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan struct{}, 100)
	dead := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked <- struct{}{}
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	t.Cleanup(dead.Close)
	record, err := json.Marshal(app.File{ID: process.Self(), APIPort: dead.Listener.Addr().(*net.TCPAddr).Port})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(a.Home, "app.json"), record, 0o600); err != nil {
		t.Fatal(err)
	}

	a.Launch("up", "--no-window", "--port", strconv.Itoa(harness.FreePort(t)))
	select {
	case <-asked: // it found the folder in use
	case <-time.After(harness.Patience):
		t.Fatal("nobody asked the app that uses the folder")
	}
	lock.Release()
	a.Await()
}

func TestStopAppLeavesProfilesOpenUnlessToldOtherwise(t *testing.T) {
	a := harness.Start(t)
	port := a.Open(1)
	a.Must("stop-app")
	_ = a.Cmd.Wait()
	if _, code := a.Cli("status"); code != 6 {
		t.Errorf("status without an app: exit code %d", code)
	}
	if res, err := harness.Get(t, fmt.Sprintf("http://127.0.0.1:%d/json/version", port)); err != nil {
		t.Errorf("the profile went with the app: %v", err)
	} else {
		_ = res.Body.Close()
	}
	a.Up()
	if r := a.Get("/v1.0/browser_profiles/1/active"); r.Port() != port {
		t.Errorf("found again as %s", r.Raw)
	}
	a.Must("stop-app", "--profiles")
	_ = a.Cmd.Wait()
	harness.NoTraces(t, a, 1)
}

func TestALongDataFolderWorks(t *testing.T) {
	home := filepath.Join(t.TempDir(), strings.Repeat("long", 20), strings.Repeat("er", 30))
	if err := os.MkdirAll(home, 0o700); err != nil {
		t.Fatal(err)
	}
	a := harness.Start(t, harness.At(home))
	a.Open(1)
	var f struct{ Socket string }
	raw, err := os.ReadFile(a.File(1, "keeper.json"))
	if err != nil || json.Unmarshal(raw, &f) != nil || len(f.Socket) > 103 {
		t.Errorf("the socket is %q (%d bytes), %v", f.Socket, len(f.Socket), err)
	}
	a.Kill()
	a.Up()
	if state, _ := a.State(1); state != "open" {
		t.Errorf("found again as %q", state)
	}
	a.Close(1)
	if harness.Exists(f.Socket) {
		t.Error("the socket is left behind")
	}
}

func TestTheDataFolderIsClosedToOthers(t *testing.T) {
	a := harness.Start(t)
	a.Open(1)
	for _, name := range []string{"", "browser_profiles", "browser_profiles/1", "browser_profiles/1/data_dir", "logs"} {
		if info, err := os.Stat(filepath.Join(a.Home, name)); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	for _, name := range []string{"cove.db", "app.json", "owner.token", "browser_profiles/1/keeper.json",
		"browser_profiles/1/keeper.sock", "browser_profiles/1/data_dir/DevToolsActivePort", "logs/app.log", "logs/keeper-1.log"} {
		if info, err := os.Stat(filepath.Join(a.Home, name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	logs, _ := filepath.Glob(filepath.Join(a.Home, "logs", "*"))
	for _, name := range logs {
		if text, _ := os.ReadFile(name); strings.Contains(string(text), a.Token()) {
			t.Errorf("%s holds the owner's token", filepath.Base(name))
		}
	}
}

func TestADataFolderOfANewerCoveIsRefused(t *testing.T) {
	a := harness.Start(t)
	a.Must("stop-app")
	_ = a.Cmd.Wait()
	edit := harness.Exec(t, "python3", "-c",
		"import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute('PRAGMA user_version=999'); c.commit()",
		filepath.Join(a.Home, "cove.db"))
	if out, err := edit.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if out, code := a.Cli("up", "--no-window"); code != 6 || !strings.Contains(out, "newer Cove") {
		t.Errorf("exit code %d, %s", code, out)
	}
}

func TestALostDatabaseNeverGivesAnOldFolderToANewProfile(t *testing.T) {
	a := harness.Start(t)
	second := a.Create(`{"name":"second"}`)
	a.Open(second)
	a.Must("stop-app", "--profiles")
	_ = a.Cmd.Wait()
	for _, name := range []string{"cove.db", "cove.db-wal", "cove.db-shm"} {
		_ = os.Remove(filepath.Join(a.Home, name))
	}
	a.Up()
	if id := a.Create(`{"name":"new"}`); id <= second {
		t.Errorf("the new profile got the id %d, whose folder belonged to another", id)
	}
	if !harness.Exists(a.File(second, "data_dir")) {
		t.Error("the old data is gone")
	}
	if out, code := a.Cli("doctor"); code != 1 || !strings.Contains(out, "without a profile: "+strconv.Itoa(second)) {
		t.Errorf("doctor says %s", out)
	}
}
