// Package build makes the items of a snapshot from a page's nodes. It joins texts, dissolves wrappers, and drops
// repetitions.
package build

import (
	"slices"
	"strings"

	"cove/internal/snapshot/document"
	"cove/internal/snapshot/item"
	"cove/internal/snapshot/role"
	"cove/internal/snapshot/text"
	"cove/internal/wording"
)

// Builder makes items from the nodes of a page. Set Props and Target, then call Root once.
type Builder struct {
	item.Props

	Target *document.Node // this node is never dissolved and shows its uid
	slab   []item.Item
	Made   int // how many items were made
	path   []*document.Doc
	Found  *item.Item // the item of Target

	open *item.Item // the text that the next text joins
	one  string
	raw  []byte // all parts of open, once there are two
}

func (b *Builder) newItem() *item.Item {
	if len(b.slab) == 0 {
		b.slab = make([]item.Item, 128)
	}
	it := &b.slab[0]
	b.slab = b.slab[1:]
	b.Made++
	return it
}

// Root makes the item of a document, with all items below it.
func (b *Builder) Root(d *document.Doc) *item.Item {
	b.seal()
	b.path = append(b.path, d)
	it := b.newItem()
	*it = item.Item{Doc: d, Node: d.Root, Class: role.Landmark, Role: "RootWebArea", Name: text.Clean(d.Title),
		ShowUID: d.Root.ID > 0}
	if it.Name == "" {
		it.Name = text.Clean(d.Root.Name)
	}
	it.URL = wording.Shorten(text.Clean(d.URL), 500)
	if strings.HasPrefix(d.URL, "data:") {
		it.URL = text.Squeeze(it.URL)
	}
	it.Act, it.Remark = d.Root.Act && it.ShowUID, text.Clean(d.Root.Desc)
	at := text.BaseOf(d.URL)
	it.Kids = b.children(d, at, d.Root)
	if d.Root == b.Target {
		b.Found = it
	}
	b.path = b.path[:len(b.path)-1]
	return it
}

func (b *Builder) children(d *document.Doc, at text.Base, n *document.Node) []*item.Item {
	if len(n.Kids) == 0 {
		return nil
	}
	list := make([]*item.Item, 0, min(len(n.Kids), 64))
	for _, k := range n.Kids {
		list = b.add(list, d, at, k)
	}
	b.seal()
	return b.tidy(list)
}

// add appends the item or items that stand for n to list, the items of its parent.
func (b *Builder) add(list []*item.Item, d *document.Doc, at text.Base, n *document.Node) []*item.Item {
	c := role.Of(n.Role)
	own := n.Act && n.ID > 0 || n == b.Target || n.Frame
	switch {
	case own:
	case c == role.Textual || c == role.Dropped || c == role.Breaks:
		return b.loose(list, d, at, n, c)
	case c == role.Inline && n.Name == "" && !b.Verbose:
		for _, k := range n.Kids {
			list = b.add(list, d, at, k)
		}
		return list
	}
	b.seal()
	it := b.newItem()
	*it = item.Item{Doc: d, Node: n, Class: c, Role: text.Word(n.Role), Name: text.Clean(n.Name), Act: n.Act &&
		n.ID > 0}
	if it.Role == "" {
		it.Role = "generic"
	}
	if c == role.Textual && it.Name == "" {
		it.Name = text.Clean(n.Text)
	}
	if n.URL != "" && (b.Verbose || c != role.Graphic) {
		if it.URL = at.Short(n.URL); !b.Verbose && text.LeadsNowhere(it.URL) {
			it.URL = ""
		}
	}
	it.Props = b.Of(n, it.Name)
	it.Kids = b.children(d, at, n)
	if n.Frame || c == role.Frame {
		it.Class = role.Frame
		b.frame(d, n, it)
	}
	it.ShowUID = n.ID > 0 && (it.Act || b.Verbose || n == b.Target || it.Class == role.Frame)
	if n == b.Target {
		b.Found = it
	}
	if b.Verbose {
		return append(list, it)
	}
	b.dedupe(it)
	return b.appendItem(list, it)
}

// loose adds a text, or an element without a line of its own. It still adds the element's children that agents can act
// on.
func (b *Builder) loose(list []*item.Item, d *document.Doc, at text.Base, n *document.Node, c role.Class) []*item.Item {
	switch {
	case c == role.Breaks && b.open != nil:
		b.join(" ")
	case c == role.Textual && n.Text != "":
		if n.Role == "text" {
			b.part(len(n.Text))
		}
		list = b.say(list, n.Text)
	case c == role.Textual && n.Name != "":
		list = b.say(list, n.Name)
	case c == role.Textual:
		for _, k := range n.Kids {
			list = b.add(list, d, at, k)
		}
		return list
	}
	for _, k := range n.Kids {
		if actable(k) {
			list = b.add(list, d, at, k)
		}
	}
	return list
}

func actable(n *document.Node) bool {
	if n.Act || n.Frame {
		return true
	}
	for _, k := range n.Kids {
		if actable(k) {
			return true
		}
	}
	return false
}

func (b *Builder) say(list []*item.Item, s string) []*item.Item {
	if b.open != nil {
		b.join(s)
		return list
	}
	it := b.newItem()
	it.Class, it.Role = role.Textual, "text"
	b.open, b.one, b.raw = it, s, b.raw[:0]
	return append(list, it)
}

// shortText is the length, in bytes, below which texts of several blocks share a line.
const shortText = 80

// part separates the text of a block from the open text. The walker ends a text only where a block ends.
func (b *Builder) part(length int) {
	switch {
	case b.open == nil:
	case max(len(b.one), len(b.raw))+length < shortText:
		b.join(" ")
	default:
		b.seal()
	}
}

func (b *Builder) join(s string) {
	if len(b.raw) == 0 {
		b.raw = append(b.raw, b.one...)
	}
	b.raw = append(b.raw, s...)
}

// seal ends the open text. The next text begins another item.
func (b *Builder) seal() {
	switch {
	case b.open == nil:
		return
	case len(b.raw) > 0:
		b.open.Text = text.CleanLines(string(b.raw))
	default:
		b.open.Text = text.CleanLines(b.one)
	}
	b.open, b.raw = nil, b.raw[:0]
}

// frame adds the document of an iframe to the iframe's item.
func (b *Builder) frame(d *document.Doc, n *document.Node, it *item.Item) {
	inner := d.Frames[n.ID]
	if inner != nil && inner.Root != nil {
		for _, outer := range b.path {
			if outer == inner {
				return
			}
		}
		it.Kids = append(it.Kids, b.Root(inner))
		return
	}
	if note := d.Unread[n.ID]; note != "" {
		it.Remark = text.Clean(note)
	} else if n.Frame {
		it.Remark = "its document could not be read"
	}
}

// appendItem appends an item. It appends only the child, or nothing, when the item itself says nothing.
func (b *Builder) appendItem(list []*item.Item, it *item.Item) []*item.Item {
	if it.Node != b.Target && !it.Act && it.Name == "" && (it.Class == role.Block || it.Class == role.Solo) &&
		len(it.Kids) == 1 &&
		it.Kids[0].Act &&
		repeated(it) {
		return append(list, it.Kids[0])
	}
	if it.Node == b.Target || it.Act || it.Class == role.Frame || it.URL != "" || len(it.Props) > 0 ||
		it.Name != "" && !it.Mute {
		return append(list, it)
	}
	switch {
	case len(it.Kids) == 0:
		return list
	case it.Class == role.Graphic, it.Class == role.Block || it.Class == role.Solo || it.Class == role.Inline:
		if len(it.Kids) == 1 {
			return append(list, it.Kids[0])
		}
		it.Soft = it.Class != role.Solo
	}
	return append(list, it)
}

// repeated reports whether the only child of an item says everything that the item says, such as a disabled button in a
// disabled cell.
func repeated(it *item.Item) bool {
	for _, p := range it.Props {
		if !slices.Contains(it.Kids[0].Props, p) {
			return false
		}
	}
	return it.URL == "" && it.Remark == ""
}
