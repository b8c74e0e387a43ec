package clients

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cove/internal/paths"
	"cove/internal/profile"
)

func TestClaudesLockIsRespected(t *testing.T) {
	d := newFixture(t, "linux", client(t, "claude-code"), User)
	_, file := d.file()
	lock := file + ".lock"
	if err := os.Mkdir(lock, 0o700); err != nil {
		t.Fatal(err)
	}
	var released atomic.Bool
	time.AfterFunc(300*time.Millisecond, func() {
		released.Store(true)
		_ = os.Remove(lock)
	})
	if _, err := d.add(1); err != nil || !released.Load() {
		t.Errorf("%v, and Claude's lock was released: %v", err, released.Load())
	}
	if _, err := os.Stat(lock); err == nil {
		t.Error("the lock is still there")
	}
	// A lock that a killed program left behind.
	if err := os.Mkdir(lock, 0o700); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(lock, old, old); err != nil {
		t.Fatal(err)
	}
	if _, err := d.add(2); err != nil {
		t.Error(err)
	}
}

func TestEightProcessesKeepAllEight(t *testing.T) {
	for _, name := range []string{"claude-code", "codex", "goose", "vscode"} {
		t.Run(name, func(t *testing.T) {
			home, data := t.TempDir(), t.TempDir()
			c := client(t, name)
			e := Env{OS: "linux", Home: home, Dir: home, Getenv: func(string) string { return "" },
				LookPath: exec.LookPath}
			file := c.User(e)[0]
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			before := existing(c, "  ", "\n")
			if err := os.WriteFile(file, []byte(before), 0o600); err != nil {
				t.Fatal(err)
			}
			var all sync.WaitGroup
			for id := 1; id <= 8; id++ {
				all.Go(func() {
					cmd := exec.CommandContext(t.Context(), os.Args[0])
					cmd.Env = []string{"HOME=" + home, fmt.Sprint("CLIENTS_TEST_ADD=", id), "CLIENTS_TEST_DIR=" + home,
						"CLIENTS_TEST_CLIENT=" + name, "CLIENTS_TEST_DATA=" + data}
					if out, err := cmd.CombinedOutput(); err != nil {
						t.Errorf("%d: %v: %s", id, err, out)
					}
				})
			}
			all.Wait()
			r := &Registry{Env: e, Home: paths.Home(data)}
			found, err := r.search(c, anywhere)
			if err != nil || len(found) != 8 {
				t.Errorf("%d entries, %v", len(found), err)
			}
			for _, f := range found {
				if _, err := r.Remove(context.Background(), c, Removal{Profile: f.Entry.Profile}, false); err != nil {
					t.Error(err)
				}
			}
			if raw, _ := os.ReadFile(file); string(raw) != before {
				t.Errorf("left %s", raw)
			}
		})
	}
}

// TestALockThatCannotBeTakenAway checks that a change waits for such a lock no longer than the caller wants.
func TestALockThatCannotBeTakenAway(t *testing.T) {
	d := newFixture(t, "linux", client(t, "claude-code"), User)
	_, file := d.file()
	if err := os.MkdirAll(filepath.Join(file+".lock", "somebody's"), 0o700); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(file+".lock", old, old); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if _, err := d.Add(ctx, d.client, User, entryOf(d.Env, 1), false); err == nil {
		t.Error("the lock counts as taken")
	}
	if d.read() != "(no file)\n" {
		t.Errorf("wrote %s", d.read())
	}
}

// TestCovesOfSeveralDataFoldersLoseNothing runs Coves that have their own ledgers and locks but share one file.
func TestCovesOfSeveralDataFoldersLoseNothing(t *testing.T) {
	home, data := t.TempDir(), t.TempDir()
	c := client(t, "cursor")
	e := Env{OS: "linux", Home: home, Dir: home, Getenv: func(string) string { return "" }, LookPath: exec.LookPath}
	file := c.User(e)[0]
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	const coves = 8
	together := func(do func(r *Registry, id profile.ID) error) int {
		var all sync.WaitGroup
		for id := profile.ID(1); id <= coves; id++ {
			all.Go(func() {
				r := &Registry{Env: e, Home: paths.Home(filepath.Join(data, fmt.Sprint(id)))}
				if err := do(r, id); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		raw, _ := os.ReadFile(file)
		return strings.Count(string(raw), `"cove-`)
	}
	for range 60 {
		if n := together(func(r *Registry, id profile.ID) error {
			_, err := r.Add(context.Background(), c, User, Native("/opt/cove", r.Home, id), false)
			return err
		}); n != coves {
			t.Fatalf("%d of %d entries are there", n, coves)
		}
		if n := together(func(r *Registry, id profile.ID) error {
			_, err := r.Remove(context.Background(), c, Removal{Profile: id}, false)
			return err
		}); n != 0 {
			t.Fatalf("%d entries came back", n)
		}
	}
}
