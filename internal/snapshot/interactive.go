package snapshot

import "cove/internal/wording"

// interactive leaves only what one can act on, and what tells where it is: landmarks, headings, and a text of the row
// when another element has the same name.
func interactive(top *item) {
	m := marker{names: map[string]int{}}
	m.count(top)
	m.mark(top)
	top.kids = prune(top.kids)
}

type marker struct {
	names   map[string]int
	pending []*item // headings that nothing has followed yet
}

func (m *marker) count(it *item) {
	if it.act {
		m.names[it.role+" "+it.name]++
	}
	for _, k := range it.kids {
		m.count(k)
	}
}

// mark marks what stays; it reports whether anything in an item does.
func (m *marker) mark(it *item) bool {
	outside := m.pending
	switch {
	case it.class == heading:
		for len(m.pending) > 0 && level(it) <= level(m.pending[len(m.pending)-1]) {
			m.pending = m.pending[:len(m.pending)-1]
		}
		m.pending = append(m.pending, it)
	case it.class == landmark:
		m.pending = nil
	case it.act:
		m.flush()
		if m.names[it.role+" "+it.name] > 1 {
			markLead(it)
		}
	}
	some := it.act || it.class == frame || it.role == "option"
	for _, k := range it.kids {
		k.up = it
		some = m.mark(k) || some
	}
	context := it.class == landmark || it.name != "" && !it.mute && !it.soft
	if it.class == landmark {
		if m.pending = outside; some {
			m.flush()
		}
	}
	it.marked = it.marked || some && (it.act || context || it.class == frame)
	return some
}

// flush marks the headings that something follows.
func (m *marker) flush() {
	for _, h := range m.pending {
		h.marked = true
	}
	m.pending = nil
}

func level(h *item) string {
	for _, p := range h.props {
		if len(p) > 6 && p[:6] == "level=" {
			return p
		}
	}
	return ""
}

// markLead marks the text by which a row differs from the others.
func markLead(it *item) {
	for up := it.up; up != nil && up.class != landmark; up = up.up {
		if text := lead(up); text != nil {
			text.marked = true
			return
		}
	}
}

// prune drops what is not marked; of a container without a mark the children stay.
func prune(list []*item) []*item {
	rest := list[:0:0]
	for _, it := range list {
		it.kids = prune(it.kids)
		switch {
		case it.marked:
			if it.node == nil {
				it.text = wording.Shorten(it.text, 60)
			}
			rest = append(rest, it)
		case len(it.kids) == 1:
			rest = append(rest, it.kids...)
		case len(it.kids) > 1:
			if it.class != solo || it.name != "" {
				it.soft = true
			}
			rest = append(rest, it)
		}
	}
	return rest
}
