// Package text makes the strings of a page fit on a line of a snapshot: it cleans, cuts and quotes them.
package text

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cove/internal/wording"
)

// MaxName and MaxText are the lengths to which names and texts are cut, in characters.
const (
	MaxName = 300
	MaxText = 2000
)

// Clean puts a string of a page on one line. A run of white space and control characters becomes one space. Clean
// removes characters that nobody sees (bidi marks, zero-width and tag characters, variation selectors that hide data),
// except single joiners that letters need.
func Clean(s string) string {
	if s = strings.Trim(s, " \n\t"); isClean(s) {
		return s
	}
	b := make([]byte, 0, len(s))
	space, last := false, rune(0)
	for i, r := range s {
		switch {
		case (r == 0x200C || r == 0x200D) && !space && joined(last, s[i+3:]):
		case r == NBSP && !space && len(b) > 0 && !startsBlank(s[i+2:]): // it belongs to the text: 10 km, Mr Smith
		case invisible(r) || r == last && (r == 0xFE0E || r == 0xFE0F):
			continue
		case r == ' ' || blank(r):
			space = len(b) > 0
			continue
		}
		if space {
			b = append(b, ' ')
			space = false
		}
		b = utf8.AppendRune(b, r)
		last = r
	}
	return string(b)
}

// NBSP is the non-breaking space.
const NBSP = '\u00a0'

func startsBlank(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s == "" || blank(r) || invisible(r)
}

// CleanLines is Clean for a text whose lines mean something: code, poems, logs. The walker leaves line breaks only in
// such texts. CleanLines keeps their indentation.
func CleanLines(s string) string {
	s = strings.Trim(s, " \t\n")
	if strings.IndexByte(s, '\n') < 0 {
		return Clean(s)
	}
	var b strings.Builder
	blanks := 0
	for part := range strings.SplitSeq(s, "\n") {
		rest := strings.TrimLeft(part, " \t")
		text := Clean(rest)
		if text == "" {
			blanks++
			continue
		}
		if b.Len() > 0 {
			b.WriteString(strings.Repeat("\n", 1+min(blanks, 1)))
			b.WriteString(strings.Repeat(" ", min(len(strings.ReplaceAll(part[:len(part)-len(rest)], "\t", "    ")),
				maxIndent)))
		}
		blanks = 0
		b.WriteString(text)
	}
	return b.String()
}

// maxIndent bounds the indentation of a line, in spaces.
const maxIndent = 40

// joined reports whether a joiner between two characters belongs to their spelling, as in Persian and Indian words and
// in emoji.
func joined(before rune, rest string) bool {
	after, _ := utf8.DecodeRuneInString(rest)
	writes := func(r rune) bool {
		return r > 0x5FF && r != utf8.RuneError &&
			(unicode.IsLetter(r) || unicode.IsMark(r) || unicode.Is(unicode.So, r) || unicode.Is(unicode.Sk, r))
	}
	return writes(before) && writes(after) && !invisible(before) && !invisible(after)
}

// isClean reports whether Clean has nothing to do, which it sees at once for most strings: printable ASCII with single
// spaces.
func isClean(s string) bool {
	space := true
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c > '~' || c == ' ' && space {
			return false
		}
		space = c == ' '
	}
	return !space || s == ""
}

func blank(r rune) bool {
	switch r {
	case 0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0: // letters and symbols that are drawn as nothing
		return true
	}
	return unicode.IsSpace(r) || unicode.Is(unicode.Cc, r) || r == 0x2028 || r == 0x2029
}

func invisible(r rune) bool {
	switch {
	case r < 0xAD:
		return false
	case r >= 0xFE00 && r <= 0xFE0D,
		r >= 0xE0000 && r <= 0xE0FFF,
		r == 0x034F,
		r == 0x17B4,
		r == 0x17B5,
		r >= 0x180B && r <= 0x180F:
		return true
	}
	return unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// Cut shortens s to limit characters and adds a note that says how many are missing.
func Cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	n := 0
	for i := range s {
		if n == limit {
			rest := utf8.RuneCountInString(s[i:])
			if rest <= 20 { // the note would be as long as the rest
				return s
			}
			return fmt.Sprintf("%s…(+%d characters)", s[:i], rest)
		}
		n++
	}
	return s
}

// AppendQuoted appends a clean string in quotes, escaped as JSON does.
func AppendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	if !strings.ContainsAny(s, "\"\\\n") {
		b = append(b, s...)
	} else {
		for i := range len(s) {
			switch c := s[i]; c {
			case '\n':
				b = append(b, '\\', 'n')
			case '"', '\\':
				b = append(b, '\\', c)
			default:
				b = append(b, c)
			}
		}
	}
	return append(b, '"')
}

// Quoted returns a clean string in quotes, escaped as JSON does.
func Quoted(s string) string { return string(AppendQuoted(nil, s)) }

// Word reduces a string of a page to the characters that a role or the name of a property may have.
func Word(s string) string {
	for i := range len(s) {
		if !wordByte(s[i]) {
			b := make([]byte, 0, len(s))
			for j := range len(s) {
				if wordByte(s[j]) {
					b = append(b, s[j])
				}
			}
			return wording.Shorten(string(b), 40)
		}
	}
	return wording.Shorten(s, 40)
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_'
}

// Count returns a number with the word for what it counts, in the singular or the plural.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// Clip shortens a part of a line to limit bytes, and closes quotes that the cut leaves open.
func Clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	s = strings.ToValidUTF8(s[:limit], "")
	open := false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			if i++; i == len(s) {
				s = s[:len(s)-1]
			}
		case '"':
			open = !open
		}
	}
	if open {
		return s + `…"`
	}
	return s + "…"
}

// Parts splits a line at the spaces outside quotes.
func Parts(line string) []string {
	var all []string
	open, from := false, 0
	for i := 0; i <= len(line); i++ {
		switch {
		case i == len(line) || line[i] == ' ' && !open:
			if i > from {
				all = append(all, line[from:min(i, len(line))])
			}
			from = i + 1
		case line[i] == '\\':
			i++
		case line[i] == '"':
			open = !open
		}
	}
	return all
}
