package sqlite

import (
	"context"
	"fmt"
	"os"
	"testing"

	"cove/internal/profile"
	"cove/internal/proxy"
)

// dump is every row of the tables that a batch writes.
func dump(t *testing.T, db *DB) string {
	t.Helper()
	text := ""
	for _, table := range []string{"profiles", "proxies", "folders", "statuses", "sqlite_sequence"} {
		text += dumpTable(t, db, table)
	}
	return text
}

func dumpTable(t *testing.T, db *DB, table string) (text string) {
	t.Helper()
	rows, err := db.sql.QueryContext(t.Context(), `SELECT * FROM `+table)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		text += fmt.Sprintln(table, values)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return text
}

func TestABatchIsStoredWithWhatItRefersTo(t *testing.T) {
	db := open(t, newFile(t))
	s := db.Profiles()
	old := create(t, s, profile.Profile{Name: "old", Proxy: exit("one"), Folder: "Shops"})
	b := profile.Batch{
		Proxies: []proxy.Record{
			{Name: "first", Proxy: exit("one"), ChangeIPURL: "https://change.example/1"},
			{Name: "alone", Proxy: exit("three")},
		},
		Profiles: []profile.Profile{
			{Name: "a", Proxy: exit("one"), Folder: "shops", Status: profile.Status{Name: "ready", Color: "green"}},
			{Name: "b", Proxy: exit("two"), Folder: "New", Status: profile.Status{Name: "READY", Color: "red"}},
			{Name: "c"},
		},
	}
	before := dump(t, db)
	for _, dry := range []bool{true, false} {
		made, err := s.CreateBatch(t.Context(), b, dry)
		if err != nil {
			t.Fatal(err)
		}
		if len(made.Profiles) != 3 || made.Proxies != 2 || made.Folders != 1 || made.Statuses != 1 {
			t.Errorf("dry %v made %+v", dry, made)
		}
		if after := dump(t, db); dry != (after == before) {
			t.Errorf("dry %v left\n%s", dry, after)
		}
	}
	a, c := mustGet(t, s, 2), mustGet(t, s, 4)
	if a.ProxyID != old[0].ProxyID || a.FolderID != old[0].FolderID || a.Status.Color != "green" ||
		mustGet(t, s, 3).Status.ID != a.Status.ID || c.ProxyID != 0 || c.Proxy.Set() {
		t.Errorf("got %+v, %+v", a, c)
	}
	r, err := db.Proxies().Get(t.Context(), a.ProxyID)
	if err != nil || r.Name != "first" || r.ChangeIPURL == "" || !r.Saved || r.Profiles != 2 {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestABatchThatFailsChangesNothing(t *testing.T) {
	db := open(t, newFile(t))
	s := db.Profiles()
	create(t, s, profile.Profile{Name: "old", Proxy: exit("one")})
	var b profile.Batch
	for i := range 1000 {
		b.Profiles = append(b.Profiles, profile.Profile{Name: fmt.Sprint("p", i), Proxy: exit(fmt.Sprint("h", i)),
			Folder: "F", Status: profile.Status{Name: "s", Color: "red"}})
	}
	b.Profiles[500].FolderID = 99
	before := dump(t, db)
	if _, err := s.CreateBatch(t.Context(), b, false); err == nil {
		t.Fatal("a folder that is not there was accepted")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.CreateBatch(ended, b, false); err == nil {
		t.Fatal("a batch outlived its caller")
	}
	if after := dump(t, db); after != before {
		t.Errorf("it left\n%s", after)
	}
}

func BenchmarkABatchOf10000(b *testing.B) {
	dir, err := os.MkdirTemp(b.TempDir(), "db")
	if err != nil {
		b.Fatal(err)
	}
	db, err := Open(b.Context(), dir+"/cove.db")
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var batch profile.Batch
	for i := range 10000 {
		batch.Profiles = append(batch.Profiles, profile.Profile{Name: fmt.Sprint("p", i),
			Proxy: exit(fmt.Sprint("h", i)), Folder: "F"})
	}
	for b.Loop() {
		if _, err := db.Profiles().CreateBatch(b.Context(), batch, true); err != nil {
			b.Fatal(err)
		}
	}
}
