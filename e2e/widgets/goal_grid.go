package widgets

import "strings"

// header is the head of a grid's column.
func header(t *Tree, column string) *Node {
	for _, match := range []func(string) func(*Node) bool{named, naming} {
		for _, n := range t.every(match(column), role("columnheader", "button", "none", "generic", "gridcell", "cell",
			"")) {
			if strings.Contains(fold(n.Name), "menu") && !n.is("columnheader") {
				continue
			}
			if m := n.target(); m != nil && !m.is("row", "grid", "table", "treegrid", "rowgroup") {
				return m
			}
		}
	}
	return nil
}

// sort presses a column's head until the cells stand in order.
func (a *Agent) sort(g Goal) error {
	n := a.until(func(t *Tree) *Node { return header(t, g.Label) })
	if n == nil {
		return lost("there is no head of a column %q", g.Label)
	}
	for range 2 {
		head := n
		for head.Parent != nil && !head.is("columnheader") {
			head = head.Parent
		}
		if !a.click(n) {
			return lost("%q cannot be clicked: %s", g.Label, a.said)
		}
		if t := a.see(); sorted(t, t.byRef(head.Ref), g) {
			return nil
		}
		if n = header(a.see(), g.Label); n == nil {
			break
		}
	}
	return lost("%q is not sorted", g.Label)
}

// sorted reads what the head says of itself, else compares the two rows that the goal names: a person reads the first
// lines.
func sorted(t *Tree, head *Node, g Goal) bool {
	if head != nil && head.Flags["sort"] != "" {
		return head.Flags["sort"] == "ascending"
	}
	at := func(text string) int {
		for i, n := range t.Nodes {
			if n.is("gridcell", "cell", "row", "") &&
				(same(n.Name, text) || strings.HasPrefix(fold(n.Name), fold(text)+" ")) {
				return i
			}
		}
		return -1
	}
	first, second := at(g.Values[0]), at(g.Values[1])
	return first >= 0 && (second < 0 || first < second)
}

// row ticks the box of a row.
func (a *Agent) row(g Goal) error {
	find := func(t *Tree) *Node { return boxOf(t, g.Row) }
	n := a.until(find)
	if n == nil {
		return lost("no row %q has a box", g.Row)
	}
	if !a.click(n) {
		return lost("the box cannot be clicked: %s", a.said)
	}
	if n := find(a.see()); n == nil || !n.has("checked") {
		return lost("the box is not checked")
	}
	return nil
}

// boxOf is the checkbox in the row that holds a text: below the same parent, or the last one before the text.
func boxOf(t *Tree, text string) *Node {
	var last *Node
	for _, n := range t.Nodes {
		if n.is("checkbox") && n.Ref != "" {
			last = n
		}
		if same(n.Name, text) && !n.is("checkbox") {
			for up := n.Parent; up != nil; up = up.Parent {
				if up.is("row") {
					for _, k := range up.within() {
						if k.is("checkbox") && k.Ref != "" {
							return k
						}
					}
				}
			}
			return last
		}
	}
	return nil
}

// edit writes into a cell.
func (a *Agent) edit(g Goal) error {
	find := func(t *Tree) *Node { return cellOf(t, g.Row, g.Label) }
	cell := a.until(find)
	if cell == nil {
		return lost("there is no cell %q of %q", g.Label, g.Row)
	}
	editor := func(t *Tree) *Node {
		return t.first(actable, role("textbox", "spinbutton"),
			func(n *Node) bool { return n.has("focused") || n.under(find(t)) })
	}
	if !a.doubleClick(cell) {
		return lost("the cell cannot be double-clicked: %s", a.said)
	}
	n := a.until(editor)
	if n == nil {
		if cell = find(a.see()); cell != nil && a.click(cell) {
			n = editor(a.see())
		}
		if n == nil && a.key("Enter") {
			n = editor(a.see())
		}
	}
	if n == nil {
		return lost("the cell does not open for writing")
	}
	if !a.fill(n, g.Value) {
		return lost("the cell takes no text: %s", a.said)
	}
	a.key("Enter")
	if !a.see().shows(g.Value) {
		return lost("the cell does not show %q", g.Value)
	}
	return nil
}

// cellOf finds a cell by its row and the place of its column's head.
func cellOf(t *Tree, row, column string) *Node {
	cells := func(n *Node) (all []*Node) {
		for _, k := range n.within()[1:] {
			if k.is("gridcell", "cell", "columnheader", "rowheader") {
				all = append(all, k)
			}
		}
		return all
	}
	// Rows as the tree has them.
	place := -1
	for _, n := range t.Nodes {
		if !n.is("row") {
			continue
		}
		list := cells(n)
		for i, c := range list {
			if place < 0 && (same(c.Name, column) || holds(c.text(), column)) {
				place = i
			}
			if same(c.Name, row) && place >= 0 && place < len(list) && list[place].target() != nil {
				if m := list[place].target(); !m.is("row") {
					return m
				}
			}
		}
	}
	// A snapshot without rows is a list of heads and then of cells.
	heads := t.every(role("columnheader"))
	flat := t.every(role("gridcell", "cell"))
	place = -1
	for i, h := range heads {
		if holds(h.Name, column) {
			place = i
		}
	}
	for i, c := range flat {
		if same(c.Name, row) && place >= 0 {
			start := i - i%max(len(heads), 1)
			if at := start + place; at < len(flat) && flat[at].Ref != "" {
				return flat[at]
			}
		}
	}
	return flatCell(t, row, column)
}

// flatCell finds a cell where the snapshot has neither rows nor heads: texts one after another, in the order of the
// columns.
func flatCell(t *Tree, row, column string) *Node {
	head, first, at := -1, 0, -1
	for i, n := range t.Nodes {
		if head < 0 && n.is("", "columnheader") && same(n.Name, column) {
			for head, first = i, i; first > 0 && t.Nodes[first-1].is("", "columnheader"); {
				first--
			}
		}
		if head >= 0 && at < 0 && same(n.Name, row) {
			at = i
		}
	}
	if at < 0 || at+head-first >= len(t.Nodes) {
		return nil
	}
	if n := t.Nodes[at+head-first]; n.Ref != "" {
		return n
	}
	return nil
}
