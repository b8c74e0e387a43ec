package gate

import (
	"encoding/json"
	"strings"

	"cove/internal/cdp"
)

// maxText is how much of a text the journal keeps, maxPart how much of anything else.
const (
	maxText = 500
	maxPart = 200
)

// quiet are parameters whose values the journal does not keep: what is typed, cookies, headers, bodies, credentials. Of them it keeps
// how many letters or parts there are.
var quiet = map[string]bool{
	"text": true, "unmodifiedText": true, "key": true, "code": true, "keyIdentifier": true, "windowsVirtualKeyCode": true, "nativeVirtualKeyCode": true,
	"value": true, "values": true, "nodeValue": true, "arguments": true, "cookies": true, "cookie": true, "headers": true, "responseHeaders": true, "binaryResponseHeaders": true,
	"postData": true, "body": true, "rawResponse": true, "authChallengeResponse": true, "username": true, "password": true,
	"promptText": true, "message": true, "proxyServer": true, "data": true, "card": true, "credential": true, "address": true,
}

// brief is what the journal keeps of a command's parameters.
func brief(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	params, err := cdp.Fields(raw)
	if err != nil {
		return nil
	}
	kept := make(map[string]any, len(params))
	for name, value := range params {
		kept[name] = briefValue(name, value)
	}
	out, err := json.Marshal(kept)
	if err != nil {
		return nil
	}
	return out
}

func briefValue(name string, value json.RawMessage) any {
	if quiet[name] {
		return size(value)
	}
	var s string
	if json.Unmarshal(value, &s) == nil && len(value) > 0 && value[0] == '"' {
		if strings.Contains(strings.ToLower(name), "url") {
			s = withoutLogin(s)
		}
		return shorten(s, maxText)
	}
	if len(value) > maxPart {
		return size(value)
	}
	if value[0] == '{' || value[0] == '[' { // what is in it may be quiet too
		return inside(value)
	}
	return value
}

// inside keeps a small object or list, with what is quiet in it left out.
func inside(value json.RawMessage) any {
	if value[0] == '{' {
		params, err := cdp.Fields(value)
		if err != nil {
			return size(value)
		}
		kept := make(map[string]any, len(params))
		for name, v := range params {
			kept[name] = briefValue(name, v)
		}
		return kept
	}
	var list []json.RawMessage
	if json.Unmarshal(value, &list) != nil {
		return size(value)
	}
	kept := make([]any, len(list))
	for i, v := range list {
		kept[i] = briefValue("", v)
	}
	return kept
}

// size says how much there was.
func size(value json.RawMessage) any {
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

// withoutLogin takes the user's name and password out of an address.
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

// moves reports whether the command is a mere movement of the mouse: of these there are thousands.
func (q *question) moves() bool {
	if q.method != "Input.dispatchMouseEvent" {
		return false
	}
	params, err := cdp.Fields(q.raw)
	return err == nil && string(params["type"]) == `"mouseMoved"`
}
