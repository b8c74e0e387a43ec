package remote

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// String reads the answer of a script that returns a string, with the plain escapes that the browser writes. It reports
// false for any other answer. The answer may be long, so String reads it only once.
func String(raw []byte) (string, bool) {
	rest, ok := bytes.CutPrefix(raw, []byte(`{"result":{"type":"string","value":"`))
	if !ok {
		return "", false
	}
	if rest, ok = bytes.CutSuffix(rest, []byte(`"}}`)); !ok {
		return "", false
	}
	at := bytes.IndexByte(rest, '\\')
	if at < 0 {
		return string(rest), bytes.IndexByte(rest, '"') < 0
	}
	quoted := false // a quote without an escape before it: the answer has more than one string
	var b strings.Builder
	b.Grow(len(rest))
	for at >= 0 && at+1 < len(rest) {
		quoted = quoted || bytes.IndexByte(rest[:at], '"') >= 0
		b.Write(rest[:at])
		c := rest[at+1]
		rest = rest[at+2:]
		switch c {
		case '"', '\\', '/':
			b.WriteByte(c)
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'b':
			b.WriteByte('\b')
		case 'f':
			b.WriteByte('\f')
		case 'u':
			r, size := escapedRune(rest)
			if size == 0 {
				return "", false
			}
			b.WriteRune(r)
			rest = rest[size:]
		default:
			return "", false
		}
		at = bytes.IndexByte(rest, '\\')
	}
	b.Write(rest)
	return b.String(), at < 0 && !quoted && bytes.IndexByte(rest, '"') < 0
}

// escapedRune reads the digits after \u, and the second half of a surrogate pair. For half a pair it returns
// utf8.RuneError.
func escapedRune(rest []byte) (r rune, size int) {
	hex := func(b []byte) rune {
		if len(b) < 4 {
			return -1
		}
		n, err := strconv.ParseUint(string(b[:4]), 16, 16)
		if err != nil {
			return -1
		}
		return rune(n)
	}
	if r = hex(rest); r < 0 {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 4
	}
	if len(rest) >= 10 && rest[4] == '\\' && rest[5] == 'u' {
		if pair := utf16.DecodeRune(r, hex(rest[6:])); pair != utf8.RuneError {
			return pair, 10
		}
	}
	return utf8.RuneError, 4
}
