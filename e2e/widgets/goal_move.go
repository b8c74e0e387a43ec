package widgets

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// place finds what can be dragged or dropped on by its name or text, the innermost first.
func place(t *Tree, name string) *Node {
	for _, match := range []func(string) func(*Node) bool{named, naming} {
		for _, n := range t.every(match(name)) {
			if n.Ref != "" && !n.is("heading", "RootWebArea") {
				return n
			}
		}
		for _, n := range t.every(match(name)) {
			if m := n.target(); m != nil {
				return m
			}
		}
	}
	return nil
}

// move drags one thing onto another.
func (a *Agent) move(g Goal) error {
	for range 2 {
		from := a.until(func(t *Tree) *Node { return place(t, g.Label) })
		to := a.until(func(t *Tree) *Node { return place(t, g.To) })
		if from == nil || to == nil {
			return lost("%q or %q is not there", g.Label, g.To)
		}
		before := order(a.see())
		if !a.drag(from, to) {
			return lost("the drag was refused: %s", a.said)
		}
		if a.until(func(t *Tree) *Node { // what is let go flies to its place
			if order(t) == before || !landed(t, from, to, g) {
				return nil
			}
			return from
		}) != nil {
			return nil
		}
	}
	return lost("%q did not come to %q", g.Label, g.To)
}

// landed tells whether a thing is where it was dragged: beside another thing of its kind, or after the name of a place.
func landed(t *Tree, from, to *Node, g Goal) bool {
	var what, place []int
	texts := strings.Split(order(t), "\n")
	for i, text := range texts {
		if same(text, g.Label) {
			what = append(what, i)
		}
		if same(text, g.To) {
			place = append(place, i)
		}
	}
	if len(place) == 0 {
		return true // the place says now what it holds
	}
	if len(what) == 0 {
		return false
	}
	if from.Role == to.Role {
		away := what[0] - place[0]
		return away == 1 || away == -1
	}
	return what[len(what)-1] > place[0]
}

// order is what a person compares before and after: all texts, in their order.
func order(t *Tree) string {
	var all []string
	for _, n := range t.Nodes {
		if !n.is("RootWebArea", "status", "log", "alert") && n.Name != "" &&
			(len(all) == 0 || all[len(all)-1] != n.Name) {
			all = append(all, n.Name)
		}
	}
	return strings.Join(all, "\n")
}

// write replaces the text of a field or an editor.
func (a *Agent) write(g Goal) error {
	find := func(t *Tree) *Node { return editorOf(t, g.Label) }
	n := a.until(find)
	if n == nil {
		return lost("there is no editor %q", g.Label)
	}
	if a.fill(n, g.Value) && a.written(find, g.Value) {
		return nil
	}
	if n = find(a.see()); n == nil || !a.click(n) {
		return lost("the editor cannot be clicked: %s", a.said)
	}
	a.keyBlind("Control+A")
	a.keyBlind("Backspace")
	if n = a.now(n); n == nil {
		n = find(a.see())
	}
	if n == nil || !a.typeInto(n, g.Value) || !a.written(find, g.Value) {
		return lost("the editor does not show the text")
	}
	return nil
}

// editorOf is the field that a label belongs to: by its name, else the first thing after the label that one can write
// into.
func editorOf(t *Tree, label string) *Node {
	if n := t.find(label, "textbox", "searchbox", "combobox", "spinbutton"); n != nil {
		return n
	}
	var paragraph *Node
	after := false
	for _, n := range t.Nodes {
		switch {
		case same(n.Name, label):
			after = true
		case !after || !actable(n):
		case n.has("editable") || n.has("multiline") || n.Role == "generic" && n.Value != "":
			return n
		case n.is("paragraph") && paragraph == nil:
			paragraph = n // an editor that the snapshot does not call one
		}
	}
	return paragraph
}

// written tells whether an editor shows the text, and nothing else where it shows its whole text.
func (a *Agent) written(find func(*Tree) *Node, want string) bool {
	t := a.see()
	n := find(t)
	if n == nil {
		return false
	}
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
	if n.Value != "" {
		return squeeze(n.Value) == squeeze(want)
	}
	return strings.Contains(squeeze(n.text()), squeeze(want)) || holds(order(t), want)
}

var rowNumber = regexp.MustCompile(`\d+`)

// scroll presses something far down in a list that shows only some of its rows.
func (a *Agent) scroll(g Goal) error {
	want, err := strconv.Atoi(rowNumber.FindString(g.Label))
	if err != nil {
		return err
	}
	stem := strings.TrimSpace(rowNumber.ReplaceAllString(g.Label, ""))
	row := func(t *Tree) *Node {
		for _, n := range t.every(named(g.Label)) {
			if m := n.target(); m != nil && (m.is(clickable...) || n.Role == "") {
				return m
			}
		}
		return nil
	}
	rows := func(t *Tree) (numbers []int) {
		for _, n := range t.every(func(n *Node) bool {
			return strings.HasPrefix(fold(n.Name), fold(stem)+" ") && len(n.Name) < len(g.Label)+4
		}) {
			if v, err := strconv.Atoi(rowNumber.FindString(n.Name)); err == nil {
				numbers = append(numbers, v)
			}
		}
		slices.Sort(numbers)
		return numbers
	}
	if a.until(func(t *Tree) *Node {
		if len(rows(t)) == 0 {
			return nil
		}
		return &Node{}
	}) == nil {
		return lost("there is no list of %s", stem)
	}
	if row(a.see()) == nil {
		if err := a.scrollTo(want, rows, row); err != nil {
			return err
		}
	}
	n := row(a.see())
	if n == nil {
		return lost("%q never came", g.Label)
	}
	if !a.click(n) {
		return lost("%q cannot be clicked: %s", g.Label, a.said)
	}
	return nil
}

// scrollTo moves the list with keys until the row is there. The focus comes into the list by Tab.
func (a *Agent) scrollTo(want int, rows func(*Tree) []int, row func(*Tree) *Node) error {
	first := rows(a.see())
	for range stops(a.see(), first[0]) { // what the focus goes through before it comes to the list
		a.keyBlind("Tab")
	}
	moved := false
	for range 6 {
		a.key("PageDown")
		if now := rows(a.see()); len(now) > 0 && now[len(now)-1] != first[len(first)-1] {
			moved = true
			break
		}
		if now := rows(a.again()); len(now) > 0 && now[len(now)-1] != first[len(first)-1] {
			moved = true
			break
		}
		a.keyBlind("Tab")
	}
	if !moved {
		return lost("the list does not scroll")
	}
	for range 12 {
		now := rows(a.see())
		if row(a.see()) != nil || len(now) == 0 {
			return nil
		}
		key, away := "PageDown", want-now[len(now)-1]
		if away < 0 {
			key, away = "PageUp", now[0]-want
		}
		if key == "PageDown" && away > 12*len(now) {
			a.key("End")
			if after := rows(a.again()); len(after) > 0 && after[len(after)-1] > now[len(now)-1] {
				continue
			}
		}
		for range min(max(away/max(len(now), 1)-1, 0), 60) {
			a.keyBlind(key)
		}
		a.key(key)
		a.again()
	}
	return nil
}

// stops counts where the focus stops before it comes to the first row.
func stops(t *Tree, row int) int {
	n := 1
	for _, m := range t.Nodes {
		if m.Role != "RootWebArea" && rowNumber.FindString(m.Name) == strconv.Itoa(row) {
			break
		}
		if m.is("link", "button", "textbox", "combobox", "checkbox") {
			n++
		}
	}
	return n
}
