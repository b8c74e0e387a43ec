//go:build e2e

package e2e

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

// model is a model on loopback that speaks to clients of four makers. It calls list_pages once, and then says what it saw.
type model struct {
	*httptest.Server
	mu    sync.Mutex
	tools []string // the names that end in list_pages, as clients offer them
	saw   []string // what the tool answered
	asked []string // paths, for the log of a failure
	last  string   // request
}

var toolName = regexp.MustCompile(`mcp_\w*cove-1_\w*list_pages`)

func newModel(t *testing.T) *model {
	t.Helper()
	m := &model{}
	m.Server = httptest.NewServer(http.HandlerFunc(m.serve))
	t.Cleanup(m.Close)
	return m
}

func (m *model) serve(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	m.mu.Lock()
	m.asked, m.last = append(m.asked, r.Method+" "+r.URL.Path), string(raw)
	m.mu.Unlock()
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

// offered finds the tool in what a client offers; names of namespaces come first. A nil is a client that does not offer it.
func (m *model) offered(tools any) (way []string) {
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
		m.mu.Lock()
		m.tools = append(m.tools, strings.Join(way, " "))
		m.mu.Unlock()
	}
	return way
}

// answer keeps what the tool said.
func (m *model) answer(v any) string {
	raw, _ := json.Marshal(v)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.saw = append(m.saw, string(raw))
	return string(raw)
}

// events writes server-sent events; the name of each is its type where name is set.
func events(w http.ResponseWriter, name bool, all ...object) {
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
func (m *model) responses(w http.ResponseWriter, body map[string]any) {
	usage := object{"input_tokens": 1, "input_tokens_details": nil, "output_tokens": 1, "output_tokens_details": nil, "total_tokens": 2}
	item := object{"type": "message", "role": "assistant", "id": "m1", "content": []object{{"type": "output_text", "text": "done"}}}
	results := find(body["input"], func(o map[string]any) bool { return o["type"] == "function_call_output" })
	if len(results) > 0 {
		m.answer(results[0]["output"])
	} else if way := m.offered(body["tools"]); way != nil {
		item = object{"type": "function_call", "id": "f1", "call_id": "c1", "name": way[len(way)-1], "arguments": "{}"}
		if len(way) > 1 {
			item["namespace"] = way[0]
		}
	}
	events(w, true, object{"type": "response.created", "response": object{"id": "r1"}},
		object{"type": "response.output_item.done", "output_index": 0, "item": item},
		object{"type": "response.completed", "response": object{"id": "r1", "usage": usage}})
}

// completions is what Qwen Code and others speak.
func (m *model) completions(w http.ResponseWriter, body map[string]any) {
	delta, reason := object{"role": "assistant", "content": "done"}, "stop"
	results := find(body["messages"], func(o map[string]any) bool { return o["role"] == "tool" })
	if len(results) > 0 {
		m.answer(results[0]["content"])
	} else if way := m.offered(body["tools"]); way != nil {
		delta = object{"role": "assistant", "tool_calls": []object{{"index": 0, "id": "c1", "type": "function", "function": object{"name": way[len(way)-1], "arguments": "{}"}}}}
		reason = "tool_calls"
	}
	chunk := func(delta object, reason any) object {
		return object{"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "fake", "choices": []object{{"index": 0, "delta": delta, "finish_reason": reason}}}
	}
	if body["stream"] != true {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(object{"id": "x", "object": "chat.completion", "created": 1, "model": "fake", "choices": []object{{"index": 0, "message": delta, "finish_reason": reason}}})
		return
	}
	events(w, false, chunk(delta, nil), chunk(object{}, reason))
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}

// messages is what Claude Code speaks.
func (m *model) messages(w http.ResponseWriter, body map[string]any) {
	block, delta, reason := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": "done"}, "end_turn"
	results := find(body["messages"], func(o map[string]any) bool { return o["type"] == "tool_result" })
	if len(results) > 0 {
		m.answer(results[0]["content"])
	} else if way := m.offered(body["tools"]); way != nil {
		block, delta, reason = object{"type": "tool_use", "id": "toolu_1", "name": way[len(way)-1], "input": object{}}, object{"type": "input_json_delta", "partial_json": "{}"}, "tool_use"
	}
	events(w, true, object{"type": "message_start", "message": object{"id": "msg_1", "type": "message", "role": "assistant", "model": "fake", "content": []any{}, "stop_reason": nil, "stop_sequence": nil, "usage": object{"input_tokens": 1, "output_tokens": 1}}},
		object{"type": "content_block_start", "index": 0, "content_block": block}, object{"type": "content_block_delta", "index": 0, "delta": delta},
		object{"type": "content_block_stop", "index": 0},
		object{"type": "message_delta", "delta": object{"stop_reason": reason, "stop_sequence": nil}, "usage": object{"output_tokens": 1}}, object{"type": "message_stop"})
}

// generate is what Gemini CLI speaks.
func (m *model) generate(w http.ResponseWriter, body map[string]any) {
	part := object{"text": "done"}
	results := find(body["contents"], func(o map[string]any) bool { return o["functionResponse"] != nil })
	if len(results) > 0 {
		m.answer(results[0]["functionResponse"])
	} else if way := m.offered(body["tools"]); way != nil {
		part = object{"functionCall": object{"name": way[len(way)-1], "args": object{}}}
	}
	events(w, false, object{"candidates": []object{{"content": object{"role": "model", "parts": []object{part}}, "finishReason": "STOP", "index": 0}},
		"usageMetadata": object{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}})
}
