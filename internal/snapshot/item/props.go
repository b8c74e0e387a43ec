package item

import (
	"cove/internal/snapshot/document"
	"cove/internal/snapshot/text"
	"slices"
	"unicode/utf8"
)

// rankOf returns the order of a property on a line. A property without a rank comes last, by name.
func rankOf(key string) int {
	switch key {
	case "level", "text":
		return 1
	case "checked":
		return 2
	case "pressed":
		return 3
	case "selected":
		return 4
	case "expanded", "expandable":
		return 5
	case "haspopup":
		return 6
	case "disabled":
		return 7
	case "required":
		return 8
	case "readonly":
		return 9
	case "invalid":
		return 10
	case "focused":
		return 11
	case "multiline":
		return 12
	case "multiselectable":
		return 13
	case "modal":
		return 14
	case "busy":
		return 15
	case "hidden":
		return 16
	case "valuemin":
		return 17
	case "valuemax":
		return 18
	case "valuetext":
		return 19
	}
	return 100
}

// noise reports with known whether an ordinary snapshot leaves out a property. With quiet, a verbose snapshot leaves it
// out too, because nearly every node has it.
func noise(key string) (quiet, known bool) {
	switch key {
	case "focusable", "settable", "root":
		return true, true
	case "orientation", "live", "atomic", "relevant", "autocomplete", "url", "keyshortcuts", "roledescription":
		return false, true
	}
	return false, false
}

type prop struct {
	rank      int
	key, text string
}

// needsDesc reports whether a name is only a sign, such as ×, that says less than the node's description.
func needsDesc(n *document.Node, name string) bool {
	return n.Act && n.Desc != "" && utf8.RuneCountInString(name) <= 2
}

// Props writes the properties of nodes. The zero Props writes those that an ordinary snapshot shows.
type Props struct {
	Verbose bool
	spare   []string
}

func (p *Props) strings(n int) []string {
	if len(p.spare) < n {
		p.spare = make([]string, 256+n)
	}
	s := p.spare[:n:n]
	p.spare = p.spare[n:]
	return s
}

// Of returns the value and the states of a node, each in the form in which it stands on the line.
func (p *Props) Of(n *document.Node, name string) []string {
	if len(n.States) == 0 && n.Value == "" && (n.Desc == "" || !p.Verbose && !needsDesc(n, name)) {
		return nil
	}
	var buf [8]prop
	all := buf[:0]
	value := text.Clean(n.Value)
	if value != "" && value != name {
		all = append(all, prop{0, "", pair("value", value)})
	}
	for _, s := range n.States {
		if s.Key == "expandable" && isExpanded(n.States) {
			continue // the word expanded says both
		}
		if shown := p.state(n, s, value); shown != "" {
			key := text.Word(s.Key)
			all = append(all, prop{rankOf(key), key, shown})
		}
	}
	if d := text.Clean(n.Desc); (p.Verbose || needsDesc(n, name)) && d != "" && d != name {
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
	texts := p.strings(len(all))
	for i, one := range all {
		texts[i] = one.text
	}
	return texts
}

func isExpanded(all []document.State) bool {
	return slices.ContainsFunc(all, func(s document.State) bool { return s.Key == "expanded" && s.Value == "true" })
}

// state returns one property in the form in which it stands on the line: a word for true, key="value" otherwise, ""
// when it says nothing.
func (p *Props) state(n *document.Node, s document.State, value string) string {
	key := text.Word(s.Key)
	quiet, known := noise(key)
	switch {
	case key == "" || known && (quiet || !p.Verbose):
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
	case key == "haspopup" && n.Role == "combobox" && !p.Verbose:
		return ""
	case key == "valuetext" && text.Clean(s.Value) == value:
		return ""
	}
	if v := text.Clean(s.Value); v != "" {
		return pair(key, v)
	}
	return ""
}

func pair(key, value string) string {
	b := make([]byte, 0, len(key)+len(value)+3)
	b = append(append(b, key...), '=')
	return string(text.AppendQuoted(b, text.Cut(value, text.MaxName)))
}
