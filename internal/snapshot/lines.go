package snapshot

import (
	"strings"
	"unicode"
)

// kind says what a line is, for the budget.
type kind uint8

const (
	nodeLine kind = iota
	textLine
	headLine
	rowLine
	moreLine // stands for rows that were left out
)

// line is one line of the text, before it is known whether there is room for it.
type line struct {
	from, to int // in the buffer
	depth    int
	cost     int
	kind     kind
	acts     int   // elements on it that one can act on
	nodes    int   // nodes that it stands for
	item     *item // of a nodeLine
	parent   int   // the line above it in the tree, -1 for the first
	run      int   // the run that a row belongs to, from 1
	gone     bool
	counted  bool // a line says that it is gone
}

// layout lays a tree out as lines.
type layout struct {
	limit int // of a text
	fold  bool
	terse bool // no text among links
	buf   []byte
	lines []line
	runs  int
	flows int // runs of text with links
	mute  int // texts that terse left out
}

func (l *layout) add(n line, from int) int {
	n.from, n.to = from, len(l.buf)
	n.cost = tokens(l.buf[from:]) + 1 // and the line's end with the indentation of the next
	l.lines = append(l.lines, n)
	return len(l.lines) - 1
}

// list lays out siblings.
func (l *layout) list(list []*item, depth, parent int) {
	few := 0 // up to there nothing begins that could be laid out as prose
	for i := 0; i < len(list); {
		if l.fold {
			if period, rows := runAt(list, i); rows > 0 {
				l.table(tabulate(list[i:i+rows*period], period), depth, parent)
				i += rows * period
				continue
			}
			if i >= few {
				var n int
				if n, few = proseAt(list, i); n > 0 {
					l.prose(list[i:i+n], depth, parent)
					i += n
					continue
				}
			}
		}
		l.one(list[i], depth, parent)
		i++
	}
}

func (l *layout) one(it *item, depth, parent int) {
	if it.soft {
		l.list(it.kids, depth, parent)
		return
	}
	from := len(l.buf)
	l.buf = it.appendLine(l.buf, l.limit)
	n := line{depth: depth, parent: parent, item: it, nodes: 1}
	if it.node == nil {
		n.kind = textLine
	}
	if it.act {
		n.acts = 1
	}
	at := l.add(n, from)
	l.list(it.kids, depth+1, at)
}

func (l *layout) table(t *table, depth, parent int) {
	from := len(l.buf)
	l.buf = t.head(l.buf, l.limit)
	l.runs++
	at := l.add(line{depth: depth, parent: parent, kind: headLine}, from)
	acts := t.acts()
	for r := range t.rows {
		from := len(l.buf)
		l.buf = t.row(l.buf, r, l.limit)
		if len(l.buf) == from { // the rows are all the same
			return
		}
		l.add(line{depth: depth + 1, parent: at, kind: rowLine, acts: acts, nodes: len(t.cols), run: l.runs}, from)
	}
}

// prose lays out paragraphs of text and links, one a line: "text" uid=a57 link "name" rest-of-its-address "text".
func (l *layout) prose(list []*item, depth, parent int) {
	var urls []string
	walkProse(list, func(it *item) {
		if it.url != "" {
			urls = append(urls, it.url)
		}
	})
	from := len(l.buf)
	start := prefix(urls)
	if !l.terse {
		l.buf = append(l.buf, "text with "...)
	}
	l.buf = append(l.buf, "links"...)
	if start != "" {
		l.buf = quote(append(l.buf, " url="...), start+"…")
	}
	l.buf = append(l.buf, ':')
	at := l.add(line{depth: depth, parent: parent, kind: headLine}, from)
	l.flows++
	for i := 0; i < len(list); {
		n := 1
		for i+n < len(list) && n < 2*maxCells && flows(list[i+n-1], list[i+n]) {
			n++
		}
		l.paragraph(list[i:i+n], start, line{depth: depth + 1, parent: at})
		i += n
	}
}

func (l *layout) paragraph(list []*item, start string, n line) {
	from := len(l.buf)
	walkProse(list, func(it *item) {
		if it.node == nil && l.terse {
			return
		}
		n.nodes++
		if len(l.buf) > from {
			l.buf = append(l.buf, ' ')
		}
		if it.node == nil {
			l.buf = quote(l.buf, cut(it.text, l.limit))
			return
		}
		n.acts++
		l.buf = append(it.appendUID(append(l.buf, "uid="...)), " link "...)
		l.buf = quote(l.buf, cut(it.name, min(l.limit, maxName)))
		if rest, ok := strings.CutPrefix(it.url, start); it.url != "" && (start == "" || !ok || !repeats(rest, it.name)) {
			l.buf = appendURL(append(l.buf, ' '), it.url, start)
		}
	})
	n.kind = rowLine
	if n.acts == 0 {
		n.kind = textLine
	}
	if n.nodes > 0 {
		l.add(n, from)
	} else {
		l.mute++
	}
}

// repeats reports whether the rest of an address only writes the link's name another way: /wiki/Old_town for "Old
// town".
func repeats(rest, name string) bool {
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if !unicode.IsLetter(r) {
				return -1
			}
			return unicode.ToLower(r)
		}, s)
	}
	said := letters(rest)
	return said != "" && said == letters(name)
}

// flows reports whether two siblings are in one paragraph: no wrapper, and a text next to a text is another
// paragraph's.
func flows(a, b *item) bool {
	return !a.soft && !b.soft && (a.node != nil || b.node != nil)
}

func walkProse(list []*item, f func(*item)) {
	for _, it := range list {
		if it.soft {
			walkProse(it.kids, f)
		} else {
			f(it)
		}
	}
}

// appendTo writes the lines that are not gone.
func (l *layout) appendTo(b []byte) []byte {
	for i := range l.lines {
		if n := &l.lines[i]; !n.gone {
			for range n.depth {
				b = append(b, ' ')
			}
			b = append(append(b, l.buf[n.from:n.to]...), '\n')
		}
	}
	return b
}

func (l *layout) cost() int {
	sum := 0
	for i := range l.lines {
		if !l.lines[i].gone {
			sum += l.lines[i].cost
		}
	}
	return sum
}
