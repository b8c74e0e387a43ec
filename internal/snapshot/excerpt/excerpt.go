// Package excerpt writes some items of a page, grouped under lines that say where they are.
package excerpt

import (
	"cove/internal/snapshot/item"
	"cove/internal/snapshot/text"
	"cove/internal/snapshot/tokens"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Writer writes items of a page, grouped under lines that say where they are. It does not enforce Budget: the caller
// asks Full.
type Writer struct {
	Buf      []byte
	Budget   int
	spent    int // tokens, counted line by line
	at       int // how much of Buf is counted
	Headings map[*item.Item]*item.Item
	last     string
}

// Page writes the line of the page itself.
func (w *Writer) Page(tree *item.Item, number int) {
	w.Buf = tree.AppendLine(w.Buf, text.MaxText)
	w.Buf = append(append(append(w.Buf, " snapshot="...), strconv.Itoa(number)...), '\n')
}

// Say writes a line that is not from the page.
func (w *Writer) Say(s string) { w.Buf = append(append(w.Buf, s...), '\n') }

// Full reports whether the budget is used up.
func (w *Writer) Full() bool {
	w.spent += tokens.Count(w.Buf[w.at:])
	w.at = len(w.Buf)
	return w.spent > max(w.Budget, tokens.Least)-tokens.Hint
}

// Where writes where an item is, unless the last item was in the same place.
func (w *Writer) Where(it *item.Item) {
	in := item.Where(it, w.Headings[it])
	if in == w.last {
		return
	}
	w.last = in
	if in == "" {
		in = "page"
	}
	w.Say("in: " + in)
}

// Item writes the line of an item, with its uid if it has one. Of a long text it writes only what surrounds the first
// of the terms.
func (w *Writer) Item(it *item.Item, depth int, terms []string) {
	for range depth {
		w.Buf = append(w.Buf, ' ')
	}
	if it.Node == nil {
		w.Buf = text.AppendQuoted(w.Buf, around(it.Text, terms))
	} else {
		shown := *it
		shown.ShowUID = it.Node.ID > 0
		w.Buf = shown.AppendLine(w.Buf, text.MaxName)
		if n := item.Inside(it); n > 0 {
			w.Buf = append(append(append(w.Buf, " ("...), strconv.Itoa(n)...), " inside)"...)
		}
	}
	w.Buf = append(w.Buf, '\n')
}

// around cuts a long text to what surrounds the first of the terms.
func around(text string, terms []string) string {
	const side = 100
	if len(text) <= 3*side {
		return text
	}
	at := 0
	lower := strings.ToLower(text)
	for _, t := range terms {
		if i := strings.Index(lower, t); i >= 0 {
			at = min(i, len(text))
			break
		}
	}
	from, to := max(0, at-side), min(len(text), at+2*side)
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	s := text[from:to]
	if from > 0 {
		s = "…" + s
	}
	if to < len(text) {
		s += "…"
	}
	return s
}

// String returns what has been written.
func (w *Writer) String() string { return string(w.Buf) }
