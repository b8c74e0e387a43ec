//go:build e2e

package e2e

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Ways around the single rights of docs/security.md that have worked once.

func TestNoProgramLetsDownloadsThrough(t *testing.T) {
	a, web := start(t), newFormSite(t)
	a.must("policy", "set", "1", "--preset", "guarded", "--right", "download=no")
	a.open(1)
	state := func(w *wire) string {
		t.Helper()
		_, page := w.tab("about:blank")
		w.must(page, "Page.enable", nil, nil)
		before := len(w.transcript())
		_ = w.do(page, "Page.navigate", m{"url": web.URL + "/file"}, nil)
		found := ""
		wait(t, "the end of the download", func() bool {
			for _, s := range []string{"completed", "canceled"} {
				if strings.Contains(w.transcript()[before:], `"state":"`+s+`"`) {
					found = s
				}
			}
			return found != ""
		})
		return found
	}
	w, _ := dialWire(t, a.socket(1))
	_, page := w.tab("about:blank")
	for _, behavior := range []string{"default", "deny"} {
		w.must("", "Browser.setDownloadBehavior", m{"behavior": behavior, "eventsEnabled": true}, nil)
		w.must(page, "Browser.setDownloadBehavior", m{"behavior": behavior}, nil)
		w.must(page, "Page.setDownloadBehavior", m{"behavior": behavior}, nil)
		if got := state(w); got != "canceled" {
			t.Errorf("after %s: %s", behavior, got)
		}
	}
	_ = w.ws.CloseNow()
	w, _ = dialWire(t, a.socket(1))
	if got := state(w); got != "canceled" {
		t.Errorf("after that program has left: %s", got)
	}
	// A yes is for the program that asked: when it has left, the browser refuses again.
	a.must("policy", "set", "1", "--right", "download=ask")
	done := make(chan string, 1)
	go func() {
		done <- w.do("", "Browser.setDownloadBehavior", m{"behavior": "allow", "downloadPath": t.TempDir()}, nil)
	}()
	a.answerRequest(t, "put files onto this computer", true)
	if err := <-done; err != "" {
		t.Fatal(err)
	}
	if got := state(w); got != "completed" {
		t.Errorf("after a yes: %s", got)
	}
	other, _ := dialWire(t, a.socket(1))
	_ = w.ws.CloseNow()
	wait(t, "the browser to refuse again", func() bool { return state(other) == "canceled" })
}

func TestGoingBackSendsNoFormAgain(t *testing.T) {
	a, web := start(t), newLockedSite(t)
	a.must("policy", "set", "1", "--preset", "guarded", "--right", "submit=yes")
	a.open(1)
	g := a.agent("1")
	g.works("navigate_page", object{"url": web.URL + "/login"})
	g.works("click", object{"uid": g.find(`button "go"`)})
	g.works("navigate_page", object{"url": web.URL + "/other"})
	a.must("policy", "set", "1", "--right", "submit=no")
	w, _ := dialWire(t, a.socket(1))
	var all struct {
		TargetInfos []struct{ TargetID, URL string }
	}
	w.must("", "Target.getTargets", nil, &all)
	for _, info := range all.TargetInfos {
		if !strings.HasPrefix(info.URL, web.URL) {
			continue
		}
		var at struct{ SessionID string }
		w.must("", "Target.attachToTarget", m{"targetId": info.TargetID, "flatten": true}, &at)
		w.must(at.SessionID, "Network.enable", nil, nil)
		_ = w.do(at.SessionID, "Network.setCacheDisabled", m{"cacheDisabled": true}, nil)
		w.must(at.SessionID, "Network.setCacheDisabled", m{"cacheDisabled": false}, nil)
		_ = w.do(at.SessionID, "Network.setCacheDisabled", m{"cacheDisabled": true}, nil)
		g.works("navigate_page", object{"type": "back"})
	}
	time.Sleep(300 * time.Millisecond)
	if n := web.sent(); n != 1 {
		t.Errorf("it was sent %d times", n)
	}
}

func TestEveryToolThatClicksAsks(t *testing.T) {
	a, web := start(t), newFormSite(t)
	formPages["/switches"] = `<title>Switches</title><form action=/sent method=post><input type=password name=password aria-label=Password value=x>
		<button role=switch aria-checked=false>Remember</button><button role=combobox aria-expanded=false aria-label=Country>Country</button><button>Sign in</button>
		<label>Name <input name=n><button>Inside</button></label><input type=checkbox aria-label=Terms></form>`
	t.Cleanup(func() { delete(formPages, "/switches") })
	a.must("policy", "set", "1", "--preset", "guarded", "--right", "submit=no", "--right", "upload=yes")
	a.open(1)
	g := a.agent("1")
	file := filepath.Join(os.TempDir(), fmt.Sprintf("cove-clicks-%d.txt", os.Getpid()))
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Remove(file) }()
	g.works("navigate_page", object{"url": web.URL + "/switches"})
	for _, c := range []struct {
		tool string
		args object
	}{
		{"fill", object{"uid": g.find(`switch "Remember"`), "value": "true"}},
		{"fill", object{"uid": g.find(`combobox "Country"`), "value": "x"}},
		{"fill_form", object{"elements": []object{{"uid": g.find(`switch "Remember"`), "value": "true"}}}},
		{"upload_file", object{"uid": g.find(`button "Sign in"`), "filePaths": []string{file}}},
	} {
		g.fails(c.tool, c.args, "may not send forms")
	}
	g.works("click", object{"uid": g.find(`textbox "Password"`)})
	g.fails("press_key", object{"key": "Shift+Enter"}, "may not send forms")
	g.fails("type_text", object{"text": "x", "submitKey": "Shift+Enter"}, "may not send forms")
	g.works("fill", object{"uid": g.find(`checkbox "Terms"`), "value": "true"})
	time.Sleep(300 * time.Millisecond)
	if got := web.got(); len(got) > 0 {
		t.Errorf("sent: %v", got)
	}
}

// A page that was there before the keeper looked, and one that it never looks at.
func TestNoPageOfARefusedSiteIsMissed(t *testing.T) {
	a := start(t)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/worker.js" {
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = io.WriteString(w, `onfetch = e => e.respondWith(new Response("<title>kept</title>kept words", {headers: {"Content-Type": "text/html"}}))
				oninstall = () => skipWaiting()
				onactivate = e => e.waitUntil(clients.claim())`)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<!doctype html><title>site</title>words")
	}))
	t.Cleanup(web.Close)
	site := strings.Replace(web.URL, "127.0.0.1", "localhost", 1)
	a.open(1)
	w, _ := dialWire(t, a.socket(1))
	w.refused("", "Target.createTarget", m{"url": site, "hidden": true}, "hidden pages")
	_, page := w.tab(site)
	var ready struct{ Result struct{ Value bool } }
	wait(t, "the service worker", func() bool {
		return w.do(page, "Runtime.evaluate", m{"expression": "navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(() => true)", "awaitPromise": true, "returnByValue": true}, &ready) == "" && ready.Result.Value
	})
	a.rules(1, `{"preset":"open","sites":{"block":["`+site+`"]}}`)
	for range 3 {
		id, _ := w.tab(site + "/again")
		wait(t, "the page to be emptied", func() bool {
			var at struct{ TargetInfo struct{ URL string } }
			w.must("", "Target.getTargetInfo", m{"targetId": id}, &at)
			return at.TargetInfo.URL == "about:blank"
		})
	}
}

func TestProgramsAreNotToldSecrets(t *testing.T) {
	const value = "pl\u00e4in-\"text\" 0451"
	a, web := start(t), newFormSite(t)
	a.must("policy", "set", "1", "--preset", "guarded")
	if r := a.own(http.MethodPost, "/v1.0/browser_profiles/1/secrets", fmt.Sprintf(`{"name":"CODE","site":%q,"value":%s}`, web.URL, quote(value))); r.Status != http.StatusOK {
		t.Fatal(r.Raw)
	}
	port := a.open(1)
	g := a.agent("1")
	g.works("navigate_page", object{"url": web.URL + "/mirror"})
	w, _ := dialWire(t, a.socket(1))
	w.must("", "Target.setDiscoverTargets", m{"discover": true}, nil)
	var all struct {
		TargetInfos []struct{ TargetID, URL string }
	}
	w.must("", "Target.getTargets", nil, &all)
	var at struct{ SessionID string }
	for _, info := range all.TargetInfos {
		if strings.HasPrefix(info.URL, web.URL) {
			w.must("", "Target.attachToTarget", m{"targetId": info.TargetID, "flatten": true}, &at)
		}
	}
	for _, domain := range []string{"Page", "Network", "Runtime", "DOM", "Log", "Accessibility"} {
		w.must(at.SessionID, domain+".enable", nil, nil)
	}
	g.works("fill", object{"uid": g.find(`textbox "Code"`), "value": "{{secret:CODE}}"})
	for method, params := range map[string]any{"DOMSnapshot.captureSnapshot": m{"computedStyles": []string{}}, "Accessibility.getFullAXTree": nil,
		"DOM.getDocument": m{"depth": -1, "pierce": true}, "Page.getNavigationHistory": nil, "Page.getFrameTree": nil} {
		w.must(at.SessionID, method, params, nil)
	}
	heard := w.transcript()
	if !strings.Contains(heard, "typed ") || !strings.Contains(heard, "consoleAPICalled") {
		t.Error("the page has not mirrored what was typed")
	}
	_, listed := fetch(t, http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/json/list", port), a.token())
	for _, form := range []string{value, `pl\u00e4in`, `pl\u00E4in`, "pläin", "pl%C3%A4in", `text\" 0451`} {
		for name, text := range map[string]string{"the program": heard, "the list": listed} {
			if i := strings.Index(text, form); i >= 0 {
				t.Errorf("%s was told %q: …%s…", name, form, text[max(0, i-300):min(len(text), i+100)])
			}
		}
	}
}
