package journal

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"cove/internal/paths"
	"cove/internal/policy"
)

// A row that was written is read as it was and is genuine. With any byte changed, it is not.
func FuzzLine(f *testing.F) {
	f.Add("click", []byte(`{"uid":"1"}`), "https://example.com/", int64(1), 3, byte(1))
	f.Add("", []byte(`not json`), "\xff\u2028\"", int64(-5), 200, byte(0x20))
	f.Add("x", []byte(`{"a":`+"\"\xff\"}"), "", int64(1<<62), -1, byte(0))
	key := make(Key, 32)
	for i := range key {
		key[i] = byte(i)
	}
	f.Fuzz(func(t *testing.T, name string, args []byte, page string, seq int64, at int, change byte) {
		l := newRow(Entry{Time: time.Unix(1e9, 0), Agent: policy.Agent{Name: name}, Name: name,
			Args: json.RawMessage(args), Page: page, Error: page})
		l.Seq = seq
		text, hash, err := key.encodeRow(l)
		if err != nil {
			t.Fatalf("%q %q: %v", name, args, err)
		}
		line := bytes.TrimSuffix(text, []byte("\n"))
		if bytes.ContainsAny(line, "\n\r") {
			t.Fatalf("%q is more than one line", line)
		}
		w, ok := parseRow(line)
		if !ok || !key.genuine(w) || w.hash != hash || w.Seq != seq {
			t.Fatalf("%q is not what was written: %v", line, ok)
		}
		if change == 0 {
			return
		}
		other := bytes.Clone(line)
		other[(at%len(other)+len(other))%len(other)] ^= change
		if w, ok := parseRow(other); ok && key.genuine(w) {
			t.Fatalf("%q passes for %q", other, line)
		}
	})
}

// Any bytes in a journal's file cause no panic and do not verify as an intact journal.
func FuzzVerify(f *testing.F) {
	for _, s := range []string{"", "\n", "{}\n", "x", `{"seq":1,"prev":""` + hashMark, "\xff\xfe\n\n\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		dir := paths.Home(t.TempDir()).Profile(1)
		if err := os.MkdirAll(dir.Journal(), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir.Journal(), fileName(1)), raw, 0o600); err != nil {
			t.Fatal(err)
		}
		p := Location{Dir: dir}
		r, err := Verify(p)
		if err != nil || len(r.Problems) == 0 {
			t.Fatalf("%q: %v, %v", raw, r, err)
		}
		if _, err := Read(p, Query{Limit: 10, Newest: true}); err != nil {
			t.Fatalf("%q: %v", raw, err)
		}
	})
}
