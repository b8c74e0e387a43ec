package snapshot

import "strings"

// change compares the page with what an older snapshot showed.
type change struct {
	old, cur     []entry
	items        []*item
	oldOf, newOf []int  // the other's index, -1 for none
	same         []bool // the line is the same too, or the uid is: its order counts
	index        map[*item]int
	kids, olds   [][]int

	added, removed, changed int
}

// compare matches by uid first, then what has no uid by its text and its position among its siblings.
func compare(old, cur []entry, items []*item) *change {
	c := &change{old: old, cur: cur, items: items, index: make(map[*item]int, len(cur)), same: make([]bool, len(cur)),
		oldOf: fill(len(cur)), newOf: fill(len(old)), kids: children(cur), olds: children(old)}
	type key struct {
		label string
		id    int
	}
	ids := make(map[key]int, len(old))
	for i, e := range old {
		if e.id > 0 {
			ids[key{e.label, e.id}] = i
		}
	}
	for i, e := range cur {
		c.index[items[i]] = i
		if j, ok := ids[key{e.label, e.id}]; ok && e.id > 0 && c.newOf[j] < 0 {
			c.pair(i, j, true)
		}
	}
	if len(cur) > 0 && len(old) > 0 && cur[0].id == 0 && old[0].id == 0 && cur[0].label == old[0].label {
		c.pair(0, 0, true)
	}
	for i := range cur {
		if j := c.oldOf[i]; j >= 0 {
			c.siblings(c.kids[i], c.olds[j])
		}
	}
	for i := range cur {
		switch {
		case c.oldOf[i] < 0:
			c.added++
		case differs(old[c.oldOf[i]].line, cur[i].line):
			c.changed++
		}
	}
	for _, i := range c.newOf {
		if i < 0 {
			c.removed++
		}
	}
	return c
}

// differs reports whether a line says something new. A lost focus is nothing new: the element that has it now says so.
func differs(old, cur string) bool {
	return old != cur && (len(old) != len(cur)+len(lost) || unfocused(old) != cur)
}

const lost = " focused"

// unfocused returns a line without the word that it has the focus. What is in quotes is the page's.
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
		if e.parent >= 0 {
			kids[e.parent] = append(kids[e.parent], i)
		}
	}
	return kids
}

func (c *change) pair(cur, old int, same bool) {
	c.oldOf[cur], c.newOf[old], c.same[cur] = old, cur, same
}

// siblings matches children without uids: the same line first, then what is left, in order, by role.
func (c *change) siblings(cur, old []int) {
	byLine, byRole := map[string][]int{}, map[string][]int{}
	for _, j := range old {
		if c.newOf[j] < 0 && c.old[j].id == 0 {
			byLine[c.old[j].line] = append(byLine[c.old[j].line], j)
		}
	}
	if len(byLine) == 0 {
		return
	}
	for _, i := range cur {
		if queue := byLine[c.cur[i].line]; c.oldOf[i] < 0 && c.cur[i].id == 0 && len(queue) > 0 {
			c.pair(i, queue[0], true)
			byLine[c.cur[i].line] = queue[1:]
		}
	}
	for _, j := range old {
		if c.newOf[j] < 0 && c.old[j].id == 0 {
			byRole[c.old[j].role] = append(byRole[c.old[j].role], j)
		}
	}
	for _, i := range cur {
		if queue := byRole[c.cur[i].role]; c.oldOf[i] < 0 && c.cur[i].id == 0 && len(queue) > 0 {
			c.pair(i, queue[0], false)
			byRole[c.cur[i].role] = queue[1:]
		}
	}
}

// most reports whether so much changed that the page itself is easier to read, or that it is another.
func (c *change) most() bool {
	return c.oldOf[0] < 0 || float64(c.added+c.removed+c.changed) > mostChanged*float64(max(len(c.old), len(c.cur)))
}

// mostChanged is the part of a page that may change before the differences are longer than the page.
const mostChanged = 0.6
