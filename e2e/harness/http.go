//go:build e2e

package harness

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// Member is the value at a path of names in JSON; nil when it is not there.
func Member(v any, names ...string) any {
	for _, name := range names {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

// Serve serves pages for one test and returns their address.
func Serve(t *testing.T, handle http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(handle)
	t.Cleanup(s.Close)
	return s.URL
}

// List asks for profiles and returns their names.
func (a *App) List(query string) (names []string, r Answer) {
	a.T.Helper()
	r = a.Own("GET", "/v1.0/browser_profiles?"+query, "")
	MustSucceed(a.T, r)
	data, _ := r.Body["data"].([]any)
	for _, one := range data {
		names = append(names, fmt.Sprint(Member(one, "name")))
	}
	return names, r
}

// MustList checks which profiles a query finds, in order.
func (a *App) MustList(query string, want ...string) {
	a.T.Helper()
	if got, r := a.List(query); !slices.Equal(got, want) || r.Body["total"] != float64(len(want)) {
		a.T.Errorf("%q finds %q, not %q: %s", query, got, want, r.Raw)
	}
}

// WebAgent is an MCP client over HTTP.
type WebAgent struct {
	A       *App
	Path    string
	Token   string
	Session string
	Header  []string
	last    int
}

// Post sends one message and returns the answer; one that comes as a stream of events is read as the answer in it.
func (w *WebAgent) Post(method string, params any) Answer {
	w.A.T.Helper()
	w.last++
	raw, _ := json.Marshal(RPC{Version: "2.0", ID: json.RawMessage(fmt.Sprint(w.last)), Method: method, Params: params})
	header := append([]string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream"},
		w.Header...)
	if w.Token != "" {
		header = append(header, "Authorization", "Bearer "+w.Token)
	}
	if w.Session != "" {
		header = append(header, "Mcp-Session-Id", w.Session)
	}
	r := w.A.Request(http.MethodPost, w.Path, string(raw), header...)
	for line := range strings.Lines(r.Raw) {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			_ = json.Unmarshal([]byte(data), &r.Body)
		}
	}
	return r
}

// Initialize begins a session.
func (w *WebAgent) Initialize() Answer {
	w.A.T.Helper()
	w.Session = ""
	r := w.Post("initialize", Object{"protocolVersion": "2025-11-25", "capabilities": Object{},
		"clientInfo": Object{"name": "e2e", "version": "1"}})
	w.Session = r.Header.Get("Mcp-Session-Id")
	return r
}

// Tool calls a tool and returns its answer.
func (w *WebAgent) Tool(name string, args Object) ToolAnswer {
	w.A.T.Helper()
	r := w.Post("tools/call", Object{"name": name, "arguments": args})
	raw, _ := json.Marshal(r.Body["result"])
	if r.Status != http.StatusOK || r.Body["result"] == nil {
		w.A.T.Fatalf("%s: %d %s", name, r.Status, r.Raw)
	}
	return ReadTool(w.A.T, raw)
}

// MustRefuse checks status, code and shape of an error.
func MustRefuse(t *testing.T, r Answer, status int, code string) {
	t.Helper()
	if r.Status != status || r.Code() != code {
		t.Errorf("the answer is %d %s, not %d %s: %s", r.Status, r.Code(), status, code, r.Raw)
		return
	}
	o, _ := r.Body["errorObject"].(map[string]any)
	text, _ := o["text"].(string)
	kind, _ := o["type"].(string)
	_, hinted := o["hint"].(string)
	members := 4
	if field, named := o["field"].(string); named && field != "" { // of an error about an input
		members++
	}
	if r.Body["success"] != false || r.Body["error"] != text || r.Body["message"] != text || text == "" || kind == "" ||
		!hinted || len(o) != members {
		t.Errorf("the error has not the shape of one: %s", r.Raw)
	}
	for key := range r.Body {
		if !slices.Contains([]string{"success", "error", "message", "errorObject", "automation"}, key) {
			t.Errorf("the error has a field %q: %s", key, r.Raw)
		}
	}
	if kind := r.Header.Get("Content-Type"); !strings.HasPrefix(kind, "application/json") {
		t.Errorf("the error is %s", kind)
	}
}

// MustSucceed checks that a call worked and that its body has nothing that looks like an error, not even as null.
func MustSucceed(t *testing.T, r Answer) {
	t.Helper()
	if r.Status != http.StatusOK || r.Body == nil {
		t.Fatalf("the answer is %d %s", r.Status, r.Raw)
	}
	for _, key := range []string{"error", "errorObject"} {
		if strings.Contains(r.Raw, `"`+key+`"`) {
			t.Errorf("a success has the key %q: %s", key, r.Raw)
		}
	}
}

// Script writes an executable shell script. No program is started meanwhile: it would inherit the open file for a
// moment, and a file that somebody writes cannot be run.
func Script(t *testing.T, path, text string) {
	t.Helper()
	syscall.ForkLock.RLock()
	err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
}

// MassCreate makes n profiles.
func (a *App) MassCreate(n int, browser string) (ids []int) {
	a.T.Helper()
	r := a.Own("POST", "/v1.0/browser_profiles/mass",
		fmt.Sprintf(`{"template":{"name":"many","browser":%q},"count":%d}`, browser, n))
	MustSucceed(a.T, r)
	list, _ := r.Body["ids"].([]any)
	for _, one := range list {
		id, _ := one.(float64)
		ids = append(ids, int(id))
	}
	if len(ids) != n {
		a.T.Fatalf("asked for %d profiles: %s", n, r.Raw)
	}
	return ids
}

// Raw sends a request line as it is, follows nothing, and returns the answer.
func (a *App) Raw(method, target, body string, header ...string) Answer {
	a.T.Helper()
	host := strings.TrimPrefix(a.Base, "http://")
	c, err := new(net.Dialer).DialContext(a.T.Context(), "tcp4", host)
	if err != nil {
		a.T.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	lines := []string{method + " " + target + " HTTP/1.1", "Connection: close",
		"Content-Length: " + strconv.Itoa(len(body))}
	if !slices.Contains(header, "Host") {
		lines = append(lines, "Host: "+host)
	}
	for i := 0; i+1 < len(header); i += 2 {
		lines = append(lines, header[i]+": "+header[i+1])
	}
	if _, err := io.WriteString(c, strings.Join(lines, "\r\n")+"\r\n\r\n"+body); err != nil {
		a.T.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: method})
	if err != nil {
		a.T.Fatalf("%s %s: %v", method, target, err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		a.T.Fatalf("%s %s: %v", method, target, err)
	}
	r := Answer{Status: res.StatusCode, Header: res.Header, Raw: string(text)}
	_ = json.Unmarshal(text, &r.Body)
	return r
}

// World is everything that a refused call could have changed. The data folders of open browsers change by themselves.
func (a *App) World() string {
	a.T.Helper()
	var all strings.Builder
	for _, path := range []string{"/browser_profiles?limit=10000", "/browser_profiles?limit=10000&trashed=1",
		"/browser_profiles/running", "/accounts", "/tokens", "/settings", "/auth/me", "/browser_profiles/1/policy", "/browser_profiles/2/policy", "/pin", "/panic"} {
		fmt.Fprintf(&all, "%s %s", path, a.Own("GET", "/v1.0"+path, "").Raw)
	}
	err := filepath.WalkDir(a.Home, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(a.Home, name)
		switch base := filepath.Base(name); {
		case base == "data_dir" && Exists(filepath.Join(filepath.Dir(name), "keeper.json")), rel == "logs":
			return fs.SkipDir
		case strings.Contains(base, "journal.json"): // follows the journal, a moment later
			return nil
		case strings.HasPrefix(rel, "cove.db") || base == "browser.log" || rel == "up.out":
			return nil
		}
		sum := [32]byte{}
		if d.Type().IsRegular() {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			sum = sha256.Sum256(text)
		}
		fmt.Fprintf(&all, "%s %s %x\n", rel, d.Type(), sum[:4])
		return nil
	})
	if err != nil {
		a.T.Fatal(err)
	}
	return all.String()
}

// Unchanged runs calls that must change nothing.
func (a *App) Unchanged(calls func()) {
	a.T.Helper()
	before := a.World()
	calls()
	if after := a.World(); before != after {
		a.T.Errorf("a refused call changed\n%s\ninto\n%s", before, after)
	}
}
