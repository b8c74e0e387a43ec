package secret

import (
	"encoding/json"

	"cove/internal/policy/site"
	"cove/internal/secret/totp"
)

// Kind is what a secret is.
type Kind string

// The kinds.
const (
	// Password is a text.
	Password Kind = "password"
	// TOTP is what one-time codes are computed from.
	TOTP Kind = "totp"
	// FromCommand is a command that prints a password.
	FromCommand Kind = "command"
)

// Secret is one secret. Only the keeper ever has what it holds.
type Secret struct {
	Name string
	Kind Kind
	Site site.Pattern

	Value   string      // of a password
	TOTP    *totp.Setup // nil for other kinds
	Command *Command    // nil for other kinds
}

// fill reads the content of a box. It reports whether the content is a secret of this kind.
func (s *Secret) fill(content []byte) bool {
	switch s.Kind {
	case Password:
		s.Value = string(content)
		return true
	case TOTP:
		return json.Unmarshal(content, &s.TOTP) == nil && s.TOTP != nil && s.TOTP.Valid()
	case FromCommand:
		return json.Unmarshal(content, &s.Command) == nil && s.Command != nil && s.Command.valid()
	}
	return false // of a later version
}

// Hidden returns the texts that nobody may be shown: the password, or the key of one-time codes. The value of a
// command is known only when it has run.
func (s *Secret) Hidden() []string {
	switch {
	case s.TOTP != nil:
		return s.TOTP.Forms()
	case s.Value != "":
		return []string{s.Value}
	}
	return nil
}
