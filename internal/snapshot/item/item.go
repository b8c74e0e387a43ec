// Package item has the elements and texts of a page as a snapshot shows them, one a line, and says where each of them is.
package item

import (
	"cove/internal/snapshot/document"
	"cove/internal/snapshot/role"
	"cove/internal/snapshot/text"
	"slices"
	"strconv"
)

// Item stands for a node, or for several texts, in the snapshot: cleaned, without what says nothing.
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
	Act     bool // one can act on it and it has a uid
	ShowUID bool // the uid is shown
	Mute    bool // its children say its name
	Soft    bool // a wrapper, shown only as a row among its likes
	Marked  bool // marked by a mode that shows only a part
	Kids    []*Item
	Parent  *Item // the item or wrapper that it is in
	Form    Form
	lead    *Item // its first text, once led is set
	led     bool
}

// AppendUID writes the uid of an element.
func (it *Item) AppendUID(b []byte) []byte {
	b = append(b, it.Doc.Label...)
	return strconv.AppendInt(b, int64(it.Node.ID), 10)
}

// AppendLine writes the item as one line without its indentation.
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

// Label returns what stands in quotes: the text, or the name if it is shown.
func (it *Item) Label() string {
	switch {
	case it.Node == nil:
		return it.Text
	case it.Mute:
		return ""
	}
	return it.Name
}

// Speaks reports whether an item says something itself, besides its role.
func (it *Item) Speaks() bool {
	return it.Node == nil || it.ShowUID || it.Name != "" && !it.Mute || it.URL != "" || len(it.Props) > 0 || it.Remark != "" ||
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

// AnyAct reports whether one can act on something in the list.
func AnyAct(list []*Item) bool {
	return slices.ContainsFunc(list, func(it *Item) bool { return it.Act || AnyAct(it.Kids) })
}

// Link sets the way up from every item.
func Link(it *Item) {
	for _, k := range it.Kids {
		k.Parent = it
		Link(k)
	}
}

// Form is what folding needs to know of an item.
type Form struct {
	Hash  uint64
	Cells int  // what it takes in a row; more than maxCells when it cannot be one
	Prose bool // text, links, or paragraphs of them
	Links int
}
