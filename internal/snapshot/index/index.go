// Package index remembers what a snapshot showed, and compares two snapshots.
package index

import (
	"cove/internal/snapshot/document"
	"cove/internal/snapshot/item"
	"cove/internal/snapshot/role"
	"cove/internal/snapshot/text"
	"cove/internal/wording"
)

// Index is a page as one snapshot saw it, a list of all its lines. It never changes, so any goroutine may read it. A
// nil Index is empty.
type Index struct {
	Number  int
	Entries []entry
}

// entry is one line of the page, before folding.
type entry struct {
	label      string
	ID         int // 0 for a line without a uid
	Text       string
	Parent     int // its index in Entries; -1 for the root
	role, Name string
	Act        bool
}

// Len returns how many lines the page has.
func (x *Index) Len() int {
	if x == nil {
		return 0
	}
	return len(x.Entries)
}

// Find returns the role of the element with a uid, and its name as the page gave it.
func (x *Index) Find(uid string) (role, name string, ok bool) {
	label, id, ok := document.ParseUID(uid)
	if x == nil || !ok {
		return "", "", false
	}
	for i := range x.Entries {
		if e := &x.Entries[i]; e.ID == id && e.label == label {
			return e.role, e.Name, true
		}
	}
	return "", "", false
}

// Alone reports whether the element with a uid was the only one of its document with its role and name.
func (x *Index) Alone(uid string) bool {
	label, _, ok := document.ParseUID(uid)
	role, name, found := x.Find(uid)
	if !ok || !found {
		return false
	}
	n := 0
	for i := range x.Entries {
		if e := &x.Entries[i]; e.label == label && e.role == role && e.Name == name {
			n++
		}
	}
	return n == 1
}

// Of makes the Index of a tree, which has about size items. It also returns the item of each entry, and sets the
// parents of all items.
func Of(root *item.Item, size, number int) (p *Index, items []*item.Item) {
	f := flattener{
		entries: make([]entry, 0, size),
		items:   make([]*item.Item, 0, size),
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
		f.entries[i].Text, f.entries[i].Name = next(2*i), next(2*i+1)
	}
	return &Index{Number: number, Entries: f.entries}, f.items
}

// flattener collects the strings of all entries in one buffer, so that an Index does not retain the page's source.
type flattener struct {
	entries []entry
	items   []*item.Item
	buf     []byte
	ends    []int // the ends in buf of each entry's line and name, in turn
}

func (f *flattener) add(it, up *item.Item, parent int) {
	it.Parent = up
	if !it.Soft {
		e := entry{Parent: parent, role: it.Role, Act: it.Act}
		parent = len(f.entries)
		f.buf = it.AppendLine(f.buf, text.MaxText)
		f.ends = append(f.ends, len(f.buf))
		if it.Node != nil {
			e.label, e.ID, e.role = it.Doc.Label, it.Node.ID, role.Intern(it.Role)
			f.buf = append(f.buf, wording.Shorten(it.Node.Name, 4000)...)
		}
		f.ends = append(f.ends, len(f.buf))
		f.entries = append(f.entries, e)
		f.items = append(f.items, it)
	}
	for _, k := range it.Kids {
		f.add(k, it, parent)
	}
}
