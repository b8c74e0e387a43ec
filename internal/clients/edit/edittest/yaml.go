package edittest

import (
	"fmt"
	"strings"
)

// yamlBlock returns a map in lines of its own.
func (g *Generator) yamlBlock(indent string, depth int, names ...string) string {
	var b strings.Builder
	put := func(text string) { b.WriteString(text + g.eol) }
	for i, name := range names {
		for g.of(4) {
			put(g.pick("", "# top", indent+"# here", "  "))
		}
		if name == "" {
			name = fmt.Sprintf(g.pick("k%d", `"k %d"`, "'k%d: x'", "é%d"), i)
		}
		head := indent + name + ":"
		switch {
		case depth > 0 && g.of(3):
			put(head + g.pick("", " # c"))
			b.WriteString(g.yamlBlock(indent+g.pick("  ", " ", "    "), depth-1, make([]string, 1+g.IntN(3))...))
		case g.of(5):
			put(head + g.pick(" |", " >", " |-", " |+"))
			put(indent + "   # not a comment")
			for g.of(2) {
				put(g.pick("", indent+"   text: x", indent+"   "))
			}
		case g.of(4):
			put(head)
			put(indent + g.pick("", "  ") + "- a")
		default:
			put(head + g.yamlValue(indent))
		}
	}

	return b.String()
}

func (g *Generator) yamlValue(indent string) string {
	return g.pick(" 1", " yes", ` "x: # y"`, " 'it''s'", " {a: 1, b: [x, y]}", " [1, 2]", " null", "", " a b # c",
		" &n 1",
		" !!str 1", " [&m 1, *m]", " \"a"+g.eol+g.eol+indent+"   # b\"", " a"+g.eol+indent+"  - b: c"+g.eol,
		" # c"+g.eol+indent+"  'x"+g.eol+indent+"   extensions:'", " |2"+g.eol+indent+"     x")
}

// yamlBraces returns a file that is written like JSON.
func (g *Generator) yamlBraces() string {
	servers := g.pick("", "extensions: {}, ", `"extensions": { },`+g.eol, `"extensions":{"a": {cmd: "x, }"}}, `,
		"extensions: {"+g.eol+"  a: {b: 1} # c"+g.eol+"  }, ")
	text := g.pick("", "# top"+g.eol, "--- ") + "{" + g.pick("", " ", g.eol+" ") + servers +
		g.pick("a: 1", `"a": [x, {y: z}]`, `'a': "it's"`) + g.pick("", ",", " ", g.eol) + "}"

	return text + g.pick("", g.eol, " # end"+g.eol, g.eol+"..."+g.eol)
}

func (g *Generator) yamlDocument() string {
	if g.of(10) {
		return g.yamlBraces()
	}

	var b strings.Builder
	if g.of(6) {
		b.WriteString(g.pick("---"+g.eol, "# top"+g.eol+g.eol))
	}
	names := make([]string, g.IntN(4))
	at := g.IntN(len(names) + 1)
	b.WriteString(g.yamlBlock("", 2, names[:at]...))
	if !g.of(4) {
		b.WriteString(g.yamlServers())
	}
	// The names of the rest must differ from the first ones.
	rest := strings.NewReplacer("k0", "l0", "k1", "l1", "k2", "l2", "k 0", "l 0", "k 1", "l 1", "é", "è")
	b.WriteString(rest.Replace(g.yamlBlock("", 2, names[at:]...)))

	text := b.String()
	if g.of(3) {
		text = strings.TrimSuffix(text, g.eol)
	}

	return text
}

func (g *Generator) yamlServers() string {
	if g.IntN(5) == 0 {
		return "extensions:" + g.pick("", " # c", " {}", " { }", " {a: {b: 1}}", " { a: {b: 1} }",
			" { # c"+g.eol+"  a: {b: 1},  c: 2 # d"+g.eol+"  }") + g.eol
	}
	head := "extensions:" + g.pick("", " # c", "  ") + g.eol

	return head + g.yamlBlock(g.pick("  ", " ", "    "), 2, make([]string, 1+g.IntN(3))...)
}
