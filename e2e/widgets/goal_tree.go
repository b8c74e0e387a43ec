package widgets

// branch selects something deep in a tree, whose branches it opens on the way.
func (a *Agent) branch(g Goal) error {
	for i, name := range g.Values {
		item := a.until(func(t *Tree) *Node { return treeItem(t, name) })
		if item == nil {
			return lost("the tree shows no %q", name)
		}
		if i == len(g.Values)-1 {
			return a.selectItem(item)
		}
		if err := a.expand(item, g.Values[i+1]); err != nil {
			return err
		}
	}
	return nil
}

func treeItem(t *Tree, name string) *Node {
	if n := t.first(actable, role("treeitem"), named(name)); n != nil {
		return n
	}
	if n := t.first(actable, role("treeitem"), naming(name)); n != nil {
		return n
	}
	return t.thing(name)
}

// expand opens a branch: by the thing in it that says so, by the key for it, by a double click.
func (a *Agent) expand(item *Node, next string) error {
	opened := func() bool { return treeItem(a.see(), next) != nil }
	if item.has("expanded") || opened() {
		return nil
	}
	for range 2 { // a tree that unfolds draws its items anew
		if k := expander(item); k == nil || a.click(k) && opened() || opened() {
			break
		}
		if n := a.now(item); n != nil {
			item = n
		}
	}
	if opened() {
		return nil
	}
	n := a.now(item)
	if n == nil || !a.click(n) {
		return lost("%q cannot be clicked: %s", item.Name, a.said)
	}
	if opened() {
		return nil
	}
	if a.key("ArrowRight") && opened() {
		return nil
	}
	if n := a.now(item); n != nil && a.doubleClick(n) &&
		(opened() || a.until(func(t *Tree) *Node { return treeItem(t, next) }) != nil) {
		return nil
	}
	return lost("%q does not open", item.Name)
}

// expander is the thing in an item that has no other meaning than to open it.
func expander(item *Node) *Node {
	for _, n := range item.within()[1:] {
		if n.Ref != "" && (n.is("button", "image", "img") || n.is("generic") && n.Name == "") {
			return n
		}
	}
	return nil
}

// selectItem presses an item; where that does nothing, the name in it.
func (a *Agent) selectItem(item *Node) error {
	if !a.click(item) {
		return lost("%q cannot be clicked: %s", item.Name, a.said)
	}
	n := a.now(item)
	if n == nil {
		return lost("%q is gone", item.Name)
	}
	chosen := func(n *Node) bool {
		return !n.is("treeitem") || n.has("selected") || n.has("checked") || n.has("focused")
	}
	for _, k := range n.within() {
		if chosen(n) {
			return nil
		}
		if k != n && actable(k) && same(k.Name, n.Name) && a.click(k) {
			if n = a.now(item); n == nil {
				break
			}
		}
	}
	if n == nil || !chosen(n) {
		return lost("%q is not selected", item.Name)
	}
	return nil
}
