// Package layout writes a tree of items as lines. A line is an element, a text, a row of a table, or a paragraph with
// links.
package layout

import (
	"cove/internal/snapshot/fold"
	"cove/internal/snapshot/item"
	"cove/internal/snapshot/text"
	"cove/internal/snapshot/tokens"
	"strings"
	"unicode"
)

// Kind says what a line is. Package budget decides by it what to leave out.
type Kind uint8

// These are the kinds of lines.
const (
	NodeLine Kind = iota
	TextLine
	HeadLine
	RowLine
	MoreLine // it stands for rows that were left out
)

// Line is one line of the text. Package budget decides later whether there is room for it.
type Line struct {
	From, To int // its text in the buffer
	Depth    int
	Cost     int
	Kind     Kind
	Acts     int        // elements on it that agents can act on
	Nodes    int        // nodes that it stands for
	Item     *item.Item // the element or text that the line shows; nil for heads, rows and paragraphs
	Parent   int        // the line above it in the tree, -1 for the first
	Run      int        // the run that a row belongs to, from 1
	Gone     bool
	Counted  bool // another line says that it is gone
}

// Layout lays a tree out as lines.
type Layout struct {
	Limit int // of a text, in characters
	Fold  bool
	Terse bool // no text among links
	Buf   []byte
	Lines []Line
	runs  int
	Flows int // runs of text with links
	Muted int // texts that Terse left out
}

// Add appends a line whose text begins at from in the buffer, and returns its index.
func (l *Layout) Add(n Line, from int) int {
	n.From, n.To = from, len(l.Buf)
	n.Cost = tokens.Count(l.Buf[from:]) + 1 // one for the line break and the next line's indentation
	l.Lines = append(l.Lines, n)
	return len(l.Lines) - 1
}

// List lays out siblings.
func (l *Layout) List(list []*item.Item, depth, parent int) {
	few := 0 // no prose can begin before this index
	for i := 0; i < len(list); {
		if l.Fold {
			if period, rows := fold.RunAt(list, i); rows > 0 {
				l.table(fold.Tabulate(list[i:i+rows*period], period), depth, parent)
				i += rows * period
				continue
			}
			if i >= few {
				var n int
				if n, few = fold.ProseAt(list, i); n > 0 {
					l.prose(list[i:i+n], depth, parent)
					i += n
					continue
				}
			}
		}
		l.Item(list[i], depth, parent)
		i++
	}
}

// Item lays out an item and its content.
func (l *Layout) Item(it *item.Item, depth, parent int) {
	if it.Soft {
		l.List(it.Kids, depth, parent)
		return
	}
	from := len(l.Buf)
	l.Buf = it.AppendLine(l.Buf, l.Limit)
	n := Line{Depth: depth, Parent: parent, Item: it, Nodes: 1}
	if it.Node == nil {
		n.Kind = TextLine
	}
	if it.Act {
		n.Acts = 1
	}
	at := l.Add(n, from)
	l.List(it.Kids, depth+1, at)
}

func (l *Layout) table(t *fold.Table, depth, parent int) {
	from := len(l.Buf)
	l.Buf = t.Head(l.Buf, l.Limit)
	l.runs++
	at := l.Add(Line{Depth: depth, Parent: parent, Kind: HeadLine}, from)
	acts := t.Acts()
	for r := range t.Rows {
		from := len(l.Buf)
		l.Buf = t.Row(l.Buf, r, l.Limit)
		if len(l.Buf) == from { // the rows are all the same
			return
		}
		l.Add(Line{Depth: depth + 1, Parent: at, Kind: RowLine, Acts: acts, Nodes: len(t.Cols), Run: l.runs}, from)
	}
}

// prose lays out paragraphs of text and links, one on each line: "text" uid=a57 link "name" rest-of-its-address "text".
func (l *Layout) prose(list []*item.Item, depth, parent int) {
	var urls []string
	walkProse(list, func(it *item.Item) {
		if it.URL != "" {
			urls = append(urls, it.URL)
		}
	})
	from := len(l.Buf)
	start := fold.Prefix(urls)
	if !l.Terse {
		l.Buf = append(l.Buf, "text with "...)
	}
	l.Buf = append(l.Buf, "links"...)
	if start != "" {
		l.Buf = text.AppendQuoted(append(l.Buf, " url="...), start+"…")
	}
	l.Buf = append(l.Buf, ':')
	at := l.Add(Line{Depth: depth, Parent: parent, Kind: HeadLine}, from)
	l.Flows++
	for i := 0; i < len(list); {
		n := 1
		for i+n < len(list) && n < 2*fold.MaxCells && flows(list[i+n-1], list[i+n]) {
			n++
		}
		l.paragraph(list[i:i+n], start, Line{Depth: depth + 1, Parent: at})
		i += n
	}
}

func (l *Layout) paragraph(list []*item.Item, start string, n Line) {
	from := len(l.Buf)
	walkProse(list, func(it *item.Item) {
		if it.Node == nil && l.Terse {
			return
		}
		n.Nodes++
		if len(l.Buf) > from {
			l.Buf = append(l.Buf, ' ')
		}
		if it.Node == nil {
			l.Buf = text.AppendQuoted(l.Buf, text.Cut(it.Text, l.Limit))
			return
		}
		n.Acts++
		l.Buf = append(it.AppendUID(append(l.Buf, "uid="...)), " link "...)
		l.Buf = text.AppendQuoted(l.Buf, text.Cut(it.Name, min(l.Limit, text.MaxName)))
		if rest, ok := strings.CutPrefix(it.URL, start); it.URL != "" &&
			(start == "" || !ok || !repeats(rest, it.Name)) {
			l.Buf = fold.AppendURL(append(l.Buf, ' '), it.URL, start)
		}
	})
	n.Kind = RowLine
	if n.Acts == 0 {
		n.Kind = TextLine
	}
	if n.Nodes > 0 {
		l.Add(n, from)
	} else {
		l.Muted++
	}
}

// repeats reports whether the rest of an address only spells the link's name in another way: /wiki/Old_town for "Old
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

// flows reports whether two siblings are in one paragraph. A wrapper is a paragraph of its own, and two texts in a row
// are in different paragraphs.
func flows(a, b *item.Item) bool {
	return !a.Soft && !b.Soft && (a.Node != nil || b.Node != nil)
}

func walkProse(list []*item.Item, f func(*item.Item)) {
	for _, it := range list {
		if it.Soft {
			walkProse(it.Kids, f)
		} else {
			f(it)
		}
	}
}

// AppendTo appends the lines that are not gone to b.
func (l *Layout) AppendTo(b []byte) []byte {
	for i := range l.Lines {
		if n := &l.Lines[i]; !n.Gone {
			for range n.Depth {
				b = append(b, ' ')
			}
			b = append(append(b, l.Buf[n.From:n.To]...), '\n')
		}
	}
	return b
}

// Cost returns the tokens of the lines that are not gone.
func (l *Layout) Cost() int {
	sum := 0
	for i := range l.Lines {
		if !l.Lines[i].Gone {
			sum += l.Lines[i].Cost
		}
	}
	return sum
}
