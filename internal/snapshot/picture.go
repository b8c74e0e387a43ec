package snapshot

import "strings"

// Picture remembers a page as one snapshot showed it.
type Picture struct {
	Number  int
	entries []entry
}

// entry is one line of the page, without folding.
type entry struct {
	label      string
	id         int // 0: not addressable
	line       string
	parent     int // in entries; -1 for the root
	role, name string
	act        bool
}

// Find tells what stood under a uid: its role, and its name as the page gave it.
func (p *Picture) Find(uid string) (role, name string, ok bool) {
	label, id, ok := ParseUID(uid)
	if p == nil || !ok {
		return "", "", false
	}
	for i := range p.entries {
		if e := &p.entries[i]; e.id == id && e.label == label {
			return e.role, e.name, true
		}
	}
	return "", "", false
}

// Alone tells whether an element was the only one of its document with its role and name.
func (p *Picture) Alone(uid string) bool {
	label, _, ok := ParseUID(uid)
	role, name, found := p.Find(uid)
	if !ok || !found {
		return false
	}
	n := 0
	for i := range p.entries {
		if e := &p.entries[i]; e.label == label && e.role == role && e.name == name {
			n++
		}
	}
	return n == 1
}

// pictureOf flattens a tree; items holds the item of each entry.
func pictureOf(root *item, number int) (p *Picture, items []*item) {
	p = &Picture{Number: number}
	var buf []byte
	ends := []int{}
	var walk func(list []*item, up *item, parent int)
	walk = func(list []*item, up *item, parent int) {
		for _, it := range list {
			it.up = up
			at := parent
			if !it.soft {
				at = len(p.entries)
				buf = it.appendLine(buf, maxText)
				ends = append(ends, len(buf))
				e := entry{parent: parent, role: it.role, act: it.act}
				if it.node != nil {
					e.label, e.id = it.doc.Label, it.node.ID
					e.name = strings.Clone(snip(it.node.Name, 4000)) // not a part of the whole source
				}
				p.entries = append(p.entries, e)
				items = append(items, it)
			}
			walk(it.kids, it, at)
		}
	}
	walk([]*item{root}, nil, -1)
	all, from := string(buf), 0
	for i, to := range ends {
		p.entries[i].line = all[from:to]
		from = to
	}
	return p, items
}
