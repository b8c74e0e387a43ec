package snapshot

// When what is alike is written as a table or as a paragraph of links. Variables, because tests show small pages.
var (
	minRun   = 12 // siblings of one shape that make a table: short lists read better as they are
	longRun  = 50 // rows of a table that says names once, in its head
	minLinks = 8  // links between text that make paragraphs of them
)

const (
	maxPeriod = 8  // siblings without a wrapper that may make one row
	maxCells  = 16 // a row with more is no row
)

// survey computes the form of an item and of all below it.
func survey(it *item) {
	f := form{hash: 14695981039346656037, cells: 1}
	mix := func(v uint64) { f.hash = (f.hash ^ v) * 1099511628211 }
	for i := range len(it.role) {
		mix(uint64(it.role[i]))
	}
	if it.act {
		mix(1)
	}
	if it.soft {
		mix(2)
		f.cells = 0
	}
	f.prose = it.node == nil || it.soft ||
		it.role == "link" && it.act && it.name != "" && len(it.props) == 0 && len(it.kids) == 0
	if it.role == "link" {
		f.links = 1
	}
	for _, k := range it.kids {
		survey(k)
		mix(k.form.hash)
		f.cells += k.form.cells
		f.prose = f.prose && k.form.prose
		f.links += k.form.links
	}
	mix(3)
	if it.class == frame || it.role == "RootWebArea" {
		f.cells = maxCells + 1
	}
	f.cells = min(f.cells, maxCells+1)
	it.form = f
}

// sameShape settles what equal hashes only suggest.
func sameShape(a, b *item) bool {
	if a.form.hash != b.form.hash || a.role != b.role || a.act != b.act || a.soft != b.soft || len(a.kids) != len(b.kids) {
		return false
	}
	for i := range a.kids {
		if !sameShape(a.kids[i], b.kids[i]) {
			return false
		}
	}
	return true
}

// runAt finds the rows that begin at list[i]: how many siblings make one, and how many rows there are.
func runAt(list []*item, i int) (period, rows int) {
	for p := 1; p <= maxPeriod && i+p*minRun <= len(list); p++ {
		if !foldable(list[i : i+p]) {
			continue
		}
		j := i + p
		for j < len(list) && sameShape(list[j], list[j-p]) {
			j++
		}
		if rows := (j - i) / p; rows >= minRun {
			return p, rows
		}
	}
	return 0, 0
}

// foldable refuses rows that are too wide, and those that a table would not make shorter.
func foldable(row []*item) bool {
	cells, loose, nodes := 0, len(row) > 1, false
	for _, it := range row {
		cells += it.form.cells
		loose = loose && it.form.prose && !it.soft
		nodes = nodes || it.node != nil
	}
	return cells <= maxCells && nodes && !loose
}

// proseAt finds paragraphs of text and links that begin at list[i], enough of them for a head of their own. Where there
// are too few it returns where they end.
func proseAt(list []*item, i int) (n, few int) {
	n = i
	links, texts := 0, false
	for n < len(list) && list[n].form.prose {
		links += list[n].form.links
		texts = texts || list[n].role != "link"
		n++
	}
	if links < minLinks || !texts {
		return 0, n
	}
	return n - i, 0
}
