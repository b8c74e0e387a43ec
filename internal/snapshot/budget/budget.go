// Package budget writes a page within a budget of tokens. It leaves out what an agent misses least, and says so.
package budget

import (
	"cove/internal/snapshot/fold"
	"cove/internal/snapshot/item"
	"cove/internal/snapshot/layout"
	"cove/internal/snapshot/role"
	"cove/internal/snapshot/text"
	"cove/internal/snapshot/tokens"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	moreTokens = 40 // the cost of a MoreLine, about
)

// span is the run of lines that are the rows of one table.
type span struct {
	first, n int
	acts     bool
	costs    []int // costs[k] is the cost of the first k rows
}

// Options say how a page is written.
type Options struct {
	Number    int    // the number of the snapshot
	MaxTokens int    // the budget
	Verbose   bool   // no tables
	Preface   string // text before the page
}

// Fit writes a page, or only its part top, and leaves out what has no room, beginning with what an agent misses least.
func Fit(tree, top *item.Item, o Options) string {
	budget := max(o.MaxTokens, tokens.Least) - tokens.Count(o.Preface)
	missing := tree.Doc.Missing()
	if missing > 0 {
		budget -= 20
	}
	tree.Props = append([]string{"snapshot=" + strconv.Itoa(o.Number)}, tree.Props...)
	t := &trimmer{Layout: lay(tree, top, o.Verbose, text.MaxText, false), budget: budget}
	full := t.Cost()
	over := full > budget
	if over {
		t.budget -= tokens.Hint
		for _, limit := range []int{600, 240, 80} {
			if longest(top) > limit && t.Cost() > t.budget {
				t.Layout = lay(tree, top, o.Verbose, limit, false)
			}
		}
		if t.trim(top); t.Flows > 0 && t.acts > 0 { // the text between links goes before any link does
			t = &trimmer{Layout: lay(tree, top, o.Verbose, 80, true), budget: t.budget}
			t.trim(top)
		}
	}
	text := string(t.AppendTo([]byte(o.Preface)))
	if over {
		text += t.omissions(o.MaxTokens, full, longest(top))
	}
	if missing > 0 {
		text += fmt.Sprintf(
			"The page is larger than what was read of it: %d nodes are missing here; "+
				"query=\"words\" searches them too.\n",
			missing,
		)
	}
	return text
}

func longest(it *item.Item) int {
	n := len(it.Label())
	for _, k := range it.Kids {
		n = max(n, longest(k))
	}
	return n
}

// lay lays out the line of the page, a line that says where top is in it, and top.
func lay(tree, top *item.Item, verbose bool, limit int, terse bool) *layout.Layout {
	l := &layout.Layout{Limit: limit, Fold: !verbose, Terse: terse}
	if top == tree {
		l.Item(top, 0, -1)
		return l
	}
	l.Buf = tree.AppendLine(l.Buf, limit)
	l.Add(layout.Line{Item: tree, Parent: -1}, 0)
	if w := item.Where(top, nil); w != "" {
		from := len(l.Buf)
		l.Buf = append(append(l.Buf, "in: "...), w...)
		l.Add(layout.Line{Kind: layout.HeadLine, Depth: 1, Parent: 0}, from)
	}
	l.Item(top, 1, 0)
	return l
}

// trimmer removes lines until the rest fits.
type trimmer struct {
	*layout.Layout
	budget int
	first  int // the first line that may go
	spans  []span

	texts, rows, nodes int // how many of each are gone
	acts               int // elements that agents could act on that are gone, without those that cutRows removed
}

// trim leaves out rows in the middle of long tables, then texts, then more rows, then whatever is lowest on the page.
func (t *trimmer) trim(top *item.Item) {
	if t.Cost() <= t.budget {
		return
	}
	t.first = 1 + slices.IndexFunc(t.Lines, func(n layout.Line) bool { return n.Item == top })
	t.findSpans()
	t.texts = t.Muted
	over := t.Cost() - t.budget
	mostPlain := t.search(over, fold.MinRun, func(k int) int { return t.saved(k, 1<<30) })
	mostActs := t.search(over, 20, func(k int) int { return t.saved(mostPlain, k) })
	if over -= t.saved(mostPlain, mostActs); over > 0 {
		over -= t.drop(over, func(n *layout.Line) bool { return n.Kind == layout.TextLine })
	}
	if over > 0 {
		over += t.saved(mostPlain, mostActs)
		mostActs = t.search(over, 4, func(k int) int { return t.saved(mostPlain, k) })
	}
	t.cutRows(mostPlain, mostActs)
	for range 50 {
		t.mark()
		if over = t.Cost() - t.budget; over <= 0 {
			break
		}
		if t.drop(over, func(n *layout.Line) bool { return n.Item == nil || n.Item.Class != role.Landmark }) < over {
			t.drop(over, func(*layout.Line) bool { return true })
		}
	}
}

func (t *trimmer) findSpans() {
	for i := 0; i < len(t.Lines); i++ {
		if t.Lines[i].Run == 0 {
			continue
		}
		s := span{first: i, costs: []int{0}}
		for i < len(t.Lines) && t.Lines[i].Run == t.Lines[s.first].Run {
			s.acts = s.acts || t.Lines[i].Acts > 0
			s.costs = append(s.costs, s.costs[s.n]+t.Lines[i].Cost)
			s.n++
			i++
		}
		i--
		t.spans = append(t.spans, s)
	}
}

// ends returns how many rows stay at the top and at the end when k rows may stay. All rows stay when the cut would save
// nothing.
func (s span) ends(k int) (head, tail int) {
	if k >= s.n-1 {
		return s.n, 0
	}
	head, tail = k-k/3, k/3
	if s.costs[s.n-tail]-s.costs[head] <= moreTokens {
		return s.n, 0
	}
	return head, tail
}

// saved returns how many tokens cutting the spans saves, when at most plain rows stay in each span without elements to
// act on, and acts rows in the others.
func (t *trimmer) saved(plain, acts int) int {
	sum := 0
	for _, s := range t.spans {
		k := plain
		if s.acts {
			k = acts
		}
		if head, tail := s.ends(k); head < s.n {
			sum += s.costs[s.n-tail] - s.costs[head] - moreTokens
		}
	}
	return sum
}

// search returns the greatest number of rows that may stay so that at least over tokens are saved. It returns no less
// than least.
func (t *trimmer) search(over, least int, saved func(int) int) int {
	low, high := least, least
	for _, s := range t.spans {
		high = max(high, s.n)
	}
	if over <= 0 || saved(high) >= over {
		return high
	}
	for low < high {
		mid := (low + high + 1) / 2
		if saved(mid) >= over {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return low
}

func (t *trimmer) cutRows(plain, acts int) {
	for _, s := range t.spans {
		k := plain
		if s.acts {
			k = acts
		}
		head, tail := s.ends(k)
		if head == s.n {
			continue
		}
		gone := s.n - head - tail
		t.rows += gone
		for i := s.first + head; i < s.first+s.n-tail; i++ {
			t.Lines[i].Gone, t.Lines[i].Counted = true, true
		}
		n := &t.Lines[s.first+head]
		n.Gone, n.Counted, n.Kind, n.Acts = false, false, layout.MoreLine, 0
		from := len(t.Buf)
		t.Buf = fmt.Appendf(t.Buf, "… %d more rows (", gone)
		if owner := t.owner(n.Parent); owner >= 0 {
			t.Lines[owner].Item.ShowUID = true
			t.rewrite(owner, "")
			from = len(t.Buf)
			t.Buf = fmt.Appendf(t.Buf, "… %d more rows (take_snapshot uid=%s maxTokens=%d or ", gone,
				t.Lines[owner].Item.AppendUID(nil), round(s.costs[s.n]*11/10+500))
		}
		t.Buf = append(t.Buf, "query=… shows them)"...)
		n.From, n.To = from, len(t.Buf)
		n.Cost = tokens.Count(t.Buf[from:]) + 1
	}
}

func round(n int) int { return (n + 999) / 1000 * 1000 }

// owner returns the nearest line, from i upward, that stands for an element with a uid, or -1.
func (t *trimmer) owner(i int) int {
	for ; i >= 0; i = t.Lines[i].Parent {
		if it := t.Lines[i].Item; it != nil && it.Node != nil && it.Node.ID > 0 {
			return i
		}
	}
	return -1
}

func (t *trimmer) rewrite(i int, suffix string) {
	n := &t.Lines[i]
	n.From = len(t.Buf)
	t.Buf = append(n.Item.AppendLine(t.Buf, t.Limit), suffix...)
	n.To = len(t.Buf)
	n.Cost = tokens.Count(t.Buf[n.From:]) + 1
}

// drop removes lines that have nothing below them, from the end of the page upward, until over tokens are saved. It
// returns how many it saved.
func (t *trimmer) drop(over int, may func(*layout.Line) bool) int {
	below := make([]int, len(t.Lines))
	for i := range t.Lines {
		if n := &t.Lines[i]; !n.Gone && n.Parent >= 0 {
			below[n.Parent]++
		}
	}
	saved := 0
	for i := len(t.Lines) - 1; i >= t.first && saved < over; i-- {
		n := &t.Lines[i]
		if n.Gone || below[i] > 0 || !may(n) {
			continue
		}
		n.Gone = true
		saved += n.Cost
		t.acts += n.Acts
		switch n.Kind {
		case layout.TextLine:
			t.texts++
		case layout.RowLine:
			t.rows++
		case layout.NodeLine:
			t.nodes++
		}
		if n.Parent >= 0 {
			below[n.Parent]--
		}
	}
	return saved
}

// mark adds to the lines of containers how much of their content is missing.
func (t *trimmer) mark() {
	missing := map[int]int{}
	for i := range t.Lines {
		n := &t.Lines[i]
		if !n.Gone || n.Counted {
			continue
		}
		at := n.Parent
		for at >= 0 && (t.Lines[at].Gone || t.Lines[at].Item == nil) {
			at = t.Lines[at].Parent
		}
		if at > 0 {
			missing[at] += max(n.Nodes, 1)
		}
	}
	for at, n := range missing {
		it := t.Lines[at].Item
		it.ShowUID = it.ShowUID || it.Node != nil && it.Node.ID > 0
		t.rewrite(at, fmt.Sprintf(" (… %d more)", n))
	}
}

// omissions says what was left out and how to get it.
func (t *trimmer) omissions(budget, full, long int) string {
	var gone []string
	for _, g := range []struct {
		n         int
		one, many string
	}{{t.texts, "text", "texts"}, {t.rows, "row", "rows"}, {t.nodes, "other node", "other nodes"}} {
		if g.n > 0 {
			gone = append(gone, text.Count(g.n, g.one, g.many))
		}
	}
	if t.Terse {
		gone = append(gone, "the text between links")
	}
	if t.Limit < long {
		gone = append(gone, "the rest of long texts")
	}
	return fmt.Sprintf(
		"Left out to stay within maxTokens=%d: %s. More: take_snapshot with uid=… of a part, query=\"words\", "+
			"interactiveOnly=true or maxTokens=%d.\n",
		budget,
		strings.Join(gone, ", "),
		round(full*11/10+200),
	)
}
