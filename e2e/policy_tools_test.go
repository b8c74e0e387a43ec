//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// access asks the keeper of an open profile what the person's side may ask.
func (a *app) access(id int, method, path string, body, out any) {
	a.t.Helper()
	var k struct{ Socket, Token string }
	raw, err := os.ReadFile(a.file(id, "keeper.json"))
	if err == nil {
		err = json.Unmarshal(raw, &k)
	}
	if err != nil {
		a.t.Fatal(err)
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", k.Socket)
	}}}
	sent, _ := json.Marshal(body)
	req, err := http.NewRequest(method, "http://keeper"+path, bytes.NewReader(sent))
	if err != nil {
		a.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+k.Token)
	res, err := client.Do(req)
	if err != nil {
		a.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	got, _ := io.ReadAll(res.Body)
	if res.StatusCode != http.StatusOK {
		a.t.Fatalf("%s %s: %s %s", method, path, res.Status, got)
	}
	if out != nil {
		if err := json.Unmarshal(got, out); err != nil {
			a.t.Fatalf("%s %s: %v: %s", method, path, err, got)
		}
	}
}

// waiting is a request that waits for a person.
type waiting struct {
	ID, Class, What, Page string
	Picture               []byte
	Agent                 struct{ Name string }
}

// asked waits until an agent asks the person.
func (a *app) asked(id int) waiting {
	a.t.Helper()
	var s struct{ Requests []waiting }
	wait(a.t, "a request", func() bool {
		a.access(id, "GET", "/v1/access?once=1", nil, &s)
		return len(s.Requests) > 0
	})
	return s.Requests[0]
}

// decide answers as the person.
func (a *app) decide(id int, w waiting, yes bool) {
	a.t.Helper()
	a.access(id, "POST", "/v1/access/decide", object{"id": w.ID, "yes": yes}, nil)
}

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

// find is the uid of the element with this line in a snapshot.
func (m *mcp) find(line string) string {
	m.t.Helper()
	text := m.works("take_snapshot", nil)
	uid := uidOf(text, line)
	if uid == "" {
		m.t.Fatalf("no %s in\n%s", line, text)
	}
	return uid
}

func TestReadOnlyAgentsLookAndNothingElse(t *testing.T) {
	web := newFormSite(t)
	a := start(t)
	a.open(1)
	m := a.agent("1")
	m.works("navigate_page", object{"url": web.URL + "/search"})
	uid := m.find(`button "Search"`)
	a.must("policy", "set", "1", "--preset", "read-only")
	if n := len(m.tools()); n != 32 {
		t.Errorf("%d tools", n)
	}
	for name, args := range map[string]object{"click": {"uid": uid}, "hover": {"uid": uid}, "drag": {"from_uid": uid, "to_uid": uid}, "fill": {"uid": uid, "value": "x"}, "press_key": {"key": "Enter"},
		"type_text": {"text": "x"}, "navigate_page": {"url": web.URL + "/pay"}, "new_page": {"url": "about:blank"}, "close_page": {"pageId": 1}, "emulate": {}, "resize_page": {"width": 400, "height": 400},
		"evaluate_script": {"function": "() => 1"}, "upload_file": {"uid": uid, "filePaths": []string{"/tmp/x"}}, "handle_dialog": {"action": "accept"},
		"take_heapsnapshot": {"filePath": "x.heapsnapshot"}, "performance_start_trace": {}, "lighthouse_audit": {}, "screencast_start": {}, "fill_form": {"elements": []object{{"uid": uid, "value": "x"}}}} {
		m.fails(name, args, "policy says no")
	}
	for _, name := range []string{"list_pages", "take_snapshot", "take_screenshot", "list_console_messages", "list_network_requests"} {
		m.works(name, nil)
	}
	m.works("wait_for", object{"text": []string{"Search"}})
	if len(web.got()) > 0 {
		t.Errorf("sent: %v", web.got())
	}
	a.must("policy", "set", "1", "--preset", "open")
	m.works("click", object{"uid": uid})
}

func TestAPersonIsAskedBeforeAFormWithAPasswordIsSent(t *testing.T) {
	web := newFormSite(t)
	a := start(t)
	a.open(1)
	a.must("policy", "set", "1", "--preset", "guarded")
	m := a.agent("1")
	held := func(name string, args object) (*request, waiting) {
		t.Helper()
		r := m.beginTool(name, args)
		w := a.asked(1)
		if w.Class != "submit" || w.Agent.Name != "e2e" || len(w.Picture) < 500 || !strings.HasPrefix(w.Page, web.URL) {
			t.Errorf("asked: %s %q on %s by %s, a picture of %d bytes", w.Class, w.What, w.Page, w.Agent.Name, len(w.Picture))
		}
		if n := len(web.got()); n > 0 {
			t.Errorf("sent before the answer: %v", web.got())
		}
		return r, w
	}
	refused := func(name string, args object) string {
		t.Helper()
		r, w := held(name, args)
		a.decide(1, w, false)
		got := r.tool()
		if !got.IsError || !strings.Contains(got.Text, "has refused") {
			t.Errorf("%s after a no: %s", name, got.Text)
		}
		return w.What
	}
	m.works("navigate_page", object{"url": web.URL + "/login"})
	m.works("fill", object{"uid": m.find(`textbox "User"`), "value": "me"})
	m.works("click", object{"uid": m.find(`textbox "Password"`)}) // only puts the cursor there
	if what := refused("click", object{"uid": m.find(`button "Sign in"`)}); !strings.Contains(what, `button "Sign in"`) || !strings.Contains(what, "password") {
		t.Errorf("what: %s", what)
	}
	refused("press_key", object{"key": "Enter"})
	refused("press_key", object{"key": "NumpadEnter"})
	refused("type_text", object{"text": "hunter2", "submitKey": "Enter"})
	refused("type_text", object{"text": "hunter2\n"})
	refused("drag", object{"from_uid": m.find(`textbox "User"`), "to_uid": m.find(`button "Sign in"`)})
	m.works("type_text", object{"text": "hunter2"})
	r, w := held("click", object{"uid": m.find(`button "Sign in"`)})
	a.decide(1, w, true)
	if got := r.tool(); got.IsError {
		t.Fatalf("after a yes: %s", got.Text)
	}
	if got := web.got(); len(got) != 1 || !strings.Contains(got[0], "password=hunter2") {
		t.Errorf("sent: %v", got)
	}
	web.mu.Lock()
	web.sent = nil
	web.mu.Unlock()

	// A card, and a page that sends by a script of its own and has no form.
	m.works("navigate_page", object{"url": web.URL + "/pay"})
	refused("click", object{"uid": m.find(`button "Pay now"`)})
	m.works("navigate_page", object{"url": web.URL + "/spa"})
	m.works("click", object{"uid": m.find(`link "Continue"`)}) // nothing is filled in
	web.mu.Lock()
	web.sent = nil
	web.mu.Unlock()
	m.works("fill", object{"uid": m.find(`textbox "Password"`), "value": "hunter2"})
	refused("click", object{"uid": m.find(`link "Continue"`)})

	// Other forms need nobody.
	m.works("navigate_page", object{"url": web.URL + "/search"})
	m.works("fill", object{"uid": m.find(`textbox "Query"`), "value": "x"})
	m.works("press_key", object{"key": "Enter"})
	if got := web.got(); len(got) != 1 || got[0] != "q=x" {
		t.Errorf("sent: %v", got)
	}

	// Scripts are no way around, and neither is a batch.
	m.fails("evaluate_script", object{"function": "() => document.cookie"}, "may not run scripts")
	m.fails("navigate_page", object{"url": web.URL + "/login", "initScript": "1"}, "may not run scripts")
	m.fails("take_heapsnapshot", object{"filePath": "x.heapsnapshot"}, "may not run scripts")
	b := a.agent("1", "--tools", "batch")
	b.fails("batch", object{"calls": []object{{"tool": "evaluate_script", "arguments": object{"function": "() => 1"}}}}, "may not run scripts")
}

func TestUploadsAndDownloadsWaitForThePerson(t *testing.T) {
	web := newFormSite(t)
	a := start(t)
	a.open(1)
	a.must("policy", "set", "1", "--preset", "guarded")
	m := a.agent("1")
	name := filepath.Join(os.TempDir(), fmt.Sprintf("cove-upload-%d.txt", os.Getpid()))
	if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Remove(name) }()
	m.works("navigate_page", object{"url": web.URL + "/upload"})
	uid := m.find(`button "File"`)
	for _, yes := range []bool{false, true} {
		r := m.beginTool("upload_file", object{"uid": uid, "filePaths": []string{name}})
		w := a.asked(1)
		if w.Class != "upload" || !strings.Contains(w.What, name) {
			t.Errorf("asked: %+v", w)
		}
		a.decide(1, w, yes)
		if got := r.tool(); got.IsError == yes {
			t.Errorf("upload after %v: %s", yes, got.Text)
		}
	}

	m.works("navigate_page", object{"url": web.URL + "/download"})
	link := m.find(`link "Get the file"`)
	r := m.beginTool("click", object{"uid": link})
	w := a.asked(1)
	if w.Class != "download" || !strings.Contains(w.What, "report.txt") {
		t.Errorf("asked: %+v", w)
	}
	a.decide(1, w, false)
	if got := r.tool(); !strings.Contains(got.Text, "Download canceled") || !strings.Contains(got.Text, "has refused") {
		t.Errorf("after a no: %s", got.Text)
	}
	r = m.beginTool("click", object{"uid": link})
	a.decide(1, a.asked(1), true)
	if got := r.tool(); !strings.Contains(got.Text, "again") {
		t.Errorf("after a yes: %s", got.Text)
	}
	if got := m.works("click", object{"uid": link}); !strings.Contains(got, "Download completed") {
		t.Errorf("the second time: %s", got)
	}
	r = m.beginTool("click", object{"uid": link}) // a yes is for one file
	a.decide(1, a.asked(1), false)
	if got := r.tool(); !strings.Contains(got.Text, "has refused") {
		t.Errorf("another one: %s", got.Text)
	}
	a.must("policy", "set", "1", "--right", "download=no")
	if got := m.works("click", object{"uid": link}); !strings.Contains(got, "Download canceled") || !strings.Contains(got, "policy says no") {
		t.Errorf("where it is not allowed: %s", got)
	}
	m.works("new_page", object{"url": web.URL + "/download", "isolatedContext": "other"})
	if got := m.works("click", object{"uid": m.find(`link "Get the file"`)}); !strings.Contains(got, "Download canceled") {
		t.Errorf("in another context: %s", got)
	}
}

func TestPagesOfThisComputer(t *testing.T) {
	a := start(t)
	a.open(1)
	m := a.agent("1")
	for _, address := range []string{"chrome://version", "about:version", "file:///"} {
		m.fails("new_page", object{"url": address}, "pages are closed to agents")
	}
	a.must("policy", "set", "1", "--right", "local=ask")
	for _, yes := range []bool{false, true} {
		r := m.beginTool("new_page", object{"url": "chrome://version"})
		w := a.asked(1)
		if w.Class != "local" || !strings.Contains(w.What, "chrome://version") {
			t.Errorf("asked: %+v", w)
		}
		a.decide(1, w, yes)
		if got := r.tool(); got.IsError == yes {
			t.Errorf("after %v: %s", yes, got.Text)
		}
	}
	m.works("take_snapshot", nil)
	a.must("policy", "set", "1", "--right", "local=yes")
	m.works("new_page", object{"url": "file:///"})
	a.must("policy", "set", "1", "--right", "local=no")
	m.fails("take_snapshot", nil, "pages are closed to agents")
}

func TestTakeOverAndPanicHoldAndCutAgents(t *testing.T) {
	web := newFormSite(t)
	a := start(t)
	a.open(1)
	m := a.agent("1")
	m.works("navigate_page", object{"url": web.URL + "/search"})
	a.access(1, "POST", "/v1/access/takeover", object{}, nil)
	r := m.beginTool("take_snapshot", nil)
	m.tools()
	if !r.waits() {
		t.Error("a call went on while the person works")
	}
	a.access(1, "POST", "/v1/access/giveback", object{}, nil)
	if got := r.tool(); got.IsError || !strings.Contains(got.Text, "has given the profile back") {
		t.Errorf("after giving back: %s", got.Text)
	}
	if text := m.works("list_pages", nil); strings.Contains(text, "given") {
		t.Errorf("told twice: %s", text)
	}
	long := m.beginTool("wait_for", object{"text": []string{"never there"}, "timeout": 60000})
	m.works("list_pages", nil)
	a.access(1, "POST", "/v1/access/suspend", object{"on": true}, nil)
	if got := long.tool(); !got.IsError || !strings.Contains(got.Text, "cut off every agent") {
		t.Errorf("a call in panic: %s", got.Text)
	}
	m.fails("list_pages", nil, "cut off every agent")
	other := a.bridge("1")
	if _, err := other.call("initialize", object{"protocolVersion": "2025-11-25", "capabilities": object{}, "clientInfo": object{"name": "other", "version": "1"}}); err == nil || !strings.Contains(err.Error(), "cut off every agent") {
		t.Errorf("another comes in: %v", err)
	}
	a.access(1, "POST", "/v1/access/suspend", object{"on": false}, nil)
	m.works("list_pages", nil)
	a.must("policy", "set", "1", "--preset", "off")
	m.fails("list_pages", nil, "not allowed in this profile")
	var s struct{ Agents []object }
	a.access(1, "GET", "/v1/access?once=1", nil, &s)
	if len(s.Agents) > 0 {
		t.Errorf("seated: %v", s.Agents)
	}
	var person []string // what the journal says of them
	for _, l := range a.journal(1) {
		if l.Agent.Kind == "keeper" {
			person = append(person, l.Name)
		}
	}
	if got := strings.Join(person, " "); got != "opened takeover giveback panic panic lifted policy" {
		t.Errorf("the journal has of the person: %s", got)
	}
}

func TestOneAgentDrivesAtATime(t *testing.T) {
	a := start(t)
	a.open(1)
	a.must("policy", "set", "1", "--one-driver")
	m, other := a.agent("1"), a.agent("1")
	m.works("new_page", object{"url": "about:blank"})
	other.works("list_pages", nil)
	r := other.beginTool("new_page", object{"url": "about:blank"})
	m.works("list_pages", nil)
	if !r.waits() {
		t.Error("two drive")
	}
	if got := r.tool(); !got.IsError || !strings.Contains(got.Text, "Another agent drives this profile: e2e 1") {
		t.Errorf("the other: %s", got.Text)
	}
}

func TestAnAllowedClientAnswersInItsOwnWindow(t *testing.T) {
	web := newFormSite(t)
	a := start(t)
	a.open(1)
	a.must("policy", "set", "1", "--preset", "guarded")
	var mu sync.Mutex
	var questions []string
	client := func() *mcp {
		m := a.bridge("1")
		m.can = object{"elicitation": object{"form": object{}}}
		m.answers["elicitation/create"] = func(params any) any {
			mu.Lock()
			defer mu.Unlock()
			raw, _ := json.Marshal(params)
			questions = append(questions, string(raw))
			return object{"action": "accept", "content": object{}}
		}
		m.initialize()
		m.works("navigate_page", object{"url": web.URL + "/login"})
		return m
	}
	m := client()
	r := m.beginTool("click", object{"uid": m.find(`button "Sign in"`)})
	w := a.asked(1)
	m.works("list_pages", nil)
	if !r.waits() || len(questions) > 0 {
		t.Errorf("a client answers that nobody has allowed to: %v", questions)
	}
	a.decide(1, w, false)
	r.tool()
	a.must("policy", "set", "1", "--answerer", "e2e")
	m.works("click", object{"uid": m.find(`button "Sign in"`)})
	if len(questions) != 1 || !strings.Contains(questions[0], "Sign in") || len(web.got()) != 1 {
		t.Errorf("questions: %v, sent: %v", questions, web.got())
	}
}

func TestAnAllowedClientOf2026AsksInItsAnswer(t *testing.T) {
	web := newFormSite(t)
	a := start(t)
	a.open(1)
	a.must("policy", "set", "1", "--preset", "guarded", "--answerer", "e2e")
	m, can := a.bridge("1"), object{"elicitation": object{"form": object{}}}
	m.modern(can, "navigate_page", object{"url": web.URL + "/login"}, nil)
	text, _ := m.modern(can, "take_snapshot", object{}, nil)
	button := object{"uid": uidOf(text, `button "Sign in"`)}
	_, r := m.modern(can, "click", button, nil)
	if text, r := m.modern(can, "click", button, replied(t, r, "decline")); r["isError"] != true || !strings.Contains(text, "has refused") || len(web.got()) > 0 {
		t.Errorf("declined: %s, sent: %v", text, web.got())
	}
	if text, r := m.modern(can, "click", button, replied(t, r, "accept")); r["isError"] == true || len(web.got()) != 1 {
		t.Errorf("accepted: %s, sent: %v", text, web.got())
	}
	// Another step is another question.
	m.modern(can, "navigate_page", object{"url": web.URL + "/search"}, nil)
	m.modern(can, "navigate_page", object{"url": web.URL + "/login"}, nil)
	text, _ = m.modern(can, "take_snapshot", object{}, nil)
	replied(t, func() map[string]any {
		_, r := m.modern(can, "click", object{"uid": uidOf(text, `button "Sign in"`)}, nil)
		return r
	}(), "")
	// A picture is written when it is ready, between any two.
	if got := strings.ReplaceAll(names(a.journal(1)), " picture", ""); !strings.Contains(got, "refused click allowed click") {
		t.Errorf("the journal is %s", got)
	}
}

func TestCredentialsAreNotTold(t *testing.T) {
	web := newFormSite(t)
	a := start(t)
	a.open(1)
	m := a.agent("1")
	const password = "swordfish-0815"
	m.works("navigate_page", object{"url": web.URL + "/login"})
	m.works("navigate_page", object{"url": web.URL + "/login"}) // with the cookie
	uid := m.find(`textbox "Password"`)
	heard := m.works("fill", object{"uid": uid, "value": password, "includeSnapshot": true})
	m.works("click", object{"uid": m.find(`button "Show"`)}) // now it is a field of text
	heard += m.works("take_snapshot", object{"verbose": true}) + m.works("fill", object{"uid": uid, "value": password})
	heard += m.works("click", object{"uid": m.find(`button "Sign in"`)})
	list := m.works("list_network_requests", object{"includePreservedRequests": true})
	heard += list
	files := t.TempDir()
	for _, id := range regexp.MustCompile(`reqid=(\d+)`).FindAllStringSubmatch(list, -1) {
		heard += m.works("get_network_request", object{"reqid": id[1]}) + m.works("get_network_request", object{"reqid": id[1], "requestFilePath": filepath.Join(files, id[1])})
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
	a := start(t)
	a.open(1)
	set := func(name, site string) {
		t.Helper()
		res := a.own("POST", "/v1.0/browser_profiles/1/secrets", fmt.Sprintf(`{"name":%q,"site":%q,"value":%s}`, name, site, quote(value)))
		if res.Status != http.StatusOK {
			t.Fatal(res.Raw)
		}
	}
	set("login", web.URL)
	if list := a.must("secret", "list", "--profile", "1", "--json"); !strings.Contains(list, `"login"`) || !strings.Contains(list, web.URL) {
		t.Errorf("the list: %s", list)
	}
	tapped := filepath.Join(t.TempDir(), "tapped")
	m := startMCP(t, command{args: []string{"sh", "-c", fmt.Sprintf("%q mcp 1 --tools all | tee %q", cove, tapped)}, env: a.environ(), dir: t.TempDir()})
	m.initialize()
	files := filepath.Join(os.TempDir(), fmt.Sprintf("cove-secret-%d", os.Getpid()))
	t.Cleanup(func() { _ = os.RemoveAll(files) })

	// A login, as it is meant.
	m.works("navigate_page", object{"url": web.URL + "/login"})
	m.works("fill_form", object{"elements": []object{{"uid": m.find(`textbox "User"`), "value": "me"}, {"uid": m.find(`textbox "Password"`), "value": "{{secret:login}}"}}, "includeSnapshot": true})
	m.works("click", object{"uid": m.find(`button "Show"`), "includeSnapshot": true})
	m.works("take_screenshot", nil)
	m.works("click", object{"uid": m.find(`button "Sign in"`)})
	if got := web.got(); len(got) != 1 || !strings.Contains(got[0], "password="+url.QueryEscape(value)) {
		t.Fatalf("sent: %v", got)
	}
	m.works("navigate_page", object{"url": web.URL + "/get"})
	m.works("click", object{"uid": m.find(`textbox "Key"`)})
	m.works("type_text", object{"text": "{{secret:login}}", "submitKey": "Enter"})
	if got := web.got(); len(got) != 2 || !strings.Contains(got[1], "key="+url.QueryEscape(value)) {
		t.Fatalf("sent: %v", got)
	}

	// A page that shows it wherever it can.
	m.works("navigate_page", object{"url": web.URL + "/mirror"})
	m.works("fill", object{"uid": m.find(`textbox "Code"`), "value": "{{secret:login}}", "includeSnapshot": true})
	if text := m.works("take_snapshot", nil); !strings.Contains(text, "typed ••••") {
		t.Errorf("the mirror: %s", text)
	}
	m.works("take_snapshot", object{"filePath": filepath.Join(files, "snapshot.txt")})
	m.works("list_pages", nil)
	m.tool("click", object{"uid": m.find(`button "Send"`)})
	m.tool("handle_dialog", object{"action": "accept"})
	m.works("list_console_messages", nil)
	m.tool("get_console_message", object{"msgid": 1})
	list := m.works("list_network_requests", object{"includePreservedRequests": true})
	for _, id := range regexp.MustCompile(`reqid=(\d+)`).FindAllStringSubmatch(list, -1) {
		m.tool("get_network_request", object{"reqid": id[1]})
		m.tool("get_network_request", object{"reqid": id[1], "requestFilePath": filepath.Join(files, "req"+id[1]), "responseFilePath": filepath.Join(files, "res"+id[1])})
	}
	for _, script := range []string{"() => document.querySelector('input').value", "() => document.cookie", "() => btoa(unescape(encodeURIComponent(document.querySelector('input').value)))",
		"() => encodeURIComponent(document.querySelector('input').value)", "() => location.href", "() => { throw new Error(document.querySelector('input').value) }"} {
		m.tool("evaluate_script", object{"function": script})
		m.tool("evaluate_script", object{"function": script, "filePath": filepath.Join(files, "script.json")})
	}
	m.tool("take_heapsnapshot", object{"filePath": filepath.Join(files, "memory.heapsnapshot")})
	m.tool("wait_for", object{"text": []string{"typed"}, "timeout": 2000})
	m.tool("batch", object{"calls": []object{{"tool": "take_snapshot"}, {"tool": "list_network_requests"}}})
	m.tool("performance_start_trace", object{"filePath": filepath.Join(files, "trace.json"), "reload": false})

	// Where it must not be typed.
	set("here", evil.URL)
	for page, site := range map[string]string{evil.URL + "/login": "login", "data:text/html,<input aria-label=Password type=password>": "login", "about:blank": ""} {
		m.works("navigate_page", object{"url": page})
		if site == "" {
			m.fails("type_text", object{"text": "{{secret:login}}"}, "No field has the focus")
			continue
		}
		m.fails("fill", object{"uid": m.find(`textbox "Password"`), "value": "{{secret:login}}"}, "is for "+web.URL, "was not typed")
		m.works("click", object{"uid": m.find(`textbox "Password"`)})
		m.fails("type_text", object{"text": "{{secret:login}}"}, "was not typed")
	}
	m.works("navigate_page", object{"url": web.URL + "/login"})
	m.fails("fill", object{"uid": m.find(`textbox "User"`), "value": "{{secret:nobody}}"}, "no secret nobody")
	m.fails("fill", object{"uid": m.find(`button "Sign in"`), "value": "{{secret:login}}"}, "")
	if got := evil.got(); len(got) > 0 {
		t.Errorf("the other site got %v", got)
	}
	a.must("secret", "remove", "login", "--profile", "1")
	m.fails("fill", object{"uid": m.find(`textbox "Password"`), "value": "{{secret:login}}"}, "no secret login")
	if code := m.close(); code != 0 {
		t.Errorf("exit %d", code)
	}
	a.close(1)

	utf8 := base64.StdEncoding.EncodeToString([]byte(value))
	forms := []string{value, url.QueryEscape(value), url.PathEscape(value), strings.Trim(quote(value), `"`), strings.Trim(quote(strings.Trim(quote(value), `"`)), `"`), utf8[:len(utf8)-4], "cwbGYrQm94a", "MGxmK0JveG", "BsZitCb3hr", "Boxkämpfer", "Boxk%C3%A4mpfer"}
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
	for _, root := range []string{files, a.home} {
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
	lines, _ := filepath.Glob(a.file(1, "journal/*.jsonl"))
	written := ""
	for _, name := range lines {
		raw, _ := os.ReadFile(name)
		written += string(raw)
	}
	for _, want := range []string{`"fill_form"`, `{{secret:login}}`, `"type_text"`, `"evaluate_script"`, `"picture"`, `"e2e"`, "was not typed"} {
		if !strings.Contains(written, want) {
			t.Errorf("the journal does not tell %s:\n%s", want, clipped(written))
		}
	}
	if pictures, _ := os.ReadDir(a.file(1, "journal-pictures")); len(pictures) == 0 {
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
	a := start(t)
	a.open(1)
	base := strings.Replace(site.URL, "127.0.0.1", "localhost", 1)
	a.rules(1, `{"preset":"guarded","sites":{"allow":["`+base+`"]},"rights":{"leave":"ask"}}`)
	g := newDriver(t, a)
	g.works("new_page", object{"url": base + "/search"})
	done := make(chan toolAnswer, 1)
	go func() { done <- g.tool("navigate_page", object{"url": site.URL + "/search"}) }()
	w := a.asked(1)
	if w.Class != "leave" || !strings.Contains(w.What, site.URL) {
		t.Errorf("the person is asked %+v", w)
	}
	a.decide(1, w, false)
	if r := <-done; !r.IsError || !strings.Contains(r.Text, "refused") {
		t.Errorf("refused: %s", r.Text)
	}
	go func() { done <- g.tool("navigate_page", object{"url": site.URL + "/search"}) }()
	a.decide(1, a.asked(1), true)
	if r := <-done; r.IsError {
		t.Errorf("allowed: %s", r.Text)
	}
	g.works("navigate_page", object{"url": site.URL + "/get"}) // nobody is asked twice about one site
}
