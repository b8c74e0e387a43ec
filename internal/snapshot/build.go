package snapshot

import (
	"slices"
	"strings"

	"cove/internal/wording"
)

// builder makes items of the nodes of a page.
type builder struct {
	Props

	target *Node // is never dissolved and shows its uid
	slab   []item
	made   int // items
	path   []*Doc
	found  *item // the item of target

	open *item // the text that the next one joins
	one  string
	raw  []byte // all its parts, once there are two
}

func (b *builder) item() *item {
	if len(b.slab) == 0 {
		b.slab = make([]item, 128)
	}
	it := &b.slab[0]
	b.slab = b.slab[1:]
	b.made++
	return it
}

// root makes the item of a document.
func (b *builder) root(d *Doc) *item {
	b.seal()
	b.path = append(b.path, d)
	it := b.item()
	*it = item{doc: d, node: d.Root, class: landmark, role: "RootWebArea", name: Clean(d.Title), uid: d.Root.ID > 0}
	if it.name == "" {
		it.name = Clean(d.Root.Name)
	}
	it.url = wording.Shorten(Clean(d.URL), 500)
	if strings.HasPrefix(d.URL, "data:") {
		it.url = squeeze(it.url)
	}
	it.act, it.remark = d.Root.Act && it.uid, Clean(d.Root.Desc)
	at := baseOf(d.URL)
	it.kids = b.children(d, at, d.Root)
	if d.Root == b.target {
		b.found = it
	}
	b.path = b.path[:len(b.path)-1]
	return it
}

func (b *builder) children(d *Doc, at base, n *Node) []*item {
	if len(n.Kids) == 0 {
		return nil
	}
	list := make([]*item, 0, min(len(n.Kids), 64))
	for _, k := range n.Kids {
		list = b.add(list, d, at, k)
	}
	b.seal()
	return b.tidy(list)
}

// add appends what stands for n to the items of its parent.
func (b *builder) add(list []*item, d *Doc, at base, n *Node) []*item {
	c := classOf(n.Role)
	own := n.Act && n.ID > 0 || n == b.target || n.Frame
	switch {
	case own:
	case c == textual || c == dropped || c == breaks:
		return b.loose(list, d, at, n, c)
	case c == inline && n.Name == "" && !b.Verbose:
		for _, k := range n.Kids {
			list = b.add(list, d, at, k)
		}
		return list
	}
	b.seal()
	it := b.item()
	*it = item{doc: d, node: n, class: c, role: word(n.Role), name: Clean(n.Name), act: n.Act && n.ID > 0}
	if it.role == "" {
		it.role = "generic"
	}
	if c == textual && it.name == "" {
		it.name = Clean(n.Text)
	}
	if n.URL != "" && (b.Verbose || c != graphic) {
		if it.url = at.short(n.URL); !b.Verbose && leadsNowhere(it.url) {
			it.url = ""
		}
	}
	it.props = b.Of(n, it.name)
	it.kids = b.children(d, at, n)
	if n.Frame || c == frame {
		it.class = frame
		b.frame(d, n, it)
	}
	it.uid = n.ID > 0 && (it.act || b.Verbose || n == b.target || it.class == frame)
	if n == b.target {
		b.found = it
	}
	if b.Verbose {
		return append(list, it)
	}
	b.dedupe(it)
	return b.appendItem(list, it)
}

// loose adds a text, or an element without a line of its own. Its children that one can act on are added all the same.
func (b *builder) loose(list []*item, d *Doc, at base, n *Node, c class) []*item {
	switch {
	case c == breaks && b.open != nil:
		b.join(" ")
	case c == textual && n.Text != "":
		if n.Role == "text" {
			b.part(len(n.Text))
		}
		list = b.say(list, n.Text)
	case c == textual && n.Name != "":
		list = b.say(list, n.Name)
	case c == textual:
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

func actable(n *Node) bool {
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

func (b *builder) say(list []*item, s string) []*item {
	if b.open != nil {
		b.join(s)
		return list
	}
	it := b.item()
	it.class, it.role = textual, "text"
	b.open, b.one, b.raw = it, s, b.raw[:0]
	return append(list, it)
}

// shortText is what texts of several blocks may have together to share a line.
const shortText = 80

// part separates the text of a block from what was said before: the walker ends a text only where a block does.
func (b *builder) part(length int) {
	switch {
	case b.open == nil:
	case max(len(b.one), len(b.raw))+length < shortText:
		b.join(" ")
	default:
		b.seal()
	}
}

func (b *builder) join(s string) {
	if len(b.raw) == 0 {
		b.raw = append(b.raw, b.one...)
	}
	b.raw = append(b.raw, s...)
}

// seal ends the open text: what follows is another one.
func (b *builder) seal() {
	switch {
	case b.open == nil:
		return
	case len(b.raw) > 0:
		b.open.text = cleanLines(string(b.raw))
	default:
		b.open.text = cleanLines(b.one)
	}
	b.open, b.raw = nil, b.raw[:0]
}

// frame adds the document of an iframe to the iframe's item.
func (b *builder) frame(d *Doc, n *Node, it *item) {
	inner := d.Frames[n.ID]
	if inner != nil && inner.Root != nil {
		for _, outer := range b.path {
			if outer == inner {
				return
			}
		}
		it.kids = append(it.kids, b.root(inner))
		return
	}
	if note := d.Unread[n.ID]; note != "" {
		it.remark = Clean(note)
	} else if n.Frame {
		it.remark = "its document could not be read"
	}
}

// appendItem appends an item, or what remains of it when it says nothing itself.
func (b *builder) appendItem(list []*item, it *item) []*item {
	if it.node != b.target && !it.act && it.name == "" && (it.class == block || it.class == solo) && len(it.kids) == 1 &&
		it.kids[0].act &&
		repeated(it) {
		return append(list, it.kids[0])
	}
	if it.node == b.target || it.act || it.class == frame || it.url != "" || len(it.props) > 0 ||
		it.name != "" && !it.mute {
		return append(list, it)
	}
	switch {
	case len(it.kids) == 0:
		return list
	case it.class == graphic, it.class == block || it.class == solo || it.class == inline:
		if len(it.kids) == 1 {
			return append(list, it.kids[0])
		}
		it.soft = it.class != solo
	}
	return append(list, it)
}

// repeated reports whether the one thing in an item says all that the item does: a disabled button in a disabled cell.
func repeated(it *item) bool {
	for _, p := range it.props {
		if !slices.Contains(it.kids[0].props, p) {
			return false
		}
	}
	return it.url == "" && it.remark == ""
}
