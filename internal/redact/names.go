package redact

import (
	"net/url"
	"slices"
	"strings"
)

// passwordNames begin or end the names under which forms send passwords.
var passwordNames = []string{"password", "passwd", "passphrase", "passcode", "pwd"}

// exactNames are the whole names under which forms send passwords, PINs and card numbers.
var exactNames = []string{
	"pass", "pw", "pin", "cvv", "cvc", "csc", "cardnumber", "ccnumber", "cardcvc", "cardcvv", "clientsecret",
}

// headerNames are the headers that carry credentials.
var headerNames = []string{
	"cookie", "set-cookie", "authorization", "proxy-authorization",
	"x-api-key", "x-auth-token", "x-csrf-token", "x-xsrf-token",
}

// isSecretName reports whether a value that is sent under this name is a password or a card number.
func isSecretName(name string) bool {
	if plain, err := url.QueryUnescape(name); err == nil {
		name = plain
	}
	name = strings.Map(letterOrDigit, strings.ToLower(name))

	return slices.Contains(exactNames, name) || slices.ContainsFunc(passwordNames, func(p string) bool {
		return strings.HasPrefix(name, p) || strings.HasSuffix(name, p)
	})
}

// letterOrDigit drops every other character: user[password] and user-password are the same name.
func letterOrDigit(r rune) rune {
	if (r >= 'a' && r <= 'z') || (r >= '0' && r <= '9') {
		return r
	}
	return -1
}

// Header returns the value of a header as an agent may read it. Names are in lower case.
func Header(name, value string) string {
	if slices.Contains(headerNames, name) {
		return Mark
	}
	if name == "referer" || name == "location" || name == ":path" {
		return URL(value)
	}
	return value
}
