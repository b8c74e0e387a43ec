package clients

import (
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// yamlPlace matches what the parser puts before the reason of a failure.
var yamlPlace = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// oddBreak is what YAML counts as the end of a line beside LF and CRLF.
var oddBreak = regexp.MustCompile("\r[^\n]|\r$|[\u0085\u2028\u2029]")

// root is the map at the top; nil for a document without anything.
func (yamlEditor) root(text string) (*yaml.Node, error) {
	if at := oddBreak.FindStringIndex(text); at != nil {
		return nil, &broken{lineOf(text, at[0]), "the line ends with a character that is rarely used for that"}
	}
	if !utf8.ValidString(text) {
		valid := strings.ToValidUTF8(text, "\x00")
		at := 0
		for at < len(text) && text[at] == valid[at] {
			at++
		}
		return nil, &broken{lineOf(text, at), "the line is not UTF-8"}
	}
	top, err := decode(strings.NewReader(text))
	if err != nil {
		return nil, &broken{firstBad(text, err), yamlPlace.ReplaceAllString(err.Error(), "")}
	}
	return top, nil
}

// decode reads the only document; nil when there is nothing in it.
func decode(r io.Reader) (*yaml.Node, error) {
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

// firstBad is the line at which a text stops being a document: the one behind its longest beginning that is one. The parser names
// none, or the start of whatever it was in.
func firstBad(text string, err error) int {
	l, read := linesOf(text), &lineReader{text: text}
	_, _ = decode(read)
	work := 1 << 22 // bytes; who leaves a quote open has the parser look at everything
	for n := l.of(read.at); n > 1 && work > 0; n-- {
		if _, err := decode(strings.NewReader(text[:l.start(n)])); err == nil {
			return n
		}
		work -= l.start(n)
	}
	line := 1
	if place := yamlPlace.FindStringSubmatch(err.Error()); place != nil { // the reasons of our own name no place
		line, _ = strconv.Atoi(place[1])
	}
	return max(line, 1)
}

// lineReader gives out one line at a time, so that it is known how far somebody had to read.
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

func (e yamlEditor) parse(text string) (*tree, error) {
	top, err := e.root(text)
	if err != nil {
		return nil, err
	}
	if top == nil {
		return &tree{kind: kindMap, line: 1}, nil
	}
	return yamlTree(top), nil
}

func yamlTree(n *yaml.Node) *tree {
	t := &tree{line: n.Line, text: n.Anchor}
	switch n.Kind {
	case yaml.MappingNode:
		t.kind = kindMap
		for i := 0; i+1 < len(n.Content); i += 2 {
			name := n.Content[i].Value
			if n.Content[i].Kind != yaml.ScalarNode {
				name = "\x00" + yamlTree(n.Content[i]).write()
			}
			t.names, t.kids = append(t.names, name), append(t.kids, yamlTree(n.Content[i+1]))
		}
	case yaml.SequenceNode:
		t.kind = kindList
		for _, kid := range n.Content {
			t.kids = append(t.kids, yamlTree(kid))
		}
	case yaml.AliasNode:
		t.kind, t.text = '*', n.Value
	default:
		t.kind, t.text = 'x', n.Anchor+n.ShortTag()+" "+n.Value
		switch {
		case n.ShortTag() == "!!str" && n.Anchor == "":
			t.kind, t.text = 's', n.Value
		case n.ShortTag() == "!!null" && n.Anchor == "":
			t.kind, t.text = kindNull, ""
		}
	}
	return t
}
