//go:build unix

package keeper

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cove/internal/chromium"
	"cove/internal/chromium/chromiumtest"
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
	err := Run(ctx, os.Stdin, os.Stdout, 0, slog.LevelInfo)
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
		l.done <- Run(ctx, strings.NewReader(string(raw)), w, 0, slog.LevelInfo)
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
