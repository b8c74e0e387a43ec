package gate

import (
	"strings"

	"cove/internal/policy"
)

// secrets is what takes the person's secrets out of a text; nil where programs may be told them: a script could do so in its own words.
func (s *Server) secrets() func(string) string {
	book := s.rules.Enforcer.Rules()
	if s.rules.Secrets == nil || !book.BindsPrograms() || book.Right(policy.Script) == policy.Yes {
		return nil
	}
	return s.rules.Secrets()
}

// withoutSecrets takes the person's secrets out of a message to a program: out of its texts only, for a number may look like one.
func (s *Server) withoutSecrets(raw []byte) []byte {
	hide := s.secrets()
	if hide == nil {
		return raw
	}
	if text := string(raw); !strings.Contains(text, `\u`) && hide(text) == text {
		return raw
	}
	msg := decoded(raw)
	if msg == nil {
		return nil
	}
	for _, part := range []string{"params", "result", "error"} {
		if told, there := msg[part]; there {
			msg[part] = unsaid(told, hide)
		}
	}
	return encoded(msg)
}

// unsaid is a part of a message without secrets.
func unsaid(v any, hide func(string) string) any {
	switch v := v.(type) {
	case string:
		return hide(v)
	case []any:
		for i := range v {
			v[i] = unsaid(v[i], hide)
		}
	case map[string]any:
		for key := range v {
			v[key] = unsaid(v[key], hide)
		}
	}
	return v
}
