package redaction

import (
	"strings"

	"cove/internal/policy"
	"cove/internal/sensitive"
)

// redactHeaders redacts cookies, the headers that carry a login, and what forms send.
var redactHeaders = Rule{policy.Storage, func(part map[string]any) bool {
	redactHeaderValues(part)
	return true
}}

// redactHeaderValues redacts, anywhere below v, the values of cookies, the headers that carry a login, and what forms
// send.
func redactHeaderValues(v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			redactHeaderValues(e)
		}
	case map[string]any:
		for key, value := range v {
			switch strings.ToLower(key) {
			case "headers", "requestheaders", "responseheaders":
				headerFields(value)
			case "headerstext", "requestheaderstext", "postdata", "postdataentries", "rawcookieline", "cookieline":
				v[key] = blank(value)
			case "cookies":
				cookieValues(value)
			case "cookie":
				cookieValues([]any{value})
			default:
				redactHeaderValues(value)
			}
		}
	}
}

// blank returns a value of the same type without the content, so that clients can read the message.
func blank(v any) any {
	switch v.(type) {
	case string:
		return Mark
	case []any:
		return []any{}
	}

	return nil
}

func headerFields(v any) {
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			if sensitive.Header(name) {
				v[name] = Mark
			}
		}
	case []any: // of Fetch
		for _, e := range v {
			if field, ok := e.(map[string]any); ok && sensitive.Header(str(field["name"])) {
				field["value"] = Mark
			}
		}
	}
}

func cookieValues(v any) {
	list, _ := v.([]any)
	for _, e := range list {
		if cookie, ok := e.(map[string]any); ok {
			if _, there := cookie["value"]; there {
				cookie["value"] = Mark
			}
		}
	}
}
