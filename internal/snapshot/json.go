package snapshot

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// reader reads JSON piece by piece, without making values of what nobody wants. After the first mistake it stands at the end.
type reader struct {
	s     string
	i     int
	err   error
	first bool // nothing was read yet in the object or array that was opened last
}

func (r *reader) fail(what string) {
	if r.err == nil {
		r.err = fmt.Errorf("%s at byte %d", what, r.i)
	}
	r.i = len(r.s)
}

// peek is the next byte after white space, 0 at the end.
func (r *reader) peek() byte {
	for r.i < len(r.s) {
		switch c := r.s[r.i]; c {
		case ' ', '\t', '\n', '\r':
			r.i++
		default:
			return c
		}
	}
	return 0
}

func (r *reader) open(c byte) {
	if r.peek() != c {
		r.fail("expected " + string(c))
		return
	}
	r.i++
	r.first = true
}

// more tells whether another member follows, and steps over the comma or the end.
func (r *reader) more(end byte) bool {
	c := r.peek()
	first := r.first
	r.first = false
	switch {
	case r.err != nil:
		return false
	case c == end:
		r.i++
		return false
	case first:
		return c != 0 || r.endless()
	case c == ',':
		r.i++
		return true
	}
	return r.endless()
}

func (r *reader) endless() bool {
	r.fail("expected , or an end")
	return false
}

func (r *reader) key() string {
	k := r.str()
	if r.peek() != ':' {
		r.fail("expected :")
		return ""
	}
	r.i++
	return k
}

// str reads a string; one without escapes is a part of the source.
func (r *reader) str() string {
	if r.peek() != '"' {
		r.fail("expected a string")
		return ""
	}
	r.i++
	start := r.i
	end := strings.IndexByte(r.s[start:], '"')
	if end < 0 {
		r.fail("a string without an end")
		return ""
	}
	if s := r.s[start : start+end]; strings.IndexByte(s, '\\') < 0 {
		r.i = start + end + 1
		return s
	}
	return r.escaped(start)
}

func (r *reader) escaped(start int) string {
	var b []byte
	for r.i = start; r.i < len(r.s); {
		c := r.s[r.i]
		r.i++
		if c == '"' {
			return string(b)
		}
		if c != '\\' || r.i >= len(r.s) {
			b = append(b, c)
			continue
		}
		c = r.s[r.i]
		r.i++
		switch c {
		case 'n':
			b = append(b, '\n')
		case 't':
			b = append(b, '\t')
		case 'r', 'b', 'f':
			b = append(b, ' ')
		case 'u':
			b = utf8.AppendRune(b, r.unicode())
		default:
			b = append(b, c)
		}
	}
	r.fail("a string without an end")
	return ""
}

// unicode reads the four digits after \u, and the second half of a pair.
func (r *reader) unicode() rune {
	half := r.hex()
	if utf16.IsSurrogate(half) && strings.HasPrefix(r.s[r.i:], `\u`) {
		at := r.i
		r.i += 2
		if pair := utf16.DecodeRune(half, r.hex()); pair != utf8.RuneError {
			return pair
		}
		r.i = at
	}
	return half
}

func (r *reader) hex() rune {
	if r.i+4 > len(r.s) {
		return utf8.RuneError
	}
	v, err := strconv.ParseUint(r.s[r.i:r.i+4], 16, 32)
	if err != nil {
		return utf8.RuneError
	}
	r.i += 4
	return rune(v)
}

// text reads any scalar as a string; null, objects and arrays are "".
func (r *reader) text() string {
	switch r.peek() {
	case '"':
		return r.str()
	case '{', '[':
		r.skip()
		return ""
	}
	if w := r.word(); w != "null" {
		return w
	}
	return ""
}

func (r *reader) int() int64 {
	s := r.text()
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		f, _ := strconv.ParseFloat(s, 64)
		if f > -1e15 && f < 1e15 {
			return int64(f)
		}
	}
	return n
}

// truth reads 1, true and the like.
func (r *reader) truth() bool {
	switch r.text() {
	case "", "0", "false":
		return false
	}
	return true
}

// word reads a number, true, false or null.
func (r *reader) word() string {
	r.peek()
	start := r.i
	for r.i < len(r.s) {
		switch r.s[r.i] {
		case ',', '}', ']', ':', '"', '{', '[', ' ', '\t', '\n', '\r':
			if r.i == start {
				r.fail("expected a value")
				return ""
			}
			return r.s[start:r.i]
		}
		r.i++
	}
	if start == r.i {
		r.fail("expected a value")
	}
	return r.s[start:r.i]
}

// skip steps over any value without recursion.
func (r *reader) skip() {
	depth := 0
	for r.err == nil {
		switch r.peek() {
		case 0:
			r.fail("unexpected end")
		case '"':
			r.str()
		case '{', '[':
			depth++
			r.i++
		case '}', ']':
			depth--
			r.i++
		case ',', ':':
			r.i++
		default:
			r.word()
		}
		if depth <= 0 {
			return
		}
	}
}
