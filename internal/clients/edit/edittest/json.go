package edittest

import (
	"fmt"
	"strings"
)

func (g *Generator) of(n int) bool { return g.IntN(n) == 0 }

func (g *Generator) pick(words ...string) string { return words[g.IntN(len(words))] }

// gap returns white space and, where they are allowed, comments, after least.
func (g *Generator) gap(least string) string {
	var b strings.Builder
	b.WriteString(least)
	for g.of(3) {
		switch g.IntN(6) {
		case 0:
			b.WriteString(g.eol)
		case 1:
			b.WriteString(g.pick(" ", "  ", "\t"))
		case 2:
			b.WriteString(g.eol + g.pick("", "  ", "    ", "\t", "\t\t"))
		case 3:
			if g.comments {
				b.WriteString(g.pick("// {a}, ", " // \"cove-1\": {}", "//") + g.eol)
			}
		case 4:
			if g.comments {
				b.WriteString(g.pick("/* c */", " /* a"+g.eol+"b */ ", "/**/"))
			}
		case 5:
			b.WriteString(g.eol + g.eol)
		}
	}
	return b.String()
}

func (g *Generator) scalar() string {
	return g.pick(`1`, `-0.5e3`, `true`, `null`, `"x"`, `"a, } ] \" // b"`, `"é\u00e9"`, `"C:\\x\\y"`, `""`)
}

func (g *Generator) value(depth int) string {
	switch {
	case depth <= 0 || g.of(3):
		return g.scalar()
	case g.of(3):
		var items []string
		for range g.IntN(4) {
			items = append(items, g.gap("")+g.value(depth-1)+g.gap(""))
		}
		return "[" + strings.Join(items, ",") + g.trail(len(items)) + g.gap("") + "]"
	}
	var members []string
	for i := range g.IntN(4) {
		members = append(members, g.member(fmt.Sprintf("k%d", i), g.value(depth-1)))
	}
	return g.object(members)
}

func (g *Generator) trail(n int) string {
	if n > 0 && g.commas && g.of(4) {
		return ","
	}
	return ""
}

func (g *Generator) member(name, value string) string {
	return g.gap(g.pick("", " ", g.eol+"  ", g.eol+"\t")) + `"` + name + `":` + g.gap(g.pick("", " ")) + value
}

func (g *Generator) object(members []string) string {
	g.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	for i := range members {
		members[i] += g.gap("")
	}
	return "{" + strings.Join(members, ",") + g.trail(len(members)) + g.gap("") + "}"
}

// document returns an object that has a random number of the keys to the servers.
func (g *Generator) document(keys []string) string {
	var members []string
	for i := range g.IntN(4) {
		members = append(members, g.member(fmt.Sprintf("other%d", i), g.value(3)))
	}
	if len(keys) > 0 && !g.of(4) {
		members = append(members, g.member(strings.ReplaceAll(keys[0], `\`, `\\`), g.document(keys[1:])))
	}
	return g.object(members)
}
