//go:build e2e

package policy

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"cove/e2e/harness"
)

// These tests try to get around what docs/security.md promises in ways that have worked once.

// lockedSite has a form with a password, and counts how often it was sent.
type lockedSite struct {
	*httptest.Server
	mu    sync.Mutex
	posts int
}

const lockedPage = `<!doctype html><title>login</title><body style="margin:0"><form action=/sent method=post style="margin:0">
<button id=go style="position:absolute;left:0;top:0;width:100px;height:50px">go</button>
<input id=p type=password name=word style="position:absolute;left:0;top:60px;width:200px;height:30px">
</form><button onclick="p.type='text'" style="position:absolute;left:0;top:100px;width:100px;height:50px">show</button>`

func newLockedSite(t *testing.T) *lockedSite {
	t.Helper()
	s := &lockedSite{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch {
		case r.Method == http.MethodPost:
			s.mu.Lock()
			s.posts++
			s.mu.Unlock()
			_, _ = io.WriteString(w, "<!doctype html><title>sent</title>sent")
		case r.URL.Path == "/login":
			_, _ = io.WriteString(w, lockedPage)
		case r.URL.Path == "/back":
			_, _ = io.WriteString(w, "<!doctype html><title>goes back</title><script>setTimeout(() => history.back(), 6000)</script>")
		default:
			_, _ = io.WriteString(w, "<!doctype html><title>other</title>secret words")
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *lockedSite) sent() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.posts
}

// staysSent watches for a moment that the form was sent n times and no more.
func (s *lockedSite) staysSent(t *testing.T, n int) bool {
	t.Helper()
	return harness.Never(t, 300*time.Millisecond, func() string {
		if now := s.sent(); now != n {
			return fmt.Sprintf("the form was sent %d times, not %d", now, n)
		}
		return ""
	})
}

func (w *wire) mouse(session, kind string, y int) string {
	return w.do(session, "Input.dispatchMouseEvent", m{"type": kind, "x": 20, "y": y, "button": "left",
		"clickCount": 1}, nil)
}

// typeInto puts a text into the field of a page's form.
func (w *wire) typeInto(session, text string) {
	w.t.Helper()
	var doc struct{ Root struct{ NodeID int } }
	w.must(session, "DOM.getDocument", nil, &doc)
	var n struct{ NodeID int }
	w.must(session, "DOM.querySelector", m{"nodeId": doc.Root.NodeID, "selector": "#p"}, &n)
	w.must(session, "DOM.focus", m{"nodeId": n.NodeID}, nil)
	w.must(session, "Input.insertText", m{"text": text}, nil)
}

func TestNoFormIsSentWithoutTheRightTo(t *testing.T) {
	a, web := harness.Start(t), newLockedSite(t)
	a.Must("policy", "set", "1", "--preset", "guarded", "--tabs", "shared", "--right", "submit=no")
	a.Open(1)
	w, _ := dialWire(t, a.Socket(1))
	login := func() string {
		t.Helper()
		_, page := w.tab("about:blank")
		w.must(page, "Page.enable", nil, nil)
		before := strings.Count(w.transcript(), "Page.loadEventFired")
		w.must(page, "Page.navigate", m{"url": web.URL + "/login"}, nil)
		harness.Wait(t, "the form",
			func() bool { return strings.Count(w.transcript(), "Page.loadEventFired") > before })
		return page
	}
	for name, try := range map[string]func(page string){
		"pressed before it is filled, released after": func(page string) {
			w.mouse(page, "mousePressed", 20)
			w.typeInto(page, "hunter2")
			w.mouse(page, "mouseReleased", 20)
		},
		"the field is shown as text first": func(page string) {
			w.mouse(page, "mousePressed", 120)
			w.mouse(page, "mouseReleased", 120)
			w.typeInto(page, "hunter2")
			w.mouse(page, "mousePressed", 20)
			w.mouse(page, "mouseReleased", 20)
		},
		"the end of a line is inserted": func(page string) {
			w.typeInto(page, "hunter2")
			_ = w.do(page, "Input.insertText", m{"text": "\n"}, nil)
			_ = w.do(page, "Input.imeSetComposition", m{"text": "\n", "selectionStart": 1, "selectionEnd": 1}, nil)
		},
		"touched": func(page string) {
			_ = w.do(page, "Input.dispatchTouchEvent", m{"type": "touchStart", "touchPoints": []m{{"x": 20, "y": 20}}},
				nil)
			w.typeInto(page, "hunter2")
			_ = w.do(page, "Input.dispatchTouchEvent", m{"type": "touchEnd", "touchPoints": []m{}}, nil)
		},
	} {
		try(login())
		if !web.staysSent(t, 0) {
			t.Fatalf("sent: %s", name)
		}
	}
	// With the person's yes it is sent once, and loading the answer again would send it again.
	a.Must("policy", "set", "1", "--right", "submit=ask")
	page := login()
	w.typeInto(page, "hunter2")
	done := make(chan string, 1)
	go func() { done <- w.mouse(page, "mousePressed", 20) }()
	a.AnswerRequest(t, "press a button", true)
	if err := <-done; err != "" {
		t.Fatal(err)
	}
	if err := w.mouse(page, "mouseReleased", 20); err != "" {
		t.Fatal(err)
	}
	harness.Wait(t, "the form to be sent", func() bool { return web.sent() == 1 })
	g := a.Agent("1")
	harness.Wait(t, "its answer", func() bool { return strings.Contains(g.Works("list_pages", nil), web.URL+"/sent") })
	go func() { done <- w.do(page, "Page.reload", nil, nil) }()
	a.AnswerRequest(t, "sends its form again", false)
	if err := <-done; !strings.Contains(err, "denied this") {
		t.Errorf("loaded again: %q", err)
	}
	id := 0
	for _, line := range strings.Split(g.Works("list_pages", nil), "\n") {
		if strings.Contains(line, web.URL+"/sent") {
			_, _ = fmt.Sscanf(line, "%d:", &id)
		}
	}
	r := g.BeginTool("navigate_page", harness.Object{"type": "reload", "pageId": id})
	a.AnswerRequest(t, "sends its form again", false)
	if got := r.Tool(); !got.IsError || !strings.Contains(got.Text, "denied this") {
		t.Errorf("loaded again by a tool: %s", got.Text)
	}
	// Going away and back does not send it.
	g.Works("navigate_page", harness.Object{"url": web.URL + "/other", "pageId": id})
	g.Works("navigate_page", harness.Object{"type": "back", "pageId": id})
	web.staysSent(t, 1)
}

func TestAPageThatBecomesClosedIsNotSeen(t *testing.T) {
	a, web := harness.Start(t), newLockedSite(t)
	a.Open(1)
	free, _ := dialWire(t, a.Socket(1))
	id, page := free.tab("chrome://version")
	free.must(page, "Page.enable", nil, nil)
	g := a.Agent("1")
	harness.Wait(t, "the browser's page",
		func() bool { return strings.Contains(g.Works("list_pages", nil), "chrome://version") })
	free.must(page, "Page.navigate", m{"url": web.URL + "/back"}, nil)
	harness.Wait(t, "the page", func() bool { return strings.Contains(g.Works("list_pages", nil), web.URL+"/back") })
	a.Must("policy", "set", "1", "--preset", "guarded")
	w, _ := dialWire(t, a.Socket(1))
	var at struct{ SessionID string }
	w.must("", "Target.attachToTarget", m{"targetId": id, "flatten": true}, &at)
	for _, domain := range []string{"Page", "Runtime", "DOM", "Log", "Accessibility"} {
		w.must(at.SessionID, domain+".enable", nil, nil)
	}
	w.must(at.SessionID, "Page.startScreencast", m{"format": "png"}, nil)
	harness.Wait(t, "a picture", func() bool { return strings.Contains(w.transcript(), "Page.screencastFrame") })
	// The page itself goes back in the history: nobody is asked.
	const there = `"url":"chrome://version/"`
	harness.Wait(t, "the browser's page", func() bool { return strings.Contains(w.transcript(), there) })
	harness.Never(t, time.Second, func() string { // while it is drawn
		_, after, _ := strings.Cut(w.transcript(), there)
		for _, event := range []string{"Page.screencastFrame", "Accessibility.", "DOM.set", "Runtime.console"} {
			if strings.Contains(after, `"method":"`+event) {
				return event + " was told of a page that is closed"
			}
		}
		return ""
	})
	w.refused(at.SessionID, "Page.captureScreenshot", nil, "is closed to agents")
	// And when it has left, the pictures go on.
	pictures := strings.Count(w.transcript(), "Page.screencastFrame")
	w.must(at.SessionID, "Page.navigate", m{"url": web.URL + "/other"}, nil)
	harness.Wait(t, "another picture",
		func() bool { return strings.Count(w.transcript(), "Page.screencastFrame") > pictures })
}

func TestNestedCommandsReachNoPageOfTheBrowser(t *testing.T) {
	a, web := harness.Start(t), newLockedSite(t)
	a.Must("policy", "set", "1", "--preset", "open", "--block", "https://blocked.example")
	a.Open(1)
	w, _ := dialWire(t, a.Socket(1))
	var made struct{ TargetID string }
	w.must("", "Target.createTarget", m{"url": web.URL + "/other"}, &made)
	var at struct{ SessionID string }
	w.must("", "Target.attachToTarget", m{"targetId": made.TargetID, "flatten": false}, &at)
	send := func(message string) string {
		return w.do("", "Target.sendMessageToTarget", m{"sessionId": at.SessionID, "message": message}, nil)
	}
	if err := send(`{"id":1,"method":"Runtime.evaluate","params":{"expression":"'ran' + 'here'"}}`); err != "" {
		t.Errorf("an ordinary command: %s", err)
	}
	harness.Wait(t, "its answer", func() bool { return strings.Contains(w.transcript(), "ranhere") })
	if err := send(`{"id":2,"method":"Page.navigate","params":{"url":"chrome://version"}}`); !strings.Contains(err,
		"was not opened") {
		t.Errorf("a page of the browser: %q", err)
	}
}

func TestARuleHoldsForEveryNameAndWhatIsLeftOfASite(t *testing.T) {
	a, good := harness.Start(t), allowedSite(t)
	b := harness.NewTab(t, a.Open(1))
	l, err := harness.Listen(t, "tcp4", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	hits := make(chan string, 1000)
	s := &http.Server{ReadHeaderTimeout: harness.Patience,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			hits <- r.Host + r.URL.Path
			if r.URL.Path == "/picture" {
				w.Header().Set("Content-Type", "image/svg+xml")
				w.Header().Set("Cache-Control", "max-age=100000, immutable")
				_, _ = io.WriteString(w, `<svg xmlns="http://www.w3.org/2000/svg" width="77" height="77"/>`)
				return
			}
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<!doctype html><title>open</title>secret words")
		})}
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { _ = s.Close() })
	site := func(host string) string { return fmt.Sprintf("http://%s:%d", host, harness.PortOf(l)) }
	block := func(host string) { a.Rules(1, `{"preset":"open","sites":{"block":["`+site(host)+`"]}}`) }
	reaches := func(host string) bool {
		t.Helper()
		for len(hits) > 0 {
			<-hits
		}
		b.Call("Page.navigate", map[string]any{"url": site(host) + "/x"}, nil)
		b.Call("Page.navigate", map[string]any{"url": "about:blank"}, nil)
		return len(hits) > 0
	}

	own := ""
	addresses, _ := net.InterfaceAddrs()
	for _, x := range addresses {
		if n, ok := x.(*net.IPNet); ok && n.IP.To4() != nil && !n.IP.IsLoopback() {
			own = n.IP.String()
		}
	}
	if own != "" && reaches(own) {
		for _, c := range [][2]string{{"localhost", own}, {"127.0.0.1", own}, {own, "localhost"}, {own, "127.0.0.1"},
			{own, "[::ffff:" + own + "]"}} {
			if block(c[0]); reaches(c[1]) {
				t.Errorf("with %s blocked, %s is reached", c[0], c[1])
			}
		}
	}
	block("b.localhost")
	for _, host := range []string{"b.localhost.", "b.localhost..", "B.LocalHost...", "b.localhost。。"} {
		if reaches(host) {
			t.Errorf("%s is reached", host)
		}
	}

	// What is open under another name, and empty pages that the site has opened and filled.
	a.Rules(1, `{"preset":"open"}`)
	b.Visit(site("c.localhost") + "/")
	block("127.0.0.1")
	harness.Wait(t, "a tab to be left that shows the address by another name",
		func() bool { return b.Shows() == "about:blank" })
	a.Rules(1, `{"preset":"open"}`)
	b.Visit(site("c.localhost") + "/")
	b.Call("Runtime.evaluate", map[string]any{"userGesture": true, "awaitPromise": true,
		"expression": `document.cookie = 'id=SECRET'; window.w = window.open('about:blank');
		new Promise(ok => setTimeout(ok, 300)).then(() => { const s = w.document.createElement('script'); s.textContent = 'setInterval(() => { document.title = "kept " + document.cookie }, 20)'; w.document.body.append(s) })`}, nil)
	g := a.Agent("1")
	harness.Wait(t, "the popup", func() bool { return strings.Contains(g.Works("list_pages", nil), "kept id=SECRET") })
	block("c.localhost")
	harness.Wait(t, "the popup to be left",
		func() bool { return !strings.Contains(g.Works("list_pages", nil), "kept") })

	// What a browser context without a tab has kept.
	a.Rules(1, `{"preset":"open"}`)
	var c struct{ BrowserContextID string }
	if err := b.Conn.Call(t.Context(), "", "Target.createBrowserContext", nil, &c); err != nil {
		t.Fatal(err)
	}
	load := func() (shown string) {
		t.Helper()
		n := *b
		var made struct{ TargetID string }
		n.Session = ""
		n.Call("Target.createTarget", map[string]any{"url": "about:blank", "browserContextId": c.BrowserContextID},
			&made)
		var at struct{ SessionID string }
		n.Call("Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &at)
		n.Session = at.SessionID
		n.Call("Page.enable", nil, nil)
		n.Visit(good + "/")
		n.Eval(`new Promise(ok => { const i = new Image(); i.onload = () => ok('loaded'); i.onerror = () => ok('refused'); i.src = '`+site("c.localhost")+`/picture' })`, &shown)
		n.Session = ""
		n.Call("Target.closeTarget", map[string]any{"targetId": made.TargetID}, nil)
		return shown
	}
	if got := load(); got != "loaded" {
		t.Fatalf("the picture: %s", got)
	}
	block("c.localhost")
	if got := load(); got != "refused" {
		t.Errorf("the picture of a refused site: %s", got)
	}
}

const echoPage = `<!doctype html><title>echo</title><input aria-label=Code id=c><button onclick="go()">Echo</button><p id=o></p><script>
function go() { const v = c.value; document.title = v; console.log(v); o.textContent = v; o.setAttribute('aria-label', v); o.setAttribute('role', 'button'); location.hash = v;
 fetch('/api?q=' + v, {method: 'POST', headers: {'x-echo': v}, body: JSON.stringify({q: v})}) }</script>`

// A text that is cut inside of a secret would tell its beginning, and whoever types it can choose where that is.
func TestAPartOfASecretIsNotTold(t *testing.T) {
	const value = "Qk7xWmPzRt9"
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/api" {
			body, _ := io.ReadAll(r.Body)
			w.Header().Set("X-Back", r.Header.Get("X-Echo"))
			_, _ = w.Write(body)
			return
		}
		_, _ = io.WriteString(w, echoPage)
	}))
	t.Cleanup(web.Close)
	a := harness.Start(t)
	a.Open(1)
	if r := a.Own(http.MethodPost, "/v1.0/browser_profiles/1/secrets", fmt.Sprintf(`{"name":"k","site":%q,"value":%q}`,
		web.URL, value)); r.Status != http.StatusOK {
		t.Fatal(r.Raw)
	}
	g := a.Agent("1")
	for _, limit := range []int{60, 80, 100, 120, 200, 300, 500, 1000, 2000, 4000, 8000, 10_000} {
		g.Works("navigate_page", harness.Object{"url": web.URL})
		var heard strings.Builder
		hear := func(name string, args harness.Object) string {
			text := g.Tool(name, args).Text
			heard.WriteString(name + ": " + text + "\n")
			return text
		}
		// The limits count from different places: before the secret there may be an address or some words.
		hear("fill", harness.Object{"uid": g.Find(`textbox "Code"`), "value": strings.Repeat("A", limit-7) +
			"{{secret:k}}", "includeSnapshot": true})
		hear("click", harness.Object{"uid": g.Find(`button "Echo"`), "includeSnapshot": true})
		harness.Wait(t, "the echo", func() bool { return strings.Contains(hear("list_network_requests", nil), "/api") })
		hear("take_snapshot", harness.Object{"verbose": true})
		hear("list_pages", nil)
		for _, id := range regexp.MustCompile(`msgid=(\d+)`).FindAllStringSubmatch(hear("list_console_messages", nil),
			-1) {
			hear("get_console_message", harness.Object{"msgid": id[1]})
		}
		for _, id := range regexp.MustCompile(`reqid=(\d+)`).FindAllStringSubmatch(hear("list_network_requests", nil),
			-1) {
			hear("get_network_request", harness.Object{"reqid": id[1]})
		}
		all := heard.String()
		if at := strings.Index(all, value[:4]); at >= 0 {
			t.Errorf("with %d letters before it: …%s…", limit-7, all[max(0, at-100):min(len(all), at+50)])
		}
	}
}

func TestPasswordsInAddressesAreNotTold(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, `<!doctype html><title>x</title><a href="http://user:WORD-1@%s/">one</a><a href="/?password=WORD-2">two</a><img src="/picture?password=WORD-3">`, r.Host)
	}))
	t.Cleanup(web.Close)
	a := harness.Start(t)
	a.Open(1)
	g := a.Agent("1")
	file := filepath.Join(os.TempDir(), fmt.Sprintf("cove-trace-%d.json", os.Getpid()))
	t.Cleanup(func() { _ = os.Remove(file) })
	g.Works("navigate_page", harness.Object{"url": web.URL + "/?password=WORD-4"})
	heard := g.Works("take_snapshot", harness.Object{"verbose": true}) + g.Works("list_network_requests", nil) +
		g.Works("list_pages", nil)
	heard += g.Works("performance_start_trace", harness.Object{"filePath": file})
	raw, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(raw), "/picture?password=") {
		t.Fatalf("the trace has no such address: %v", err)
	}
	heard += string(raw)
	if !json.Valid(raw) {
		t.Error("the trace is no JSON any more")
	}
	for _, word := range []string{"WORD-1", "WORD-2", "WORD-3", "WORD-4"} {
		if at := strings.Index(heard, word); at >= 0 {
			t.Errorf("%s is told: …%s…", word, heard[max(0, at-200):min(len(heard), at+50)])
		}
	}
}
