package index

import (
	"cove/internal/snapshot/item"
	"strings"
)

// Change is the comparison of a page with an older snapshot of it.
type Change struct {
	Old, New      []entry
	Items         []*item.Item
	OldOf, NewOf  []int  // the index of the matching entry on the other side, -1 for none
	Same          []bool // the match is by uid or by the whole line, so its order counts
	IndexOf       map[*item.Item]int
	Kids, OldKids [][]int

	added, removed, changed int
}

// Compare matches entries by uid first. It matches entries without a uid by their text and their position among
// siblings.
func Compare(old, cur []entry, items []*item.Item) *Change {
	c := &Change{Old: old, New: cur, Items: items, IndexOf: make(map[*item.Item]int, len(cur)),
		Same:  make([]bool, len(cur)),
		OldOf: fill(len(cur)), NewOf: fill(len(old)), Kids: children(cur), OldKids: children(old)}
	type key struct {
		label string
		id    int
	}
	ids := make(map[key]int, len(old))
	for i, e := range old {
		if e.ID > 0 {
			ids[key{e.label, e.ID}] = i
		}
	}
	for i, e := range cur {
		c.IndexOf[items[i]] = i
		if j, ok := ids[key{e.label, e.ID}]; ok && e.ID > 0 && c.NewOf[j] < 0 {
			c.pair(i, j, true)
		}
	}
	if len(cur) > 0 && len(old) > 0 && cur[0].ID == 0 && old[0].ID == 0 && cur[0].label == old[0].label {
		c.pair(0, 0, true)
	}
	for i := range cur {
		if j := c.OldOf[i]; j >= 0 {
			c.siblings(c.Kids[i], c.OldKids[j])
		}
	}
	for i := range cur {
		switch {
		case c.OldOf[i] < 0:
			c.added++
		case Differs(old[c.OldOf[i]].Text, cur[i].Text):
			c.changed++
		}
	}
	for _, i := range c.NewOf {
		if i < 0 {
			c.removed++
		}
	}
	return c
}

// Differs reports whether the line cur says something that old did not. A lost focus does not count: the element that
// has the focus now says so.
func Differs(old, cur string) bool {
	return old != cur && (len(old) != len(cur)+len(lost) || unfocused(old) != cur)
}

const lost = " focused"

// unfocused returns a line without the word focused. Text in quotes is the page's own and stays.
func unfocused(line string) string {
	quoted := false
	for i := range len(line) {
		switch {
		case line[i] == '\\' && quoted:
			continue
		case line[i] == '"' && (i == 0 || line[i-1] != '\\'):
			quoted = !quoted
		case !quoted && strings.HasPrefix(line[i:], lost) && (len(line) == i+len(lost) || line[i+len(lost)] == ' '):
			return line[:i] + line[i+len(lost):]
		}
	}
	return line
}

func fill(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = -1
	}
	return s
}

func children(entries []entry) [][]int {
	kids := make([][]int, len(entries))
	for i, e := range entries {
		if e.Parent >= 0 {
			kids[e.Parent] = append(kids[e.Parent], i)
		}
	}
	return kids
}

func (c *Change) pair(cur, old int, same bool) {
	c.OldOf[cur], c.NewOf[old], c.Same[cur] = old, cur, same
}

// siblings matches children without uids. It matches equal lines first, then the rest by role, one after the other.
func (c *Change) siblings(cur, old []int) {
	byLine, byRole := map[string][]int{}, map[string][]int{}
	for _, j := range old {
		if c.NewOf[j] < 0 && c.Old[j].ID == 0 {
			byLine[c.Old[j].Text] = append(byLine[c.Old[j].Text], j)
		}
	}
	if len(byLine) == 0 {
		return
	}
	for _, i := range cur {
		if queue := byLine[c.New[i].Text]; c.OldOf[i] < 0 && c.New[i].ID == 0 && len(queue) > 0 {
			c.pair(i, queue[0], true)
			byLine[c.New[i].Text] = queue[1:]
		}
	}
	for _, j := range old {
		if c.NewOf[j] < 0 && c.Old[j].ID == 0 {
			byRole[c.Old[j].role] = append(byRole[c.Old[j].role], j)
		}
	}
	for _, i := range cur {
		if queue := byRole[c.New[i].role]; c.OldOf[i] < 0 && c.New[i].ID == 0 && len(queue) > 0 {
			c.pair(i, queue[0], false)
			byRole[c.New[i].role] = queue[1:]
		}
	}
}

// Most reports whether so much has changed that the whole page is easier to read, or whether it is another page.
func (c *Change) Most() bool {
	return c.OldOf[0] < 0 || float64(c.added+c.removed+c.changed) > mostChanged*float64(max(len(c.Old), len(c.New)))
}

// mostChanged is the share of a page's lines that may change before the changes are longer than the page.
const mostChanged = 0.6
