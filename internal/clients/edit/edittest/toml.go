package edittest

import (
	"fmt"
	"strings"
)

// tomlDocument returns a file with keys, tables, lists of tables and comments.
func (g *Generator) tomlDocument() string {
	b := &tomlText{Generator: g}
	b.values("")
	switch g.IntN(12) {
	case 0, 1:
		b.put(`mcp_servers.z.command = "y"`)
	case 2: // no other statement may add to an inline table
		b.put(g.pick("mcp_servers", `"mcp_servers"`, "'mcp_servers' ") + g.pick("=", " = ", "\t=\t") +
			g.pick("{}", "{ }", "{a={}}", `{ a = { b = "}" } , c.d = 1 }`, "{\ta = {},\tb = { x = 1 }\t}") + g.pick("",
			" # }"))
		b.values("r")
		return b.String()
	}

	for i := range g.IntN(4) {
		b.blank()
		head := g.pick("[t%d]", "[ t%d . u ]", "[[t%d]]", "  [t%d]", "[mcp_servers.s%d]", `[mcp_servers."s %d"]`,
			"[mcp_servers.s%d.env]")
		b.put(strings.ReplaceAll(head, "%d", fmt.Sprint(i)))
		b.values("")
	}
	if g.of(8) {
		b.blank()
		b.put("[mcp_servers]")
		b.values("q")
	}
	b.blank()

	text := b.String()
	if g.of(3) {
		text = strings.TrimSuffix(text, g.eol)
	}

	return text
}

// tomlText is a document in the making.
type tomlText struct {
	*Generator
	strings.Builder
}

func (b *tomlText) put(text string) { b.WriteString(text + b.eol) }

func (b *tomlText) blank() {
	for b.of(3) {
		b.put(b.pick("", "# a comment", "  # [mcp_servers.cove-1]", "\t"))
	}
}

func (b *tomlText) values(prefix string) {
	for i := range b.IntN(4) {
		b.blank()
		v := b.pick(`1`, `-0.5`, `true`, `"x # y"`, `'C:\x'`, `1979-05-27T07:32:00Z`, `[1, 2]`,
			`{ a = 1, "b c" = [1] }`,
			`"""`+b.eol+`[mcp_servers.cove-1]`+b.eol+`"""`, `"""x\"""" # """`, `''''a''''`,
			`[{ a = "]" }, { "b.c" = { d = [[]] } }]`, `[`+b.eol+`  "a", # c`+b.eol+`  'b',`+b.eol+`]`, `nan`, `inf`)
		indent := b.pick("", "  ")
		key := fmt.Sprintf(b.pick("k%d", `"k %d"`, "a%d.b", "k%d . c"), i)
		equals := b.pick(" = ", "=")
		b.put(indent + prefix + key + equals + v + b.pick("", " # c"))
	}
}
