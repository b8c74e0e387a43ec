package mcpserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net"
	"slices"
	"strings"
	"testing"

	"cove/internal/mcpserver"
	"cove/internal/mcpserver/tools"
	"cove/internal/page"
	"cove/internal/policy"
)

// conversation talks to a server without a browser, line by line.
type conversation struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
	last int
	// hello is the answer to initialize.
	hello json.RawMessage
}

// emptyBrowser is a browser without pages.
func emptyBrowser(context.Context) (*page.Browser, error) { return page.New(nil), nil }

func converse(t *testing.T, h mcpserver.Hello) *conversation {
	t.Helper()
	return greeted(t, mcpserver.NewServer(mcpserver.Config{
		Name: "work", Version: "1", Tools: tools.All(), Browser: emptyBrowser}), h)
}

// talkTo is a conversation with a server that a test has made.
func talkTo(t *testing.T, s *mcpserver.Server) *conversation {
	t.Helper()
	return greeted(t, s, mcpserver.Hello{Tools: []string{"all"}})
}

func greeted(t *testing.T, s *mcpserver.Server, h mcpserver.Hello) *conversation {
	t.Helper()
	ours, theirs := net.Pipe()
	done := make(chan error, 1)
	go func() { done <- s.Serve(context.Background(), theirs, h, nil) }()
	t.Cleanup(func() { _ = ours.Close(); <-done })
	return newConversation(t, ours)
}

// newConversation shakes hands over a connection.
func newConversation(t *testing.T, conn net.Conn) *conversation {
	t.Helper()
	c := &conversation{t: t, conn: conn, in: bufio.NewReader(conn)}
	c.hello = c.request("initialize", map[string]any{
		"protocolVersion": "2025-11-25", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "test", "version": "1"},
	})
	c.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return c
}

func (c *conversation) send(message any) {
	c.t.Helper()
	raw, err := json.Marshal(message)
	if err == nil {
		_, err = c.conn.Write(append(raw, '\n'))
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

func (c *conversation) request(method string, params any) json.RawMessage {
	c.t.Helper()
	c.last++
	c.send(map[string]any{"jsonrpc": "2.0", "id": c.last, "method": method, "params": params})
	raw, err := c.in.ReadBytes('\n')
	if err != nil {
		c.t.Fatal(err)
	}
	var r struct {
		ID     int
		Result json.RawMessage
		Error  json.RawMessage
	}
	if err := json.Unmarshal(raw, &r); err != nil || r.ID != c.last {
		c.t.Fatalf("%s: %v %s", method, err, raw)
	}
	if r.Error != nil {
		return r.Error
	}
	return r.Result
}

// tool calls a tool.
func (c *conversation) tool(name string, args map[string]any) (text string, failed bool) {
	c.t.Helper()
	var r struct {
		IsError bool
		Content []struct{ Text string }
	}
	raw := c.request("tools/call", map[string]any{"name": name, "arguments": args})
	if err := json.Unmarshal(raw, &r); err != nil || len(r.Content) == 0 {
		c.t.Fatalf("%s: %s", name, raw)
	}
	return r.Content[0].Text, r.IsError
}

// modern calls a tool as a client of 2026-07-28 does, which can ask its person. accepted is the question that they have
// said yes to; "" for none. It returns the result, and the questions that are in it.
func (c *conversation) modern(name string, args any, accepted string) (result string, asked []string) {
	c.t.Helper()
	params := map[string]any{"name": name, "arguments": args, "_meta": map[string]any{
		"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
		"io.modelcontextprotocol/clientInfo":         map[string]any{"name": "test", "version": "1"},
		"io.modelcontextprotocol/clientCapabilities": map[string]any{"elicitation": map[string]any{}},
	}}
	if accepted != "" {
		params["inputResponses"] = map[string]any{
			accepted: map[string]any{"action": "accept", "content": map[string]any{}}}
	}
	raw := c.request("tools/call", params)
	var r struct{ InputRequests map[string]any }
	if err := json.Unmarshal(raw, &r); err != nil {
		c.t.Fatalf("%s: %s", name, raw)
	}
	return string(raw), slices.Collect(maps.Keys(r.InputRequests))
}

func TestADisconnectedAgentIsToldAndItsSessionEnds(t *testing.T) {
	enforcer := policy.NewEnforcer(policy.Policy{})
	s := mcpserver.NewServer(mcpserver.Config{
		Name: "work", Version: "1", Tools: tools.All(), Browser: emptyBrowser, Enforcer: enforcer})
	hooked := false
	c := greeted(t, s, mcpserver.Hello{Disconnected: func() { hooked = true }})
	other := talkTo(t, s)
	agents := enforcer.State().Agents
	if len(agents) != 2 || agents[0].Session == "" || agents[0].Session == agents[1].Session {
		t.Fatalf("%+v", agents)
	}
	for _, one := range agents {
		if err := enforcer.Disconnect(one.Session); err != nil {
			t.Fatal(err)
		}
	}
	for _, one := range []*conversation{c, other} {
		answer := string(one.request("tools/call", map[string]any{"name": "list_pages", "arguments": map[string]any{}}))
		if !strings.Contains(answer, "disconnected this agent") || !strings.Contains(answer, `"isError":true`) {
			t.Errorf("%s", answer)
		}
		if line, err := one.in.ReadString('\n'); !errors.Is(err, io.EOF) {
			t.Errorf("the session goes on: %q %v", line, err)
		}
	}
	if !hooked {
		t.Error("the bridge does not hear of it")
	}
	talkTo(t, s) // it can connect again
	if n := len(enforcer.State().Agents); n != 1 {
		t.Errorf("%d agents", n)
	}
}
