// Package wording shapes words that others wrote, so that they fit into a sentence of ours.
package wording

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
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
	if start := first(s, most); start == s {
		return s
	}
	return strings.ToValidUTF8(first(s, most-1), "") + "…"
}

// Count writes a number with its noun, which is given for one: 1 proxy, 2 proxies.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	switch {
	case strings.HasSuffix(noun, "y"):
		noun = strings.TrimSuffix(noun, "y") + "ies"
	case strings.HasSuffix(noun, "s"):
		noun += "es"
	default:
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// Excerpt is Shorten for a text that is read for its own sake: it has the first characters of s, as many as are given,
// and says how many are missing.
func Excerpt(s string, most int) string {
	start := first(s, most)
	if start == s {
		return s
	}
	return fmt.Sprintf("%s…(+%d characters)", strings.ToValidUTF8(start, ""), utf8.RuneCountInString(s[len(start):]))
}

// first returns the first characters of s, all of them if there are not more than most.
func first(s string, most int) string {
	if len(s) <= most {
		return s
	}

	count := 0
	for i := range s {
		if count == most {
			return s[:i]
		}
		count++
	}
	return s
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
