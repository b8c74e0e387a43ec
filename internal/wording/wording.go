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

	if head(s, most) == s {
		return s
	}
	return head(s, most-1) + "…"
}

// head returns the first n characters of s, all of them where it has no more.
func head(s string, n int) string {
	for i := range s {
		if n == 0 {
			return strings.ToValidUTF8(s[:i], "")
		}
		n--
	}
	return s
}

// Excerpt returns the first most characters of a text that is read for its own sake, and how many are missing.
func Excerpt(s string, most int) string {
	missing := utf8.RuneCountInString(s) - most
	if missing <= 0 {
		return s
	}
	return fmt.Sprintf("%s…(+%d characters)", head(s, most), missing)
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
