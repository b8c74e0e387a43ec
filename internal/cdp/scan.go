package cdp

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"
)

// maxDepth is the nesting that the browser's own parser accepts.
const maxDepth = 290

// span is the position of a value in a message. The zero span is none.
type span struct{ from, to int }

func (s span) found() bool { return s.to > 0 }

// members calls each for every member of the object that raw is, and returns where its closing brace is. All code that
// judges a message reads it here.
func members(raw []byte, each func(key string, value span) error) (end int, err error) {
	s := scanner{raw: raw}
	s.blank()
	if !s.accept('{') {
		return 0, errNotObject
	}
	for first := true; ; first = false {
		s.blank()
		if s.peek() == '}' && first {
			break
		}
		key, err := s.key()
		if err != nil {
			return 0, err
		}
		value, err := s.value()
		if err != nil {
			return 0, err
		}
		if err := each(key, value); err != nil {
			return 0, err
		}
		if s.blank(); !s.accept(',') {
			break
		}
	}
	end = s.at
	if !s.accept('}') {
		return end, errBroken
	}
	if s.blank(); s.at != len(raw) {
		return end, errBroken
	}
	return end, nil
}

var (
	errNotObject = errors.New("a message is a JSON object")
	errBroken    = errors.New("the message is not valid JSON")
	errTwice     = errors.New("a key stands twice in the message")
	errEscape    = errors.New("a key of the message is written with an escape")
	errDeep      = errors.New("the message is nested too deeply")
)

// Fields returns the members of an object by their names, as the browser reads them. It refuses a key that stands twice
// or is written with an escape. Names are case-sensitive. For empty input it returns an empty map.
func Fields(raw []byte) (map[string]json.RawMessage, error) {
	fields := map[string]json.RawMessage{}
	if len(raw) == 0 {
		return fields, nil
	}
	if !utf8.Valid(raw) {
		return nil, errBroken
	}
	_, err := members(raw, func(key string, value span) error {
		if _, twice := fields[key]; twice {
			return errTwice
		}
		fields[key] = raw[value.from:value.to]
		return nil
	})
	if err != nil {
		return nil, err
	}
	return fields, nil
}

type scanner struct {
	raw []byte
	at  int
}

func (s *scanner) peek() byte {
	if s.at < len(s.raw) {
		return s.raw[s.at]
	}
	return 0
}

// accept moves past the byte c if it is the next one.
func (s *scanner) accept(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.at++
	return true
}

func (s *scanner) blank() {
	for s.at < len(s.raw) {
		switch s.raw[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return
		}
	}
}

// key reads a member's name and the colon after it.
func (s *scanner) key() (string, error) {
	from := s.at
	if err := s.str(); err != nil {
		return "", err
	}
	name := s.raw[from+1 : s.at-1]
	if bytes.IndexByte(name, '\\') >= 0 {
		return "", errEscape
	}
	if s.blank(); !s.accept(':') {
		return "", errBroken
	}
	s.blank()
	return string(name), nil
}

func (s *scanner) str() error {
	if !s.accept('"') {
		return errBroken
	}
	for {
		n := bytes.IndexByte(s.raw[s.at:], '"')
		if n < 0 {
			return errBroken
		}
		s.at += n + 1
		slashes := 0
		for i := s.at - 2; i >= 0 && s.raw[i] == '\\'; i-- {
			slashes++
		}
		if slashes%2 == 0 {
			return nil
		}
	}
}

// value skips one value. It jumps over strings inside it, so a large value costs little.
func (s *scanner) value() (span, error) {
	from := s.at
	depth := 0
	for s.at < len(s.raw) {
		switch c := s.raw[s.at]; c {
		case '"':
			if err := s.str(); err != nil {
				return span{}, err
			}
		case '{', '[':
			if depth++; depth > maxDepth {
				return span{}, errDeep
			}
			s.at++
		case '}', ']':
			if depth == 0 {
				return s.done(from)
			}
			depth--
			s.at++
		case ',':
			if depth == 0 {
				return s.done(from)
			}
			s.at++
		case 0, '/':
			return span{}, errBroken
		default:
			s.at++
			continue
		}
	}
	return span{}, errBroken
}

// done returns the value that ends at the scanner's position, without blanks at its end.
func (s *scanner) done(from int) (span, error) {
	to := s.at
	for to > from && (s.raw[to-1] == ' ' || s.raw[to-1] == '\n' || s.raw[to-1] == '\t' || s.raw[to-1] == '\r') {
		to--
	}
	if to == from {
		return span{}, errBroken
	}
	return span{from, to}, nil
}
