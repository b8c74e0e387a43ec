package gate

import (
	"cove/internal/gate/redaction"
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

// redactSecrets removes the person's secrets from a message to a program.
func (c *Config) redactSecrets(raw []byte) []byte {
	redact := c.secretRedactor()
	if redact == nil {
		return raw
	}

	return redaction.Texts(raw, redact)
}
