//go:build e2e

package harness

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Bridge runs `cove mcp` as a client does, in a folder of its own.
func (a *App) Bridge(args ...string) *MCP {
	a.T.Helper()
	return StartMCP(a.T, Command{Args: append([]string{Cove, "mcp"}, args...), Env: a.Environ(), Dir: a.T.TempDir()})
}

// Agent is a bridge that has shaken hands.
func (a *App) Agent(args ...string) *MCP {
	a.T.Helper()
	m := a.Bridge(args...)
	if name := m.Initialize(); name != "cove" {
		a.T.Errorf("the server calls itself %q", name)
	}
	return m
}

// Fails is a tool call that must fail, with all of the words in its answer.
func (m *MCP) Fails(name string, args Object, words ...string) string {
	m.T.Helper()
	a := m.Tool(name, args)
	if !a.IsError {
		m.T.Fatalf("%s %v should fail: %s", name, args, a.Text)
	}
	for _, w := range words {
		if !strings.Contains(a.Text, w) {
			m.T.Errorf("%s %v does not say %q: %s", name, args, w, a.Text)
		}
	}
	return a.Text
}

// RefusedBridge runs a bridge that must say why there is no profile: to its client, to the person, and to whoever runs
// it.
func RefusedBridge(t *testing.T, a *App, method string, code int, args []string, words ...string) {
	t.Helper()
	m := StartMCP(t, Command{Args: append([]string{Cove, "mcp"}, args...), Env: a.Environ(), Dir: t.TempDir()})
	params := Object{"protocolVersion": "2025-11-25", "capabilities": Object{},
		"clientInfo": Object{"name": "e2e", "version": "1"}}
	if method == "server/discover" {
		params = Object{"_meta": ModernMeta(nil)}
	}
	_, err := m.Call(method, params)
	var told *rpcError
	if !errors.As(err, &told) {
		t.Fatalf("%s of %v: %v", method, args, err)
	}
	if got := m.Exit(); got != code {
		t.Errorf("exit code %d, not %d: %s", got, code, told.Message)
	}
	for _, w := range words {
		if !strings.Contains(told.Message, w) {
			t.Errorf("%s of %v does not say %q: %s", method, args, w, told.Message)
		}
		if !strings.Contains(m.Said.String(), w) {
			t.Errorf("stderr of %v does not say %q: %s", args, w, m.Said.String())
		}
	}
}

// Log is the text of the logs whose name contains word.
func (a *App) Log(word string) string {
	var all []byte
	names, _ := filepath.Glob(filepath.Join(a.Home, "logs", "*"))
	more, _ := filepath.Glob(filepath.Join(a.Home, "browser_profiles", "*", "*.log"))
	for _, name := range append(names, more...) {
		if raw, err := os.ReadFile(name); err == nil && strings.Contains(filepath.Base(name), word) {
			all = append(all, raw...)
		}
	}
	return string(all)
}

// Progress is the progress that the server has told for a token.
func (m *MCP) Progress(token string) (messages []string) {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	for _, n := range m.Notes {
		p, _ := n.Params.(map[string]any)
		if n.Method == "notifications/progress" && p["progressToken"] == token {
			text, _ := p["message"].(string)
			messages = append(messages, text)
		}
	}
	return messages
}

// ModernMeta is what a client of 2026-07-28 sends with each request.
func ModernMeta(can Object) Object {
	if can == nil {
		can = Object{}
	}
	return Object{"io.modelcontextprotocol/protocolVersion": "2026-07-28",
		"io.modelcontextprotocol/clientCapabilities": can,
		"io.modelcontextprotocol/clientInfo":         Object{"name": "e2e", "version": "1"}}
}

// Modern calls a tool as a client of 2026-07-28 does; more is what it sends beside the arguments.
func (m *MCP) Modern(can Object, name string, args Object, more Object) (string, map[string]any) {
	m.T.Helper()
	params := Object{"name": name, "arguments": args, "_meta": ModernMeta(can)}
	maps.Copy(params, more)
	var raw json.RawMessage
	m.Must("tools/call", params, &raw)
	var r map[string]any
	_ = json.Unmarshal(raw, &r)
	return ReadTool(m.T, raw).Text, r
}

// Replied is what such a client sends with the call once more, after its person has said something to the question in
// r.
func Replied(t *testing.T, r map[string]any, action string) Object {
	t.Helper()
	asked, _ := r["inputRequests"].(map[string]any)
	if r["resultType"] != "input_required" || len(asked) != 1 {
		t.Fatalf("nobody is asked: %v", r)
	}
	all := Object{}
	for id := range asked {
		all[id] = Object{"action": action, "content": Object{}}
	}
	return Object{"inputResponses": all, "requestState": r["requestState"]}
}

// Checker is the path of a file of the packages that check the protocol.
func Checker(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("conformance", "node_modules", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Front is the address of a profile's MCP server with the owner's token added, for a suite that can send none.
func (a *App) Front(id int) string {
	a.T.Helper()
	token := a.Token()
	target, err := url.Parse(a.Base)
	if err != nil {
		a.T.Fatal(err)
	}
	var self string
	proxy := &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(p *httputil.ProxyRequest) {
		p.Out.URL.Scheme, p.Out.URL.Host = target.Scheme, target.Host
		p.Out.Host = p.In.Host // a foreign one is for the server to refuse
		if p.In.Host == self || p.In.Host == strings.Replace(self, "127.0.0.1", "localhost", 1) {
			p.Out.Host = target.Host
		}
		if origin := p.In.Header.Get("Origin"); origin == "http://"+p.In.Host && p.Out.Host == target.Host {
			p.Out.Header.Set("Origin", target.String())
		}
		p.Out.Header.Set("Authorization", "Bearer "+token)
	}}
	server := httptest.NewServer(proxy)
	a.T.Cleanup(server.Close)
	self = strings.TrimPrefix(server.URL, "http://")
	return fmt.Sprintf("%s/mcp/%d", server.URL, id)
}
