//go:build e2e

package harness

import (
	"encoding/json"
	"testing"
)

// Tool waits for the answer of a tool.
func (r *Request) Tool() ToolAnswer {
	r.m.T.Helper()
	raw, err := r.Wait()
	if err != nil {
		r.m.T.Fatalf("%s: %v\n%s", r.method, err, r.m.Said.String())
	}
	return ReadTool(r.m.T, raw)
}

// Tools is the names of the tools.
func (m *MCP) Tools() (names []string) {
	m.T.Helper()
	var r struct {
		Tools []struct{ Name string }
	}
	m.Must("tools/list", Object{}, &r)
	for _, t := range r.Tools {
		names = append(names, t.Name)
	}
	return names
}

// ToolAnswer is what a tool gives: its texts joined, and its pictures.
type ToolAnswer struct {
	Text    string
	Images  []string // base64
	IsError bool
}

// ReadTool reads the result of a tools/call.
func ReadTool(t *testing.T, raw json.RawMessage) ToolAnswer {
	t.Helper()
	var r struct {
		IsError bool
		Content []struct{ Type, Text, Data string }
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	a := ToolAnswer{IsError: r.IsError}
	for _, c := range r.Content {
		if c.Type == "image" {
			a.Images = append(a.Images, c.Data)
			continue
		}
		a.Text += c.Text + "\n"
	}
	return a
}

// Tool calls a tool and returns its answer.
func (m *MCP) Tool(name string, args Object) ToolAnswer {
	m.T.Helper()
	return m.BeginTool(name, args).Tool()
}

// BeginTool calls a tool and does not wait.
func (m *MCP) BeginTool(name string, args Object) *Request {
	if args == nil {
		args = Object{}
	}
	return m.Begin("tools/call", Object{"name": name, "arguments": args})
}

// Works is a tool call that must not fail; it returns the text.
func (m *MCP) Works(name string, args Object) string {
	m.T.Helper()
	a := m.Tool(name, args)
	if a.IsError {
		m.T.Fatalf("%s %v: %s", name, args, a.Text)
	}
	return a.Text
}
