package clients

import "testing"

// fuzz gives any bytes to an editor: it may refuse them, but what it adds it takes out again without a trace.
func fuzz(f *testing.F, format Format, keys []string, seeds ...string) {
	c := Client{Name: "x", Title: "X", Format: format, Key: keys, Shape: typed}
	for _, s := range situations {
		if s.text != nil {
			f.Add([]byte(s.text(c)))
		}
	}
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := open(format, raw)
		if err != nil {
			return
		}
		r, s := &Registry{}, spot{client: c, scope: User, file: "f", keys: keys}
		added, err := r.planAdd(s, d, &ledger{}, sample(1))
		if err != nil || added.action != Added {
			return
		}
		again, err := open(format, added.out)
		if err != nil {
			t.Fatalf("%q became %q: %v", raw, added.out, err)
		}
		removed, err := r.planRemove(s, again, added.ledger, sample(1))
		if err != nil {
			t.Fatalf("%q became %q: %v", raw, added.out, err)
		}
		if string(removed.out) != string(raw) {
			t.Fatalf("%q became %q, then %q", raw, added.out, removed.out)
		}
	})
}

func FuzzJSON(f *testing.F) { fuzz(f, Loose, []string{"a", "b"}, `{"a":{"b":{}}}`, `{"a":{},}`) }

func FuzzTOML(f *testing.F) {
	fuzz(f, TOML, []string{"mcp_servers"}, "[mcp_servers]\na = {b = 1}", "mcp_servers.a.b = 1\r\n")
}

func FuzzYAML(f *testing.F) {
	fuzz(f, YAML, []string{"extensions"}, "extensions:\n", "extensions: {a: b}", "a: |+\n  x\n\n", "[]0", "{}0", "--- 1\n--- 2", "- a\n---\n")
}
