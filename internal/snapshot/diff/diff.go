// Package diff writes what changed on a page since an earlier snapshot.
package diff

import (
	"fmt"
	"slices"
	"strings"

	"cove/internal/snapshot/document"
	"cove/internal/snapshot/excerpt"
	"cove/internal/snapshot/fold"
	"cove/internal/snapshot/index"
	"cove/internal/snapshot/item"
	"cove/internal/snapshot/layout"
	"cove/internal/snapshot/text"
	"cove/internal/snapshot/tokens"
	"cove/internal/wording"
)

// Options say what to compare and how to write it.
type Options struct {
	Old, New    *index.Index
	Items       []*item.Item   // the items of the entries of New
	Tree        *item.Item     // the page that New is of
	Target      *document.Node // only what is under this node; nil for the whole page
	Interactive bool           // only what agents can act on
	MaxTokens   int
	Whole       func(preface string) string // writes the whole page
}

// Since writes what changed. When most of the page changed, it writes the whole page and says so.
func Since(o Options) string {
	c := index.Compare(o.Old.Entries, o.New.Entries, o.Items)
	if c.Most() {
		return o.Whole(fmt.Sprintf("Most of the page changed since snapshot %d, so this is all of it.\n", o.Old.Number))
	}

	d := newDiffer(c, o, false)
	w := &excerpt.Writer{}
	w.Page(o.Tree, o.New.Number)
	if d.none() {
		w.Say(fmt.Sprintf("Nothing changed since snapshot %d.", o.Old.Number))
		return w.String()
	}
	w.Say(d.sum(o.Old.Number))
	return d.after(w, o.MaxTokens)
}

// fewLines is the number of lines up to which Shorter writes both the changes and the page to see which is shorter. For
// a longer page, it compares a few changes only with an estimate.
const (
	fewLines  = 300
	minTokens = 3 // the least that a line of the page costs, for that estimate
	// fewTokens is the cost up to which Shorter writes the whole page when items have changed their order: the page
	// shows the new order best.
	fewTokens = 2000
)

// Shorter writes what changed, or the whole page when that is shorter. It writes changes without the page's own line
// and without old values.
func Shorter(o Options) string {
	c := index.Compare(o.Old.Entries, o.New.Entries, o.Items)
	if c.OldOf[0] < 0 {
		return o.Whole("")
	}

	d := newDiffer(c, o, true)
	w := &excerpt.Writer{}
	if d.none() {
		w.Say(fmt.Sprintf("Nothing changed since snapshot %d.", o.Old.Number))
		return w.String()
	}
	w.Say(fmt.Sprintf("%s This is snapshot %d.", d.sum(o.Old.Number), o.New.Number))
	changes := d.after(w, o.MaxTokens)
	cost := tokens.Count(changes)
	if len(c.New) > fewLines && !d.moved && cost < minTokens*len(c.New) {
		return changes
	}
	if all := o.Whole(""); tokens.Count(all) <= cost || d.moved && tokens.Count(all) <= fewTokens {
		return all
	}
	return changes
}

// newDiffer returns a differ that has written the changes to its buffer.
func newDiffer(c *index.Change, o Options, brief bool) *differ {
	d := &differ{
		Change: c,
		Writer: &excerpt.Writer{Budget: max(o.MaxTokens, tokens.Least) - tokens.Hint, Headings: item.Headings(o.Tree)},
		only:   o.Interactive,
		brief:  brief,
	}
	if o.Target != nil {
		d.scope = o.Tree.Doc.Under(o.Target)
	}
	fold.Survey(o.Tree)
	d.own(o.Tree)
	d.visit(o.Tree.Kids)
	return d
}

func (d *differ) none() bool { return d.plusses+d.changes+d.losses == 0 }

func (d *differ) sum(number int) string {
	var counts []string
	for _, c := range []struct {
		n    int
		what string
	}{{d.plusses, "+ %d added"}, {d.changes, "~ %d changed"}, {d.losses, "- %d removed"}} {
		if c.n > 0 {
			counts = append(counts, fmt.Sprintf(c.what, c.n))
		}
	}
	return fmt.Sprintf("Since snapshot %d: %s.", number, strings.Join(counts, ", "))
}

// after appends the changes to the text of w and returns all of it.
func (d *differ) after(w *excerpt.Writer, budget int) string {
	w.Buf = append(w.Buf, d.Buf...)
	if d.skipped > 0 {
		w.Say(
			fmt.Sprintf(
				"… %d more changes have no room within maxTokens=%d: take_snapshot without since shows everything.",
				d.skipped,
				budget,
			),
		)
	}
	return w.String()
}

// differ writes the differences of a Change.
type differ struct {
	*index.Change
	*excerpt.Writer
	scope   map[*document.Node]bool // nil for the whole page
	only    bool                    // only what agents can act on
	skipped int
	brief   bool // old values are left out
	moved   bool // some items stand in another order

	plusses, changes, losses int // counted in the scope only
}

// visit writes the changes in siblings. It writes siblings that are wholly new as a page would show them.
func (d *differ) visit(list []*item.Item) {
	for i := 0; i < len(list); i++ {
		it := list[i]
		if n := d.fresh(list[i:]); n > 0 {
			d.plus(list[i : i+n])
			i += n - 1
			continue
		}
		if !it.Soft {
			d.own(it)
		}
		d.visit(it.Kids)
	}
}

// fresh counts the siblings at the start of list that are wholly new.
func (d *differ) fresh(list []*item.Item) int {
	n := 0
	for n < len(list) && d.allNew(list[n]) {
		n++
	}
	return n
}

func (d *differ) allNew(it *item.Item) bool {
	if !it.Soft && d.OldOf[d.IndexOf[it]] >= 0 {
		return false
	}
	for _, k := range it.Kids {
		if !d.allNew(k) {
			return false
		}
	}
	return true
}

// inScope reports whether an item is in the part of the page that was asked for.
func (d *differ) inScope(it *item.Item) bool {
	if d.scope == nil {
		return true
	}
	for ; it != nil; it = it.Parent {
		if it.Node != nil {
			return d.scope[it.Node]
		}
	}
	return false
}

// room reports whether there is room for one more change, and writes where the change is: at the item it, or inside the
// item in, if in is not nil.
func (d *differ) room(it, in *item.Item) bool {
	if d.Full() {
		d.skipped++
		return false
	}
	if in != nil {
		it = &item.Item{Parent: in}
		d.Headings[it] = d.Headings[in]
	}
	d.Where(it)
	return true
}

func (d *differ) plus(list []*item.Item) {
	if !d.inScope(list[0]) || d.only && !item.AnyAct(list) {
		return
	}
	for _, it := range list {
		d.plusses += item.Inside(it)
		if !it.Soft {
			d.plusses++
		}
	}
	if !d.room(list[0], nil) {
		return
	}
	l := &layout.Layout{Limit: text.MaxText, Fold: true}
	l.List(list, 0, -1)
	for i, n := range l.Lines {
		if i > 0 && d.Full() {
			d.skipped++
			d.Say(fmt.Sprintf(" + … %d more lines", len(l.Lines)-i))
			return
		}
		d.Buf = append(d.Buf, " + "...)
		for range n.Depth {
			d.Buf = append(d.Buf, ' ')
		}
		d.Buf = append(append(d.Buf, l.Buf[n.From:n.To]...), '\n')
	}
}

// own writes how an item itself changed, and what is gone from it.
func (d *differ) own(it *item.Item) {
	if !d.inScope(it) {
		return
	}
	i := d.IndexOf[it]
	j := d.OldOf[i]
	switch {
	case d.only && !it.Act:
	case j < 0:
		d.plusses++
		if d.room(it, nil) {
			d.sign('+', it, "")
		}
	case index.Differs(d.Old[j].Text, d.New[i].Text):
		d.changes++
		if d.room(it, nil) {
			d.sign('~', it, d.was(d.Old[j].Text, d.New[i].Text, it.Node == nil))
		}
	}
	if j >= 0 {
		d.minus(it, j)
		d.reorder(it, i, j)
	}
}

func (d *differ) sign(sign byte, it *item.Item, suffix string) {
	d.Buf = append(d.Buf, ' ', sign, ' ')
	d.Buf = append(append(it.AppendLine(d.Buf, text.MaxText), suffix...), '\n')
}

// maxGone is how many bytes of a line that is gone are shown.
const maxGone = 100

// minus writes what is gone from an item that is still there.
func (d *differ) minus(it *item.Item, old int) {
	var gone []int
	for _, j := range d.OldKids[old] {
		if d.NewOf[j] < 0 && (!d.only || d.Old[j].Act) {
			gone = append(gone, j)
			d.losses += 1 + d.lost(j)
		}
	}
	if len(gone) == 0 || !d.room(nil, it) {
		return
	}
	for n, j := range gone {
		if n == 4 && len(gone) > 6 {
			d.Say(fmt.Sprintf(" - … %d more", len(gone)-n))
			return
		}
		line := text.Clip(d.Old[j].Text, maxGone)
		d.Buf = append(append(d.Buf, " - "...), line...)
		if n := d.lost(j); n > 0 {
			d.Buf = fmt.Appendf(d.Buf, " (and %d inside%s)", n, d.sample(j))
		}
		d.Buf = append(d.Buf, '\n')
	}
}

// sample describes a container that has no name by the first lines that were in it.
func (d *differ) sample(old int) string {
	if d.Old[old].Name != "" {
		return ""
	}
	var lines []string
	for _, j := range d.OldKids[old][:min(3, len(d.OldKids[old]))] {
		lines = append(lines, text.Clip(d.Old[j].Text, 60))
	}
	return ": " + strings.Join(lines, ", ")
}

func (d *differ) lost(old int) int {
	n := 0
	for _, j := range d.OldKids[old] {
		if d.NewOf[j] < 0 {
			n += 1 + d.lost(j)
		}
	}
	return n
}

// reorder writes the new order of the children that stayed, if it changed.
func (d *differ) reorder(it *item.Item, cur, old int) {
	last, moved := -1, false
	var names []string
	for _, i := range d.Kids[cur] {
		j := d.OldOf[i]
		if j < 0 || !d.Same[i] || d.Old[j].Parent != old {
			continue
		}
		moved = moved || j < last
		last = j
		if len(names) < 30 {
			names = append(names, short(d.Items[i]))
		}
	}
	if !moved {
		return
	}
	d.moved = true
	d.changes++
	if d.room(nil, it) {
		d.Say(" ~ the order in " + it.Role + " is now: " + strings.Join(names, ", "))
	}
}

func short(it *item.Item) string {
	switch first := item.Lead(it); {
	case it.ShowUID:
		return string(it.AppendUID(nil))
	case it.Label() != "":
		return text.Quoted(wording.Shorten(it.Label(), 30))
	case first != nil:
		return text.Quoted(wording.Shorten(first.Label(), 30))
	}
	for _, k := range it.Kids { // a row of cells
		if k.Label() != "" {
			return text.Quoted(wording.Shorten(k.Label(), 30))
		}
	}
	return it.Role
}

// was returns a note that lists what stood on the old line and no longer does.
func (d *differ) was(old, cur string, isText bool) string {
	if d.brief {
		return ""
	}
	if isText {
		return " (was " + text.Clip(old, 120) + ")"
	}
	now := text.Parts(cur)
	var gone []string
	for _, p := range text.Parts(old) {
		if !slices.Contains(now, p) {
			gone = append(gone, text.Clip(p, 120))
		}
	}
	if len(gone) == 0 {
		return ""
	}
	return " (was " + strings.Join(gone, " ") + ")"
}
