package edit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

func (tomlEditor) parse(text string) (*Node, error) {
	var all map[string]any
	err := toml.Unmarshal([]byte(text), &all)
	var at *toml.DecodeError
	if errors.As(err, &at) {
		line, _ := at.Position()
		return nil, &Error{line, strings.TrimPrefix(at.Error(), "toml: ")}
	}
	if err != nil {
		return nil, &Error{0, err.Error()}
	}

	root := valueNode(all)
	if statements, err := expressions(text); err == nil {
		l := linesOf(text)
		for _, x := range statements {
			if n := root.at(x.keys); n != nil {
				n.line = l.of(x.start)
			}
		}
	}

	return root, nil
}

func (tomlEditor) onlyComments(string) bool { return false } // comments alone parse

// valueNode returns the Node of a decoded value, for formats in which the order of names has no meaning.
func valueNode(v any) *Node {
	switch v := v.(type) {
	case map[string]any:
		n := &Node{kind: kindMap, unordered: true}
		for name, child := range v {
			n.add(name, valueNode(child))
		}
		return n
	case []any:
		n := &Node{kind: kindList}
		for _, child := range v {
			n.children = append(n.children, valueNode(child))
		}
		return n
	case string:
		return &Node{kind: kindString, text: v}
	}

	return &Node{kind: kindOther, text: fmt.Sprintf("%T %v", v, v)}
}

// expression is one statement of a document.
type expression struct {
	keys   []string     // from the top of the document
	table  bool         // it is the head of a table, [a.b]
	inline bool         // its value is an inline table
	inside []expression // the statements of the inline table
	// start and end are the offsets of the statement. For a table they are those of the line of its head.
	start, end int
}

func expressions(text string) (all []expression, err error) {
	p := unstable.Parser{}
	p.Reset([]byte(text))
	var head []string
	for p.NextExpression() {
		switch node := p.Expression(); node.Kind {
		case unstable.Table, unstable.ArrayTable:
			keys, start := keysOf(node)
			head = keys
			table := expression{keys: keys, table: true, start: lineStart(text, start), end: lineEnd(text, start)}
			all = append(all, table)
		case unstable.KeyValue:
			all = append(all, keyValue(head, node))
		}
	}

	return all, p.Error()
}

// keysOf returns the parts of a statement's key, and the offset at which it begins.
func keysOf(node *unstable.Node) (keys []string, start int) {
	start = -1
	for it := node.Key(); it.Next(); {
		keys = append(keys, string(it.Node().Data))
		if start < 0 {
			start = int(it.Node().Raw.Offset)
		}
	}

	return keys, start
}

// keyValue returns the statement of a key and its value. head is the key of the table that it is in.
func keyValue(head []string, node *unstable.Node) expression {
	keys, _ := keysOf(node)
	x := expression{
		keys:   append(slices.Clone(head), keys...),
		inline: node.Value().Kind == unstable.InlineTable,
		start:  int(node.Raw.Offset),
		end:    int(node.Raw.Offset + node.Raw.Length),
	}
	for it := node.Value().Children(); x.inline && it.Next(); {
		x.inside = append(x.inside, keyValue(x.keys, it.Node()))
	}

	return x
}

// flatten returns all statements, each followed by those of its inline table.
func flatten(all []expression) (out []expression) {
	for _, x := range all {
		out = append(append(out, x), flatten(x.inside)...)
	}

	return out
}

// isBelow reports whether the keys of a statement lead to an entry or into it.
func isBelow(keys, entry []string) bool {
	return len(keys) >= len(entry) && slices.Equal(keys[:len(entry)], entry)
}
