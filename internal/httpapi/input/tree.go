package input

import (
	"slices"
	"strconv"
)

// node is a value of a form while the form is read: what was sent under its name, a list whose names end in [], or
// members by name.
type node struct {
	values  []any
	items   []*node
	rest    []string // the steps that follow [] in the names of items
	members map[string]*node
}

// The hints for a form that a node does not take.
const (
	sendOnce   = "Send it once."
	numberThem = "Number the entries of a list of objects, as items[0][name]."
)

// add puts a value where the steps of its name lead. It returns a hint if another value is in the way, otherwise "".
func (n *node) add(path []string, value any) (hint string) {
	if len(path) == 0 {
		if n.items != nil || n.members != nil {
			return sendOnce
		}
		n.values = append(n.values, value)
		return ""
	}
	if n.values != nil {
		return sendOnce
	}
	if path[0] == "" {
		return n.addItem(path[1:], value)
	}
	if n.items != nil {
		return sendOnce
	}
	if n.members == nil {
		n.members = map[string]*node{}
	}
	member := n.members[path[0]]
	if member == nil {
		member = &node{}
		n.members[path[0]] = member
	}
	return member.add(path[1:], value)
}

// addItem adds an entry to a list. Some programs read a[][x]=1&a[][y]=2 as one entry and some as two, so names with
// different ends are refused, and with them a name that has two lists in it.
func (n *node) addItem(rest []string, value any) (hint string) {
	if n.members != nil {
		return sendOnce
	}
	if slices.Contains(rest, "") || (n.items != nil && !slices.Equal(rest, n.rest)) {
		return numberThem
	}
	item := &node{}
	n.items, n.rest = append(n.items, item), rest
	return item.add(rest, value)
}

// json returns the node as encoding/json encodes it. Several values under one name are a list; members that are
// numbered from 0 are a list, too.
func (n *node) json() any {
	switch {
	case len(n.values) == 1:
		return n.values[0]
	case n.values != nil:
		return n.values
	case n.items != nil:
		return encoded(n.items)
	}
	if list, ok := n.numbered(); ok {
		return encoded(list)
	}
	return n.object()
}

// object returns the members as encoding/json encodes them.
func (n *node) object() map[string]any {
	out := make(map[string]any, len(n.members))
	for name, member := range n.members {
		out[name] = member.json()
	}
	return out
}

func encoded(nodes []*node) []any {
	out := make([]any, len(nodes))
	for i, one := range nodes {
		out[i] = one.json()
	}
	return out
}

// numbered returns the members in their order if their names are 0, 1, 2 and so on, without a gap.
func (n *node) numbered() ([]*node, bool) {
	list := make([]*node, len(n.members))
	for i := range list {
		if list[i] = n.members[strconv.Itoa(i)]; list[i] == nil {
			return nil, false
		}
	}
	return list, len(list) > 0
}
