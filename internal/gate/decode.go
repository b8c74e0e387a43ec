package gate

import (
	"bytes"
	"encoding/json"
)

// redacted replaces a secret.
const redacted = "[hidden by Cove]"

// decode returns the members of a message, with its numbers as they are written; nil if it is no message.
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

// str returns a decoded value that is a text, or "" if it is none.
func str(v any) string {
	s, _ := v.(string)
	return s
}

// number returns a decoded value that is a whole number, or -1 if it is none.
func number(v any) int {
	n, _ := v.(json.Number)
	i, err := n.Int64()
	if err != nil {
		return -1
	}

	return int(i)
}
