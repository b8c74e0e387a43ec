package secret

import (
	"regexp"
	"strings"
	"sync"

	"cove/internal/fault"
)

// mark finds {{secret:NAME}}. It is compiled when it is first needed: every command of the program would wait for it.
var mark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{\{secret:([^{}]*)\}\}`) })

// HasMark reports whether a text that an agent wants to type names a secret, as {{secret:NAME}} or {{totp:NAME}}.
func HasMark(text string) bool { return mark().MatchString(text) || totpMark().MatchString(text) }

// IsMark reports whether a text is the name of one secret and nothing else.
func IsMark(text string) bool {
	is := strings.HasPrefix(text, "{{secret:") || strings.HasPrefix(text, "{{totp:")
	return is && strings.HasSuffix(text, "}}") && strings.Count(text, "{{") == 1
}

// Expand replaces each {{secret:NAME}} in a text by what get returns for the name. It returns the first error of get.
func Expand(text string, get func(name string) (string, error)) (string, error) {
	var failed error
	expanded := mark().ReplaceAllStringFunc(text, func(m string) string {
		if failed != nil {
			return ""
		}
		value, err := get(strings.TrimSpace(mark().FindStringSubmatch(m)[1]))
		failed = err
		return value
	})
	if failed != nil {
		return "", failed
	}
	return expanded, nil
}

// totpMark finds {{totp:NAME}}.
var totpMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{\{totp:([^{}]*)\}\}`) })

// TOTPName returns the name in a text that is {{totp:NAME}}; "" for a text without this mark. It refuses a text that
// has something beside it: a one-time code is a whole value.
func TOTPName(text string) (name string, err error) {
	found := totpMark().FindStringSubmatch(text)
	if found == nil {
		return "", nil
	}
	if strings.TrimSpace(text) != found[0] {
		return "", fault.Invalidf("A one-time code must be the whole value.").
			WithHint("Write {{totp:NAME}} and nothing beside it.")
	}
	if name = strings.TrimSpace(found[1]); !validName(name) {
		return "", unknown("of that name")
	}
	return name, nil
}

// validName reports whether a secret can have this name: 1 to 64 letters, digits, dots, dashes and underscores, the
// first one a letter or a digit.
func validName(name string) bool {
	if name == "" || len(name) > 64 || strings.ContainsRune("_.-", rune(name[0])) {
		return false
	}
	for _, r := range name {
		letter := (r >= 'a' && r <= 'z') || (r >= 'A' && r <= 'Z') || (r >= '0' && r <= '9')
		if !letter && !strings.ContainsRune("_.-", r) {
			return false
		}
	}
	return true
}
