package cookiedb

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

const table = `CREATE TABLE cookies(creation_utc INTEGER NOT NULL, host_key TEXT NOT NULL, top_frame_site_key TEXT NOT
NULL, name TEXT NOT NULL, value TEXT NOT NULL, path TEXT NOT NULL, last_access_utc INTEGER NOT NULL,
has_cross_site_ancestor INTEGER NOT NULL)`

// database makes a cookie database with the rows name, value, last access.
func database(t *testing.T, table string, rows ...[3]any) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "Cookies")
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(t.Context(), table); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if _, err := db.ExecContext(t.Context(), `INSERT INTO cookies (creation_utc, host_key, top_frame_site_key, name,
			value, path, last_access_utc, has_cross_site_ancestor) VALUES (7, 'a.example', '', ?, ?, '/', ?, 0)`,
			r[0], r[1], r[2]); err != nil {
			t.Fatal(err)
		}
	}
	return file
}

func read(t *testing.T, file string) map[string]string {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	rows, err := db.QueryContext(t.Context(), "SELECT name, value || ' ' || last_access_utc FROM cookies")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	out := map[string]string{}
	for rows.Next() {
		var name, value string
		if err := rows.Scan(&name, &value); err != nil {
			t.Fatal(err)
		}
		out[name] += value
	}
	if rows.Err() != nil {
		t.Fatal(rows.Err())
	}
	return out
}

func TestMerge(t *testing.T) {
	file := database(t, table, [3]any{"kept", "1", 5}, [3]any{"replaced", "1", 5})
	others := []string{
		database(t, table, [3]any{"replaced", "2", 0}, [3]any{"new", "3", 0}), database(t, table, [3]any{"more", "4", 0}),
	}
	if err := Merge(t.Context(), file, others); err != nil {
		t.Fatal(err)
	}
	got := read(t, file)
	want := map[string]string{"kept": "1 5", "replaced": "2 7", "new": "3 7", "more": "4 7"}
	for name, value := range want {
		if got[name] != value || len(got) != len(want) {
			t.Errorf("%s is %q of %v", name, got[name], got)
		}
	}
}

func TestMergeChangesNothingWhenTheTablesDiffer(t *testing.T) {
	file := database(t, table, [3]any{"kept", "1", 0})
	good := database(t, table, [3]any{"new", "2", 0})
	bad := database(t, table[:len(table)-1]+", more INTEGER)", [3]any{"new", "3", 0})
	if err := Merge(t.Context(), file, []string{good, bad}); !errors.Is(err, errSchema) {
		t.Errorf("it returned %v", err)
	}
	if got := read(t, file); len(got) != 1 || got["kept"] != "1 0" {
		t.Errorf("there is %v", got)
	}
}

func TestMergeMakesNoDatabase(t *testing.T) {
	file := filepath.Join(t.TempDir(), "Cookies")
	if Merge(t.Context(), file, nil) == nil {
		t.Error("it merged into nothing")
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("it made a database")
	}
}
