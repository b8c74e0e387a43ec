package redact

import (
	"net/url"
	"strings"

	"cove/internal/sensitive"
)

// isSecretName reports whether a form sends a password, a code or a payment under this name.
func isSecretName(name string) bool {
	if plain, err := url.QueryUnescape(name); err == nil {
		name = plain
	}
	return sensitive.Name(name) != sensitive.None
}

// Header returns the value of a header as an agent may read it.
func Header(name, value string) string {
	if sensitive.Header(name) {
		return Mark
	}
	switch strings.ToLower(name) {
	case "referer", "location", ":path":
		return URL(value)
	}
	return value
}
