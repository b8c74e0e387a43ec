package edit_test

import (
	"strings"
	"testing"

	"cove/internal/clients/edit"
	"cove/internal/clients/edit/edittest"
)

// fuzz gives any bytes to an editor. The editor may refuse them, but it must remove without a trace what it adds.
func fuzz(f *testing.F, format edit.Format, keys []string, seeds ...string) {
	for _, d := range edittest.Documents() {
		if d.Text != nil {
			f.Add([]byte(d.Text(format, strings.Join(keys, "."))))
		}
	}
	for _, s := range seeds {
		f.Add([]byte(s))
	}

	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := edit.Open(format, raw)
		if err != nil {
			return
		}
		s := newScratch(t, format, keys, string(raw))
		entries, err := d.Entries(keys)
		if err != nil || entries.Get(s.path(1).Name) != nil || s.add(d, 1) != nil {
			return
		}
		added := s.text
		s.Remove("the fuzzer", 1)
		if s.text != string(raw) {
			t.Fatalf("%q became %q, then %q", raw, added, s.text)
		}
	})
}

func FuzzJSON(f *testing.F) {
	fuzz(f, edit.Loose, []string{"a", "b"}, `{"a":{"b":{}}}`, `{"a":{},}`)
}

func FuzzTOML(f *testing.F) {
	fuzz(f, edit.TOML, []string{"mcp_servers"}, "[mcp_servers]\na = {b = 1}", "mcp_servers.a.b = 1\r\n")
}

func FuzzYAML(f *testing.F) {
	fuzz(f, edit.YAML, []string{"extensions"}, "extensions:\n", "extensions: {a: b}", "a: |+\n  x\n\n", "[]0", "{}0",
		"--- 1\n--- 2", "- a\n---\n")
}
