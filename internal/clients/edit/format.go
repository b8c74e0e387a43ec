// Package edit changes one entry in the text of a JSON, TOML or YAML document and leaves every other byte as it is. It
// parses a document only to find the place, and splices the text there. Before it returns the result, it parses that
// too and compares the two documents.
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
	// YAML is YAML with one document per file.
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

// LeadsEachEntry reports whether the text of Origin.Lead belongs to each entry and is removed with it. In the other
// formats it belongs to the map and is removed with the last entry.
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

// all returns the path as one list of keys.
func (p Path) all() []string { return append(slices.Clone(p.Keys), p.Name) }

// Content is what an entry is to contain.
type Content struct {
	// Fields are the fields of a new entry, in the order in which they are written.
	Fields []Field
	// Owned names the fields that Add sets in an existing entry. The other fields may be a person's and stay.
	Owned []string
	// Below names a map inside an entry. If an entry has that map, its owned fields are in the map. Only the JSON
	// formats use it.
	Below string
	// Check reports whether an entry that Add has written reads as it was meant. Its argument is what Node.Value
	// returns.
	Check func(value any) bool
}

func (c Content) owns(f Field) bool { return slices.Contains(c.Owned, f.Key) }

// Origin is what was in place of an entry before it was added. Remove needs it to restore the text.
type Origin struct {
	// At is how many of the keys of the path existed.
	At int `json:"at"`
	// Inner is the white space inside a map that existed and was empty.
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
	// onlyComments reports whether a text that does not parse has only comments.
	onlyComments(text string) bool
	// insert adds an entry to a document that has none at this path.
	insert(text string, p Path, fields []Field) (string, Origin, error)
	// update sets the owned fields of an existing entry.
	update(text string, p Path, c Content) (string, error)
	// remove cuts an entry and the maps that were made for it. It returns candidates in order of preference.
	remove(text string, p Path, was Origin) ([]string, error)
	// fresh writes a new document.
	fresh(p Path, fields []Field, eol string) string
}

// Fresh returns a new document with one entry, without a line end at its end.
func Fresh(f Format, p Path, fields []Field) string {
	return strings.TrimSuffix(f.editor().fresh(p, fields, "\n"), "\n")
}

// Inline returns fields as a JSON object on one line.
func Inline(fields []Field) string { return layout{line: true}.value(fields, "") }
