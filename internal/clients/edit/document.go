package edit

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// Error says why a document cannot be edited, with the line of the reason. Line is 0 when it is not known.
type Error struct {
	Line   int
	Reason string
}

// Error returns the reason, with the line before it if that is known.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Reason
	}

	return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
}

// errUnsafe says that an edit would have changed more than its entry, so it was not made.
var errUnsafe = errors.New("the file is written in a way that Cove cannot edit safely")

const bom = "\xef\xbb\xbf"

// Document is the text of a file in a format, and what it parses to. Its text never changes: Add and Remove return a
// new text. Only one goroutine at a time may use a Document, because Node.Get builds an index when it is first called.
type Document struct {
	editor editor
	bom    string
	text   string
	root   *Node
	// blank says that the text is empty or has only comments, so that a whole new document may be written below them.
	blank bool
}

// Open parses a file. It returns an *Error for a file that is not valid in its format.
func Open(f Format, raw []byte) (*Document, error) {
	d := &Document{editor: f.editor(), text: string(raw)}
	if rest, ok := bytes.CutPrefix(raw, []byte(bom)); ok {
		d.bom, d.text = bom, string(rest)
	}
	if d.blank = strings.TrimSpace(d.text) == ""; d.blank {
		return d, nil
	}

	root, err := d.editor.parse(d.text)
	if err == nil {
		d.root = root
		return d, nil
	}
	if d.editor.onlyComments(d.text) {
		d.blank = true
		return d, nil
	}

	return nil, err
}

// HasBOM reports whether the file begins with a byte order mark.
func (d *Document) HasBOM() bool { return d.bom != "" }

// Blank returns the whole text of a file that has only white space and comments. ok is false for any other file.
func (d *Document) Blank() (text string, ok bool) { return d.bom + d.text, d.blank }

// At returns the node that the keys lead to, or nil.
func (d *Document) At(keys []string) *Node { return d.root.at(keys) }

// Entries returns the map of entries that the keys lead to, or nil. It returns an *Error if a value on the way is not a
// map, or if one of the maps has a name twice.
func (d *Document) Entries(keys []string) (*Node, error) {
	n := d.root
	for i, key := range keys {
		if n == nil {
			return nil, nil
		}
		if err := n.requireMap(keys[:i]); err != nil {
			return nil, err
		}
		n = n.Get(key)
	}
	if n == nil {
		return nil, nil
	}

	return n, n.requireMap(keys)
}

// Notation returns the first of several notations of the same keys that the document uses. If it uses none, Notation
// returns the first.
func (d *Document) Notation(notations [][]string) []string {
	for _, keys := range notations {
		if d.At(keys[:len(keys)-1]) != nil && len(keys) > 1 {
			return keys
		}
	}

	return notations[0]
}

// Add writes an entry, or sets the owned fields of an existing one. It returns the new file and, for a new entry, the
// Origin that Remove needs. It refuses an edit that would change anything else, or that c.Check does not accept.
func (d *Document) Add(p Path, c Content) (out []byte, was Origin, err error) {
	entries, err := d.Entries(p.Keys)
	if err != nil {
		return nil, was, err
	}

	var text string
	before := d.root
	switch {
	case d.blank:
		text, before = d.begin(p, c.Fields), &Node{kind: kindMap}
	case entries.Get(p.Name) != nil:
		text, err = d.editor.update(d.text, p, c)
	default:
		text, was, err = d.editor.insert(d.text, p, c.Fields)
	}
	if err != nil {
		return nil, was, d.locate(err, p.Keys)
	}

	after, err := d.editor.parse(text)
	if err != nil || !c.Check(after.at(p.all()).Value()) || !equalExcept(before, after, p) {
		return nil, was, d.locate(errUnsafe, p.Keys)
	}

	return []byte(d.bom + text), was, nil
}

// begin returns a new document below the existing comments.
func (d *Document) begin(p Path, fields []Field) string {
	eol, above := eolOf(d.text), d.text
	switch {
	case strings.TrimSpace(above) == "":
		above = ""
	case !strings.HasSuffix(above, "\n"):
		above += eol
	}

	return above + d.editor.fresh(p, fields, eol)
}

// Remove cuts an entry and returns the new file. It refuses an edit that would change anything else.
func (d *Document) Remove(p Path, was Origin) ([]byte, error) {
	candidates, err := d.editor.remove(d.text, p, was)
	if err != nil {
		return nil, d.locate(err, p.Keys)
	}

	for _, text := range candidates {
		if d.isWithout(text, p) {
			return []byte(d.bom + text), nil
		}
	}

	return nil, d.locate(errUnsafe, p.Keys)
}

// isWithout reports whether a text is this document without the entry, and otherwise equal.
func (d *Document) isWithout(text string, p Path) bool {
	if strings.TrimSpace(text) == "" && equalExcept(d.root, &Node{kind: kindMap}, p) {
		return true
	}

	after, err := d.editor.parse(text)

	return err == nil && after.at(p.all()) == nil && equalExcept(d.root, after, p)
}

// locate turns errUnsafe into an *Error with the line of the innermost map that the keys lead to. Other errors stay as
// they are.
func (d *Document) locate(err error, keys []string) error {
	if !errors.Is(err, errUnsafe) {
		return err
	}

	line := 1
	for i := range len(keys) + 1 {
		if n := d.root.at(keys[:i]); n != nil && n.line > 0 {
			line = n.line
		}
	}

	return &Error{line, err.Error()}
}

// IsEmpty reports whether a file has no content, not even a comment. An empty JSON object counts as none.
func IsEmpty(raw []byte) bool {
	rest := strings.Join(strings.Fields(strings.TrimPrefix(string(raw), bom)), "")
	return rest == "" || rest == "{}"
}
