// Package fold finds items that are alike and writes them as a table.
package fold

import (
	"cove/internal/snapshot/item"
	"cove/internal/snapshot/role"
)

// When what is alike is written as a table or as a paragraph of links. Variables, because tests show small pages.
var (
	MinRun   = 12 // siblings of one shape that make a table: short lists read better as they are
	LongRun  = 50 // rows of a table that says names once, in its head
	MinLinks = 8  // links between text that make paragraphs of them
)

const (
	maxPeriod = 8 // siblings without a wrapper that may make one row

	// MaxCells is the number of cells that a row can have: one with more is no row.
	MaxCells = 16
)

// Survey computes the form of an item and of all below it.
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

// sameShape settles what equal hashes only suggest.
func sameShape(a, b *item.Item) bool {
	if a.Form.Hash != b.Form.Hash || a.Role != b.Role || a.Act != b.Act || a.Soft != b.Soft || len(a.Kids) != len(b.Kids) {
		return false
	}
	for i := range a.Kids {
		if !sameShape(a.Kids[i], b.Kids[i]) {
			return false
		}
	}
	return true
}

// RunAt finds the rows that begin at list[i]: how many siblings make one, and how many rows there are.
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

// foldable refuses rows that are too wide, and those that a table would not make shorter.
func foldable(row []*item.Item) bool {
	cells, loose, nodes := 0, len(row) > 1, false
	for _, it := range row {
		cells += it.Form.Cells
		loose = loose && it.Form.Prose && !it.Soft
		nodes = nodes || it.Node != nil
	}
	return cells <= MaxCells && nodes && !loose
}

// ProseAt finds paragraphs of text and links that begin at list[i], enough of them for a head of their own. Where there
// are too few it returns where they end.
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
