//go:build e2e

package policy

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

	"cove/e2e/harness"
)

// Ways around the single rights of docs/security.md that have worked once.

func TestNoProgramLetsDownloadsThrough(t *testing.T) {
	a, web := harness.Start(t), newFormSite(t)
	a.Must("policy", "set", "1", "--preset", "guarded", "--right", "download=no")
	a.Open(1)
	state := func(w *wire) string {
		t.Helper()
		_, page := w.tab("about:blank")
		w.must(page, "Page.enable", nil, nil)
		before := len(w.transcript())
		_ = w.do(page, "Page.navigate", m{"url": web.URL + "/file"}, nil)
		found := ""
		harness.Wait(t, "the end of the download", func() bool {
			for _, s := range []string{"completed", "canceled"} {
				if strings.Contains(w.transcript()[before:], `"state":"`+s+`"`) {
					found = s
				}
			}
			return found != ""
		})
		return found
	}
	w, _ := dialWire(t, a.Socket(1))
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
	w, _ = dialWire(t, a.Socket(1))
	if got := state(w); got != "canceled" {
		t.Errorf("after that program has left: %s", got)
	}
	// A yes is for the program that asked: when it has left, the browser refuses again.
	a.Must("policy", "set", "1", "--right", "download=ask")
	done := make(chan string, 1)
	go func() {
		done <- w.do("", "Browser.setDownloadBehavior", m{"behavior": "allow", "downloadPath": t.TempDir()}, nil)
	}()
	a.AnswerRequest(t, "put files onto this computer", true)
	if err := <-done; err != "" {
		t.Fatal(err)
	}
	if got := state(w); got != "completed" {
		t.Errorf("after a yes: %s", got)
	}
	other, _ := dialWire(t, a.Socket(1))
	_ = w.ws.CloseNow()
	harness.Wait(t, "the browser to refuse again", func() bool { return state(other) == "canceled" })
}

func TestGoingBackSendsNoFormAgain(t *testing.T) {
	a, web := harness.Start(t), newLockedSite(t)
	a.Must("policy", "set", "1", "--preset", "guarded", "--right", "submit=yes")
	a.Open(1)
	g := a.Agent("1")
	g.Works("navigate_page", harness.Object{"url": web.URL + "/login"})
	g.Works("click", harness.Object{"uid": g.Find(`button "go"`)})
	g.Works("navigate_page", harness.Object{"url": web.URL + "/other"})
	a.Must("policy", "set", "1", "--right", "submit=no")
	w, _ := dialWire(t, a.Socket(1))
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
		g.Works("navigate_page", harness.Object{"type": "back"})
	}
	web.staysSent(t, 1)
}

func TestEveryToolThatClicksAsks(t *testing.T) {
	a, web := harness.Start(t), newFormSite(t)
	formPages["/switches"] = `<title>Switches</title><form action=/sent method=post><input type=password name=password aria-label=Password value=x>
		<button role=switch aria-checked=false>Remember</button><button role=combobox aria-expanded=false aria-label=Country>Country</button><button>Sign in</button>
		<label>Name <input name=n><button>Inside</button></label><input type=checkbox aria-label=Terms></form>`
	t.Cleanup(func() { delete(formPages, "/switches") })
	a.Must("policy", "set", "1", "--preset", "guarded", "--right", "submit=no", "--right", "upload=yes")
	a.Open(1)
	g := a.Agent("1")
	file := filepath.Join(os.TempDir(), fmt.Sprintf("cove-clicks-%d.txt", os.Getpid()))
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Remove(file) }()
	g.Works("navigate_page", harness.Object{"url": web.URL + "/switches"})
	for _, c := range []struct {
		tool string
		args harness.Object
	}{
		{"fill", harness.Object{"uid": g.Find(`switch "Remember"`), "value": "true"}},
		{"fill", harness.Object{"uid": g.Find(`combobox "Country"`), "value": "x"}},
		{"fill_form", harness.Object{"elements": []harness.Object{{"uid": g.Find(`switch "Remember"`),
			"value": "true"}}}},
		{"upload_file", harness.Object{"uid": g.Find(`button "Sign in"`), "filePaths": []string{file}}},
	} {
		g.Fails(c.tool, c.args, "does not allow agents to send forms")
	}
	g.Works("click", harness.Object{"uid": g.Find(`textbox "Password"`)})
	g.Fails("press_key", harness.Object{"key": "Shift+Enter"}, "does not allow agents to send forms")
	g.Fails("type_text", harness.Object{"text": "x", "submitKey": "Shift+Enter"}, "does not allow agents to send forms")
	g.Works("fill", harness.Object{"uid": g.Find(`checkbox "Terms"`), "value": "true"})
	harness.Never(t, 300*time.Millisecond, func() string {
		if got := web.got(); len(got) > 0 {
			return fmt.Sprintf("sent: %v", got)
		}
		return ""
	})
}

// A page that was there before the keeper looked, and one that it never looks at.
func TestNoPageOfARefusedSiteIsMissed(t *testing.T) {
	a := harness.Start(t)
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
	a.Open(1)
	w, _ := dialWire(t, a.Socket(1))
	w.refused("", "Target.createTarget", m{"url": site, "hidden": true}, "hidden pages")
	_, page := w.tab(site)
	var ready struct{ Result struct{ Value bool } }
	harness.Wait(t, "the service worker", func() bool {
		return w.do(page, "Runtime.evaluate",
			m{"expression": "navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(() => true)", "awaitPromise": true, "returnByValue": true}, &ready) == "" && ready.Result.Value
	})
	a.Rules(1, `{"preset":"open","sites":{"block":["`+site+`"]}}`)
	for range 3 {
		id, _ := w.tab(site + "/again")
		harness.Wait(t, "the page to be emptied", func() bool {
			var at struct{ TargetInfo struct{ URL string } }
			w.must("", "Target.getTargetInfo", m{"targetId": id}, &at)
			return at.TargetInfo.URL == "about:blank"
		})
	}
}

func TestProgramsAreNotToldSecrets(t *testing.T) {
	const value = "pl\u00e4in-\"text\" 0451"
	a, web := harness.Start(t), newFormSite(t)
	a.Must("policy", "set", "1", "--preset", "guarded")
	if r := a.Own(http.MethodPost, "/v1.0/browser_profiles/1/secrets",
		fmt.Sprintf(`{"name":"CODE","site":%q,"value":%s}`, web.URL, quote(value))); r.Status != http.StatusOK {
		t.Fatal(r.Raw)
	}
	port := a.Open(1)
	g := a.Agent("1")
	g.Works("navigate_page", harness.Object{"url": web.URL + "/mirror"})
	w, _ := dialWire(t, a.Socket(1))
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
	g.Works("fill", harness.Object{"uid": g.Find(`textbox "Code"`), "value": "{{secret:CODE}}"})
	for method, params := range map[string]any{"DOMSnapshot.captureSnapshot": m{"computedStyles": []string{}},
		"Accessibility.getFullAXTree": nil,
		"DOM.getDocument": m{"depth": -1,
			"pierce": true}, "Page.getNavigationHistory": nil, "Page.getFrameTree": nil} {
		w.must(at.SessionID, method, params, nil)
	}
	heard := w.transcript()
	if !strings.Contains(heard, "typed ") || !strings.Contains(heard, "consoleAPICalled") {
		t.Error("the page has not mirrored what was typed")
	}
	_, listed := harness.Fetch(t, http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/json/list", port), a.Token())
	for _, form := range []string{value, `pl\u00e4in`, `pl\u00E4in`, "pläin", "pl%C3%A4in", `text\" 0451`} {
		for name, text := range map[string]string{"the program": heard, "the list": listed} {
			if i := strings.Index(text, form); i >= 0 {
				t.Errorf("%s was told %q: …%s…", name, form, text[max(0, i-300):min(len(text), i+100)])
			}
		}
	}
}
