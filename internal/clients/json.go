package clients

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// jsonEditor is for JSON, and for JSON with comments and trailing commas.
type jsonEditor struct{ format Format }

// place matches what the parser says of a failure.
var place = regexp.MustCompile(`^hujson: line (\d+), column \d+: (.*)$`)

func (e jsonEditor) root(text string) (*hujson.Value, error) {
	if at, why := unfit(text); at >= 0 {
		return nil, &broken{lineOf(text, at), why}
	}
	v, err := hujson.Parse([]byte(text))
	if err != nil { // a comment may be the file's end, without one of its line
		if again, err2 := hujson.Parse([]byte(text + "\n")); err2 == nil {
			v, err = again, nil
		}
	}
	if err != nil {
		b := &broken{0, err.Error()}
		if m := place.FindStringSubmatch(err.Error()); m != nil {
			b.line, _ = strconv.Atoi(m[1])
			b.why = m[2]
		}
		if strings.HasPrefix(b.why, "invalid literal") { // which may be a key that nobody is to see
			b.why = "a value stands there that is no JSON"
		}
		return nil, b
	}
	if e.format != Loose && !v.IsStandard() {
		if at := foreign(text, &v, e.format == Strict); at >= 0 {
			what := "a trailing comma"
			if e.format == Strict {
				what = "a comment or a trailing comma"
			}
			return nil, &broken{lineOf(text, at), what + " stands there, which the client cannot read"}
		}
	}
	return &v, nil
}

// deepest is how far values may be nested: the parser goes down with them, and a file must not end the program.
const deepest = 1000

// unfit is where the first thing stands that the parser must not get, and why; -1 without one. A CR alone ends a comment for
// clients but not for the parser, which would take for a comment what they read.
func unfit(text string) (at int, why string) {
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
			end := len(text)
			if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
				end = i + n
			}
			if strings.HasPrefix(text[i:], "/*") {
				n := strings.Index(text[i+2:], "*/")
				if n < 0 {
					return -1, ""
				}
				end = i + n + 3
			} else if n := strings.IndexByte(strings.TrimSuffix(text[i:end], "\r"), '\r'); n >= 0 {
				return i + n, "a comment holds a carriage return, which ends it for some programs and not for others"
			}
			i = end
		case '{', '[':
			if depth++; depth > deepest {
				return i, "the values are nested too deep"
			}
		case '}', ']':
			depth--
		}
	}
	return -1, ""
}

// foreign is where the first trailing comma stands, or the first comment where those count too; -1 without one.
func foreign(text string, v *hujson.Value, comments bool) int {
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
		packed := standard.Pack() // blanks in their place
		for i := range min(len(packed), len(text)) {
			if packed[i] != text[i] {
				found(i)
				break
			}
		}
	}
	return first
}

// empty says that comments are all there is, where those may stand.
func (e jsonEditor) empty(text string) bool {
	if e.format == Strict {
		return false
	}
	_, err := e.root(text + "\n{}")
	return err == nil
}

func (e jsonEditor) parse(text string) (*tree, error) {
	v, err := e.root(text)
	if err != nil {
		return nil, err
	}
	return jsonTree(linesOf(text), v), nil
}

func jsonTree(l lines, v *hujson.Value) *tree {
	t := &tree{line: l.of(v.StartOffset)}
	switch x := v.Value.(type) {
	case *hujson.Object:
		t.kind = kindMap
		for i := range x.Members {
			kid := jsonTree(l, &x.Members[i].Value)
			t.names, t.kids = append(t.names, memberName(x, i)), append(t.kids, kid)
		}
	case *hujson.Array:
		t.kind = kindList
		for i := range x.Elements {
			t.kids = append(t.kids, jsonTree(l, &x.Elements[i]))
		}
	case hujson.Literal:
		t.kind, t.text = byte(x.Kind()), string(x)
		if t.kind == '"' {
			t.kind, t.text = 's', x.String()
		}
	}
	return t
}

func memberName(o *hujson.Object, i int) string {
	name, _ := o.Members[i].Name.Value.(hujson.Literal)
	return name.String()
}

// object is the map at the end of a way, as far as it is there; depth is how many keys were followed.
func object(v *hujson.Value, keys []string) (o *hujson.Object, whole *hujson.Value, depth int) {
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

// style is the layout of a document, and the indentation of the members of one of its maps.
func style(text string, root *hujson.Value, o *hujson.Object, whole *hujson.Value) (l layout, indent string) {
	l = layout{eol: eolOf(text), unit: "  "}
	top, _ := root.Value.(*hujson.Object)
	if top != nil && len(top.Members) > 0 {
		first := &top.Members[0]
		if strings.Contains(string(first.Name.BeforeExtra), "\n") {
			if unit := indentOf(text, first.Name.StartOffset); unit != "" {
				l.unit = unit
			}
		} else if len(o.Members) == 0 {
			l.line = true
		}
	}
	sample := top
	if len(o.Members) > 0 {
		sample = o
		l.line = !strings.Contains(string(o.Members[0].Name.BeforeExtra), "\n")
	}
	if l.line && sample != nil && len(sample.Members) > 0 {
		if len(sample.Members[0].Value.BeforeExtra) > 0 {
			l.sep, l.comma = " ", " "
		}
		if len(sample.Members) > 1 {
			l.comma = ""
			if strings.HasPrefix(string(sample.Members[1].Name.BeforeExtra), " ") {
				l.comma = " "
			}
		}
	}
	if len(o.Members) > 0 && !l.line {
		return l, indentOf(text, o.Members[0].Name.StartOffset)
	}
	return l, indentOf(text, whole.StartOffset) + l.unit
}

func (e jsonEditor) insert(text string, keys []string, name string, fields []Field) (string, origin, error) {
	root, err := e.root(text)
	if err != nil {
		return "", origin{}, err
	}
	o, whole, depth := object(root, keys)
	was := origin{At: depth}
	l, indent := style(text, root, o, whole)
	way := append(append([]string{}, keys[depth:]...), name)
	member := l.member(way[0], nested(way[1:], fields), indent)
	if len(o.Members) > 0 {
		return apply(text, after(text, o, l, indent, member)...), was, nil
	}
	inner := string(o.AfterExtra)
	start := whole.StartOffset + 1
	if rest := strings.TrimSpace(inner); rest != "" { // a comment: ours goes below it
		at := start + len(strings.TrimRight(inner, " \t\r\n"))
		return apply(text, splice{at, at, l.eol + indent + member}), was, nil
	}
	switch {
	case l.line:
		was.Inner = &inner
		return apply(text, splice{start, start + len(inner), member}), was, nil
	case strings.Contains(inner, "\n"):
		return apply(text, splice{start, start, l.eol + indent + member}), was, nil
	}
	was.Inner = &inner
	return apply(text, splice{start, start + len(inner), l.eol + indent + member + l.eol + strings.TrimSuffix(indent, l.unit)}), was, nil
}

// after adds a member behind the last one.
func after(text string, o *hujson.Object, l layout, indent, member string) []splice {
	last := &o.Members[len(o.Members)-1].Value
	lead := l.eol + indent
	if l.line && !strings.Contains(string(o.AfterExtra), "\n") {
		lead = l.comma
	}
	end, tail := last.EndOffset, string(o.AfterExtra)
	if last.AfterExtra != nil { // it has a trailing comma, so ours gets one
		at := end + len(last.AfterExtra) + 1
		at += sameLine(text[at : at+len(tail)])
		return []splice{{at, at, lead + member + ","}}
	}
	at := end + sameLine(text[end:end+len(tail)])
	if at == end {
		return []splice{{end, end, "," + lead + member}}
	}
	return []splice{{end, end, ","}, {at, at, lead + member}}
}

// sameLine is how much of blank text and comments belongs to the line before: up to its last comment.
func sameLine(extra string) (n int) {
	at := 0
	for at < len(extra) {
		switch {
		case extra[at] == '\n':
			return n
		case strings.HasPrefix(extra[at:], "//"):
			end := strings.IndexAny(extra[at:], "\r\n")
			if end < 0 {
				return len(extra)
			}
			return at + end
		case strings.HasPrefix(extra[at:], "/*"):
			end := strings.Index(extra[at+2:], "*/")
			if end < 0 {
				return n
			}
			at += end + 4
			n = at
		default:
			at++
		}
	}
	return n
}

func (e jsonEditor) update(text string, keys []string, name string, fields []Field) (string, error) {
	root, err := e.root(text)
	if err != nil {
		return "", err
	}
	o, whole, _ := object(root, keys)
	l, _ := style(text, root, o, whole)
	entry := &o.Members[memberIndex(o, name)].Value
	indent := indentOf(text, o.Members[memberIndex(o, name)].Name.StartOffset)
	values, _ := entry.Value.(*hujson.Object)
	if i := memberIndex(values, "transport"); i >= 0 { // as one client's own program writes it
		values, _ = values.Members[i].Value.Value.(*hujson.Object)
	}
	if s, ok := replace(values, l, fields); ok {
		return apply(text, s...), nil
	}
	return apply(text, splice{entry.StartOffset, entry.EndOffset, l.value(fields, indent)}), nil
}

// replace gives an entry only the fields that say what is run: the others, and comments, may be a person's.
func replace(o *hujson.Object, l layout, fields []Field) (splices []splice, ok bool) {
	for _, f := range fields {
		if f.runs() {
			i := memberIndex(o, f.Key)
			if i < 0 && len(splices) == 0 {
				return nil, false
			}
			if i < 0 { // all words stood in one list
				splices[len(splices)-1].text += ", " + quote(f.Key) + ": " + l.value(f.Value, "")
				continue
			}
			v := &o.Members[i].Value
			splices = append(splices, splice{v.StartOffset, v.EndOffset, l.value(f.Value, "")})
		}
	}
	return splices, true
}

func (e jsonEditor) remove(text string, keys []string, name string, was origin) ([]string, error) {
	var all []string
	for _, keepLine := range []bool{false, true} {
		out, err := e.removeOne(text, append(append([]string{}, keys...), name), was, keepLine)
		if err == nil {
			all = append(all, out)
		}
	}
	return all, nil
}

// removeOne cuts the member at the end of a way, then the maps on that way that were made for it and hold nothing now.
func (e jsonEditor) removeOne(text string, way []string, was origin, keepLine bool) (string, error) {
	for depth := len(way) - 1; ; depth-- {
		root, err := e.root(text)
		if err != nil {
			return "", err
		}
		o, whole, found := object(root, way[:depth])
		i := memberIndex(o, way[depth])
		if found != depth || i < 0 {
			return "", errors.New("the entry is gone")
		}
		only := len(o.Members) == 1
		cuts := cutMember(text, o, i, keepLine)
		bare := only && strings.TrimSpace(string(o.Members[0].Name.BeforeExtra)+string(o.Members[0].Value.AfterExtra)+string(o.AfterExtra)) == ""
		if bare && depth == was.At && was.Inner != nil {
			return apply(text, splice{whole.StartOffset + 1, whole.EndOffset - 1, *was.Inner}), nil
		}
		if !bare || depth <= was.At {
			return apply(text, cuts...), nil
		}
		text = apply(text, cuts...)
	}
}

// cutMember takes member i out with its comma and its line; keepLine leaves the line end, which a comment before may need.
func cutMember(text string, o *hujson.Object, i int, keepLine bool) []splice {
	m := &o.Members[i]
	start := m.Name.StartOffset
	first := start - len(m.Name.BeforeExtra)
	for start > first && (text[start-1] == ' ' || text[start-1] == '\t') {
		start--
	}
	if start > first && text[start-1] == '\n' && !keepLine {
		start--
		if start > first && text[start-1] == '\r' {
			start--
		}
	}
	end := m.Value.EndOffset
	lastOne := i == len(o.Members)-1
	if !lastOne || m.Value.AfterExtra != nil {
		return []splice{{start, end + len(m.Value.AfterExtra) + 1, ""}}
	}
	cuts := []splice{{start, end, ""}}
	if i > 0 { // the one before is the last now
		before := &o.Members[i-1].Value
		comma := before.EndOffset + len(before.AfterExtra)
		cuts = append(cuts, splice{comma, comma + 1, ""})
	}
	return cuts
}

func (e jsonEditor) fresh(keys []string, name string, fields []Field, eol string) string {
	l := layout{eol: eol, unit: "  "}
	return l.value(nested(append(append([]string{}, keys...), name), fields), "") + eol
}
