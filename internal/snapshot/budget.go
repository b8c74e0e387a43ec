package snapshot

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	moreTokens = 40 // for a line that stands for rows
)

// span is a run of rows in the lines.
type span struct {
	first, n int
	acts     bool
	costs    []int // of the first k rows
}

// Options say how a page is written.
type fitOptions struct {
	Number    int    // of the snapshot
	MaxTokens int    // the budget
	Verbose   bool   // no tables
	Preface   string // goes before the page
}

// Fit writes a page, or top of it, and leaves out what has no room, where it hurts least.
func fit(tree, top *item, o fitOptions) string {
	budget := max(o.MaxTokens, leastTokens) - tokens(o.Preface)
	missing := tree.doc.Missing()
	if missing > 0 {
		budget -= 20
	}
	tree.props = append([]string{"snapshot=" + strconv.Itoa(o.Number)}, tree.props...)
	t := &trimmer{layout: lay(tree, top, o.Verbose, maxText, false), budget: budget}
	full := t.cost()
	over := full > budget
	if over {
		t.budget -= hintTokens
		for _, limit := range []int{600, 240, 80} {
			if longest(top) > limit && t.cost() > t.budget {
				t.layout = lay(tree, top, o.Verbose, limit, false)
			}
		}
		if t.trim(top); t.flows > 0 && t.acts > 0 { // before a link goes, the text around the others does
			t = &trimmer{layout: lay(tree, top, o.Verbose, 80, true), budget: t.budget}
			t.trim(top)
		}
	}
	text := string(t.appendTo([]byte(o.Preface)))
	if over {
		text += t.omissions(o.MaxTokens, full, longest(top))
	}
	if missing > 0 {
		text += fmt.Sprintf(
			"The page is larger than what was read of it: %d nodes are missing here; query=\"words\" searches them too.\n",
			missing,
		)
	}
	return text
}

func longest(it *item) int {
	n := len(it.label())
	for _, k := range it.kids {
		n = max(n, longest(k))
	}
	return n
}

// lay writes the line of the page, where top is in it, and top.
func lay(tree, top *item, verbose bool, limit int, terse bool) *layout {
	l := &layout{limit: limit, fold: !verbose, terse: terse}
	if top == tree {
		l.one(top, 0, -1)
		return l
	}
	l.buf = tree.appendLine(l.buf, limit)
	l.add(line{item: tree, parent: -1}, 0)
	if w := where(top, nil); w != "" {
		from := len(l.buf)
		l.buf = append(append(l.buf, "in: "...), w...)
		l.add(line{kind: headLine, depth: 1, parent: 0}, from)
	}
	l.one(top, 1, 0)
	return l
}

// trimmer removes lines until the rest fits.
type trimmer struct {
	*layout
	budget int
	first  int // lines before it stay
	spans  []span

	texts, rows, nodes int // what is gone
	acts               int // elements among it that one could act on, rows in the middle of a run apart
}

// trim leaves out rows in the middle of long runs, then texts, then more rows, then whatever is lowest on the page.
func (t *trimmer) trim(top *item) {
	if t.cost() <= t.budget {
		return
	}
	t.first = 1 + slices.IndexFunc(t.lines, func(n line) bool { return n.item == top })
	t.findSpans()
	t.texts = t.mute
	over := t.cost() - t.budget
	mostPlain := t.search(over, minRun, func(k int) int { return t.saved(k, 1<<30) })
	mostActs := t.search(over, 20, func(k int) int { return t.saved(mostPlain, k) })
	if over -= t.saved(mostPlain, mostActs); over > 0 {
		over -= t.drop(over, func(n *line) bool { return n.kind == textLine })
	}
	if over > 0 {
		over += t.saved(mostPlain, mostActs)
		mostActs = t.search(over, 4, func(k int) int { return t.saved(mostPlain, k) })
	}
	t.cutRows(mostPlain, mostActs)
	for range 50 {
		t.mark()
		if over = t.cost() - t.budget; over <= 0 {
			break
		}
		if t.drop(over, func(n *line) bool { return n.item == nil || n.item.class != landmark }) < over {
			t.drop(over, func(*line) bool { return true })
		}
	}
}

func (t *trimmer) findSpans() {
	for i := 0; i < len(t.lines); i++ {
		if t.lines[i].run == 0 {
			continue
		}
		s := span{first: i, costs: []int{0}}
		for i < len(t.lines) && t.lines[i].run == t.lines[s.first].run {
			s.acts = s.acts || t.lines[i].acts > 0
			s.costs = append(s.costs, s.costs[s.n]+t.lines[i].cost)
			s.n++
			i++
		}
		i--
		t.spans = append(t.spans, s)
	}
}

// ends returns how many rows stay at the top and at the end when k may stay.
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

// saved returns how many tokens the spans save when so many of their rows stay.
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

// search finds the most rows that may stay to save what is over, and not less than least.
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
			t.lines[i].gone, t.lines[i].counted = true, true
		}
		n := &t.lines[s.first+head]
		n.gone, n.counted, n.kind, n.acts = false, false, moreLine, 0
		from := len(t.buf)
		t.buf = fmt.Appendf(t.buf, "… %d more rows (", gone)
		if owner := t.owner(n.parent); owner >= 0 {
			t.lines[owner].item.uid = true
			t.rewrite(owner, "")
			from = len(t.buf)
			t.buf = fmt.Appendf(t.buf, "… %d more rows (take_snapshot uid=%s maxTokens=%d or ", gone,
				t.lines[owner].item.appendUID(nil), round(s.costs[s.n]*11/10+500))
		}
		t.buf = append(t.buf, "query=… shows them)"...)
		n.from, n.to = from, len(t.buf)
		n.cost = tokens(t.buf[from:]) + 1
	}
}

func round(n int) int { return (n + 999) / 1000 * 1000 }

// owner returns the nearest line above that stands for an element with a uid.
func (t *trimmer) owner(i int) int {
	for ; i >= 0; i = t.lines[i].parent {
		if it := t.lines[i].item; it != nil && it.node != nil && it.node.ID > 0 {
			return i
		}
	}
	return -1
}

func (t *trimmer) rewrite(i int, suffix string) {
	n := &t.lines[i]
	n.from = len(t.buf)
	t.buf = append(n.item.appendLine(t.buf, t.limit), suffix...)
	n.to = len(t.buf)
	n.cost = tokens(t.buf[n.from:]) + 1
}

// drop removes lines that have nothing below them, from the end of the page up, and returns how much that saved.
func (t *trimmer) drop(over int, may func(*line) bool) int {
	below := make([]int, len(t.lines))
	for i := range t.lines {
		if n := &t.lines[i]; !n.gone && n.parent >= 0 {
			below[n.parent]++
		}
	}
	saved := 0
	for i := len(t.lines) - 1; i >= t.first && saved < over; i-- {
		n := &t.lines[i]
		if n.gone || below[i] > 0 || !may(n) {
			continue
		}
		n.gone = true
		saved += n.cost
		t.acts += n.acts
		switch n.kind {
		case textLine:
			t.texts++
		case rowLine:
			t.rows++
		case nodeLine:
			t.nodes++
		}
		if n.parent >= 0 {
			below[n.parent]--
		}
	}
	return saved
}

// mark writes on containers how much of them is missing.
func (t *trimmer) mark() {
	missing := map[int]int{}
	for i := range t.lines {
		n := &t.lines[i]
		if !n.gone || n.counted {
			continue
		}
		at := n.parent
		for at >= 0 && (t.lines[at].gone || t.lines[at].item == nil) {
			at = t.lines[at].parent
		}
		if at > 0 {
			missing[at] += max(n.nodes, 1)
		}
	}
	for at, n := range missing {
		it := t.lines[at].item
		it.uid = it.uid || it.node != nil && it.node.ID > 0
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
			gone = append(gone, count(g.n, g.one, g.many))
		}
	}
	if t.terse {
		gone = append(gone, "the text between links")
	}
	if t.limit < long {
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
