//go:build e2e

package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/coder/websocket"

	"cove/internal/cdp"
)

// Tab is a test's own page behind a gate, driven with bare protocol messages.
type Tab struct {
	T       *testing.T
	Conn    *cdp.Conn
	Session string
	ID      string // of the target
	events  chan cdp.Event
}

// NewTab opens a page through the gate.
func NewTab(t *testing.T, port int) *Tab {
	t.Helper()
	res, err := Get(t, fmt.Sprintf("http://127.0.0.1:%d/json/version", port))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	var v struct {
		URL string `json:"webSocketDebuggerUrl"`
	}
	if err := json.NewDecoder(res.Body).Decode(&v); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	ws, _, err := websocket.Dial(ctx, v.URL, nil)
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	ws.SetReadLimit(-1)
	b := &Tab{T: t, events: make(chan cdp.Event, 1000)}
	b.Conn = cdp.NewConn(func(raw []byte) error { return ws.Write(ctx, websocket.MessageText, raw) },
		func(e cdp.Event) {
			select {
			case b.events <- e:
			default: // nobody waits for events
			}
		})
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer b.Conn.Close()
		for {
			_, raw, err := ws.Read(ctx)
			if err != nil {
				return
			}
			b.Conn.Receive(raw)
		}
	}()
	t.Cleanup(func() { cancel(); _ = ws.CloseNow(); <-done })
	var made struct{ TargetID string }
	b.Call("Target.createTarget", map[string]any{"url": "about:blank"}, &made)
	var s struct{ SessionID string }
	b.Call("Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &s)
	b.Session, b.ID = s.SessionID, made.TargetID
	b.Call("Page.enable", nil, nil)
	return b
}

// Call sends a command that has to work and reads its result.
func (b *Tab) Call(method string, params, result any) {
	b.T.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	if err := b.Conn.Call(ctx, b.Session, method, params, result); err != nil {
		b.T.Fatalf("%s: %v", method, err)
	}
}

// Await waits for an event.
func (b *Tab) Await(method string) json.RawMessage {
	b.T.Helper()
	for deadline := time.After(Patience); ; {
		select {
		case e := <-b.events:
			if e.Method == method {
				return e.Params
			}
		case <-deadline:
			b.T.Fatalf("waited in vain for %s", method)
		}
	}
}

// Visit opens a URL and waits for its load event.
func (b *Tab) Visit(url string) {
	b.T.Helper()
	for len(b.events) > 0 {
		<-b.events
	}
	b.Call("Page.navigate", map[string]any{"url": url}, nil)
	b.Await("Page.loadEventFired")
}

// Eval evaluates an expression, awaits its promise and gives its value.
func (b *Tab) Eval(expression string, value any) {
	b.T.Helper()
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	b.Call("Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true},
		&r)
	if r.ExceptionDetails != nil {
		b.T.Fatalf("%s: %s %s", expression, r.ExceptionDetails.Text, r.ExceptionDetails.Exception.Description)
	}
	if value != nil {
		if err := json.Unmarshal(r.Result.Value, value); err != nil {
			b.T.Fatalf("%s gave %s: %v", expression, r.Result.Value, err)
		}
	}
}

// Click presses and releases the mouse in the middle of an element.
func (b *Tab) Click(selector string) {
	b.T.Helper()
	var at struct{ X, Y float64 }
	b.Eval(fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return {x: r.x + r.width / 2, y: r.y + r.height / 2}; })()`, selector), &at)
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		b.Call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": at.X, "y": at.Y, "button": "left",
			"clickCount": 1}, nil)
	}
}

// Until waits for a condition in the page.
func (b *Tab) Until(condition string) {
	b.T.Helper()
	Wait(b.T, condition, func() bool {
		var ok bool
		b.Eval("!!("+condition+")", &ok)
		return ok
	})
}
