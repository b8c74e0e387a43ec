package widgets

import (
	"fmt"
	"slices"
)

// Goal is what a person asks for.
type Goal struct {
	Kind   string
	Label  string
	Value  string
	Values []string
	Row    string
	To     string
}

// Reach works towards a goal. No error means that the agent believes to be done.
func (a *Agent) Reach(g Goal) error {
	work, ok := map[string]func(Goal) error{
		"choose": a.choose, "date": a.date, "menu": a.menu, "tree": a.branch, "set": a.set, "sort": a.sort,
		"edit": a.edit,
		"row":  a.row, "drag": a.move, "write": a.write, "upload": a.send, "find": a.scroll, "press": a.press,
		"check": a.check,
	}[g.Kind]
	if !ok {
		return fmt.Errorf("there is no goal %q", g.Kind)
	}
	return work(g)
}

// clickable are roles that a person presses, the likeliest first.
var clickable = []string{
	"button", "menuitem", "menuitemradio", "menuitemcheckbox", "link", "tab", "option", "treeitem", "radio", "checkbox",
	"switch",
	"columnheader", "gridcell", "cell", "row", "listitem", "combobox", "LabelText", "DisclosureTriangle", "generic",
	"none",
	"paragraph", "heading", "StaticText", "image", "img",
}

// thing is what a person would press who is told a name.
func (t *Tree) thing(name string) *Node {
	for _, match := range []func(string) func(*Node) bool{named, naming} {
		for _, r := range clickable {
			if n := t.first(actable, role(r), match(name)); n != nil && !n.disabled() {
				return n
			}
		}
		if n := t.first(func(n *Node) bool { return n.Role == "" }, match(name)); n != nil && n.target() != nil {
			return n.target()
		}
	}
	return nil
}

// press presses things by their names, one after another.
func (a *Agent) press(g Goal) error {
	for _, name := range g.Values {
		n := a.until(func(t *Tree) *Node { return t.thing(name) })
		if n == nil {
			return lost("there is no %q", name)
		}
		if !a.click(n) {
			return lost("%q cannot be clicked: %s", name, a.said)
		}
	}
	return nil
}

var checkable = []string{"checkbox", "switch", "radio", "menuitemcheckbox", "button"}

// check puts a box or a switch into a state.
func (a *Agent) check(g Goal) error {
	want := g.Value != "false"
	find := func(t *Tree) *Node { return t.find(g.Label, checkable...) }
	n := a.until(find)
	if n == nil {
		return lost("there is no %q", g.Label)
	}
	on := func(n *Node) bool { return n.has("checked") || n.has("pressed") || n.has("selected") }
	if on(n) == want {
		return nil
	}
	if !a.click(n) && !a.fill(n, fmt.Sprint(want)) {
		return lost("%q cannot be clicked: %s", g.Label, a.said)
	}
	if n := find(a.see()); n != nil && on(n) != want {
		return lost("%q did not change", g.Label)
	}
	return nil
}

// menu goes down a menu.
func (a *Agent) menu(g Goal) error {
	for i, name := range g.Values {
		find := func(t *Tree) *Node {
			if i > 0 {
				for _, r := range []string{"menuitem", "menuitemradio", "menuitemcheckbox", "option", "link",
					"button"} {
					if n := t.first(actable, role(r), named(name)); n != nil {
						return n
					}
				}
			}
			return t.thing(name)
		}
		n := a.until(find)
		if n == nil && i > 1 { // a submenu that opens another way
			if up := a.see().thing(g.Values[i-1]); up != nil && a.hover(up) {
				n = a.until(find)
			}
			if n == nil && a.key("ArrowRight") {
				n = a.until(find)
			}
		}
		if n == nil {
			return lost("there is no %q in the menu", name)
		}
		if !a.click(n) { // it may have opened all the same
			said := a.said
			if i == len(g.Values)-1 || a.see().thing(g.Values[i+1]) == nil {
				return lost("%q cannot be clicked: %s", name, said)
			}
		}
	}
	if n := a.see().first(role("menuitem"), named(g.Values[len(g.Values)-1])); n != nil {
		return lost("the menu is still open")
	}
	return nil
}

// send uploads a file.
func (a *Agent) send(g Goal) error {
	var tried []string
	next := func(t *Tree) *Node {
		for _, match := range []func(string) func(*Node) bool{named, naming} {
			for _, n := range t.every(match(g.Label)) {
				if m := n.target(); m != nil && !slices.Contains(tried, m.Ref) {
					return m
				}
			}
		}
		return nil
	}
	for {
		n := next(a.see())
		if n == nil && len(tried) == 0 {
			n = a.until(next)
		}
		if n == nil {
			return lost("there is nothing to upload to: %s", a.said)
		}
		if a.upload(n, g.Value) {
			break
		}
		tried = append(tried, n.Ref)
	}
	if n := a.until(func(t *Tree) *Node { return t.first(naming(g.Row)) }); n == nil {
		return lost("the page does not show the file")
	}
	return nil
}
