//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
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
	if l, err := net.Listen("tcp4", "127.0.0.1:3001"); err == nil { // else somebody else has it, which is as good
		defer func() { _ = l.Close() }()
	}
	a := &app{t: t, home: t.TempDir()}
	t.Cleanup(a.finish)
	a.launch("up", "--no-window")
	wait(t, "the app", func() bool { return appPort(a.home) != 0 })
	port := appPort(a.home)
	if port == 3001 {
		t.Fatal("the app shares a taken port")
	}
	a.base = fmt.Sprintf("http://127.0.0.1:%d", port)
	out := a.must("status", "--json")
	var s struct {
		Port   int    `json:"api_port"`
		Reason string `json:"port_reason"`
	}
	if err := json.Unmarshal([]byte(out), &s); err != nil || s.Port != port || !strings.Contains(s.Reason, "3001 is used") {
		t.Errorf("status says %s", out)
	}
	if r := a.get("/v1.0/status"); r.Body["api_port"] != float64(port) {
		t.Errorf("the API says %s", r.Raw)
	}
}

func TestAPortThatWasAskedForAndIsTakenIsAnError(t *testing.T) {
	l, err := listen()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	a := &app{t: t, home: t.TempDir()}
	out, code := a.cli("up", "--no-window", "--port", strconv.Itoa(portOf(l)))
	if code != 4 || !strings.Contains(out, fmt.Sprintf("is used by “e2e.test” (process %d)", os.Getpid())) {
		t.Errorf("exit code %d, %s", code, out)
	}
	if exists(filepath.Join(a.home, "app.json")) {
		t.Error("app.json is left behind")
	}
}

func TestASecondAppPrintsTheFirstOnesAddress(t *testing.T) {
	a := start(t)
	if out, code := a.cli("up", "--no-window"); code != 0 || !strings.Contains(out, a.base) {
		t.Errorf("exit code %d, %s", code, out)
	}
	if r := a.get("/v1.0/status"); r.Status != http.StatusOK {
		t.Errorf("the first one: %d", r.Status)
	}
}

func TestStopAppLeavesProfilesOpenUnlessToldOtherwise(t *testing.T) {
	a := start(t)
	port := a.open(1)
	a.must("stop-app")
	_ = a.cmd.Wait()
	if _, code := a.cli("status"); code != 6 {
		t.Errorf("status without an app: exit code %d", code)
	}
	if res, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/json/version", port)); err != nil {
		t.Errorf("the profile went with the app: %v", err)
	} else {
		_ = res.Body.Close()
	}
	a.up()
	if r := a.get("/v1.0/browser_profiles/1/active"); r.port() != port {
		t.Errorf("found again as %s", r.Raw)
	}
	a.must("stop-app", "--profiles")
	_ = a.cmd.Wait()
	noTraces(t, a, 1)
}

func TestALongDataFolderWorks(t *testing.T) {
	home := filepath.Join(t.TempDir(), strings.Repeat("long", 20), strings.Repeat("er", 30))
	if err := os.MkdirAll(home, 0o700); err != nil {
		t.Fatal(err)
	}
	a := start(t, at(home))
	a.open(1)
	var f struct{ Socket string }
	raw, err := os.ReadFile(a.file(1, "keeper.json"))
	if err != nil || json.Unmarshal(raw, &f) != nil || len(f.Socket) > 103 {
		t.Errorf("the socket is %q (%d bytes), %v", f.Socket, len(f.Socket), err)
	}
	a.kill()
	a.up()
	if state, _ := a.state(1); state != "open" {
		t.Errorf("found again as %q", state)
	}
	a.close(1)
	if exists(f.Socket) {
		t.Error("the socket is left behind")
	}
}

func TestTheDataFolderIsClosedToOthers(t *testing.T) {
	a := start(t)
	a.open(1)
	for _, name := range []string{"", "browser_profiles", "browser_profiles/1", "browser_profiles/1/data_dir", "logs"} {
		if info, err := os.Stat(filepath.Join(a.home, name)); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	for _, name := range []string{"cove.db", "app.json", "owner.token", "browser_profiles/1/keeper.json", "browser_profiles/1/keeper.sock", "browser_profiles/1/data_dir/DevToolsActivePort", "logs/app.log", "logs/keeper-1.log"} {
		if info, err := os.Stat(filepath.Join(a.home, name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	logs, _ := filepath.Glob(filepath.Join(a.home, "logs", "*"))
	for _, name := range logs {
		if text, _ := os.ReadFile(name); strings.Contains(string(text), a.token()) {
			t.Errorf("%s holds the owner's token", filepath.Base(name))
		}
	}
}

func TestADataFolderOfANewerCoveIsRefused(t *testing.T) {
	a := start(t)
	a.must("stop-app")
	_ = a.cmd.Wait()
	edit := exec.Command("python3", "-c", "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute('PRAGMA user_version=999'); c.commit()", filepath.Join(a.home, "cove.db"))
	if out, err := edit.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if out, code := a.cli("up", "--no-window"); code != 6 || !strings.Contains(out, "newer Cove") {
		t.Errorf("exit code %d, %s", code, out)
	}
}

func TestALostDatabaseNeverGivesAnOldFolderToANewProfile(t *testing.T) {
	a := start(t)
	second := a.create(`{"name":"second"}`)
	a.open(second)
	a.must("stop-app", "--profiles")
	_ = a.cmd.Wait()
	for _, name := range []string{"cove.db", "cove.db-wal", "cove.db-shm"} {
		_ = os.Remove(filepath.Join(a.home, name))
	}
	a.up()
	if id := a.create(`{"name":"new"}`); id <= second {
		t.Errorf("the new profile got the id %d, whose folder belonged to another", id)
	}
	if !exists(a.file(second, "data_dir")) {
		t.Error("the old data is gone")
	}
	if out, code := a.cli("doctor"); code != 1 || !strings.Contains(out, "without a profile: "+strconv.Itoa(second)) {
		t.Errorf("doctor says %s", out)
	}
}
