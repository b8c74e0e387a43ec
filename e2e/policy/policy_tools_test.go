//go:build e2e

package policy

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"cove/e2e/harness"
)

// formSite serves pages with forms and keeps what was sent to them.
type formSite struct {
	*httptest.Server
	mu   sync.Mutex
	sent []string
}

var formPages = map[string]string{
	"/login":    `<title>Login</title><form action=/sent method=post><input name=user aria-label=User><input type=password name=password aria-label=Password><button>Sign in</button><button type=button id=show onclick="document.querySelector('[name=password]').type='text'">Show</button></form>`,
	"/get":      `<title>Get</title><form action=/sent><input name=q aria-label=Query><input type=password name=key aria-label=Key><button>Go</button></form>`,
	"/spa":      `<title>Spa</title><div><input type=password aria-label=Password id=p><a href="#" onclick="fetch('/sent?p='+encodeURIComponent(p.value));return false">Continue</a></div>`,
	"/pay":      `<title>Pay</title><form action=/sent><input autocomplete=cc-number name=n aria-label=Card><button>Pay now</button></form>`,
	"/search":   `<title>Search</title><form action=/sent><input name=q aria-label=Query><button>Search</button></form>`,
	"/download": `<title>Files</title><a href=/file>Get the file</a>`,
	"/upload":   `<title>Upload</title><input type=file aria-label=File>`,
	"/mirror":   `<title>Mirror</title><input aria-label=Code id=c oninput="o.textContent='typed '+c.value;console.log('value',c.value);document.title='T '+c.value;location.hash=encodeURIComponent(c.value);document.cookie='k='+c.value"><p id=o></p><button onclick="fetch('/sent?code='+encodeURIComponent(c.value)+'&b='+btoa('user:'+c.value));alert('hello '+c.value)">Send</button>`,
}

func newFormSite(t *testing.T) *formSite {
	t.Helper()
	s := &formSite{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch page, ok := formPages[r.URL.Path]; {
		case ok:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Set-Cookie", "session=cookie-value-0451; Path=/")
			_, _ = io.WriteString(w, "<!doctype html>"+page)
		case r.URL.Path == "/file":
			w.Header().Set("Content-Disposition", `attachment; filename="report.txt"`)
			_, _ = io.WriteString(w, "the file")
		case r.URL.Path == "/sent":
			_ = r.ParseForm()
			s.mu.Lock()
			s.sent = append(s.sent, r.Form.Encode())
			s.mu.Unlock()
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, "<!doctype html><title>Sent</title>thank you")
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *formSite) got() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.sent...)
}

func TestReadOnlyAgentsLookAndNothingElse(t *testing.T) {
	web := newFormSite(t)
	a := harness.Start(t)
	a.Open(1)
	m := a.Agent("1")
	m.Works("navigate_page", harness.Object{"url": web.URL + "/search"})
	uid := m.Find(`button "Search"`)
	a.Must("policy", "set", "1", "--preset", "read-only")
	if n := len(m.Tools()); n != 35 {
		t.Errorf("%d tools", n)
	}
	for name, args := range map[string]harness.Object{"click": {"uid": uid}, "hover": {"uid": uid},
		"drag": {"from_uid": uid, "to_uid": uid}, "fill": {"uid": uid, "value": "x"}, "press_key": {"key": "Enter"},
		"type_text": {"text": "x"}, "navigate_page": {"url": web.URL + "/pay"}, "new_page": {"url": "about:blank"},
		"close_page": {"pageId": 1}, "emulate": {}, "resize_page": {"width": 400, "height": 400},
		"evaluate_script": {"function": "() => 1"}, "upload_file": {"uid": uid, "filePaths": []string{"/tmp/x"}},
		"handle_dialog":     {"action": "accept"},
		"take_heapsnapshot": {"filePath": "x.heapsnapshot"}, "performance_start_trace": {}, "lighthouse_audit": {}, "screencast_start": {}, "fill_form": {"elements": []harness.Object{{"uid": uid, "value": "x"}}}} {
		m.Fails(name, args, "policy does not allow")
	}
	for _, name := range []string{"list_pages", "take_snapshot", "take_screenshot", "list_console_messages",
		"list_network_requests"} {
		m.Works(name, nil)
	}
	m.Works("wait_for", harness.Object{"text": []string{"Search"}})
	if len(web.got()) > 0 {
		t.Errorf("sent: %v", web.got())
	}
	a.Must("policy", "set", "1", "--preset", "open")
	m.Works("click", harness.Object{"uid": uid})
}

func TestAPersonIsAskedBeforeAFormWithAPasswordIsSent(t *testing.T) {
	web := newFormSite(t)
	a := harness.Start(t)
	a.Open(1)
	a.Must("policy", "set", "1", "--preset", "guarded")
	m := a.Agent("1")
	held := func(name string, args harness.Object) (*harness.Request, harness.Waiting) {
		t.Helper()
		r := m.BeginTool(name, args)
		w := a.Asked(1)
		if w.Class != "submit" || w.Agent.Name != "e2e" || len(w.Picture) < 500 || !strings.HasPrefix(w.Page, web.URL) {
			t.Errorf("asked: %s %q on %s by %s, a picture of %d bytes", w.Class, w.What, w.Page, w.Agent.Name,
				len(w.Picture))
		}
		if n := len(web.got()); n > 0 {
			t.Errorf("sent before the answer: %v", web.got())
		}
		return r, w
	}
	refused := func(name string, args harness.Object) string {
		t.Helper()
		r, w := held(name, args)
		a.Decide(1, w, false)
		got := r.Tool()
		if !got.IsError || !strings.Contains(got.Text, "denied this") {
			t.Errorf("%s after a no: %s", name, got.Text)
		}
		return w.What
	}
	m.Works("navigate_page", harness.Object{"url": web.URL + "/login"})
	m.Works("fill", harness.Object{"uid": m.Find(`textbox "User"`), "value": "me"})
	m.Works("click", harness.Object{"uid": m.Find(`textbox "Password"`)}) // only puts the cursor there
	if what := refused("click", harness.Object{"uid": m.Find(`button "Sign in"`)}); !strings.Contains(what,
		`button "Sign in"`) || !strings.Contains(what, "password") {
		t.Errorf("what: %s", what)
	}
	refused("press_key", harness.Object{"key": "Enter"})
	refused("press_key", harness.Object{"key": "NumpadEnter"})
	refused("type_text", harness.Object{"text": "hunter2", "submitKey": "Enter"})
	refused("type_text", harness.Object{"text": "hunter2\n"})
	refused("drag", harness.Object{"from_uid": m.Find(`textbox "User"`), "to_uid": m.Find(`button "Sign in"`)})
	m.Works("type_text", harness.Object{"text": "hunter2"})
	r, w := held("click", harness.Object{"uid": m.Find(`button "Sign in"`)})
	a.Decide(1, w, true)
	if got := r.Tool(); got.IsError {
		t.Fatalf("after a yes: %s", got.Text)
	}
	if got := web.got(); len(got) != 1 || !strings.Contains(got[0], "password=hunter2") {
		t.Errorf("sent: %v", got)
	}
	web.mu.Lock()
	web.sent = nil
	web.mu.Unlock()

	// A card, and a page that sends by a script of its own and has no form.
	m.Works("navigate_page", harness.Object{"url": web.URL + "/pay"})
	refused("click", harness.Object{"uid": m.Find(`button "Pay now"`)})
	m.Works("navigate_page", harness.Object{"url": web.URL + "/spa"})
	m.Works("click", harness.Object{"uid": m.Find(`link "Continue"`)}) // nothing is filled in
	web.mu.Lock()
	web.sent = nil
	web.mu.Unlock()
	m.Works("fill", harness.Object{"uid": m.Find(`textbox "Password"`), "value": "hunter2"})
	refused("click", harness.Object{"uid": m.Find(`link "Continue"`)})

	// Other forms need nobody.
	m.Works("navigate_page", harness.Object{"url": web.URL + "/search"})
	m.Works("fill", harness.Object{"uid": m.Find(`textbox "Query"`), "value": "x"})
	m.Works("press_key", harness.Object{"key": "Enter"})
	if got := web.got(); len(got) != 1 || got[0] != "q=x" {
		t.Errorf("sent: %v", got)
	}

	// Scripts are no way around, and neither is a batch.
	m.Fails("evaluate_script", harness.Object{"function": "() => document.cookie"},
		"does not allow agents to run scripts")
	m.Fails("navigate_page", harness.Object{"url": web.URL + "/login", "initScript": "1"},
		"does not allow agents to run scripts")
	m.Fails("take_heapsnapshot", harness.Object{"filePath": "x.heapsnapshot"}, "does not allow agents to run scripts")
	b := a.Agent("1", "--tools", "batch")
	b.Fails("batch", harness.Object{"calls": []harness.Object{{"tool": "evaluate_script",
		"arguments": harness.Object{"function": "() => 1"}}}}, "does not allow agents to run scripts")
}

func TestUploadsAndDownloadsWaitForThePerson(t *testing.T) {
	web := newFormSite(t)
	a := harness.Start(t)
	a.Open(1)
	a.Must("policy", "set", "1", "--preset", "guarded")
	m := a.Agent("1")
	name := filepath.Join(os.TempDir(), fmt.Sprintf("cove-upload-%d.txt", os.Getpid()))
	if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Remove(name) }()
	m.Works("navigate_page", harness.Object{"url": web.URL + "/upload"})
	uid := m.Find(`button "File"`)
	for _, yes := range []bool{false, true} {
		r := m.BeginTool("upload_file", harness.Object{"uid": uid, "filePaths": []string{name}})
		w := a.Asked(1)
		if w.Class != "upload" || !strings.Contains(w.What, name) {
			t.Errorf("asked: %+v", w)
		}
		a.Decide(1, w, yes)
		if got := r.Tool(); got.IsError == yes {
			t.Errorf("upload after %v: %s", yes, got.Text)
		}
	}

	m.Works("navigate_page", harness.Object{"url": web.URL + "/download"})
	link := m.Find(`link "Get the file"`)
	r := m.BeginTool("click", harness.Object{"uid": link})
	w := a.Asked(1)
	if w.Class != "download" || !strings.Contains(w.What, "report.txt") {
		t.Errorf("asked: %+v", w)
	}
	a.Decide(1, w, false)
	if got := r.Tool(); !strings.Contains(got.Text, "Download canceled") || !strings.Contains(got.Text, "denied this") {
		t.Errorf("after a no: %s", got.Text)
	}
	r = m.BeginTool("click", harness.Object{"uid": link})
	a.Decide(1, a.Asked(1), true)
	if got := r.Tool(); !strings.Contains(got.Text, "again") {
		t.Errorf("after a yes: %s", got.Text)
	}
	if got := m.Works("click", harness.Object{"uid": link}); !strings.Contains(got, "Download completed") {
		t.Errorf("the second time: %s", got)
	}
	r = m.BeginTool("click", harness.Object{"uid": link}) // a yes is for one file
	a.Decide(1, a.Asked(1), false)
	if got := r.Tool(); !strings.Contains(got.Text, "denied this") {
		t.Errorf("another one: %s", got.Text)
	}
	a.Must("policy", "set", "1", "--right", "download=no")
	if got := m.Works("click", harness.Object{"uid": link}); !strings.Contains(got, "Download canceled") ||
		!strings.Contains(got, "policy does not allow") {
		t.Errorf("where it is not allowed: %s", got)
	}
	m.Works("new_page", harness.Object{"url": web.URL + "/download", "isolatedContext": "other"})
	if got := m.Works("click", harness.Object{"uid": m.Find(`link "Get the file"`)}); !strings.Contains(got,
		"Download canceled") {
		t.Errorf("in another context: %s", got)
	}
}

func TestPagesOfThisComputer(t *testing.T) {
	a := harness.Start(t)
	a.Open(1)
	m := a.Agent("1")
	for _, address := range []string{"chrome://version", "about:version", "file:///"} {
		m.Fails("new_page", harness.Object{"url": address}, "pages are closed to agents")
	}
	a.Must("policy", "set", "1", "--right", "local=ask")
	for _, yes := range []bool{false, true} {
		r := m.BeginTool("new_page", harness.Object{"url": "chrome://version"})
		w := a.Asked(1)
		if w.Class != "local" || !strings.Contains(w.What, "chrome://version") {
			t.Errorf("asked: %+v", w)
		}
		a.Decide(1, w, yes)
		if got := r.Tool(); got.IsError == yes {
			t.Errorf("after %v: %s", yes, got.Text)
		}
	}
	m.Works("take_snapshot", nil)
	a.Must("policy", "set", "1", "--right", "local=yes")
	m.Works("new_page", harness.Object{"url": "file:///"})
	a.Must("policy", "set", "1", "--right", "local=no")
	m.Fails("take_snapshot", nil, "pages are closed to agents")
}

func TestTakeOverAndPanicHoldAndCutAgents(t *testing.T) {
	web := newFormSite(t)
	a := harness.Start(t)
	a.Open(1)
	m := a.Agent("1")
	m.Works("navigate_page", harness.Object{"url": web.URL + "/search"})
	a.Access(1, "POST", "/v1/access/takeover", harness.Object{}, nil)
	r := m.BeginTool("take_snapshot", nil)
	m.Tools()
	if !r.Waits() {
		t.Error("a call went on while the person works")
	}
	a.Access(1, "POST", "/v1/access/giveback", harness.Object{}, nil)
	if got := r.Tool(); got.IsError || !strings.Contains(got.Text, "has given the profile back") {
		t.Errorf("after giving back: %s", got.Text)
	}
	if text := m.Works("list_pages", nil); strings.Contains(text, "given") {
		t.Errorf("told twice: %s", text)
	}
	long := m.BeginTool("wait_for", harness.Object{"text": []string{"never there"}, "timeout": 60000})
	m.Works("list_pages", nil)
	a.Access(1, "POST", "/v1/access/suspend", harness.Object{"on": true}, nil)
	if got := long.Tool(); !got.IsError || !strings.Contains(got.Text, "stopped all agents") {
		t.Errorf("a call in panic: %s", got.Text)
	}
	m.Fails("list_pages", nil, "stopped all agents")
	other := a.Bridge("1")
	if _, err := other.Call("initialize", harness.Object{"protocolVersion": "2025-11-25",
		"capabilities": harness.Object{},
		"clientInfo": harness.Object{"name": "other",
			"version": "1"}}); err == nil || !strings.Contains(err.Error(), "stopped all agents") {
		t.Errorf("another comes in: %v", err)
	}
	a.Access(1, "POST", "/v1/access/suspend", harness.Object{"on": false}, nil)
	m.Works("list_pages", nil)
	a.Must("policy", "set", "1", "--preset", "off")
	m.Fails("list_pages", nil, "not allowed in this profile")
	var s struct{ Agents []harness.Object }
	a.Access(1, "GET", "/v1/access?once=1", nil, &s)
	if len(s.Agents) > 0 {
		t.Errorf("admitted: %v", s.Agents)
	}
	var person []string // what the journal says of them
	for _, l := range a.Journal(1) {
		if l.Agent.Kind == "keeper" {
			person = append(person, l.Name)
		}
	}
	if got := strings.Join(person, " "); got != "opened takeover giveback panic panic lifted policy" {
		t.Errorf("the journal has of the person: %s", got)
	}
}

func TestOneAgentDrivesAtATime(t *testing.T) {
	a := harness.Start(t)
	a.Open(1)
	a.Must("policy", "set", "1", "--one-driver")
	m, other := a.Agent("1"), a.Agent("1")
	m.Works("new_page", harness.Object{"url": "about:blank"})
	other.Works("list_pages", nil)
	r := other.BeginTool("new_page", harness.Object{"url": "about:blank"})
	m.Works("list_pages", nil)
	if !r.Waits() {
		t.Error("two drive")
	}
	if got := r.Tool(); !got.IsError ||
		!strings.Contains(got.Text, "Another agent is in control of this profile: e2e 1") {
		t.Errorf("the other: %s", got.Text)
	}
}

func TestAnAllowedClientAnswersInItsOwnWindow(t *testing.T) {
	web := newFormSite(t)
	a := harness.Start(t)
	a.Open(1)
	a.Must("policy", "set", "1", "--preset", "guarded")
	var mu sync.Mutex
	var questions []string
	client := func() *harness.MCP {
		m := a.Bridge("1")
		m.Can = harness.Object{"elicitation": harness.Object{"form": harness.Object{}}}
		m.Answers["elicitation/create"] = func(params any) any {
			mu.Lock()
			defer mu.Unlock()
			raw, _ := json.Marshal(params)
			questions = append(questions, string(raw))
			return harness.Object{"action": "accept", "content": harness.Object{}}
		}
		m.Initialize()
		m.Works("navigate_page", harness.Object{"url": web.URL + "/login"})
		return m
	}
	m := client()
	r := m.BeginTool("click", harness.Object{"uid": m.Find(`button "Sign in"`)})
	w := a.Asked(1)
	m.Works("list_pages", nil)
	if !r.Waits() || len(questions) > 0 {
		t.Errorf("a client answers that nobody has allowed to: %v", questions)
	}
	a.Decide(1, w, false)
	r.Tool()
	a.Must("policy", "set", "1", "--answerer", "e2e")
	m.Works("click", harness.Object{"uid": m.Find(`button "Sign in"`)})
	if len(questions) != 1 || !strings.Contains(questions[0], "Sign in") || len(web.got()) != 1 {
		t.Errorf("questions: %v, sent: %v", questions, web.got())
	}
}

func TestAnAllowedClientOf2026AsksInItsAnswer(t *testing.T) {
	web := newFormSite(t)
	a := harness.Start(t)
	a.Open(1)
	a.Must("policy", "set", "1", "--preset", "guarded", "--answerer", "e2e")
	m, can := a.Bridge("1"), harness.Object{"elicitation": harness.Object{"form": harness.Object{}}}
	m.Modern(can, "navigate_page", harness.Object{"url": web.URL + "/login"}, nil)
	text, _ := m.Modern(can, "take_snapshot", harness.Object{}, nil)
	button := harness.Object{"uid": harness.UIDOf(text, `button "Sign in"`)}
	_, r := m.Modern(can, "click", button, nil)
	if text, r := m.Modern(can, "click", button, harness.Replied(t, r, "decline")); r["isError"] != true ||
		!strings.Contains(text, "denied this") || len(web.got()) > 0 {
		t.Errorf("declined: %s, sent: %v", text, web.got())
	}
	_, r = m.Modern(can, "click", button, harness.Replied(t, r, "accept")) // a question is answered once
	if text, r := m.Modern(can, "click", button, harness.Replied(t, r, "accept")); r["isError"] == true ||
		len(web.got()) != 1 {
		t.Errorf("accepted: %s, sent: %v", text, web.got())
	}
	// Another step is another question.
	m.Modern(can, "navigate_page", harness.Object{"url": web.URL + "/search"}, nil)
	m.Modern(can, "navigate_page", harness.Object{"url": web.URL + "/login"}, nil)
	text, _ = m.Modern(can, "take_snapshot", harness.Object{}, nil)
	harness.Replied(t, func() map[string]any {
		_, r := m.Modern(can, "click", harness.Object{"uid": harness.UIDOf(text, `button "Sign in"`)}, nil)
		return r
	}(), "")
	// A picture is written when it is ready, between any two.
	if got := strings.ReplaceAll(names(a.Journal(1)), " picture", ""); !strings.Contains(got,
		"asked refused click asked allowed click") {
		t.Errorf("the journal is %s", got)
	}
}

func TestCredentialsAreNotTold(t *testing.T) {
	web := newFormSite(t)
	a := harness.Start(t)
	a.Open(1)
	m := a.Agent("1")
	const password = "swordfish-0815"
	m.Works("navigate_page", harness.Object{"url": web.URL + "/login"})
	m.Works("navigate_page", harness.Object{"url": web.URL + "/login"}) // with the cookie
	uid := m.Find(`textbox "Password"`)
	heard := m.Works("fill", harness.Object{"uid": uid, "value": password, "includeSnapshot": true})
	m.Works("click", harness.Object{"uid": m.Find(`button "Show"`)}) // now it is a field of text
	heard += m.Works("take_snapshot", harness.Object{"verbose": true}) + m.Works("fill",
		harness.Object{"uid": uid, "value": password})
	heard += m.Works("click", harness.Object{"uid": m.Find(`button "Sign in"`)})
	list := m.Works("list_network_requests", harness.Object{"includePreservedRequests": true})
	heard += list
	files := t.TempDir()
	for _, id := range regexp.MustCompile(`reqid=(\d+)`).FindAllStringSubmatch(list, -1) {
		heard += m.Works("get_network_request", harness.Object{"reqid": id[1]}) + m.Works("get_network_request",
			harness.Object{"reqid": id[1], "requestFilePath": filepath.Join(files, id[1])})
	}
	_ = filepath.WalkDir(files, func(name string, _ fs.DirEntry, _ error) error {
		raw, _ := os.ReadFile(name)
		heard += string(raw)
		return nil
	})
	if !strings.Contains(heard, "set-cookie:<redacted>") || !strings.Contains(heard, "cookie:<redacted>") {
		t.Error("no cookie was there to be hidden")
	}
	for _, value := range []string{password, "cookie-value-0451"} {
		if at := strings.Index(heard, value); at >= 0 {
			t.Errorf("%s is told: …%s…", value, heard[max(0, at-200):min(len(heard), at+200)])
		}
	}
	if got := web.got(); len(got) != 1 || !strings.Contains(got[0], password) {
		t.Errorf("sent: %v", got)
	}
}

// A secret's value is looked for in every byte that left towards the agent, and in everything of Cove's on the disk.
func TestASecretIsTypedAndNeverTold(t *testing.T) {
	const value = `Zw0lf+Boxkämpfer & "Q"`
	web, evil := newFormSite(t), newFormSite(t)
	a := harness.Start(t)
	a.Open(1)
	set := func(name, site string) {
		t.Helper()
		res := a.Own("POST", "/v1.0/browser_profiles/1/secrets", fmt.Sprintf(`{"name":%q,"site":%q,"value":%s}`, name,
			site, quote(value)))
		if res.Status != http.StatusOK {
			t.Fatal(res.Raw)
		}
	}
	set("login", web.URL)
	if list := a.Must("secret", "list", "--profile", "1", "--json"); !strings.Contains(list, `"login"`) ||
		!strings.Contains(list, web.URL) {
		t.Errorf("the list: %s", list)
	}
	tapped := filepath.Join(t.TempDir(), "tapped")
	m := harness.StartMCP(t, harness.Command{Args: []string{"sh", "-c",
		fmt.Sprintf("%q mcp 1 --tools all | tee %q", harness.Cove, tapped)}, Env: a.Environ(), Dir: t.TempDir()})
	m.Initialize()
	files := filepath.Join(os.TempDir(), fmt.Sprintf("cove-secret-%d", os.Getpid()))
	t.Cleanup(func() { _ = os.RemoveAll(files) })

	// A login, as it is meant.
	m.Works("navigate_page", harness.Object{"url": web.URL + "/login"})
	m.Works("fill_form", harness.Object{"elements": []harness.Object{{"uid": m.Find(`textbox "User"`), "value": "me"},
		{"uid": m.Find(`textbox "Password"`), "value": "{{secret:login}}"}}, "includeSnapshot": true})
	m.Works("click", harness.Object{"uid": m.Find(`button "Show"`), "includeSnapshot": true})
	m.Works("take_screenshot", nil)
	m.Works("click", harness.Object{"uid": m.Find(`button "Sign in"`)})
	if got := web.got(); len(got) != 1 || !strings.Contains(got[0], "password="+url.QueryEscape(value)) {
		t.Fatalf("sent: %v", got)
	}
	m.Works("navigate_page", harness.Object{"url": web.URL + "/get"})
	m.Works("click", harness.Object{"uid": m.Find(`textbox "Key"`)})
	m.Works("type_text", harness.Object{"text": "{{secret:login}}", "submitKey": "Enter"})
	if got := web.got(); len(got) != 2 || !strings.Contains(got[1], "key="+url.QueryEscape(value)) {
		t.Fatalf("sent: %v", got)
	}

	// A page that shows it wherever it can.
	m.Works("navigate_page", harness.Object{"url": web.URL + "/mirror"})
	m.Works("fill", harness.Object{"uid": m.Find(`textbox "Code"`), "value": "{{secret:login}}",
		"includeSnapshot": true})
	if text := m.Works("take_snapshot", nil); !strings.Contains(text, "typed ••••") {
		t.Errorf("the mirror: %s", text)
	}
	m.Works("take_snapshot", harness.Object{"filePath": filepath.Join(files, "snapshot.txt")})
	m.Works("list_pages", nil)
	m.Tool("click", harness.Object{"uid": m.Find(`button "Send"`)})
	m.Tool("handle_dialog", harness.Object{"action": "accept"})
	m.Works("list_console_messages", nil)
	m.Tool("get_console_message", harness.Object{"msgid": 1})
	list := m.Works("list_network_requests", harness.Object{"includePreservedRequests": true})
	for _, id := range regexp.MustCompile(`reqid=(\d+)`).FindAllStringSubmatch(list, -1) {
		m.Tool("get_network_request", harness.Object{"reqid": id[1]})
		m.Tool("get_network_request",
			harness.Object{"reqid": id[1], "requestFilePath": filepath.Join(files, "req"+id[1]),
				"responseFilePath": filepath.Join(files, "res"+id[1])})
	}
	for _, script := range []string{"() => document.querySelector('input').value", "() => document.cookie",
		"() => btoa(unescape(encodeURIComponent(document.querySelector('input').value)))",
		"() => encodeURIComponent(document.querySelector('input').value)", "() => location.href", "() => { throw new Error(document.querySelector('input').value) }"} {
		m.Tool("evaluate_script", harness.Object{"function": script})
		m.Tool("evaluate_script", harness.Object{"function": script, "filePath": filepath.Join(files, "script.json")})
	}
	m.Tool("take_heapsnapshot", harness.Object{"filePath": filepath.Join(files, "memory.heapsnapshot")})
	m.Tool("wait_for", harness.Object{"text": []string{"typed"}, "timeout": 2000})
	m.Tool("batch", harness.Object{"calls": []harness.Object{{"tool": "take_snapshot"},
		{"tool": "list_network_requests"}}})
	m.Tool("performance_start_trace", harness.Object{"filePath": filepath.Join(files, "trace.json"), "reload": false})

	// Where it must not be typed.
	set("here", evil.URL)
	for page, site := range map[string]string{evil.URL + "/login": "login",
		"data:text/html,<input aria-label=Password type=password>": "login", "about:blank": ""} {
		m.Works("navigate_page", harness.Object{"url": page})
		if site == "" {
			m.Fails("type_text", harness.Object{"text": "{{secret:login}}"}, "No field has the focus")
			continue
		}
		m.Fails("fill", harness.Object{"uid": m.Find(`textbox "Password"`), "value": "{{secret:login}}"},
			"is for "+web.URL, "was not typed")
		m.Works("click", harness.Object{"uid": m.Find(`textbox "Password"`)})
		m.Fails("type_text", harness.Object{"text": "{{secret:login}}"}, "was not typed")
	}
	m.Works("navigate_page", harness.Object{"url": web.URL + "/login"})
	m.Fails("fill", harness.Object{"uid": m.Find(`textbox "User"`), "value": "{{secret:nobody}}"}, "no secret nobody")
	m.Fails("fill", harness.Object{"uid": m.Find(`button "Sign in"`), "value": "{{secret:login}}"}, "")
	if got := evil.got(); len(got) > 0 {
		t.Errorf("the other site got %v", got)
	}
	a.Must("secret", "remove", "login", "--profile", "1")
	m.Fails("fill", harness.Object{"uid": m.Find(`textbox "Password"`), "value": "{{secret:login}}"}, "no secret login")
	if code := m.Close(); code != 0 {
		t.Errorf("exit %d", code)
	}
	a.Close(1)

	utf8 := base64.StdEncoding.EncodeToString([]byte(value))
	forms := []string{value, url.QueryEscape(value), url.PathEscape(value), strings.Trim(quote(value), `"`),
		strings.Trim(quote(strings.Trim(quote(value), `"`)), `"`), utf8[:len(utf8)-4], "cwbGYrQm94a", "MGxmK0JveG",
		"BsZitCb3hr", "Boxkämpfer", "Boxk%C3%A4mpfer"}
	search := func(name string) {
		raw, err := os.ReadFile(name)
		if err != nil {
			return
		}
		for _, form := range forms {
			if at := bytes.Index(raw, []byte(form)); at >= 0 {
				t.Errorf("%s holds %q: …%s…", name, form, raw[max(0, at-150):min(len(raw), at+100)])
				return
			}
		}
	}
	if info, err := os.Stat(tapped); err != nil || info.Size() < 10_000 {
		t.Errorf("nothing was heard: %v", err)
	}
	search(tapped)
	n := 0
	for _, root := range []string{files, a.Home} {
		_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, _ error) error {
			switch {
			case d == nil:
			case d.IsDir() && d.Name() == "data_dir": // the browser's own
				return filepath.SkipDir
			case !d.IsDir():
				n++
				search(name)
			}
			return nil
		})
	}
	lines, _ := filepath.Glob(a.File(1, "journal/*.jsonl"))
	written := ""
	for _, name := range lines {
		raw, _ := os.ReadFile(name)
		written += string(raw)
	}
	for _, want := range []string{`"fill_form"`, `{{secret:login}}`, `"type_text"`, `"evaluate_script"`, `"picture"`,
		`"e2e"`, "was not typed"} {
		if !strings.Contains(written, want) {
			t.Errorf("the journal does not tell %s:\n%s", want, clipped(written))
		}
	}
	if pictures, _ := os.ReadDir(a.File(1, "journal-pictures")); len(pictures) == 0 {
		t.Error("the journal has no pictures")
	}
	if n < 8 {
		t.Errorf("only %d files were looked into", n)
	}
}

func clipped(s string) string { return s[:min(len(s), 4000)] }

func quote(s string) string {
	raw, _ := json.Marshal(s)
	return string(raw)
}

func TestAPersonLetsAnAgentLeaveTheList(t *testing.T) {
	site := newFormSite(t)
	a := harness.Start(t)
	a.Open(1)
	base := strings.Replace(site.URL, "127.0.0.1", "localhost", 1)
	a.Rules(1, `{"preset":"guarded","sites":{"allow":["`+base+`"]},"rights":{"leave":"ask"}}`)
	g := harness.NewDriver(t, a)
	g.Works("new_page", harness.Object{"url": base + "/search"})
	done := make(chan harness.ToolAnswer, 1)
	go func() { done <- g.Tool("navigate_page", harness.Object{"url": site.URL + "/search"}) }()
	w := a.Asked(1)
	if w.Class != "leave" || !strings.Contains(w.What, site.URL) {
		t.Errorf("the person is asked %+v", w)
	}
	a.Decide(1, w, false)
	if r := <-done; !r.IsError || !strings.Contains(r.Text, "denied this") {
		t.Errorf("refused: %s", r.Text)
	}
	go func() { done <- g.Tool("navigate_page", harness.Object{"url": site.URL + "/search"}) }()
	a.Decide(1, a.Asked(1), true)
	if r := <-done; r.IsError {
		t.Errorf("allowed: %s", r.Text)
	}
	g.Works("navigate_page", harness.Object{"url": site.URL + "/get"}) // nobody is asked twice about one site
}
