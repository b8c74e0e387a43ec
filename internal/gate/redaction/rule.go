// Package redaction removes from messages of the browser what programs may not see.
package redaction

import (
	"bytes"
	"encoding/json"

	"cove/internal/cdp/mux"
	"cove/internal/policy"
)

// Mark replaces a secret.
const Mark = "[hidden by Cove]"

// Rule removes secrets from one kind of message. The zero value changes nothing.
type Rule struct {
	// right is the right that a program needs to see everything.
	right policy.Class
	// apply changes the parameters of an event or the result of a command. It returns false to drop the message.
	apply func(part map[string]any) bool
}

// Edit returns the change that the rule makes to a message under these rules; nil if it makes none. part is the
// member of the message that it changes: "params" or "result".
func (r Rule) Edit(rules *policy.Rules, part string) mux.Edit {
	if r.apply == nil || !rules.BindsPrograms() || rules.Right(r.right) == policy.Yes {
		return nil
	}

	return func(raw []byte) []byte {
		msg := decode(raw)
		if msg == nil {
			return nil
		}
		value, ok := msg[part].(map[string]any)
		if !ok {
			return raw // an error contains no secret
		}
		if !r.apply(value) {
			return nil
		}

		return encode(msg)
	}
}

// decode returns the members of a message, with its numbers as they are written, or nil if raw is not a message.
func decode(raw []byte) (msg map[string]any) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&msg) != nil {
		return nil
	}

	return msg
}

func encode(msg map[string]any) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if e.Encode(msg) != nil {
		return nil
	}

	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// str returns a decoded string, or "" for any other value.
func str(v any) string {
	s, _ := v.(string)
	return s
}

// number returns a decoded whole number, or -1 for any other value.
func number(v any) int {
	n, _ := v.(json.Number)
	i, err := n.Int64()
	if err != nil {
		return -1
	}

	return int(i)
}
