package clients

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlEditor is for TOML: an entry is a table at the end of the file.
type tomlEditor struct{}

func (tomlEditor) parse(text string) (*tree, error) {
	var all map[string]any
	err := toml.Unmarshal([]byte(text), &all)
	var at *toml.DecodeError
	if errors.As(err, &at) {
		line, _ := at.Position()
		return nil, &broken{line, strings.TrimPrefix(at.Error(), "toml: ")}
	}
	if err != nil {
		return nil, &broken{0, err.Error()}
	}
	t := valueTree(all)
	if statements, err := expressions(text); err == nil {
		l := linesOf(text)
		for _, x := range statements {
			if one := t.at(x.way); one != nil {
				one.line = l.of(x.start)
			}
		}
	}
	return t, nil
}

// valueTree is a decoded document, for formats whose order means nothing.
func valueTree(v any) *tree {
	switch v := v.(type) {
	case map[string]any:
		t := &tree{kind: kindMap, unordered: true}
		for name, kid := range v {
			t.names, t.kids = append(t.names, name), append(t.kids, valueTree(kid))
		}
		return t
	case []any:
		t := &tree{kind: kindList}
		for _, kid := range v {
			t.kids = append(t.kids, valueTree(kid))
		}
		return t
	case string:
		return &tree{kind: 's', text: v}
	}
	return &tree{kind: 'x', text: fmt.Sprintf("%T %v", v, v)}
}

// expression is one statement of a document with the whole way of its key.
type expression struct {
	way    []string
	table  bool         // [a.b], with everything up to the next one
	inline bool         // its value is an inline table
	inside []expression // what stands in that, one step down
	// start and end are its bytes; for a table those of the line of its head.
	start, end int
}

func expressions(text string) (all []expression, err error) {
	p := unstable.Parser{}
	p.Reset([]byte(text))
	var head []string
	for p.NextExpression() {
		switch node := p.Expression(); node.Kind {
		case unstable.Table, unstable.ArrayTable:
			way, start := keyOf(node)
			head = way
			all = append(all, expression{way: way, table: true, start: lineStart(text, start), end: lineEnd(text, start)})
		case unstable.KeyValue:
			all = append(all, keyValue(head, node))
		}
	}
	return all, p.Error()
}

// keyOf is the parts of a statement's key, and where it begins.
func keyOf(node *unstable.Node) (way []string, start int) {
	start = -1
	for it := node.Key(); it.Next(); {
		way = append(way, string(it.Node().Data))
		if start < 0 {
			start = int(it.Node().Raw.Offset)
		}
	}
	return way, start
}

// keyValue is a key with its value, below a way.
func keyValue(head []string, node *unstable.Node) expression {
	way, _ := keyOf(node)
	x := expression{way: append(slices.Clone(head), way...), inline: node.Value().Kind == unstable.InlineTable,
		start: int(node.Raw.Offset), end: int(node.Raw.Offset + node.Raw.Length)}
	for it := node.Value().Children(); x.inline && it.Next(); {
		x.inside = append(x.inside, keyValue(x.way, it.Node()))
	}
	return x
}

// flat is statements with what stands in their braces.
func flat(all []expression) (out []expression) {
	for _, x := range all {
		out = append(append(out, x), flat(x.inside)...)
	}
	return out
}

func within(way, keys []string) bool {
	return len(way) >= len(keys) && slices.Equal(way[:len(keys)], keys)
}

var bareKey = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// bare is a key as it is written.
func bare(key string) string {
	if bareKey.MatchString(key) {
		return key
	}
	return quote(key)
}

// tableText is an entry as a table of its own.
func tableText(keys []string, name string, fields []Field, eol string) string {
	var b strings.Builder
	b.WriteString("[")
	for _, k := range keys {
		b.WriteString(bare(k) + ".")
	}
	b.WriteString(bare(name) + "]" + eol)
	for _, f := range fields {
		b.WriteString(fieldText(f) + eol)
	}
	return b.String()
}

// bracesText is an entry on one line.
func bracesText(fields []Field) string {
	words := make([]string, len(fields))
	for i, f := range fields {
		words[i] = fieldText(f)
	}
	return "{ " + strings.Join(words, ", ") + " }"
}

func fieldText(f Field) string { return bare(f.Key) + " = " + layout{}.value(f.Value, "") }

func (tomlEditor) insert(text string, keys []string, name string, fields []Field) (string, origin, error) {
	all, err := expressions(text)
	if err != nil {
		return "", origin{}, err
	}
	was := origin{At: len(keys)}
	for _, x := range all {
		if x.inline && slices.Equal(x.way, keys) { // a table of its own cannot stand beside that
			at := x.start + strings.IndexByte(text[x.start:], '{') + 1
			at += len(text[at:]) - len(strings.TrimLeft(text[at:], " \t"))
			entry := bare(name) + " = " + bracesText(fields)
			if len(x.inside) > 0 {
				entry += ", "
			}
			return apply(text, splice{at, at, entry}), was, nil
		}
	}
	eol := eolOf(text)
	switch {
	case text == "" || strings.HasSuffix(text, "\n\n") || strings.HasSuffix(text, "\n\r\n"):
	case strings.HasSuffix(text, "\n"):
		was.Lead = eol
	default:
		was.Lead = eol + eol
	}
	return text + was.Lead + tableText(keys, name, fields, eol), was, nil
}

func (t tomlEditor) update(text string, keys []string, name string, fields []Field) (string, error) {
	all, err := expressions(text)
	if err != nil {
		return "", err
	}
	way := append(slices.Clone(keys), name)
	var splices []splice
	for _, x := range flat(all) {
		for _, f := range fields {
			if f.runs() && slices.Equal(x.way, append(slices.Clone(way), f.Key)) {
				// The key stays as it is written: it may be a dotted one.
				head := text[x.start : x.start+strings.IndexByte(text[x.start:x.end], '=')+1]
				splices = append(splices, splice{x.start, x.end, head + " " + layout{}.value(f.Value, "")})
			}
		}
	}
	return apply(text, splices...), nil
}

// remove cuts the lines of an entry: its table, tables below it, and keys that are written elsewhere. Comments and blank lines
// behind it stay: they belong to what follows.
func (tomlEditor) remove(text string, keys []string, name string, was origin) ([]string, error) {
	all, err := expressions(text)
	if err != nil {
		return nil, err
	}
	way := append(slices.Clone(keys), name)
	var blocks []splice
	for i, x := range all {
		if !within(x.way, way) {
			continue
		}
		start, end := lineStart(text, x.start), lineEnd(text, x.end)
		if x.table {
			end = x.end
		}
		if n := len(blocks); n > 0 && within(all[i-1].way, way) {
			// A comment before a further table stays: it is not known whose it is.
			if between := text[blocks[n-1].end:max(blocks[n-1].end, start)]; !x.table || !strings.Contains(between, "#") {
				blocks[n-1].end = end
				continue
			}
		}
		blocks = append(blocks, splice{start, end, ""})
	}
	if len(blocks) == 0 {
		return removeBraces(text, all, way)
	}
	with := slices.Clone(blocks)
	first := &with[0]
	switch before := text[:first.start]; {
	case was.Lead != "" && strings.HasSuffix(before, was.Lead):
		first.start -= len(was.Lead)
	case was.unknown: // nobody knows what is ours: the blank line before it goes, unless it parts two others
		blank := strings.HasSuffix(before, "\n\n") || strings.HasSuffix(before, "\n\r\n")
		next := text[first.end:]
		if blank && (next == "" || strings.HasPrefix(next, "\n") || strings.HasPrefix(next, "\r\n")) {
			first.start -= len(eolOf(text))
		}
	}
	return []string{apply(text, with...), apply(text, blocks...)}, nil
}

// removeBraces cuts an entry that stands in the braces of its servers.
func removeBraces(text string, all []expression, way []string) ([]string, error) {
	for _, x := range flat(all) {
		for i, one := range x.inside {
			if slices.Equal(one.way, way) {
				return cutOne(text, one.start, one.end, i == 0), nil
			}
		}
	}
	return nil, errChecked
}

func (tomlEditor) fresh(keys []string, name string, fields []Field, eol string) string {
	return tableText(keys, name, fields, eol)
}
