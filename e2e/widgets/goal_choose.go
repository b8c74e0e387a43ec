package widgets

var (
	chooser = []string{"combobox", "listbox", "button", "textbox", "searchbox"}
	picks   = []string{
		"option", "menuitem", "menuitemradio", "menuitemcheckbox", "radio", "treeitem", "listitem", "gridcell", "link",
		"generic", "none", "",
	}
)

// choose picks values in a select or an autocomplete.
func (a *Agent) choose(g Goal) error {
	values := g.Values
	if g.Value != "" {
		values = []string{g.Value}
	}
	for _, value := range values {
		if err := a.chooseOne(g.Label, value); err != nil {
			return err
		}
	}
	return nil
}

func (a *Agent) chooseOne(label, value string) error {
	field := a.until(func(t *Tree) *Node { return t.find(label, chooser...) })
	if field == nil {
		return lost("there is no field %q", label)
	}
	old := a.see()
	// A field that one can type into, or a native list, is told the value; others are opened.
	if field.is("combobox", "textbox", "searchbox", "listbox") {
		a.fill(field, value)
		if a.chosen(old, field, value) {
			return nil
		}
	}
	option := func(t *Tree) *Node { return offer(t, old, value, field) }
	if option(a.see()) == nil {
		if n := a.now(field); n == nil || !n.has("expanded") && !a.click(n) && option(a.see()) == nil {
			return lost("%q cannot be opened: %s", label, a.said)
		}
	}
	n := a.until(option)
	if n == nil { // a long list has a field to search in
		search := a.see().first(actable, role("searchbox", "textbox", "combobox"),
			func(n *Node) bool { return old.byRef(n.Ref) == nil })
		if search != nil && a.fill(search, value) {
			if n = a.until(option); n == nil && a.key("Enter") && a.chosen(old, field, value) {
				return nil
			}
		}
	}
	if n == nil && a.pickByKeys(old, field, value) {
		return nil
	}
	if n == nil {
		return lost("there is no option %q", value)
	}
	if !a.click(n) && !a.chosen(old, field, value) {
		return lost("the option %q cannot be clicked: %s", value, a.said)
	}
	waits := a.see().byRef(n.Ref)
	if waits != nil && waits.is("option") && waits.Name == n.Name && !waits.has("selected") && !waits.has("checked") &&
		!a.chosen(old, field, value) {
		return lost("the list still offers %q", value)
	}
	return nil
}

// pickByKeys takes the first of a list that is open but not shown, after the value was typed.
func (a *Agent) pickByKeys(old *Tree, field *Node, value string) bool {
	if n := a.now(field); n == nil || !n.has("expanded") || !same(n.Value, value) {
		return false
	}
	return a.keyBlind("ArrowDown") && a.key("Enter") && a.chosen(old, field, value)
}

// offer is what a list that is open offers under this name: rather something that was not there before it was opened.
func offer(t, old *Tree, value string, field *Node) *Node {
	var there *Node
	for _, r := range picks {
		for _, n := range t.every(role(r), named(value)) {
			m := n.target()
			if m == nil || m.disabled() || m.Ref == field.Ref || n.Parent != nil && n.Parent.Ref == field.Ref &&
				r == "" {
				continue
			}
			if m != n && r != "" || !m.is(picks...) {
				continue
			}
			if old.byRef(m.Ref) == nil {
				return m
			}
			if there == nil && r != "" {
				there = m
			}
		}
	}
	return there
}

// chosen tells whether a field shows a value, and no open list waits for a click on it. A list that is open marks what
// the focus is on as selected: that is no choice yet.
func (a *Agent) chosen(old *Tree, field *Node, value string) bool {
	t := a.see()
	n := a.now(field)
	if n == nil { // behind an open list
		return t.first(role("option", "menuitem"), named(value)) == nil && t.shows(value)
	}
	if n.is("listbox") {
		for _, k := range n.within() {
			if k.is("option") && same(k.Name, value) && k.has("selected") {
				return true
			}
		}
	}
	if n.has("expanded") {
		return false
	}
	if holds(n.Value, value) || holds(n.ownText(), value) {
		if n.has("expandable") {
			return true // closed
		}
		return t.first(role("option"), named(value),
			func(o *Node) bool { return !o.under(n) && old.byRef(o.Ref) == nil }) == nil
	}
	// A field beside which the choice is written, where it was not before.
	return n.Value == "" && old.first(named(value)) == nil &&
		t.first(named(value), func(o *Node) bool { return !o.is("option") }) != nil
}

// ownText is what an element says itself, without what it offers.
func (n *Node) ownText() string {
	if n.is("option", "listbox") {
		return ""
	}
	text := n.Name
	for _, k := range n.Kids {
		text += " " + k.ownText()
	}
	return text
}
