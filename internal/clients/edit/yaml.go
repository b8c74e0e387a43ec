package edit

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// yamlEditor edits YAML. The map of entries is one key below the top.
type yamlEditor struct{}

// yamlBlock writes an entry in lines of its own.
func yamlBlock(name string, fields []Field, indent, unit, eol string) string {
	var b strings.Builder
	b.WriteString(indent + yamlKey(name) + ":" + eol)
	for _, f := range fields {
		b.WriteString(indent + unit + f.Key + ": " + oneLine.value(f.Value, "") + eol)
	}

	return b.String()
}

// yamlKey writes a name as a key. A name that begins with letters and a hyphen needs no quotes: no number, date, truth
// value or null begins like that.
func yamlKey(name string) string {
	rest := strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz")
	plain := !strings.ContainsFunc(rest, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-'
	})
	if plain && rest != name && strings.HasPrefix(rest, "-") {
		return name
	}

	return quote(name)
}

func (e yamlEditor) insert(text string, p Path, fields []Field) (string, Origin, error) {
	top, err := e.root(text)
	if err != nil {
		return "", Origin{}, err
	}

	l := linesOf(text)
	key, value := pairOf(top, p.Keys[0])
	switch {
	case top != nil && isFlow(top) && key == nil:
		text, err := insertFlow(text, l, top, p.Keys[0], []Field{{p.Name, fields}})
		return text, Origin{}, err
	case top != nil && isFlow(top) && !isFlow(value):
		return "", Origin{}, &Error{top.Line, "the whole file is written in braces"}
	case value != nil && value.Anchor != "":
		return "", Origin{}, &Error{key.Line,
			fmt.Sprintf("%q has the name &%s, by which other places may refer to it", p.Keys[0], value.Anchor)}
	case key == nil:
		return e.appendKey(text, top, p, fields)
	case isFlow(value):
		text, err := insertFlow(text, l, value, p.Name, fields)
		return text, Origin{At: 1}, err
	case value.Kind == yaml.AliasNode:
		return "", Origin{}, &Error{value.Line, fmt.Sprintf("%q is a reference to another place", p.Keys[0])}
	}

	text, was := insertBlock(text, l, key, value, p.Name, fields)

	return text, was, nil
}

// insertBlock adds an entry as the first one of a map that is written without braces.
func insertBlock(text string, l lines, key, value *yaml.Node, name string, fields []Field) (string, Origin) {
	eol := eolOf(text)
	indent, unit := strings.Repeat(" ", key.Column+1), "  "
	if value.Kind == yaml.MappingNode && len(value.Content) > 0 {
		first := value.Content[0]
		indent = strings.Repeat(" ", first.Column-1)
		if in := value.Content[1]; in.Kind == yaml.MappingNode && !isFlow(in) && in.Column > first.Column {
			unit = strings.Repeat(" ", in.Column-first.Column)
		}
	}

	was := Origin{At: 1}
	at := l.start(key.Line + 1)
	entry := yamlBlock(name, fields, indent, unit, eol)
	if at > 0 && text[at-1] != '\n' { // the key is the last line of the file, and that line has no end
		was.Lead = eol
		entry = was.Lead + strings.TrimSuffix(entry, eol)
	}

	return apply(text, splice{at, at, entry}), was
}

// insertFlow adds a pair at the front of a map in braces.
func insertFlow(text string, l lines, n *yaml.Node, name string, fields []Field) (string, error) {
	at := l.offset(n) + 1
	if text[at-1] != '{' {
		return "", errUnsafe
	}

	gap := ""
	if len(n.Content) > 0 {
		gap = ", "
	}

	return apply(text, splice{at, at, quote(name) + ": " + oneLine.value(fields, "") + gap}), nil
}

// appendKey adds the key with the entry at the end of the file. If that would change a value that ends there, it adds
// both before the first key.
func (e yamlEditor) appendKey(text string, top *yaml.Node, p Path, fields []Field) (string, Origin, error) {
	eol := eolOf(text)
	was := Origin{}
	if text != "" && !strings.HasSuffix(text, "\n") {
		was.Lead = eol
	}
	indent := ""
	if top != nil {
		indent = strings.Repeat(" ", top.Column-1)
	}
	entry := indent + p.Keys[0] + ":" + eol + yamlBlock(p.Name, fields, indent+"  ", "  ", eol)

	out := text + was.Lead + entry
	before, err1 := e.parse(text)
	after, err2 := e.parse(out)
	unchanged := err1 == nil && err2 == nil && equalExcept(before, after, Path{p.Keys[:1], p.Name})
	if unchanged || top == nil || len(top.Content) == 0 {
		return out, was, nil
	}
	at := linesOf(text).start(top.Content[0].Line)

	return apply(text, splice{at, at, entry}), Origin{}, nil
}

func (e yamlEditor) update(text string, p Path, c Content) (string, error) {
	top, err := e.root(text)
	if err != nil {
		return "", err
	}

	l := linesOf(text)
	_, entries := pairOf(top, p.Keys[0])
	_, entry := pairOf(entries, p.Name)
	var splices []splice
	for _, f := range c.Fields {
		if !c.owns(f) {
			continue
		}
		_, old := pairOf(entry, f.Key)
		if old == nil {
			return "", errUnsafe
		}
		start := l.offset(old)
		end, ok := valueEnd(text, l, old)
		if !ok {
			return "", errUnsafe
		}
		value := oneLine.value(f.Value, "")
		if list, ok := f.Value.([]string); ok && old.Kind == yaml.SequenceNode && old.Style&yaml.FlowStyle == 0 {
			// A list in brackets would have to be indented further than its key.
			value = yamlItems(list, eolOf(text)+strings.Repeat(" ", old.Column-1))
		}
		splices = append(splices, splice{start, end, value})
	}

	return apply(text, splices...), nil
}

// yamlItems writes a list with a line for each item.
func yamlItems(list []string, gap string) string {
	items := make([]string, len(list))
	for i, one := range list {
		items[i] = "- " + quote(one)
	}

	return strings.Join(items, gap)
}

func (e yamlEditor) remove(text string, p Path, was Origin) (candidates []string, err error) {
	top, err := e.root(text)
	if err != nil {
		return nil, err
	}

	l := linesOf(text)
	key, entries := pairOf(top, p.Keys[0])
	entryKey, entry := pairOf(entries, p.Name)
	if entryKey == nil {
		return nil, errGone
	}
	madeForIt := was.At == 0 && len(entries.Content) == 2
	if isFlow(entries) {
		if madeForIt && isFlow(top) {
			candidates = removeFlow(text, l, top, key, entries)
		}
		return append(candidates, removeFlow(text, l, entries, entryKey, entry)...), nil
	}

	cut := func(start, end int) {
		if was.Lead != "" && strings.HasSuffix(text[:start], was.Lead) {
			candidates = append(candidates, apply(text, splice{start - len(was.Lead), end, ""}))
		}
		candidates = append(candidates, apply(text, splice{start, end, ""}))
	}
	start, ends := l.start(entryKey.Line), entryEnds(text, l, top, entryKey, entry)
	if madeForIt && strings.TrimSpace(text[l.start(key.Line+1):max(start, l.start(key.Line+1))]) == "" {
		for _, end := range ends {
			cut(l.start(key.Line), end)
		}
	}
	for _, end := range ends {
		cut(start, end)
	}

	return candidates, nil
}

// entryEnds returns the offsets at which an entry in lines of its own may end, in order of preference.
func entryEnds(text string, l lines, top, key, entry *yaml.Node) []int {
	ends := []int{l.start(lastLine(entry) + 1), indentedEnd(text, l, key, entry)}
	if end, ok := valueEnd(text, l, entry); ok {
		ends = append(ends, lineEnd(text, end))
	}

	return append(ends, nextStart(text, l, top, key, entry))
}

// removeFlow cuts a pair from a map in braces.
func removeFlow(text string, l lines, all, key, value *yaml.Node) []string {
	end, ok := valueEnd(text, l, value)
	if !ok {
		return nil
	}

	return cutItem(text, l.offset(key), end, all.Content[0] == key)
}

func (e yamlEditor) fresh(p Path, fields []Field, eol string) string {
	return p.Keys[0] + ":" + eol + yamlBlock(p.Name, fields, "  ", "  ", eol)
}
