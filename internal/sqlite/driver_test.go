package sqlite

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cove/internal/account"
	"cove/internal/account/pin"
	"cove/internal/fault"
	"cove/internal/profile"
	"cove/internal/proxy"

	"github.com/google/go-cmp/cmp"
)

func newFile(t testing.TB) string { return filepath.Join(t.TempDir(), "cove.db") }

func open(t testing.TB, name string) *DB {
	t.Helper()
	db, err := Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func reopen(t testing.TB, db *DB, name string) *DB {
	t.Helper()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return open(t, name)
}

func exec(t testing.TB, db *sql.DB, statement string) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

func version(t testing.TB, db *sql.DB) (v int) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), `PRAGMA user_version`).Scan(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func wantFault(t testing.TB, err error, kind fault.Kind, code string) *fault.Error {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %s %s", kind, code)
	}
	f := fault.From(err)
	if f.Kind != kind || string(f.Code) != code {
		t.Fatalf("got %s %s (%v), want %s %s", f.Kind, f.Code, err, kind, code)
	}
	return f
}

// files are the contents of the folder that name is in.
func files(t testing.TB, name string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if all[e.Name()], err = os.ReadFile(filepath.Join(filepath.Dir(name), e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func TestOpen(t *testing.T) {
	t.Run("makes files that only the owner can read", func(t *testing.T) {
		name := newFile(t)
		create(t, open(t, name).Profiles(), profile.Profile{Name: "a"})
		for _, f := range []string{name, name + "-wal", name + "-shm"} {
			info, err := os.Stat(f)
			if err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: mode %v, %v", filepath.Base(f), info.Mode(), err)
			}
		}
	})
	t.Run("takes a name with marks that mean something in a URL", func(t *testing.T) {
		name := filepath.Join(t.TempDir(), "a b?mode=memory#c%20d.db")
		if err := open(t, name).Close(); err != nil {
			t.Fatal(err)
		}
		all := files(t, name)
		if len(all) != 1 || len(all[filepath.Base(name)]) == 0 {
			t.Fatalf("the folder holds %d files, and %d bytes in the one that was named", len(all),
				len(all[filepath.Base(name)]))
		}
	})
	t.Run("refuses the file of a newer Cove and leaves it as it is", func(t *testing.T) {
		name := newFile(t)
		db := open(t, name)
		exec(t, db.sql, fmt.Sprintf(`PRAGMA user_version = %d`, len(migrations)+1))
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		before := files(t, name)
		_, err := Open(t.Context(), name)
		wantFault(t, err, fault.Unavailable, "E_NEWER_DATA")
		if !cmp.Equal(before, files(t, name)) {
			t.Fatal("the folder has changed")
		}
	})
	t.Run("refuses a file that is not a database and leaves it as it is", func(t *testing.T) {
		name := newFile(t)
		text := bytes.Repeat([]byte("Somebody's letter, no database. "), 64)
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(t.Context(), name)
		wantFault(t, err, fault.Unavailable, "E_DATABASE")
		if d := cmp.Diff(map[string][]byte{"cove.db": text}, files(t, name)); d != "" {
			t.Fatal(d)
		}
	})
	t.Run("calls a damaged database damaged when it is used", func(t *testing.T) {
		name := newFile(t)
		if err := open(t, name).Close(); err != nil {
			t.Fatal(err)
		}
		all := files(t, name)["cove.db"]
		const page = 4096 // the first begins the table of tables, the second is the table of profiles
		copy(all[page:2*page], bytes.Repeat([]byte{0xff}, page))
		if err := os.WriteFile(name, all, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := open(t, name).Profiles().List(t.Context(), profile.Query{Page: 1, PerPage: 1})
		wantFault(t, err, fault.Unavailable, "E_DATABASE")
	})
}

func TestReopenKeepsData(t *testing.T) {
	ctx, name := t.Context(), newFile(t)
	db := open(t, name)
	p := create(t, db.Profiles(), profile.Profile{Name: "work", Tags: []string{"a"}})[0]
	ann := account.Account{Email: "ann@example.com", Plan: account.Team, Created: time.UnixMilli(5).UTC()}
	token := account.Token{Name: "ci", Email: ann.Email, Created: time.UnixMilli(6).UTC()}
	id, err := db.Accounts().AddToken(ctx, token, "h")
	if err == nil {
		t.Fatalf("token %d of an account that is not there", id)
	}
	if err := db.Accounts().AddAccount(ctx, ann, "hash"); err != nil {
		t.Fatal(err)
	}
	if token.ID, err = db.Accounts().AddToken(ctx, token, "h"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Accounts().
		SetLoggedIn(ctx, ann.Email), db.SetSetting(ctx, "theme", "light"),
		db.SetSetting(ctx, "theme", "dark")); err != nil {
		t.Fatal(err)
	}

	db = reopen(t, db, name)
	if got, err := db.Profiles().Get(ctx, p.ID); err != nil || !cmp.Equal(p, got) {
		t.Errorf("profile: %v, %s", err, cmp.Diff(p, got))
	}
	if got, hash, err := db.Accounts().Account(ctx, ann.Email); err != nil || got != ann || hash != "hash" {
		t.Errorf("account: %+v, %q, %v", got, hash, err)
	}
	if got, err := db.Accounts().Tokens(ctx); err != nil || !cmp.Equal([]account.Token{token}, got) {
		t.Errorf("tokens: %v, %s", err, cmp.Diff([]account.Token{token}, got))
	}
	if got, err := db.Accounts().LoggedIn(ctx); err != nil || got != ann.Email {
		t.Errorf("login: %q, %v", got, err)
	}
	if got, err := db.Setting(ctx, "theme"); err != nil || got != "dark" {
		t.Errorf("setting: %q, %v", got, err)
	}
}

// fileOf makes a file as the Cove that knew only the first n migrations left it, with one profile in it.
func fileOf(t *testing.T, n int) string {
	t.Helper()
	name := newFile(t)
	old, err := sql.Open("sqlite", name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = old.Close() }()
	exec(t, old, `PRAGMA journal_mode = wal`)
	for i, m := range migrations[:n] {
		exec(t, old, m)
		if i == 0 {
			for id, folder := range map[int]string{7: "f", 8: "F", 9: ""} {
				exec(t, old, fmt.Sprintf(`INSERT INTO profiles VALUES (%d, 'old', '%s', 'N', '["t"]', `+
					`'["https://example.com"]', 800, 600, 'de', 'UTC', '{"type":"http","host":"h","port":1}', `+
					`'["--mute-audio"]', '/b', 0, 1, 2, 3, 0, 'old', '%s' || char(10) || 'n')`, id, folder,
					strings.ToLower(folder)))
			}
			exec(t, old, `UPDATE profiles SET proxy = '{"type":"","host":"","port":0}' WHERE id = 9`)
			exec(t, old, `UPDATE profiles SET proxy = '{"type":"http","host":"H","port":1,"login":"a","password":"b"}' `+
				`WHERE id = 8`)
		}
	}
	exec(t, old, fmt.Sprintf(`PRAGMA user_version = %d`, n))
	return name
}

// An app that was killed leaves a log beside the file, and people copy the file alone.
func TestTheFileAloneHoldsEverything(t *testing.T) {
	name := newFile(t)
	db := open(t, name)
	made := create(t, db.Profiles(), named("one", "two")...)
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	copied := newFile(t)
	if err := os.WriteFile(copied, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := mustGet(t, open(t, copied).Profiles(), made[1].ID); got.Name != "two" {
		t.Errorf("got %+v", got)
	}
}

func TestMigrate(t *testing.T) {
	for n := range len(migrations) + 1 {
		t.Run(fmt.Sprintf("brings version %d up to date and keeps its profiles", n), func(t *testing.T) {
			db := open(t, fileOf(t, n))
			if got := version(t, db.sql); got != len(migrations) {
				t.Fatalf("version %d, want %d", got, len(migrations))
			}
			if n == 0 {
				create(t, db.Profiles(), profile.Profile{Name: "first"})
				return
			}
			want := profile.Profile{ID: 7, Name: "old", FolderID: 1, Folder: "f", Notes: "N", Tags: []string{"t"},
				StartPages: []string{"https://example.com"}, Window: profile.Size{Width: 800, Height: 600},
				Locale: "de", Timezone: "UTC", ProxyID: 1, Proxy: proxy.Proxy{Type: "http", Host: "h", Port: 1},
				Args: []string{"--mute-audio"}, Browser: "/b",
				Created: time.UnixMilli(1).UTC(), Updated: time.UnixMilli(2).UTC(), Opened: time.UnixMilli(3).UTC()}
			got, err := db.Profiles().Get(t.Context(), 7)
			if err != nil {
				t.Fatal(err)
			}
			if got.FolderID == 1 && got.Folder == "F" { // either spelling is right for both
				got.Folder = "f"
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Fatal(d)
			}
			second, third := mustGet(t, db.Profiles(), 8), mustGet(t, db.Profiles(), 9)
			if second.FolderID != 1 || second.ProxyID != 2 || second.Proxy.Host != "h" ||
				second.Proxy.Password != "b" || third.FolderID != 0 || third.ProxyID != 0 || third.Proxy.Set() {
				t.Fatalf("got %+v and %+v", second, third)
			}
			wantList(t, db.Profiles(), profile.Query{Search: "f"}, 7, 8)
			wantList(t, db.Profiles(), profile.Query{Search: "n"}, 7, 8, 9)
		})
	}
	t.Run("a step that fails leaves the file at its old version", func(t *testing.T) {
		good := migrations
		t.Cleanup(func() { migrations = good })
		name := fileOf(t, len(good))
		migrations = slices.Concat(good, []string{`CREATE TABLE half (a)`, `not SQL`})
		if _, err := Open(t.Context(), name); err == nil {
			t.Fatal("opened")
		}
		migrations = good
		db := open(t, name)
		var tables int
		if err := db.sql.QueryRowContext(t.Context(), `SELECT count(*) FROM sqlite_schema WHERE name = 'half'`).
			Scan(&tables); err != nil || tables != 0 {
			t.Fatalf("%d tables of a failed migration, %v", tables, err)
		}
	})
}

func TestPINIsKept(t *testing.T) {
	name := newFile(t)
	db := open(t, name)
	if r, err := db.PIN(t.Context()); err != nil || r != (pin.Record{}) {
		t.Fatalf("at first: %+v, %v", r, err)
	}
	for _, want := range []pin.Record{{Hash: "a"}, {Hash: "b", Failures: 4, Last: time.UnixMilli(1234).UTC()},
		{}} {
		if err := db.SetPIN(t.Context(), want); err != nil {
			t.Fatal(err)
		}
		db = reopen(t, db, name)
		if got, err := db.PIN(t.Context()); err != nil || got != want {
			t.Fatalf("got %+v, %v, want %+v", got, err, want)
		}
	}
}
