package snapshot

import (
	"fmt"
	"slices"
	"strings"

	"cove/internal/wording"
)

// Options say what to compare and how to write it.
type diffOptions struct {
	Old, New    *Index
	Items       []*item // of the entries of New
	Tree        *item   // the page of New
	Target      *Node   // only what is under this node; nil: everything
	Interactive bool    // only what one can act on
	MaxTokens   int
	Whole       func(preface string) string // writes all of the page
}

// Since writes what changed, or all of the page with a word on it when that is nearly all.
func since(o diffOptions) string {
	c := compare(o.Old.entries, o.New.entries, o.Items)
	if c.most() {
		return o.Whole(fmt.Sprintf("Most of the page changed since snapshot %d, so this is all of it.\n", o.Old.Number))
	}

	d := newDiffer(c, o, false)
	w := &writer{}
	w.page(o.Tree, o.New.Number)
	if d.none() {
		w.say(fmt.Sprintf("Nothing changed since snapshot %d.", o.Old.Number))
		return w.String()
	}
	w.say(d.sum(o.Old.Number))
	return d.after(w, o.MaxTokens)
}

// fewLines is a page that is written twice to see which is shorter; of a longer one a few changes are shorter without a
// look.
const (
	fewLines   = 300
	lineTokens = 3 // at least, of a line
	// fewTokens is a page that is written as a whole when things have changed their order: it shows best which is where.
	fewTokens = 2000
)

// Shorter writes what changed where that is shorter than the page, and then without the page's own line and without
// what is no longer so.
func shorter(o diffOptions) string {
	c := compare(o.Old.entries, o.New.entries, o.Items)
	if c.oldOf[0] < 0 {
		return o.Whole("")
	}

	d := newDiffer(c, o, true)
	w := &writer{}
	if d.none() {
		w.say(fmt.Sprintf("Nothing changed since snapshot %d.", o.Old.Number))
		return w.String()
	}
	w.say(fmt.Sprintf("%s This is snapshot %d.", d.sum(o.Old.Number), o.New.Number))
	changes := d.after(w, o.MaxTokens)
	cost := tokens(changes)
	if len(c.cur) > fewLines && !d.moved && cost < lineTokens*len(c.cur) {
		return changes
	}
	if all := o.Whole(""); tokens(all) <= cost || d.moved && tokens(all) <= fewTokens {
		return all
	}
	return changes
}

// newDiffer returns a differ that has written what changed.
func newDiffer(c *change, o diffOptions, brief bool) *differ {
	d := &differ{
		change: c,
		writer: &writer{budget: max(o.MaxTokens, leastTokens) - hintTokens, under: headingsOf(o.Tree)},
		only:   o.Interactive,
		brief:  brief,
	}
	if o.Target != nil {
		d.scope = o.Tree.doc.Under(o.Target)
	}
	survey(o.Tree)
	d.own(o.Tree)
	d.visit(o.Tree.kids)
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

// after puts the changes after what w has said.
func (d *differ) after(w *writer, budget int) string {
	w.b = append(w.b, d.b...)
	if d.skipped > 0 {
		w.say(
			fmt.Sprintf(
				"… %d more changes have no room within maxTokens=%d: take_snapshot without since shows everything.",
				d.skipped,
				budget,
			),
		)
	}
	return w.String()
}

// differ writes a change.
type differ struct {
	*change
	*writer
	scope   map[*Node]bool // nil: everywhere
	only    bool           // only what one can act on
	skipped int
	brief   bool // what is no longer so is left out
	moved   bool // something stands in another order

	plusses, changes, losses int // in what was asked for
}

// visit goes through siblings; those that are new as a whole are written as a page would be.
func (d *differ) visit(list []*item) {
	for i := 0; i < len(list); i++ {
		it := list[i]
		if n := d.fresh(list[i:]); n > 0 {
			d.plus(list[i : i+n])
			i += n - 1
			continue
		}
		if !it.soft {
			d.own(it)
		}
		d.visit(it.kids)
	}
}

// fresh counts the siblings at the start of list of which everything is new.
func (d *differ) fresh(list []*item) int {
	n := 0
	for n < len(list) && d.allNew(list[n]) {
		n++
	}
	return n
}

func (d *differ) allNew(it *item) bool {
	if !it.soft && d.oldOf[d.index[it]] >= 0 {
		return false
	}
	for _, k := range it.kids {
		if !d.allNew(k) {
			return false
		}
	}
	return true
}

// inScope reports whether an item is in the part of the page that was asked for.
func (d *differ) inScope(it *item) bool {
	if d.scope == nil {
		return true
	}
	for ; it != nil; it = it.up {
		if it.node != nil {
			return d.scope[it.node]
		}
	}
	return false
}

// room reports whether there is room for one more change, and says where it is. Of a change inside an item, in is that
// item.
func (d *differ) room(it, in *item) bool {
	if d.full() {
		d.skipped++
		return false
	}
	if in != nil {
		it = &item{up: in}
		d.under[it] = d.under[in]
	}
	d.where(it)
	return true
}

func (d *differ) plus(list []*item) {
	if !d.inScope(list[0]) || d.only && !anyAct(list) {
		return
	}
	for _, it := range list {
		d.plusses += inside(it)
		if !it.soft {
			d.plusses++
		}
	}
	if !d.room(list[0], nil) {
		return
	}
	l := &layout{limit: maxText, fold: true}
	l.list(list, 0, -1)
	for i, n := range l.lines {
		if i > 0 && d.full() {
			d.skipped++
			d.say(fmt.Sprintf(" + … %d more lines", len(l.lines)-i))
			return
		}
		d.b = append(d.b, " + "...)
		for range n.depth {
			d.b = append(d.b, ' ')
		}
		d.b = append(append(d.b, l.buf[n.from:n.to]...), '\n')
	}
}

// own writes what happened to an item itself, and what is gone from it.
func (d *differ) own(it *item) {
	if !d.inScope(it) {
		return
	}
	i := d.index[it]
	j := d.oldOf[i]
	switch {
	case d.only && !it.act:
	case j < 0:
		d.plusses++
		if d.room(it, nil) {
			d.sign('+', it, "")
		}
	case differs(d.old[j].line, d.cur[i].line):
		d.changes++
		if d.room(it, nil) {
			d.sign('~', it, d.was(d.old[j].line, d.cur[i].line, it.node == nil))
		}
	}
	if j >= 0 {
		d.minus(it, j)
		d.reorder(it, i, j)
	}
}

func (d *differ) sign(sign byte, it *item, suffix string) {
	d.b = append(d.b, ' ', sign, ' ')
	d.b = append(append(it.appendLine(d.b, maxText), suffix...), '\n')
}

// maxGone is how much is shown of a line that is gone.
const maxGone = 100

// minus writes what is gone from an item that is still there.
func (d *differ) minus(it *item, old int) {
	var gone []int
	for _, j := range d.olds[old] {
		if d.newOf[j] < 0 && (!d.only || d.old[j].act) {
			gone = append(gone, j)
			d.losses += 1 + d.lost(j)
		}
	}
	if len(gone) == 0 || !d.room(nil, it) {
		return
	}
	for n, j := range gone {
		if n == 4 && len(gone) > 6 {
			d.say(fmt.Sprintf(" - … %d more", len(gone)-n))
			return
		}
		line := clip(d.old[j].line, maxGone)
		d.b = append(append(d.b, " - "...), line...)
		if n := d.lost(j); n > 0 {
			d.b = fmt.Appendf(d.b, " (and %d inside%s)", n, d.sample(j))
		}
		d.b = append(d.b, '\n')
	}
}

// sample describes a container that has no name by the first lines that were in it.
func (d *differ) sample(old int) string {
	if d.old[old].name != "" {
		return ""
	}
	var lines []string
	for _, j := range d.olds[old][:min(3, len(d.olds[old]))] {
		lines = append(lines, clip(d.old[j].line, 60))
	}
	return ": " + strings.Join(lines, ", ")
}

func (d *differ) lost(old int) int {
	n := 0
	for _, j := range d.olds[old] {
		if d.newOf[j] < 0 {
			n += 1 + d.lost(j)
		}
	}
	return n
}

// reorder says when the children that stayed stand in another order.
func (d *differ) reorder(it *item, cur, old int) {
	last, moved := -1, false
	var names []string
	for _, i := range d.kids[cur] {
		j := d.oldOf[i]
		if j < 0 || !d.same[i] || d.old[j].parent != old {
			continue
		}
		moved = moved || j < last
		last = j
		if len(names) < 30 {
			names = append(names, short(d.items[i]))
		}
	}
	if !moved {
		return
	}
	d.moved = true
	d.changes++
	if d.room(nil, it) {
		d.say(" ~ the order in " + it.role + " is now: " + strings.Join(names, ", "))
	}
}

func short(it *item) string {
	switch text := lead(it); {
	case it.uid:
		return string(it.appendUID(nil))
	case it.label() != "":
		return quoted(wording.Shorten(it.label(), 30))
	case text != nil:
		return quoted(wording.Shorten(text.label(), 30))
	}
	for _, k := range it.kids { // a row of cells
		if k.label() != "" {
			return quoted(wording.Shorten(k.label(), 30))
		}
	}
	return it.role
}

// was lists what stood on the old line and stands no longer.
func (d *differ) was(old, cur string, text bool) string {
	if d.brief {
		return ""
	}
	if text {
		return " (was " + clip(old, 120) + ")"
	}
	now := parts(cur)
	var gone []string
	for _, p := range parts(old) {
		if !slices.Contains(now, p) {
			gone = append(gone, clip(p, 120))
		}
	}
	if len(gone) == 0 {
		return ""
	}
	return " (was " + strings.Join(gone, " ") + ")"
}
