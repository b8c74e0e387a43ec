//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// webAgent is an MCP client over HTTP.
type webAgent struct {
	a       *app
	path    string
	token   string
	session string
	header  []string
	last    int
}

// post sends one message and returns the answer; one that comes as a stream of events is read as the answer in it.
func (w *webAgent) post(method string, params any) answer {
	w.a.t.Helper()
	w.last++
	raw, _ := json.Marshal(rpc{Version: "2.0", ID: json.RawMessage(fmt.Sprint(w.last)), Method: method, Params: params})
	header := append([]string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream"}, w.header...)
	if w.token != "" {
		header = append(header, "Authorization", "Bearer "+w.token)
	}
	if w.session != "" {
		header = append(header, "Mcp-Session-Id", w.session)
	}
	r := w.a.request(http.MethodPost, w.path, string(raw), header...)
	for line := range strings.Lines(r.Raw) {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			_ = json.Unmarshal([]byte(data), &r.Body)
		}
	}
	return r
}

func (w *webAgent) initialize() answer {
	w.a.t.Helper()
	w.session = ""
	r := w.post("initialize", object{"protocolVersion": "2025-11-25", "capabilities": object{}, "clientInfo": object{"name": "e2e", "version": "1"}})
	w.session = r.Header.Get("Mcp-Session-Id")
	return r
}

func (w *webAgent) tool(name string, args object) toolAnswer {
	w.a.t.Helper()
	r := w.post("tools/call", object{"name": name, "arguments": args})
	raw, _ := json.Marshal(r.Body["result"])
	if r.Status != http.StatusOK || r.Body["result"] == nil {
		w.a.t.Fatalf("%s: %d %s", name, r.Status, r.Raw)
	}
	return readTool(w.a.t, raw)
}

func TestAgentsOverHTTP(t *testing.T) {
	a, web := start(t), newSite(t)
	owner := &webAgent{a: a, path: "/mcp/1", token: a.token()}
	t.Run("who may", func(t *testing.T) {
		for name, tc := range map[string]struct {
			token, path string
			header      []string
			status      int
			code        string
		}{
			"nobody without a token":  {path: "/mcp/1", status: 401, code: "E_UNAUTHORIZED"},
			"nobody with a wrong one": {token: "wrong", path: "/mcp/1", status: 401, code: "E_UNAUTHORIZED"},
			"no web page":             {token: owner.token, path: "/mcp/1", header: []string{"Origin", "http://evil.example"}, status: 403, code: "E_FORBIDDEN_ORIGIN"},
			"no page of this site":    {token: owner.token, path: "/mcp/1", header: []string{"Sec-Fetch-Site", "cross-site"}, status: 403, code: "E_FORBIDDEN_ORIGIN"},
			"no foreign host":         {token: owner.token, path: "/mcp/1", header: []string{"Host", "evil.example"}, status: 403, code: "E_FORBIDDEN_HOST"},
			"no profile that is not":  {token: owner.token, path: "/mcp/999", status: 404, code: "E_NOT_FOUND"},
			"nothing that is no id":   {token: owner.token, path: "/mcp/x", status: 400, code: "E_INVALID"},
		} {
			t.Run(name, func(t *testing.T) {
				w := &webAgent{a: a, path: tc.path, token: tc.token, header: tc.header}
				if r := w.initialize(); r.Status != tc.status || r.code() != tc.code {
					t.Errorf("%d %s", r.Status, r.Raw)
				}
			})
		}
		if state, _ := a.state(1); state != "" {
			t.Errorf("a refused caller has opened the profile: %s", state)
		}
	})
	if r := owner.initialize(); r.Status != http.StatusOK || owner.session == "" {
		t.Fatalf("initialize: %d %s", r.Status, r.Raw)
	}
	if state, mode := a.state(1); state != "open" || mode != "automation" {
		t.Fatalf("initialize did not open the profile: %s %s", state, mode)
	}
	if got := owner.tool("new_page", object{"url": web.URL + "/tab/1"}); got.IsError {
		t.Fatal(got.Text)
	}
	t.Run("each session has its own page", func(t *testing.T) {
		var made struct{ Token string }
		if err := json.Unmarshal([]byte(a.must("token", "create", "agent", "--json")), &made); err != nil {
			t.Fatal(err)
		}
		other := &webAgent{a: a, path: "/mcp/1?tools=all", token: made.Token}
		if r := other.initialize(); r.Status != http.StatusOK {
			t.Fatalf("an API token: %d %s", r.Status, r.Raw)
		}
		list := other.post("tools/list", object{})
		if !strings.Contains(list.Raw, "save_pdf") || strings.Contains(owner.post("tools/list", object{}).Raw, "save_pdf") {
			t.Error("tools=all is not what it says")
		}
		other.tool("new_page", object{"url": web.URL + "/tab/2"})
		title := object{"function": "() => document.title"}
		if one, two := owner.tool("evaluate_script", title), other.tool("evaluate_script", title); !strings.Contains(one.Text, "tab 1") || !strings.Contains(two.Text, "tab 2") {
			t.Errorf("%s %s", one.Text, two.Text)
		}
	})
	t.Run("large messages", func(t *testing.T) {
		big := strings.Repeat("x", 5<<20)
		if got := owner.tool("evaluate_script", object{"function": "() => '" + big + "'.length"}); !strings.Contains(got.Text, fmt.Sprint(5<<20)) {
			t.Errorf("5 MB: %.300s", got.Text)
		}
		if r := owner.post("tools/call", object{"name": "list_pages", "arguments": object{"x": strings.Repeat("x", 65<<20)}}); r.Status != http.StatusRequestEntityTooLarge || r.code() == "" {
			t.Errorf("65 MB: %d %.300s", r.Status, r.Raw)
		}
	})
	t.Run("without sessions", func(t *testing.T) {
		modern := &webAgent{a: a, path: "/mcp/1", token: a.token(), header: []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "server/discover"}}
		if r := modern.post("server/discover", object{"_meta": modernMeta(nil)}); r.Status != http.StatusOK || !strings.Contains(r.Raw, "2026-07-28") {
			t.Fatalf("discover: %d %s", r.Status, r.Raw)
		}
		call := func(name string, args object) answer {
			modern.header = []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", name}
			return modern.post("tools/call", object{"name": name, "arguments": args, "_meta": modernMeta(nil)})
		}
		call("new_page", object{"url": web.URL + "/tab/3"})
		if r := call("evaluate_script", object{"function": "() => document.title"}); !strings.Contains(r.Raw, "tab 3") {
			t.Errorf("the selected page is forgotten: %d %s", r.Status, r.Raw)
		}
	})
	t.Run("a stop ends the session", func(t *testing.T) {
		a.must("stop", "1")
		for range 2 {
			if r := owner.post("tools/call", object{"name": "list_pages", "arguments": object{}}); r.Status != http.StatusNotFound || r.code() != "E_NOT_OPEN" {
				t.Errorf("an old session: %d %s", r.Status, r.Raw)
			}
		}
		if state, _ := a.state(1); state != "" {
			t.Errorf("it has opened the profile: %s", state)
		}
		old := owner.session
		if r := owner.initialize(); r.Status != http.StatusOK || owner.session == old {
			t.Errorf("a new session: %d %s", r.Status, r.Raw)
		}
		owner.tool("list_pages", object{})
		current := owner.session
		owner.session = old
		if r := owner.post("tools/call", object{"name": "list_pages", "arguments": object{}}); r.Status != http.StatusNotFound {
			t.Errorf("the old session in the new browser: %d %s", r.Status, r.Raw)
		}
		owner.session = current
	})
	t.Run("a crash ends the session too", func(t *testing.T) {
		kill(t, a.browser(1))
		wait(t, "the end", closed(a, 1))
		if r := owner.post("tools/call", object{"name": "list_pages", "arguments": object{}}); r.Status != http.StatusNotFound {
			t.Errorf("the old session: %d %s", r.Status, r.Raw)
		}
		owner.initialize()
		owner.tool("list_pages", object{})
	})
	t.Run("a client ends its session", func(t *testing.T) {
		r := a.request(http.MethodDelete, "/mcp/1", "", "Authorization", "Bearer "+owner.token, "Mcp-Session-Id", owner.session)
		if r.Status != http.StatusNoContent && r.Status != http.StatusOK {
			t.Errorf("DELETE: %d %s", r.Status, r.Raw)
		}
		if r := owner.post("tools/call", object{"name": "list_pages", "arguments": object{}}); r.Status != http.StatusNotFound {
			t.Errorf("the session that has ended: %d %s", r.Status, r.Raw)
		}
		stillOpen(t, a, 1)
	})
	t.Run("the free plan", func(t *testing.T) {
		a.close(1)
		a.must("account", "set-plan", "free")
		if r := owner.initialize(); r.Status != http.StatusPaymentRequired || r.code() != "E_PLAN_AUTOMATION" {
			t.Errorf("%d %s", r.Status, r.Raw)
		}
	})
}
