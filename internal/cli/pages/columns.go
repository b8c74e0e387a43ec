package pages

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"

	"cove/internal/answer"
)

// Columns decide whose words a line has: one that begins in column 0 is Cove's, one that begins with a space is the
// page's. No page can write into column 0, whatever its text holds.

// isLineEnd reports whether some reader begins a new line after a character.
func isLineEnd(r rune) bool {
	switch r {
	case '\n', '\r', '\v', '\f', 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029:
		return true
	}
	return false
}

// splitLines splits a text at everything that some reader takes for the end of a line. CR LF is one end.
func splitLines(text string) []string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\r\n", "\n")
	text = strings.Map(func(r rune) rune {
		switch {
		case isLineEnd(r):
			return '\n'
		case r < ' ' && r != '\t', r >= 0x7f && r < 0xa0: // they could move a terminal's cursor
			return -1
		}
		return r
	}, text)
	return strings.Split(strings.TrimRight(text, "\n"), "\n")
}

// fromPage returns text of a page: each of its lines begins with a space.
func fromPage(text string) string {
	if text == "" {
		return ""
	}
	return " " + strings.Join(splitLines(text), "\n ") + "\n"
}

// said returns a sentence of ours. Only its beginning is in column 0: a name in it may hold anything.
func said(text string) string {
	return strings.Join(splitLines(strings.TrimLeft(text, " \t")), "\n ") + "\n"
}

// oneLine returns words of a page for a line of ours.
func oneLine(text string) string { return strings.Join(splitLines(text), " ") }

// quoted returns words of a page in quotes.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(oneLine(text)) + `"`
}

// head is what the first line of an answer says.
type head int

const (
	headOK    head = iota // ok
	headTab               // the page
	headNone              // nothing: the answer is the text
	headPart              // nothing: the answer is a part of the page
	headWhole             // nothing: the answer is the text, with everything in it
)

// terse returns an answer as an agent in a shell reads it.
func terse(a answer.Answer, h head) string {
	var first, rest strings.Builder
	switch {
	case !a.OK():
	case h == headTab && a.Tab != nil:
		first.WriteString(tabLine(*a.Tab))
	case h == headOK:
		first.WriteString("ok")
	}
	for _, p := range a.Parts {
		if p.Effect != nil {
			first.WriteString(effectWords(*p.Effect))
		}
		rest.WriteString(partText(p, h))
	}
	if first.Len() == 0 {
		return rest.String()
	}
	return said(first.String()) + rest.String()
}

// partText returns what one part adds after the first line.
func partText(p answer.Part, h head) string {
	switch p.Kind {
	case answer.Said:
		return said(inShell(p.Text))
	case answer.Saved:
		return said(p.File)
	case answer.Page:
		return fromPage(bareList(p.Text))
	case answer.Value:
		return fromPage(valueText(p.Text))
	case answer.Snapshot:
		text, notes := splitOmissions(p.Text)
		if h != headWhole {
			text = brief(text, h != headNone)
		}
		return fromPage(bareRefs(text)) + notes
	case answer.Pages:
		if h != headNone {
			return ""
		}
		var b strings.Builder
		for _, t := range p.Tabs {
			b.WriteString(said(tabLine(t)))
		}
		return b.String()
	}
	return "" // headings, what says only that it was done, and what is on the first line
}

// tabLine returns a page on one line: its number, its title, its address and what Cove says of it.
func tabLine(t answer.Tab) string {
	line := itoa(t.ID)
	if t.Title != "" {
		line += " " + quoted(t.Title)
	}
	line += " " + oneLine(t.URL)
	for _, mark := range t.Marks {
		line += " [" + oneLine(mark) + "]"
	}
	if t.Context != "" {
		line += " context=" + oneLine(t.Context)
	}
	return line
}

// effectWords returns what a step has caused, for the end of the first line.
func effectWords(e answer.Effect) string {
	switch e.Kind {
	case answer.Navigated:
		return " -> " + oneLine(e.URL)
	case answer.Opened:
		return " +tab " + tabLine(*e.Tab)
	case answer.Download:
		if e.Path != "" {
			return " download " + oneLine(e.Path)
		}
		return " download " + quoted(e.File) + " " + oneLine(e.State)
	case answer.Dialog:
		return strings.TrimRight(" dialog "+quoted(e.Text)+" "+oneLine(e.State), " ")
	}
	return ""
}

// valueText returns what a script has returned: the text itself for a string that has any, JSON otherwise.
func valueText(fenced string) string {
	raw := strings.TrimSuffix(strings.TrimPrefix(fenced, "```json\n"), "\n```")
	var text string
	if json.Unmarshal([]byte(raw), &text) == nil && text != "" {
		return text
	}
	return raw
}

// bareRefs removes the word before the refs of a snapshot: in a shell a ref stands for itself. What a page has written
// is in quotes, and stays as it is.
func bareRefs(text string) string {
	var b strings.Builder
	inQuotes, last := false, byte('\n')
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case inQuotes && c == '\\' && i+1 < len(text):
			b.WriteString(text[i : i+2])
			i, last = i+2, text[i+1]
			continue
		case c == '\n':
			inQuotes = false
		case c == '"':
			inQuotes = !inQuotes
		case !inQuotes && (last == ' ' || last == '\n') && strings.HasPrefix(text[i:], "uid="):
			i += len("uid=")
			last = '='
			continue
		}
		b.WriteByte(c)
		i, last = i+1, c
	}
	return b.String()
}

// listed matches what a line in a list of messages or requests can do without: the word before the number, and at the
// end the count of arguments if it is 0 or 1.
var listed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(?:msgid|reqid)=|(?: \([01] args\))$`)
})

// bareList removes the words before the numbers of messages and requests.
func bareList(text string) string { return listed().ReplaceAllString(text, "") }
