package cdp

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestParseBrowser(t *testing.T) {
	for _, c := range []struct {
		name, raw string
		id        int32
		hasID     bool
		method    string
		session   string
		forClient string // with id 7 and without the session
	}{
		{"an answer", `{"id":12,"result":{"a":1},"sessionId":"S"}`, 12, true, "", "S", `{"id":7,"result":{"a":1}}`},
		{"an answer without a session", `{"id":12,"result":{}}`, 12, true, "", "", `{"id":7,"result":{}}`},
		{"an event", `{"method":"A.b","params":{"x":"}"},"sessionId":"S"}`, 0, false, "A.b", "S",
			`{"method":"A.b","params":{"x":"}"}}`},
		{"an event whose parameters hold a session", `{"method":"A.b","params":{"sessionId":"T"}}`, 0, false, "A.b", "",
			`{"method":"A.b","params":{"sessionId":"T"}}`},
		{"a text that looks like a tail", `{"method":"A.b","params":{"x":",\"sessionId\":\"T\"}"}}`, 0, false, "A.b",
			"",
			`{"method":"A.b","params":{"x":",\"sessionId\":\"T\"}"}}`},
		{"another order", `{"sessionId":"S","result":{"a":1},"id":12}`, 12, true, "", "S", `{"id":7,"result":{"a":1}}`},
		{"blanks", ` {"id": 12 , "result":{} , "sessionId" : "S" } `, 12, true, "", "S", `{"id":7,"result":{}}`},
		{"a last member that is another text", `{"id":12,"result":"x"}`, 12, true, "", "", `{"id":7,"result":"x"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := ParseBrowser([]byte(c.raw))
			if err != nil {
				t.Fatal(err)
			}
			if id, ok := m.ID(); ok != c.hasID || (ok && id != c.id) || m.Method() != c.method ||
				m.Session() != c.session {
				t.Fatalf("id %d %v, method %q, session %q", id, ok, m.Method(), m.Session())
			}
			if got := m.ForClient(7, false); !sameJSON(t, got, []byte(c.forClient)) {
				t.Fatalf("for the client: %s", got)
			}
		})
	}
}

func TestForClientKeepsAChildsSession(t *testing.T) {
	for _, id := range []int32{1, 12, 123456} {
		m, err := ParseBrowser([]byte(`{"id":345,"result":{},"sessionId":"CHILD"}`))
		if err != nil {
			t.Fatal(err)
		}
		want, _ := json.Marshal(map[string]any{"id": id, "result": struct{}{}, "sessionId": "CHILD"})
		if got := m.ForClient(id, true); !sameJSON(t, got, want) {
			t.Errorf("got %s", got)
		}
	}
}

func TestForBrowser(t *testing.T) {
	for raw, want := range map[string]string{
		`{"id":1,"method":"A.b"}`:                      `{"id":99,"method":"A.b","sessionId":"ROOT"}`,
		`{"method":"A.b","params":{"id":5},"id":1}`:    `{"id":99,"method":"A.b","params":{"id":5},"sessionId":"ROOT"}`,
		`{"sessionId":"CHILD","id":1,"method":"A.b" }`: `{"id":99,"method":"A.b","sessionId":"CHILD"}`,
	} {
		m, err := ParseClient([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		got := m.ForBrowser(99, "ROOT")
		if got[len(got)-1] != 0 || bytes.Count(got, []byte{0}) != 1 || !sameJSON(t, got[:len(got)-1], []byte(want)) {
			t.Errorf("%s became %q", raw, got)
		}
	}
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var x, y any
	if err := json.Unmarshal(a, &x); err != nil {
		t.Errorf("%s: %v", a, err)
		return false
	}
	if err := json.Unmarshal(b, &y); err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	p, _ := json.Marshal(x)
	q, _ := json.Marshal(y)
	return bytes.Equal(p, q)
}

// FuzzParseClient holds what passes against encoding/json: the browser must read the session that was checked.
func FuzzParseClient(f *testing.F) {
	for _, s := range []string{`{"id":1,"method":"A.b","sessionId":"S"}`,
		`{"id":1,"params":{"sessionId":"T"},"method":"x"}`, `{"a":"\\","id":2}`, `{"id":1,"sessionId":"\u0041"}`, `{}`,
		`[]`,
		`{"id":1 }`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := ParseClient(raw)
		if err != nil {
			return
		}
		var want map[string]json.RawMessage
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatalf("%q passed and is no object: %v", raw, err)
		}
		if _, ok := want["sessionId"]; ok != m.HasSession() {
			t.Fatalf("%q: session found %v", raw, m.HasSession())
		}
		var session string
		_ = json.Unmarshal(want["sessionId"], &session)
		if m.HasSession() && m.Session() != session {
			t.Fatalf("%q: session %q, want %q", raw, m.Session(), session)
		}
		id, ok := m.ID()
		if !ok {
			return
		}
		out := m.ForBrowser(77, "ROOT")
		if bytes.IndexByte(out, 0) != len(out)-1 {
			t.Fatalf("%q: a NUL inside %q", raw, out)
		}
		var sent map[string]json.RawMessage
		if err := json.Unmarshal(out[:len(out)-1], &sent); err != nil || string(sent["id"]) != "77" {
			t.Fatalf("%q (id %d) became %q: %v", raw, id, out, err)
		}
		if !m.HasSession() && string(sent["sessionId"]) != `"ROOT"` {
			t.Fatalf("%q became %q", raw, out)
		}
	})
}

// FuzzParseBrowser holds the short way against the long one.
func FuzzParseBrowser(f *testing.F) {
	for _, s := range []string{`{"id":1,"result":{},"sessionId":"S"}`,
		`{"method":"A.b","params":{"x":",\"sessionId\":\"T\"}"}}`, `{"id":1,"x":"\",\"sessionId\":\"T"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			return // the browser writes valid JSON
		}
		slow, err := Scan(raw)
		if err != nil {
			return
		}
		fast, err := ParseBrowser(raw)
		if err != nil {
			t.Fatalf("%q: %v", raw, err)
		}
		if fast.Session() != slow.Session() || (fast.id.found() && fast.id != slow.id) ||
			(fast.method.found() && fast.Method() != slow.Method()) {
			t.Fatalf("%q: session %q and %q", raw, fast.Session(), slow.Session())
		}
	})
}

func TestParseEnds(t *testing.T) {
	for raw, want := range map[string]int32{
		`{"id":5,"method":"A.b","params":{"d":"xxx` + `xxx"}}`:             5,
		`{"method":"A.b","params":{"d":"xxx` + `xxx"},"id":6}`:             6,
		`{"method":"A.b","params":{"d":"x` + `x"},"id":8,"sessionId":"S"}`: 8,
	} {
		if id, ok := ParseEnds([]byte(raw)).ID(); !ok || id != want {
			t.Errorf("%s: %d %v", raw, id, ok)
		}
	}
	if _, ok := ParseEnds([]byte("xxxx")).ID(); ok {
		t.Error("an id was found in nothing")
	}
}

func TestPipe(t *testing.T) {
	var sent [][]byte
	var stream bytes.Buffer
	for i := range 200 {
		m := []byte(`{"n":"` + strings.Repeat("x", rand.IntN(1<<uint(i%20))) + `"}`)
		sent = append(sent, m)
		stream.Write(append(append([]byte{}, m...), 0))
	}
	p := NewPipe(io.MultiReader(&oneByOne{stream.Bytes()[:1000]}, bytes.NewReader(stream.Bytes()[1000:])), io.Discard)
	for i, want := range sent {
		got, err := p.Read()
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("message %d: %d bytes, want %d, %v", i, len(got), len(want), err)
		}
	}
	if _, err := p.Read(); err == nil {
		t.Fatal("read beyond the end")
	}
	if p.Write([]byte("{}")) == nil {
		t.Fatal("wrote a message without its end")
	}
}

type oneByOne struct{ rest []byte }

func (r *oneByOne) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		return 0, io.EOF
	}
	p[0], r.rest = r.rest[0], r.rest[1:]
	return 1, nil
}

func TestFieldsReadsAsTheBrowserDoes(t *testing.T) {
	got, err := Fields([]byte(` { "url" : "a" , "n":[1,{"url":2}],"URL":"b"} `))
	if err != nil || len(got) != 3 || string(got["url"]) != `"a"` || string(got["n"]) != `[1,{"url":2}]` ||
		string(got["URL"]) != `"b"` {
		t.Fatalf("got %s, %v", got, err)
	}
	if got, err := Fields(nil); err != nil || len(got) != 0 {
		t.Fatalf("nothing: %s, %v", got, err)
	}
	for name, raw := range map[string]string{
		"a key twice":    `{"url":"a","url":"b"}`,
		"an escaped key": `{"url":"a","u\u0072l":"b"}`,
		"a list":         `["url"]`,
		"a text":         `"url"`,
		"more after it":  `{} {}`,
		"broken UTF-8":   "{\"url\":\"\xff\"}",
		"no end":         `{"url":"a"`,
	} {
		if got, err := Fields([]byte(raw)); err == nil {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestParseClientRefusesParametersTwice(t *testing.T) {
	if _, err := ParseClient([]byte(`{"id":1,"method":"A.b","params":{"a":1},"params":{"a":2}}`)); err == nil {
		t.Fatal("it passed")
	}
	m, err := ParseClient([]byte(`{"id":1,"params": {"a":1} ,"method":"A.b"}`))
	if err != nil || string(m.Params()) != `{"a":1}` {
		t.Fatalf("%s, %v", m.Params(), err)
	}
}
