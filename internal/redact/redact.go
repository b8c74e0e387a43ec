// Package redact removes passwords and card numbers from addresses, request bodies and headers. It finds them by the
// names that they are sent under; what the values are is not known to it.
package redact

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

// Mark stands in place of a value that agents may not read.
const Mark = "<redacted>"

// The patterns are compiled when they are first needed: every command of the program would wait for them.
var (
	userinfo  = pattern(`(://[^/?#@\s:]*):[^/?#@\s]*@`)
	pair      = pattern(`([^&=?#\s]+)=([^&#\s]*)`)
	jsonPair  = pattern(`("(?:[^"\\]|\\.)*")(\s*:\s*)("(?:[^"\\]|\\.)*"|[-0-9.]+)`)
	multipart = pattern(`(?s)(name="([^"]*)"[^\r\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n)(.*?)(\r?\n--)`)
	address   = pattern(`https?://[^\s"'\\<>]+`)
)

func pattern(source string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(source) })
}

// URL returns an address without the passwords in it.
func URL(address string) string {
	if strings.Contains(address, "@") {
		address = userinfo().ReplaceAllString(address, "$1:"+Mark+"@")
	}

	at := strings.IndexAny(address, "?#")
	if at < 0 || !strings.Contains(address[at:], "=") {
		return address
	}
	return address[:at+1] + pairs(address[at+1:])
}

// URLs returns a text without the passwords in the addresses that stand in it.
func URLs(text []byte) []byte {
	if !bytes.Contains(text, []byte("://")) {
		return text
	}
	return address().ReplaceAllFunc(text, func(a []byte) []byte { return []byte(URL(string(a))) })
}

// Body returns the body of a request without the passwords that it sends: a form, a multipart form or JSON.
func Body(body string) string {
	trimmed := strings.TrimSpace(body)
	switch {
	case strings.Contains(body[:min(len(body), 2000)], "form-data; name="):
		return multipartBody(body)
	case strings.HasPrefix(trimmed, "{"), strings.HasPrefix(trimmed, "["):
		return jsonBody(body)
	}
	return pairs(body)
}

func multipartBody(body string) string {
	return multipart().ReplaceAllStringFunc(body, func(part string) string {
		m := multipart().FindStringSubmatch(part)
		if !isSecretName(m[2]) {
			return part
		}
		return m[1] + Mark + m[4]
	})
}

func jsonBody(body string) string {
	return jsonPair().ReplaceAllStringFunc(body, func(member string) string {
		m := jsonPair().FindStringSubmatch(member)
		if !isSecretName(strings.Trim(m[1], `"`)) {
			return member
		}
		return m[1] + m[2] + `"` + Mark + `"`
	})
}

// pairs redacts name=value pairs.
func pairs(text string) string {
	return pair().ReplaceAllStringFunc(text, func(p string) string {
		name, value, _ := strings.Cut(p, "=")
		if value == "" || !isSecretName(name) {
			return p
		}
		return name + "=" + Mark
	})
}
