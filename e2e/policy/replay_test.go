//go:build e2e

package policy

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cove/e2e/harness"
)

// replayed is what a person sees of a replay file in a browser without a network.
type replayed struct {
	Verdict, Verified, First, Second, Escaped string
	Steps, Denied, Found, Requests, Errors    []string
	Pictures                                  [][]string
	Violations                                []string
}

const shopPage = `<!doctype html><title>Orders</title><h1>Orders</h1>
<form onsubmit="return false"><label>User <input id="user"></label>
<label>Password <input type="password"></label></form>
<button onclick="document.body.style.background='gold';this.insertAdjacentHTML('afterend','<h2>Refunded</h2>')">
Refund order</button>`

func TestTheReplayFileOpensOfflineAndVerifiesItself(t *testing.T) {
	const stored, typed = "correct-horse-battery", "typed-by-hand-7731"
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, shopPage)
	}))
	t.Cleanup(web.Close)
	a := harness.Start(t)
	a.Policy(1, "--allow", strings.TrimPrefix(web.URL, "http://"))
	a.Open(1)
	harness.MustSucceed(t, a.Own(http.MethodPost, harness.StatePath(1, "/secrets"),
		fmt.Sprintf(`{"name":"login","site":%q,"value":%q}`, web.URL, stored)))
	m := a.Agent("1")
	m.Works("navigate_page", harness.Object{"url": web.URL + "/orders"})
	m.Works("fill_form", harness.Object{"elements": []harness.Object{
		{"uid": m.Find(`textbox "User"`), "value": "ada"},
		{"uid": m.Find(`textbox "Password"`), "value": "{{secret:login}}"},
	}})
	m.Works("fill", harness.Object{"uid": m.Find(`textbox "Password"`), "value": typed})
	refund := m.Find(`button "Refund order"`)
	a.AwaitPicture(1, "fill") // agents with a model are slower than this one
	m.Works("click", harness.Object{"uid": refund})
	a.AwaitPicture(1, "click")
	m.Fails("navigate_page", harness.Object{"url": "https://bank.example/"})
	m.Close()
	a.Close(1)

	dir := t.TempDir()
	name := filepath.Join(dir, "replay.html")
	a.Must("journal", "export", "1", "--html", "-o", name)
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{stored, typed} {
		if bytes.Contains(file, []byte(secret)) {
			t.Errorf("%q is in the file", secret)
		}
	}
	if out := a.Must("journal", "verify", "--file", name); !strings.Contains(out, "recorded all of its entries") {
		t.Error(out)
	}

	files, changes := []string{name}, changedFiles(t, dir, file)
	for _, c := range changes {
		files = append(files, c.name)
	}
	var seen []replayed
	harness.Node(t, &seen, "replay.mjs", files...)
	checkReplay(t, seen[0])
	for i, c := range changes {
		got := seen[i+1]
		if got.Verified == "true" || !strings.Contains(got.Verdict, "was changed") || len(got.Requests) > 0 {
			t.Errorf("%s was changed: %+v", c.what, got)
		}
		if _, code := a.Cli("journal", "verify", "--file", c.name); code != 1 {
			t.Errorf("%s was changed: cove journal verify exits %d", c.what, code)
		}
	}
}

func checkReplay(t *testing.T, got replayed) {
	t.Helper()
	if got.Verified != "true" || !strings.HasPrefix(got.Verdict, "Verified: ") {
		t.Errorf("the file says %q", got.Verdict)
	}
	if len(got.Requests)+len(got.Errors)+len(got.Violations) > 0 || !strings.Contains(got.Escaped, "Failed to fetch") {
		t.Errorf("requests %q, errors %q, fetch %q, axe %q", got.Requests, got.Errors, got.Escaped, got.Violations)
	}
	for _, step := range []string{
		"Filled 2 fields (1 secret)", `Filled the field "Password"`, `Clicked the button "Refund order"`,
		"Denied: bank.example is not on the allow list",
	} {
		if !slices.Contains(got.Steps, step) {
			t.Errorf("no %q in %q", step, got.Steps)
		}
	}
	if !slices.ContainsFunc(got.Steps, func(s string) bool { return strings.HasPrefix(s, "Read the page (") }) {
		t.Errorf("nothing was read: %q", got.Steps)
	}
	if strings.Contains(strings.Join(got.Steps, " "), "uid") {
		t.Errorf("a uid: %q", got.Steps)
	}
	if !slices.Equal(got.Found, []string{`Clicked the button "Refund order"`}) || len(got.Denied) != 1 {
		t.Errorf("found %q, denied %q", got.Found, got.Denied)
	}
	if got.First != "Opened for agents" || got.Second == got.First {
		t.Errorf("the first steps are %q, %q", got.First, got.Second)
	}
	if !slices.ContainsFunc(got.Pictures, func(p []string) bool { return p[0] != "" && p[0] != p[1] }) {
		t.Errorf("no step has different pictures before and after: %q", got.Pictures)
	}
}

// changedFile is a copy of a replay file in which one byte is different.
type changedFile struct{ what, name string }

// changedFiles changes one byte in each part of a file.
func changedFiles(t *testing.T, dir string, file []byte) (all []changedFile) {
	t.Helper()
	for what, mark := range map[string]string{
		"a word of an entry": `\"text\":\"Clicked`, "a hash": `,\"hash\":\"`, "a picture": `class="picture" id="`,
		"the content policy": "default-src 'n", "the style": "box-sizing: b", "the viewer": "The viewer of a jour",
		"the digest": `data-digest="`, "the verdict": "Not verified", "the name": `"name":"First`,
	} {
		at := bytes.Index(file, []byte(mark))
		if at < 0 {
			t.Fatalf("%s: no %s in the file", what, mark)
		}
		at += len(mark)
		if what == "a picture" {
			at += bytes.IndexByte(file[at:], '>') + 20
		}
		changed := bytes.Clone(file)
		if changed[at]++; changed[at] == '<' || changed[at] == '"' {
			changed[at]++
		}
		name := filepath.Join(dir, strings.ReplaceAll(what, " ", "-")+".html")
		if err := os.WriteFile(name, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		all = append(all, changedFile{what, name})
	}
	return all
}

// A page that is busy after a step is in the journal as soon as it can be drawn.
func TestABusyPageHasItsPicture(t *testing.T) {
	begin := make(chan struct{})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/busy" {
			select {
			case <-begin:
			case <-r.Context().Done():
			}
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, `<!doctype html><title>Report</title><button onclick="this.textContent='Made'">Make</button>
<script>fetch('/busy').then(() => { for (const end = Date.now() + 6000; Date.now() < end;); })</script>`)
	}))
	t.Cleanup(web.Close)
	a := harness.Start(t)
	a.Open(1)
	m := a.Agent("1")
	m.Works("navigate_page", harness.Object{"url": web.URL})
	m.Works("click", harness.Object{"uid": m.Find(`button "Make"`)})
	close(begin)
	a.AwaitPicture(1, "click")
}
