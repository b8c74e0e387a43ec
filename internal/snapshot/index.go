package snapshot

import "cove/internal/wording"

// Index is a page as one snapshot showed it, by uid. It does not change.
type Index struct {
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

// Len returns how many lines it has.
func (x *Index) Len() int {
	if x == nil {
		return 0
	}
	return len(x.entries)
}

// Find returns the role of an element, and its name as the page gave it.
func (x *Index) Find(uid string) (role, name string, ok bool) {
	label, id, ok := ParseUID(uid)
	if x == nil || !ok {
		return "", "", false
	}
	for i := range x.entries {
		if e := &x.entries[i]; e.id == id && e.label == label {
			return e.role, e.name, true
		}
	}
	return "", "", false
}

// Alone reports whether an element was the only one of its document with its role and name.
func (x *Index) Alone(uid string) bool {
	label, _, ok := ParseUID(uid)
	role, name, found := x.Find(uid)
	if !ok || !found {
		return false
	}
	n := 0
	for i := range x.entries {
		if e := &x.entries[i]; e.label == label && e.role == role && e.name == name {
			n++
		}
	}
	return n == 1
}

// indexOf flattens a tree of so many items. It also returns the item of each entry.
func indexOf(root *item, size, number int) (p *Index, items []*item) {
	f := flattener{
		entries: make([]entry, 0, size),
		items:   make([]*item, 0, size),
		ends:    make([]int, 0, 2*size),
		buf:     make([]byte, 0, 64*size),
	}
	f.add(root, nil, -1)
	all, from := string(f.buf), 0
	next := func(i int) string {
		s := all[from:f.ends[i]]
		from = f.ends[i]
		return s
	}
	for i := range f.entries {
		f.entries[i].line, f.entries[i].name = next(2*i), next(2*i+1)
	}
	return &Index{Number: number, entries: f.entries}, f.items
}

// flattener collects the strings of all entries in one buffer, so that an Index does not retain the page's source.
type flattener struct {
	entries []entry
	items   []*item
	buf     []byte
	ends    []int // of line and name of each entry, in turn
}

func (f *flattener) add(it, up *item, parent int) {
	it.up = up
	if !it.soft {
		e := entry{parent: parent, role: it.role, act: it.act}
		parent = len(f.entries)
		f.buf = it.appendLine(f.buf, maxText)
		f.ends = append(f.ends, len(f.buf))
		if it.node != nil {
			e.label, e.id, e.role = it.doc.Label, it.node.ID, intern(it.role)
			f.buf = append(f.buf, wording.Shorten(it.node.Name, 4000)...)
		}
		f.ends = append(f.ends, len(f.buf))
		f.entries = append(f.entries, e)
		f.items = append(f.items, it)
	}
	for _, k := range it.kids {
		f.add(k, it, parent)
	}
}
