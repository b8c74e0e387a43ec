package edit

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/tailscale/hujson"
)

// hujsonError matches the text of a parser's error.
var hujsonError = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^hujson: line (\d+), column \d+: (.*)$`)
})

// root parses a text, and refuses what the format does not allow.
func (e jsonEditor) root(text string) (*hujson.Value, error) {
	if at, why := unparsable(text); at >= 0 {
		return nil, &Error{lineOf(text, at), why}
	}

	v, err := hujson.Parse([]byte(text))
	if err != nil { // the parser wants a line end behind a comment, also at the end of the file
		if again, err2 := hujson.Parse([]byte(text + "\n")); err2 == nil {
			v, err = again, nil
		}
	}
	if err != nil {
		return nil, parseError(err)
	}

	if e.format != Loose && !v.IsStandard() {
		if at := disallowed(text, &v, e.format == Strict); at >= 0 {
			what := "a trailing comma"
			if e.format == Strict {
				what = "a comment or a trailing comma"
			}
			return nil, &Error{lineOf(text, at), what + " stands there, which the client cannot read"}
		}
	}

	return &v, nil
}

// parseError returns the line and the reason of a parser's error, without any value of the document.
func parseError(err error) *Error {
	e := &Error{0, err.Error()}
	if m := hujsonError().FindStringSubmatch(err.Error()); m != nil {
		e.Line, _ = strconv.Atoi(m[1])
		e.Reason = m[2]
	}
	if strings.HasPrefix(e.Reason, "invalid literal") { // the literal may be a key that nobody is to see
		e.Reason = "a value stands there that is no JSON"
	}

	return e
}

// maxDepth is how deep values may be nested. The parser recurses, and no file may exhaust its stack.
const maxDepth = 1000

// unparsable returns the offset of the first text that the parser must not get, and why, or -1. A CR alone ends a
// comment for clients but not for the parser, which would take for a comment what clients read as values.
func unparsable(text string) (at int, why string) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			end := stringEnd(text, i)
			if end < 0 || strings.ContainsAny(text[i:end], "\r\n") {
				return i, "a quote that opens there is not closed on its line"
			}
			i = end
		case '/':
			end, cr := commentEnd(text, i)
			if cr >= 0 {
				return cr, "a comment holds a carriage return, which ends it for some programs and not for others"
			}
			if end < 0 { // the comment is not closed: the parser says so
				return -1, ""
			}
			i = end
		case '{', '[':
			if depth++; depth > maxDepth {
				return i, "the values are nested too deep"
			}
		case '}', ']':
			depth--
		}
	}

	return -1, ""
}

// commentEnd returns the offset of the last byte of the comment that begins at an offset, or -1 if the comment is not
// closed. The last byte of a // comment is its LF. cr is the offset of a CR inside a // comment, or -1.
func commentEnd(text string, at int) (end, cr int) {
	if strings.HasPrefix(text[at:], "/*") {
		n := strings.Index(text[at+2:], "*/")
		if n < 0 {
			return -1, -1
		}
		return at + n + 3, -1
	}

	end = len(text)
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		end = at + n
	}
	if n := strings.IndexByte(strings.TrimSuffix(text[at:end], "\r"), '\r'); n >= 0 {
		return end, at + n
	}

	return end, -1
}

// disallowed returns the offset of the first trailing comma or, if comments is set, of the first comment, or -1 if
// there is neither.
func disallowed(text string, v *hujson.Value, comments bool) int {
	first := -1
	found := func(at int) {
		if first < 0 || at < first {
			first = at
		}
	}

	for part := range v.All() {
		var last *hujson.Value
		switch x := part.Value.(type) {
		case *hujson.Object:
			if n := len(x.Members); n > 0 {
				last = &x.Members[n-1].Value
			}
		case *hujson.Array:
			if n := len(x.Elements); n > 0 {
				last = &x.Elements[n-1]
			}
		}
		if last != nil && last.AfterExtra != nil {
			found(last.EndOffset + len(last.AfterExtra))
		}
	}

	if comments {
		standard := v.Clone()
		standard.Standardize()
		packed := standard.Pack() // blanks stand in place of comments
		for i := range min(len(packed), len(text)) {
			if packed[i] != text[i] {
				found(i)
				break
			}
		}
	}

	return first
}

func (e jsonEditor) onlyComments(text string) bool {
	if e.format == Strict {
		return false
	}
	_, err := e.root(text + "\n{}")

	return err == nil
}

func (e jsonEditor) parse(text string) (*Node, error) {
	v, err := e.root(text)
	if err != nil {
		return nil, err
	}

	return jsonNode(linesOf(text), v), nil
}

func jsonNode(l lines, v *hujson.Value) *Node {
	n := &Node{line: l.of(v.StartOffset)}
	switch x := v.Value.(type) {
	case *hujson.Object:
		n.kind = kindMap
		for i := range x.Members {
			n.add(memberName(x, i), jsonNode(l, &x.Members[i].Value))
		}
	case *hujson.Array:
		n.kind = kindList
		for i := range x.Elements {
			n.children = append(n.children, jsonNode(l, &x.Elements[i]))
		}
	case hujson.Literal:
		n.kind, n.text = byte(x.Kind()), string(x)
		if n.kind == '"' {
			n.kind, n.text = kindString, x.String()
		}
	}

	return n
}

func memberName(o *hujson.Object, i int) string {
	name, _ := o.Members[i].Name.Value.(hujson.Literal)
	return name.String()
}

// memberIndex returns the position of a name in an object, or -1.
func memberIndex(o *hujson.Object, name string) int {
	if o == nil {
		return -1
	}
	for i := range o.Members {
		if memberName(o, i) == name {
			return i
		}
	}

	return -1
}

// objectAt follows the keys as far as they lead to objects. It returns the last object, the value that contains it, and
// how many keys it followed.
func objectAt(v *hujson.Value, keys []string) (o *hujson.Object, whole *hujson.Value, depth int) {
	o, _ = v.Value.(*hujson.Object)
	whole = v
	for depth < len(keys) {
		i := memberIndex(o, keys[depth])
		if i < 0 {
			return o, whole, depth
		}
		next, ok := o.Members[i].Value.Value.(*hujson.Object)
		if !ok {
			return o, whole, depth
		}
		o, whole, depth = next, &o.Members[i].Value, depth+1
	}

	return o, whole, depth
}
