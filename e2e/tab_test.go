//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/coder/websocket"

	"cove/internal/cdp"
)

// tab is a test's own page behind a gate, driven with bare protocol messages.
type tab struct {
	t       *testing.T
	conn    *cdp.Conn
	session string
	id      string // of the target
	events  chan cdp.Event
}

// newTab opens a page through the gate.
func newTab(t *testing.T, port int) *tab {
	t.Helper()
	res, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/json/version", port))
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
	b := &tab{t: t, events: make(chan cdp.Event, 1000)}
	b.conn = cdp.NewConn(func(raw []byte) error { return ws.Write(ctx, websocket.MessageText, raw) }, func(e cdp.Event) {
		select {
		case b.events <- e:
		default: // nobody waits for events
		}
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer b.conn.Close()
		for {
			_, raw, err := ws.Read(ctx)
			if err != nil {
				return
			}
			b.conn.Receive(raw)
		}
	}()
	t.Cleanup(func() { cancel(); _ = ws.CloseNow(); <-done })
	var made struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &made)
	var s struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &s)
	b.session, b.id = s.SessionID, made.TargetID
	b.call("Page.enable", nil, nil)
	return b
}

func (b *tab) call(method string, params, result any) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := b.conn.Call(ctx, b.session, method, params, result); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
}

// await waits for an event.
func (b *tab) await(method string) json.RawMessage {
	b.t.Helper()
	for deadline := time.After(patience); ; {
		select {
		case e := <-b.events:
			if e.Method == method {
				return e.Params
			}
		case <-deadline:
			b.t.Fatalf("waited in vain for %s", method)
		}
	}
}

// visit opens a URL and waits for its load event.
func (b *tab) visit(url string) {
	b.t.Helper()
	for len(b.events) > 0 {
		<-b.events
	}
	b.call("Page.navigate", map[string]any{"url": url}, nil)
	b.await("Page.loadEventFired")
}

// eval evaluates an expression, awaits its promise and gives its value.
func (b *tab) eval(expression string, value any) {
	b.t.Helper()
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}, &r)
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s %s", expression, r.ExceptionDetails.Text, r.ExceptionDetails.Exception.Description)
	}
	if value != nil {
		if err := json.Unmarshal(r.Result.Value, value); err != nil {
			b.t.Fatalf("%s gave %s: %v", expression, r.Result.Value, err)
		}
	}
}

// click presses and releases the mouse in the middle of an element.
func (b *tab) click(selector string) {
	b.t.Helper()
	var at struct{ X, Y float64 }
	b.eval(fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return {x: r.x + r.width / 2, y: r.y + r.height / 2}; })()`, selector), &at)
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		b.call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": at.X, "y": at.Y, "button": "left", "clickCount": 1}, nil)
	}
}

// until waits for a condition in the page.
func (b *tab) until(condition string) {
	b.t.Helper()
	wait(b.t, condition, func() bool {
		var ok bool
		b.eval("!!("+condition+")", &ok)
		return ok
	})
}
