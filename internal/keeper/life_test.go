//go:build unix

package keeper

import (
	"bufio"
	"context"
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
	"time"

	"cove/internal/chromium"
	"cove/internal/chromium/chromiumtest"
	"cove/internal/fault"
	"cove/internal/interrupt"
	"cove/internal/journal"
	"cove/internal/keeperclient"
	"cove/internal/paths"
	"cove/internal/process"
	"cove/internal/session"
)

// keeperEnv makes the test binary a keeper, as `cove keeper` is.
const keeperEnv = "KEEPER_TEST_RUN"

func TestMain(m *testing.M) {
	chromiumtest.Main()
	if os.Getenv(keeperEnv) == "" {
		os.Exit(m.Run())
	}
	ctx, stop := interrupt.Context()
	err := Run(ctx, os.Stdin, os.Stdout, 0)
	stop()
	if err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// patience bounds every wait of these tests.
const patience = 30 * time.Second

// life is one keeper with a browser of chromiumtest.
type life struct {
	t     *testing.T
	home  paths.Home
	dir   paths.ProfileDir
	hello keeperclient.Hello
	*keeperclient.Client
	cancel context.CancelFunc // as a signal does
	done   chan error         // the result of Run
}

// newSpec is a profile that opens with the test binary as its browser.
func newSpec(t *testing.T, home paths.Home, mode session.Mode) keeperclient.Spec {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	key, err := journal.ReadKey(home.JournalKey())
	if err != nil {
		t.Fatal(err)
	}
	dir := home.Profile(1)
	return keeperclient.Spec{
		ID: 1, Name: "one", Dir: dir, Log: home.KeeperLog(1), Version: "1.2.3", Browser: program, Panic: home.Panic(),
		Requested: session.Options{Mode: mode}, Options: chromium.Options{DataDir: dir.Data(), Headless: true},
		Journal: journal.Location{Dir: dir, Key: key.Of(1)}, App: process.Self(),
	}
}

// start runs a keeper in this process, until the end of the test at the latest.
func start(t *testing.T, home paths.Home, spec keeperclient.Spec) *life {
	t.Helper()
	raw, err := json.Marshal(spec)
	if err != nil {
		t.Fatal(err)
	}
	r, w := io.Pipe()
	l := &life{t: t, home: home, dir: spec.Dir, done: make(chan error, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	l.cancel = cancel
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		l.done <- Run(ctx, strings.NewReader(string(raw)), w, 0)
		_ = w.Close()
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
		if l.hello.Record != nil {
			_ = l.hello.Record.Browser.Kill()
		}
	})
	if err := json.NewDecoder(bufio.NewReader(r)).Decode(&l.hello); err != nil {
		t.Fatalf("the keeper said no hello: %v", err)
	}
	go func() { _, _ = io.Copy(io.Discard, r) }()
	if l.hello.Record != nil {
		l.Client = keeperclient.New(*l.hello.Record)
	}
	return l
}

// until waits for a status.
func (l *life) until(state session.State) keeperclient.Status {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), patience)
	defer cancel()
	var last keeperclient.Status
	_ = l.Watch(ctx, func(s keeperclient.Status) {
		if last = s; s.State == state {
			cancel()
		}
	})
	if last.State != state {
		l.t.Fatalf("waited for %s, the last status is %+v", state, last)
	}
	return last
}

// follow watches the status from now on. lastStatus waits for the end of the session and returns the last status.
func (l *life) follow() (lastStatus func() keeperclient.Status) {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	statuses := make(chan keeperclient.Status, 10)
	go func() {
		defer cancel()
		defer close(statuses)
		_ = l.Watch(ctx, func(s keeperclient.Status) { statuses <- s })
	}()
	last, watching := <-statuses
	if !watching {
		l.t.Fatal("the keeper cannot be watched")
	}
	return func() keeperclient.Status {
		l.t.Helper()
		for s := range statuses {
			last = s
		}
		if last.State != session.Closed {
			l.t.Fatalf("the last status is %+v", last)
		}
		return last
	}
}

// end waits until Run has returned.
func (l *life) end() error {
	l.t.Helper()
	select {
	case err := <-l.done:
		return err
	case <-time.After(patience):
		l.t.Fatal("the keeper does not end")
		return nil
	}
}

// closed checks that nothing of an open profile is left.
func (l *life) closed() {
	l.t.Helper()
	if l.hello.Record != nil && l.hello.Record.Browser.Alive() {
		l.t.Error("the browser is still running")
	}
	socket, _ := l.dir.Socket()
	lock := filepath.Join(l.dir.Data(), "SingletonLock")
	for _, name := range []string{l.dir.Keeper(), l.dir.ActivePort(), socket, lock} {
		if _, err := os.Lstat(name); err == nil {
			l.t.Errorf("%s is left", filepath.Base(name))
		}
	}
	free, err := process.TryLock(l.dir.Lock())
	if err != nil {
		l.t.Fatalf("the profile's lock: %v", err)
	}
	free.Release()
}

// journalNames lists the names of the entries in the journal, which must verify.
func (l *life) journalNames(spec keeperclient.Spec) (names []string) {
	l.t.Helper()
	report, err := journal.Verify(spec.Journal)
	if err != nil || len(report.Problems) > 0 {
		l.t.Errorf("the journal: %v, %v", err, report.Problems)
	}
	rows, err := journal.Read(spec.Journal, journal.Query{Limit: 100})
	if err != nil {
		l.t.Fatal(err)
	}
	for _, raw := range rows {
		var row journal.Row
		if err := json.Unmarshal(raw, &row); err != nil {
			l.t.Fatal(err)
		}
		names = append(names, row.Name)
	}
	return names
}

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
	res, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/json/version", e.Port))
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

func TestASignalEndsTheProcess(t *testing.T) {
	home := newHome(t)
	spec := newSpec(t, home, session.Automation)
	raw, err := json.Marshal(spec)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(spec.Browser)
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

func TestFilesThatOthersFindTheKeeperByComeBack(t *testing.T) {
	home := newHome(t)
	l := start(t, home, newSpec(t, home, session.Automation))
	l.until(session.Open)
	want := map[string][]byte{}
	for _, name := range []string{l.dir.Keeper(), l.dir.ActivePort()} {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want[name] = raw
	}
	if err := os.Remove(l.dir.ActivePort()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(l.dir.Keeper(), []byte("{broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(l.hello.Record.Socket); err != nil {
		t.Fatal(err)
	}
	back := func() bool {
		for name, raw := range want {
			if is, err := os.ReadFile(name); err != nil || string(is) != string(raw) {
				return false
			}
		}
		_, err := l.Status(t.Context())
		return err == nil
	}
	for limit := time.Now().Add(patience); !back(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatal("they did not come back")
		}
	}
}

func TestWhatADeadKeeperLeftIsInNobodysWay(t *testing.T) {
	for name, record := range map[string]string{
		"a record that cannot be read": "{broken",
		"a record of an older version": `{"pid":1,"start":"none","socket":"/gone","token":"x","mode":"automation"}`,
		"a record of a newer version":  `{"pid":1,"start":"none","protocol":99,"mode":"holographic","more":{"a":1}}`,
	} {
		t.Run(name, func(t *testing.T) {
			home := newHome(t)
			spec := newSpec(t, home, session.Automation)
			if err := os.MkdirAll(spec.Dir.Data(), 0o700); err != nil {
				t.Fatal(err)
			}
			socket, err := spec.Dir.Socket()
			if err != nil {
				t.Fatal(err)
			}
			stale := filepath.Join(spec.Dir.Data(), "SingletonLock")
			host, _ := os.Hostname()
			if err := os.Symlink(host+"-999999999", stale); err != nil {
				t.Fatal(err)
			}
			for file, text := range map[string]string{
				spec.Dir.Keeper(): record, spec.Dir.ActivePort(): "1\n/devtools/browser/old", socket: "",
			} {
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			l := start(t, home, spec)
			if l.hello.Fault != nil {
				t.Fatal(l.hello.Fault)
			}
			e := l.until(session.Open).Endpoint
			if raw, err := os.ReadFile(l.dir.ActivePort()); err != nil ||
				!strings.HasPrefix(string(raw), fmt.Sprint(e.Port)) {
				t.Errorf("DevToolsActivePort: %q, %v", raw, err)
			}
		})
	}
}

func TestAFolderThatSomebodyElseHasIsRefused(t *testing.T) {
	t.Run("another keeper", func(t *testing.T) {
		home := newHome(t)
		spec := newSpec(t, home, session.Automation)
		if err := os.MkdirAll(spec.Dir.Data(), 0o700); err != nil {
			t.Fatal(err)
		}
		lock, err := process.TryLock(spec.Dir.Lock())
		if err != nil {
			t.Fatal(err)
		}
		defer lock.Release()
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		raw, _ := json.Marshal(spec)
		var out strings.Builder
		if err := Run(ctx, strings.NewReader(string(raw)), &out, 0); !errors.Is(err, keeperclient.ErrKeeperRunning) {
			t.Errorf("got %v", err)
		}
		if !strings.Contains(out.String(), "E_BROWSER_RUN_DUPLICATE") {
			t.Errorf("said %s", out.String())
		}
	})
	t.Run("a browser on another computer", func(t *testing.T) {
		home := newHome(t)
		spec := newSpec(t, home, session.Automation)
		if err := os.MkdirAll(spec.Dir.Data(), 0o700); err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(spec.Dir.Data(), "SingletonLock")
		if err := os.Symlink("another-computer-12", link); err != nil {
			t.Fatal(err)
		}
		l := start(t, home, spec)
		if f := l.hello.Fault; f == nil || f.Code != "E_PROFILE_LOCKED" ||
			!strings.Contains(f.Text, "another-computer") {
			t.Errorf("said %+v", l.hello)
		}
		if _, err := os.Lstat(link); err != nil {
			t.Error("the other computer's lock was removed")
		}
		_ = l.end()
	})
}

func TestAKeeperThatStartsDuringAPanicSuspendsItsAgents(t *testing.T) {
	home := newHome(t)
	if err := os.WriteFile(home.Panic(), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	l := start(t, home, newSpec(t, home, session.Automation))
	if s, err := l.Access(t.Context()); err != nil || !s.Suspended {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := l.DialMCP(t.Context(), keeperclient.Greeting{}); fault.From(err).Code != "E_PANIC" {
		t.Errorf("an agent came in: %v", err)
	}
}

func TestAnAgentThatIsConnectedHearsWhyTheProfileCloses(t *testing.T) {
	home := newHome(t)
	l := start(t, home, newSpec(t, home, session.Automation))
	conn, err := l.DialMCP(t.Context(), keeperclient.Greeting{Dir: string(home)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	say := func(raw string) {
		t.Helper()
		if err := conn.Write([]byte(raw)); err != nil {
			t.Fatal(err)
		}
	}
	say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
		`"clientInfo":{"name":"tester","version":"1"}}}`)
	if raw, err := conn.Read(); err != nil || !strings.Contains(string(raw), `"serverInfo"`) {
		t.Fatalf("initialize: %s, %v", raw, err)
	}
	say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	l.until(session.Open)
	if who, err := l.Agents(t.Context()); err != nil || len(who.Agents) != 1 || who.Agents[0].Name != "tester" {
		t.Errorf("connected: %+v, %v", who, err)
	}
	if err := l.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	for {
		raw, err := conn.Read()
		if err != nil {
			t.Fatalf("the connection ended without a reason: %v", err)
		}
		if strings.Contains(string(raw), keeperclient.NoticePrefix+"closed") {
			if !strings.Contains(string(raw), `"end":"stopped"`) {
				t.Errorf("heard %s", raw)
			}
			break
		}
	}
	_ = l.end()
	l.closed()
}
