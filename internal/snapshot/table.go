package snapshot

import (
	"slices"
	"strconv"
	"strings"
)

// cell is one thing in a row, and how deep it lies in it.
type cell struct {
	it    *item
	depth int
}

// column is what the rows have in common in one column.
type column struct {
	it     *item
	depth  int
	name   bool // the name is the same in every row
	url    bool
	prefix string
	props  []string // the properties that every row has
	fixed  bool     // everything is the same: it stands in the head only
}

// table is a run of rows, split into columns.
type table struct {
	role string // of the wrapper that each row has and that says nothing else
	rows [][]cell
	cols []column
}

// tabulate makes rows of list, period siblings each.
func tabulate(list []*item, period int) *table {
	t := &table{}
	if period == 1 && !slices.ContainsFunc(list, (*item).speaks) {
		t.role = list[0].role
	}
	var cells []cell
	for i := 0; i+period <= len(list); i += period {
		from := len(cells)
		if t.role != "" || list[i].soft && period == 1 {
			cells = appendCells(cells, list[i].kids, 0)
		} else {
			cells = appendCells(cells, list[i:i+period], 0)
		}
		t.rows = append(t.rows, cells[from:len(cells):len(cells)])
	}
	if list[0].soft && (t.role == "generic" || t.role == "paragraph" || t.role == "none") {
		t.role = ""
	}
	for c := range t.rows[0] {
		t.cols = append(t.cols, t.column(c))
	}
	return t
}

func appendCells(cells []cell, list []*item, depth int) []cell {
	for _, it := range list {
		if it.soft {
			cells = appendCells(cells, it.kids, depth)
			continue
		}
		cells = append(cells, cell{it, depth})
		cells = appendCells(cells, it.kids, depth+1)
	}
	return cells
}

func (t *table) column(c int) column {
	one := t.rows[0][c].it
	col := column{it: one, depth: t.rows[0][c].depth, name: true, url: true, props: one.props}
	alike := true
	for _, row := range t.rows[1:] {
		it := row[c].it
		col.name = col.name && it.label() == one.label()
		col.url = col.url && it.url == one.url
		if !slices.Equal(it.props, col.props) {
			alike = false
			col.props = common(col.props, it.props)
		}
	}
	if one.uid && len(t.rows) < longRun {
		col.name = false // a short table says each name where its uid is
	}
	if !col.url {
		col.prefix = t.prefix(c)
	}
	col.fixed = !one.uid && col.name && col.url && alike
	return col
}

func common(a, b []string) []string {
	var both []string
	for _, p := range a {
		if slices.Contains(b, p) {
			both = append(both, p)
		}
	}
	return both
}

func (t *table) prefix(c int) string {
	urls := make([]string, len(t.rows))
	for i, row := range t.rows {
		urls[i] = row[c].it.url
	}
	return prefix(urls)
}

// head writes the shape of the rows: cells are divided by |, what is the same in every row stands beside its cell with
// a +, and a > says that the thing lies in the one before it.
func (t *table) head(b []byte, limit int) []byte {
	b = strconv.AppendInt(b, int64(len(t.rows)), 10)
	if !slices.ContainsFunc(t.cols, func(c column) bool { return !c.fixed }) {
		b = append(b, " equal"...)
	}
	b = append(b, " rows of: "...)
	if t.role != "" {
		b = append(append(b, t.role...), ": "...)
	}
	last := len(t.cols) - 1 // the last cell; what comes after it belongs to it
	for last > 0 && t.cols[last].fixed {
		last--
	}
	for i, c := range t.cols {
		switch {
		case i == 0:
		case t.cols[i-1].fixed && c.depth > t.cols[i-1].depth:
			b = append(b, ' ')
		case t.cols[i-1].fixed || i > last:
			b = append(b, " + "...)
		default:
			b = append(b, " | "...)
		}
		b = append(b, strings.Repeat(">", c.depth)...)
		b = c.head(b, limit)
	}
	return b
}

func (c column) head(b []byte, limit int) []byte {
	text := c.it.node == nil
	if !text || !c.name {
		b = append(b, c.it.role...)
	}
	if label := c.it.label(); c.name && label != "" {
		if !text {
			b = append(b, ' ')
		}
		b = quote(b, cut(label, min(limit, maxName)))
	}
	switch {
	case c.url && c.it.url != "":
		b = quote(append(b, " url="...), c.it.url)
	case c.prefix != "":
		b = quote(append(b, " url="...), c.prefix+"…")
	}
	for _, p := range c.props {
		b = append(append(b, ' '), p...)
	}
	return b
}

// row writes what is different in one row.
func (t *table) row(b []byte, r, limit int) []byte {
	cells := 0
	for i, c := range t.cols {
		if c.fixed {
			continue
		}
		if cells++; cells > 1 {
			b = append(b, " | "...)
		}
		b = c.cell(b, t.rows[r][i].it, limit)
	}
	return b
}

func (c column) cell(b []byte, it *item, limit int) []byte {
	from := len(b)
	if it.uid {
		b = it.appendUID(append(b, "uid="...))
		if it.role != "cell" && it.role != "gridcell" { // of cells the head says enough
			b = append(append(b, ' '), it.role...)
		}
	}
	gap := func() {
		if len(b) > from {
			b = append(b, ' ')
		}
	}
	if label := it.label(); !c.name && label != "" {
		gap()
		longest := limit
		if it.node != nil {
			longest = min(limit, maxName)
		}
		b = quote(b, cut(label, longest))
	}
	if !c.url && it.url != "" {
		gap()
		b = appendURL(b, it.url, c.prefix)
	}
	for _, p := range it.props {
		if !slices.Contains(c.props, p) {
			gap()
			b = append(b, p...)
		}
	}
	if len(b) == from {
		b = append(b, '-')
	}
	return b
}

// acts counts what one can act on in a row.
func (t *table) acts() int {
	n := 0
	for _, c := range t.cols {
		if c.it.act {
			n++
		}
	}
	return n
}

// prefix is the beginning that saves most when it stands once for all addresses; those that have another are written
// whole.
func prefix(urls []string) string {
	counts := map[string]int{}
	for _, u := range urls {
		for i := len(u) - 2; i > 0; i-- {
			if c := u[i]; (c == '/' || c == '=' || c == '#') && ends(u[i+1:]) {
				counts[u[:i+1]]++
				if c == '/' {
					break
				}
			}
		}
	}
	best, most := "", 0
	for p, n := range counts {
		if gain := (n - 1) * (len(p) - 1); n > 1 && (gain > most || gain == most && p < best) {
			best, most = p, gain
		}
	}
	if most < 3*minRun {
		return ""
	}
	return best
}

// ends reports whether the rest of an address cannot be taken for a whole one.
func ends(rest string) bool {
	return rest != "" && bare(rest) && rest[0] != '/' && rest[0] != '#' && rest[0] != '?' && !strings.Contains(rest, ":")
}

func appendURL(b []byte, u, prefix string) []byte {
	if rest, ok := strings.CutPrefix(u, prefix); ok && prefix != "" && ends(rest) {
		return append(b, rest...)
	}
	if bare(u) && (u[0] == '/' || u[0] == '#' || strings.Contains(u, ":")) {
		return append(b, u...)
	}
	return quote(append(b, "url="...), u)
}
