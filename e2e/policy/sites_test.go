//go:build e2e

package policy

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"cove/e2e/harness"
)

// counter is a site that notes everything that reaches it: bare connections, requests, packets.
type counter struct {
	*httptest.Server
	port  int
	other int // the port of the same over TLS
	udp   int

	mu   sync.Mutex
	seen []string
}

func (c *counter) note(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen = append(c.seen, what)
}

func (c *counter) all() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.seen)
}

func (c *counter) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen = nil
}

func (c *counter) saw(what string) bool { return slices.Contains(c.all(), what) }

// noticing tells the counter of every connection.
type noticing struct {
	net.Listener
	*counter
	name string
}

func (n noticing) Accept() (net.Conn, error) {
	c, err := n.Listener.Accept()
	if err == nil {
		n.note(n.name)
	}
	return c, err
}

func newCounter(t *testing.T) *counter {
	t.Helper()
	c := &counter{}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		what := strings.ReplaceAll(strings.TrimPrefix(r.URL.Path, "/hit/"), "_", " ")
		c.note(what)
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Allow-Headers", "*")
		w.Header().Set("Cache-Control", "no-store")
		if strings.HasSuffix(what, "download") {
			w.Header().Set("Content-Disposition", "attachment; filename=x.bin")
		}
		_, _ = io.WriteString(w, "<!doctype html><title>refused site</title>secret words")
	})
	open := func(secure bool) *httptest.Server {
		s := httptest.NewUnstartedServer(handler)
		s.Config.ErrorLog = nil
		name := "connection"
		if secure {
			name = "secure connection"
		}
		s.Listener = noticing{s.Listener, c, name}
		if secure {
			s.TLS = &tls.Config{}
			s.StartTLS()
		} else {
			s.Start()
		}
		t.Cleanup(s.Close)
		return s
	}
	c.Server = open(false)
	c.port = c.Listener.Addr().(*net.TCPAddr).Port
	c.other = open(true).Listener.Addr().(*net.TCPAddr).Port
	packets, err := new(net.ListenConfig).ListenPacket(t.Context(), "udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = packets.Close() })
	c.udp = packets.LocalAddr().(*net.UDPAddr).Port
	go func() {
		for buffer := make([]byte, 2000); ; {
			if _, _, err := packets.ReadFrom(buffer); err != nil {
				return
			}
			c.note("packet")
		}
	}()
	return c
}

// allowed is the site that agents may visit.
func allowedSite(t *testing.T) (base string) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		switch r.URL.Path {
		case "/redirect":
			w.Header().Set("Location", q.Get("to"))
			var code int
			_, _ = fmt.Sscan(q.Get("code"), &code)
			w.WriteHeader(code)
		case "/sw.js":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = io.WriteString(w, `onactivate = e => e.waitUntil(clients.claim()); onmessage = e => e.waitUntil(fetch(e.data, {mode: 'no-cors'}).catch(() => 0))`)
		case "/html":
			w.Header().Set("Content-Type", "text/html")
			for _, h := range q["header"] {
				name, value, _ := strings.Cut(h, ": ")
				w.Header().Set(name, value)
			}
			_, _ = io.WriteString(w, "<!doctype html>"+q.Get("text"))
		case "/js":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = io.WriteString(w, q.Get("text"))
		default:
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<!doctype html><title>allowed</title><body>allowed")
		}
	}))
	t.Cleanup(s.Close)
	return fmt.Sprintf("http://a.localhost:%d", s.Listener.Addr().(*net.TCPAddr).Port)
}

// wayOut is one way in which a page could reach another site.
type wayOut struct {
	name string
	// script runs in a page of the allowed site; U is the address that must not be reached, S the same over TLS, W a
	// WebSocket's.
	script string
	// sees is what the other site notes when there is no rule; empty for the name.
	sees string
}

// page is a document of the allowed site with this text, opened by a script.
const goTo = `const html = (text, ...headers) => location.origin + '/html?text=' + encodeURIComponent(text) + headers.map(h => '&header=' + encodeURIComponent(h)).join('');
const add = (text) => document.body.insertAdjacentHTML('beforeend', text);
const js = (text) => location.origin + '/js?text=' + encodeURIComponent(text);
const leave = (url) => setTimeout(() => { location.href = url }, 0);
`

var waysOut = []wayOut{
	{name: "301", script: `leave('/redirect?code=301&to=' + U)`},
	{name: "302", script: `leave('/redirect?code=302&to=' + U)`},
	{name: "303", script: `leave('/redirect?code=303&to=' + U)`},
	{name: "307", script: `leave('/redirect?code=307&to=' + U)`},
	{name: "308", script: `leave('/redirect?code=308&to=' + U)`},
	{name: "redirect of fetch", script: `fetch('/redirect?code=302&to=' + U, {mode: 'no-cors'}).catch(() => 0)`},
	{name: "redirect of img", script: `add('<img src="/redirect?code=302&to=' + U + '">')`},
	{name: "meta refresh", script: `leave(html('<meta http-equiv=refresh content="0;url=' + U + '">'))`},
	{name: "Refresh header", script: `leave(html('x', 'Refresh: 0;url=' + U))`},
	{name: "location", script: `leave(U)`},
	{name: "location.replace", script: `setTimeout(() => location.replace(U))`},
	{name: "link", script: `add('<a id=l href="' + U + '">x</a>'); l.click()`},
	{name: "link with ping", script: `add('<a id=l href="#" ping="' + U + '">x</a>'); l.click()`},
	{name: "iframe", script: `add('<iframe src="' + U + '"></iframe>')`},
	{name: "iframe srcdoc", script: `add('<iframe srcdoc="<img src=' + U + '>"></iframe>')`},
	{name: "sandboxed iframe", script: `add('<iframe sandbox src="' + U + '"></iframe>')`},
	{name: "object", script: `add('<object data="' + U + '" type="text/html"></object>')`},
	{name: "embed", script: `add('<embed src="' + U + '" type="text/html">')`},
	{name: "window.open", script: `window.open(U)`},
	{name: "window.open noopener", script: `window.open(U, '_blank', 'noopener')`},
	{name: "popup", script: `window.open(U, '', 'popup,width=200,height=200')`},
	{name: "window.open then location", script: `const w = window.open('about:blank'); w.location = U`},
	{name: "window.open then script",
		script: `const w = window.open('about:blank'); w.eval('fetch(' + JSON.stringify(U) + ', {mode: "no-cors"})')`},
	{name: "link to a new tab", script: `add('<a id=l target=_blank rel=noopener href="' + U + '">x</a>'); l.click()`},
	{name: "form GET", script: `add('<form id=f action="' + U + '"><input name=x></form>'); f.submit()`},
	{name: "form POST", script: `add('<form id=f method=post action="' + U + '"><input name=x></form>'); f.submit()`},
	{name: "form to a new tab",
		script: `add('<form id=f target=_blank method=post action="' + U + '"></form>'); f.submit()`},
	{name: "fetch", script: `fetch(U, {mode: 'no-cors'}).catch(() => 0)`},
	{name: "fetch POST", script: `fetch(U, {method: 'POST', body: 'x', mode: 'no-cors'}).catch(() => 0)`},
	{name: "fetch keepalive", script: `fetch(U, {mode: 'no-cors', keepalive: true}).catch(() => 0)`},
	{name: "fetchLater", script: `fetchLater(U, {activateAfter: 0})`},
	{name: "XMLHttpRequest", script: `const x = new XMLHttpRequest; x.open('GET', U); x.send()`},
	{name: "beacon", script: `navigator.sendBeacon(U, 'x')`},
	{name: "EventSource", script: `new EventSource(U)`},
	{name: "WebSocket", script: `new WebSocket(U.replace('http', 'ws'))`},
	{name: "secure WebSocket", script: `new WebSocket(S.replace('http', 'ws'))`, sees: "secure connection"},
	{name: "https fetch", script: `fetch(S, {mode: 'no-cors'}).catch(() => 0)`, sees: "secure connection"},
	{name: "https location", script: `leave(S)`, sees: "secure connection"},
	{name: "https iframe", script: `add('<iframe src="' + S + '"></iframe>')`, sees: "secure connection"},
	{name: "WebTransport", script: `try { new WebTransport(S.replace(/:\d+/, ':' + UDP)).ready.catch(() => 0) } catch {}`, sees: "-"},
	{name: "img", script: `add('<img src="' + U + '">')`},
	{name: "script", script: `const s = document.createElement('script'); s.src = U; document.body.append(s)`},
	{name: "module", script: `import(U).catch(() => 0)`},
	{name: "stylesheet", script: `add('<link rel=stylesheet href="' + U + '">')`},
	{name: "css import", script: `add('<style>@import "' + U + '"</style>')`},
	{name: "css background", script: `add('<div style="background: url(' + U + ')">x</div>')`},
	{name: "font", script: `add('<style>@font-face { font-family: q; src: url("' + U + '") }</style><p style="font-family: q">x</p>')`},
	{name: "video", script: `add('<video preload=auto src="' + U + '"></video>')`},
	{name: "audio", script: `add('<audio preload=auto src="' + U + '"></audio>')`},
	{name: "track", script: `add('<video crossorigin><track default kind=captions src="' + U + '"></video>'); document.querySelector('track').track.mode = 'showing'`},
	{name: "svg image", script: `add('<svg><image href="' + U + '"/></svg>')`},
	{name: "favicon", script: `document.head.insertAdjacentHTML('beforeend', '<link rel=icon href="' + U + '">')`,
		sees: "-"},
	{name: "manifest", script: `document.head.insertAdjacentHTML('beforeend', '<link rel=manifest href="' + U + '">')`,
		sees: "-"},
	{name: "prefetch", script: `document.head.insertAdjacentHTML('beforeend', '<link rel=prefetch href="' + U + '">')`},
	{name: "preconnect", script: `document.head.insertAdjacentHTML('beforeend', '<link rel=preconnect href="' + U + '">')`, sees: "connection"},
	{name: "dns-prefetch", script: `document.head.insertAdjacentHTML('beforeend', '<link rel=dns-prefetch href="' + U + '">')`, sees: "-"},
	{name: "preload", script: `document.head.insertAdjacentHTML('beforeend', '<link rel=preload as=image href="' + U + '">')`},
	{name: "modulepreload", script: `document.head.insertAdjacentHTML('beforeend', '<link rel=modulepreload href="' + U + '">')`},
	{name: "Link header", script: `leave(html('x', 'Link: <' + U + '>; rel=preload; as=image'))`},
	{name: "speculation rules prefetch",
		script: `const s = document.createElement('script'); s.type = 'speculationrules'; s.textContent = JSON.stringify({prefetch: [{source: 'list', urls: [U], eagerness: 'immediate', requires: []}]}); document.head.append(s)`, sees: "-"},
	{name: "speculation rules prerender",
		script: `const s = document.createElement('script'); s.type = 'speculationrules'; s.textContent = JSON.stringify({prerender: [{source: 'list', urls: [U], eagerness: 'immediate'}]}); document.head.append(s)`, sees: "-"},
	{name: "data document", script: `add('<iframe src="data:text/html,<img src=' + U + '>"></iframe>')`},
	{name: "blob document", script: `add('<iframe src="' + URL.createObjectURL(new Blob(['<img src=' + U + '>'], {type: 'text/html'})) + '"></iframe>')`},
	{name: "blob tab", script: `window.open(URL.createObjectURL(new Blob(['<img src=' + U + '>'], {type: 'text/html'})))`},
	{name: "javascript frame",
		script: `add('<iframe src="javascript:fetch(\'' + U + '\', {mode: \'no-cors\'})"></iframe>')`},
	{name: "worker", script: `new Worker(js('fetch(' + JSON.stringify(U) + ', {mode: "no-cors"})'))`},
	{name: "blob worker", script: `new Worker(URL.createObjectURL(new Blob(['fetch(' + JSON.stringify(U) + ', {mode: "no-cors"})'])))`},
	{name: "importScripts", script: `new Worker(js('importScripts(' + JSON.stringify(U) + ')'))`},
	{name: "WebSocket of a worker",
		script: `new Worker(js('new WebSocket(' + JSON.stringify(U.replace('http', 'ws')) + ')'))`},
	{name: "shared worker", script: `new SharedWorker(js('fetch(' + JSON.stringify(U) + ', {mode: "no-cors"})'))`},
	{name: "service worker", script: `navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(r => r.active.postMessage(U))`},
	{name: "audio worklet", script: `new OfflineAudioContext(1, 1, 8000).audioWorklet.addModule(U).catch(() => 0)`},
	{name: "download", script: `add('<a id=l download href="' + U + '">x</a>'); l.click()`},
	{name: "download by location", script: `leave(U + '-download')`, sees: "download by location-download"},
	{name: "CSP report", script: `leave(html('<img src=/nothing>', "Content-Security-Policy: img-src 'none'; report-uri " + U))`},
	{name: "STUN", script: `const p = new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:' + UDP}]}); p.createDataChannel('x'); p.createOffer().then(o => p.setLocalDescription(o))`, sees: "packet"},
	{name: "STUN by name", script: `const p = new RTCPeerConnection({iceServers: [{urls: 'stun:b.localhost:' + UDP}]}); p.createDataChannel('x'); p.createOffer().then(o => p.setLocalDescription(o))`, sees: "packet"},
	{name: "TURN over TCP", script: `const p = new RTCPeerConnection({iceServers: [{urls: 'turn:127.0.0.1:' + PORT + '?transport=tcp', username: 'x', credential: 'x'}]}); p.createDataChannel('x'); p.createOffer().then(o => p.setLocalDescription(o))`, sees: "connection"},
	{name: "ICE candidate", script: `(async () => { const p = new RTCPeerConnection, q = new RTCPeerConnection; p.createDataChannel('x'); await p.setLocalDescription(await p.createOffer()); await q.setRemoteDescription(p.localDescription); await q.setLocalDescription(await q.createAnswer()); await p.setRemoteDescription(q.localDescription);
		await p.addIceCandidate({candidate: 'candidate:1 1 udp 2122260223 127.0.0.1 ' + UDP + ' typ host', sdpMid: '0'}).catch(() => 0) })()`, sees: "packet"},
}

func (c *counter) launch(b *harness.Tab, base string, at wayOut) {
	b.T.Helper()
	b.Visit(base + "/")
	path := "/hit/" + strings.ReplaceAll(at.name, " ", "_")
	b.Call("Page.bringToFront", nil, nil) // what is hidden does not load everything
	script := fmt.Sprintf(`(() => { const U = new URL(%q).href, S = new URL(%q).href, UDP = %d, PORT = %d; %s; %s; return 1 })()`,
		fmt.Sprintf("http://b.localhost:%d%s", c.port, path), fmt.Sprintf("https://b.localhost:%d%s", c.other, path),
		c.udp, c.port, goTo, at.script)
	b.Call("Runtime.evaluate", map[string]any{"expression": script, "userGesture": true}, nil)
}

// stays watches that the other site is not reached for a while.
func (c *counter) stays(t *testing.T, while time.Duration, what string) {
	t.Helper()
	harness.Never(t, while, func() string {
		if seen := c.all(); len(seen) > 0 {
			return fmt.Sprintf("%s: %q", what, seen)
		}
		return ""
	})
}

// arrives tries a way until the other site has seen it; the navigation of the way before may come in between.
func (c *counter) arrives(b *harness.Tab, base string, at wayOut, want string) bool {
	for range 4 {
		c.forget()
		c.launch(b, base, at)
		if harness.Poll(3*time.Second, func() bool { return c.saw(want) }) {
			return true
		}
	}
	return false
}

func TestSiteRulesStopEveryWayOut(t *testing.T) {
	a, bad, base := harness.Start(t), newCounter(t), allowedSite(t)
	port := a.Open(1)
	b := harness.NewTab(t, port)

	// Without a rule each of them arrives: else the test would prove nothing.
	for _, at := range waysOut {
		want := at.sees
		if want == "" {
			want = at.name
		}
		// Packets never leave, rule or not, unless an extension lets them: see its test.
		if want == "-" || want == "packet" {
			continue
		}
		if !bad.arrives(b, base, at, want) {
			t.Errorf("%s does not arrive without a rule: %q", at.name, bad.all())
		}
		closeOthers(b)
	}

	a.Rules(1, `{"preset":"open","sites":{"allow":["`+base+`"]}}`)
	for _, at := range waysOut {
		bad.forget()
		bad.launch(b, base, at)
		bad.stays(t, 150*time.Millisecond, at.name+" gets through")
		closeOthers(b)
	}
	bad.forget()
	bad.stays(t, time.Second, "a way gets through later")
}

// closeOthers closes the tabs that an attack has opened.
func closeOthers(b *harness.Tab) {
	b.T.Helper()
	var all struct {
		TargetInfos []struct{ TargetID, Type, OpenerID, URL string }
	}
	ctx, cancel := context.WithTimeout(context.Background(), harness.Patience)
	defer cancel()
	if err := b.Conn.Call(ctx, "", "Target.getTargets", nil, &all); err != nil {
		b.T.Fatal(err)
	}
	for _, i := range all.TargetInfos {
		if i.Type == "page" && i.TargetID != b.ID && i.URL != "about:blank" {
			_ = b.Conn.Call(ctx, "", "Target.closeTarget", map[string]any{"targetId": i.TargetID}, nil)
		}
	}
}

// A page's workers are held until somebody lets them run: the browser asks whoever attaches to the page.
func TestWorkersRun(t *testing.T) {
	a, base := harness.Start(t), allowedSite(t)
	b := harness.NewTab(t, a.Open(1))
	b.Visit(base + "/")
	for name, script := range map[string]string{
		"a worker":        `new Promise(ok => { new Worker(URL.createObjectURL(new Blob(['postMessage(1)']))).onmessage = ok })`,
		"a nested worker": `new Promise(ok => { new Worker(URL.createObjectURL(new Blob(['new Worker(URL.createObjectURL(new Blob(["postMessage(1)"]))).onmessage = e => postMessage(1)']))).onmessage = ok })`,
		"a worklet":       `new OfflineAudioContext(1, 1, 8000).audioWorklet.addModule('/js?text=')`,
		"a shared worker": `new Promise(ok => { new SharedWorker('/js?text=' + encodeURIComponent('onconnect = e => e.ports[0].postMessage(1)')).port.onmessage = ok })`,
	} {
		var ran bool
		b.Eval(`Promise.race([`+script+`.then(() => true), new Promise(ok => setTimeout(ok, 20000, false))])`, &ran)
		if !ran {
			t.Errorf("%s does not run", name)
		}
	}
}
