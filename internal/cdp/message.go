// Package cdp implements the browser's debugging protocol: messages, the pipe that carries them, and a connection with
// many sessions.
package cdp

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"unicode/utf8"
)

// MaxMessage is the largest message that a client may send. Above 100 MiB the browser's pipe wedges for everyone.
const MaxMessage = 96 << 20

// Message is one protocol message and the positions of the members that routing needs. Everything else stays unread.
type Message struct {
	raw                 []byte
	id, method, session span
	params              span
	end                 int // of the closing brace
}

// ParseBrowser reads a message of the browser. The browser's serializer puts id or method first and sessionId last; a
// message of any other layout is scanned as a whole.
func ParseBrowser(raw []byte) (Message, error) {
	m := Message{raw: raw, end: len(raw) - 1}
	switch {
	case bytes.HasPrefix(raw, []byte(`{"id":`)):
		m.id = digits(raw, len(`{"id":`))
		if !m.id.found() || m.id.to >= len(raw) || raw[m.id.to] != ',' {
			return Scan(raw)
		}
	case bytes.HasPrefix(raw, []byte(`{"method":"`)):
		from := len(`{"method":`)
		n := bytes.IndexByte(raw[from+1:], '"')
		if n < 0 {
			return Scan(raw)
		}
		m.method = span{from, from + n + 2}
	default:
		return Scan(raw)
	}

	// Nothing but a member of the outermost object can stand right before its closing brace, and a comma before the
	// opening quote means that the quote is not escaped. So the tail needs no parsing of what is before it.
	const key = `,"sessionId":"`
	if m.end < 2 || raw[m.end] != '}' {
		return Scan(raw)
	}
	if raw[m.end-1] != '"' {
		return m, nil
	}
	from := bytes.LastIndexByte(raw[:m.end-1], '"')
	if from < 0 || from+1 < len(key) || string(raw[from+1-len(key):from+1]) != key ||
		bytes.IndexByte(raw[from+1:m.end], '\\') >= 0 {
		return Scan(raw)
	}
	m.session = span{from, m.end}
	return m, nil
}

func digits(raw []byte, from int) span {
	to := from
	for to < len(raw) && raw[to] >= '0' && raw[to] <= '9' {
		to++
	}
	if to == from {
		return span{}
	}
	return span{from, to}
}

// ParseClient reads a message of a client and trusts nothing: the browser reads a message that passes exactly as it was
// read here.
func ParseClient(raw []byte) (Message, error) {
	m, err := Scan(raw)
	if err != nil {
		return m, err
	}
	// Valid JSON contains no comment and no NUL, and it has one meaning.
	if !json.Valid(raw) {
		return m, errBroken
	}
	if !utf8.Valid(raw) { // each parser replaces invalid bytes in its own way
		return m, errors.New("the message is not UTF-8")
	}
	return m, nil
}

// Scan finds id, method, sessionId and params of a message in one pass. It refuses a message that two parsers could
// read in two ways.
func Scan(raw []byte) (Message, error) {
	m := Message{raw: raw}
	var err error
	m.end, err = members(raw, m.setMember)
	return m, err
}

// setMember stores the position of a member that routing needs.
func (m *Message) setMember(key string, value span) error {
	var member *span
	switch key {
	case "id":
		member = &m.id
	case "method":
		member = &m.method
	case "sessionId":
		member = &m.session
	case "params":
		member = &m.params
	default:
		return nil
	}

	if member.found() {
		return errTwice
	}
	*member = value

	return nil
}

// member returns the value of the member name if it directly follows the first member of a message of the browser.
// Between these two and the session at the end the browser writes nothing else.
func (m Message) member(first span, name string) (json.RawMessage, bool) {
	const session = `,"sessionId":`
	end := m.end
	if m.session.found() {
		end = m.session.from - len(session)
		if m.session.to != m.end || end < 0 || string(m.raw[end:m.session.from]) != session {
			return nil, false
		}
	}

	from := first.to + len(name) + 4
	if !first.found() || from >= end || string(m.raw[first.to:from]) != `,"`+name+`":` ||
		m.raw[from] != '{' || m.raw[end-1] != '}' {
		return nil, false
	}
	return m.raw[from:end:end], true
}

// ID returns the message's id, and whether it has one that the browser accepts.
func (m Message) ID() (int32, bool) {
	if !m.id.found() {
		return 0, false
	}
	n, err := strconv.ParseInt(string(m.raw[m.id.from:m.id.to]), 10, 64)
	return int32(n), err == nil && n >= math.MinInt32 && n <= math.MaxInt32
}

// Method returns the method's name, or "" if there is none.
func (m Message) Method() string { return m.text(m.method) }

// Session returns the session's id, or "" if there is none.
func (m Message) Session() string { return m.text(m.session) }

// HasSession reports whether the message names a session at all.
func (m Message) HasSession() bool { return m.session.found() }

// Params returns a command's parameters unparsed. It is nil if there are none, and for a message of the browser.
func (m Message) Params() json.RawMessage {
	if !m.params.found() {
		return nil
	}
	return m.raw[m.params.from:m.params.to]
}

func (m Message) text(s span) string {
	if s.to-s.from < 2 || m.raw[s.from] != '"' {
		return ""
	}
	if inner := m.raw[s.from+1 : s.to-1]; bytes.IndexByte(inner, '\\') < 0 {
		return string(inner)
	}
	var out string
	_ = json.Unmarshal(m.raw[s.from:s.to], &out)
	return out
}

// Failed reports whether an answer of the browser is an error.
func (m Message) Failed() bool {
	return m.id.found() && bytes.HasPrefix(m.raw[m.id.to:], []byte(`,"error":`))
}

// Len returns the length of the message in bytes.
func (m Message) Len() int { return len(m.raw) }

// Raw returns the message as it was received.
func (m Message) Raw() []byte { return m.raw }

// ForBrowser returns the message for the pipe: with another id, with session if the message names none and session is
// not empty, and with a NUL at its end.
func (m Message) ForBrowser(id int32, session string) []byte {
	out := make([]byte, 0, len(m.raw)+len(session)+40)
	out = append(out, m.raw[:m.id.from]...)
	out = strconv.AppendInt(out, int64(id), 10)
	out = append(out, m.raw[m.id.to:m.end]...)
	if session != "" && !m.session.found() {
		out = append(append(append(out, `,"sessionId":"`...), session...), '"')
	}
	return append(out, '}', 0)
}

// ForClient returns an answer or event of the browser as its client expects it: with the client's own id, and without
// the session unless withSession is set. It changes the message in place where it can.
func (m Message) ForClient(id int32, withSession bool) []byte {
	out := m.raw
	if m.session.found() && !withSession {
		const before = `,"sessionId":`
		if m.session.to != m.end || m.session.from < len(before) ||
			string(out[m.session.from-len(before):m.session.from]) != before {
			return m.rebuild(id)
		}
		out = append(out[:m.session.from-len(before)], '}')
	}
	if !m.id.found() {
		return out
	}
	var digits [12]byte
	text := strconv.AppendInt(digits[:0], int64(id), 10)
	shift := m.id.to - m.id.from - len(text)
	if shift < 0 {
		grown := make([]byte, 0, len(out)-shift)
		grown = append(append(grown, out[:m.id.from]...), text...)
		return append(grown, out[m.id.to:]...)
	}
	copy(out[shift:], out[:m.id.from])
	copy(out[shift+m.id.from:], text)
	return out[shift:]
}

// rebuild is ForClient for a layout that the browser does not use. It is slow.
func (m Message) rebuild(id int32) []byte {
	var fields map[string]json.RawMessage
	if json.Unmarshal(m.raw, &fields) != nil {
		return m.raw
	}
	delete(fields, "sessionId")
	if m.id.found() {
		fields["id"] = strconv.AppendInt(nil, int64(id), 10)
	}
	out, err := json.Marshal(fields)
	if err != nil {
		return m.raw
	}
	return out
}

// ParseEnds reads the first and the last bytes, joined, of a message that is too large to store. What is in between is
// missing, so it finds only members that stand whole at the very beginning or the very end.
func ParseEnds(ends []byte) Message {
	if m := (Message{raw: ends}); bytes.HasPrefix(ends, []byte(`{"id":`)) {
		if m.id = digits(ends, len(`{"id":`)); m.id.found() {
			return m
		}
	}

	// From the last brace or bracket on, there are only members of the outermost object.
	end := bytes.LastIndexByte(ends, '}')
	if end < 0 {
		return Message{}
	}
	from := bytes.LastIndexAny(ends[:end], "}]")
	if from < 0 {
		return Message{}
	}
	m, err := Scan(append([]byte(`{"cut":0`), ends[from+1:]...))
	if err != nil {
		return Message{}
	}
	return m
}
