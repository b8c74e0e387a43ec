package httpapi

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cove/api"
	"cove/internal/account"
	"cove/internal/fault"
)

// describedCall is one operation of the description.
type describedCall struct {
	Security   []map[string][]string
	Parameters []struct {
		Name, In string
		Required bool
	}
	RequestBody *struct {
		Content map[string]struct{ Example json.RawMessage }
	}
	Responses map[string]describedAnswer
}

type describedAnswer struct {
	Content map[string]struct {
		Examples map[string]struct{ Value api.Error }
	}
}

// describedCalls reads the description as "METHOD /path" without the version, references replaced by what they name.
func describedCalls(t *testing.T) map[string]describedCall {
	t.Helper()
	var whole map[string]any
	if err := json.Unmarshal(api.OpenAPI, &whole); err != nil {
		t.Fatal(err)
	}
	components := whole["components"].(map[string]any)
	paths, err := json.Marshal(inlined(whole["paths"], components))
	if err != nil {
		t.Fatal(err)
	}
	var byPath map[string]map[string]describedCall
	if err := json.Unmarshal(paths, &byPath); err != nil {
		t.Fatal(err)
	}
	calls := map[string]describedCall{}
	for path, methods := range byPath {
		bare, ok := strings.CutPrefix(path, "/v1.0/")
		if !ok {
			t.Errorf("%s does not begin with the version", path)
		}
		for method, c := range methods {
			calls[strings.ToUpper(method)+" /"+bare] = c
		}
	}
	return calls
}

// inlined puts shared parameters and responses where they are used; schemas stay references, for they may nest without
// end.
func inlined(v any, components map[string]any) any {
	switch v := v.(type) {
	case map[string]any:
		ref, _ := v["$ref"].(string)
		if kind, name, ok := strings.Cut(strings.TrimPrefix(ref, "#/components/"), "/"); ok && kind != "schemas" {
			return components[kind].(map[string]any)[name]
		}
		out := map[string]any{}
		for key, inner := range v {
			out[key] = inlined(inner, components)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			out[i] = inlined(inner, components)
		}
		return out
	}
	return v
}

// forPeople are the pages; the description is for programs.
var forPeople = []string{"/", "/docs", "/docs/docs.js", "/docs/docs.css", "/ui/{name}",
	"/ask/ask.js", "/ask/ask.css", "/ask/{name}"}

func TestOpenAPIDescribesTheTable(t *testing.T) {
	calls := describedCalls(t)
	served := map[string]bool{}
	for _, r := range (&handlers{}).table() {
		if slices.Contains(forPeople, r.path) || r.path == "/mcp/{id}" { // MCP is a protocol of its own
			continue
		}
		at := r.method + " " + r.path
		served[at] = true
		c, ok := calls[at]
		if !ok {
			t.Errorf("%s is served but not described", at)
			continue
		}
		for _, segment := range r.segments {
			if strings.HasPrefix(segment, "{") && !c.describesPath(strings.Trim(segment, "{}")) {
				t.Errorf("%s: the parameter %s is not described", at, segment)
			}
		}
		for _, p := range c.Parameters {
			if p.In == "path" && !slices.Contains(r.segments, "{"+p.Name+"}") {
				t.Errorf("%s: the parameter %q is not in the path", at, p.Name)
			}
		}
	}
	for at := range calls {
		if !served[at] {
			t.Errorf("%s is described but not served", at)
		}
	}
}

func (c describedCall) describesPath(name string) bool {
	for _, p := range c.Parameters {
		if p.Name == name && p.In == "path" && p.Required {
			return true
		}
	}
	return false
}

func TestOpenAPIDescribesTheErrors(t *testing.T) {
	for at, c := range describedCalls(t) {
		for _, status := range []string{"403", "503"} { // before any handler
			if _, ok := c.Responses[status]; !ok {
				t.Errorf("%s: %s is not described", at, status)
			}
		}
		for status, answer := range c.Responses {
			for name, e := range answer.Content["application/json"].Examples {
				said := e.Value.ErrorObject
				if said.Code.Kind() != said.Type {
					t.Errorf("%s %s %q: %s is of the type %q, not %q", at, status, name, said.Code, said.Code.Kind(),
						said.Type)
				}
				if want := strconv.Itoa(httpStatuses[said.Type]); want != status {
					t.Errorf("%s %s %q: the type %q has the status %s", at, status, name, said.Type, want)
				}
				if e.Value.Success || said.Code == "" || said.Text == "" || e.Value.Error != said.Text ||
					e.Value.Message != said.Text {
					t.Errorf("%s %s %q: no example that Cove could send: %+v", at, status, name, e.Value)
				}
			}
		}
	}
}

// strangers knows nobody, and nobody is logged in.
type strangers struct{ account.Authority }

func (strangers) Current(context.Context) (account.Account, error) {
	return account.Account{}, account.NotLoggedIn()
}

func (strangers) Credential(context.Context, string) (account.Account, error) {
	return account.Account{}, fault.New(fault.CodeUnauthorized, "The token is not valid.", "")
}

// anySetting takes every value of a setting.
type anySetting struct{ Machine }

func (anySetting) CheckSetting(string, string) error { return nil }
func (anySetting) AdsPower() (int, string)           { return 0, "" }
func (anySetting) FoundBrowser(_ context.Context, path string) bool {
	return path == "/usr/bin/chromium"
}
func (anySetting) CheckBrowser(context.Context, string) error { return nil }

var pathParameter = regexp.MustCompile(`\{\w+\}`)

func TestOpenAPIDescribesTheCredentials(t *testing.T) {
	server := New(Config{Accounts: strangers{}, Machine: anySetting{}, About: api.Status{APIPort: api.DefaultPort},
		Log: slog.New(slog.DiscardHandler)})
	needed := 0
	for at, c := range describedCalls(t) {
		if c.Security == nil {
			t.Errorf("%s: does not say whether it needs a credential", at)
		}
		if len(c.Security) != 1 {
			continue // none, or one that only shows more
		}
		needed++
		method, path, _ := strings.Cut(at, " ")
		body := ""
		if c.RequestBody != nil {
			body = string(c.RequestBody.Content["application/json"].Example)
		}
		r := httptest.NewRequestWithContext(t.Context(), method,
			"http://127.0.0.1:3001/v1.0"+pathParameter.ReplaceAllString(path, "1"),
			strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer of-something-else")
		w := httptest.NewRecorder()
		server.ServeHTTP(w, r)
		if w.Code != http.StatusUnauthorized || w.Header().Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("%s: its own example without a credential answers %d %s", at, w.Code, w.Body)
		}
	}
	if needed == 0 {
		t.Fatal("no call needs a credential")
	}
}
