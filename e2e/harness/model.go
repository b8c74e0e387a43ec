//go:build e2e

package harness

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// Model is a model on loopback that speaks to clients of four makers. It calls list_pages once, and then says what it
// saw.
type Model struct {
	*httptest.Server
	Mu    sync.Mutex
	Tools []string // the names that end in list_pages, as clients offer them
	Saw   []string // what the tool answered
	Asked []string // paths, for the log of a failure
	last  string   // request
}

var toolName = regexp.MustCompile(`mcp_\w*cove-1_\w*list_pages`)

// NewModel starts a model for one test.
func NewModel(t *testing.T) *Model {
	t.Helper()
	m := &Model{}
	m.Server = httptest.NewServer(http.HandlerFunc(m.serve))
	t.Cleanup(m.Close)
	return m
}

func (m *Model) serve(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	m.Mu.Lock()
	m.Asked, m.last = append(m.Asked, r.Method+" "+r.URL.Path), string(raw)
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

// offered finds the tool in what a client offers; names of namespaces come first. A nil is a client that does not offer
// it.
func (m *Model) offered(tools any) (way []string) {
	var walk func(v any, above []string)
	walk = func(v any, above []string) {
		switch v := v.(type) {
		case []any:
			for _, one := range v {
				walk(one, above)
			}
		case map[string]any:
			name, _ := v["name"].(string)
			if strings.HasSuffix(name, "list_pages") {
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
		if name := toolName.FindString(m.last); name != "" {
			way = []string{name}
		}
	}
	if way != nil {
		m.Mu.Lock()
		m.Tools = append(m.Tools, strings.Join(way, " "))
		m.Mu.Unlock()
	}
	return way
}

// answer keeps what the tool said.
func (m *Model) answer(v any) string {
	raw, _ := json.Marshal(v)
	m.Mu.Lock()
	defer m.Mu.Unlock()
	m.Saw = append(m.Saw, string(raw))
	return string(raw)
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

// find is the objects below v for which ok holds.
func find(v any, ok func(map[string]any) bool) (found []map[string]any) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			found = append(found, find(one, ok)...)
		}
	case map[string]any:
		if ok(v) {
			return []map[string]any{v}
		}
		for _, one := range v {
			found = append(found, find(one, ok)...)
		}
	}
	return found
}

// responses is what Codex speaks.
func (m *Model) responses(w http.ResponseWriter, body map[string]any) {
	usage := Object{"input_tokens": 1, "input_tokens_details": nil, "output_tokens": 1, "output_tokens_details": nil,
		"total_tokens": 2}
	item := Object{"type": "message", "role": "assistant", "id": "m1",
		"content": []Object{{"type": "output_text", "text": "done"}}}
	results := find(body["input"], func(o map[string]any) bool { return o["type"] == "function_call_output" })
	if len(results) > 0 {
		m.answer(results[0]["output"])
	} else if way := m.offered(body["tools"]); way != nil {
		item = Object{"type": "function_call", "id": "f1", "call_id": "c1", "name": way[len(way)-1], "arguments": "{}"}
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
	results := find(body["messages"], func(o map[string]any) bool { return o["role"] == "tool" })
	if len(results) > 0 {
		m.answer(results[0]["content"])
	} else if way := m.offered(body["tools"]); way != nil {
		delta = Object{"role": "assistant",
			"tool_calls": []Object{{"index": 0, "id": "c1", "type": "function",
				"function": Object{"name": way[len(way)-1], "arguments": "{}"}}}}
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
	results := find(body["messages"], func(o map[string]any) bool { return o["type"] == "tool_result" })
	if len(results) > 0 {
		m.answer(results[0]["content"])
	} else if way := m.offered(body["tools"]); way != nil {
		block, delta, reason = Object{"type": "tool_use", "id": "toolu_1", "name": way[len(way)-1],
			"input": Object{}}, Object{"type": "input_json_delta", "partial_json": "{}"}, "tool_use"
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
	results := find(body["contents"], func(o map[string]any) bool { return o["functionResponse"] != nil })
	if len(results) > 0 {
		m.answer(results[0]["functionResponse"])
	} else if way := m.offered(body["tools"]); way != nil {
		part = Object{"functionCall": Object{"name": way[len(way)-1], "args": Object{}}}
	}
	events(w, false, Object{"candidates": []Object{{"content": Object{"role": "model", "parts": []Object{part}},
		"finishReason": "STOP", "index": 0}},
		"usageMetadata": Object{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}})
}
