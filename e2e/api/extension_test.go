//go:build e2e

package api

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"cove/e2e/harness"
)

// madeUpExtension is an extension with a background worker, a content script and a popup. Its content script marks the
// page before the page's own scripts run, and tells the site what the worker has stored.
func madeUpExtension(version string, more string) map[string]string {
	return map[string]string{
		"manifest.json": `{"manifest_version":3,"name":"__MSG_name__","default_locale":"en","version":"` + version + `",
			"permissions":["storage"],"background":{"service_worker":"bg.js"},"action":{"default_popup":"popup.html"},
			"content_scripts":[{"matches":["http://127.0.0.1/*"],"js":["cs.js"],"run_at":"document_start"}]` + more + `}`,
		"_locales/en/messages.json": `{"name":{"message":"Made up"}}`,
		"bg.js": `let turn = Promise.resolve();
const add = (change) => turn = turn.then(async () => { const v = await chrome.storage.local.get(null); change(v); await chrome.storage.local.set(v); return v });
chrome.runtime.onInstalled.addListener((d) => add((v) => v.installed = [...v.installed || [], d.reason]));
chrome.runtime.onMessage.addListener((m, s, answer) => { add((v) => { v.count = (v.count || 0) + 1; v.version = chrome.runtime.getManifest().version }).then(answer); return true });`,
		"cs.js": `document.documentElement.dataset.extension = 'yes';
chrome.runtime.sendMessage('hello').then((v) => fetch('/said?id=' + chrome.runtime.id, {method: 'POST', body: JSON.stringify(v)}));`,
		"popup.html": `<p>popup</p><script src="popup.js"></script>`,
		"popup.js":   `chrome.storage.local.get(null).then((v) => document.title = 'popup ' + v.count)`,
	}
}

// TestASlowExtensionHandlesItsInstallation: a browser tells an extension once that it was installed, and what it sets
// up then must be there, also when its background code takes its time to begin.
func TestASlowExtensionHandlesItsInstallation(t *testing.T) {
	a, l := stateStart(t), newListener(t)
	a.Must("profile", "edit", "1", "--start-page", l.base+"/start")
	files := madeUpExtension("1.0", "")
	files["bg.js"] = "for (const end = Date.now() + 4000; Date.now() < end;);\n" + files["bg.js"]
	a.Must("extension", "add", writeExtension(t, t.TempDir(), files), "1")
	a.Open(1)
	if s := l.heard(t); len(s.Installed) == 0 || s.Installed[0] != "install" {
		t.Errorf("%+v", s)
	}
}

// writeExtension writes the files of an extension into a folder.
func writeExtension(t *testing.T, dir string, files map[string]string) string {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// zipped is the same as a .zip file.
func zipped(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, text := range files {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// saying is what the extension told the site.
type saying struct {
	ID        string
	Count     int
	Version   string
	Installed []string
}

// listener is a site that hears of extensions.
type listener struct {
	base string
	mu   sync.Mutex
	said []saying
	seen []string // "path extension webdriver", as each page's own script found it
}

func newListener(t *testing.T) *listener {
	l := &listener{}
	l.base = harness.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		l.mu.Lock()
		defer l.mu.Unlock()
		switch r.URL.Path {
		case "/said":
			s := saying{ID: r.URL.Query().Get("id")}
			_ = json.NewDecoder(r.Body).Decode(&s)
			l.said = append(l.said, s)
		case "/seen":
			l.seen = append(l.seen, r.URL.Query().Get("what"))
		case "/favicon.ico":
		default:
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Cache-Control", "no-store")
			fmt.Fprint(w, `<title>page</title><script>fetch('/seen?what=' + encodeURIComponent([location.pathname,
document.documentElement.dataset.extension, navigator.webdriver].join(' ')), {method: 'POST'})</script>`)
		}
	})
	return l
}

func (l *listener) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.said, l.seen = nil, nil
}

// heard waits for the extension on the first page, and returns what it said.
func (l *listener) heard(t *testing.T) (s saying) {
	t.Helper()
	if !harness.Poll(harness.Patience, func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		if len(l.said) == 0 {
			return false
		}
		s = l.said[0]
		return true
	}) {
		l.mu.Lock()
		defer l.mu.Unlock()
		t.Fatalf("the extension said nothing, and the pages saw %q", l.seen)
	}
	return s
}

// saw waits for the page's own script.
func (l *listener) saw(t *testing.T) (what string) {
	t.Helper()
	harness.Wait(t, "the page", func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		if len(l.seen) == 0 {
			return false
		}
		what = l.seen[0]
		return true
	})
	return what
}

// refusing is a browser that does not know --load-extension, as Chrome since version 137.
func refusing(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "chrome")
	harness.Script(t, path, `for one do shift; case "$one" in --load-extension*) ;; *) set -- "$@" "$one";; esac; done
exec /usr/bin/chromium "$@"`)
	return path
}

func TestExtensionsWorkInBothModes(t *testing.T) {
	t.Run("Chromium", func(t *testing.T) { extensionLife(t, "") })
	t.Run("a browser without --load-extension", func(t *testing.T) { extensionLife(t, refusing(t)) })
}

func extensionLife(t *testing.T, browser string) {
	a, l, dir := stateStart(t), newListener(t), t.TempDir()
	a.Must("profile", "edit", "1", "--browser", browser, "--start-page", l.base+"/start")
	each := func(mode string, check func(port int)) {
		t.Helper()
		l.forget()
		port := 0
		if mode == "ordinary" {
			a.OpenOrdinary(1)
			line := strings.Join(a.Processes("--user-data-dir"), "\n")
			for _, flag := range []string{"remote-debugging", "extension-debugging", "--load-extension=/"} {
				if strings.Contains(line, flag) {
					t.Errorf("ordinary mode has %s: %s", flag, line)
				}
			}
		} else {
			port = a.Open(1)
			if line := strings.Join(a.Processes(""), "\n"); strings.Contains(line, "extension-debugging") {
				t.Errorf("agents' browser can be made to install extensions: %s", line)
			}
		}
		check(port)
		a.Close(1)
	}
	both := func(check func(mode string)) {
		t.Helper()
		for _, mode := range []string{"ordinary", "automation"} {
			each(mode, func(int) { check(mode) })
		}
	}

	// A tab and a session cookie from before.
	each("automation", func(port int) {
		b := harness.NewTab(t, port)
		b.Visit(l.base + "/before")
		b.Eval(`document.cookie = 'session=1'`, nil)
		b.Call("Page.close", nil, nil)
		other := harness.NewTab(t, port)
		other.Visit(l.base + "/before")
	})
	both(func(mode string) {
		if what := l.saw(t); !strings.Contains(what, "  ") {
			t.Errorf("%s mode without an extension: %q", mode, what)
		}
	})
	if harness.Exists(a.File(1, "data_dir/Cove Extensions")) {
		t.Error("a profile without extensions has a record of them")
	}

	writeExtension(t, dir, madeUpExtension("1.0", ""))
	if out := a.Must("extension", "add", dir, "1"); !strings.Contains(out, "Made up 1.0") ||
		!strings.Contains(out, "Reads and changes 127.0.0.1.") {
		t.Errorf("added: %s", out)
	}
	var id string
	last := 0
	// works checks that the same extension is on the first page, and still knows what it stored.
	works := func(mode, version string) {
		t.Helper()
		s := l.heard(t)
		if id == "" {
			id = s.ID
		}
		if s.ID != id || s.Count <= last || s.Version != version || len(s.Installed) == 0 || s.Installed[0] != "install" {
			t.Errorf("%s mode: %+v after %d", mode, s, last)
		}
		last = s.Count
		want := map[string]string{"ordinary": " yes false", "automation": " yes true"}[mode]
		if what := l.saw(t); !strings.HasSuffix(what, want) {
			t.Errorf("%s mode: the first page saw %q", mode, what)
		}
	}
	both(func(mode string) { works(mode, "1.0") })
	a.Kill()
	a.Up()
	each("automation", func(port int) {
		works("automation", "1.0")
		b := harness.NewTab(t, port)
		b.Call("Page.navigate", map[string]any{"url": "chrome-extension://" + id + "/popup.html"}, nil)
		b.Until(`document.title.startsWith('popup ')`)
		b.Visit(l.base + "/cookie")
		var cookie string
		b.Eval(`document.cookie`, &cookie)
		if cookie != "session=1" {
			t.Errorf("the session cookie is %q", cookie)
		}
		if pages := strings.Join(statePages(t, port), " "); !strings.Contains(pages, "/before") {
			t.Errorf("the tab of the last session is gone: %s", pages)
		}
	})

	a.Must("extension", "disable", "Made up", "1")
	both(func(mode string) {
		if what := l.saw(t); strings.Contains(what, "yes") {
			t.Errorf("%s mode, disabled: %q", mode, what)
		}
	})
	a.Must("extension", "enable", "Made up", "1")
	both(func(mode string) { works(mode, "1.0") })

	// A newer version, while the profile is open with the old one.
	each("automation", func(int) {
		works("automation", "1.0")
		writeExtension(t, dir, madeUpExtension("2.0", ""))
		if out := a.Must("extension", "add", dir, "--replace", "Made up"); !strings.Contains(out, "2.0 replaces 1.0") {
			t.Errorf("replaced: %s", out)
		}
	})
	both(func(mode string) { works(mode, "2.0") })
	if copies, err := filepath.Glob(filepath.Join(a.Home, "extensions", "*", "*")); err != nil || len(copies) != 2 {
		t.Errorf("copies: %q, %v", copies, err) // the old one was in use then
	}

	a.Must("extension", "remove", "Made up", "--all")
	both(func(mode string) {
		if what := l.saw(t); strings.Contains(what, "yes") {
			t.Errorf("%s mode, removed: %q", mode, what)
		}
	})
	prefs, err := os.ReadFile(a.File(1, "data_dir/Default/Preferences"))
	if err != nil || strings.Contains(string(prefs), `"path":"`+a.Home) {
		t.Errorf("the browser still knows the removed extension: %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(a.Home, "extensions", "*")); err != nil || len(left) != 0 {
		t.Errorf("left of a removed extension: %q, %v", left, err)
	}
	last = 0
	writeExtension(t, dir, madeUpExtension("1.0", ""))
	a.Must("extension", "add", dir, "1")
	each("ordinary", func(int) {
		works("ordinary", "1.0")
		if last != 1 {
			t.Errorf("what a removed extension had stored is back: %d", last)
		}
	})
}

// talkative is an extension that calls a site whenever its worker starts, and for each event of its life.
func talkative(name, base string) map[string]string {
	return map[string]string{
		"manifest.json": `{"manifest_version":3,"name":"` + name + `","version":"1","host_permissions":["http://*/*"],
			"permissions":["alarms"],"background":{"service_worker":"bg.js"}}`,
		"bg.js": `const tell = (event) => fetch('` + base + `/call?event=` + name + `-' + event).catch(() => 0);
tell('runs');
chrome.runtime.onInstalled.addListener((d) => tell(d.reason));
chrome.runtime.onStartup.addListener(() => tell('startup'));`,
	}
}

// An installation has no network: neither new extensions nor those that were there call a site from a browser without a
// window. They do when the profile opens.
func TestNothingLeavesWhileExtensionsAreInstalled(t *testing.T) {
	a := stateStart(t, harness.Headed)
	var mu sync.Mutex
	var calls []string
	base := harness.Serve(t, func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/call" {
			mu.Lock()
			defer mu.Unlock()
			window := "window"
			if strings.Contains(r.UserAgent(), "Headless") {
				window = "headless"
			}
			calls = append(calls, r.URL.Query().Get("event")+" "+window)
		}
	})
	for _, name := range []string{"first", "second"} {
		a.Must("extension", "add", writeExtension(t, t.TempDir(), talkative(name, base)), "1")
		mu.Lock()
		calls = nil
		mu.Unlock()
		a.OpenOrdinary(1)
		harness.Wait(t, "a call of "+name, func() bool {
			mu.Lock()
			defer mu.Unlock()
			return strings.Contains(strings.Join(calls, ","), name+"-startup window")
		})
		a.Close(1)
		mu.Lock()
		if all := strings.Join(calls, ", "); strings.Contains(all, "headless") {
			t.Errorf("the installation of %s called: %s", name, all)
		}
		mu.Unlock()
	}
}

func TestAnExtensionThatTheBrowserRefusesStopsTheStart(t *testing.T) {
	a, dir := stateStart(t), t.TempDir()
	files := madeUpExtension("1.0", "")
	files["manifest.json"] = strings.Replace(files["manifest.json"], `"bg.js"`, `"missing.js"`, 1)
	a.Must("extension", "add", writeExtension(t, dir, files), "1")
	r := a.Get(harness.StatePath(1, "/start?automation=1"))
	if r.Status < 500 || r.Code() != "E_EXTENSION" || !strings.Contains(r.Raw, "Made up") {
		t.Errorf("%d %s", r.Status, r.Raw)
	}
	a.Must("extension", "disable", "1", "1")
	a.Open(1)
}

func TestAKilledInstallationIsRepeated(t *testing.T) {
	a, l := stateStart(t), newListener(t)
	a.Must("profile", "edit", "1", "--start-page", l.base+"/start")
	port := a.Open(1)
	harness.NewTab(t, port).Visit(l.base + "/before")
	a.Close(1)
	a.Must("extension", "add", writeExtension(t, t.TempDir(), madeUpExtension("1.0", "")), "1")
	for _, after := range []time.Duration{
		100 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second,
	} {
		done := make(chan struct{})
		go func() { defer close(done); _, _ = a.Try("GET", harness.StatePath(1, "/start"), "") }()
		harness.Delay(t.Context(), after)
		for _, line := range a.Processes(" keeper 1") {
			if pid, err := strconv.Atoi(strings.Fields(line)[0]); err == nil {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
		<-done
		harness.Wait(t, "the end of the killed start", func() bool { state, _ := a.State(1); return state == "" || state == "open" })
		a.Close(1)
	}
	// The last start may have opened the person's browser before its keeper was killed. Such a browser is found again.
	a.OpenOrdinary(1)
	a.Close(1)
	l.forget()
	port = a.Open(1)
	l.heard(t)
	if pages := strings.Join(statePages(t, port), " "); !strings.Contains(pages, "/before") {
		t.Errorf("the tab of the last session is gone: %s", pages)
	}
	if harness.Exists(a.File(1, "data_dir/Default/Sessions.cove-aside")) {
		t.Error("tabs lie aside")
	}
}

// uploadForm is the body of an upload, and its type. Fields come in pairs.
func uploadForm(t *testing.T, file []byte, fields ...string) (body, kind string) {
	t.Helper()
	var out bytes.Buffer
	form := multipart.NewWriter(&out)
	for i := 0; i < len(fields); i += 2 {
		if err := form.WriteField(fields[i], fields[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if file != nil {
		f, err := form.CreateFormFile("file", "extension.zip")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(file); err != nil {
			t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String(), form.FormDataContentType()
}

func TestExtensionsOverTheAPI(t *testing.T) {
	a := stateStart(t)
	guarded, open := a.Create(`{"name":"guarded"}`), a.Create(`{"name":"open"}`)
	a.Rules(guarded, `{"preset":"guarded"}`)
	token := "Bearer " + a.APIToken()
	send := func(file []byte, fields ...string) harness.Answer {
		t.Helper()
		body, kind := uploadForm(t, file, fields...)
		return a.Request("POST", "/extensions/upload-zipped", body, "Authorization", token, "Content-Type", kind)
	}
	call := func(method, path, body string) harness.Answer {
		t.Helper()
		return a.Request(method, path, body, "Authorization", token, "Content-Type", "application/json")
	}
	of := func(id int) string {
		t.Helper()
		r := call("GET", harness.StatePath(id, "/extensions"), "")
		harness.MustSucceed(t, r)
		var names []string
		data, _ := r.Body["data"].([]any)
		for _, one := range data {
			names = append(names, fmt.Sprintf("%v %v", harness.Member(one, "name"), harness.Member(one, "enabled")))
		}
		return strings.Join(names, " ")
	}
	good := zipped(t, madeUpExtension("1.0", `,"permissions":["debugger"]`))

	// As Dolphin's clients send it: every profile without rules gets it.
	r := send(good, "extensionName", "Mine", "sharedToEntireTeam", "true", "mainWebsite[]", "google")
	harness.MustSucceed(t, r)
	id := harness.Member(r.Body, "data", "id")
	if r.Body["success"] != true || id != 1.0 || harness.Member(r.Body, "data", "name") != "Mine" ||
		fmt.Sprint(r.Body["profileIds"]) != fmt.Sprintf("[1 %d]", open) || fmt.Sprint(r.Body["ignored"]) != "[mainWebsite]" {
		t.Errorf("%s", r.Raw)
	}
	if of(1) != "Mine true" || of(open) != "Mine true" || of(guarded) != "" {
		t.Errorf("%q, %q, %q", of(1), of(open), of(guarded))
	}
	r = call("GET", "/extensions?limit=1", "")
	harness.MustSucceed(t, r)
	for _, key := range []string{"current_page", "data", "first_page_url", "from", "last_page", "last_page_url",
		"next_page_url", "path", "per_page", "prev_page_url", "to", "total"} {
		if _, ok := r.Body[key]; !ok {
			t.Errorf("the page has no %s: %s", key, r.Raw)
		}
	}
	if !strings.Contains(r.Raw, `"risky":true`) || !strings.Contains(r.Raw, "get around") {
		t.Errorf("the list does not say what agents could do: %s", r.Raw)
	}

	a.Unchanged(func() {
		large := append(bytes.Clone(good), make([]byte, 64<<20)...)
		for name, try := range map[string]struct {
			status int
			do     func() harness.Answer
		}{
			"no credential": {401, func() harness.Answer {
				body, kind := uploadForm(t, good)
				return a.Request("POST", "/extensions/upload-zipped", body, "Content-Type", kind)
			}},
			"no form":           {400, func() harness.Answer { return call("POST", "/extensions/upload-zipped", "{}") }},
			"no file":           {400, func() harness.Answer { return send(nil, "extensionName", "x") }},
			"no archive":        {422, func() harness.Answer { return send([]byte("hello")) }},
			"an escape":         {422, func() harness.Answer { return send(zipped(t, map[string]string{"manifest.json": "{}", "../x": ""})) }},
			"too large":         {413, func() harness.Answer { return send(large) }},
			"no such profile":   {404, func() harness.Answer { return send(good, "profileIds", "99") }},
			"a strange profile": {400, func() harness.Answer { return send(good, "profileIds", "x") }},
			"no such extension": {404, func() harness.Answer { return send(good, "replaces", "99") }},
			"a guarded profile": {403, func() harness.Answer { return send(good, "profileIds", strconv.Itoa(guarded)) }},
			"attach to it": {403, func() harness.Answer {
				return call("POST", "/extensions/attach", fmt.Sprintf(`{"extensionIds":[1],"profileIds":[1,%d]}`, guarded))
			}},
			"into it": {403, func() harness.Answer {
				return call("POST", harness.StatePath(guarded, "/extensions"), `{"extensionIds":[1]}`)
			}},
			"a store": {501, func() harness.Answer { return call("POST", "/extensions", `{"url":"https://example.com/x"}`) }},
			"unknown": {404, func() harness.Answer { return call("DELETE", "/extensions", `{"ids":[1,99]}`) }},
		} {
			if r := try.do(); r.Status != try.status {
				t.Errorf("%s: %d %s", name, r.Status, r.Raw)
			}
		}
	})

	// The person gives it to the guarded profile; from then on programs cannot take it away or change it.
	harness.MustSucceed(t, a.Own("POST", harness.StatePath(guarded, "/extensions"), `{"extensionIds":["1"]}`))
	newer := zipped(t, madeUpExtension("1.1", ""))
	for name, r := range map[string]harness.Answer{
		"disable": call("PATCH", "/extensions", `{"extensionIds":[1],"enabled":false}`),
		"detach":  call("DELETE", harness.StatePath(guarded, "/extensions"), `{"extensionIds":[1]}`),
		"replace": send(newer, "replaces", "1"),
		"delete":  call("DELETE", "/extensions", `{"ids":[1]}`),
	} {
		if r.Status != 403 || r.Code() != "E_NOT_PERSON" {
			t.Errorf("%s: %d %s", name, r.Status, r.Raw)
		}
	}
	harness.MustSucceed(t, call("PATCH", "/extensions", fmt.Sprintf(`{"extensionIds":[1],"profileIds":[1,%d],"enabled":false}`, open)))
	if of(1) != "Mine false" || of(open) != "Mine false" || of(guarded) != "Mine true" {
		t.Errorf("%q, %q, %q", of(1), of(open), of(guarded))
	}
	harness.MustSucceed(t, call("POST", harness.StatePath(open, "/clone"), `{}`))
	if of(open+1) != "Mine false" {
		t.Errorf("the copy has %q", of(open+1))
	}
	harness.MustSucceed(t, call("POST", "/extensions/detach", fmt.Sprintf(`{"extensionIds":[1],"profileIds":[1,%d]}`, open)))
	if of(1) != "" || of(open) != "" {
		t.Errorf("%q, %q", of(1), of(open))
	}
	harness.MustSucceed(t, a.Own("DELETE", "/extensions", `{"ids":[1]}`))
	if of(guarded) != "" {
		t.Errorf("%q", of(guarded))
	}
}
