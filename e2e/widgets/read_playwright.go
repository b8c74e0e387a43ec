package widgets

import (
	"regexp"
	"strings"
)

var (
	yamlLine = regexp.MustCompile(`^( *)- '?((?:[a-z]+|/[a-z]+|text))(?: "((?:[^"\\]|\\.)*)")?((?: \[[^\]]*\])*)'?(?::(?: (.*))?)?$`)
	yamlFlag = regexp.MustCompile(`\[([a-z-]+)(?:=([^\]]*))?\]`)
)

// readPlaywright reads the snapshots of @playwright/mcp.
func readPlaywright(text string, known *Tree) *Tree {
	_, body, found := strings.Cut(text, "```yaml\n")
	if !found {
		return known
	}
	body, _, _ = strings.Cut(body, "\n```")
	t := &Tree{}
	var path []*Node
	for line := range strings.Lines(body) {
		m := yamlLine.FindStringSubmatch(strings.TrimRight(strings.ReplaceAll(line, `''`, `'`), "\n"))
		if m == nil || strings.HasPrefix(m[2], "/") {
			continue
		}
		depth := len(m[1])
		for len(path) > 0 && path[len(path)-1].depth >= depth {
			path = path[:len(path)-1]
		}
		var up *Node
		if len(path) > 0 {
			up = path[len(path)-1]
		}
		n := &Node{Role: m[2], Name: unquote(`"` + m[3] + `"`), Flags: map[string]string{}, depth: depth}
		for _, f := range yamlFlag.FindAllStringSubmatch(m[4], -1) {
			n.Flags[f[1]] = f[2]
		}
		n.Ref = n.Flags["ref"]
		if _, ok := n.Flags["active"]; ok {
			n.Flags["focused"] = ""
		}
		if n.Role == "text" {
			n.Role, n.Name = "", unquote(m[5])
		}
		t.add(n, up)
		path = append(path, n)
		if inline := unquote(m[5]); inline != "" && n.Role != "" {
			if n.is("textbox", "searchbox", "spinbutton", "slider", "combobox") {
				n.Value = inline
			}
			t.add(&Node{Name: inline, Flags: map[string]string{}, depth: depth + 1}, n)
		}
		if n.is("option") && n.has("selected") && up != nil && up.is("combobox") {
			up.Value = n.Name
		}
	}
	return t
}
