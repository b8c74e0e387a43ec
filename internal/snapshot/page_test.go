package snapshot

import (
	"cove/internal/snapshot/document"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// toldNode is a node as the walker writes it.
type toldNode struct {
	I int
	R string
	N string
	D string
	V string
	U string
	S map[string]any
	A int
	F int
	X string
	C []*toldNode
}

type toldDoc struct {
	V int
	T string
	U string
	N *toldNode
	K []int
	M int
}

func (d toldDoc) doc(tb testing.TB, label string) *document.Doc {
	tb.Helper()
	parsed, err := document.Parse(d.told())
	if err != nil {
		tb.Fatal(err)
	}
	parsed.Label = label
	return parsed
}

// told writes the document as the walker does.
func (d toldDoc) told() string {
	head := fmt.Sprintf("%d|%s|%s||%d|", d.V, ink(d.T), ink(d.U), d.M)
	for i, id := range d.K {
		if i > 0 {
			head += ","
		}
		head += strconv.Itoa(id)
	}
	var b strings.Builder
	b.WriteString(head + "||")
	if d.N != nil {
		d.N.write(&b)
	}
	return b.String()
}

func ink(s string) string { return strings.NewReplacer("^", "^2", "|", "^1").Replace(s) }

func (n *toldNode) write(b *strings.Builder) {
	if n.R == "text" && n.C == nil {
		b.WriteString("T" + ink(n.X) + "|")
		return
	}
	b.WriteString("(")
	if n.I != 0 {
		b.WriteString(strconv.Itoa(n.I))
	}
	b.WriteString("." + ink(n.R) + "|")
	for _, f := range []struct{ key, value string }{{"n", n.N}, {"d", n.D}, {"v", n.V}, {"u", n.U}} {
		if f.value != "" {
			b.WriteString(f.key + ink(f.value) + "|")
		}
	}
	for _, k := range slices.Sorted(maps.Keys(n.S)) {
		if n.S[k] != nil {
			fmt.Fprintf(b, "s%s=%s|", k, ink(fmt.Sprint(n.S[k])))
		}
	}
	if n.A != 0 {
		b.WriteString("a")
	}
	if n.F != 0 {
		b.WriteString("f")
	}
	for _, k := range n.C {
		k.write(b)
	}
	b.WriteString(")")
}

// outline reads a page that is written as an indented tree: role, ! when agents can act on it, #id, "name", key=value.
func outline(tb testing.TB, text string) toldDoc {
	tb.Helper()
	d := toldDoc{U: "https://shop.example/list?page=1", T: "Shop"}
	var stack []*toldNode
	for line := range strings.Lines(text) {
		trimmed := strings.TrimLeft(line, " ")
		if strings.TrimSpace(trimmed) == "" {
			continue
		}
		depth := (len(line) - len(trimmed)) / 2
		n := outlineNode(tb, strings.TrimSpace(trimmed))
		if depth == 0 {
			if d.N != nil {
				tb.Fatalf("a second root: %s", line)
			}
			d.N = n
			if n.U != "" {
				d.U = n.U
			}
			if n.N != "" {
				d.T = n.N
			}
		} else {
			if depth > len(stack) {
				tb.Fatalf("too deep: %s", line)
			}
			parent := stack[depth-1]
			parent.C = append(parent.C, n)
		}
		stack = append(stack[:min(depth, len(stack))], n)
	}
	return d
}

func outlineNode(tb testing.TB, line string) *toldNode {
	tb.Helper()
	n := &toldNode{}
	for i, part := range split(line) {
		switch {
		case part[0] == '"':
			s, err := strconv.Unquote(part)
			if err != nil {
				tb.Fatalf("%s: %v", part, err)
			}
			if i == 0 {
				n.R, n.X = "text", s
			} else {
				n.N = s
			}
		case part[0] == '#':
			n.I, _ = strconv.Atoi(part[1:])
		case i == 0:
			n.R = strings.TrimRight(part, "!@")
			if strings.HasSuffix(part, "!") {
				n.A = 1
			}
			if strings.HasSuffix(part, "@") {
				n.F = 1
			}
		default:
			outlineProp(n, part)
		}
	}
	return n
}

func outlineProp(n *toldNode, part string) {
	k, v, given := strings.Cut(part, "=")
	if s, err := strconv.Unquote(v); err == nil {
		v = s
	}
	switch k {
	case "url":
		n.U = v
	case "value":
		n.V = v
	case "desc":
		n.D = v
	default:
		if n.S == nil {
			n.S = map[string]any{}
		}
		switch {
		case !given:
			n.S[k] = true
		case v == "false":
			n.S[k] = false
		default:
			n.S[k] = v
		}
	}
}

// split splits a line at spaces outside quotes.
func split(line string) []string {
	var parts []string
	quoted, from := false, 0
	for i := 0; i <= len(line); i++ {
		switch {
		case i == len(line) || line[i] == ' ' && !quoted:
			if i > from {
				parts = append(parts, line[from:i])
			}
			from = i + 1
		case line[i] == '\\' && quoted:
			i++
		case line[i] == '"':
			quoted = !quoted
		}
	}
	return parts
}

// maker numbers the nodes of a generated page.
type maker struct {
	id  int
	rnd *rand.Rand
}

func (m *maker) node(role, name string, kids ...*toldNode) *toldNode {
	m.id++
	return &toldNode{I: m.id, R: role, N: name, C: kids}
}

func (m *maker) act(role, name string, kids ...*toldNode) *toldNode {
	n := m.node(role, name, kids...)
	n.A = 1
	n.S = map[string]any{"focusable": true}
	return n
}

func (m *maker) link(name, url string) *toldNode {
	n := m.act("link", name, textNode(name))
	n.U = url
	return n
}

func textNode(s string) *toldNode { return &toldNode{R: "text", X: s} }

const site = "http://127.0.0.1:8765"

var lorem = strings.Fields(`the river crosses a wide plain before it reaches the old harbour where merchants once traded
	salt timber and cloth with towns along the northern coast and its water still drives two mills that were restored by
	volunteers after the flood of that century although historians disagree about the exact year in which work began`)

func (m *maker) words(n int) string {
	w := make([]string, n)
	for i := range w {
		w[i] = lorem[m.rnd.Intn(len(lorem))]
	}
	return strings.Join(w, " ")
}

// article returns a page with long paragraphs and 300 links in them.
func article() toldDoc {
	m := &maker{rnd: rand.New(rand.NewSource(1))}
	root := m.node("RootWebArea", "An article")
	nav := m.node("navigation", "Main")
	list := m.node("list", "")
	for i := range 20 {
		list.C = append(
			list.C,
			m.node("listitem", "", m.link(fmt.Sprintf("Section %d", i+1),
				fmt.Sprintf("%s/article.html#section-%d", site, i+1))),
		)
	}
	nav.C = append(nav.C, list)
	main := m.node("main", "", m.node("heading", "An article", textNode("An article")))
	links := 20
	for s := range 20 {
		h := m.node("heading", fmt.Sprintf("Section %d", s+1), textNode(fmt.Sprintf("Section %d", s+1)))
		h.S = map[string]any{"level": 2}
		main.C = append(main.C, h)
		for range 4 {
			p := m.node("paragraph", "")
			for range 3 + s%2 {
				links++
				name := m.words(2)
				p.C = append(
					p.C,
					textNode(m.words(18)+" "),
					m.link(name, fmt.Sprintf("%s/wiki/%s_%d", site, strings.ReplaceAll(name, " ", "_"), links)),
				)
			}
			p.C = append(p.C, textNode(" "+m.words(15)+"."))
			main.C = append(main.C, p)
		}
	}
	root.C = append(root.C, m.node("banner", "", nav), main, m.node("contentinfo", "", textNode("Footer")))
	return toldDoc{T: "An article", U: site + "/article.html", N: root}
}

// rows returns a page with 1,250 rows of a text, a link, a button and a field.
func rows(wrapper string) toldDoc {
	m := &maker{}
	root := m.node("RootWebArea", "Rows")
	for i := range 1250 {
		cells := []*toldNode{
			textNode(fmt.Sprintf("Row %d ", i)),
			m.link(fmt.Sprintf("Open %d", i), fmt.Sprintf("%s/%d", site, i)),
			m.act("button", fmt.Sprintf("Buy %d", i), textNode(fmt.Sprintf("Buy %d", i))),
			m.act("textbox", "Quantity"),
		}
		if wrapper == "" {
			root.C = append(root.C, cells...)
		} else {
			root.C = append(root.C, m.node(wrapper, "", cells...))
		}
	}
	return toldDoc{T: "Rows", U: site + "/large.html", N: root}
}

// upstream writes a page as chrome-devtools-mcp does: a uid on every line, two spaces a level, absolute addresses.
func upstream(d toldDoc) string {
	var b strings.Builder
	b.WriteString("## Latest page snapshot\n")
	id := 0
	var walk func(n *toldNode, depth int)
	walk = func(n *toldNode, depth int) {
		switch n.R {
		case "generic", "paragraph", "list", "listitem", "row", "cell", "LabelText":
			for _, k := range n.C {
				walk(k, depth)
			}
			return
		}
		fmt.Fprintf(&b, "%*suid=1_%d ", depth*2, "", id)
		id++
		if n.R == "text" {
			fmt.Fprintf(&b, "%q\n", n.X)
			return
		}
		b.WriteString(n.R)
		if n.N != "" {
			fmt.Fprintf(&b, " %q", n.N)
		}
		if n.U != "" {
			fmt.Fprintf(&b, " url=%q", n.U)
		}
		if n.R == "RootWebArea" {
			fmt.Fprintf(&b, " url=%q", d.U)
		}
		if l, ok := n.S["level"]; ok {
			fmt.Fprintf(&b, ` level="%v"`, l)
		}
		b.WriteByte('\n')
		for _, k := range n.C {
			if k.R == "text" && k.X == n.N {
				id++
				continue
			}
			walk(k, depth+1)
		}
	}
	walk(d.N, 0)
	return b.String()
}

func render(tb testing.TB, d *document.Doc, o Options) string {
	tb.Helper()
	text, _, err := Render(d, o)
	if err != nil {
		tb.Fatal(err)
	}
	return text
}
