package clients

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cove/internal/paths"
	"cove/internal/profile"
	"cove/internal/racetest"
)

// TestKilledAtAnyMoment checks that a program that is killed while it adds an entry leaves a whole file, and that the
// entry can be removed.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	home, data := t.TempDir(), t.TempDir()
	c := client(t, "codex")
	e := Env{OS: "linux", Home: home, Dir: home, Getenv: func(string) string { return "" }, LookPath: exec.LookPath}
	file := c.User(e)[0]
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	before := existing(c, "  ", "\n")
	if err := os.WriteFile(file, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	r := &Registry{Env: e, Home: paths.Home(data)}
	for i := range 60 {
		id := profile.ID(i%8 + 1)
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = []string{"HOME=" + home, fmt.Sprint("CLIENTS_TEST_ADD=", id), "CLIENTS_TEST_DIR=" + home,
			"CLIENTS_TEST_CLIENT=codex", "CLIENTS_TEST_DATA=" + data}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// It is killed at any moment of its work.
		<-time.After(time.Duration(rand.IntN(30+5*racetest.Slower)) * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		raw, err := os.ReadFile(file)
		if err != nil || !strings.HasPrefix(string(raw), before) {
			t.Fatalf("%v: %s", err, raw)
		}
		if i%8 == 7 {
			for id := range profile.ID(9) {
				if _, err := r.Remove(context.Background(), c, Removal{Profile: id}, false); err != nil {
					t.Fatal(err)
				}
			}
			if raw, _ := os.ReadFile(file); string(raw) != before {
				t.Fatalf("left %q", raw)
			}
		}
	}
	// The next change removes the old scratch files that killed programs left beside the file.
	litter := filepath.Join(filepath.Dir(file), ".config.toml.cove-1")
	for name, age := range map[string]time.Duration{litter: time.Hour, litter + "2": 0} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		when := time.Now().Add(-age)
		if err := os.Chtimes(name, when, when); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Add(context.Background(), c, User, entryOf(e, 20), false); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(litter); err == nil {
		t.Error("an old scratch file is still there")
	}
	if _, err := os.Stat(litter + "2"); err != nil {
		t.Error("one that may be in use is gone")
	}
}
