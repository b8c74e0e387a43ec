package snapshot

import "strconv"

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
