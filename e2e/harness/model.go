//go:build e2e

package harness

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Model is a model on loopback that speaks to clients of four makers. It calls one tool after another, as its test
// decides, and then says that it is done.
type Model struct {
	*httptest.Server
	Mu    sync.Mutex
	Tools []string // the names of the tools that it has called, as clients offer them
	Saw   []string // what the tools have answered so far, as the client hands it to its model
	Asked []string // paths, for the log of a failure
	Sent  []string // the bodies of all requests
	last  string   // request
	next  func(saw []string) *ToolCall
}

// ToolCall is a tool that a model calls.
type ToolCall struct {
	Name string
	Args Object
}

// NewModel starts a model for one test. next decides what it calls after all that it has seen; nil is the end.
func NewModel(t *testing.T, next func(saw []string) *ToolCall) *Model {
	t.Helper()
	m := &Model{next: next}
	m.Server = httptest.NewServer(http.HandlerFunc(m.serve))
	t.Cleanup(m.Close)
	return m
}

func (m *Model) serve(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	m.Mu.Lock()
	m.Asked, m.last = append(m.Asked, r.Method+" "+r.URL.Path), string(raw)
	m.Sent = append(m.Sent, string(raw))
	m.Mu.Unlock()
	var body map[string]any
	_ = json.Unmarshal(raw, &body)
	switch path := r.URL.Path; {
	case strings.HasSuffix(path, "/responses"):
		m.responses(w, body)
	case strings.HasSuffix(path, "/chat/completions"):
		m.completions(w, body)
	case strings.HasSuffix(path, "/messages"):
		m.messages(w, body)
	case strings.Contains(path, ":streamGenerateContent"):
		m.generate(w, body)
	default:
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"data":[],"input_tokens":1,"totalTokens":1}`)
	}
}

// call returns what the model calls after these answers, and the way to the tool: names of namespaces come first. A
// client that does not offer the tool, or a model that is done, has no way. Clients also ask for a title or a summary,
// and offer no tools then.
func (m *Model) call(answers []any, tools any) (way []string, call *ToolCall) {
	saw := []string{}
	for _, one := range answers {
		saw = append(saw, words(one))
	}
	m.Mu.Lock()
	defer m.Mu.Unlock()
	if len(saw) > len(m.Saw) {
		m.Saw = saw
	}
	if call = m.next(saw); call == nil {
		return nil, nil
	}
	if way = m.offered(tools, call.Name); way != nil {
		m.Tools = append(m.Tools, strings.Join(way, " "))
	}
	return way, call
}

// offered finds a tool in what a client offers. The caller holds Mu.
func (m *Model) offered(tools any, tool string) (way []string) {
	var walk func(v any, above []string)
	walk = func(v any, above []string) {
		switch v := v.(type) {
		case []any:
			for _, one := range v {
				walk(one, above)
			}
		case map[string]any:
			name, _ := v["name"].(string)
			if strings.HasSuffix(name, tool) {
				way = append(append([]string{}, above...), name)
				return
			}
			if name != "" {
				above = append(append([]string{}, above...), name)
			}
			for _, key := range []string{"tools", "function", "functionDeclarations", "function_declarations"} {
				walk(v[key], above)
			}
		}
	}
	walk(tools, nil)
	if way == nil { // a client that tells its model the names only
		if name := regexp.MustCompile(`mcp_\w*cove-1_\w*` + tool).FindString(m.last); name != "" {
			way = []string{name}
		}
	}
	return way
}

// words are the texts in what a tool answered, however deep a client has packed them.
func words(v any) string {
	switch v := v.(type) {
	case string:
		var packed any
		if json.Unmarshal([]byte(v), &packed) == nil {
			if _, plain := packed.(string); !plain {
				return words(packed)
			}
		}
		return v
	case []any:
		all := []string{}
		for _, one := range v {
			all = append(all, words(one))
		}
		return strings.Join(all, "\n")
	case map[string]any:
		all := []any{}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			all = append(all, v[key])
		}
		return words(all)
	case nil:
		return ""
	}
	return fmt.Sprint(v)
}

// events writes server-sent events; the name of each is its type where name is set.
func events(w http.ResponseWriter, name bool, all ...Object) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range all {
		raw, _ := json.Marshal(e)
		if name {
			fmt.Fprintf(w, "event: %s\n", e["type"])
		}
		fmt.Fprintf(w, "data: %s\n\n", raw)
	}
}

// find is the member of every object below v whose key has a value; with "" for the key, of every object that has it.
func find(v any, key, value, member string) (found []any) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			found = append(found, find(one, key, value, member)...)
		}
	case map[string]any:
		if v[key] == value || key == "" && v[member] != nil {
			return []any{v[member]}
		}
		for _, one := range v {
			found = append(found, find(one, key, value, member)...)
		}
	}
	return found
}

// arguments are the arguments of a call, as JSON.
func (c *ToolCall) arguments() string {
	if c.Args == nil {
		return "{}"
	}
	raw, _ := json.Marshal(c.Args)
	return string(raw)
}

// responses is what Codex speaks.
func (m *Model) responses(w http.ResponseWriter, body map[string]any) {
	usage := Object{"input_tokens": 1, "input_tokens_details": nil, "output_tokens": 1, "output_tokens_details": nil,
		"total_tokens": 2}
	item := Object{"type": "message", "role": "assistant", "id": "m1",
		"content": []Object{{"type": "output_text", "text": "done"}}}
	results := find(body["input"], "type", "function_call_output", "output")
	if way, call := m.call(results, body["tools"]); way != nil {
		item = Object{"type": "function_call", "id": fmt.Sprint("f", len(results)),
			"call_id": fmt.Sprint("c", len(results)), "name": way[len(way)-1], "arguments": call.arguments()}
		if len(way) > 1 {
			item["namespace"] = way[0]
		}
	}
	events(w, true, Object{"type": "response.created", "response": Object{"id": "r1"}},
		Object{"type": "response.output_item.done", "output_index": 0, "item": item},
		Object{"type": "response.completed", "response": Object{"id": "r1", "usage": usage}})
}

// completions is what Qwen Code and others speak.
func (m *Model) completions(w http.ResponseWriter, body map[string]any) {
	delta, reason := Object{"role": "assistant", "content": "done"}, "stop"
	results := find(body["messages"], "role", "tool", "content")
	if way, call := m.call(results, body["tools"]); way != nil {
		delta = Object{"role": "assistant",
			"tool_calls": []Object{{"index": 0, "id": fmt.Sprint("c", len(results)), "type": "function",
				"function": Object{"name": way[len(way)-1], "arguments": call.arguments()}}}}
		reason = "tool_calls"
	}
	chunk := func(delta Object, reason any) Object {
		return Object{"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "fake",
			"choices": []Object{{"index": 0, "delta": delta, "finish_reason": reason}}}
	}
	if body["stream"] != true {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(Object{"id": "x", "object": "chat.completion", "created": 1, "model": "fake",
			"choices": []Object{{"index": 0, "message": delta, "finish_reason": reason}}})
		return
	}
	events(w, false, chunk(delta, nil), chunk(Object{}, reason))
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}

// messages is what Claude Code speaks.
func (m *Model) messages(w http.ResponseWriter, body map[string]any) {
	block, delta, reason := Object{"type": "text", "text": ""}, Object{"type": "text_delta", "text": "done"}, "end_turn"
	results := find(body["messages"], "type", "tool_result", "content")
	if way, call := m.call(results, body["tools"]); way != nil {
		block, delta, reason = Object{"type": "tool_use", "id": fmt.Sprint("toolu_", len(results)),
			"name": way[len(way)-1], "input": Object{}},
			Object{"type": "input_json_delta", "partial_json": call.arguments()}, "tool_use"
	}
	events(w, true, Object{"type": "message_start", "message": Object{"id": "msg_1", "type": "message",
		"role": "assistant", "model": "fake", "content": []any{}, "stop_reason": nil, "stop_sequence": nil,
		"usage": Object{"input_tokens": 1, "output_tokens": 1}}},
		Object{"type": "content_block_start", "index": 0, "content_block": block},
		Object{"type": "content_block_delta", "index": 0, "delta": delta},
		Object{"type": "content_block_stop", "index": 0},
		Object{"type": "message_delta", "delta": Object{"stop_reason": reason, "stop_sequence": nil},
			"usage": Object{"output_tokens": 1}}, Object{"type": "message_stop"})
}

// generate is what Gemini CLI speaks.
func (m *Model) generate(w http.ResponseWriter, body map[string]any) {
	part := Object{"text": "done"}
	results := find(body["contents"], "", "", "functionResponse")
	if way, call := m.call(results, body["tools"]); way != nil {
		part = Object{"functionCall": Object{"name": way[len(way)-1], "args": json.RawMessage(call.arguments())}}
	}
	events(w, false, Object{"candidates": []Object{{"content": Object{"role": "model", "parts": []Object{part}},
		"finishReason": "STOP", "index": 0}},
		"usageMetadata": Object{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}})
}
