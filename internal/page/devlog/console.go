package devlog

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"cove/internal/cdp"
	"cove/internal/page/remote"
	"cove/internal/page/target"
	"cove/internal/wording"
)

const (
	maxMessages     = 1000
	maxMessageBytes = 2 << 20 // of all messages
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

	visit int
}

// size returns about how many bytes a message uses.
func (m Message) size() int {
	n := 100 + len(m.Text)
	for _, part := range [][]string{m.Args, m.Stack} {
		for _, s := range part {
			n += 16 + len(s)
		}
	}
	return n
}

// same reports whether two messages say the same in the same document.
func (m Message) same(o Message) bool {
	return m.visit == o.visit && m.Type == o.Type && m.Text == o.Text &&
		slices.Equal(m.Args, o.Args) && slices.Equal(m.Stack, o.Stack)
}

// ConsoleEvent records a message.
func (l *Log) ConsoleEvent(e cdp.Event) {
	m, ok := readMessage(e)
	if !ok {
		return
	}

	l.mu.Lock()
	defer l.mu.Unlock()
	if l.private {
		return
	}
	l.addMessage(m)
}

// addMessage records a message, or counts it when it only repeats the last. The caller has locked mu.
func (l *Log) addMessage(m Message) {
	m.Text = wording.Excerpt(m.Text, remote.MaxText)
	m.visit, m.Times = l.visit, 1
	all := l.messages.all
	if n := len(all); n > 0 && all[n-1].same(m) {
		all[n-1].Times++
		l.said++
		return
	}
	if m.Type == "issue" {
		for i := range all { // the browser reports each occurrence of an issue separately
			if all[i].visit == m.visit && all[i].Type == m.Type && all[i].Text == m.Text {
				all[i].Times++
				return
			}
		}
	}

	l.said++
	m.ID = l.said
	l.messages.add(m, maxMessages, maxMessageBytes, func(Message) {})
}

// Messages lists the messages of the present document. With preserved it adds those of the last documents before it.
func (l *Log) Messages(preserved bool) (found []Message) {
	l.mu.Lock()
	defer l.mu.Unlock()
	from := l.since(preserved)
	for _, m := range l.messages.all {
		if m.visit >= from {
			found = append(found, m)
		}
	}
	return found
}

// Message returns one message by its id.
func (l *Log) Message(id int) (Message, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.messages.all, func(m Message) bool { return m.ID == id })
	if i < 0 {
		return Message{}, false
	}
	return l.messages.all[i], true
}

func readMessage(e cdp.Event) (m Message, ok bool) {
	switch e.Method {
	case "Runtime.consoleAPICalled":
		return apiMessage(e)
	case "Runtime.exceptionThrown":
		p, ok := target.Decode[struct {
			Details remote.Exception `json:"exceptionDetails"`
		}](e)
		text := p.Details.Text
		if thrown := p.Details.Thrown(); thrown != "" && thrown != text {
			text += " " + thrown
		}
		return Message{Type: "error", Text: text, Stack: p.Details.Stack.Rows()}, ok
	case "Log.entryAdded":
		return entryMessage(e)
	case "Audits.issueAdded":
		p, ok := target.Decode[struct {
			Issue struct {
				Code    string          `json:"code"`
				Details json.RawMessage `json:"details"`
			} `json:"issue"`
		}](e)
		details := wording.Excerpt(string(p.Issue.Details), 1000)
		return Message{Type: "issue", Text: issueTitle(p.Issue.Code, p.Issue.Details), Args: []string{details}}, ok
	}
	return m, false
}

// levelOf returns the name of the console method for a level of the protocol.
func levelOf(name string) string {
	if name == "warning" {
		return "warn"
	}
	return name
}

func apiMessage(e cdp.Event) (m Message, ok bool) {
	p, ok := target.Decode[struct {
		Type  string          `json:"type"`
		Args  []remote.Object `json:"args"`
		Stack *remote.Stack   `json:"stackTrace"`
	}](e)
	if !ok {
		return m, false
	}

	m.Type = levelOf(p.Type)
	var words []string
	for i, a := range p.Args {
		if i == maxArguments {
			words = append(words, fmt.Sprintf("(+%d arguments)", len(p.Args)-i))
			break
		}
		words = append(words, a.Text(true))
		m.Args = append(m.Args, a.Text(false))
	}
	m.Text, m.Stack = strings.Join(words, " "), p.Stack.Rows()
	return m, true
}

func entryMessage(e cdp.Event) (m Message, ok bool) {
	p, ok := target.Decode[struct {
		Entry struct {
			Source string        `json:"source"`
			Level  string        `json:"level"`
			Text   string        `json:"text"`
			URL    string        `json:"url"`
			Stack  *remote.Stack `json:"stackTrace"`
		} `json:"entry"`
	}](e)
	m = Message{Type: levelOf(p.Entry.Level), Text: p.Entry.Text, Stack: p.Entry.Stack.Rows()}
	if p.Entry.URL != "" && p.Entry.Source == "network" {
		m.Args = []string{wording.Excerpt(p.Entry.URL, 500)}
	}
	return m, ok
}

// issueTitle writes the browser's code for an issue as words. The details of a GenericIssue have a more precise code.
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
