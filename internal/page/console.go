package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cove/internal/cdp"
)

// Bounds of what is kept of a tab's console: pages may log without end.
const (
	maxMessages     = 1000
	maxConsole      = 2 << 20 // bytes of all messages
	maxMessageBytes = 8 << 10
	maxArguments    = 20
)

// Message is one console message, exception, browser message or issue.
type Message struct {
	ID    int
	Type  string // log, info, warn, error, debug, table, …, verbose, issue
	Text  string
	Args  []string
	Stack []string
	Times int
	// visit numbers the document that it belongs to.
	visit int
}

// console keeps the last messages of a tab. The tab's mu guards it.
type console struct {
	next  int
	visit int
	ring  []Message
	bytes int // of all of them
	lost  int
}

// size is about what a message takes.
func (m *Message) size() int {
	n := 100 + len(m.Text)
	for _, part := range [][]string{m.Args, m.Stack} {
		for _, s := range part {
			n += 16 + len(s)
		}
	}
	return n
}

func (c *console) navigated() { c.visit++ }

func (c *console) add(m Message) {
	m.Text = short(m.Text, maxMessageBytes)
	m.visit, m.Times = c.visit, 1
	if n := len(c.ring); n > 0 {
		last := &c.ring[n-1]
		if last.visit == m.visit && last.Type == m.Type && last.Text == m.Text && slices.Equal(last.Args, m.Args) && slices.Equal(last.Stack, m.Stack) {
			last.Times++
			c.next++
			return
		}
	}
	if m.Type == "issue" {
		for i := range c.ring { // the browser tells each place of an issue by itself
			if c.ring[i].visit == m.visit && c.ring[i].Type == m.Type && c.ring[i].Text == m.Text {
				c.ring[i].Times++
				return
			}
		}
	}
	c.next++
	m.ID = c.next
	c.bytes += m.size()
	c.ring = append(c.ring, m)
	if len(c.ring) <= maxMessages && c.bytes <= maxConsole {
		return
	}
	old := 0 // a quarter goes, so that this is rare
	for from := c.bytes; old < len(c.ring)-1 && (old < len(c.ring)/4 || c.bytes > from*3/4); old++ {
		c.bytes -= c.ring[old].size()
	}
	c.lost += old
	c.ring = slices.Delete(c.ring, 0, old)
}

// preview is what the browser shows of an object without opening it.
type preview struct {
	Type        string `json:"type"`
	Subtype     string `json:"subtype"`
	Description string `json:"description"`
	Overflow    bool   `json:"overflow"`
	Properties  []struct {
		Name    string   `json:"name"`
		Type    string   `json:"type"`
		Subtype string   `json:"subtype"`
		Value   string   `json:"value"`
		Nested  *preview `json:"valuePreview"`
	} `json:"properties"`
	// Entries are what a Map or a Set holds.
	Entries []struct {
		Key   *preview `json:"key"`
		Value *preview `json:"value"`
	} `json:"entries"`
}

func (p *preview) text() string {
	if p.Type != "object" || p.Subtype == "null" || p.Subtype == "date" || p.Subtype == "regexp" {
		if p.Type == "string" {
			return strconv.Quote(p.Description)
		}
		return p.Description
	}
	var parts []string
	if p.Entries != nil {
		for _, e := range p.Entries {
			part := e.Value.text()
			if e.Key != nil {
				part = e.Key.text() + " => " + part
			}
			parts = append(parts, part)
		}
		if p.Overflow {
			parts = append(parts, "…")
		}
		return p.Description + " {" + strings.Join(parts, ", ") + "}"
	}
	for _, f := range p.Properties {
		value := f.Value
		switch {
		case f.Nested != nil:
			value = f.Nested.text()
		case f.Type == "string":
			value = strconv.Quote(f.Value)
		}
		if p.Subtype != "array" {
			value = strconv.Quote(f.Name) + ":" + value
		}
		parts = append(parts, value)
	}
	if p.Overflow {
		parts = append(parts, "…")
	}
	if p.Subtype == "array" {
		return "[" + strings.Join(parts, ",") + "]"
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// text is a value as a console shows it; brief leaves objects closed.
func (r remote) text(brief bool) string {
	switch {
	case r.Type == "string":
		return textOf(r.Value)
	case r.Unwritable != "":
		return r.Unwritable
	case r.Type == "undefined" || (len(r.Value) > 0 && r.ObjectID == ""):
		if r.Type == "undefined" {
			return r.Type
		}
		return short(string(r.Value), maxMessageBytes)
	case r.Subtype == "error":
		text, _, _ := strings.Cut(r.Description, "\n    at ")
		return short(text, maxMessageBytes)
	case r.Subtype == "node" || r.Subtype == "date" || r.Subtype == "regexp" || r.Type == "function" || r.Preview == nil:
		return short(r.Description, 500)
	case brief && r.Subtype == "array":
		return short(r.Description, 500)
	}
	return short(r.Preview.text(), maxMessageBytes)
}

// textOf reads a string of JSON, of a long one the beginning: pages log megabytes.
func textOf(raw json.RawMessage) string {
	var s string
	if most := 6 * maxMessageBytes; len(raw) > most { // an escape takes six bytes
		cut := most
		for back := cut - 12; cut > back && bytes.IndexByte(raw[cut-6:cut], '\\') >= 0; {
			cut--
		}
		if json.Unmarshal(append(bytes.Clone(raw[:cut]), '"'), &s) == nil {
			return fmt.Sprintf("%s…(+about %d characters)", clipped(s, maxMessageBytes), len(raw)-cut)
		}
	}
	_ = json.Unmarshal(raw, &s)
	return short(s, maxMessageBytes)
}

// clipped is the first characters of a text.
func clipped(text string, most int) string {
	for i := range text {
		if most--; most < 0 {
			return text[:i]
		}
	}
	return text
}

// stack is where something happened.
type stack struct {
	Description string `json:"description"`
	Frames      []struct {
		Function string `json:"functionName"`
		URL      string `json:"url"`
		Line     int    `json:"lineNumber"`
		Column   int    `json:"columnNumber"`
	} `json:"callFrames"`
	Parent *stack `json:"parent"`
}

func (s *stack) lines() (lines []string) {
	for ; s != nil && len(lines) < 50; s = s.Parent {
		if s.Description != "" && len(lines) > 0 {
			lines = append(lines, "--- "+s.Description+" ---")
		}
		for _, f := range s.Frames {
			name := f.URL
			if at := strings.LastIndexByte(name, '/'); at >= 0 && at < len(name)-1 {
				name = name[at+1:]
			}
			lines = append(lines, fmt.Sprintf("at %s (%s:%d:%d)", short(f.Function, 200), short(name, 200), f.Line+1, f.Column+1))
		}
	}
	return lines
}

func (t *Tab) consoleEvent(e cdp.Event) {
	m, ok := readMessage(e)
	if !ok {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.console.add(m)
}

func readMessage(e cdp.Event) (m Message, ok bool) {
	switch e.Method {
	case "Runtime.consoleAPICalled":
		return apiMessage(e)
	case "Runtime.exceptionThrown":
		p, ok := decode[struct {
			Details exceptionDetails `json:"exceptionDetails"`
		}](e)
		text := p.Details.Text
		if thrown := p.Details.thrown(); thrown != "" && thrown != text {
			text += " " + thrown
		}
		return Message{Type: "error", Text: text, Stack: p.Details.Stack.lines()}, ok
	case "Log.entryAdded":
		p, ok := decode[struct {
			Entry struct {
				Source string `json:"source"`
				Level  string `json:"level"`
				Text   string `json:"text"`
				URL    string `json:"url"`
				Stack  *stack `json:"stackTrace"`
			} `json:"entry"`
		}](e)
		m := Message{Type: p.Entry.Level, Text: p.Entry.Text, Stack: p.Entry.Stack.lines()}
		if m.Type == "warning" {
			m.Type = "warn"
		}
		if p.Entry.URL != "" && p.Entry.Source == "network" {
			m.Args = []string{short(p.Entry.URL, 500)}
		}
		return m, ok
	case "Audits.issueAdded":
		p, ok := decode[struct {
			Issue struct {
				Code    string          `json:"code"`
				Details json.RawMessage `json:"details"`
			} `json:"issue"`
		}](e)
		return Message{Type: "issue", Text: issueTitle(p.Issue.Code, p.Issue.Details), Args: []string{short(string(p.Issue.Details), 1000)}}, ok
	}
	return m, false
}

var consoleTypes = map[string]string{"warning": "warn"}

func apiMessage(e cdp.Event) (m Message, ok bool) {
	p, ok := decode[struct {
		Type  string   `json:"type"`
		Args  []remote `json:"args"`
		Stack *stack   `json:"stackTrace"`
	}](e)
	if !ok {
		return m, false
	}
	m.Type = p.Type
	if better, ok := consoleTypes[p.Type]; ok {
		m.Type = better
	}
	var words []string
	for i, a := range p.Args {
		if i == maxArguments {
			words = append(words, fmt.Sprintf("(+%d arguments)", len(p.Args)-i))
			break
		}
		words = append(words, a.text(true))
		m.Args = append(m.Args, a.text(false))
	}
	m.Text, m.Stack = strings.Join(words, " "), p.Stack.lines()
	return m, true
}

// issueTitle puts the browser's code for an issue into words: GenericIssue details carry a more telling one.
func issueTitle(code string, details json.RawMessage) string {
	var d map[string]struct {
		ErrorType string `json:"errorType"`
		Reason    string `json:"reason"`
	}
	_ = json.Unmarshal(details, &d)
	for _, v := range d {
		if v.ErrorType != "" {
			code = v.ErrorType
		}
	}
	return spaced(strings.TrimSuffix(code, "Issue"))
}

// spaced writes CamelCase as words.
func spaced(name string) string {
	var b strings.Builder
	for i, r := range name {
		upper := r >= 'A' && r <= 'Z'
		if upper && i > 0 {
			b.WriteByte(' ')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// preservedVisits is how many documents back a person may look.
const preservedVisits = 3

// Messages lists what the present document has said; preserved adds the documents before it.
func (t *Tab) Messages(preserved bool) []Message {
	t.mu.Lock()
	defer t.mu.Unlock()
	from := t.console.visit
	if preserved {
		from -= preservedVisits
	}
	var found []Message
	for _, m := range t.console.ring {
		if m.visit >= from {
			found = append(found, m)
		}
	}
	return found
}

// Message is one message by its id.
func (t *Tab) Message(id int) (Message, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.IndexFunc(t.console.ring, func(m Message) bool { return m.ID == id })
	if i < 0 {
		return Message{}, false
	}
	return t.console.ring[i], true
}
