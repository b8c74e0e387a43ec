package clients

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// origin is what stood in the place of an entry before it was added: what its removal has to give back.
type origin struct {
	// At is how many keys of the way to the entry were there.
	At int `json:"at"`
	// Inner is the blank text in the map that was there and empty.
	Inner *string `json:"inner,omitempty"`
	// Lead is the text that was put before the entry to part it from others.
	Lead string `json:"lead,omitempty"`
	// unknown says that nobody recorded it.
	unknown bool
}

// editor changes one entry in the text of a document. It parses only to find the place.
type editor interface {
	// parse reads the text, and refuses what is not in order.
	parse(text string) (*tree, error)
	// insert adds an entry to a document that has none of this name.
	insert(text string, keys []string, name string, fields []Field) (string, origin, error)
	// update gives an entry that is there the values of the fields.
	update(text string, keys []string, name string, fields []Field) (string, error)
	// remove cuts an entry, and what was made for it; candidates come in order of preference.
	remove(text string, keys []string, name string, was origin) ([]string, error)
	// fresh is a whole new document.
	fresh(keys []string, name string, fields []Field, eol string) string
}

func (f Format) editor() editor {
	switch f {
	case TOML:
		return tomlEditor{}
	case YAML:
		return yamlEditor{}
	}
	return jsonEditor{f}
}

// broken is a document that cannot be edited, with the line of the reason; 0 when that is not known.
type broken struct {
	line int
	why  string
}

func (b *broken) Error() string {
	if b.line == 0 {
		return b.why
	}
	return fmt.Sprintf("line %d: %s", b.line, b.why)
}

// errChecked says that an edit would have changed more than its entry, so it was not made.
var errChecked = errors.New("the file is written in a way that Cove cannot edit safely")

const bom = "\xef\xbb\xbf"

// document is a text in a format.
type document struct {
	editor
	bom  string
	text string
	tree *tree
	// blank says that there is nothing in it, or nothing but comments that no document stands beside, so a whole one may be written.
	blank bool
}

func open(f Format, raw []byte) (*document, error) {
	d := &document{editor: f.editor(), text: string(raw)}
	if rest, ok := bytes.CutPrefix(raw, []byte(bom)); ok {
		d.bom, d.text = bom, string(rest)
	}
	if d.blank = strings.TrimSpace(d.text) == ""; d.blank {
		return d, nil
	}
	t, err := d.parse(d.text)
	if err != nil {
		if e, ok := d.editor.(jsonEditor); ok && e.empty(d.text) {
			d.blank = true
			return d, nil
		}
		return nil, err
	}
	d.tree = t
	return d, nil
}

// entries is the servers at a place; the error tells that something else stands there.
func (d *document) entries(keys []string) (*tree, error) {
	t := d.tree
	for i, key := range keys {
		if t == nil {
			return nil, nil
		}
		if err := t.mustBeMap(keys[:i]); err != nil {
			return nil, err
		}
		t = t.get(key)
	}
	if t == nil {
		return nil, nil
	}
	return t, t.mustBeMap(keys)
}

// add puts an entry in, or gives the one of that name new values.
func (d *document) add(keys []string, x Entry, fields []Field) (out []byte, was origin, err error) {
	all, err := d.entries(keys)
	if err != nil {
		return nil, was, err
	}
	var text string
	before := d.tree
	switch {
	case d.blank:
		text, before = d.begun(keys, x.Name, fields), &tree{kind: kindMap}
	case all.get(x.Name) != nil:
		text, err = d.update(d.text, keys, x.Name, fields)
	default:
		text, was, err = d.insert(d.text, keys, x.Name, fields)
	}
	if err != nil {
		return nil, was, d.placed(err, keys)
	}
	after, err := d.parse(text)
	if err != nil {
		return nil, was, d.placed(errChecked, keys)
	}
	now, _ := read(x.Name, after.at(append(slices.Clone(keys), x.Name)).plain())
	if !now.same(x) || !equalBut(before, after, keys, x.Name) {
		return nil, was, d.placed(errChecked, keys)
	}
	return []byte(d.bom + text), was, nil
}

// begun is a whole new document below the comments that are there.
func (d *document) begun(keys []string, name string, fields []Field) string {
	eol, above := eolOf(d.text), d.text
	switch {
	case strings.TrimSpace(above) == "":
		above = ""
	case !strings.HasSuffix(above, "\n"):
		above += eol
	}
	return above + d.fresh(keys, name, fields, eol)
}

// cut takes an entry out.
func (d *document) cut(keys []string, name string, was origin) ([]byte, error) {
	candidates, err := d.remove(d.text, keys, name, was)
	if err != nil {
		return nil, d.placed(err, keys)
	}
	for _, text := range candidates {
		if strings.TrimSpace(text) == "" && equalBut(d.tree, &tree{kind: kindMap}, keys, name) {
			return []byte(d.bom + text), nil
		}
		after, err := d.parse(text)
		if err == nil && after.at(append(slices.Clone(keys), name)) == nil && equalBut(d.tree, after, keys, name) {
			return []byte(d.bom + text), nil
		}
	}
	return nil, d.placed(errChecked, keys)
}

// placed gives a refusal the line of what could not be edited, as far as the way to it is there.
func (d *document) placed(err error, keys []string) error {
	if !errors.Is(err, errChecked) {
		return err
	}
	line := 1
	for i := range len(keys) + 1 {
		if t := d.tree.at(keys[:i]); t != nil && t.line > 0 {
			line = t.line
		}
	}
	return &broken{line, err.Error()}
}

// Kinds of a tree.
const (
	kindMap  = 'm'
	kindList = 'l'
	kindNull = 'n'
)

// tree is a parsed document, the same for every format: enough to compare two of them, and to read an entry.
type tree struct {
	kind  byte // one of the above, or that of a scalar
	text  string
	names []string
	kids  []*tree
	line  int
	// unordered says that the order of names means nothing.
	unordered bool
	// places is where each name stands, once somebody has asked.
	places map[string]int
}

func (t *tree) get(name string) *tree {
	if t == nil {
		return nil
	}
	if t.places == nil {
		t.places = make(map[string]int, len(t.names))
		for i, n := range t.names {
			if _, twice := t.places[n]; !twice {
				t.places[n] = i
			}
		}
	}
	if i, there := t.places[name]; there && t.kind == kindMap {
		return t.kids[i]
	}
	return nil
}

func (t *tree) at(keys []string) *tree {
	for _, k := range keys {
		t = t.get(k)
	}
	return t
}

func (t *tree) mustBeMap(keys []string) error {
	where := "the file"
	if len(keys) > 0 {
		where = fmt.Sprintf("%q", strings.Join(keys, " > "))
	}
	if t.kind != kindMap && (t.kind != kindNull || t.text == "null") {
		return &broken{t.line, where + " is not a map of names and values"}
	}
	seen := map[string]bool{}
	for i, n := range t.names {
		if seen[n] {
			return &broken{t.kids[i].line, fmt.Sprintf("%q stands twice in %s", n, where)}
		}
		seen[n] = true
	}
	return nil
}

// plain is the tree as Go values: maps, lists and strings; other scalars only say that they are none.
func (t *tree) plain() any {
	switch {
	case t == nil:
		return nil
	case t.kind == kindMap:
		m := map[string]any{}
		for i, n := range t.names {
			m[n] = t.kids[i].plain()
		}
		return m
	case t.kind == kindList:
		l := []any{}
		for _, k := range t.kids {
			l = append(l, k.plain())
		}
		return l
	case t.kind == 's':
		return t.text
	}
	return nil
}

// equalBut compares two documents without the entry, and without maps on the way to it that hold nothing else.
func equalBut(a, b *tree, keys []string, name string) bool {
	return a.without(keys, name).write() == b.without(keys, name).write()
}

func (t *tree) without(keys []string, name string) *tree {
	if t == nil || t.kind != kindMap {
		return t
	}
	c := &tree{kind: t.kind, unordered: t.unordered}
	for i, n := range t.names {
		kid := t.kids[i]
		switch {
		case len(keys) == 0 && n == name:
			continue
		case len(keys) > 0 && n == keys[0]:
			kid = kid.without(keys[1:], name)
			if kid.kind == kindMap && len(kid.names) == 0 || kid.kind == kindNull {
				continue
			}
		}
		c.names, c.kids = append(c.names, n), append(c.kids, kid)
	}
	return c
}

// write is a text that two trees share exactly when they are equal.
func (t *tree) write() string {
	var b strings.Builder
	t.writeTo(&b)
	return b.String()
}

func (t *tree) writeTo(b *strings.Builder) {
	if t == nil {
		return
	}
	b.WriteByte(t.kind)
	b.WriteString(strconv.Quote(t.text))
	if t.kind != kindMap && t.kind != kindList {
		return
	}
	order := make([]int, len(t.kids))
	for i := range order {
		order[i] = i
	}
	if t.unordered {
		sort.Slice(order, func(i, j int) bool { return t.names[order[i]] < t.names[order[j]] })
	}
	b.WriteByte('(')
	for _, i := range order {
		if t.kind == kindMap {
			b.WriteString(strconv.Quote(t.names[i]))
			b.WriteByte('=')
		}
		t.kids[i].writeTo(b)
		b.WriteByte(',')
	}
	b.WriteByte(')')
}

// splice is one change of a text: the bytes from start to end become new.
type splice struct {
	start, end int
	text       string
}

// apply makes changes that do not overlap.
func apply(text string, splices ...splice) string {
	sort.SliceStable(splices, func(i, j int) bool { return splices[i].start < splices[j].start })
	var b strings.Builder
	at := 0
	for _, s := range splices {
		b.WriteString(text[at:s.start] + s.text)
		at = s.end
	}
	b.WriteString(text[at:])
	return b.String()
}

// eolOf is the line end that a text uses first.
func eolOf(text string) string {
	if at := strings.IndexByte(text, '\n'); at > 0 && text[at-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// lineOf is the number of the line of an offset.
func lineOf(text string, offset int) int {
	return 1 + strings.Count(text[:min(offset, len(text))], "\n")
}

// lines knows where the lines of a text are.
type lines struct {
	text   string
	starts []int
}

func linesOf(text string) lines {
	l := lines{text, []int{0, 0}}
	for i := range len(text) {
		if text[i] == '\n' {
			l.starts = append(l.starts, i+1)
		}
	}
	return l
}

// start is where line n begins; the end of the text for one behind it.
func (l lines) start(n int) int {
	if n < len(l.starts) {
		return l.starts[n]
	}
	return len(l.text)
}

// of is the number of the line of an offset.
func (l lines) of(offset int) int { return sort.SearchInts(l.starts[1:], offset+1) }

// lineStart is where the line of an offset begins, lineEnd where it ends: after its line end.
func lineStart(text string, offset int) int { return strings.LastIndexByte(text[:offset], '\n') + 1 }

func lineEnd(text string, offset int) int {
	if i := strings.IndexByte(text[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(text)
}

// indentOf is the blank text that the line of an offset begins with.
func indentOf(text string, offset int) string {
	line := text[lineStart(text, offset):offset]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}
