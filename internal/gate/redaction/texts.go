package redaction

import "strings"

// Texts applies redact to the strings in the content of a message. It changes only strings, because a number may look
// like a secret. It returns nil if raw is not a message.
func Texts(raw []byte, redact func(string) string) []byte {
	if text := string(raw); !strings.Contains(text, `\u`) && redact(text) == text {
		return raw
	}

	msg := decode(raw)
	if msg == nil {
		return nil
	}
	for _, part := range [...]string{"params", "result", "error"} {
		if value, there := msg[part]; there {
			msg[part] = redactTexts(value, redact)
		}
	}

	return encode(msg)
}

// redactTexts redacts every string in a decoded value.
func redactTexts(v any, redact func(string) string) any {
	switch v := v.(type) {
	case string:
		return redact(v)
	case []any:
		for i := range v {
			v[i] = redactTexts(v[i], redact)
		}
	case map[string]any:
		for key := range v {
			v[key] = redactTexts(v[key], redact)
		}
	}

	return v
}
