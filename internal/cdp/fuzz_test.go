package cdp

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"unicode/utf8"
)

// What Fields reads of valid JSON is what every other parser reads; what it refuses of it, it refuses because parsers
// could differ.
func FuzzFields(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":1}`, ` { "a" : [1,{"b":"}"}] , "c":"\\\"" } `, `{"a":1,"a":2}`,
		`{"\u0061":1}`,
		`{"a":1,"A":2}`, `[]`, `null`, `{"a":}`, `{"a":1,}`, `{"a":"\ud800"}`, "{\"a\":\"\xff\"}", `{"a":1}x`,
		`{"a":tru}`, `{"":{}}`, "{\"a\":1\x00}", `{"a":1/*x*/}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := Fields(raw)
		if len(raw) == 0 || !json.Valid(raw) {
			return // the browser refuses it
		}
		if err != nil {
			if known := []error{errTwice, errEscape, errDeep, errNotObject}; !slices.Contains(known, err) &&
				utf8.Valid(raw) {
				t.Fatalf("%q: %v", raw, err)
			}
			return
		}
		var want map[string]json.RawMessage
		if err := json.Unmarshal(raw, &want); err != nil || len(want) != len(got) {
			t.Fatalf("%q: %d members, not %d: %v", raw, len(got), len(want), err)
		}
		for key, value := range want {
			if !bytes.Equal(got[key], value) {
				t.Fatalf("%q: %q is %q, not %q", raw, key, got[key], value)
			}
		}
	})
}

// A message that passes is read by us as by everybody, and is the client's own when it is made one for the browser.
func FuzzClientMessage(f *testing.F) {
	for _, s := range []string{`{"id":1,"method":"A.b","params":{"x":1},"sessionId":"S"}`,
		`{"method":"A.b","id":2147483647}`, `{"id":-1,"method":"A.b"}`, `{"id":1.5,"method":"A.b"}`,
		`{"id":1,"method":5}`,
		`{"id":1,"method":"A.b","params":null}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := ParseClient(bytes.Clone(raw))
		if err != nil {
			return
		}
		if !json.Valid(raw) || !utf8.Valid(raw) {
			t.Fatalf("%q was taken", raw)
		}
		var want struct {
			ID      int64           `json:"id"`
			Method  string          `json:"method"`
			Session string          `json:"sessionId"`
			Params  json.RawMessage `json:"params"`
		}
		d := json.NewDecoder(bytes.NewReader(raw))
		var wrong *json.UnmarshalTypeError
		if err := d.Decode(&want); errors.As(err, &wrong) {
			return
		}
		if id, ok := m.ID(); ok && int64(id) != want.ID {
			t.Fatalf("%q: id %d", raw, id)
		}
		if m.Method() != want.Method {
			var all map[string]json.RawMessage // Go takes keys in any case
			_ = json.Unmarshal(raw, &all)
			var exact string
			_ = json.Unmarshal(all["method"], &exact)
			if m.Method() != exact {
				t.Fatalf("%q: method %q", raw, m.Method())
			}
		}
	})
}
