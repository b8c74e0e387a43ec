package proxy

import (
	"strings"
)

// Encode writes the proxy in a form that Parse reads back, with its password and with the link that changes its exit
// address. It is not called String, so that no log prints a password by accident.
func (r Record) Encode() string {
	var b strings.Builder
	b.WriteString(r.Type + "://")
	if r.Login != "" || r.Password != "" {
		b.WriteString(escape(r.Login))
		if r.Password != "" {
			b.WriteString(":" + escapePassword(r.Password))
		}
		b.WriteByte('@')
	}
	b.WriteString(r.HostPort())
	if r.ChangeIPURL != "" {
		b.WriteString("[" + r.ChangeIPURL + "]")
	}

	return b.String()
}

const hexDigits = "0123456789ABCDEF"

// escape percent-encodes everything but letters and digits of ASCII and the dash, dot, underscore and tilde.
func escape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-._~", c) >= 0:
			b.WriteByte(c)
		default:
			b.Write([]byte{'%', hexDigits[c>>4], hexDigits[c&15]})
		}
	}
	return b.String()
}

// escapePassword also encodes the first digit of a password that could be a port: login:80 could be a host with its
// port.
func escapePassword(s string) string {
	if _, ok := parsePort(s); ok {
		return "%3" + s
	}
	return escape(s)
}
