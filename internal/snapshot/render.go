package snapshot

import (
	"errors"
	"fmt"
)

// DefaultTokens is the budget of a snapshot that names none.
//
// Clients cut an answer at 25,000 tokens as they count them.
const DefaultTokens = 20_000

// ErrNotFound is the cause when a uid is not on the page.
var ErrNotFound = errors.New("not on this page")

// Options say what of a page to write.
type Options struct {
	Number      int    // of this snapshot
	UID         string // only what is under this element
	Interactive bool   // only what one can act on, and what tells where it is
	MaxTokens   int    // 0: DefaultTokens; less than 200 counts as 200
	Query       string // only what holds these words, or "phrases"; Interactive and Verbose do not matter then
	Since       *Index // only what changed; Verbose does not matter then
	Shorter     bool   // what changed, unless all of the page is shorter or is another page
	Verbose     bool   // every node, with its uid and description, no tables
}

// Render writes a page for a model. The Index that it returns is what it has shown.
func Render(root *Doc, o Options) (string, *Index, error) {
	if root == nil || root.Root == nil {
		return "", nil, errors.New("the page has no document yet")
	}
	if o.Query != "" && o.Since != nil {
		return "", nil, errors.New("query and since cannot be used together: ask for one of them")
	}
	if o.MaxTokens <= 0 {
		o.MaxTokens = DefaultTokens
	}
	b := &builder{}
	v := &view{o: o, tree: b.root(root)}
	v.index, v.items = indexOf(v.tree, b.made, o.Number)
	if o.UID != "" {
		if v.target = find(root, o.UID); v.target == nil {
			return "", nil, fmt.Errorf(
				"uid %s is %w: take a new snapshot and use a uid from it",
				quoted(snip(clean(o.UID), 40)),
				ErrNotFound,
			)
		}
	}
	var text string
	switch {
	case o.Query != "":
		text = v.query()
	case o.Since != nil && o.Shorter:
		text = v.shorter()
	case o.Since != nil:
		text = v.since()
	default:
		text = v.whole("")
	}
	return text, v.index, nil
}

// view is one rendering on its way.
type view struct {
	o      Options
	target *Node // what was asked for, nil for everything
	tree   *item // the whole page
	index  *Index
	items  []*item // of the entries of index
}

// find is the node of a uid, in the document or its frames.
func find(d *Doc, uid string) *Node {
	label, id, ok := ParseUID(uid)
	if !ok {
		return nil
	}
	var found *Node
	eachDoc(d, func(d *Doc) {
		if d.Label == label && found == nil {
			found = d.Root.find(id)
		}
	})
	return found
}

func (n *Node) find(id int) *Node {
	if n.ID == id {
		return n
	}
	for _, k := range n.Kids {
		if f := k.find(id); f != nil {
			return f
		}
	}
	return nil
}

// eachDoc visits a document and those of its frames, once each.
func eachDoc(d *Doc, visit func(*Doc)) {
	seen := map[*Doc]bool{}
	var walk func(d *Doc)
	walk = func(d *Doc) {
		if d == nil || d.Root == nil || seen[d] {
			return
		}
		seen[d] = true
		visit(d)
		for _, f := range d.Frames {
			walk(f)
		}
	}
	walk(d)
}

// whole writes all that was asked for, as far as the budget goes.
func (v *view) whole(preface string) string {
	tree, top := v.scope()
	if v.o.Interactive {
		interactive(top)
	}
	survey(top)
	return v.fit(tree, top, preface)
}

// scope is the page, and the part of it that was asked for.
func (v *view) scope() (tree, top *item) {
	if !v.o.Verbose && v.target == nil {
		return v.tree, v.tree
	}
	b := &builder{verbose: v.o.Verbose, target: v.target}
	tree = b.root(v.tree.doc)
	link(tree)
	if b.found == nil {
		return tree, tree
	}
	return tree, b.found
}

// link sets the way up from every item.
func link(it *item) {
	for _, k := range it.kids {
		k.up = it
		link(k)
	}
}
