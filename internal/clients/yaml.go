package clients

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// yamlEditor is for YAML with a map of servers one key below the top.
type yamlEditor struct{}

// offset of a node: columns count characters.
func (l lines) offset(n *yaml.Node) int {
	at := l.start(n.Line)
	for range n.Column - 1 {
		_, size := utf8.DecodeRuneInString(l.text[at:])
		at += size
	}
	return at
}

// pair is a key and its value in a map.
func pair(n *yaml.Node, name string) (key, value *yaml.Node) {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Kind == yaml.ScalarNode && n.Content[i].Value == name {
			return n.Content[i], n.Content[i+1]
		}
	}
	return nil, nil
}

// block writes an entry in lines of its own.
func block(name string, fields []Field, indent, unit, eol string) string {
	var b strings.Builder
	b.WriteString(indent + yamlKey(name) + ":" + eol)
	for _, f := range fields {
		b.WriteString(indent + unit + f.Key + ": " + layout{line: true, comma: " ", sep: " "}.value(f.Value, "") + eol)
	}
	return b.String()
}

// yamlKey is a name as a key: bare where nobody can take it for a number or a yes.
func yamlKey(name string) string {
	if strings.HasPrefix(name, "cove-") {
		return name
	}
	return quote(name)
}

func isFlow(n *yaml.Node) bool { return n.Kind == yaml.MappingNode && n.Style&yaml.FlowStyle != 0 }

func (e yamlEditor) insert(text string, keys []string, name string, fields []Field) (string, origin, error) {
	top, err := e.root(text)
	if err != nil {
		return "", origin{}, err
	}
	l, eol := linesOf(text), eolOf(text)
	key, value := pair(top, keys[0])
	switch {
	case top != nil && isFlow(top) && key == nil:
		text, err := insertFlow(text, l, top, keys[0], []Field{{name, fields}})
		return text, origin{}, err
	case top != nil && isFlow(top) && !isFlow(value):
		return "", origin{}, &broken{top.Line, "the whole file is written in braces"}
	case value != nil && value.Anchor != "":
		return "", origin{}, &broken{key.Line, fmt.Sprintf("%q has the name &%s, by which other places may refer to it", keys[0], value.Anchor)}
	case key == nil:
		return e.append(text, top, keys[0], name, fields)
	case isFlow(value):
		text, err := insertFlow(text, l, value, name, fields)
		return text, origin{At: 1}, err
	case value.Kind == yaml.AliasNode:
		return "", origin{}, &broken{value.Line, fmt.Sprintf("%q is a reference to another place", keys[0])}
	}
	indent, unit := strings.Repeat(" ", key.Column+1), "  "
	if value.Kind == yaml.MappingNode && len(value.Content) > 0 {
		first := value.Content[0]
		indent = strings.Repeat(" ", first.Column-1)
		if in := value.Content[1]; in.Kind == yaml.MappingNode && !isFlow(in) && in.Column > first.Column {
			unit = strings.Repeat(" ", in.Column-first.Column)
		}
	}
	was := origin{At: 1}
	at := l.start(key.Line + 1)
	if at > 0 && text[at-1] != '\n' { // the key is the file's last line, and that has no end
		was.Lead = eol
	}
	entry := block(name, fields, indent, unit, eol)
	if was.Lead != "" {
		entry = was.Lead + strings.TrimSuffix(entry, eol)
	}
	return apply(text, splice{at, at, entry}), was, nil
}

// insertFlow adds a pair at the front of a map in braces.
func insertFlow(text string, l lines, n *yaml.Node, name string, fields []Field) (string, error) {
	at := l.offset(n) + 1
	if text[at-1] != '{' {
		return "", errChecked
	}
	gap := ""
	if len(n.Content) > 0 {
		gap = ", "
	}
	return apply(text, splice{at, at, quote(name) + ": " + layout{line: true, comma: " ", sep: " "}.value(fields, "") + gap}), nil
}

// append adds the key with the entry at the end of the file, or where that would change a text that ends there, before the first key.
func (e yamlEditor) append(text string, top *yaml.Node, key, name string, fields []Field) (string, origin, error) {
	eol := eolOf(text)
	was := origin{}
	if text != "" && !strings.HasSuffix(text, "\n") {
		was.Lead = eol
	}
	indent := ""
	if top != nil {
		indent = strings.Repeat(" ", top.Column-1)
	}
	entry := indent + key + ":" + eol + block(name, fields, indent+"  ", "  ", eol)
	out := text + was.Lead + entry
	before, err1 := e.parse(text)
	after, err2 := e.parse(out)
	if err1 == nil && err2 == nil && equalBut(before, after, []string{key}, name) || top == nil || len(top.Content) == 0 {
		return out, was, nil
	}
	at := linesOf(text).start(top.Content[0].Line)
	return apply(text, splice{at, at, entry}), origin{}, nil
}

func (e yamlEditor) update(text string, keys []string, name string, fields []Field) (string, error) {
	top, err := e.root(text)
	if err != nil {
		return "", err
	}
	l := linesOf(text)
	_, all := pair(top, keys[0])
	_, entry := pair(all, name)
	var splices []splice
	for _, f := range fields {
		if !f.runs() {
			continue
		}
		_, old := pair(entry, f.Key)
		if old == nil {
			return "", errChecked
		}
		start := l.offset(old)
		end, ok := valueEnd(text, l, old)
		if !ok {
			return "", errChecked
		}
		value := layout{line: true, comma: " ", sep: " "}.value(f.Value, "")
		if list, ok := f.Value.([]string); ok && old.Kind == yaml.SequenceNode && old.Style&yaml.FlowStyle == 0 {
			value = items(list, eolOf(text)+strings.Repeat(" ", old.Column-1)) // in brackets it would have to be further in than its key
		}
		splices = append(splices, splice{start, end, value})
	}
	return apply(text, splices...), nil
}

// items is a list with a line for each.
func items(list []string, gap string) string {
	lines := make([]string, len(list))
	for i, one := range list {
		lines[i] = "- " + quote(one)
	}
	return strings.Join(lines, gap)
}

// valueEnd is where a value ends that is quoted or in brackets, as ours are, or a bare word or a list of lines.
func valueEnd(text string, l lines, n *yaml.Node) (int, bool) {
	at := l.offset(n)
	if at >= len(text) {
		return 0, false
	}
	switch {
	case n.Kind == yaml.ScalarNode && n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0, n.Style&yaml.FlowStyle != 0:
		return flowEnd(text, at)
	case n.Kind == yaml.ScalarNode && n.Style == 0:
		return at + len(n.Value), strings.HasPrefix(text[at:], n.Value)
	case n.Kind == yaml.SequenceNode && len(n.Content) > 0:
		return valueEnd(text, l, n.Content[len(n.Content)-1])
	}
	return 0, false
}

// flowEnd is the end of a quoted string or of what stands in brackets.
func flowEnd(text string, at int) (int, bool) {
	depth := 0
	for i := at; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"', '\'':
			end := stringEnd(text, i)
			if end < 0 {
				return 0, false
			}
			i = end
		}
		if depth == 0 {
			return i + 1, true
		}
	}
	return 0, false
}

// stringEnd is where the closing quote of a string stands.
func stringEnd(text string, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && text[at] == '"':
			i++
		case text[i] == text[at]:
			return i
		}
	}
	return -1
}

func (e yamlEditor) remove(text string, keys []string, name string, was origin) ([]string, error) {
	top, err := e.root(text)
	if err != nil {
		return nil, err
	}
	l := linesOf(text)
	key, all := pair(top, keys[0])
	entryKey, entry := pair(all, name)
	if entryKey == nil {
		return nil, errors.New("the entry is gone")
	}
	var candidates []string
	if isFlow(all) {
		if was.At == 0 && isFlow(top) && len(all.Content) == 2 {
			candidates = removeFlow(text, l, top, key, all)
		}
		return append(candidates, removeFlow(text, l, all, entryKey, entry)...), nil
	}
	cut := func(start, end int) {
		if was.Lead != "" && strings.HasSuffix(text[:start], was.Lead) {
			candidates = append(candidates, apply(text, splice{start - len(was.Lead), end, ""}))
		}
		candidates = append(candidates, apply(text, splice{start, end, ""}))
	}
	start := l.start(entryKey.Line)
	ends := []int{l.start(lastLine(entry) + 1), furtherIn(text, l, entryKey, entry)}
	if end, ok := valueEnd(text, l, entry); ok {
		ends = append(ends, lineEnd(text, end))
	}
	ends = append(ends, followed(text, l, top, entryKey, entry))
	if was.At == 0 && len(all.Content) == 2 {
		for _, end := range ends {
			if strings.TrimSpace(text[l.start(key.Line+1):start]) == "" {
				cut(l.start(key.Line), end)
			}
		}
	}
	for _, end := range ends {
		cut(start, end)
	}
	return candidates, nil
}

// lastLine is the last line on which a part of a node begins.
func lastLine(n *yaml.Node) int {
	last := n.Line
	for _, kid := range n.Content {
		last = max(last, lastLine(kid))
	}
	return last
}

// furtherIn is where the lines behind an entry end that are further in than its key, as those of a text are.
func furtherIn(text string, l lines, key, entry *yaml.Node) int {
	end := l.start(lastLine(entry) + 1)
	for at := end; at < len(text); at = lineEnd(text, at) {
		line := strings.TrimRight(text[at:lineEnd(text, at)], "\r\n")
		blank := strings.TrimSpace(line) == ""
		if !blank && len(line)-len(strings.TrimLeft(line, " ")) < key.Column {
			break
		}
		if !blank {
			end = lineEnd(text, at)
		}
	}
	return end
}

// followed is the start of the line of the next node behind an entry, or the end of the text.
func followed(text string, l lines, top, key, entry *yaml.Node) int {
	last := lastLine(entry)
	next := 0
	var walk func(*yaml.Node)
	walk = func(n *yaml.Node) {
		if n.Line > last && (next == 0 || n.Line < next) && n != key {
			next = n.Line
		}
		for _, kid := range n.Content {
			walk(kid)
		}
	}
	walk(top)
	if next == 0 {
		return len(text)
	}
	return l.start(next)
}

// removeFlow cuts a pair from a map in braces.
func removeFlow(text string, l lines, all, key, value *yaml.Node) []string {
	end, ok := valueEnd(text, l, value)
	if !ok {
		return nil
	}
	return cutOne(text, l.offset(key), end, all.Content[0] == key)
}

// cutOne cuts a part of a list with one comma, in whatever way is right.
func cutOne(text string, start, end int, first bool) []string {
	rest := strings.TrimLeft(text[end:], " \t\r\n")
	gap := len(text[end:]) - len(rest)
	if after, ok := strings.CutPrefix(rest, ","); ok {
		blank := min(1, len(after)-len(strings.TrimLeft(after, " "))) // ours; others were there
		return []string{apply(text, splice{start, end + gap + 1 + blank, ""}), apply(text, splice{start, end + gap + 1, ""})}
	}
	before := strings.TrimRight(text[:start], " \t\r\n")
	if !first && strings.HasSuffix(before, ",") {
		return []string{apply(text, splice{len(before) - 1, end, ""})}
	}
	return []string{apply(text, splice{start, end, ""})}
}

func (e yamlEditor) fresh(keys []string, name string, fields []Field, eol string) string {
	return keys[0] + ":" + eol + block(name, fields, "  ", "  ", eol)
}
