// Package interactive reduces a page to the elements that agents can act on.
package interactive

import (
	"cove/internal/snapshot/item"
	"cove/internal/snapshot/role"
	"cove/internal/wording"
)

// Only removes everything from a tree except the elements that agents can act on and their context: landmarks,
// headings, and a text of the row when another element has the same name.
func Only(top *item.Item) {
	m := marker{names: map[string]int{}}
	m.count(top)
	m.mark(top)
	top.Kids = prune(top.Kids)
}

type marker struct {
	names   map[string]int
	pending []*item.Item // headings that no such element has followed yet
}

func (m *marker) count(it *item.Item) {
	if it.Act {
		m.names[it.Role+" "+it.Name]++
	}
	for _, k := range it.Kids {
		m.count(k)
	}
}

// mark marks the items that stay, and reports whether anything in it stays.
func (m *marker) mark(it *item.Item) bool {
	outside := m.pending
	switch {
	case it.Class == role.Heading:
		for len(m.pending) > 0 && level(it) <= level(m.pending[len(m.pending)-1]) {
			m.pending = m.pending[:len(m.pending)-1]
		}
		m.pending = append(m.pending, it)
	case it.Class == role.Landmark:
		m.pending = nil
	case it.Act:
		m.flush()
		if m.names[it.Role+" "+it.Name] > 1 {
			markLead(it)
		}
	}
	some := it.Act || it.Class == role.Frame || it.Role == "option"
	for _, k := range it.Kids {
		k.Parent = it
		some = m.mark(k) || some
	}
	context := it.Class == role.Landmark || it.Name != "" && !it.Mute && !it.Soft
	if it.Class == role.Landmark {
		if m.pending = outside; some {
			m.flush()
		}
	}
	it.Marked = it.Marked || some && (it.Act || context || it.Class == role.Frame)
	return some
}

// flush marks the pending headings, because an element that stays follows them.
func (m *marker) flush() {
	for _, h := range m.pending {
		h.Marked = true
	}
	m.pending = nil
}

func level(h *item.Item) string {
	for _, p := range h.Props {
		if len(p) > 6 && p[:6] == "level=" {
			return p
		}
	}
	return ""
}

// markLead marks the text that tells the row of an item from other rows.
func markLead(it *item.Item) {
	for up := it.Parent; up != nil && up.Class != role.Landmark; up = up.Parent {
		if text := item.Lead(up); text != nil {
			text.Marked = true
			return
		}
	}
}

// prune drops items that are not marked. The marked items inside them stay.
func prune(list []*item.Item) []*item.Item {
	rest := list[:0:0]
	for _, it := range list {
		it.Kids = prune(it.Kids)
		switch {
		case it.Marked:
			if it.Node == nil {
				it.Text = wording.Shorten(it.Text, 60)
			}
			rest = append(rest, it)
		case len(it.Kids) == 1:
			rest = append(rest, it.Kids...)
		case len(it.Kids) > 1:
			if it.Class != role.Solo || it.Name != "" {
				it.Soft = true
			}
			rest = append(rest, it)
		}
	}
	return rest
}
