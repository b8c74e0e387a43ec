package snapshot

import (
	"errors"
	"fmt"
)

// maxDepth bounds every later recursion. Deeper nodes become children of the last node above the bound, in page order.
const maxDepth = 300

// Parse reads what the script made of one document. Unknown keys and values of the wrong type are passed over. The strings
// of the document share memory with one copy of raw.
func Parse(raw []byte) (*Doc, error) {
	p := &parser{reader: reader{s: string(raw)}}
	d := &Doc{}
	p.open('{')
	for p.more('}') {
		switch p.key() {
		case "v":
			d.Version = p.int()
		case "t":
			d.Title = p.text()
		case "u":
			d.URL = p.text()
		case "m":
			d.LeftOut = int(max(p.int(), 0))
		case "k":
			p.ids(d)
		case "n":
			if p.peek() == '{' {
				d.Root = p.tree()
			} else {
				p.skip()
			}
		default:
			p.skip()
		}
	}
	if p.err == nil && p.peek() != 0 {
		p.fail("something follows the document")
	}
	if p.err == nil && d.Root == nil {
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

// parser makes nodes of what it reads, in a fifth of the time of encoding/json.
type parser struct {
	reader
	slab []Node
	seen []uint64 // ids that were given, as bits
	far  map[int]bool
}

func (p *parser) ids(d *Doc) {
	if p.peek() != '[' {
		p.skip()
		return
	}
	p.open('[')
	for p.more(']') {
		d.IDs = append(d.IDs, int(p.int()))
	}
}

func (p *parser) states(n *Node) {
	if p.peek() != '{' {
		p.skip()
		return
	}
	p.open('{')
	for p.more('}') {
		k := p.key()
		if v := p.text(); v != "" {
			n.States = append(n.States, State{k, v})
		}
	}
	p.first = false
}

func (p *parser) node() *Node {
	if len(p.slab) == 0 {
		p.slab = make([]Node, 256)
	}
	n := &p.slab[0]
	p.slab = p.slab[1:]
	return n
}

// tree reads nodes with a stack of its own, since pages nest as deep as they like.
func (p *parser) tree() *Node {
	root := p.node()
	stack := []*Node{root}
	p.open('{')
	for p.err == nil {
		if p.more('}') {
			if p.field(stack[len(stack)-1]) {
				continue
			}
			p.open('[')
		} else if stack = stack[:len(stack)-1]; len(stack) == 0 {
			break
		}
		if p.kid() {
			kid := p.node()
			parent := stack[min(len(stack), maxDepth)-1]
			parent.Kids = append(parent.Kids, kid)
			stack = append(stack, kid)
			p.open('{')
		}
	}
	return root
}

// kid tells whether a node follows in the array of children; what is none is passed over.
func (p *parser) kid() bool {
	for p.more(']') {
		if p.peek() == '{' {
			return true
		}
		p.skip()
	}
	return false
}

// field reads one member of a node; false means that its children follow.
func (p *parser) field(n *Node) bool {
	switch p.key() {
	case "i":
		n.ID = p.fresh(p.int())
	case "r":
		n.Role = p.text()
	case "n":
		n.Name = p.text()
	case "d":
		n.Desc = p.text()
	case "v":
		n.Value = p.text()
	case "u":
		n.URL = p.text()
	case "x":
		n.Text = p.text()
	case "s":
		p.states(n)
	case "a":
		n.Act = p.truth()
	case "f":
		n.Frame = p.truth()
	case "c":
		if p.peek() == '[' {
			return false
		}
		p.skip()
	default:
		p.skip()
	}
	return true
}

// fresh answers 0 for an id that another node has already: two nodes with one uid would mislead.
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
