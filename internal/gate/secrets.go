package gate

import (
	"strings"

	"cove/internal/policy"
)

// secretRedactor returns a function that removes the person's secrets from a text. It returns nil if there are no
// secrets, and if programs may run scripts: a script could return a secret in any other form.
func (c *Config) secretRedactor() func(string) string {
	rules := c.Enforcer.Rules()
	if c.Secrets == nil || !rules.BindsPrograms() || rules.Right(policy.Script) == policy.Yes {
		return nil
	}

	return c.Secrets()
}

// redactSecrets removes the person's secrets from a message to a program. It changes only strings, because a number may
// look like a secret.
func (c *Config) redactSecrets(raw []byte) []byte {
	redact := c.secretRedactor()
	if redact == nil {
		return raw
	}
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
