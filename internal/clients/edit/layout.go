package edit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// quote writes a string in a form that JSON, TOML and YAML all read. Every id and argument is quoted, so that none
// becomes a number.
func quote(s string) string {
	var encoded bytes.Buffer
	e := json.NewEncoder(&encoded)
	e.SetEscapeHTML(false)
	_ = e.Encode(s)

	var b strings.Builder
	for _, r := range strings.TrimSuffix(encoded.String(), "\n") {
		if needsEscape(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}

	return b.String()
}

// needsEscape reports whether a character is allowed unescaped in a JSON string, but not in a string of TOML or YAML.
func needsEscape(r rune) bool {
	return r >= 0x7f && r <= 0x9f || r == 0xfeff || r == 0xfffe || r == 0xffff
}

// layout describes how a document is written, so that additions look the same.
type layout struct {
	eol  string
	unit string // one step of indentation
	// line says that everything is on one line. comma and sep are the gaps after a comma and after a colon.
	line       bool
	comma, sep string
}

// oneLine is the layout of values in TOML and YAML.
var oneLine = layout{line: true, comma: " ", sep: " "}

// value writes a value as JSON. indent is the indentation of the line on which it begins.
func (l layout) value(v any, indent string) string {
	switch v := v.(type) {
	case string:
		return quote(v)
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v)
	case []string:
		return l.strings(v)
	case []Field:
		return l.object(v, indent)
	}
	panic("an entry has a value that no format knows")
}

func (l layout) strings(list []string) string {
	gap := l.comma
	if !l.line {
		gap = " "
	}

	words := make([]string, len(list))
	for i, s := range list {
		words[i] = quote(s)
	}

	return "[" + strings.Join(words, ","+gap) + "]"
}

func (l layout) object(fields []Field, indent string) string {
	if len(fields) == 0 {
		return "{}"
	}

	var b strings.Builder
	b.WriteByte('{')
	for i, f := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		switch {
		case !l.line:
			b.WriteString(l.eol + indent + l.unit)
		case i > 0:
			b.WriteString(l.comma)
		}
		b.WriteString(l.member(f.Key, f.Value, indent+l.unit))
	}
	if !l.line {
		b.WriteString(l.eol + indent)
	}
	b.WriteByte('}')

	return b.String()
}

// member writes one name with its value. indent is the indentation of its line.
func (l layout) member(key string, v any, indent string) string {
	gap := " "
	if l.line {
		gap = l.sep
	}

	return quote(key) + ":" + gap + l.value(v, indent)
}

// nest wraps a value into the keys that lead to it.
func nest(keys []string, v any) any {
	for i := len(keys) - 1; i >= 0; i-- {
		v = []Field{{keys[i], v}}
	}

	return v
}
