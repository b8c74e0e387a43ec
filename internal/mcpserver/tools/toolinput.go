package tools

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"cove/internal/fault"
	"cove/internal/page/webmcp"
	"cove/internal/wording"
)

// checkToolInput refuses input that a tool's schema does not allow: the browser does not check it for scripts. It looks
// at what is required, at types and at enums of the top level, and leaves what it does not know to the tool. Marks of
// secrets are refused: the input goes to a script of the page.
func checkToolInput(tool webmcp.Tool, input map[string]json.RawMessage) error {
	for name, value := range input {
		if hasMark(name) || hasMark(string(value)) {
			return fault.New(fault.CodeArguments,
				"Secrets cannot be given to a tool of the page: it is a script. Nothing was done.",
				"Fill the field with fill, where Cove types the secret.")
		}
	}

	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
	}
	if json.Unmarshal(tool.Schema, &schema) != nil {
		return nil //nolint:nilerr // not a schema that says anything about an object
	}
	for _, name := range schema.Required {
		if _, given := input[name]; !given {
			return wrongInput(name, "is required")
		}
	}
	for name, raw := range schema.Properties {
		value, given := input[name]
		if !given {
			continue
		}
		if wrong := checkToolValue(raw, value); wrong != "" {
			return wrongInput(name, wrong)
		}
	}
	return nil
}

func wrongInput(name, wrong string) error {
	return fault.Quote(fault.CodeArguments,
		"The input "+wording.Quoted(wording.Shorten(name, 100))+" of this tool "+wrong+". Nothing was done.",
		"list_page_tools with its name shows what it expects.")
}

// hasMark reports whether a text names a secret or a code, however JSON writes it.
func hasMark(written string) bool {
	var value any
	if json.Unmarshal([]byte(written), &value) == nil {
		var plain bytes.Buffer
		encoder := json.NewEncoder(&plain)
		encoder.SetEscapeHTML(false)
		_ = encoder.Encode(value)
		written = plain.String()
	}
	return strings.Contains(written, "{{secret:") || strings.Contains(written, "{{totp:")
}

// checkToolValue returns what is wrong with a value; "" for nothing.
func checkToolValue(schema, value json.RawMessage) string {
	var s struct {
		Type json.RawMessage   `json:"type"`
		Enum []json.RawMessage `json:"enum"`
	}
	if json.Unmarshal(schema, &s) != nil {
		return ""
	}
	var types []string
	var one string
	if json.Unmarshal(s.Type, &one) == nil {
		types = []string{one}
	} else {
		_ = json.Unmarshal(s.Type, &types)
	}
	if len(types) > 0 && !slices.ContainsFunc(types, func(want string) bool { return isOfType(want, value) }) {
		return "must be of the type " + wording.Shorten(strings.Join(types, " or "), 100)
	}

	same := func(other json.RawMessage) bool { return canonical(other) == canonical(value) }
	if len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, same) {
		raw, _ := json.Marshal(s.Enum)
		return "must be one of " + wording.Shorten(string(raw), 300)
	}
	return ""
}

// isOfType reports whether a value has a type of JSON schema. A type that JSON
// schema does not have is left to the tool.
func isOfType(want string, raw json.RawMessage) bool {
	var value any
	_ = json.Unmarshal(raw, &value)
	switch want {
	case "string":
		_, ok := value.(string)
		return ok
	case "number":
		_, ok := value.(float64)
		return ok
	case "integer":
		n, ok := value.(float64)
		return ok && n == float64(int64(n))
	case "boolean":
		_, ok := value.(bool)
		return ok
	case "array":
		_, ok := value.([]any)
		return ok
	case "object":
		_, ok := value.(map[string]any)
		return ok
	case "null":
		return value == nil
	}
	return true
}

// canonical returns a JSON value as it is written in one way only.
func canonical(raw json.RawMessage) string {
	var value any
	_ = json.Unmarshal(raw, &value)
	text, _ := json.Marshal(value)
	return string(text)
}
