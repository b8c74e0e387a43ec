package snapshot

import (
	"slices"
	"unicode/utf8"
)

// ranks is the order of properties on a line; a property that is not in it comes last, by name.
var ranks = map[string]int{
	"level": 1, "text": 1, "checked": 2, "pressed": 3, "selected": 4, "expanded": 5, "expandable": 5, "haspopup": 6, "disabled": 7,
	"required": 8, "readonly": 9, "invalid": 10, "focused": 11, "multiline": 12, "multiselectable": 13, "modal": 14,
	"busy": 15, "hidden": 16, "valuemin": 17, "valuemax": 18, "valuetext": 19,
}

// noise is true of nearly every node that has it; false: only a verbose snapshot shows it.
var noise = map[string]bool{
	"focusable": true, "settable": true, "root": true,
	"orientation": false, "live": false, "atomic": false, "relevant": false, "autocomplete": false, "url": false,
	"keyshortcuts": false, "roledescription": false,
}

type prop struct {
	rank      int
	key, text string
}

// needsDesc: a sign for a name, such as ×, tells less than the tooltip does.
func needsDesc(n *Node, name string) bool {
	return n.Act && n.Desc != "" && utf8.RuneCountInString(name) <= 2
}

// props writes the value and the states of a node, each as it stands on the line.
func (b *builder) props(n *Node, name string) []string {
	if len(n.States) == 0 && n.Value == "" && (n.Desc == "" || !b.verbose && !needsDesc(n, name)) {
		return nil
	}
	var buf [8]prop
	all := buf[:0]
	value := clean(n.Value)
	if value != "" && value != name {
		all = append(all, prop{0, "", pair("value", value)})
	}
	for _, s := range n.States {
		if s.Key == "expandable" && isExpanded(n.States) {
			continue // the other word says both
		}
		if text := b.state(n, s, value); text != "" {
			key := word(s.Key)
			rank, ok := ranks[key]
			if !ok {
				rank = 100
			}
			all = append(all, prop{rank, key, text})
		}
	}
	if d := clean(n.Desc); (b.verbose || needsDesc(n, name)) && d != "" && d != name {
		all = append(all, prop{101, "", pair("description", d)})
	}
	slices.SortStableFunc(all, func(a, b prop) int {
		if a.rank != b.rank {
			return a.rank - b.rank
		}
		if a.key < b.key {
			return -1
		}
		return 1
	})
	if len(all) == 0 {
		return nil
	}
	texts := b.strings(len(all))
	for i, p := range all {
		texts[i] = p.text
	}
	return texts
}

func isExpanded(all []State) bool {
	return slices.ContainsFunc(all, func(s State) bool { return s.Key == "expanded" && s.Value == "true" })
}

// state is one property as it stands on a line: a word for true, key="value" otherwise, "" when it says nothing.
func (b *builder) state(n *Node, s State, value string) string {
	key := word(s.Key)
	quiet, known := noise[key]
	switch {
	case key == "" || known && (quiet || !b.verbose):
		return ""
	case s.Value == "true":
		if key == "focused" && n.Role == "RootWebArea" {
			return ""
		}
		return key
	case s.Value == "false":
		switch key {
		case "expanded":
			return "expandable"
		case "pressed":
			return `pressed="false"`
		}
		return ""
	case key == "haspopup" && n.Role == "combobox" && !b.verbose:
		return ""
	case key == "valuetext" && clean(s.Value) == value:
		return ""
	}
	if v := clean(s.Value); v != "" {
		return pair(key, v)
	}
	return ""
}

func pair(key, value string) string {
	b := make([]byte, 0, len(key)+len(value)+3)
	b = append(append(b, key...), '=')
	return string(quote(b, cut(value, maxName)))
}
