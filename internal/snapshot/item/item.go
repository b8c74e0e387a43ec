// Package item has the elements and texts of a page as a snapshot shows them, one on each line, and says where each of
// them is.
package item

import (
	"cove/internal/snapshot/document"
	"cove/internal/snapshot/role"
	"cove/internal/snapshot/text"
	"slices"
	"strconv"
)

// Item stands for a node, or for several texts, in the snapshot. Its strings are cleaned, and it has only properties
// that say something.
type Item struct {
	Doc     *document.Doc
	Node    *document.Node // nil for a text
	Class   role.Class
	Role    string
	Name    string // clean, at full length
	Text    string
	URL     string
	Remark  string
	Props   []string
	Act     bool // agents can act on it, and it has a uid
	ShowUID bool // the uid is shown
	Mute    bool // its name is not shown, because its children say it
	Soft    bool // a wrapper, shown only as a row among items of the same shape
	Marked  bool // marked by a mode that shows only a part
	Kids    []*Item
	Parent  *Item // the item or wrapper that it is in
	Form    Form
	lead    *Item // what Lead returned, once led is set
	led     bool
}

// AppendUID appends the uid of the element to b.
func (it *Item) AppendUID(b []byte) []byte {
	b = append(b, it.Doc.Label...)
	return strconv.AppendInt(b, int64(it.Node.ID), 10)
}

// AppendLine appends the item to b as one line, without indentation.
func (it *Item) AppendLine(b []byte, limit int) []byte {
	if it.Node == nil {
		return text.AppendQuoted(b, text.Cut(it.Text, limit))
	}
	if it.ShowUID {
		b = append(b, "uid="...)
		b = append(it.AppendUID(b), ' ')
	}
	b = append(b, it.Role...)
	if it.Name != "" && !it.Mute {
		b = text.AppendQuoted(append(b, ' '), text.Cut(it.Name, min(limit, text.MaxName)))
	}
	if it.URL != "" {
		b = text.AppendQuoted(append(b, ` url=`...), it.URL)
	}
	for _, p := range it.Props {
		b = append(append(b, ' '), p...)
	}
	if it.Remark != "" {
		b = append(append(append(b, " ("...), it.Remark...), ')')
	}
	return b
}

// Label returns what the line shows in quotes: the text, or the name if it is shown.
func (it *Item) Label() string {
	switch {
	case it.Node == nil:
		return it.Text
	case it.Mute:
		return ""
	}
	return it.Name
}

// Speaks reports whether the line of an item says more than its role.
func (it *Item) Speaks() bool {
	return it.Node == nil || it.ShowUID || it.Name != "" && !it.Mute || it.URL != "" || len(it.Props) > 0 ||
		it.Remark != "" ||
		len(it.Kids) == 0
}

// Inside returns how many lines the content of an item has.
func Inside(it *Item) int {
	n := 0
	for _, k := range it.Kids {
		if !k.Soft {
			n++
		}
		n += Inside(k)
	}
	return n
}

// AnyAct reports whether the list has an element that agents can act on, at any depth.
func AnyAct(list []*Item) bool {
	return slices.ContainsFunc(list, func(it *Item) bool { return it.Act || AnyAct(it.Kids) })
}

// Link sets the parents of all items below it.
func Link(it *Item) {
	for _, k := range it.Kids {
		k.Parent = it
		Link(k)
	}
}

// Form is what package fold knows about the shape of an item.
type Form struct {
	Hash  uint64
	Cells int  // how many cells it takes in a row; more than fold.MaxCells when it cannot be in one
	Prose bool // text, links, or paragraphs of them
	Links int
}
