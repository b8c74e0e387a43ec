package widgets

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// change puts what a snapshot of Cove's says about changes into what was known.
type change struct {
	tree  *Tree
	where string   // the last line that says where
	after *Node    // what stood behind the last thing that is gone
	fresh []string // lines of what is new there
}

var moreGone = regexp.MustCompile(`^… (\d+) more$`)

var newOrder = regexp.MustCompile(`^the order in \S+ is now: (.*)$`)

func (c *change) read(body string) {
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, "\n")
		if in, ok := strings.CutPrefix(line, "in: "); ok {
			c.insert()
			c.where = in
			continue
		}
		if len(line) < 4 || line[0] != ' ' || line[2] != ' ' {
			continue
		}
		switch rest := line[3:]; line[1] {
		case '+':
			c.fresh = append(c.fresh, rest)
		case '~':
			c.alter(rest)
		case '-':
			c.remove(rest)
		}
	}
	c.insert()
}

// copied is a tree that can be changed without changing the one before it.
func (t *Tree) copied(number int) *Tree {
	twin := &Tree{Number: number}
	made := map[*Node]*Node{}
	for _, n := range t.Nodes {
		m := &Node{Ref: n.Ref, Role: n.Role, Name: n.Name, Value: n.Value, Flags: n.Flags, depth: n.depth}
		made[n] = m
		twin.add(m, made[n.Parent])
	}
	return twin
}

func (c *change) alter(line string) {
	if m := newOrder.FindStringSubmatch(line); m != nil {
		c.reorder(splitOutside(m[1], ", "))
		return
	}
	was := ""
	if at := strings.LastIndex(line, " (was "); at > 0 {
		line, was = line[:at], strings.TrimSuffix(line[at+len(" (was "):], ")")
	}
	for _, now := range readCell(line) {
		old := c.tree.byRef(now.Ref)
		if now.Ref == "" {
			old = c.like(was, now)
		}
		if old == nil {
			c.fresh = append(c.fresh, line)
			continue
		}
		old.Role, old.Name, old.Value, old.Flags = now.Role, now.Name, now.Value, now.Flags
	}
}

// like is what stood where something without a uid stands now.
func (c *change) like(was string, now *Node) *Node {
	if old := readCell(was); len(old) == 1 && old[0].Name != "" {
		return c.tree.first(role(now.Role), named(old[0].Name))
	}
	return c.tree.first(role(now.Role), named(now.Name), func(n *Node) bool { return n.Ref == "" })
}

// remove takes out what is gone; of a long run, "… 12 more" are those that followed.
func (c *change) remove(line string) {
	if m := moreGone.FindStringSubmatch(line); m != nil {
		for n, _ := strconv.Atoi(m[1]); n > 0 && c.after != nil; n-- {
			c.cut(c.after, true)
		}
		return
	}
	at := strings.LastIndex(line, " (and ")
	if at > 0 {
		line = line[:at]
	}
	for _, g := range readCell(line) {
		old := c.tree.first(func(n *Node) bool {
			return g.Ref != "" && n.Ref == g.Ref || g.Ref == "" && n.Ref == "" && n.Role == g.Role && n.Name == g.Name
		})
		if old != nil {
			c.cut(old, at > 0)
		}
	}
}

// cut takes something out, with what is in it or without.
func (c *change) cut(old *Node, inside bool) {
	gone := []*Node{old}
	if inside {
		gone = old.within()
	} else {
		for _, k := range old.Kids {
			k.Parent = old.Parent
		}
	}
	c.tree.Nodes = slices.DeleteFunc(c.tree.Nodes, func(n *Node) bool { return slices.Contains(gone, n) })
	c.after = nil
	if up := old.Parent; up != nil {
		if i := slices.Index(up.Kids, old); i+1 < len(up.Kids) {
			c.after = up.Kids[i+1]
		}
		if up.Kids = slices.DeleteFunc(up.Kids, func(n *Node) bool { return n == old }); !inside {
			up.Kids = append(up.Kids, old.Kids...)
		}
	}
}

// insert puts what is new where the snapshot says: inside the last thing that it names, after a heading.
func (c *change) insert() {
	if len(c.fresh) == 0 {
		return
	}
	part := &Tree{}
	readLines(part, c.fresh)
	c.fresh = nil
	steps := splitOutside(c.where, " > ")
	at := len(c.tree.Nodes)
	var up *Node
	for i := len(steps) - 1; i >= 0 && up == nil; i-- {
		for _, g := range readCell(steps[i]) {
			up = c.tree.first(role(g.Role), func(n *Node) bool { return g.Name == "" || n.Name == g.Name })
		}
	}
	if up != nil {
		inside := up.within()
		at = slices.Index(c.tree.Nodes, inside[len(inside)-1]) + 1
		if up.is("heading") {
			up = up.Parent
		}
	}
	for _, n := range part.Nodes {
		if n.Parent == nil && up != nil {
			n.Parent = up
			up.Kids = append(up.Kids, n)
		}
	}
	c.tree.Nodes = slices.Insert(c.tree.Nodes, at, part.Nodes...)
}

// reorder puts siblings into another order, which is told by uids or by names.
func (c *change) reorder(names []string) {
	var nodes []*Node
	for _, name := range names {
		n := c.tree.byRef(strings.TrimPrefix(name, "uid="))
		if start, cut := strings.CutSuffix(unquote(name), "…"); n == nil {
			n = c.tree.first(func(n *Node) bool {
				return same(n.Name, start) || cut &&
					strings.HasPrefix(n.Name, start)
			})
		}
		if n != nil {
			nodes = append(nodes, n)
		}
	}
	var ordered []*Node
	var places []int
	for _, n := range nodes {
		ordered = append(ordered, n.within()...)
	}
	for i, n := range c.tree.Nodes {
		if slices.Contains(ordered, n) {
			places = append(places, i)
		}
	}
	if len(places) != len(ordered) {
		return
	}
	for i, at := range places {
		c.tree.Nodes[at] = ordered[i]
	}
}
