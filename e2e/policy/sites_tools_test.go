//go:build e2e

package policy

import (
	"bytes"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"cove/e2e/harness"
)

func TestToolsNameTheRuleThatStoppedThem(t *testing.T) {
	a, bad, base := harness.Start(t), newCounter(t), allowedSite(t)
	port := a.Open(1)
	secure, plain := fmt.Sprintf("https://b.localhost:%d", bad.other), fmt.Sprintf("http://b.localhost:%d", bad.port)
	g := harness.NewOurs(t, a, 1)
	g.Choose(t)
	a.Rules(1, `{"preset":"open","sites":{"allow":["`+base+`"]}}`)
	refused := func(what string, s harness.Said, words ...string) {
		t.Helper()
		if !s.Failed {
			t.Errorf("%s is no error: %s", what, s.Text)
		}
		for _, w := range words {
			if !strings.Contains(s.Text, w) {
				t.Errorf("%s does not say %q: %s", what, w, s.Text)
			}
		}
		if strings.Contains(s.Text, "secret words") {
			t.Errorf("%s shows the page: %s", what, s.Text)
		}
	}
	rule := "the profile's policy allows only " + base
	for name, address := range map[string]string{"http": plain, "https": secure,
		"a redirect to http": base + "/redirect?code=302&to=" + plain, "a redirect to https": base +
			"/redirect?code=307&to=" + secure} {
		refused("navigate_page by "+name, g.Call("navigate_page", harness.Object{"type": "url", "url": address}),
			"was not opened", rule)
		refused("new_page by "+name, g.Call("new_page", harness.Object{"url": address}), "was not opened", rule)
	}
	for _, address := range []string{"file:///etc/passwd", "chrome://settings",
		"devtools://devtools/bundled/inspector.html", "view-source:" +
			base, "chrome-extension://abcdefghijklmnopabcdefghijklmnop/x.html"} {
		refused("navigate_page to "+address, g.Call("navigate_page", harness.Object{"type": "url", "url": address}),
			"closed to agents")
	}
	// A click that leads there says so.
	if s := g.Call("navigate_page",
		harness.Object{"type": "url", "url": base + "/html?text=" + "%3Ca%20href%3D" + secure +
			"%3EGo%3C/a%3E"}); s.Failed {
		t.Fatal(s.Text)
	}
	if s := g.Do("click", harness.Object{"uid": `link "Go"`}); !strings.Contains(s.Text, rule) {
		t.Errorf("click: %s", s.Text)
	}
	// A page that some program has brought to a local file is closed to the tools.
	b := harness.NewTab(t, port)
	b.Call("Page.navigate", map[string]any{"url": "file:///etc/hostname"}, nil)
	harness.Wait(t, "the file's page",
		func() bool { return strings.Contains(g.Call("list_pages", nil).Text, "file:///etc/hostname") })
	for _, line := range strings.Split(g.Call("list_pages", nil).Plain(), "\n") {
		if id, _, ok := strings.Cut(line, ":"); ok && strings.Contains(line, "file:///etc/hostname") {
			var n int
			_, _ = fmt.Sscan(id, &n)
			refused("take_snapshot of a file", g.Call("take_snapshot", harness.Object{"pageId": n}),
				"closed to agents")
			refused("evaluate_script in a file",
				g.Call("evaluate_script", harness.Object{"pageId": n, "function": "() => document.body.innerText"}),
				"closed to agents")
			refused("take_screenshot of a file", g.Call("take_screenshot", harness.Object{"pageId": n}),
				"closed to agents")
			if s := g.Call("navigate_page",
				harness.Object{"pageId": n, "type": "url", "url": base + "/"}); s.Failed {
				t.Errorf("the page cannot be left: %s", s.Text)
			}
		}
	}
	if seen := bad.all(); len(seen) > 0 {
		t.Errorf("the refused site saw %q", seen)
	}
	// A site that does not answer is told as the browser would tell it.
	a.Rules(1, `{"preset":"open"}`)
	if s := g.Call("navigate_page",
		harness.Object{"type": "url",
			"url": fmt.Sprintf("http://127.0.0.1:%d/",
				harness.FreePort(t))}); !strings.Contains(s.Text, "net::ERR_CONNECTION_REFUSED") {
		t.Errorf("a closed port: %s", s.Text)
	}
	if s := g.Call("navigate_page",
		harness.Object{"type": "url",
			"url": "http://no-such-name.invalid/"}); !strings.Contains(s.Text, "net::ERR_NAME_NOT_RESOLVED") {
		t.Errorf("an unknown name: %s", s.Text)
	}
	// Cove's own ports.
	for _, own := range []string{a.Base + "/docs", fmt.Sprintf("http://localhost:%d/json/version", port)} {
		refused(own, g.Call("navigate_page", harness.Object{"type": "url", "url": own}), "own ports")
	}
}

func TestASiteRuleIsInForceAtOnce(t *testing.T) {
	a := harness.Start(t)
	hits := make(chan string, 1000)
	closed := make(chan struct{}, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case hits <- r.URL.Path:
		default:
		}
		switch r.URL.Path {
		case "/ws":
			c, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
			if err == nil {
				_, _, _ = c.Read(r.Context())
				_ = c.CloseNow()
				closed <- struct{}{}
			}
		case "/stream":
			w.Header().Set("Content-Type", "text/event-stream")
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, "data: x\n\n")
				_ = http.NewResponseController(w).Flush()
				harness.Delay(r.Context(), 20*time.Millisecond)
			}
			closed <- struct{}{}
		case "/sw.js":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = io.WriteString(w, `oninstall = e => { skipWaiting(); e.waitUntil(caches.open('x').then(c => c.add('/kept'))) }; onactivate = e => e.waitUntil(clients.claim()); onfetch = e => { if (e.request.url.endsWith('/kept')) e.respondWith(caches.match('/kept')) }`)
		case "/cached":
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Cache-Control", "max-age=100000")
			_, _ = io.WriteString(w, "<!doctype html><title>cached</title>secret words")
		default:
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<!doctype html><title>open</title>secret words")
		}
	}))
	defer s.Close()
	other := allowedSite(t)
	base := fmt.Sprintf("http://b.localhost:%d", s.Listener.Addr().(*net.TCPAddr).Port)
	port := a.Open(1)
	kept, framed := harness.NewTab(t, port), harness.NewTab(t, port)
	kept.Visit(base + "/cached")
	kept.Eval(`navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => new Promise(ok => navigator.serviceWorker.controller ? ok() : navigator.serviceWorker.addEventListener('controllerchange', ok))).then(() => 1)`, nil)
	kept.Visit(base + "/kept")
	framed.Visit(other + "/")
	framed.Eval(`new Promise(ok => { const f = document.createElement('iframe'); f.src = '`+base+
		`/frame'; f.onload = () => ok(1); document.body.append(f) })`, nil)
	b := harness.NewTab(t, port)
	b.Visit(base + "/")
	b.Eval(`new Promise((ok, no) => { window.ws = new WebSocket('`+strings.Replace(base, "http", "ws", 1)+
		`/ws'); ws.onerror = no; ws.onopen = () => { window.es = new EventSource('/stream'); es.onopen = () => ok(1); es.onerror = no } })`, nil)
	for len(hits) > 0 {
		<-hits
	}

	a.Rules(1, `{"preset":"open","sites":{"block":["`+base+`"]}}`)
	for range 2 { // the WebSocket and the stream are cut
		select {
		case <-closed:
		case <-time.After(harness.Patience):
			t.Fatal("a connection to a refused site stays open")
		}
	}
	for _, one := range []*harness.Tab{kept, b} {
		harness.Wait(t, "a tab on a refused site to be left", func() bool {
			var r struct{ Result struct{ Value string } }
			_ = one.Conn.Call(t.Context(), one.Session, "Runtime.evaluate",
				map[string]any{"expression": "location.href"}, &r)
			return r.Result.Value == "about:blank"
		})
	}
	harness.Wait(t, "a frame on a refused site to be left", func() bool {
		var tree, targets json.RawMessage
		framed.Call("Page.getFrameTree", nil, &tree)
		if err := framed.Conn.Call(t.Context(), "", "Target.getTargets",
			map[string]any{"filter": []any{map[string]any{}}}, &targets); err != nil {
			t.Fatal(err)
		}
		return !strings.Contains(string(tree)+string(targets), base+"/frame")
	})
	// Nothing of it comes back from the cache, from the service worker or from the history.
	for len(hits) > 0 {
		<-hits
	}
	for _, path := range []string{"/cached", "/kept"} {
		b.Call("Page.navigate", map[string]any{"url": base + path}, nil)
		harness.Wait(t, path+" to be left", func() bool {
			var r struct{ Result struct{ Value string } }
			// It may be on the move.
			_ = b.Conn.Call(t.Context(), b.Session, "Runtime.evaluate",
				map[string]any{"expression": "location.href + ' ' + document.title"}, &r)
			shown := r.Result.Value
			return shown == "about:blank " || strings.Contains(shown, "Not opened") ||
				strings.HasPrefix(shown, "chrome-error:")
		})
	}
	b.Call("Page.navigate", map[string]any{"url": "about:blank"}, nil)
	if len(hits) > 0 {
		t.Errorf("the refused site saw %q", <-hits)
	}
	// And when the rule is gone it opens again.
	a.Rules(1, `{"preset":"open"}`)
	b.Call("Page.navigate", map[string]any{"url": base + "/again"}, nil)
	harness.Wait(t, "the site to open again", func() bool {
		var r struct{ Result struct{ Value string } }
		_ = b.Conn.Call(t.Context(), b.Session, "Runtime.evaluate", map[string]any{"expression": "document.title"}, &r)
		return r.Result.Value == "open"
	})
}

func TestBlockedAddressesByOtherNames(t *testing.T) {
	a, bad := harness.Start(t), newCounter(t)
	b := harness.NewTab(t, a.Open(1))
	hosts := []string{"127.0.0.1", "localhost", "localhost.", "x.y.localhost", "0x7f000001", "127.1", "2130706433",
		"0177.0.0.1", "[::ffff:127.0.0.1]", "0.0.0.0"}
	try := func() (reached []string) {
		for _, host := range hosts {
			bad.forget()
			b.Call("Page.navigate", map[string]any{"url": fmt.Sprintf("http://%s:%d/hit/x", host, bad.port)}, nil)
			if len(bad.all()) > 0 {
				reached = append(reached, host)
			}
		}
		return reached
	}
	if reached := try(); len(reached) != len(hosts) {
		t.Errorf("without a rule only these are reached: %q", reached)
	}
	for _, rule := range []string{"http://127.0.0.1:%d", "http://localhost:%d"} {
		a.Rules(1, `{"preset":"open","sites":{"block":["`+fmt.Sprintf(rule, bad.port)+`"]}}`)
		if reached := try(); len(reached) > 0 {
			t.Errorf("with %s these are reached: %q", rule, reached)
		}
	}
	// A name that a name server knows.
	name, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	ips, _ := net.DefaultResolver.LookupIPAddr(t.Context(), name)
	l, err := harness.Listen(t, "tcp4", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	reached := make(chan string, 100)
	s := &http.Server{ReadHeaderTimeout: harness.Patience,
		Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { reached <- r.URL.Path })}
	go func() { _ = s.Serve(l) }()
	defer func() { _ = s.Close() }()
	address := fmt.Sprintf("http://%s:%d/", name, harness.PortOf(l))
	a.Rules(1, `{"preset":"open"}`)
	b.Call("Page.navigate", map[string]any{"url": address}, nil)
	if len(reached) == 0 {
		t.Skipf("%s is not a name of this computer", name)
	}
	var rules []string
	for _, ip := range ips {
		rules = append(rules, `"http://`+net.JoinHostPort(ip.String(), fmt.Sprint(harness.PortOf(l)))+`"`)
	}
	a.Rules(1, `{"preset":"open","sites":{"block":[`+strings.Join(rules, ",")+`]}}`)
	b.Call("Page.navigate", map[string]any{"url": address + "again"}, nil)
	for len(reached) > 0 { // what was on its way before the rule came may be among it
		if path := <-reached; path == "/again" {
			t.Errorf("%s leads to a blocked address", address)
		}
	}
}

// TestAllowedSitesWorkAsBefore: everything that a page does with an allowed site works through the relay.
func TestAllowedSitesWorkAsBefore(t *testing.T) {
	a := harness.Start(t)
	big := bytes.Repeat([]byte("0123456789abcdef"), 2<<20)
	connections := make(chan string, 1000)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		connections <- r.RemoteAddr
		switch r.URL.Path {
		case "/ws":
			c, err := websocket.Accept(w, r, nil)
			if err == nil {
				kind, text, _ := c.Read(r.Context())
				_ = c.Write(r.Context(), kind, append([]byte("echo "), text...))
				_ = c.Close(websocket.StatusNormalClosure, "")
			}
		case "/big":
			_, _ = w.Write(big)
		case "/sum":
			sum := sha256.New()
			_, _ = io.Copy(sum, r.Body)
			_, _ = io.WriteString(w, hex.EncodeToString(sum.Sum(nil)))
		case "/slow":
			w.Header().Set("Content-Type", "text/event-stream")
			for i := range 3 {
				_, _ = fmt.Fprintf(w, "data: %d\n\n", i)
				_ = http.NewResponseController(w).Flush()
				harness.Delay(r.Context(), 50*time.Millisecond)
			}
			<-r.Context().Done()
		case "/half": // promises more than it gives
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, "half")
		default:
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<!doctype html><title>page</title>")
		}
	})
	plain := httptest.NewServer(handler)
	defer plain.Close()
	secure := httptest.NewUnstartedServer(handler)
	secure.TLS = &tls.Config{}
	secure.EnableHTTP2 = true
	secure.StartTLS()
	defer secure.Close()
	b := harness.NewTab(t, a.Open(1))
	b.Call("Security.setIgnoreCertificateErrors", map[string]any{"ignore": true}, nil)
	sum := sha256.Sum256(big)
	for _, base := range []string{fmt.Sprintf("http://a.localhost:%d", harness.PortOf(plain.Listener)),
		fmt.Sprintf("https://a.localhost:%d", harness.PortOf(secure.Listener))} {
		a.Rules(1, `{"preset":"open","sites":{"allow":["`+base+`"]}}`)
		b.Visit(base + "/")
		check := func(what, script string, want any) {
			t.Helper()
			var got any
			b.Eval(script, &got)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s of %s: got %v, want %v", what, base, got, want)
			}
		}
		check("a WebSocket", `new Promise((ok, no) => { const w = new WebSocket('`+strings.Replace(base, "http", "ws",
			1)+`/ws'); w.onopen = () => w.send('hi'); w.onmessage = e => ok(e.data); w.onerror = no })`, "echo hi")
		check("a large answer", `fetch('/big').then(r => r.arrayBuffer()).then(b => '' + b.byteLength)`, len(big))
		check("a large body", `fetch('/sum', {method: 'POST', body: '0123456789abcdef'.repeat(2 << 20)}).then(r => r.text())`, hex.EncodeToString(sum[:]))
		check("a stream", `new Promise(ok => { const all = [], e = new EventSource('/slow'); e.onmessage = m => { all.push(m.data); if (all.length === 3) { e.close(); ok(all.join()) } } })`, "0,1,2")
		if strings.HasPrefix(base, "http:") {
			check("a broken answer", `fetch('/half').then(r => r.text()).then(() => 'whole', () => 'broken')`, "broken")
		}
		for len(connections) > 0 {
			<-connections
		}
		check("keep-alive", `(async () => { for (let i = 0; i < 20; i++) await (await fetch('/?' + i)).text(); return 1 })()`, 1)
		used := map[string]bool{}
		for len(connections) > 0 {
			used[<-connections] = true
		}
		if len(used) > 2 {
			t.Errorf("20 requests to %s used %d connections", base, len(used))
		}
		// More at once than a browser lets one proxy have.
		check("many at once", `Promise.all(Array.from({length: 60}, (_, i) => fetch('`+strings.Replace(base, "a.",
			"'+'n'+i%20+'.", 1)+`/', {mode: 'no-cors'}).then(() => 1, () => 0))).then(r => r.length)`, 60)
	}
}
