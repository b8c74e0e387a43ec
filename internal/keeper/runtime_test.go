//go:build unix

package keeper

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cove/internal/fault"
	"cove/internal/keeperclient"
	"cove/internal/process"
	"cove/internal/session"
)

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
	for limit := time.Now().Add(patience); !back(); <-time.After(20 * time.Millisecond) {
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
		if err := Run(ctx, strings.NewReader(string(raw)), &out, 0, slog.LevelInfo); !errors.Is(err, keeperclient.ErrKeeperRunning) {
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
