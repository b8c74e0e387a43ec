package edit

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// offset returns where a node begins. The parser's columns count characters, not bytes.
func (l lines) offset(n *yaml.Node) int {
	at := l.start(n.Line)
	for range n.Column - 1 {
		_, size := utf8.DecodeRuneInString(l.text[at:])
		at += size
	}

	return at
}

// pairOf returns the key and the value of a name in a map, or nil.
func pairOf(n *yaml.Node, name string) (key, value *yaml.Node) {
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

// isFlow reports whether a node is a map in braces.
func isFlow(n *yaml.Node) bool { return n.Kind == yaml.MappingNode && n.Style&yaml.FlowStyle != 0 }

// valueEnd returns where a value ends. It knows values that are quoted or in brackets, as Add writes them, bare words,
// and lists in lines of their own. ok is false for any other.
func valueEnd(text string, l lines, n *yaml.Node) (end int, ok bool) {
	const quoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle
	at := l.offset(n)
	if at >= len(text) {
		return 0, false
	}

	switch {
	case n.Kind == yaml.ScalarNode && n.Style&quoted != 0, n.Style&yaml.FlowStyle != 0:
		return flowEnd(text, at)
	case n.Kind == yaml.ScalarNode && n.Style == 0:
		return at + len(n.Value), strings.HasPrefix(text[at:], n.Value)
	case n.Kind == yaml.SequenceNode && len(n.Content) > 0:
		return valueEnd(text, l, n.Content[len(n.Content)-1])
	}

	return 0, false
}

// flowEnd returns where a quoted string or a value in brackets ends.
func flowEnd(text string, at int) (end int, ok bool) {
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

// lastLine returns the last line on which a part of a node begins.
func lastLine(n *yaml.Node) int {
	last := n.Line
	for _, child := range n.Content {
		last = max(last, lastLine(child))
	}

	return last
}

// indentedEnd returns where the lines after an entry end that are indented further than its key, as those of a long
// text are.
func indentedEnd(text string, l lines, key, entry *yaml.Node) int {
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

// nextStart returns where the line of the next node after an entry begins, or the end of the text.
func nextStart(text string, l lines, top, key, entry *yaml.Node) int {
	last := lastLine(entry)
	next := 0
	var walk func(*yaml.Node)
	walk = func(n *yaml.Node) {
		if n.Line > last && (next == 0 || n.Line < next) && n != key {
			next = n.Line
		}
		for _, child := range n.Content {
			walk(child)
		}
	}
	walk(top)
	if next == 0 {
		return len(text)
	}

	return l.start(next)
}
