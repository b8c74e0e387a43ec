//go:build unix

package runner

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"cove/internal/keeperclient"
	"cove/internal/paths"
	"cove/internal/process"
	"cove/internal/profile"
	"cove/internal/session"
)

// A keeper that is killed right after it has published itself never says so. What it has published goes.
func TestAKeeperThatDiesBeforeItsHelloLeavesNothing(t *testing.T) {
	home := paths.Home(t.TempDir())
	dir := home.Profile(7)
	for _, d := range []string{dir.Data(), filepath.Dir(home.KeeperLog(7))} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	socket := filepath.Join(string(dir), "keeper.sock")
	record, err := keeperclient.Record{ID: process.ID{PID: 1 << 30, Start: "1"}, Mode: session.Automation,
		Socket: socket}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	keeper := filepath.Join(string(home), "keeper")
	script := "#!/bin/sh\ncat >/dev/null\ntouch '" + socket + "'\ncat >'" + dir.Keeper() + "' <<'E'\n" + string(record) +
		"E\n"
	if err := os.WriteFile(keeper, []byte(script), 0o700); err != nil { //nolint:gosec // it is a program
		t.Fatal(err)
	}
	r := &Runner{Home: home, Log: slog.New(slog.DiscardHandler), Executable: keeper}
	_, err = r.launch(t.Context(), keeperclient.Spec{ID: 7, Dir: dir, Log: home.KeeperLog(7)}, profile.Profile{ID: 7})
	if err == nil {
		t.Error("no error")
	}
	for _, name := range []string{dir.Keeper(), socket} {
		if _, err := os.Lstat(name); !os.IsNotExist(err) {
			t.Errorf("%s is left behind", name)
		}
	}
}
