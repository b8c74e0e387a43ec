package edit

import (
	"errors"
	"strings"

	"github.com/tailscale/hujson"
)

// jsonEditor edits JSON, with or without comments and trailing commas.
type jsonEditor struct{ format Format }

// errGone says that there is no entry to remove.
var errGone = errors.New("the entry is gone")

func (e jsonEditor) insert(text string, p Path, fields []Field) (string, Origin, error) {
	root, err := e.root(text)
	if err != nil {
		return "", Origin{}, err
	}

	o, whole, depth := objectAt(root, p.Keys)
	was := Origin{At: depth}
	l, indent := layoutOf(text, root, o, whole)
	way := p.all()[depth:]
	member := l.member(way[0], nest(way[1:], fields), indent)
	if len(o.Members) > 0 {
		return apply(text, appendMember(text, o, l, indent, member)...), was, nil
	}

	inner := string(o.AfterExtra)
	start := whole.StartOffset + 1
	if rest := strings.TrimSpace(inner); rest != "" { // a comment: the entry goes below it
		at := start + len(strings.TrimRight(inner, white))
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
	member = l.eol + indent + member + l.eol + strings.TrimSuffix(indent, l.unit)

	return apply(text, splice{start, start + len(inner), member}), was, nil
}

// layoutOf returns the layout of a document, and the indentation of the members of one of its objects.
func layoutOf(text string, root *hujson.Value, o *hujson.Object, whole *hujson.Value) (l layout, indent string) {
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

// appendMember adds a member after the last one.
func appendMember(text string, o *hujson.Object, l layout, indent, member string) []splice {
	last := &o.Members[len(o.Members)-1].Value
	lead := l.eol + indent
	if l.line && !strings.Contains(string(o.AfterExtra), "\n") {
		lead = l.comma
	}

	end, tail := last.EndOffset, string(o.AfterExtra)
	if last.AfterExtra != nil { // the last one has a trailing comma, so the new one gets one too
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

// sameLine returns how many bytes of white space and comments belong to the line before: up to the last comment on that
// line.
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

func (e jsonEditor) update(text string, p Path, c Content) (string, error) {
	root, err := e.root(text)
	if err != nil {
		return "", err
	}

	o, whole, _ := objectAt(root, p.Keys)
	l, _ := layoutOf(text, root, o, whole)
	member := &o.Members[memberIndex(o, p.Name)]
	values, _ := member.Value.Value.(*hujson.Object)
	if i := memberIndex(values, c.Below); c.Below != "" && i >= 0 {
		values, _ = values.Members[i].Value.Value.(*hujson.Object)
	}
	if splices, ok := setOwned(values, l, c); ok {
		return apply(text, splices...), nil
	}

	entry := l.value(c.Fields, indentOf(text, member.Name.StartOffset))

	return apply(text, splice{member.Value.StartOffset, member.Value.EndOffset, entry}), nil
}

// setOwned sets only the owned fields of an entry: the other fields, and comments, may be a person's. ok is false for
// an entry that does not have the first owned field.
func setOwned(o *hujson.Object, l layout, c Content) (splices []splice, ok bool) {
	for _, f := range c.Fields {
		if !c.owns(f) {
			continue
		}
		i := memberIndex(o, f.Key)
		if i < 0 && len(splices) == 0 {
			return nil, false
		}
		if i < 0 { // the field before had all words in one list
			splices[len(splices)-1].text += ", " + quote(f.Key) + ": " + l.value(f.Value, "")
			continue
		}
		v := &o.Members[i].Value
		splices = append(splices, splice{v.StartOffset, v.EndOffset, l.value(f.Value, "")})
	}

	return splices, true
}

func (e jsonEditor) remove(text string, p Path, was Origin) ([]string, error) {
	var candidates []string
	for _, retainEOL := range []bool{false, true} {
		out, err := e.removeMember(text, p.all(), was, retainEOL)
		if err == nil {
			candidates = append(candidates, out)
		}
	}

	return candidates, nil
}

// removeMember cuts the member that the keys lead to, then the objects on the way that were made for it and are empty
// now.
func (e jsonEditor) removeMember(text string, keys []string, was Origin, retainEOL bool) (string, error) {
	for depth := len(keys) - 1; ; depth-- {
		root, err := e.root(text)
		if err != nil {
			return "", err
		}
		o, whole, found := objectAt(root, keys[:depth])
		i := memberIndex(o, keys[depth])
		if found != depth || i < 0 {
			return "", errGone
		}

		cuts := cutMember(text, o, i, retainEOL)
		only := isOnlyMember(o)
		if only && depth == was.At && was.Inner != nil {
			return apply(text, splice{whole.StartOffset + 1, whole.EndOffset - 1, *was.Inner}), nil
		}
		if !only || depth <= was.At {
			return apply(text, cuts...), nil
		}
		text = apply(text, cuts...)
	}
}

// isOnlyMember reports whether an object has one member and no comment beside it.
func isOnlyMember(o *hujson.Object) bool {
	if len(o.Members) != 1 {
		return false
	}
	m := &o.Members[0]

	return strings.TrimSpace(string(m.Name.BeforeExtra)+string(m.Value.AfterExtra)+string(o.AfterExtra)) == ""
}

// cutMember cuts member i with its comma and its line. If retainEOL is set, the line end before it stays: a comment
// there may need it.
func cutMember(text string, o *hujson.Object, i int, retainEOL bool) []splice {
	m := &o.Members[i]
	start := m.Name.StartOffset
	first := start - len(m.Name.BeforeExtra)
	for start > first && (text[start-1] == ' ' || text[start-1] == '\t') {
		start--
	}
	if start > first && text[start-1] == '\n' && !retainEOL {
		start--
		if start > first && text[start-1] == '\r' {
			start--
		}
	}

	end := m.Value.EndOffset
	if i < len(o.Members)-1 || m.Value.AfterExtra != nil {
		return []splice{{start, end + len(m.Value.AfterExtra) + 1, ""}}
	}
	cuts := []splice{{start, end, ""}}
	if i > 0 { // the member before is the last one now
		before := &o.Members[i-1].Value
		comma := before.EndOffset + len(before.AfterExtra)
		cuts = append(cuts, splice{comma, comma + 1, ""})
	}

	return cuts
}

func (e jsonEditor) fresh(p Path, fields []Field, eol string) string {
	l := layout{eol: eol, unit: "  "}
	return l.value(nest(p.all(), fields), "") + eol
}
