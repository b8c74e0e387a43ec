//go:build unix

package keeper

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"cove/internal/chromium"
	"cove/internal/chromium/chromiumtest"
	"cove/internal/fault"
	"cove/internal/keeperclient"
	"cove/internal/session"
)

func TestALaunchThatFailsSaysWhyAndLeavesNothing(t *testing.T) {
	home := newHome(t)
	spec := newSpec(t, home, session.Automation)
	spec.Browser = filepath.Join(string(home), "no-such-browser")
	l := start(t, home, spec)
	err := l.end()
	if l.hello.Record != nil || l.hello.Fault == nil || l.hello.Fault.Code != "E_BROWSER_LAUNCH" ||
		!strings.Contains(l.hello.Fault.Text, "no-such-browser") {
		t.Errorf("said %+v", l.hello)
	}
	if fault.From(err).Code != "E_BROWSER_LAUNCH" {
		t.Errorf("returned %v", err)
	}
	l.closed()
}

func TestABrowserThatEndsBeforeItIsReady(t *testing.T) {
	t.Setenv(chromiumtest.BehaviourEnv, string(chromiumtest.ExitsAtOnce))
	home := newHome(t)
	spec := newSpec(t, home, session.Automation)
	l := start(t, home, spec)
	last := l.until(session.Closed)
	f := last.Fault
	if f == nil || f.Code != "E_BROWSER_LAUNCH" || !strings.Contains(f.Text, "code 3") ||
		!strings.Contains(f.Text, chromiumtest.LastWords) || !strings.Contains(f.Hint, l.dir.BrowserLog()) {
		t.Errorf("the last status is %+v, fault %+v", last, f)
	}
	if err := l.end(); err != nil {
		t.Error(err)
	}
	l.closed()
	if names := l.journalNames(spec); !slices.Equal(names, []string{"opened", "closed"}) {
		t.Errorf("the journal has %v", names)
	}
}

func TestAnOpenProfileAnswersAndClosesWithoutATrace(t *testing.T) {
	home := newHome(t)
	spec := newSpec(t, home, session.Automation)
	l := start(t, home, spec)
	open := l.until(session.Open)
	e := open.Endpoint
	if e.Port == 0 || e.PID != l.hello.Record.Browser.PID || e.RunID != l.RunID() || !e.Headless || e.Opened.IsZero() {
		t.Errorf("the endpoint is %+v", e)
	}
	if raw, err := os.ReadFile(l.dir.ActivePort()); err != nil || string(raw) != fmt.Sprintf("%d\n%s", e.Port, e.Path) {
		t.Errorf("DevToolsActivePort: %q, %v", raw, err)
	}
	if record, err := keeperclient.ReadRecord(l.dir); err != nil || record != *l.hello.Record {
		t.Errorf("keeper.json is %+v, %v", record, err)
	}
	address := fmt.Sprintf("http://127.0.0.1:%d/json/version", e.Port)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if !strings.Contains(string(body), chromiumtest.Version) {
		t.Errorf("the gate says %s", body)
	}

	lastStatus := l.follow()
	if err := l.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if last := lastStatus(); last.End != session.Stopped || last.Fault != nil {
		t.Errorf("the last status is %+v", last)
	}
	if err := l.end(); err != nil {
		t.Error(err)
	}
	l.closed()
	if names := l.journalNames(spec); !slices.Equal(names, []string{"opened", "closed"}) {
		t.Errorf("the journal has %v", names)
	}
	if _, err := keeperclient.Find(l.dir); !errors.Is(err, keeperclient.ErrNotOpen) {
		t.Errorf("a closed profile is found: %v", err)
	}
}

func TestAStopWhileTheBrowserStarts(t *testing.T) {
	t.Setenv(chromiumtest.BehaviourEnv, string(chromiumtest.NeverReady))
	home := newHome(t)
	l := start(t, home, newSpec(t, home, session.Automation))
	if now, err := l.Status(t.Context()); err != nil || now.State != session.Starting {
		t.Fatalf("the status is %+v, %v", now, err)
	}
	lastStatus := l.follow()
	if err := l.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if last := lastStatus(); last.Fault == nil || last.Fault.Code != "E_STOPPED" {
		t.Errorf("the last status is %+v", last)
	}
	_ = l.end()
	l.closed()
}

func TestABrowserThatEndsOnItsOwn(t *testing.T) {
	for name, c := range map[string]struct {
		signal syscall.Signal
		want   session.EndReason
	}{
		"is killed":                            {syscall.SIGKILL, session.Crashed},
		"exits in order, as after its windows": {syscall.SIGINT, session.Exited},
	} {
		t.Run(name, func(t *testing.T) {
			home := newHome(t)
			l := start(t, home, newSpec(t, home, session.Automation))
			l.until(session.Open)
			lastStatus := l.follow()
			if err := syscall.Kill(l.hello.Record.Browser.PID, c.signal); err != nil {
				t.Fatal(err)
			}
			if last := lastStatus(); last.End != c.want || last.Fault != nil {
				t.Errorf("the last status is %+v", last)
			}
			_ = l.end()
			l.closed()
		})
	}
}

func TestAfterABrowserWasKilledNobodyIsToldThatItIsOpen(t *testing.T) {
	home := newHome(t)
	l := start(t, home, newSpec(t, home, session.Automation))
	l.until(session.Open)
	if err := l.hello.Record.Browser.Kill(); err != nil {
		t.Fatal(err)
	}
	// Either the keeper says that it is closing, or it has closed its socket already.
	if now, err := l.Status(t.Context()); err == nil && now.State == session.Open {
		t.Errorf("the status is %+v", now)
	}
}

func TestTheEndOfTheContextClosesABrowserThatIsDriven(t *testing.T) {
	home := newHome(t)
	l := start(t, home, newSpec(t, home, session.Automation))
	l.until(session.Open)
	lastStatus := l.follow()
	l.cancel()
	if err := l.end(); err != nil {
		t.Error(err)
	}
	if last := lastStatus(); last.End != session.Stopped {
		t.Errorf("the last status is %+v", last)
	}
	l.closed()
}

func TestTheEndOfTheContextLeavesAPersonsBrowserWhichIsAdopted(t *testing.T) {
	home := newHome(t)
	spec := newSpec(t, home, session.Ordinary)
	first := start(t, home, spec)
	if e := first.until(session.Open).Endpoint; e.Mode != session.Ordinary || e.Port != 0 {
		t.Errorf("the endpoint is %+v", e)
	}
	browser := first.hello.Record.Browser
	first.cancel()
	if err := first.end(); err != nil {
		t.Error(err)
	}
	if !browser.Alive() {
		t.Fatal("the browser ended with its keeper")
	}
	if record, err := keeperclient.ReadRecord(first.dir); err != nil || record.Browser != browser {
		t.Fatalf("nobody can find the browser: %+v, %v", record, err)
	}

	spec.Requested.Mode = session.Automation // an agent's start finds a person's browser there
	second := start(t, home, spec)
	e := second.until(session.Open).Endpoint
	if e.Mode != session.Ordinary || e.RunID != first.RunID() || e.PID != browser.PID {
		t.Errorf("adopted as %+v, it was run %s with browser %d", e, first.RunID(), browser.PID)
	}
	if _, err := second.DialMCP(t.Context(), keeperclient.Greeting{}); err == nil {
		t.Error("an agent came into a person's browser")
	}
	lastStatus := second.follow()
	if err := second.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	lastStatus()
	_ = second.end()
	second.closed()
}

// The browser that installs extensions outlives a keeper that is killed, and for a moment it has no lock. Meanwhile the
// tabs of the last session lie aside: whoever puts them back must be alone.
func TestAKeeperWaitsForTheBrowserOfAKilledInstallation(t *testing.T) {
	home := newHome(t)
	spec := newSpec(t, home, session.Automation)
	tabs := filepath.Join(spec.Options.DataDir, "Default", "Sessions", "Tabs_1")
	if err := os.MkdirAll(filepath.Dir(tabs), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(tabs, []byte("tabs"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := chromium.PutTabsAside(spec.Options.DataDir); err != nil {
		t.Fatal(err)
	}
	t.Setenv(chromiumtest.BehaviourEnv, string(chromiumtest.NeverLocks))
	o := spec.Options
	o.Pipe = true
	left, err := chromium.Launch(spec.Browser, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	gone := make(chan struct{})
	go func() { defer close(gone); left.Wait() }()
	t.Cleanup(func() { _ = left.ID.Kill(); <-gone })

	t.Setenv(chromiumtest.BehaviourEnv, "")
	l := start(t, home, spec)
	l.until(session.Open)
	if left.ID.Alive() {
		t.Error("a browser was opened beside that of the killed keeper")
	}
}

func TestASignalEndsTheProcess(t *testing.T) {
	home := newHome(t)
	spec := newSpec(t, home, session.Automation)
	raw, err := json.Marshal(spec)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), spec.Browser)
	cmd.Env = append(os.Environ(), keeperEnv+"=1")
	cmd.Stdin = strings.NewReader(string(raw))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	l := &life{t: t, home: home, dir: spec.Dir}
	if err := json.NewDecoder(out).Decode(&l.hello); err != nil || l.hello.Record == nil {
		t.Fatalf("said %+v, %v", l.hello, err)
	}
	l.Client = keeperclient.New(*l.hello.Record)
	l.until(session.Open)
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the keeper ended with %v", err)
	}
	l.closed()
	if names := l.journalNames(spec); !slices.Equal(names, []string{"opened", "closed"}) {
		t.Errorf("the journal has %v", names)
	}
}
