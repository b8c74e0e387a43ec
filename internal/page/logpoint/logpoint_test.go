package logpoint

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/page/target"
)

// browser answers every command, and remembers those about logpoints.
type browser struct {
	mu      sync.Mutex
	heard   []string
	compile string // the answer to Runtime.compileScript
}

func (b *browser) take() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	heard := strings.Join(b.heard, "\n")
	b.heard = nil
	return heard
}

func newLogpoints(t *testing.T) (*browser, *Logpoints) {
	t.Helper()
	b := &browser{compile: `{}`}
	var conn *cdp.Conn
	conn = cdp.NewConn(func(raw []byte) error {
		var m struct {
			ID      int             `json:"id"`
			Session string          `json:"sessionId"`
			Method  string          `json:"method"`
			Params  json.RawMessage `json:"params"`
		}
		if err := json.Unmarshal(raw, &m); err != nil {
			return err
		}
		b.mu.Lock()
		answer := `{"breakpointId":"1","locations":[{}]}`
		if m.Method == "Runtime.compileScript" {
			answer = b.compile
		} else {
			b.heard = append(b.heard, m.Session+" "+m.Method+" "+string(m.Params))
		}
		b.mu.Unlock()
		conn.Receive([]byte(fmt.Sprintf(`{"id":%d,"result":%s}`, m.ID, answer)))
		return nil
	}, func(cdp.Event) {})
	l := New(target.New(conn, "T", "S"))
	l.Attach("S")
	return b, l
}

func TestLogpointsAreSetInEverySessionAndRemovedWithTheirAgent(t *testing.T) {
	synctest.Test(t, setAndRemoved)
}

func setAndRemoved(t *testing.T) {
	t.Helper()
	b, l := newLogpoints(t)
	if heard := b.take(); heard != "" {
		t.Errorf("without logpoints: %s", heard)
	}
	point := Point{URL: "https://a.test/app.js", Line: 12, Expression: "total"}
	places, first, err := l.Set(t.Context(), "one", []Point{point})
	if err != nil || !first || len(places) != 1 || places[0] != 1 {
		t.Fatal(places, first, err)
	}
	heard := b.take()
	for _, want := range []string{"S Debugger.enable", `"skip":true`, `"lineNumber":11`, `[app.js:12]`, "total"} {
		if !strings.Contains(heard, want) {
			t.Errorf("no %s in %s", want, heard)
		}
	}

	<-l.Attach("F") // a frame
	if heard = b.take(); !strings.Contains(heard, "F Debugger.setBreakpointByUrl") {
		t.Errorf("a frame that came later: %s", heard)
	}
	other := point
	other.Expression = "items"
	if _, first, err = l.Set(t.Context(), "two", []Point{other}); err != nil || !first {
		t.Fatal(first, err)
	}
	if heard = b.take(); strings.Count(heard, "setBreakpointByUrl") != 2 || !strings.Contains(heard, "items") {
		t.Errorf("two agents at one place: %s", heard)
	}
	l.Detach("F")
	l.ClearOthers("two")
	synctest.Wait()
	if heard = b.take(); strings.Contains(heard, "F ") || strings.Contains(heard, "total") ||
		!strings.Contains(heard, "items") {
		t.Errorf("the tab is the second agent's: %s", heard)
	}
	l.Clear("two")
	l.Clear("two")
	synctest.Wait()
	if heard = b.take(); !strings.HasPrefix(heard, `S Debugger.removeBreakpoint {"breakpointId":"1"}`+"\nS Debugger.disable") ||
		strings.Count(heard, "\n") != 1 {
		t.Errorf("both have left: %q", heard)
	}
}

func TestLogpointsAreBounded(t *testing.T) {
	b, l := newLogpoints(t)
	var many []Point
	for i := range Most {
		many = append(many, Point{URL: "a.js", Line: i + 1, Expression: "1"})
	}
	if _, _, err := l.Set(t.Context(), "one", many); err != nil {
		t.Fatal(err)
	}
	b.take()
	_, _, err := l.Set(t.Context(), "two", many[:1])
	if fault.KindOf(err) != fault.Invalid || b.take() != "" {
		t.Errorf("one too many: %v", err)
	}
	if _, first, err := l.Set(t.Context(), "one", many[:1]); err != nil || first {
		t.Errorf("fewer than before: %v", err)
	}
}

func TestAnExpressionThatIsNoneIsRefused(t *testing.T) {
	b, l := newLogpoints(t)
	b.compile = `{"exceptionDetails":{"text":"Uncaught","exception":{"description":"SyntaxError: Unexpected token"}}}`
	_, _, err := l.Set(t.Context(), "one", []Point{{URL: "a.js", Line: 1, Expression: "1 +"}})
	if err == nil || !strings.Contains(err.Error(), "SyntaxError") || b.take() != "" {
		t.Errorf("refused with %v", err)
	}
}
