package redaction

import (
	"strings"

	"cove/internal/gate/markup"
	"cove/internal/policy"
)

// redactSnapshot redacts a captured snapshot.
var redactSnapshot = Rule{policy.Script, redactFieldTexts}

// redactFieldTexts redacts the values of password fields in a captured snapshot. All texts of a snapshot are in one
// table, and everything else refers to them by number.
func redactFieldTexts(part map[string]any) bool {
	s := snapshotRedaction{secret: map[int]bool{}}
	s.texts, _ = part["strings"].([]any)
	documents, _ := part["documents"].([]any)
	for _, d := range documents {
		document, _ := d.(map[string]any)
		s.markDocument(document)
	}

	for i := range s.secret {
		if str(s.texts[i]) != "" {
			s.texts[i] = Mark
		}
	}

	return true
}

// snapshotRedaction finds the secret texts of a snapshot.
type snapshotRedaction struct {
	texts  []any
	secret map[int]bool // by number of the text
}

// textIndex returns the number of a text, or -1 if there is no such text.
func (s *snapshotRedaction) textIndex(v any) int {
	if i := number(v); i < len(s.texts) {
		return i
	}

	return -1
}

func (s *snapshotRedaction) textAt(v any) string {
	if i := s.textIndex(v); i >= 0 {
		return str(s.texts[i])
	}

	return ""
}

// markDocument marks the secret texts of one document: the values of its password fields and the texts inside them.
func (s *snapshotRedaction) markDocument(document map[string]any) {
	nodes, _ := document["nodes"].(map[string]any)
	parents, _ := nodes["parentIndex"].([]any)
	fields := hiddenFields{fields: s.fields(nodes), parents: parents}
	mark := func(node int, text any) {
		if i := s.textIndex(text); i >= 0 && fields.contain(node) {
			s.secret[i] = true
		}
	}

	for _, key := range [...]string{"inputValue", "textValue"} {
		rare, _ := nodes[key].(map[string]any)
		eachText(rare["index"], rare["value"], mark)
	}
	values, _ := nodes["nodeValue"].([]any)
	for n, v := range values {
		mark(n, v)
	}
	layout, _ := document["layout"].(map[string]any)
	eachText(layout["nodeIndex"], layout["text"], mark)
}

// fields returns the nodes that are password fields, and marks the values of their attributes.
func (s *snapshotRedaction) fields(nodes map[string]any) map[int]bool {
	fields := map[int]bool{}
	names, _ := nodes["nodeName"].([]any)
	lists, _ := nodes["attributes"].([]any)
	for n, l := range lists {
		if n < len(names) && !markup.IsTag(s.textAt(names[n]), "input") { // without names, every node may be a field
			continue
		}
		list, _ := l.([]any)
		if !markup.AttributesOf(len(list), func(i int) string { return s.textAt(list[i]) }).Field().Kind().Hidden() {
			continue
		}

		fields[n] = true
		for i := 0; i+1 < len(list); i += 2 {
			if value := s.textIndex(list[i+1]); value >= 0 && strings.EqualFold(s.textAt(list[i]), "value") {
				s.secret[value] = true
			}
		}
	}

	return fields
}

// hiddenFields are the password fields of a document.
type hiddenFields struct {
	fields  map[int]bool // by node
	parents []any        // by node
}

// contain reports whether a node is a password field or inside one.
func (f hiddenFields) contain(node int) bool {
	for range len(f.parents) + 1 {
		if f.fields[node] {
			return true
		}
		if node < 0 || node >= len(f.parents) {
			return false
		}
		node = number(f.parents[node])
	}

	return false
}

// eachText calls f for the nodes of one list and the texts of another.
func eachText(nodes, texts any, f func(node int, text any)) {
	index, _ := nodes.([]any)
	values, _ := texts.([]any)
	for i := range min(len(index), len(values)) {
		f(number(index[i]), values[i])
	}
}
