//go:build e2e

package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cove/e2e/harness"
)

// cookieReader is an extension that can read the cookies of every site. It has each kind of target that an extension
// can have: a background worker, a document out of sight, a page, and a frame in the pages of sites. Its content script
// asks the worker whether it runs, and writes the answer into the page.
var cookieReader = map[string]string{
	"manifest.json": `{"manifest_version":3,"name":"Cookie reader","version":"1",
		"permissions":["cookies","offscreen","storage"],"host_permissions":["<all_urls>"],
		"background":{"service_worker":"bg.js"},"action":{"default_popup":"popup.html"},
		"web_accessible_resources":[{"resources":["frame.html"],"matches":["<all_urls>"]}],
		"content_scripts":[{"matches":["<all_urls>"],"js":["cs.js"]}]}`,
	"bg.js": `chrome.runtime.onMessage.addListener((m, s, answer) => { answer('runs'); return true });
self.all = async () => (await chrome.cookies.getAll({})).map((c) => c.value).join(' ');
chrome.offscreen.createDocument({url: 'offscreen.html', reasons: ['DOM_PARSER'], justification: 'a test'}).catch(() => 0);`,
	"cs.js": `const ask = () => chrome.runtime.sendMessage('hello').then(
	(v) => document.documentElement.dataset.worker = v, () => setTimeout(ask, 100));
ask();
document.body.append(Object.assign(document.createElement('iframe'), {src: chrome.runtime.getURL('frame.html')}));`,
	"popup.html":     `<title>popup</title><p>SECRET-popup</p>`,
	"frame.html":     `<title>frame</title><p>SECRET-frame</p>`,
	"offscreen.html": `<title>offscreen</title><p>SECRET-offscreen</p>`,
}

// targetsOf returns the targets that a program is told of, with all kinds included.
func (w *wire) targetsOf(prefix string) (found []struct{ TargetID, Type, URL string }) {
	w.t.Helper()
	var all struct {
		TargetInfos []struct{ TargetID, Type, URL string }
	}
	w.must("", "Target.getTargets", m{"filter": []any{m{}}}, &all)
	for _, i := range all.TargetInfos {
		if strings.Contains(i.URL, prefix) {
			found = append(found, i)
		}
	}
	return found
}

// attachment is what a program is told of a session of its own.
type attachment struct {
	SessionID  string
	TargetInfo struct{ TargetID, Type, URL string }
}

// attached returns the sessions that the program has been told of.
func (w *wire) attached() (all []attachment) {
	w.t.Helper()
	heard := json.NewDecoder(strings.NewReader(w.transcript()))
	for {
		var e struct {
			Method string
			Params attachment
		}
		if err := heard.Decode(&e); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			w.t.Fatal(err)
		}
		if e.Method == "Target.attachedToTarget" {
			all = append(all, e.Params)
		}
	}
}

// An extension can read what the policy hides from agents, and it answers whoever can run scripts in its worker or in
// its pages. Where the policy binds programs, no agent gets that far, whatever rights it has.
func TestNoAgentActsAsAnExtension(t *testing.T) {
	a, web, dir := harness.Start(t), vault(t), t.TempDir()
	for name, text := range cookieReader {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a.Must("extension", "add", dir, "1")
	port := a.Open(1)
	const scheme = "chrome-extension://"

	// Under open, a program can do all that, and the journal has it.
	w, _ := dialWire(t, a.Socket(1))
	w.tab(web.URL)
	var ids []string
	find := func(kind, address string) (id string) {
		t.Helper()
		harness.Wait(t, "the extension's "+kind+" "+address, func() bool {
			for _, i := range w.targetsOf(address) {
				if i.Type == kind && !slices.Contains(ids, i.TargetID) {
					id = i.TargetID
					return true
				}
			}
			return false
		})
		ids = append(ids, id)
		return id
	}
	attach := func(id string) string {
		t.Helper()
		var s struct{ SessionID string }
		w.must("", "Target.attachToTarget", m{"targetId": id, "flatten": true}, &s)
		return s.SessionID
	}
	evaluate := func(session, script string) string {
		t.Helper()
		var r struct{ Result struct{ Value any } }
		w.must(session, "Runtime.evaluate",
			m{"expression": script, "awaitPromise": true, "returnByValue": true, "userGesture": true}, &r)
		return fmt.Sprint(r.Result.Value)
	}
	worker := find("service_worker", "bg.js")
	if got := evaluate(attach(worker), "all()"); !strings.Contains(got, "SECRET-cookie") {
		t.Fatalf("the test's extension reads no cookies: %q", got)
	}
	base := scheme + evaluate(attach(worker), "chrome.runtime.id")
	_, popup := w.tab(base + "/popup.html")
	find("page", "popup.html")
	harness.Wait(t, "its page", func() bool {
		var r struct{ Result struct{ Value string } }
		return w.do(popup, "Runtime.evaluate", m{"expression": "document.title"}, &r) == "" && r.Result.Value == "popup"
	})
	evaluate(popup, `void open(URL.createObjectURL(new Blob(['<p>SECRET-blob'], {type: 'text/html'})))`)
	for _, one := range [][2]string{{"page", "blob:" + base}, {"iframe", "frame.html"},
		{"background_page", "offscreen.html"}} {
		find(one[0], one[1])
	}
	// An empty page that it has opened can reach into the one that opened it.
	evaluate(popup, `void open('about:blank#own')`)
	const through = "opener.chrome.cookies.getAll({}).then((all) => all.map((c) => c.value).join(' '))"
	if got := evaluate(attach(find("page", "about:blank#own")), through); !strings.Contains(got, "SECRET-cookie") {
		t.Fatalf("the empty page reads no cookies: %q", got)
	}
	var recorded []string
	harness.Wait(t, "the journal", func() bool {
		recorded = nil
		for _, line := range a.Journal(1) {
			if strings.HasPrefix(line.Page, base) {
				recorded = append(recorded, line.Name)
			}
		}
		return slices.Contains(recorded, "Runtime.evaluate")
	})
	if !slices.Contains(recorded, "Target.attachToTarget") {
		t.Errorf("the journal does not have who attached to the extension: %q", recorded)
	}

	for name, rules := range map[string]string{
		"guarded":                 `{"preset":"guarded"}`,
		"guarded with all rights": `{"preset":"guarded","rights":{"script":"yes","local":"yes","leave":"yes"}}`,
		"asking":                  `{"preset":"guarded","rights":{"script":"yes","local":"ask"}}`,
		"read-only":               `{"preset":"read-only"}`,
	} {
		t.Run(name, func(t *testing.T) {
			a.Rules(1, rules)
			w, _ := dialWire(t, a.Socket(1))
			const why = "extension"
			for _, id := range ids {
				w.refused("", "Target.attachToTarget", m{"targetId": id, "flatten": true}, why)
				w.refused("", "Target.getTargetInfo", m{"targetId": id}, why)
				if status, body := harness.Fetch(t, http.MethodGet,
					fmt.Sprintf("http://127.0.0.1:%d/devtools/page/%s", port, id), a.Token()); status != 404 {
					t.Errorf("a socket of its own: %d %s", status, body)
				}
			}
			w.refused("", "Target.closeTarget", m{"targetId": worker}, why)
			for _, address := range []string{"/popup.html", "/frame.html"} {
				w.refused("", "Target.createTarget", m{"url": base + address}, why)
				if status, body := harness.Fetch(t, http.MethodPut,
					fmt.Sprintf("http://127.0.0.1:%d/json/new?%s", port, base+address), a.Token()); status != 403 {
					t.Errorf("over HTTP: %d %s", status, body)
				}
			}
			w.refused("", "Storage.clearDataForOrigin", m{"origin": base, "storageTypes": "all"}, why)
			w.refused("", "Extensions.getStorageItems", m{"id": strings.TrimPrefix(base, scheme), "storageArea": "local"}, why)
			if found := w.targetsOf(scheme); len(found) > 0 {
				t.Errorf("it is told of %v", found)
			}
			if _, body := harness.Fetch(t, http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/json/list", port),
				a.Token()); strings.Contains(body, scheme) || !strings.Contains(body, web.URL) {
				t.Errorf("/json/list: %s", body)
			}

			// Whatever attaches by itself, and whoever is stopped by that, goes on.
			all := []any{m{"type": "tab", "exclude": true}, m{}}
			w.must("", "Target.setDiscoverTargets", m{"discover": true, "filter": all}, nil)
			w.must("", "Target.setAutoAttach", m{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true,
				"filter": all}, nil)
			var attached []string
			for _, e := range w.attached() {
				switch {
				case strings.Contains(e.TargetInfo.URL, scheme) && e.TargetInfo.Type != "page":
					t.Errorf("it was attached to %+v", e)
				case slices.Contains(ids, e.TargetInfo.TargetID):
					attached = append(attached, e.SessionID)
				default:
					_ = w.do(e.SessionID, "Runtime.runIfWaitingForDebugger", nil, nil)
				}
			}
			if len(attached) != 3 { // its page, its blob: page and its empty page can be left
				t.Errorf("it was attached to %d tabs of the extension", len(attached))
			}
			for _, session := range attached {
				for method, params := range map[string]any{
					"Runtime.evaluate": m{"expression": "1"}, "DOM.getDocument": nil, "Page.captureScreenshot": nil,
					"Accessibility.getFullAXTree": nil, "Page.getResourceTree": nil, "Storage.getStorageKey": nil,
				} {
					if err := w.do(session, method, params, nil); !strings.Contains(err, why) {
						t.Errorf("%s in its page: %q", method, err)
					}
				}
			}
			for _, secret := range []string{"SECRET-cookie", "SECRET-popup", "SECRET-frame", "SECRET-offscreen",
				"SECRET-blob"} {
				if strings.Contains(w.transcript(), secret) {
					t.Errorf("it heard %s", secret)
				}
			}
		})
	}

	// The tools, whatever the preset: the extension's frame in a page of a site is not read.
	for _, rules := range []string{`{"preset":"open"}`, `{"preset":"guarded","rights":{"script":"yes","local":"yes"}}`} {
		a.Rules(1, rules)
		g := harness.NewOurs(t, a, 1)
		g.Choose(t)
		if s := g.Call("navigate_page", harness.Object{"type": "url", "url": web.URL}); s.Failed {
			t.Fatal(s.Text)
		}
		var text string
		harness.Wait(t, "the frame in the snapshot", func() bool {
			text = g.Call("take_snapshot", nil).Text
			return strings.Contains(text, "this frame is closed to agents")
		})
		if strings.Contains(text, "SECRET-frame") || !strings.Contains(text, "Vault") {
			t.Errorf("under %s the tools see %s", rules, text)
		}
		if s := g.Call("navigate_page", harness.Object{"type": "url", "url": base + "/popup.html"}); !s.Failed ||
			!strings.Contains(s.Text, "extension") {
			t.Errorf("under %s: %s", rules, s.Text)
		}
		tried := 0
		for _, line := range strings.Split(g.Call("list_pages", nil).Plain(), "\n") {
			var n int
			own := strings.Contains(line, base) || strings.Contains(line, "about:blank#own")
			if _, err := fmt.Sscan(line, &n); err != nil || !own {
				continue
			}
			tried++
			if s := g.Call("evaluate_script", harness.Object{"pageId": n, "function": "() => " + through}); !s.Failed ||
				!strings.Contains(s.Text, "extension") {
				t.Errorf("under %s, in %s: %s", rules, line, s.Text)
			}
		}
		if tried != 3 {
			t.Errorf("the tools list %d pages of the extension", tried)
		}
	}
}
