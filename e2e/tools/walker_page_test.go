//go:build e2e

package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"cove/internal/cdp"
	"cove/internal/page/dom"
	"cove/internal/snapshot/document"

	"cove/e2e/harness"
)

// walked is a tab of a real browser in whose isolated world the walker lives.
type walked struct {
	t       *testing.T
	conn    *cdp.Conn
	session string
	site    *httptest.Server
	html    map[string]string
	world   int
}

// newWalked opens a profile and a tab in it; pages come from testdata/accname or from what show is given.
func newWalked(t *testing.T) *walked {
	t.Helper()
	return walkedOn(t, harness.Start(t).Open(1))
}

// walkedOn is a tab of a browser that is open already.
func walkedOn(t *testing.T, port int) *walked {
	t.Helper()
	w := &walked{t: t, html: map[string]string{}}
	routes := http.NewServeMux()
	routes.Handle("/accname/", http.StripPrefix("/accname/", http.FileServer(http.Dir("testdata/accname"))))
	routes.HandleFunc("/show/{name}", func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprint(rw, w.html[r.PathValue("name")])
	})
	w.site = httptest.NewServer(routes)
	t.Cleanup(w.site.Close)

	res, err := harness.Get(t, fmt.Sprintf("http://127.0.0.1:%d/json/version", port))
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
	ws, _, err := websocket.Dial(t.Context(), v.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	ws.SetReadLimit(-1)
	t.Cleanup(func() { _ = ws.CloseNow() })
	w.conn = cdp.NewConn(func(raw []byte) error { return ws.Write(context.Background(), websocket.MessageText, raw) }, nil)
	go func() {
		for {
			_, raw, err := ws.Read(context.Background())
			if err != nil {
				w.conn.Close()
				return
			}
			w.conn.Receive(raw)
		}
	}()
	var made struct{ TargetID string }
	w.browser("Target.createTarget", map[string]any{"url": "about:blank"}, &made)
	var s struct{ SessionID string }
	w.browser("Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &s)
	w.session = s.SessionID
	return w
}

func (w *walked) browser(method string, params, result any) {
	w.t.Helper()
	w.command("", method, params, result)
}

func (w *walked) call(method string, params, result any) {
	w.t.Helper()
	w.command(w.session, method, params, result)
}

func (w *walked) command(session, method string, params, result any) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), harness.Patience)
	defer cancel()
	if err := w.conn.Call(ctx, session, method, params, result); err != nil {
		w.t.Fatalf("%s: %v", method, err)
	}
}

// show loads a page made of html and puts the walker into it.
func (w *walked) show(html string) {
	w.t.Helper()
	name := fmt.Sprint(len(w.html))
	w.html[name] = "<!doctype html><html lang=en>" + html
	w.load("/show/" + name)
}

func (w *walked) load(path string) {
	w.t.Helper()
	var at struct{ FrameID string }
	w.call("Page.navigate", map[string]any{"url": w.site.URL + path}, &at)
	harness.Wait(w.t, "the page to load", func() bool {
		var done bool
		w.evaluate(0, "document.readyState === 'complete' && location.pathname === "+quoted(path), &done)
		return done
	})
	var made struct{ ExecutionContextID int }
	w.call("Page.createIsolatedWorld", map[string]any{"frameId": at.FrameID, "worldName": "cove"}, &made)
	w.world = made.ExecutionContextID
	w.in(dom.Walker(), nil)
}

// in evaluates in the walker's world, page in the page's own.
func (w *walked) in(expression string, out any) { w.t.Helper(); w.evaluate(w.world, expression, out) }

func (w *walked) page(expression string, out any) { w.t.Helper(); w.evaluate(0, expression, out) }

func (w *walked) evaluate(world int, expression string, out any) {
	w.t.Helper()
	params := map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}
	if world != 0 {
		params["contextId"] = world
	}
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	w.call("Runtime.evaluate", params, &r)
	if r.ExceptionDetails != nil {
		w.t.Fatalf("%.80s: %s %s", expression, r.ExceptionDetails.Text, r.ExceptionDetails.Exception.Description)
	}
	if out == nil || len(r.Result.Value) == 0 {
		return
	}
	if err := json.Unmarshal(r.Result.Value, out); err != nil {
		w.t.Fatalf("%.80s: %v in %s", expression, err, r.Result.Value)
	}
}

// told is one node of a walk.
type told struct {
	ID                      int
	Role, Name, Description string
	Value, Text, URL        string
	Acts, Frame             bool
	States                  map[string]string
	Children                []*told
}

// walk is an answer of the walker.
type walk struct {
	Version    int
	Shape      int
	Title, URL string
	Node       *told
	Closed     []int
	Missing    int
}

func (w *walked) walk(options string) walk {
	w.t.Helper()
	var text string
	w.in("cove.walk("+options+")", &text)
	if failed := strings.Split(text, "|")[6]; failed != "" {
		w.t.Errorf("the walk failed: %s", failed)
	}
	if strings.HasSuffix(text, "|") && !strings.Contains(text, "(") {
		return walk{} // no such root
	}
	d, err := document.Parse(text)
	if err != nil {
		w.t.Fatalf("%v in %.200s", err, text)
	}
	return walk{Version: int(d.Version), Shape: int(d.Shape), Title: d.Title, URL: d.URL, Node: toldOf(d.Root), Closed: d.IDs, Missing: d.Unreported}
}

func toldOf(n *document.Node) *told {
	t := &told{ID: n.ID, Role: n.Role, Name: n.Name, Description: n.Desc, Value: n.Value, Text: n.Text, URL: n.URL, Acts: n.Act, Frame: n.Frame, States: map[string]string{}}
	for _, s := range n.States {
		t.States[s.Key] = s.Value
	}
	for _, kid := range n.Kids {
		t.Children = append(t.Children, toldOf(kid))
	}
	return t
}

func (w *walked) version() (v int) { w.t.Helper(); w.in("cove.version()", &v); return v }

// settle gives events that the page sends itself time to come.
func (w *walked) settle() {
	w.t.Helper()
	w.page("new Promise(done => setTimeout(done, 70))", nil)
}

func quoted(s string) string {
	raw, _ := json.Marshal(s)
	return string(raw)
}
