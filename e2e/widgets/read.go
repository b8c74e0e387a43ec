package widgets

import (
	"regexp"
	"strconv"
	"strings"
)

// readDevTools reads the snapshots of chrome-devtools-mcp and of Cove, which writes tables and changes besides. An
// answer without a snapshot leaves what was known.
func readDevTools(text string, known *Tree) *Tree {
	_, body, found := strings.Cut(text, "## Latest page snapshot\n")
	if !found {
		return known
	}
	body = boundary.ReplaceAllString(body, "")
	t := &Tree{}
	if m := snapshotNumber.FindStringSubmatch(body); m != nil {
		t.Number, _ = strconv.Atoi(m[1] + m[2])
	}
	if sinceLine.MatchString(body) && known != nil {
		if t.Number == 0 {
			t.Number = known.Number // nothing changed
		}
		c := &change{tree: known.copied(t.Number)}
		c.read(body)
		return c.tree
	}
	lines := strings.Split(strings.TrimRight(body, "\n"), "\n")
	if theirs.MatchString(body) {
		lines = joinLines(lines)
	}
	readLines(t, lines)
	return t
}

// joinLines puts values together that chrome-devtools-mcp writes over several lines, with their quotes as they are.
func joinLines(lines []string) (joined []string) {
	for _, line := range lines {
		if len(joined) == 0 || theirs.MatchString(line) {
			joined = append(joined, line)
			continue
		}
		joined[len(joined)-1] += "\n" + line
	}
	for i, line := range joined {
		if m := longValue.FindStringSubmatchIndex(line); m != nil && strings.Contains(line, "\n") {
			joined[i] = line[:m[2]] + strconv.Quote(line[m[2]+1:m[3]-1]) + line[m[3]:]
		}
	}
	return joined
}

var (
	boundary       = regexp.MustCompile(`(?m)^</?page-[0-9a-f]+>\n?`)
	snapshotNumber = regexp.MustCompile(`(?m)^uid=\S+ RootWebArea.* snapshot=(\d+)|This is snapshot (\d+)\.`)
	sinceLine      = regexp.MustCompile(`(?m)^(Since snapshot \d+:|Nothing changed since)`)
	theirs         = regexp.MustCompile(`(?m)^ *uid=\d+_\d+ `)
	longValue      = regexp.MustCompile(`(?s) value=(".*")`)
	tableHead      = regexp.MustCompile(`^\d+ (?:equal )?rows of: (.*)$`)
)

// readLines puts lines into the tree by their indentation.
func readLines(t *Tree, lines []string) {
	var path []*Node
	var columns []*Node // of the table whose rows come
	head := -1
	for _, line := range lines {
		body := strings.TrimLeft(line, " ")
		depth := len(line) - len(body)
		if body == "" {
			continue
		}
		if depth <= head {
			columns, head = nil, -1
		}
		for len(path) > 0 && path[len(path)-1].depth >= depth {
			path = path[:len(path)-1]
		}
		var up *Node
		if len(path) > 0 {
			up = path[len(path)-1]
		}
		if m := tableHead.FindStringSubmatch(body); m != nil {
			columns, head = readColumns(m[1]), depth
			run := &Node{Role: "rows", depth: depth}
			t.add(run, up)
			path = append(path, run)
			continue
		}
		cells := readCells(body, columns)
		if len(cells) > 1 {
			row := &Node{Role: "row", depth: depth}
			t.add(row, up)
			for _, c := range cells {
				c.depth = depth + 1
				t.add(c, row)
			}
			path = append(path, row)
			continue
		}
		for _, c := range cells {
			c.depth = depth
			t.add(c, up)
			path = append(path, c)
		}
	}
}

func (t *Tree) add(n, up *Node) {
	n.Parent = up
	if up != nil {
		up.Kids = append(up.Kids, n)
	}
	t.Nodes = append(t.Nodes, n)
}

// readColumns reads a table's head: what the cells of its rows are, in turn.
func readColumns(head string) (columns []*Node) {
	for i, part := range strings.Split(head, " | ") {
		if i == 0 { // "row: gridcell" says the row's role first
			if r, rest, ok := strings.Cut(part, ": "); ok && !strings.Contains(r, " ") {
				part = rest
			}
		}
		part, _, _ = strings.Cut(part, " + ")
		if nodes := readCell(strings.TrimLeft(part, ">")); len(nodes) > 0 {
			columns = append(columns, nodes[0])
		}
	}
	return columns
}

// readCells reads one line: an element, a text, or the cells of a table's row.
func readCells(line string, columns []*Node) (cells []*Node) {
	for i, part := range splitOutside(line, " | ") {
		nodes := readCell(part)
		if i < len(columns) && len(nodes) == 1 {
			n, c := nodes[0], columns[i]
			if n.Role == "" {
				n.Role = c.Role
			}
			if n.Name == "" {
				n.Name = c.Name
			}
			for k, v := range c.Flags {
				if _, ok := n.Flags[k]; !ok {
					n.Flags[k] = v
				}
			}
		}
		cells = append(cells, nodes...)
	}
	return cells
}

// splitOutside divides a line where no quotes are open.
func splitOutside(line, by string) (parts []string) {
	open, from := false, 0
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\':
			i++
		case line[i] == '"':
			open = !open
		case !open && strings.HasPrefix(line[i:], by):
			parts = append(parts, line[from:i])
			from = i + len(by)
			i = from - 1
		}
	}
	return append(parts, line[from:])
}

// readCell reads `uid=a1 role "name" key="value" flag`, or several of them, or texts.
func readCell(s string) (nodes []*Node) {
	var n *Node
	named := false
	begin := func() { n = &Node{Flags: map[string]string{}}; nodes = append(nodes, n); named = false }
	for _, word := range splitOutside(s, " ") {
		key, value, pair := strings.Cut(word, "=")
		switch {
		case word == "" || word == "-":
		case strings.HasPrefix(word, "uid="):
			begin()
			n.Ref = strings.TrimPrefix(word, "uid=")
		case strings.HasPrefix(word, `"`):
			if n == nil || named {
				begin()
			}
			n.Name, named = unquote(word), true
		case pair:
			if n == nil {
				begin()
			}
			n.Flags[key] = unquote(value)
			if key == "value" {
				n.Value = unquote(value)
			}
		case n == nil, n.Role == "" && !named:
			if n == nil {
				begin()
			}
			n.Role = word
		default:
			n.Flags[word] = ""
		}
	}
	return nodes
}

func unquote(s string) string {
	if u, err := strconv.Unquote(s); err == nil {
		return u
	}
	return strings.Trim(s, `"`)
}
