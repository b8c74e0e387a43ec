package snapshot

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth bounds every later recursion. Deeper nodes become children of the last node above the bound, in page order.
const maxDepth = 300

// Parse reads what the script made of one document. Unknown keys and values of the wrong type are passed over. The strings
// of the document share memory with one copy of raw.
func Parse(raw []byte) (*Doc, error) {
	p := &parser{s: string(raw)}
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

// parser is a JSON reader for this one shape. encoding/json takes five times as long for it.
type parser struct {
	s     string
	i     int
	err   error
	first bool // nothing was read yet in the object or array that was opened last
	slab  []Node
	seen  []uint64 // ids that were given, as bits
	far   map[int]bool
}

func (p *parser) fail(what string) {
	if p.err == nil {
		p.err = fmt.Errorf("%s at byte %d", what, p.i)
	}
	p.i = len(p.s)
}

// peek is the next byte after white space, 0 at the end.
func (p *parser) peek() byte {
	for p.i < len(p.s) {
		switch c := p.s[p.i]; c {
		case ' ', '\t', '\n', '\r':
			p.i++
		default:
			return c
		}
	}
	return 0
}

func (p *parser) open(c byte) {
	if p.peek() != c {
		p.fail("expected " + string(c))
		return
	}
	p.i++
	p.first = true
}

// more tells whether another member follows, and steps over the comma or the end.
func (p *parser) more(end byte) bool {
	c := p.peek()
	first := p.first
	p.first = false
	switch {
	case p.err != nil:
		return false
	case c == end:
		p.i++
		return false
	case first:
		return c != 0 || p.endless()
	case c == ',':
		p.i++
		return true
	}
	return p.endless()
}

func (p *parser) endless() bool {
	p.fail("expected , or an end")
	return false
}

func (p *parser) key() string {
	k := p.str()
	if p.peek() != ':' {
		p.fail("expected :")
		return ""
	}
	p.i++
	return k
}

// str reads a string; one without escapes is a part of the source.
func (p *parser) str() string {
	if p.peek() != '"' {
		p.fail("expected a string")
		return ""
	}
	p.i++
	start := p.i
	end := strings.IndexByte(p.s[start:], '"')
	if end < 0 {
		p.fail("a string without an end")
		return ""
	}
	if s := p.s[start : start+end]; strings.IndexByte(s, '\\') < 0 {
		p.i = start + end + 1
		return s
	}
	return p.escaped(start)
}

func (p *parser) escaped(start int) string {
	var b []byte
	for p.i = start; p.i < len(p.s); {
		c := p.s[p.i]
		p.i++
		if c == '"' {
			return string(b)
		}
		if c != '\\' || p.i >= len(p.s) {
			b = append(b, c)
			continue
		}
		c = p.s[p.i]
		p.i++
		switch c {
		case 'n':
			b = append(b, '\n')
		case 't':
			b = append(b, '\t')
		case 'r', 'b', 'f':
			b = append(b, ' ')
		case 'u':
			b = utf8.AppendRune(b, p.unicode())
		default:
			b = append(b, c)
		}
	}
	p.fail("a string without an end")
	return ""
}

// unicode reads the four digits after \u, and the second half of a pair.
func (p *parser) unicode() rune {
	r := p.hex()
	if utf16.IsSurrogate(r) && strings.HasPrefix(p.s[p.i:], `\u`) {
		at := p.i
		p.i += 2
		if pair := utf16.DecodeRune(r, p.hex()); pair != utf8.RuneError {
			return pair
		}
		p.i = at
	}
	return r
}

func (p *parser) hex() rune {
	if p.i+4 > len(p.s) {
		return utf8.RuneError
	}
	v, err := strconv.ParseUint(p.s[p.i:p.i+4], 16, 32)
	if err != nil {
		return utf8.RuneError
	}
	p.i += 4
	return rune(v)
}

// text reads any scalar as a string; null, objects and arrays are "".
func (p *parser) text() string {
	switch p.peek() {
	case '"':
		return p.str()
	case '{', '[':
		p.skip()
		return ""
	}
	if w := p.word(); w != "null" {
		return w
	}
	return ""
}

func (p *parser) int() int64 {
	s := p.text()
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		f, _ := strconv.ParseFloat(s, 64)
		if f > -1e15 && f < 1e15 {
			return int64(f)
		}
	}
	return n
}

// truth reads 1, true and the like.
func (p *parser) truth() bool {
	switch p.text() {
	case "", "0", "false":
		return false
	}
	return true
}

// word reads a number, true, false or null.
func (p *parser) word() string {
	p.peek()
	start := p.i
	for p.i < len(p.s) {
		switch p.s[p.i] {
		case ',', '}', ']', ':', '"', '{', '[', ' ', '\t', '\n', '\r':
			if p.i == start {
				p.fail("expected a value")
				return ""
			}
			return p.s[start:p.i]
		}
		p.i++
	}
	if start == p.i {
		p.fail("expected a value")
	}
	return p.s[start:p.i]
}

// skip steps over any value without recursion.
func (p *parser) skip() {
	depth := 0
	for p.err == nil {
		switch p.peek() {
		case 0:
			p.fail("unexpected end")
		case '"':
			p.str()
		case '{', '[':
			depth++
			p.i++
		case '}', ']':
			depth--
			p.i++
		case ',', ':':
			p.i++
		default:
			p.word()
		}
		if depth <= 0 {
			return
		}
	}
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
