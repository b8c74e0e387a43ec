//go:build e2e

package window

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cove/e2e/harness"
)

const ordersPage = `<!doctype html><title>Orders</title><h1>Orders</h1>
<label>Note <input></label><label>Password <input type="password"></label>
<button onclick="document.body.style.background='gold';this.insertAdjacentHTML('afterend','<h2>Refunded</h2>')">
Refund order</button>`

func TestWindowReplaysWhatAnAgentDid(t *testing.T) {
	const typed = "typed-by-hand-7731"
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, ordersPage)
	}))
	t.Cleanup(web.Close)
	a := harness.Start(t)
	a.Policy(1, "--allow", strings.TrimPrefix(web.URL, "http://"))
	a.Open(1)
	before := a.Agent("1")
	before.Works("list_pages", nil)
	before.Close()
	m := a.Agent("1")
	m.Works("navigate_page", harness.Object{"url": web.URL + "/orders"})
	for range 3 {
		m.Works("take_snapshot", nil)
	}
	m.Works("fill", harness.Object{"uid": m.Find(`textbox "Password"`), "value": typed})
	m.Works("type_text", harness.Object{"text": "x"})
	a.AwaitPicture(1, "type_text") // agents with a model are slower than this one
	m.Works("click", harness.Object{"uid": m.Find(`button "Refund order"`)})
	a.AwaitPicture(1, "click")
	m.Fails("navigate_page", harness.Object{"url": "https://bank.example/"})
	m.Works("take_snapshot", nil)
	m.Close()

	file := filepath.Join(t.TempDir(), "replay.html")
	visit(t, a, "replay", "file", file, "site", web.URL)
	raw, err := os.ReadFile(file)
	if err != nil || bytes.Contains(raw, []byte(typed)) {
		t.Errorf("the exported file cannot be read, or has what was typed: %v", err)
	}
	var exported []struct {
		Verified         string
		Steps            []string
		Requests, Errors []string
	}
	harness.Node(t, &exported, "replay.mjs", file)
	if got := exported[0]; got.Verified != "true" || len(got.Requests)+len(got.Errors) > 0 ||
		!slices.Contains(got.Steps, `Clicked the button "Refund order"`) {
		t.Errorf("offline the exported file shows %+v", got)
	}

	a.Close(1)
	rows := filepath.Join(a.Home, "browser_profiles", "1", "journal", "00000001.jsonl")
	text, err := os.ReadFile(rows)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	i := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, `"name":"click"`) })
	lines[i] = strings.Replace(lines[i], `"outcome":"ok"`, `"outcome":"no"`, 1)
	if err := os.WriteFile(rows, []byte(strings.Join(lines, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	visit(t, a, "tampered", "entry", strconv.Itoa(i+1))
}
