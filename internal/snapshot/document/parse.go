package document

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// maxDepth bounds the depth of a tree, and so every later recursion. Deeper nodes become children of the last node
// above the bound, in page order.
const maxDepth = 300

// Parse reads the text that the walker has made of one document; page/dom/src/walker/format.ts describes it. Parse
// ignores fields that it does not know.
func Parse(raw string) (*Doc, error) {
	as := func(text string) string { return text }
	return ParseHiding(raw, as, as)
}

// ParseHiding is Parse with redaction: words redacts texts, addresses redacts addresses. Both get strings that are not
// cut yet.
func ParseHiding(raw string, words, addresses func(string) string) (*Doc, error) {
	p := &parser{s: words(raw), hide: words}
	d := &Doc{}
	version, shape, _ := strings.Cut(p.text(), ".")
	d.Version, d.Shape = number(version), number(shape)
	d.Title, d.URL, p.origin = p.text(), addresses(p.text()), p.text()
	p.addresses = addresses
	d.Unreported = int(max(p.int(), 0))
	for id := range strings.SplitSeq(p.text(), ",") {
		if n, err := strconv.Atoi(id); err == nil {
			d.IDs = append(d.IDs, n)
		}
	}
	failed := p.text() // the walker's error message
	if p.err == nil && p.peek() == '(' {
		d.Root = p.tree()
	}
	switch {
	case p.err != nil:
	case p.i != len(p.s):
		p.fail("something follows the document")
	case d.Root == nil && failed != "":
		p.err = errors.New(failed)
	case d.Root == nil:
		p.err = errors.New("it holds no tree")
	}
	if p.err != nil {
		return nil, fmt.Errorf("the page's tree cannot be read: %w", p.err)
	}
	if d.Root.Role == "" {
		d.Root.Role = "RootWebArea"
	}
	return d, nil
}

// parser makes nodes from the text that it reads. The strings of the nodes are parts of that text. After the first
// error the parser skips to the end.
type parser struct {
	s      string
	i      int
	err    error
	hide   func(string) string
	origin string
	// addresses returns what agents may see of an address.
	addresses func(string) string
	slab      []Node
	seen      []uint64 // the ids below near that nodes have, as bits
	far       map[int]bool
}

func (p *parser) fail(what string) {
	if p.err == nil {
		p.err = fmt.Errorf("%s at byte %d", what, p.i)
	}
	p.i = len(p.s)
}

// peek returns the next byte, or 0 at the end.
func (p *parser) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

// text reads up to the next bar and undoes the walker's escapes.
func (p *parser) text() string {
	n := strings.IndexByte(p.s[p.i:], '|')
	if n < 0 {
		p.fail("a text without an end")
		return ""
	}
	s := p.s[p.i : p.i+n]
	p.i += n + 1
	if strings.IndexByte(s, '^') >= 0 {
		return p.hide(marks().Replace(s))
	}
	return s
}

// marks replaces the escapes of the walker by the characters that they stand for.
var marks = sync.OnceValue(func() *strings.Replacer { return strings.NewReplacer("^1", "|", "^2", "^") })

func (p *parser) int() int64 { return number(p.text()) }

func number(s string) int64 {
	n, _ := strconv.ParseInt(s, 10, 64)
	return n
}

func (p *parser) node() *Node {
	if len(p.slab) == 0 {
		p.slab = make([]Node, 256)
	}
	n := &p.slab[0]
	p.slab = p.slab[1:]
	return n
}

// tree reads a node and everything below it. It uses a stack in place of recursion, since pages nest as deep as they
// like.
func (p *parser) tree() *Node {
	root := p.node()
	p.begin(root)
	stack := []*Node{root}
	for p.err == nil && len(stack) > 0 {
		n := stack[len(stack)-1]
		switch c := p.peek(); c {
		case 0:
			p.fail("a node without an end")
		case ')':
			p.i++
			stack = stack[:len(stack)-1]
		case '(', 'T':
			kid := p.node()
			parent := stack[min(len(stack), maxDepth)-1]
			parent.Kids = append(parent.Kids, kid)
			if c == '(' {
				p.begin(kid)
				stack = append(stack, kid)
				continue
			}
			p.i++
			kid.Role, kid.Text = "text", p.text()
		default:
			p.i++
			p.field(n, c)
		}
	}
	return root
}

// begin reads a node's id and role.
func (p *parser) begin(n *Node) {
	p.i++
	id, role, ok := strings.Cut(p.text(), ".")
	if !ok {
		p.fail("a node without a role")
		return
	}
	number, _ := strconv.ParseInt(id, 10, 64)
	n.ID, n.Role = p.fresh(number), role
}

func (p *parser) field(n *Node, c byte) {
	switch c {
	case 'a':
		n.Act = true
	case 'f':
		n.Frame = true
	case 'n':
		n.Name = p.text()
	case 'd':
		n.Desc = p.text()
	case 'v':
		n.Value = p.text()
	case 'u':
		if n.URL = p.text(); strings.HasPrefix(n.URL, "/") {
			n.URL = p.origin + n.URL
		}
		n.URL = p.addresses(n.URL)
	case 's':
		if k, v, ok := strings.Cut(p.text(), "="); ok && v != "" {
			n.States = append(n.States, State{k, v})
		}
	default:
		p.text()
	}
}

// fresh returns id, or 0 if it is invalid or another node has it already: two nodes with one uid would mislead.
func (p *parser) fresh(id int64) int {
	const near = 1 << 20
	switch {
	case id <= 0 || id >= 1e15:
		return 0
	case id >= near:
		if p.far[int(id)] {
			return 0
		}
		if p.far == nil {
			p.far = map[int]bool{}
		}
		p.far[int(id)] = true
	default:
		w, bit := int(id/64), uint64(1)<<(id%64)
		for len(p.seen) <= w {
			p.seen = append(p.seen, make([]uint64, len(p.seen)+64)...)
		}
		if p.seen[w]&bit != 0 {
			return 0
		}
		p.seen[w] |= bit
	}
	return int(id)
}
