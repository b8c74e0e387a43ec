package snapshot

import (
	"slices"
	"strconv"
)

// item stands for a node, or for several texts, in the snapshot: cleaned, without what says nothing.
type item struct {
	doc    *Doc
	node   *Node // nil for a text
	class  class
	role   string
	name   string // clean, at full length
	text   string
	url    string
	remark string
	props  []string
	act    bool // one can act on it and it has a uid
	uid    bool // the uid is shown
	mute   bool // its children say its name
	soft   bool // a wrapper, shown only as a row among its likes
	marked bool // marked by a mode that shows only a part
	kids   []*item
	up     *item // the item or wrapper that it is in
	form   form
	lead   *item // its first text, once led is set
	led    bool
}

func (it *item) appendUID(b []byte) []byte {
	b = append(b, it.doc.Label...)
	return strconv.AppendInt(b, int64(it.node.ID), 10)
}

// appendLine writes the item as one line without its indentation.
func (it *item) appendLine(b []byte, limit int) []byte {
	if it.node == nil {
		return quote(b, cut(it.text, limit))
	}
	if it.uid {
		b = append(b, "uid="...)
		b = append(it.appendUID(b), ' ')
	}
	b = append(b, it.role...)
	if it.name != "" && !it.mute {
		b = quote(append(b, ' '), cut(it.name, min(limit, maxName)))
	}
	if it.url != "" {
		b = quote(append(b, ` url=`...), it.url)
	}
	for _, p := range it.props {
		b = append(append(b, ' '), p...)
	}
	if it.remark != "" {
		b = append(append(append(b, " ("...), it.remark...), ')')
	}
	return b
}

// label is what stands in quotes: the text, or the name if it is shown.
func (it *item) label() string {
	switch {
	case it.node == nil:
		return it.text
	case it.mute:
		return ""
	}
	return it.name
}

// speaks reports whether an item says something itself, besides its role.
func (it *item) speaks() bool {
	return it.node == nil || it.uid || it.name != "" && !it.mute || it.url != "" || len(it.props) > 0 || it.remark != "" ||
		len(it.kids) == 0
}

func inside(it *item) int {
	n := 0
	for _, k := range it.kids {
		if !k.soft {
			n++
		}
		n += inside(k)
	}
	return n
}

func anyAct(list []*item) bool {
	return slices.ContainsFunc(list, func(it *item) bool { return it.act || anyAct(it.kids) })
}

// link sets the way up from every item.
func link(it *item) {
	for _, k := range it.kids {
		k.up = it
		link(k)
	}
}

// form is what folding needs to know of an item.
type form struct {
	hash  uint64
	cells int  // what it takes in a row; more than maxCells when it cannot be one
	prose bool // text, links, or paragraphs of them
	links int
}
