package inspect

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"cove/internal/mcpserver"
	"cove/internal/page"
	"cove/internal/page/mock"
	"cove/internal/policy"
	"cove/internal/wording"
)

// MockRequestsTool returns the tool mock_requests.
func MockRequestsTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "mock_requests", Group: "debug",
		Text: "Answer or block requests of the page. The first rule that matches counts. " +
			"Replaces your earlier rules.",
		Needs: []mcpserver.Need{{Class: policy.Script, What: describeMocks}},
	}, mockRequests)
}

func describeMocks(raw json.RawMessage) string {
	var in mockInput
	_ = json.Unmarshal(raw, &in)
	var all []string
	for _, r := range in.Rules {
		all = append(all, r.URL)
	}
	return "answer or block requests of the page itself (" + wording.Shorten(strings.Join(all, ", "), 200) + ")"
}

type mockInput struct {
	mcpserver.OnPage
	Rules []ruleInput `json:"rules" say:"[] removes all"`
}

type ruleInput struct {
	URL     string            `json:"url" say:"with * and ?"`
	Method  string            `json:"method,omitempty"`
	Block   bool              `json:"block,omitempty"`
	Status  *mcpserver.Number `json:"status,omitempty" say:"200"`
	Headers map[string]string `json:"headers,omitempty"`
	Body    string            `json:"body,omitempty"`
}

// Bounds of one rule.
const (
	maxPattern     = 2000
	maxMockBody    = 1 << 20
	maxMockHeaders = 50
)

func mockRequests(ctx context.Context, c *mcpserver.Call, in mockInput) error {
	err := standing[ruleInput, mock.Rule]{
		name: "Rule", read: readRule,
		set: func(t *page.Tab, agent string, rules []mock.Rule) (first bool, err error) {
			return t.Mocks.Set(agent, rules, c.PersonWorksIn(t))
		},
		clear: func(t *page.Tab, agent string) { t.Mocks.Clear(agent) },
	}.apply(ctx, c, in.OnPage, in.Rules)
	switch {
	case err != nil:
		return err
	case len(in.Rules) == 0:
		c.Done("Your rules for requests of this page were removed.")
	default:
		c.Done("%s in force on this page until you remove them or leave.", wording.Count(len(in.Rules), "rule"))
	}
	return nil
}

// readRule returns a rule as the page takes it, or what is wrong with it.
func readRule(in ruleInput) (r mock.Rule, wrong string) {
	r = mock.Rule{
		URL: in.URL, Method: in.Method, Block: in.Block, Status: http.StatusOK, Headers: in.Headers, Body: in.Body,
	}
	if in.Status != nil {
		r.Status = int(*in.Status)
	}
	switch {
	case in.URL == "" || len(in.URL) > maxPattern:
		return r, "needs a url such as https://example.com/api/*"
	case in.Method != "" && !isToken(in.Method):
		return r, "has a method that is none"
	case in.Block && (in.Status != nil || len(in.Headers) > 0 || in.Body != ""):
		return r, "blocks requests, so it cannot answer them"
	case r.Status < 200 || r.Status > 599:
		return r, "needs a status from 200 to 599"
	case len(in.Body) > maxMockBody:
		return r, fmt.Sprintf("has a body of more than %d bytes", maxMockBody)
	case len(in.Headers) > maxMockHeaders:
		return r, fmt.Sprintf("has more than %d headers", maxMockHeaders)
	}
	for name, value := range in.Headers {
		if !isToken(name) || strings.ContainsAny(value, "\r\n\x00") {
			return r, "has a header that cannot be sent"
		}
		if strings.EqualFold(name, "Set-Cookie") {
			return r, "cannot set a cookie: load_storage_state can, with the right storage"
		}
	}
	return r, ""
}

// isToken reports whether a word can be a method or the name of a header.
func isToken(word string) bool {
	return word != "" && strings.Trim(word,
		"!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
