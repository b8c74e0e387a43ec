package clients

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// quote writes a string as JSON, TOML and YAML all read it. No id and no argument is ever left bare, so that none becomes a number.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s)
	return rare.ReplaceAllStringFunc(strings.TrimSuffix(b.String(), "\n"), func(c string) string {
		r, _ := utf8.DecodeRuneInString(c)
		return fmt.Sprintf(`\u%04x`, r)
	})
}

// rare is what JSON takes bare, but TOML or YAML do not.
var rare = regexp.MustCompile("[\x7f-\u009f\ufeff\ufffe\uffff]")

// layout is how a document looks, so that what is added looks the same.
type layout struct {
	eol  string
	unit string // one step of indentation
	// line says that everything stands on one line, with these gaps after a comma and a colon.
	line       bool
	comma, sep string
}

// oneLine is the layout of links.
var oneLine = layout{line: true}

// flow is fields as JSON on one line.
func flow(fields []Field) string { return oneLine.value(fields, "") }

// value writes a value as JSON; indent is that of the line it begins on.
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

// member is one name with its value; indent is that of its line.
func (l layout) member(key string, v any, indent string) string {
	gap := " "
	if l.line {
		gap = l.sep
	}
	return quote(key) + ":" + gap + l.value(v, indent)
}

// nested wraps a value into the keys that lead to it.
func nested(keys []string, v any) any {
	for i := len(keys) - 1; i >= 0; i-- {
		v = []Field{{keys[i], v}}
	}
	return v
}
