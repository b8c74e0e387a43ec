// Package snapshot writes the text of a page that an agent reads, from the trees that a script in the page, the walker,
// has made. Each package below it does one step of this.
package snapshot

import (
	"errors"
	"fmt"

	"cove/internal/snapshot/budget"
	"cove/internal/snapshot/build"
	"cove/internal/snapshot/diff"
	"cove/internal/snapshot/document"
	"cove/internal/snapshot/fold"
	"cove/internal/snapshot/index"
	"cove/internal/snapshot/interactive"
	"cove/internal/snapshot/item"
	"cove/internal/snapshot/search"
	"cove/internal/snapshot/text"
	"cove/internal/wording"
)

// DefaultTokens is the budget of a snapshot whose options set none.
//
// Clients cut an answer at 25,000 tokens by their own count.
const DefaultTokens = 20_000

// ErrNotFound is the cause of Render's error when a uid is not on the page.
var ErrNotFound = errors.New("not on this page")

// Options say which part of a page to write, and how.
type Options struct {
	Number      int          // the number of this snapshot
	UID         string       // only what is under this element
	Interactive bool         // only what agents can act on, and the context that says where it is
	MaxTokens   int          // 0: DefaultTokens; less than 200 counts as 200
	Query       string       // only what holds these words, or "phrases"; Interactive has no effect then
	Since       *index.Index // only what changed since this snapshot; Verbose has no effect on that
	Shorter     bool         // with Since: the whole page when that is shorter, or when it is another page
	Verbose     bool         // every node, with its uid and description, no tables
}

// Render writes a page for a model. It also returns the Index of the page, for the next snapshot.
func Render(root *document.Doc, o Options) (string, *index.Index, error) {
	if root == nil || root.Root == nil {
		return "", nil, errors.New("the page has no document yet")
	}
	if o.Query != "" && o.Since != nil {
		return "", nil, errors.New("query and since cannot be used together: ask for one of them")
	}
	if o.MaxTokens <= 0 {
		o.MaxTokens = DefaultTokens
	}

	b := &build.Builder{}
	v := &view{o: o, tree: b.Root(root)}
	v.index, v.items = index.Of(v.tree, b.Made, o.Number)
	if o.UID != "" {
		if v.target = root.Find(o.UID); v.target == nil {
			return "", nil, fmt.Errorf(
				"uid %s is %w: take a new snapshot and use a uid from it",
				text.Quoted(wording.Shorten(text.Clean(o.UID), 40)),
				ErrNotFound,
			)
		}
	}

	var page string
	switch {
	case o.Query != "":
		tree, top := v.scope()
		page = search.Write(tree, top, o.Query, o.Number, o.MaxTokens)
	case o.Since != nil && o.Shorter:
		page = diff.Shorter(v.changes())
	case o.Since != nil:
		page = diff.Since(v.changes())
	default:
		page = v.whole("")
	}
	return page, v.index, nil
}

// view is one call of Render.
type view struct {
	o      Options
	target *document.Node // the node of Options.UID, nil for the whole page
	tree   *item.Item     // the whole page
	index  *index.Index
	items  []*item.Item // the items of the entries of index
}

// changes returns the options for package diff.
func (v *view) changes() diff.Options {
	return diff.Options{
		Old: v.o.Since, New: v.index, Items: v.items, Tree: v.tree, Target: v.target,
		Interactive: v.o.Interactive, MaxTokens: v.o.MaxTokens, Whole: v.whole,
	}
}

// whole writes the page, or the part that was asked for, within the budget.
func (v *view) whole(preface string) string {
	tree, top := v.scope()
	if v.o.Interactive {
		interactive.Only(top)
	}
	fold.Survey(top)
	return budget.Fit(tree, top, budget.Options{
		Number: v.o.Number, MaxTokens: v.o.MaxTokens, Verbose: v.o.Verbose, Preface: preface,
	})
}

// scope returns the page and the part of it that was asked for.
func (v *view) scope() (tree, top *item.Item) {
	if !v.o.Verbose && v.target == nil {
		return v.tree, v.tree
	}
	b := &build.Builder{Props: item.Props{Verbose: v.o.Verbose}, Target: v.target}
	tree = b.Root(v.tree.Doc)
	item.Link(tree)
	if b.Found == nil {
		return tree, tree
	}
	return tree, b.Found
}
