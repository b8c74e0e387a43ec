package build

import (
	"cove/internal/snapshot/item"
	"cove/internal/snapshot/role"
	"cove/internal/snapshot/text"
	"strings"
)

// dedupe removes the children of an item that only repeat the item. It hides the item's name when the children say it
// better.
func (b *Builder) dedupe(it *item.Item) {
	if len(it.Kids) == 0 {
		return
	}
	if it.Node.Value != "" {
		b.without(it, func(t string) bool { return t == text.Clean(it.Node.Value) })
	}
	switch {
	case it.Name == "":
		if it.Act && it.Class == role.Block {
			b.adopt(it)
		}
		return
	case says(it.Kids, it.Name):
		switch {
		case plain(it.Kids):
			it.Kids = nil
		case !it.Act && it.Class != role.Landmark && (it.Class != role.Heading || len(it.Kids) == 1):
			it.Mute = true
		default:
			b.without(it, func(string) bool { return true })
		}
		return
	}
	inside := it.Act || it.Class == role.Heading
	b.without(it, func(t string) bool { return t == it.Name || inside && strings.Contains(it.Name, t) })
}

// without removes the texts for which drop reports true from the children of an item.
func (b *Builder) without(it *item.Item, drop func(string) bool) {
	rest := it.Kids[:0]
	for _, k := range it.Kids {
		if k.Class != role.Textual || k.Node != nil || !drop(k.Text) {
			rest = append(rest, k)
		}
	}
	it.Kids = rest
}

// adopt makes the only text in a clickable wrapper its name.
func (b *Builder) adopt(it *item.Item) {
	if len(it.Kids) == 1 && it.Kids[0].Node == nil {
		it.Name, it.Kids = it.Kids[0].Text, nil
	}
}

// plain reports whether list has only texts and pictures.
func plain(list []*item.Item) bool {
	for _, k := range list {
		quiet := k.Class == role.Textual || k.Class == role.Graphic || k.Soft
		if k.Act || !quiet || !plain(k.Kids) {
			return false
		}
	}
	return true
}

// says reports whether the texts and names in list, joined, are name. It ignores white space, because that of the page
// is gone already.
func says(list []*item.Item, name string) bool {
	rest, ok := strip(list, name)
	return ok && strings.TrimLeft(rest, " ") == ""
}

func strip(list []*item.Item, rest string) (string, bool) {
	for _, k := range list {
		var ok bool
		switch {
		case k.Node == nil:
			rest, ok = stripOne(k.Text, rest)
		case k.Name != "" && !k.Mute && !k.Soft:
			rest, ok = stripOne(k.Name, rest)
		default:
			rest, ok = strip(k.Kids, rest)
		}
		if !ok {
			return rest, false
		}
	}
	return rest, true
}

func stripOne(s, rest string) (string, bool) {
	for i := range len(s) {
		if s[i] == ' ' {
			continue
		}
		rest = strings.TrimLeft(rest, " ")
		if rest == "" || rest[0] != s[i] {
			return rest, false
		}
		rest = rest[1:]
	}
	return rest, true
}

// tidy removes empty texts, and the labels of controls that have the same text as their name.
func (b *Builder) tidy(list []*item.Item) []*item.Item {
	rest := list[:0]
	for i, it := range list {
		if it.Node == nil && (it.Text == "" || !b.Verbose && (i+1 < len(list) && labels(it, first(list[i+1])) ||
			len(rest) > 0 && labelsBefore(it, last(rest[len(rest)-1])))) {
			continue
		}
		rest = append(rest, it)
	}
	return rest
}

func labels(text, control *item.Item) bool { return control.Act && control.Name == text.Text }

func labelsBefore(text, control *item.Item) bool {
	return labels(text, control) && role.IsToggle(control.Role)
}

func first(it *item.Item) *item.Item {
	for it.Soft {
		it = it.Kids[0]
	}
	return it
}

func last(it *item.Item) *item.Item {
	for it.Soft {
		it = it.Kids[len(it.Kids)-1]
	}
	return it
}
