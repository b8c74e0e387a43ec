//go:build e2e

package policy

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"cove/internal/cdp"

	"cove/e2e/harness"
)

// secretPage has every secret that a policy promises to hide: a cookie, a header, password fields with what the server
// wrote into them, what a script put there and what is sent.
const secretPage = `<!doctype html><title>vault</title><h1>Vault</h1>
<form action="/sent" method="post" target="sink"><input id="user" name="user" value="ada"><input id="written" name="p" type="password" value="SECRET-written">
<input id="live" name="q" type="password"><button id="go">send</button></form><iframe name="sink"></iframe>
<script>const secret = (n) => 'SEC' + 'RET-' + n; // what the page's own text says is not hidden
document.getElementById('live').value = secret('live');
const go = () => fetch('/api', {headers: {Authorization: 'Bearer ' + secret('header')}, method: 'POST', body: 'x=' + secret('body')});
go(); addEventListener('click', go)</script>`

// vault is a site with secrets.
func vault(t *testing.T) *httptest.Server {
	t.Helper()
	routes := http.NewServeMux()
	routes.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: "SECRET-cookie", HttpOnly: true, Path: "/"})
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, secretPage)
	})
	routes.HandleFunc("/file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=report.txt")
		_, _ = io.WriteString(w, "report")
	})
	routes.HandleFunc("/plain", func(w http.ResponseWriter, _ *http.Request) {
		_,
			_ = io.WriteString(w, "<title>plain</title>plain")
	})
	routes.HandleFunc("/api", func(w http.ResponseWriter, _ *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "more", Value: "SECRET-more"})
		_, _ = io.WriteString(w, "ok")
	})
	s := httptest.NewServer(routes)
	t.Cleanup(s.Close)
	return s
}

// wire is a raw client that keeps every byte that came.
type wire struct {
	*cdp.Conn
	t  *testing.T
	ws *websocket.Conn

	mu     sync.Mutex
	heard  strings.Builder
	ended  chan struct{}
	reason error
}

func dialWire(t *testing.T, address string, header ...string) (*wire, *http.Response) {
	t.Helper()
	h := http.Header{}
	for i := 0; i+1 < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	ws, res, err := websocket.Dial(t.Context(), address, &websocket.DialOptions{HTTPHeader: h})
	if err != nil {
		return nil, res
	}
	ws.SetReadLimit(-1)
	w := &wire{t: t, ws: ws, ended: make(chan struct{})}
	w.Conn = cdp.NewConn(func(raw []byte) error { return ws.Write(context.Background(), websocket.MessageText, raw) },
		nil)
	go func() {
		defer close(w.ended)
		for {
			_, raw, err := ws.Read(context.Background())
			if err != nil {
				w.reason = err
				w.Close()
				return
			}
			w.mu.Lock()
			w.heard.Write(raw)
			w.mu.Unlock()
			w.Receive(raw)
		}
	}()
	t.Cleanup(func() { _ = ws.CloseNow() })
	return w, res
}

// do sends a command and returns its error as text, "" when it worked.
func (w *wire) do(session, method string, params, result any) string {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), harness.Patience)
	defer cancel()
	if err := w.Call(ctx, session, method, params, result); err != nil {
		return err.Error()
	}
	return ""
}

// must sends a command that has to work.
func (w *wire) must(session, method string, params, result any) {
	w.t.Helper()
	if err := w.do(session, method, params, result); err != "" {
		w.t.Fatal(err)
	}
}

// refused sends a command that the policy has to refuse, for that reason.
func (w *wire) refused(session, method string, params any, why string) {
	w.t.Helper()
	if err := w.do(session, method, params, nil); !strings.Contains(err, why) || !strings.Contains(err, "-32000") {
		w.t.Errorf("%s %v: %q, want %q", method, params, err, why)
	}
}

// tab opens a page and attaches to it.
func (w *wire) tab(address string) (id, session string) {
	w.t.Helper()
	var made struct{ TargetID string }
	w.must("", "Target.createTarget", map[string]any{"url": address}, &made)
	var attached struct{ SessionID string }
	w.must("", "Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &attached)
	return made.TargetID, attached.SessionID
}

func (w *wire) transcript() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.heard.String()
}

type m = map[string]any

func TestRawProgramsUnderGuarded(t *testing.T) {
	a, web, bad := harness.Start(t), vault(t), harness.NewSite(t)
	a.Must("policy", "set", "1", "--preset", "guarded", "--block", bad.URL)
	port := a.Open(1)
	base := fmt.Sprintf("http://127.0.0.1:%d", port)

	t.Run("the port needs a credential", func(t *testing.T) {
		for path, want := range map[string]int{"/json/version": 401, "/json/list": 401, "/json/new?about:blank": 401} {
			if status, body := harness.Fetch(t, http.MethodPut, base+path, ""); status != want {
				t.Errorf("%s: %d %s", path, status, body)
			}
		}
		if status, body := harness.Fetch(t, http.MethodGet, base+"/json/version", a.Token()); status != 200 ||
			!strings.Contains(body, "/devtools/browser/") {
			t.Errorf("with the owner's token: %d %s", status, body)
		}
		created := a.Own(http.MethodPost, "/v1.0/tokens", `{"name":"raw"}`)
		token, _ := created.Body["token"].(string)
		if data, ok := created.Body["data"].(map[string]any); ok && token == "" {
			token, _ = data["token"].(string)
		}
		if status, body := harness.Fetch(t, http.MethodGet, base+"/json/version", token); status != 200 {
			t.Errorf("with an API token %q (%s): %d %s", token, created.Raw, status, body)
		}
		if status, _ := harness.Fetch(t, http.MethodPut, base+"/json/new?file:///etc/passwd",
			a.Token()); status != 403 {
			t.Errorf("a file over HTTP: %d", status)
		}
	})

	w, _ := dialWire(t, a.Socket(1))
	_, page := w.tab(web.URL)
	for _, domain := range []string{"Page", "Network", "Runtime", "DOM", "Log", "Audits", "Accessibility",
		"DOMSnapshot"} {
		w.must(page, domain+".enable", nil, nil)
	}
	w.must("", "Target.setDiscoverTargets", m{"discover": true}, nil)

	t.Run("a download", func(t *testing.T) {
		_, other := w.tab("about:blank")
		w.must(other, "Page.enable", nil, nil)
		_ = w.do(other, "Page.navigate", m{"url": web.URL + "/file"}, nil)
		harness.Wait(t, "the browser to refuse it",
			func() bool { return strings.Contains(w.transcript(), `"state":"canceled"`) })
	})

	t.Run("what it may not do", func(t *testing.T) {
		for _, c := range []struct {
			session, method string
			params          any
			why             string
		}{
			{page, "Page.navigate", m{"url": "file:///etc/passwd"}, "was not opened"},
			{page, "Page.navigate", m{"url": "chrome://version"}, "was not opened"},
			{page, "Page.navigate", m{"url": "About:Version"}, "was not opened"},
			{page, "Page.navigate", m{"url": "devtools://devtools/bundled/inspector.html"}, "was not opened"},
			{page, "Page.navigate", m{"url": "view-source:" + web.URL}, "was not opened"},
			{page, "Page.navigate", m{"url": bad.URL + "/form"}, "blocks"},
			{page, "Page.navigate", m{"url": "data:text/html,<script>1</script>"}, "run scripts"},
			{"", "Target.createTarget", m{"url": "file:///etc/passwd"}, "was not opened"},
			{"", "Target.createBrowserContext", m{"proxyServer": "direct://"}, "proxyServer"},
			{"", "Target.createBrowserContext", m{"proxyBypassList": "*"}, "proxyBypassList"},
			{"", "Target.exposeDevToolsProtocol", m{"targetId": "x"}, "protocol"},
			{"", "Target.attachToBrowserTarget", nil, "is not open to programs"},
			{"", "Target.attachToTarget", m{"targetId": "x", "flatten": false}, "flatten"},
			{"", "Target.setAutoAttach", m{"autoAttach": true, "waitForDebuggerOnStart": false}, "flatten"},
			{"", "Target.sendMessageToTarget",
				m{"sessionId": page, "message": `{"id":1,"method":"Runtime.evaluate","params":{"expression":"1"}}`},
				"is not open to programs"},
			{page, "Runtime.evaluate", m{"expression": "document.cookie"}, "run scripts"},
			{page, "Fetch.enable", nil, "run scripts"},
			{page, "DOMStorage.enable", nil, "stored data"},
			{page, "Debugger.enable", nil, "run scripts"},
			{page, "HeapProfiler.takeHeapSnapshot", nil, "run scripts"},
			{page, "Page.captureSnapshot", nil, "run scripts"},
			{page, "Page.setDocumentContent", m{"frameId": "x", "html": "y"}, "run scripts"},
			{"", "Browser.getBrowserCommandLine", nil, "is not open to programs"},
			{"", "Browser.grantPermissions", m{"permissions": []string{}}, "is not open to programs"},
			{"", "Storage.setCookies", m{"cookies": []any{}}, "stored data"},
			{"", "SystemInfo.getInfo", nil, "is not open to programs"},
			{"", "Extensions.loadUnpacked", m{"path": "/tmp"}, "extensions"},
			{"", "Made.up", nil, "Made.up is not open to programs"},
		} {
			w.refused(c.session, c.method, c.params, c.why)
		}
	})
	t.Run("what it may do", func(t *testing.T) {
		var shot struct{ Data string }
		w.must(page, "Page.captureScreenshot", nil, &shot)
		if len(shot.Data) < 1000 {
			t.Error("no picture")
		}
		var tree json.RawMessage
		w.must(page, "Accessibility.getFullAXTree", nil, &tree)
		if !strings.Contains(string(tree), "Vault") {
			t.Errorf("the tree has no heading: %.500s", tree)
		}
		var doc struct{ Root json.RawMessage }
		w.must(page, "DOM.getDocument", m{"depth": -1, "pierce": true}, &doc)
		if !strings.Contains(string(doc.Root), "ada") || !strings.Contains(string(doc.Root), "hidden by Cove") {
			t.Errorf("the document: %.2000s", doc.Root)
		}
		w.must("", "Target.createBrowserContext", m{"disposeOnDetach": true}, nil)
	})
	t.Run("sessions of others, and those that it has given up", func(t *testing.T) {
		other, _ := dialWire(t, a.Socket(1))
		id, theirs := other.tab("about:blank")
		if err := w.do(theirs, "Page.captureScreenshot", nil, nil); !strings.Contains(err,
			"Session with given id not found") {
			t.Errorf("another's session: %q", err)
		}
		if err := w.do("", "Target.detachFromTarget", m{"sessionId": theirs}, nil); err == "" {
			t.Error("it detached another's session")
		}
		other.must("", "Target.detachFromTarget", m{"sessionId": theirs}, nil)
		if err := other.do(theirs, "Page.captureScreenshot", nil, nil); !strings.Contains(err,
			"Session with given id not found") {
			t.Errorf("a session that is gone: %q", err)
		}
		other.must("", "Target.closeTarget", m{"targetId": id}, nil)
	})
	t.Run("frames that two parsers could read in two ways", func(t *testing.T) {
		for _, raw := range []string{
			`{"id":900,"method":"Page.enable","method":"Runtime.evaluate","sessionId":"` + page +
				`","params":{"expression":"1"}}`,
			`{"id":900,"method":"Page.navigate","sessionId":"` + page +
				`","params":{"url":"about:blank"},"params":{"url":"file:///etc/passwd"}}`,
			`{"id":900,"method":"Page.navigate","sessionId":"` + page +
				`","params":{"url":"about:blank","url":"file:///etc/passwd"}}`,
			`{"id":900,"method":"Page.navigate","sessionId":"` + page +
				`","params":{"url":"about:blank","\u0075rl":"file:///etc/passwd"}}`,
			`{"id":900,"method":"Runtime.ev\u0061luate","sessionId":"` + page + `","params":{"expression":"1"}}`,
			`{"id":900,"method":"runtime.evaluate","sessionId":"` + page + `","params":{"expression":"1"}}`,
			`{"id":900,"method":"Runtime.evaluate ","sessionId":"` + page + `","params":{"expression":"1"}}`,
			`{"id":900,"method":"Runtime.evaluate","sessionId":"x","sessionId":"` + page +
				`","params":{"expression":"1"}}`,
		} {
			before := strings.Count(w.transcript(), `"error":`)
			if err := w.ws.Write(t.Context(), websocket.MessageText, []byte(raw)); err != nil {
				t.Fatal(err)
			}
			harness.Wait(t, "an answer", func() bool { return strings.Count(w.transcript(), `"error":`) > before })
		}
		if strings.Contains(w.transcript(), `"id":900,"result"`) {
			t.Error("one of them was done")
		}
	})
	t.Run("no secret leaves in anything that it may read", func(t *testing.T) {
		for method, params := range map[string]any{
			"Network.getCookies": nil, "Network.getAllCookies": nil, "Storage.getCookies": nil,
			"DOMSnapshot.captureSnapshot": m{"computedStyles": []string{}, "includeDOMRects": true,
				"includePaintOrder": true},
			"Accessibility.getFullAXTree": nil, "DOM.getDocument": m{"depth": -1, "pierce": true},
		} {
			var answer json.RawMessage
			if err := w.do(page, method, params, &answer); err != "" {
				t.Errorf("%s: %s", method, err)
			}
			if strings.Contains(method, "ookies") && !strings.Contains(string(answer), `"sid"`) {
				t.Errorf("%s tells no cookie: %s", method, answer)
			}
		}
		// Each node by its number: the inside of a password field is one of them.
		for n := range 120 {
			_ = w.do(page, "DOM.describeNode", m{"backendNodeId": n, "depth": -1, "pierce": true}, nil)
			_ = w.do(page, "Accessibility.getPartialAXTree", m{"backendNodeId": n, "fetchRelatives": true}, nil)
			_ = w.do(page, "DOM.pushNodesByBackendIdsToFrontend", m{"backendNodeIds": []int{n}}, nil)
			_ = w.do(page, "DOM.getAttributes", m{"nodeId": n}, nil)
		}
		// A click sends the request again: its headers come as events. The page has filled password fields, so a person
		// is asked.
		ctx, cancel := context.WithTimeout(t.Context(), harness.Patience)
		defer cancel()
		click := m{"type": "mousePressed", "x": 5, "y": 5, "button": "left", "clickCount": 1}
		pressed := w.Start(page, "Input.dispatchMouseEvent", click)
		a.AnswerRequest(t, "press a button", true)
		if err := pressed.Wait(ctx, nil); err != nil {
			t.Error(err)
		}
		click["type"] = "mouseReleased"
		w.must(page, "Input.dispatchMouseEvent", click, nil)
		enter := w.Start(page, "Input.dispatchKeyEvent", m{"type": "keyDown", "key": "Enter", "text": "\r"})
		a.AnswerRequest(t, "press a button", false)
		if err := enter.Wait(ctx, nil); err == nil || !strings.Contains(err.Error(), "denied this") {
			t.Errorf("a refused key: %v", err)
		}
		w.must(page, "Input.insertText", m{"text": "typed"}, nil)
		w.must(page, "Page.reload", nil, nil)
		harness.Wait(t, "the events of the reload",
			func() bool { return strings.Count(w.transcript(), "requestWillBeSentExtraInfo") > 2 })
		harness.Never(t, 300*time.Millisecond, func() string { // more of them come
			heard := w.transcript()
			for _, secret := range []string{"SECRET-cookie", "SECRET-header", "SECRET-more", "SECRET-live",
				"SECRET-written", "SECRET-body"} {
				if i := strings.Index(heard, secret); i >= 0 {
					return fmt.Sprintf("%s came: …%s…", secret, heard[max(0, i-600):min(len(heard), i+100)])
				}
			}
			return ""
		})
	})
	t.Run("a page that a person has opened on a closed address stays closed", func(t *testing.T) {
		// Opened by the browser itself, before the policy was there.
		a.Must("policy", "set", "1", "--preset", "open", "--clear", "block")
		free, _ := dialWire(t, a.Socket(1))
		id, _ := free.tab("chrome://version")
		a.Must("policy", "set", "1", "--preset", "guarded")
		again, _ := dialWire(t, a.Socket(1))
		var attached struct{ SessionID string }
		again.must("", "Target.attachToTarget", m{"targetId": id, "flatten": true}, &attached)
		again.refused(attached.SessionID, "Page.captureScreenshot", nil, "is closed to agents")
		again.refused(attached.SessionID, "DOM.getDocument", nil, "is closed to agents")
		again.refused(attached.SessionID, "Accessibility.getFullAXTree", nil, "is closed to agents")
		again.must(attached.SessionID, "Page.navigate", m{"url": web.URL}, nil)
		harness.Wait(t, "the page to open again",
			func() bool { return again.do(attached.SessionID, "Page.captureScreenshot", nil, nil) == "" })
	})
}

func TestRawProgramsAndThePerson(t *testing.T) {
	a, web, whole := harness.Start(t), harness.NewSite(t), t
	port := a.Open(1)
	w, _ := dialWire(t, a.Socket(1))
	_, page := w.tab(web.URL + "/form")

	t.Run("the access state knows which process it is", func(t *testing.T) {
		harness.Wait(t, "the access state to know", func() bool {
			state := a.Own(http.MethodGet, "/v1.0/browser_profiles/1/access", "")
			return strings.Contains(state.Raw, `"pid":`+strconv.Itoa(os.Getpid())) &&
				strings.Contains(state.Raw, filepath.Base(os.Args[0]))
		})
	})
	t.Run("a take over pauses, giving back resumes in order", func(t *testing.T) {
		a.Must("takeover", "1")
		first := w.Start(page, "Runtime.evaluate", m{"expression": "window.steps = [1]"})
		second := w.Start(page, "Runtime.evaluate", m{"expression": "window.steps.push(2)"})
		short, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		if err := w.Start(page, "Page.getFrameTree", nil).Wait(short, nil); err == nil {
			t.Error("it goes on")
		}
		a.Must("takeover", "1", "--back")
		ctx, stop := context.WithTimeout(t.Context(), harness.Patience)
		defer stop()
		for _, p := range []*cdp.Pending{first, second} {
			if err := p.Wait(ctx, nil); err != nil {
				t.Error(err)
			}
		}
	})
	t.Run("a take over answers at last", func(t *testing.T) {
		a.Must("takeover", "1")
		w.refused(page, "Runtime.evaluate", m{"expression": "1"}, "has taken over")
		a.Must("takeover", "1", "--back")
		w.must(page, "Runtime.evaluate", m{"expression": "1"}, nil)
	})
	t.Run("the person sees the page that they are asked about", func(t *testing.T) {
		a.Must("policy", "set", "1", "--preset", "guarded", "--right", "script=ask")
		bound, _ := dialWire(t, a.Socket(1))
		_, page := bound.tab(web.URL + "/form")
		for _, yes := range []bool{false, true} {
			p := bound.Start(page, "Runtime.evaluate", m{"expression": "1"})
			q := a.Asked(1)
			if q.Class != "script" || len(q.Picture) < 500 || !strings.HasPrefix(q.Page, web.URL) {
				t.Errorf("asked: %s %q on %s, a picture of %d bytes", q.Class, q.What, q.Page, len(q.Picture))
			}
			a.Decide(1, q, yes)
			ctx, stop := context.WithTimeout(t.Context(), harness.Patience)
			defer stop()
			if err := p.Wait(ctx, nil); (err == nil) != yes {
				t.Errorf("after %v: %v", yes, err)
			}
		}
		a.Must("policy", "set", "1", "--preset", "open")
		w, _ = dialWire(whole, a.Socket(1))
	})
	t.Run("a tighter policy ends the connection", func(t *testing.T) {
		a.Must("policy", "set", "1", "--preset", "read-only")
		w.gone(t, "changed the agent permissions")
		w, _ = dialWire(whole, a.Socket(1))
		w.refused("", "Target.createTarget", m{"url": "about:blank"}, "click, type and navigate")
		a.Must("policy", "set", "1", "--preset", "open")
		w.must("", "Target.createTarget", m{"url": "about:blank"}, nil)
	})
	t.Run("panic cuts and keeps out", func(t *testing.T) {
		a.Must("panic")
		w.gone(t, "stopped all agents")
		if status, body := harness.Fetch(t, http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/json/version", port),
			a.Token()); status != 403 || !strings.Contains(body, "stopped all agents") {
			t.Errorf("%d %s", status, body)
		}
		a.Must("panic", "--undo")
		again, res := dialWire(t, a.Socket(1))
		if again == nil {
			t.Fatalf("after the panic: %v", res)
		}
		a.Must("policy", "set", "1", "--preset", "off")
		again.gone(t, "not allowed")
	})
}

// gone waits for the end of the connection, for that reason.
func (w *wire) gone(t *testing.T, why string) {
	t.Helper()
	select {
	case <-w.ended:
		if !strings.Contains(w.reason.Error(), why) {
			t.Errorf("it ended with %v", w.reason)
		}
	case <-time.After(harness.Patience):
		t.Fatal("the connection stays open")
	}
}

func TestPuppeteerUnderGuarded(t *testing.T) {
	a, web, bad := harness.Start(t), vault(t), harness.NewSite(t)
	a.Must("policy", "set", "1", "--preset", "guarded", "--block", bad.URL)
	port := a.Open(1)
	var got map[string]string
	harness.Node(t, &got, "raw.mjs", strconv.Itoa(port), a.Token(), a.Socket(1), web.URL, bad.URL)
	for what, want := range map[string]string{
		"without a credential":     "401",
		"with a credential":        "ok",
		"navigates":                "vault",
		"takes a picture":          "true",
		"reads the tree":           "Vault",
		"clicks":                   "ok",
		"evaluates":                "run scripts",
		"goes to a file":           "was not opened",
		"goes to a blocked site":   "blocks",
		"reads cookies":            "sid=[hidden by Cove]",
		"reads all cookies":        "sid=[hidden by Cove]",
		"a context":                "ok",
		"a context with a proxy":   "proxyServer",
		"a page in a context":      "vault",
		"a file from a context":    "was not opened",
		"exposes the protocol":     "do not get the protocol",
		"intercepts":               "run scripts",
		"stops intercepting":       "ok",
		"a script in each page":    "run scripts",
		"sets a download folder":   "",
		"a session of the browser": "is no target for programs",
		"closes the browser":       "ok",
	} {
		if want != "" && !strings.Contains(got[what], want) {
			t.Errorf("%s: %q, want %q", what, got[what], want)
		}
	}
	for what, said := range got {
		if strings.Contains(said, "SECRET") {
			t.Errorf("%s: %s", what, said)
		}
	}
	harness.Wait(t, "the profile to close", func() bool { state, _ := a.State(1); return state == "" })
}

func TestPuppeteerUnderOpen(t *testing.T) {
	a, web, bad := harness.Start(t), vault(t), harness.NewSite(t)
	a.Must("policy", "set", "1", "--preset", "open", "--block", bad.URL)
	port := a.Open(1)
	var got map[string]string
	harness.Node(t, &got, "raw.mjs", strconv.Itoa(port), "", a.Socket(1), web.URL, bad.URL)
	for what, want := range map[string]string{
		"without a credential":   "ok",
		"navigates":              "vault",
		"evaluates":              "ok 2",
		"reads cookies":          "sid=SECRET-cookie",
		"a context":              "ok",
		"a context with a proxy": "proxyServer",
		"a page in a context":    "vault",
		"exposes the protocol":   "do not get the protocol",
		"intercepts":             "ok",
		"a script in each page":  "ok",
		"goes to a blocked site": "ok 403",
		"goes to chrome:":        "was not opened",
		"nested in a session":    "proxyServer",
		"other browsers":         "looks for no other browsers",
		"an extension":           "extensions",
	} {
		if !strings.Contains(got[what], want) {
			t.Errorf("%s: %q, want %q", what, got[what], want)
		}
	}
}
