// Package fold finds runs of items that are alike and writes them as tables.
package fold

import (
	"cove/internal/snapshot/item"
	"cove/internal/snapshot/role"
)

// These numbers decide when items that are alike become a table, and when links become paragraphs. They are variables
// because tests show small pages.
var (
	MinRun   = 12 // siblings of one shape that make a table; short lists read better as they are
	LongRun  = 50 // rows from which a table says equal names once, in its head
	MinLinks = 8  // links between texts that make a paragraph with a head
)

const (
	maxPeriod = 8 // how many siblings without a wrapper may make one row

	// MaxCells is the greatest number of cells in a row.
	MaxCells = 16
)

// Survey sets the Form of an item and of all items below it.
func Survey(it *item.Item) {
	f := item.Form{Hash: 14695981039346656037, Cells: 1}
	mix := func(v uint64) { f.Hash = (f.Hash ^ v) * 1099511628211 }
	for i := range len(it.Role) {
		mix(uint64(it.Role[i]))
	}
	if it.Act {
		mix(1)
	}
	if it.Soft {
		mix(2)
		f.Cells = 0
	}
	f.Prose = it.Node == nil || it.Soft ||
		it.Role == "link" && it.Act && it.Name != "" && len(it.Props) == 0 && len(it.Kids) == 0
	if it.Role == "link" {
		f.Links = 1
	}
	for _, k := range it.Kids {
		Survey(k)
		mix(k.Form.Hash)
		f.Cells += k.Form.Cells
		f.Prose = f.Prose && k.Form.Prose
		f.Links += k.Form.Links
	}
	mix(3)
	if it.Class == role.Frame || it.Role == "RootWebArea" {
		f.Cells = MaxCells + 1
	}
	f.Cells = min(f.Cells, MaxCells+1)
	it.Form = f
}

// sameShape reports whether two items have the same shape. Equal hashes only suggest it.
func sameShape(a, b *item.Item) bool {
	if a.Form.Hash != b.Form.Hash || a.Role != b.Role || a.Act != b.Act || a.Soft != b.Soft ||
		len(a.Kids) != len(b.Kids) {
		return false
	}
	for i := range a.Kids {
		if !sameShape(a.Kids[i], b.Kids[i]) {
			return false
		}
	}
	return true
}

// RunAt finds the run of rows that begins at list[i]. It returns how many siblings make one row, and how many rows
// there are; 0 and 0 when there is no run.
func RunAt(list []*item.Item, i int) (period, rows int) {
	for p := 1; p <= maxPeriod && i+p*MinRun <= len(list); p++ {
		if !foldable(list[i : i+p]) {
			continue
		}
		j := i + p
		for j < len(list) && sameShape(list[j], list[j-p]) {
			j++
		}
		if rows := (j - i) / p; rows >= MinRun {
			return p, rows
		}
	}
	return 0, 0
}

// foldable reports whether siblings can make a row: they are not too wide, and a table makes them shorter.
func foldable(row []*item.Item) bool {
	cells, loose, nodes := 0, len(row) > 1, false
	for _, it := range row {
		cells += it.Form.Cells
		loose = loose && it.Form.Prose && !it.Soft
		nodes = nodes || it.Node != nil
	}
	return cells <= MaxCells && nodes && !loose
}

// ProseAt returns how many siblings from list[i] on are paragraphs of text and links, if they are enough for a head of
// their own. If not, n is 0 and few is the index where they end.
func ProseAt(list []*item.Item, i int) (n, few int) {
	n = i
	links, texts := 0, false
	for n < len(list) && list[n].Form.Prose {
		links += list[n].Form.Links
		texts = texts || list[n].Role != "link"
		n++
	}
	if links < MinLinks || !texts {
		return 0, n
	}
	return n - i, 0
}
