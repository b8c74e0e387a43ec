package widgets

var (
	chooser = []string{"combobox", "listbox", "button", "textbox", "searchbox"}
	picks   = []string{"option", "menuitem", "menuitemradio", "menuitemcheckbox", "radio", "treeitem", "listitem", "gridcell", "link", "generic", "none", ""}
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
	// A field that one can type into, or a native list, is told the value; others are opened.
	told := field.is("combobox", "textbox", "searchbox", "listbox") && a.fill(field, value)
	if told {
		if a.chosen(field, value) {
			return nil
		}
	} else if field = a.now(field); field == nil {
		return lost("the field %q is gone", label)
	} else if offer(a.see(), value, nil) == nil && !a.click(field) {
		return lost("%q cannot be opened: %s", label, a.said)
	}
	option := a.until(func(t *Tree) *Node { return offer(t, value, field) })
	if option == nil { // a long list has a field to search in
		if search := a.see().first(actable, role("searchbox", "textbox", "combobox"), func(n *Node) bool { return n.has("focused") || n.Ref != field.Ref }); search != nil && a.fill(search, value) {
			option = a.until(func(t *Tree) *Node { return offer(t, value, field) })
		}
	}
	if option == nil {
		return lost("there is no option %q", value)
	}
	if !a.click(option) {
		return lost("the option %q cannot be clicked: %s", value, a.said)
	}
	if !a.chosen(field, value) {
		return lost("%q does not show %q", label, value)
	}
	return nil
}

// offer is what a list that is open offers under this name.
func offer(t *Tree, value string, field *Node) *Node {
	for _, r := range picks {
		for _, n := range t.every(role(r), named(value)) {
			if field != nil && n.Ref != "" && n.Ref == field.Ref {
				continue
			}
			if field != nil && r == "" && n.Parent != nil && n.Parent.Ref == field.Ref {
				continue // the field's own text
			}
			if m := n.target(); m != nil && !m.disabled() && (m == n || r == "" || m.is(picks...)) {
				return m
			}
		}
	}
	return nil
}

// chosen tells whether a field shows a value, and no open list waits for a click on it.
func (a *Agent) chosen(field *Node, value string) bool {
	t := a.see()
	n := a.now(field)
	if option := t.first(role("option", "menuitem"), named(value)); option != nil && (n == nil || !option.under(n)) {
		return option.has("selected") || option.has("checked")
	}
	if n != nil && (holds(n.Value, value) || holds(n.text(), value)) && !n.has("expanded") {
		return true
	}
	if n != nil && n.has("expanded") && same(n.Value, value) {
		return false // typed, not chosen
	}
	return t.shows(value)
}
