package snapshot

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// writer writes picked items, each group of them under a line that says where it is.
type writer struct {
	b      []byte
	budget int
	spent  int // tokens, counted line by line
	at     int // where counting goes on
	under  map[*item]*item
	last   string
}

// page writes the line of the page itself.
func (w *writer) page(tree *item, number int) {
	w.b = tree.appendLine(w.b, maxText)
	w.b = append(append(append(w.b, " snapshot="...), strconv.Itoa(number)...), '\n')
}

func (w *writer) say(s string) { w.b = append(append(w.b, s...), '\n') }

// full reports whether the budget is used up.
func (w *writer) full() bool {
	w.spent += tokens(w.b[w.at:])
	w.at = len(w.b)
	return w.spent > max(w.budget, leastTokens)-hintTokens
}

// where writes where an item is, unless the last one was there too.
func (w *writer) where(it *item) {
	in := where(it, w.under[it])
	if in == w.last {
		return
	}
	w.last = in
	if in == "" {
		in = "page"
	}
	w.say("in: " + in)
}

// item writes one line with the uid, if there is one; of a long text, what is around the first of the words.
func (w *writer) item(it *item, depth int, terms []string) {
	for range depth {
		w.b = append(w.b, ' ')
	}
	if it.node == nil {
		w.b = quote(w.b, around(it.text, terms))
	} else {
		shown := *it
		shown.uid = it.node.ID > 0
		w.b = shown.appendLine(w.b, maxName)
		if n := inside(it); n > 0 {
			w.b = append(append(append(w.b, " ("...), strconv.Itoa(n)...), " inside)"...)
		}
	}
	w.b = append(w.b, '\n')
}

// around cuts a text to what surrounds the first of the words.
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

func (w *writer) String() string { return string(w.b) }
