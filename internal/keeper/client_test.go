package keeper

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cove/internal/fault"
	"cove/internal/keeperclient"
	"cove/internal/keeperclient/runner"
	"cove/internal/paths"
	"cove/internal/process"
	"cove/internal/profile"
	"cove/internal/session"
)

// fakeKeeper is profile 3's keeper's socket without a browser, in this process.
func fakeKeeper(t *testing.T, home paths.Home, protocol int) *server {
	t.Helper()
	dir := home.Profile(3)
	if err := os.MkdirAll(dir.Data(), 0o700); err != nil {
		t.Fatal(err)
	}
	socket, err := dir.Socket()
	if err != nil {
		t.Fatal(err)
	}
	var s *server
	s = newServer("secret", func() { s.close(keeperclient.Status{State: session.Closed, End: session.Stopped}) })
	if err := s.listen(socket); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.http.Close() })
	record := keeperclient.Record{
		ID: process.Self(), Protocol: protocol, Version: "0.0.9", Socket: socket, Token: "secret",
		Mode: session.Automation,
	}
	if err := record.Write(dir); err != nil {
		t.Fatal(err)
	}
	return s
}

func newHome(t *testing.T) paths.Home {
	t.Helper()
	dir, err := os.MkdirTemp("", "k") // short: a socket's path has a limit
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	home := paths.Home(dir)
	if err := home.Make(); err != nil {
		t.Fatal(err)
	}
	return home
}

func newRunner(home paths.Home) *runner.Runner {
	return &runner.Runner{
		Home: home, Log: slog.New(slog.DiscardHandler), Executable: "/nonexistent",
		Profile: func(_ context.Context, id profile.ID) (profile.Profile, error) {
			return profile.Profile{ID: id}, nil
		},
	}
}

func TestFindKeepersOfAnyVersion(t *testing.T) {
	for name, protocol := range map[string]int{"of the same version": keeperclient.Protocol, "of an older one": 0,
		"of a newer one": 99} {
		t.Run(name, func(t *testing.T) {
			home := newHome(t)
			c := fakeKeeper(t, home, protocol)
			c.set(keeperclient.Status{State: session.Open,
				Endpoint: session.Endpoint{Mode: session.Automation, Port: 4711, RunID: "r"}})
			found, err := newRunner(home).Find(t.Context())
			if err != nil || len(found) != 1 || found[3] == nil {
				t.Fatalf("found %v, %v", found, err)
			}
			facts, err := found[3].Ready(t.Context(), func(string) {})
			if err != nil || facts.Port != 4711 {
				t.Fatalf("got %+v, %v", facts, err)
			}
			if err := found[3].Stop(t.Context()); err != nil || found[3].EndReason() != session.Stopped {
				t.Fatalf("stop: %v, end %q", err, found[3].EndReason())
			}
		})
	}
}

func TestAStartThatFailsTellsWhy(t *testing.T) {
	home := newHome(t)
	c := fakeKeeper(t, home, keeperclient.Protocol)
	found, err := newRunner(home).Find(t.Context())
	if err != nil || found[3] == nil {
		t.Fatalf("found %v, %v", found, err)
	}
	go func() {
		c.awaitWatcher() // as a keeper does whose start failed
		c.close(keeperclient.Status{State: session.Closed,
			Fault: fault.New(fault.CodeBrowserLaunch, "the end of its words", "look")})
	}()
	_, err = found[3].Ready(t.Context(), func(string) {})
	if f := fault.From(err); f.Code != "E_BROWSER_LAUNCH" || f.Hint != "look" {
		t.Fatalf("got %v", err)
	}
}

func TestFindClearsWhatADeadKeeperLeft(t *testing.T) {
	home := newHome(t)
	dir := home.Profile(5)
	if err := os.MkdirAll(dir.Data(), 0o700); err != nil {
		t.Fatal(err)
	}
	socket, _ := dir.Socket()
	for _, name := range []string{dir.ActivePort(), socket} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// The number lives (it is ours), but it started at another time.
	record := keeperclient.Record{
		ID: process.ID{PID: os.Getpid(), Start: "1"}, Protocol: keeperclient.Protocol, Socket: socket,
		Mode: session.Automation,
	}
	if err := record.Write(dir); err != nil {
		t.Fatal(err)
	}
	found, err := newRunner(home).Find(t.Context())
	if err != nil || len(found) != 0 {
		t.Fatalf("found %v, %v", found, err)
	}
	for _, name := range []string{dir.ActivePort(), socket, dir.Keeper()} {
		if _, err := os.Lstat(name); err == nil {
			t.Errorf("%s is left", filepath.Base(name))
		}
	}
}

func TestABadRecordDoesNotHideTheOthers(t *testing.T) {
	home := newHome(t)
	c := fakeKeeper(t, home, keeperclient.Protocol)
	c.set(keeperclient.Status{State: session.Open})
	bad := home.Profile(4)
	if err := os.MkdirAll(bad.Data(), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(bad.Keeper(), []byte("{broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(home.Profiles(), "not-a-profile"), 0o700); err != nil {
		t.Fatal(err)
	}
	found, err := newRunner(home).Find(t.Context())
	if err != nil || len(found) != 1 || found[3] == nil {
		t.Fatalf("found %v, %v", found, err)
	}
}

func TestTheSocketWantsItsToken(t *testing.T) {
	home := newHome(t)
	fakeKeeper(t, home, keeperclient.Protocol)
	record, err := keeperclient.ReadRecord(home.Profile(3))
	if err != nil {
		t.Fatal(err)
	}
	record.Token = "wrong"
	if err := keeperclient.New(record).Stop(t.Context()); err == nil {
		t.Fatal("stopped with a wrong token")
	}
}

func TestAKeeperWhoseAppIsGoneOpensNothing(t *testing.T) {
	home := paths.Home(t.TempDir())
	gone := process.Self()
	gone.Start += "x" // another process had this number
	in, err := json.Marshal(keeperclient.Spec{
		ID: 1, Dir: home.Profile(1), Log: filepath.Join(string(home), "keeper.log"),
		Requested: session.Options{Mode: session.Automation}, Browser: "/nonexistent", App: gone,
	})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = Run(t.Context(), bytes.NewReader(in), &out, 0, slog.LevelInfo)
	if fault.From(err).Code != "E_APP_GONE" || !strings.Contains(out.String(), "E_APP_GONE") {
		t.Errorf("%v, said %s", err, out.String())
	}
	lock, err := process.TryLock(home.Profile(1).Lock())
	if err != nil {
		t.Fatal(err)
	}
	lock.Release()
}
