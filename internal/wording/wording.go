// Package wording shapes words that others wrote, so that they fit into a sentence of ours.
package wording

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Shorten returns s in at most the given number of characters. Where s has more, the last of them is an ellipsis. Bytes
// that are not UTF-8 are left out of a text that is cut.
func Shorten(s string, most int) string {
	if most <= 0 {
		return ""
	}
	if len(s) <= most {
		return s
	}

	count, end := 0, 0
	for i := range s {
		if count == most-1 {
			end = i
		}
		if count == most {
			return strings.ToValidUTF8(s[:end], "") + "…"
		}
		count++
	}
	return s
}

// Excerpt returns the given number of characters of a text that is read for its own sake, and says how many are missing.
// Bytes that are not UTF-8 are left out of a text that is cut.
func Excerpt(s string, most int) string {
	if len(s) <= most {
		return s
	}
	missing := utf8.RuneCountInString(s) - most
	if missing <= 0 {
		return s
	}

	end := len(s)
	for i := range s {
		if most == 0 {
			end = i
			break
		}
		most--
	}
	return fmt.Sprintf("%s…(+%d characters)", strings.ToValidUTF8(s[:end], ""), missing)
}

// Capitalize returns s with its first letter in upper case.
func Capitalize(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if !unicode.IsLower(first) {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}

// Quoted returns a text between quotation marks, as JSON writes it.
func Quoted(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text)
	return strings.TrimSpace(b.String())
}
