package fold

import (
	"cove/internal/snapshot/item"
	"cove/internal/snapshot/text"
	"slices"
	"strconv"
	"strings"
)

// cell is one item in a row, and how deep it lies in the row.
type cell struct {
	it    *item.Item
	depth int
}

// column describes what the cells of one column have in common.
type column struct {
	it     *item.Item
	depth  int
	name   bool // the name is the same in every row
	url    bool
	prefix string
	props  []string // the properties that the cell has in every row
	fixed  bool     // everything is the same in every row, and stands only in the head
}

// Table is a run of rows, split into columns.
type Table struct {
	role string // the role of the wrapper of each row, if the wrapper says nothing else
	Rows [][]cell
	Cols []column
}

// Tabulate makes a table of list, with period siblings in each row.
func Tabulate(list []*item.Item, period int) *Table {
	t := &Table{}
	if period == 1 && !slices.ContainsFunc(list, (*item.Item).Speaks) {
		t.role = list[0].Role
	}
	var cells []cell
	for i := 0; i+period <= len(list); i += period {
		from := len(cells)
		if t.role != "" || list[i].Soft && period == 1 {
			cells = appendCells(cells, list[i].Kids, 0)
		} else {
			cells = appendCells(cells, list[i:i+period], 0)
		}
		t.Rows = append(t.Rows, cells[from:len(cells):len(cells)])
	}
	if list[0].Soft && (t.role == "generic" || t.role == "paragraph" || t.role == "none") {
		t.role = ""
	}
	for c := range t.Rows[0] {
		t.Cols = append(t.Cols, t.column(c))
	}
	return t
}

func appendCells(cells []cell, list []*item.Item, depth int) []cell {
	for _, it := range list {
		if it.Soft {
			cells = appendCells(cells, it.Kids, depth)
			continue
		}
		cells = append(cells, cell{it, depth})
		cells = appendCells(cells, it.Kids, depth+1)
	}
	return cells
}

func (t *Table) column(c int) column {
	one := t.Rows[0][c].it
	col := column{it: one, depth: t.Rows[0][c].depth, name: true, url: true, props: one.Props}
	alike := true
	for _, row := range t.Rows[1:] {
		it := row[c].it
		col.name = col.name && it.Label() == one.Label()
		col.url = col.url && it.URL == one.URL
		if !slices.Equal(it.Props, col.props) {
			alike = false
			col.props = common(col.props, it.Props)
		}
	}
	if one.ShowUID && len(t.Rows) < LongRun {
		col.name = false // a short table says each name beside its uid
	}
	if !col.url {
		col.prefix = t.prefix(c)
	}
	col.fixed = !one.ShowUID && col.name && col.url && alike
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

func (t *Table) prefix(c int) string {
	urls := make([]string, len(t.Rows))
	for i, row := range t.Rows {
		urls[i] = row[c].it.URL
	}
	return Prefix(urls)
}

// Head appends a line that describes the rows. A | separates cells, a + joins items that are the same in every row to
// the cell before them, and a > says that an item lies inside the one before it.
func (t *Table) Head(b []byte, limit int) []byte {
	b = strconv.AppendInt(b, int64(len(t.Rows)), 10)
	if !slices.ContainsFunc(t.Cols, func(c column) bool { return !c.fixed }) {
		b = append(b, " equal"...)
	}
	b = append(b, " rows of: "...)
	if t.role != "" {
		b = append(append(b, t.role...), ": "...)
	}
	last := len(t.Cols) - 1 // the last column with cells; the fixed columns after it belong to it
	for last > 0 && t.Cols[last].fixed {
		last--
	}
	for i, c := range t.Cols {
		switch {
		case i == 0:
		case t.Cols[i-1].fixed && c.depth > t.Cols[i-1].depth:
			b = append(b, ' ')
		case t.Cols[i-1].fixed || i > last:
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
	isText := c.it.Node == nil
	if !isText || !c.name {
		b = append(b, c.it.Role...)
	}
	if label := c.it.Label(); c.name && label != "" {
		if !isText {
			b = append(b, ' ')
		}
		b = text.AppendQuoted(b, text.Cut(label, min(limit, text.MaxName)))
	}
	switch {
	case c.url && c.it.URL != "":
		b = text.AppendQuoted(append(b, " url="...), c.it.URL)
	case c.prefix != "":
		b = text.AppendQuoted(append(b, " url="...), c.prefix+"…")
	}
	for _, p := range c.props {
		b = append(append(b, ' '), p...)
	}
	return b
}

// Row appends what is different in row r. It appends nothing when all rows are equal.
func (t *Table) Row(b []byte, r, limit int) []byte {
	cells := 0
	for i, c := range t.Cols {
		if c.fixed {
			continue
		}
		if cells++; cells > 1 {
			b = append(b, " | "...)
		}
		b = c.cell(b, t.Rows[r][i].it, limit)
	}
	return b
}

func (c column) cell(b []byte, it *item.Item, limit int) []byte {
	from := len(b)
	if it.ShowUID {
		b = it.AppendUID(append(b, "uid="...))
		if it.Role != "cell" && it.Role != "gridcell" { // for cells the head says enough
			b = append(append(b, ' '), it.Role...)
		}
	}
	gap := func() {
		if len(b) > from {
			b = append(b, ' ')
		}
	}
	if label := it.Label(); !c.name && label != "" {
		gap()
		longest := limit
		if it.Node != nil {
			longest = min(limit, text.MaxName)
		}
		b = text.AppendQuoted(b, text.Cut(label, longest))
	}
	if !c.url && it.URL != "" {
		gap()
		b = AppendURL(b, it.URL, c.prefix)
	}
	for _, p := range it.Props {
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

// Acts returns how many elements of each row agents can act on.
func (t *Table) Acts() int {
	n := 0
	for _, c := range t.Cols {
		if c.it.Act {
			n++
		}
	}
	return n
}

// Prefix returns the beginning of addresses that saves most when the head writes it once; "" when none saves enough.
// Addresses with another beginning are written in full.
func Prefix(urls []string) string {
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
	if most < 3*MinRun {
		return ""
	}
	return best
}

// ends reports whether the rest of an address cannot be mistaken for a whole address.
func ends(rest string) bool {
	return rest != "" && text.IsBare(rest) && rest[0] != '/' && rest[0] != '#' && rest[0] != '?' &&
		!strings.Contains(rest, ":")
}

// AppendURL appends an address in a row to b, without the prefix that stands in the head.
func AppendURL(b []byte, u, prefix string) []byte {
	if rest, ok := strings.CutPrefix(u, prefix); ok && prefix != "" && ends(rest) {
		return append(b, rest...)
	}
	if text.IsBare(u) && (u[0] == '/' || u[0] == '#' || strings.Contains(u, ":")) {
		return append(b, u...)
	}
	return text.AppendQuoted(append(b, "url="...), u)
}
