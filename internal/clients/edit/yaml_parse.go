package edit

import (
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// yamlPrefix matches what the parser puts before the reason of an error.
var yamlPrefix = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^yaml: (?:line (\d+): )?`) })

// oddBreak matches what YAML counts as the end of a line besides LF and CRLF.
var oddBreak = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("\r[^\n]|\r$|[\u0085\u2028\u2029]") })

// root returns the node at the top, or nil for an empty document.
func (yamlEditor) root(text string) (*yaml.Node, error) {
	if at := oddBreak().FindStringIndex(text); at != nil {
		return nil, &Error{lineOf(text, at[0]), "the line ends with a character that is rarely used for that"}
	}
	if !utf8.ValidString(text) {
		valid := strings.ToValidUTF8(text, "\x00")
		at := 0
		for at < len(text) && text[at] == valid[at] {
			at++
		}
		return nil, &Error{lineOf(text, at), "the line is not UTF-8"}
	}

	top, err := decodeYAML(strings.NewReader(text))
	if err != nil {
		return nil, &Error{firstBadLine(text, err), yamlPrefix().ReplaceAllString(err.Error(), "")}
	}

	return top, nil
}

// decodeYAML reads the only document of a file. It returns nil for an empty one.
func decodeYAML(r io.Reader) (*yaml.Node, error) {
	d := yaml.NewDecoder(r)
	var doc yaml.Node
	if err := d.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if err := d.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("the file holds more than one document")
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}

	top := doc.Content[0]
	if top.Kind == yaml.ScalarNode && top.Tag == "!!null" && top.Value == "" {
		return nil, nil
	}

	return top, nil
}

// firstBadLine returns the line at which a text stops being a document: the line after the longest beginning that is
// one. The parser itself names no line, or the first line of whatever it was reading.
func firstBadLine(text string, err error) int {
	l, read := linesOf(text), &lineReader{text: text}
	_, _ = decodeYAML(read)
	work := 1 << 22 // bytes: with an open quote the parser reads all of the text each time
	for n := l.of(read.at); n > 1 && work > 0; n-- {
		if _, err := decodeYAML(strings.NewReader(text[:l.start(n)])); err == nil {
			return n
		}
		work -= l.start(n)
	}

	line := 1
	if m := yamlPrefix().FindStringSubmatch(err.Error()); m != nil { // errors of decodeYAML itself have no prefix
		line, _ = strconv.Atoi(m[1])
	}

	return max(line, 1)
}

// lineReader is a reader that returns one line for each Read, so that at shows how far the parser had to read.
type lineReader struct {
	text string
	at   int
}

func (r *lineReader) Read(p []byte) (int, error) {
	if r.at == len(r.text) {
		return 0, io.EOF
	}
	n := copy(p, r.text[r.at:lineEnd(r.text, r.at)])
	r.at += n

	return n, nil
}

func (e yamlEditor) parse(text string) (*Node, error) {
	top, err := e.root(text)
	if err != nil {
		return nil, err
	}
	if top == nil {
		return &Node{kind: kindMap, line: 1}, nil
	}

	return yamlNode(top), nil
}

func (yamlEditor) onlyComments(string) bool { return false } // comments alone parse

func yamlNode(n *yaml.Node) *Node {
	out := &Node{line: n.Line, text: n.Anchor}
	switch n.Kind {
	case yaml.MappingNode:
		out.kind = kindMap
		for i := 0; i+1 < len(n.Content); i += 2 {
			name := n.Content[i].Value
			if n.Content[i].Kind != yaml.ScalarNode {
				name = "\x00" + yamlNode(n.Content[i]).canonical()
			}
			out.add(name, yamlNode(n.Content[i+1]))
		}
	case yaml.SequenceNode:
		out.kind = kindList
		for _, child := range n.Content {
			out.children = append(out.children, yamlNode(child))
		}
	case yaml.AliasNode:
		out.kind, out.text = kindAlias, n.Value
	default:
		out.kind, out.text = kindOther, n.Anchor+n.ShortTag()+" "+n.Value
		switch {
		case n.ShortTag() == "!!str" && n.Anchor == "":
			out.kind, out.text = kindString, n.Value
		case n.ShortTag() == "!!null" && n.Anchor == "":
			out.kind, out.text = kindNull, ""
		}
	}

	return out
}
