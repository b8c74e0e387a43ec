// Package edit changes one entry in the text of a JSON, TOML or YAML document and leaves every other byte as it is. It
// parses a document only to find the place, splices the text there, and compares the parsed documents before it hands
// out the result.
package edit

import (
	"slices"
	"strings"
)

// Format is the language of a document.
type Format string

const (
	// Strict is JSON without comments and trailing commas.
	Strict Format = "json"
	// Commented is JSON with comments, but without trailing commas.
	Commented Format = "json with comments"
	// Loose is JSON with comments and trailing commas.
	Loose Format = "jsonc"
	// TOML is TOML 1.0.
	TOML Format = "toml"
	// YAML is YAML with one document a file.
	YAML Format = "yaml"
)

func (f Format) editor() editor {
	switch f {
	case TOML:
		return tomlEditor{}
	case YAML:
		return yamlEditor{}
	}

	return jsonEditor{f}
}

// LeadsEachEntry reports whether each entry has text of its own before it, which goes with that entry. In the other
// formats the text of Origin.Lead belongs to the map and goes with its last entry.
func (f Format) LeadsEachEntry() bool { return f == TOML }

// Field is one name and value of an entry. A value is a string, a bool, an int, a []string or a []Field.
type Field struct {
	Key   string
	Value any
}

// Path leads to an entry: Keys lead to the map that holds it, Name is its name in that map.
type Path struct {
	Keys []string
	Name string
}

// all is the path as one list of keys.
func (p Path) all() []string { return append(slices.Clone(p.Keys), p.Name) }

// Content is what an entry is to hold.
type Content struct {
	// Fields are the fields of a new entry, in the order in which they are written.
	Fields []Field
	// Owned names the fields that Add sets in an entry that is there already. The others may be a person's and stay.
	Owned []string
	// Below names a map inside an entry that has the owned fields, in documents where such a map is there. Only JSON
	// has it.
	Below string
	// Check reports whether an entry that Add has written reads as it was meant. Its argument is what Node.Value
	// returns.
	Check func(value any) bool
}

func (c Content) owns(f Field) bool { return slices.Contains(c.Owned, f.Key) }

// Origin is what stood in place of an entry before it was added. Remove needs it to restore the text.
type Origin struct {
	// At is how many of the keys of the path were there.
	At int `json:"at"`
	// Inner is the white space inside a map that was there and empty.
	Inner *string `json:"inner,omitempty"`
	// Lead is the text that Add put before the entry to separate it from others.
	Lead string `json:"lead,omitempty"`
	// Unknown says that nobody recorded the origin.
	Unknown bool `json:"-"`
}

// editor edits the text of a document of one format.
type editor interface {
	// parse reads a text. It returns an *Error for one that is not valid.
	parse(text string) (*Node, error)
	// onlyComments reports whether a text that does not parse holds comments and nothing else.
	onlyComments(text string) bool
	// insert adds an entry to a document that has none at this path.
	insert(text string, p Path, fields []Field) (string, Origin, error)
	// update sets the owned fields of an entry that is there.
	update(text string, p Path, c Content) (string, error)
	// remove cuts an entry and the maps that were made for it. It returns candidates in order of preference.
	remove(text string, p Path, was Origin) ([]string, error)
	// fresh writes a new document.
	fresh(p Path, fields []Field, eol string) string
}

// Fresh is a new document that holds one entry, without an end of line at its end.
func Fresh(f Format, p Path, fields []Field) string {
	return strings.TrimSuffix(f.editor().fresh(p, fields, "\n"), "\n")
}

// Inline is fields as a JSON object on one line.
func Inline(fields []Field) string { return layout{line: true}.value(fields, "") }
