// Package summary reduces a command's parameters to what the journal may contain. It replaces typed text, cookies,
// headers and bodies with their sizes.
package summary

import (
	"encoding/json"
	"strings"

	"cove/internal/cdp"
	"cove/internal/sensitive"
	"cove/internal/wording"
)

// MaxText is how many characters of a text the journal records.
const MaxText = 500

// maxPart is how many bytes of any other value the journal records.
const maxPart = 200

// private reports whether the journal leaves out the value of a parameter: typed text, cookies, headers, bodies,
// credentials. The journal records only how many letters or parts such a value has.
func private(name string) bool {
	switch name {
	case "text", "unmodifiedText", "key", "code", "keyIdentifier", "windowsVirtualKeyCode", "nativeVirtualKeyCode",
		"value", "values", "nodeValue", "arguments", "cookies", "cookie", "headers", "responseHeaders",
		"binaryResponseHeaders", "postData", "body", "rawResponse", "authChallengeResponse", "username", "password",
		"promptText", "message", "proxyServer", "data", "card", "credential", "address":
		return true
	}

	return sensitive.Name(name) != sensitive.None
}

// Of returns what the journal records of a command's parameters. It returns nil for parameters that cannot be read.
func Of(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	params, err := cdp.Fields(raw)
	if err != nil {
		return nil
	}

	out, err := json.Marshal(fieldsOf(params))
	if err != nil {
		return nil
	}

	return out
}

func fieldsOf(fields map[string]json.RawMessage) map[string]any {
	summary := make(map[string]any, len(fields))
	for name, value := range fields {
		summary[name] = valueOf(name, value)
	}

	return summary
}

func valueOf(name string, value json.RawMessage) any {
	if private(name) {
		return sizeOnly(value)
	}
	var s string
	if json.Unmarshal(value, &s) == nil && len(value) > 0 && value[0] == '"' {
		if strings.Contains(strings.ToLower(name), "url") {
			s = withoutLogin(s)
		}
		return wording.Shorten(s, MaxText)
	}

	if len(value) > maxPart {
		return sizeOnly(value)
	}
	if value[0] == '{' || value[0] == '[' { // what is in it may be private too
		return partOf(value)
	}
	return value
}

// partOf summarizes a small object or list.
func partOf(value json.RawMessage) any {
	if value[0] == '{' {
		fields, err := cdp.Fields(value)
		if err != nil {
			return sizeOnly(value)
		}
		return fieldsOf(fields)
	}

	var list []json.RawMessage
	if json.Unmarshal(value, &list) != nil {
		return sizeOnly(value)
	}
	summary := make([]any, len(list))
	for i, v := range list {
		summary[i] = valueOf("", v)
	}

	return summary
}

// sizeOnly returns how many letters or parts a value has, without the value.
func sizeOnly(value json.RawMessage) any {
	switch value[0] {
	case '"':
		var s string
		_ = json.Unmarshal(value, &s)
		return map[string]int{"letters": len([]rune(s))}
	case '[':
		var list []json.RawMessage
		_ = json.Unmarshal(value, &list)
		return map[string]int{"parts": len(list)}
	case '{':
		fields, _ := cdp.Fields(value)
		return map[string]int{"parts": len(fields)}
	}
	return "…"
}

// withoutLogin removes the user's name and password from an address.
func withoutLogin(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return address
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	if at := strings.LastIndexByte(rest[:end], '@'); at >= 0 {
		return scheme + "://" + rest[at+1:]
	}
	return address
}
