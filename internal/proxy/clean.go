package proxy

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cove/internal/fault"
	"cove/internal/wording"
)

// maxText limits the host, the login and the password.
const maxText = 255

// Types are the types of proxies that Cove can use.
var Types = []string{"http", "https", "socks4", "socks5"}

// otherNames are what others call these types. The difference that they mean, who resolves a name, does not exist here:
// it is always the proxy.
var otherNames = map[string]string{"socks": "socks5", "socks5h": "socks5", "socks4a": "socks4"}

// TypeNamed returns the type that a word means, in one spelling. A word that is no type stays as it is.
func TypeNamed(word string) string {
	word = strings.ToLower(strings.TrimSpace(word))
	if t, ok := otherNames[word]; ok {
		return t
	}
	return word
}

// Clean brings the type and the host of p to one spelling, and says in one sentence what is wrong with p.
func (p *Proxy) Clean() error {
	p.Type, p.Host = TypeNamed(p.Type), strings.TrimSpace(p.Host)
	if p.Type == "" && p.Host == "" {
		*p = Proxy{}
		return nil
	}
	if !slices.Contains(Types, p.Type) {
		return fault.Unprocessablef("type", "Unknown proxy type %q.", wording.Shorten(p.Type, 40)).
			WithHint("Use http, https, socks4 or socks5.")
	}
	host := strings.Trim(p.Host, "[]")
	if !isHost(host) || checkText("host", host) != nil {
		return fault.Unprocessablef("host", "The proxy host %q is not a host name or address.",
			wording.Shorten(p.Host, 80)).
			WithHint("Write a name such as proxy.example, or an IP address; names are ASCII (xn--…).")
	}
	p.Host = strings.ToLower(host)
	if p.Port < 1 || p.Port > 65535 {
		return fault.Unprocessablef("port", "The proxy port %d is not a port from 1 to 65535.", p.Port)
	}
	if p.Type == "socks4" && p.Password != "" {
		return fault.Unprocessablef("password", "A socks4 proxy has no password.").
			WithHint("Leave the password out, or use socks5.")
	}
	if err := checkText("login", p.Login); err != nil {
		return err
	}
	return checkText("password", p.Password)
}

// checkText refuses a text that a field of a proxy cannot hold.
func checkText(field, text string) error {
	switch {
	case !utf8.ValidString(text):
		return fault.Unprocessablef(field, "The proxy %s is not valid UTF-8 text.", field)
	case utf8.RuneCountInString(text) > maxText:
		return fault.Unprocessablef(field, "The proxy %s is longer than %d characters.", field, maxText)
	case strings.ContainsFunc(text, unicode.IsControl):
		return fault.Unprocessablef(field, "The proxy %s contains a control character.", field)
	}
	return nil
}
