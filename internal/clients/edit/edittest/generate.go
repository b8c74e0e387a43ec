// Package edittest has what the tests of edit and of the packages above it share: random documents, documents as people
// have them, and witnesses that do not use edit itself. Only tests import it.
package edittest

import (
	"math/rand/v2"
	"strings"

	"cove/internal/clients/edit"
)

const bom = "\xef\xbb\xbf"

// Generator makes random documents that look like what people have.
type Generator struct {
	*rand.Rand
	eol string
	// comments and commas say whether JSON may have comments and trailing commas.
	comments, commas bool
}

// Case is a random document.
type Case struct {
	Format edit.Format
	// Keys lead to the map of servers, as far as it exists at random.
	Keys []string
	Text string
	// Random continues the sequence that made the document.
	Random *Generator
}

func newGenerator(seed, stream uint64, comments, commas bool) *Generator {
	g := &Generator{rand.New(rand.NewPCG(seed, stream)), "\n", comments, commas}
	if g.of(3) {
		g.eol = "\r\n"
	}

	return g
}

// RandomJSON returns a document in one of the three kinds of JSON.
func RandomJSON(seed uint64) Case {
	format := []edit.Format{edit.Strict, edit.Loose, edit.Commented}[seed%3]
	g := newGenerator(seed, 1, format != edit.Strict, format == edit.Loose)
	keys := [][]string{{"mcpServers"}, {"mcp"}, {"amp.mcpServers"}, {"projects", "/home/me", "mcpServers"}}[g.IntN(4)]
	text := g.gap("") + g.document(keys) + g.gap("")
	if g.of(4) {
		text = strings.TrimSuffix(text, g.eol)
	}
	if g.of(8) {
		text = bom + text
	}

	return Case{format, keys, text, g}
}

// RandomTOML returns a TOML document. Some are not valid, because a table may occur twice.
func RandomTOML(seed uint64) Case {
	g := newGenerator(seed, 2, true, true)
	text := g.tomlDocument()
	if g.of(8) {
		text = bom + text
	}

	return Case{edit.TOML, []string{"mcp_servers"}, text, g}
}

// RandomYAML returns a YAML document. Some are not valid, and in some the value at the key of the servers is not a map.
func RandomYAML(seed uint64) Case {
	g := newGenerator(seed, 3, true, true)
	text := g.yamlDocument()
	if g.of(8) {
		text = bom + text
	}

	return Case{edit.YAML, []string{"extensions"}, text, g}
}

// Random returns a document in any format. Some are not valid.
func Random(seed uint64) Case {
	format := []edit.Format{edit.Loose, edit.Strict, edit.TOML, edit.YAML}[seed%4]
	g := newGenerator(seed, 4, format == edit.Loose, format == edit.Loose)
	switch format {
	case edit.TOML:
		return Case{format, []string{"mcp_servers"}, g.tomlDocument(), g}
	case edit.YAML:
		return Case{format, []string{"extensions"}, g.yamlDocument(), g}
	}
	keys := []string{"mcpServers"}

	return Case{format, keys, g.gap("") + g.document(keys) + g.gap(""), g}
}

// Given returns the Case of a document that a person wrote.
func Given(format edit.Format, keys []string, text string) Case {
	return Case{format, keys, text, &Generator{rand.New(rand.NewPCG(1, 1)), "\n", true, true}}
}
