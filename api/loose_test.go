package api

import (
	"encoding/json"
	"strings"
	"testing"
)

// Whatever is sent, no proxy comes of it only where no proxy was said.
func FuzzLooseProxy(f *testing.F) {
	for _, seed := range []string{`null`, `""`, `{"type":"none"}`, `{"id":7}`, `7`, `"7"`, `{}`, `[]`,
		`{"type":"http","host":"h","port":"1","user":"u"}`, `{"type":"","host":""}`, `{"Type":"NONE","id":null}`,
		`{"type":"none","type":"http"}`, `"h.example:1"`, `" "`, `{"id":7,"host":"x"}`, `0`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		var p LooseProxy
		if json.Unmarshal([]byte(raw), &p) != nil {
			return
		}
		if p.ID != 0 || p.Proxy != (Proxy{}) {
			if p.ID == 0 && (p.Type == "" || p.Host == "") {
				t.Fatalf("%q makes half a proxy: %+v", raw, p)
			}
			again, err := json.Marshal(p)
			var same LooseProxy
			if err != nil || json.Unmarshal(again, &same) != nil || same.ID != p.ID ||
				p.ID == 0 && same.Proxy != p.Proxy {
				t.Fatalf("%q is written as %s and read as %+v", raw, again, same)
			}
			return
		}
		text := strings.TrimSpace(raw)
		if text == "null" || text == `""` {
			return
		}
		var said map[string]any
		if json.Unmarshal([]byte(raw), &said) != nil {
			t.Fatalf("%q means no proxy", raw)
		}
		for name, value := range said {
			if kind, ok := value.(string); ok && strings.EqualFold(name, "type") &&
				strings.EqualFold(strings.TrimSpace(kind), "none") {
				return
			}
		}
		t.Fatalf("%q means no proxy", raw)
	})
}
