package widgets

import (
	"slices"
	"strings"
)

// Node is one element or text of a snapshot, in the words that all servers share.
type Node struct {
	Ref    string // what the server calls it; empty where it cannot be acted on
	Role   string // "" for a text
	Name   string // or the text
	Value  string
	Flags  map[string]string
	Kids   []*Node
	Parent *Node
	depth  int
}

// Tree is what is known of a page.
type Tree struct {
	Nodes  []*Node // in the order of the page
	Number int     // of the snapshot, where the server counts them
}

func (n *Node) is(roles ...string) bool { return slices.Contains(roles, n.Role) }

func (n *Node) has(flag string) bool {
	v, ok := n.Flags[flag]
	return ok && v != "false"
}

func (n *Node) disabled() bool { return n.has("disabled") }

// under tells whether n is inside other, or is it.
func (n *Node) under(other *Node) bool {
	for ; n != nil; n = n.Parent {
		if n == other {
			return true
		}
	}
	return false
}

// within is n and everything in it.
func (n *Node) within() []*Node {
	all := []*Node{n}
	for _, k := range n.Kids {
		all = append(all, k.within()...)
	}
	return all
}

// text is all that can be read in n.
func (n *Node) text() string {
	var parts []string
	for _, k := range n.within() {
		for _, s := range []string{k.Name, k.Value} {
			if s != "" && (len(parts) == 0 || parts[len(parts)-1] != s) {
				parts = append(parts, s)
			}
		}
	}
	return strings.Join(parts, " ")
}

// target is n, or what is nearest above it that can be acted on.
func (n *Node) target() *Node {
	for m := n; m != nil; m = m.Parent {
		if m.Ref != "" && m.Role != "RootWebArea" && !m.is("main") {
			return m
		}
	}
	return nil
}

func fold(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

func same(a, b string) bool { return fold(a) == fold(b) }

func holds(text, part string) bool { return strings.Contains(fold(text), fold(part)) }

// first is the first node that all tests agree on.
func (t *Tree) first(tests ...func(*Node) bool) *Node {
	for _, n := range t.Nodes {
		if all(n, tests) {
			return n
		}
	}
	return nil
}

func (t *Tree) every(tests ...func(*Node) bool) (found []*Node) {
	for _, n := range t.Nodes {
		if all(n, tests) {
			found = append(found, n)
		}
	}
	return found
}

func all(n *Node, tests []func(*Node) bool) bool {
	for _, test := range tests {
		if !test(n) {
			return false
		}
	}
	return true
}

func role(roles ...string) func(*Node) bool { return func(n *Node) bool { return n.is(roles...) } }

func named(name string) func(*Node) bool { return func(n *Node) bool { return same(n.Name, name) } }

func naming(part string) func(*Node) bool { return func(n *Node) bool { return holds(n.Name, part) } }

func actable(n *Node) bool { return n.Ref != "" && !n.has("aria-hidden") }

// find is the element of these roles that a label belongs to: by its name, else the next one after the label's text.
func (t *Tree) find(label string, roles ...string) *Node {
	for _, match := range []func(string) func(*Node) bool{named, naming} {
		for _, r := range roles {
			if n := t.first(actable, role(r), match(label)); n != nil {
				return n
			}
		}
	}
	after := false
	for _, n := range t.Nodes {
		if same(n.Name, label) || same(strings.TrimRight(n.Name, ":*"), label) {
			after = true
			continue
		}
		if after && actable(n) && n.is(roles...) {
			return n
		}
	}
	for i, n := range t.Nodes[:max(len(t.Nodes)-1, 0)] { // a box without a name is told by the text beside it
		box := n.Ref != "" && n.Name == "" && n.is("checkbox", "switch", "radio") && n.is(roles...)
		if box && strings.HasPrefix(fold(t.Nodes[i+1].Name), fold(label)) {
			return n
		}
	}
	return nil
}

// byRef is the element that a server calls so.
func (t *Tree) byRef(ref string) *Node {
	return t.first(func(n *Node) bool { return n.Ref == ref && ref != "" })
}

// shows tells whether a text can be read anywhere.
func (t *Tree) shows(text string) bool {
	return t.first(func(n *Node) bool { return holds(n.Name, text) || holds(n.Value, text) }) != nil
}
