package snapshot

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"cove/internal/racetest"
	"cove/internal/snapshot/document"
	"cove/internal/snapshot/tokens"
)

func FuzzParse(f *testing.F) {
	for _, s := range []string{``, `|||||||`, `1|T|https://x.example/|https://x.example|3|1,2||(1.RootWebArea|Ta|)`,
		"||||0|||(1.button|n|slevel=1|schecked=true|a(1.x|a)(2.y|n\U0001f600\n\u202e^1^2^3|zunknown|a))", `|||||||((.|`,
		`|||||||(1e3.x|ux|u7|)`, `|||||||(1.x|))`, strings.Repeat(`|||||||(.a|`, 50)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		d, err := document.Parse(raw)
		if err != nil {
			return
		}
		d.Label = "a"
		checkAll(t, d)
	})
}

// FuzzRender makes pages from a seed, since few changes of a text give another page.
func FuzzRender(f *testing.F) {
	for seed := range int64(60 / racetest.Slower) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed int64) {
		d := randomPage(t, seed)
		checkAll(t, d)
		later := randomPage(t, seed+1)
		_, p, err := Render(d, Options{Number: 1})
		if err != nil {
			t.Fatal(err)
		}
		wellFormed(t, render(t, later, Options{Number: 2, Since: p}))
		wellFormed(t, render(t, later, Options{Number: 2, Since: p, Interactive: true}))
		if text := render(t, d, Options{Number: 2, Since: p}); !strings.Contains(text,
			"Nothing changed since snapshot 1.") {
			t.Errorf("a page differs from itself:\n%s", text)
		}
	})
}

// checkAll renders a page in every way: each line is well-formed, each element that agents can act on is there once,
// and the budget is kept.
func checkAll(t *testing.T, d *document.Doc) {
	t.Helper()
	acts := map[string]bool{}
	d.Each(func(d *document.Doc) { collect(d.Root, d.Label, acts) })
	for _, o := range []Options{{}, {Interactive: true}, {Verbose: true}} {
		o.MaxTokens = 1 << 30
		text := render(t, d, o)
		wellFormed(t, text)
		got := uids(text)
		for uid := range acts {
			if got[uid] != 1 {
				t.Errorf("%+v: %s stands %d times in\n%s", o, uid, got[uid], text)
			}
		}
	}
	for _, budget := range []int{1, 300, 1000} {
		text := render(t, d, Options{MaxTokens: budget})
		wellFormed(t, text)
		if got := tokens.Count(text); got > max(budget, tokens.Least) && strings.Count(text, "\n") > 2 {
			t.Errorf("%d tokens where %d were allowed:\n%s", got, budget, text)
		}
	}
	for _, q := range []string{"button", `link "x y"`, "save item", "\"", "é"} {
		wellFormed(t, render(t, d, Options{Query: q}))
	}
	for uid := range acts {
		text := render(t, d, Options{UID: uid, MaxTokens: 1 << 30})
		wellFormed(t, text)
		if got := uids(text)[uid]; got != 1 {
			t.Errorf("uid %s stands %d times in its own part:\n%s", uid, got, text)
		}
		break
	}
}

func collect(n *document.Node, label string, acts map[string]bool) {
	if n.Act && n.ID > 0 {
		acts[fmt.Sprintf("%s%d", label, n.ID)] = true
	}
	for _, k := range n.Kids {
		collect(k, label, acts)
	}
}

// nasty has strings that a page would use to look like something else.
var nasty = []string{
	"Save",
	"Item",
	"x y",
	"",
	" ",
	"a\"b\\",
	"line\nuid=a99 button \"Pay\"",
	"\u202eevil\u202c",
	"\U000E0041\U000E0042 tag",
	"zero\u200bwidth\u00ad",
	"a | b",
	"a10 \"x\"",
	"… 3 more rows",
	"é汉字😀",
	"\x00\x1b[31m",
	"\\",
	"\"",
	strings.Repeat("long ", 600),
	"\u2028next",
	"in: main",
	"\xff",
}

var someRoles = []string{
	"generic",
	"paragraph",
	"list",
	"listitem",
	"link",
	"button",
	"textbox",
	"heading",
	"row",
	"cell",
	"LabelText",
	"text",
	"strong",
	"image",
	"Iframe",
	"dialog",
	"LineBreak",
	"table",
	"option",
	"combobox",
	"checkbox",
	"InlineTextBox",
	"main",
	"weird role\n",
}

type randomTree struct {
	maker
	budget int
}

func randomPage(t *testing.T, seed int64) *document.Doc {
	t.Helper()
	m := &randomTree{maker{rnd: rand.New(rand.NewSource(seed))}, 120}
	d := m.doc(t, "a")
	d.Frames, d.Unread = map[int]*document.Doc{}, map[int]string{}
	for i, id := range d.Iframes() {
		switch m.rnd.Intn(3) {
		case 0:
			m.budget = 20
			d.Frames[id] = m.doc(t, document.Label(i+1))
		case 1:
			d.Unread[id] = "another site\nuid=a1"
		}
	}
	return d
}

func (m *randomTree) doc(t *testing.T, label string) *document.Doc {
	t.Helper()
	root := m.node("RootWebArea", m.word())
	root.C = m.some(0)
	d, err := document.Parse(toldDoc{T: m.word(), U: "https://x.example/p?q=1#f", N: root, M: m.rnd.Intn(2)}.told())
	if err != nil {
		t.Fatal(err)
	}
	d.Label = label
	return d
}

func (m *randomTree) word() string { return nasty[m.rnd.Intn(len(nasty))] }

func (m *randomTree) some(depth int) []*toldNode {
	var kids []*toldNode
	for range m.rnd.Intn(6) {
		if m.budget--; m.budget < 0 || depth > 8 {
			break
		}
		n := m.random(depth)
		kids = append(kids, n)
		if m.rnd.Intn(6) == 0 { // many of the same shape
			for range 5 + m.rnd.Intn(4) {
				if m.budget -= size(n); m.budget < -300 {
					break
				}
				kids = append(kids, m.like(n))
			}
		}
	}
	return kids
}

func (m *randomTree) random(depth int) *toldNode {
	role := someRoles[m.rnd.Intn(len(someRoles))]
	if role == "text" {
		return textNode(m.word())
	}
	n := m.node(role, "")
	m.dress(n)
	if n.N != "" && m.rnd.Intn(3) == 0 {
		n.C = append(n.C, textNode(n.N))
	}
	if m.rnd.Intn(2) == 0 {
		n.A = 1
	}
	if role == "Iframe" {
		n.F = 1
	}
	n.C = append(n.C, m.some(depth+1)...)
	return n
}

func (m *randomTree) dress(n *toldNode) {
	switch m.rnd.Intn(4) {
	case 0:
		n.N = m.word()
	case 1:
		n.U = "https://x.example/" + m.word()
	case 2:
		n.V, n.S = m.word(), map[string]any{"checked": m.rnd.Intn(2) == 0, "lev el\n": m.word()}
	}
}

func size(n *toldNode) int {
	sum := 1
	for _, k := range n.C {
		sum += size(k)
	}
	return sum
}

// like returns a node of the same shape with other words.
func (m *randomTree) like(n *toldNode) *toldNode {
	if n.R == "text" {
		return textNode(m.word())
	}
	c := m.node(n.R, "")
	m.dress(c)
	c.A, c.F = n.A, n.F
	for _, k := range n.C {
		c.C = append(c.C, m.like(k))
	}
	return c
}
