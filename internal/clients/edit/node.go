package edit

import (
	"fmt"
	"iter"
	"sort"
	"strconv"
	"strings"
)

// Kinds of a Node that all formats share. A scalar that is not a string has a kind that only its format knows.
const (
	kindMap    = 'm'
	kindList   = 'l'
	kindNull   = 'n'
	kindString = 's'
	kindOther  = 'x'
	kindAlias  = '*'
)

// Node is a part of a parsed document, the same for every format: enough to compare two documents and to read an entry.
// A nil Node is a part that does not exist. Get, All and Value work on it.
type Node struct {
	kind byte
	// text is the value of a scalar, or whatever else distinguishes two nodes of the same kind.
	text string
	// names are the names of a map, in their order; children are its values, or the items of a list.
	names    []string
	children []*Node
	line     int
	// unordered says that the order of names has no meaning.
	unordered bool
	// index is the position of each name. Get makes it.
	index map[string]int
}

// add appends a name and its value to a map.
func (n *Node) add(name string, child *Node) {
	n.names, n.children = append(n.names, name), append(n.children, child)
}

// Get returns the value of a name in a map, or nil. If the map has the name twice, Get returns the first value.
func (n *Node) Get(name string) *Node {
	if n == nil {
		return nil
	}
	if n.index == nil {
		n.index = make(map[string]int, len(n.names))
		for i, one := range n.names {
			if _, twice := n.index[one]; !twice {
				n.index[one] = i
			}
		}
	}

	if i, ok := n.index[name]; ok && n.kind == kindMap {
		return n.children[i]
	}

	return nil
}

// All yields the names of a map and their values, in their order.
func (n *Node) All() iter.Seq2[string, *Node] {
	return func(yield func(string, *Node) bool) {
		if n == nil {
			return
		}
		for i, name := range n.names {
			if !yield(name, n.children[i]) {
				return
			}
		}
	}
}

func (n *Node) at(keys []string) *Node {
	for _, key := range keys {
		n = n.Get(key)
	}

	return n
}

// requireMap returns an *Error unless the node is empty or a map in which each name is unique. keys lead to the node.
func (n *Node) requireMap(keys []string) error {
	where := "the file"
	if len(keys) > 0 {
		where = fmt.Sprintf("%q", strings.Join(keys, " > "))
	}
	if n.kind != kindMap && (n.kind != kindNull || n.text == "null") {
		return &Error{n.line, where + " is not a map of names and values"}
	}

	seen := map[string]bool{}
	for i, name := range n.names {
		if seen[name] {
			return &Error{n.children[i].line, fmt.Sprintf("%q stands twice in %s", name, where)}
		}
		seen[name] = true
	}

	return nil
}

// Value returns the node as Go values: map[string]any, []any and string. Every other scalar is nil.
func (n *Node) Value() any {
	switch {
	case n == nil:
		return nil
	case n.kind == kindMap:
		m := map[string]any{}
		for i, name := range n.names {
			m[name] = n.children[i].Value()
		}
		return m
	case n.kind == kindList:
		list := []any{}
		for _, child := range n.children {
			list = append(list, child.Value())
		}
		return list
	case n.kind == kindString:
		return n.text
	}

	return nil
}

// equalExcept reports whether two documents are equal apart from an entry, and from the maps on the way to it that
// contain nothing else.
func equalExcept(a, b *Node, p Path) bool {
	return a.without(p.Keys, p.Name).canonical() == b.without(p.Keys, p.Name).canonical()
}

func (n *Node) without(keys []string, name string) *Node {
	if n == nil || n.kind != kindMap {
		return n
	}

	rest := &Node{kind: n.kind, unordered: n.unordered}
	for i, one := range n.names {
		child := n.children[i]
		switch {
		case len(keys) == 0 && one == name:
			continue
		case len(keys) > 0 && one == keys[0]:
			child = child.without(keys[1:], name)
			if child.kind == kindMap && len(child.names) == 0 || child.kind == kindNull {
				continue
			}
		}
		rest.add(one, child)
	}

	return rest
}

// canonical returns a text that is the same for two nodes exactly if they are equal.
func (n *Node) canonical() string {
	var b strings.Builder
	n.writeTo(&b)

	return b.String()
}

func (n *Node) writeTo(b *strings.Builder) {
	if n == nil {
		return
	}

	b.WriteByte(n.kind)
	b.WriteString(strconv.Quote(n.text))
	if n.kind != kindMap && n.kind != kindList {
		return
	}

	order := make([]int, len(n.children))
	for i := range order {
		order[i] = i
	}
	if n.unordered {
		sort.Slice(order, func(i, j int) bool { return n.names[order[i]] < n.names[order[j]] })
	}

	b.WriteByte('(')
	for _, i := range order {
		if n.kind == kindMap {
			b.WriteString(strconv.Quote(n.names[i]))
			b.WriteByte('=')
		}
		n.children[i].writeTo(b)
		b.WriteByte(',')
	}
	b.WriteByte(')')
}
