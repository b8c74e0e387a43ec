//go:build e2e

package clients

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"cove/e2e/harness"
)

func TestAgentsOverHTTP(t *testing.T) {
	a, web := harness.Start(t), harness.NewSite(t)
	owner := &harness.WebAgent{A: a, Path: "/mcp/1", Token: a.Token()}
	t.Run("who may", func(t *testing.T) {
		for name, tc := range map[string]struct {
			token, path string
			header      []string
			status      int
			code        string
		}{
			"nobody without a token":  {path: "/mcp/1", status: 401, code: "E_UNAUTHORIZED"},
			"nobody with a wrong one": {token: "wrong", path: "/mcp/1", status: 401, code: "E_UNAUTHORIZED"},
			"no web page": {token: owner.Token, path: "/mcp/1",
				header: []string{"Origin", "http://evil.example"}, status: 403, code: "E_FORBIDDEN_ORIGIN"},
			"no page of this site": {token: owner.Token, path: "/mcp/1",
				header: []string{"Sec-Fetch-Site", "cross-site"}, status: 403, code: "E_FORBIDDEN_ORIGIN"},
			"no foreign host": {token: owner.Token, path: "/mcp/1", header: []string{"Host", "evil.example"},
				status: 403, code: "E_FORBIDDEN_HOST"},
			"no profile that is not": {token: owner.Token, path: "/mcp/999", status: 404, code: "E_NOT_FOUND"},
			"nothing that is no id":  {token: owner.Token, path: "/mcp/x", status: 400, code: "E_INVALID"},
		} {
			t.Run(name, func(t *testing.T) {
				w := &harness.WebAgent{A: a, Path: tc.path, Token: tc.token, Header: tc.header}
				if r := w.Initialize(); r.Status != tc.status || r.Code() != tc.code {
					t.Errorf("%d %s", r.Status, r.Raw)
				}
			})
		}
		if state, _ := a.State(1); state != "" {
			t.Errorf("a refused caller has opened the profile: %s", state)
		}
	})
	if r := owner.Initialize(); r.Status != http.StatusOK || owner.Session == "" {
		t.Fatalf("initialize: %d %s", r.Status, r.Raw)
	}
	if state, mode := a.State(1); state != "open" || mode != "automation" {
		t.Fatalf("initialize did not open the profile: %s %s", state, mode)
	}
	if got := owner.Tool("new_page", harness.Object{"url": web.URL + "/tab/1"}); got.IsError {
		t.Fatal(got.Text)
	}
	t.Run("each session has its own page", func(t *testing.T) {
		var made struct{ Token string }
		if err := json.Unmarshal([]byte(a.Must("token", "create", "agent", "--json")), &made); err != nil {
			t.Fatal(err)
		}
		other := &harness.WebAgent{A: a, Path: "/mcp/1?tools=all", Token: made.Token}
		if r := other.Initialize(); r.Status != http.StatusOK {
			t.Fatalf("an API token: %d %s", r.Status, r.Raw)
		}
		list := other.Post("tools/list", harness.Object{})
		if !strings.Contains(list.Raw, "save_pdf") || strings.Contains(owner.Post("tools/list", harness.Object{}).Raw,
			"save_pdf") {
			t.Error("tools=all is not what it says")
		}
		other.Tool("new_page", harness.Object{"url": web.URL + "/tab/2"})
		title := harness.Object{"function": "() => document.title"}
		if one, two := owner.Tool("evaluate_script", title), other.Tool("evaluate_script",
			title); !strings.Contains(one.Text, "tab 1") || !strings.Contains(two.Text, "tab 2") {
			t.Errorf("%s %s", one.Text, two.Text)
		}
	})
	t.Run("large messages", func(t *testing.T) {
		big := strings.Repeat("x", 5<<20)
		if got := owner.Tool("evaluate_script",
			harness.Object{"function": "() => '" + big + "'.length"}); !strings.Contains(got.Text, fmt.Sprint(5<<20)) {
			t.Errorf("5 MB: %.300s", got.Text)
		}
		if r := owner.Post("tools/call",
			harness.Object{"name": "list_pages",
				"arguments": harness.Object{"x": strings.Repeat("x",
					65<<20)}}); r.Status != http.StatusRequestEntityTooLarge || r.Code() == "" {
			t.Errorf("65 MB: %d %.300s", r.Status, r.Raw)
		}
	})
	t.Run("without sessions", func(t *testing.T) {
		modern := &harness.WebAgent{A: a, Path: "/mcp/1", Token: a.Token(),
			Header: []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "server/discover"}}
		if r := modern.Post("server/discover",
			harness.Object{"_meta": harness.ModernMeta(nil)}); r.Status != http.StatusOK || !strings.Contains(r.Raw, "2026-07-28") {
			t.Fatalf("discover: %d %s", r.Status, r.Raw)
		}
		call := func(name string, args harness.Object) harness.Answer {
			modern.Header = []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", name}
			return modern.Post("tools/call", harness.Object{"name": name, "arguments": args,
				"_meta": harness.ModernMeta(nil)})
		}
		call("new_page", harness.Object{"url": web.URL + "/tab/3"})
		if r := call("evaluate_script", harness.Object{"function": "() => document.title"}); !strings.Contains(r.Raw,
			"tab 3") {
			t.Errorf("the selected page is forgotten: %d %s", r.Status, r.Raw)
		}
	})
	t.Run("a stop ends the session", func(t *testing.T) {
		a.Must("stop", "1")
		for range 2 {
			if r := owner.Post("tools/call",
				harness.Object{"name": "list_pages",
					"arguments": harness.Object{}}); r.Status != http.StatusNotFound || r.Code() != "E_NOT_OPEN" {
				t.Errorf("an old session: %d %s", r.Status, r.Raw)
			}
		}
		if state, _ := a.State(1); state != "" {
			t.Errorf("it has opened the profile: %s", state)
		}
		old := owner.Session
		if r := owner.Initialize(); r.Status != http.StatusOK || owner.Session == old {
			t.Errorf("a new session: %d %s", r.Status, r.Raw)
		}
		owner.Tool("list_pages", harness.Object{})
		current := owner.Session
		owner.Session = old
		if r := owner.Post("tools/call",
			harness.Object{"name": "list_pages", "arguments": harness.Object{}}); r.Status != http.StatusNotFound {
			t.Errorf("the old session in the new browser: %d %s", r.Status, r.Raw)
		}
		owner.Session = current
	})
	t.Run("a crash ends the session too", func(t *testing.T) {
		harness.Kill(t, a.Browser(1))
		harness.Wait(t, "the end", harness.Closed(a, 1))
		if r := owner.Post("tools/call",
			harness.Object{"name": "list_pages", "arguments": harness.Object{}}); r.Status != http.StatusNotFound {
			t.Errorf("the old session: %d %s", r.Status, r.Raw)
		}
		owner.Initialize()
		owner.Tool("list_pages", harness.Object{})
	})
	t.Run("a client ends its session", func(t *testing.T) {
		r := a.Request(http.MethodDelete, "/mcp/1", "", "Authorization", "Bearer "+owner.Token, "Mcp-Session-Id",
			owner.Session)
		if r.Status != http.StatusNoContent && r.Status != http.StatusOK {
			t.Errorf("DELETE: %d %s", r.Status, r.Raw)
		}
		if r := owner.Post("tools/call",
			harness.Object{"name": "list_pages", "arguments": harness.Object{}}); r.Status != http.StatusNotFound {
			t.Errorf("the session that has ended: %d %s", r.Status, r.Raw)
		}
		stillOpen(t, a, 1)
	})
	t.Run("the free plan", func(t *testing.T) {
		a.Close(1)
		a.Must("account", "set-plan", "free")
		if r := owner.Initialize(); r.Status != http.StatusPaymentRequired || r.Code() != "E_PLAN_AUTOMATION" {
			t.Errorf("%d %s", r.Status, r.Raw)
		}
	})
}
