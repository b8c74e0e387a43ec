package snapshot

import "strings"

// dedupe removes the children of an item that only repeat what the item says. It removes the item's name when they say
// it better.
func (b *builder) dedupe(it *item) {
	if len(it.kids) == 0 {
		return
	}
	if it.node.Value != "" {
		b.without(it, func(t string) bool { return t == Clean(it.node.Value) })
	}
	switch {
	case it.name == "":
		if it.act && it.class == block {
			b.adopt(it)
		}
		return
	case says(it.kids, it.name):
		switch {
		case plain(it.kids):
			it.kids = nil
		case !it.act && it.class != landmark && (it.class != heading || len(it.kids) == 1):
			it.mute = true
		default:
			b.without(it, func(string) bool { return true })
		}
		return
	}
	inside := it.act || it.class == heading
	b.without(it, func(t string) bool { return t == it.name || inside && strings.Contains(it.name, t) })
}

// without drops the texts among the children that a test picks.
func (b *builder) without(it *item, drop func(string) bool) {
	rest := it.kids[:0]
	for _, k := range it.kids {
		if k.class != textual || k.node != nil || !drop(k.text) {
			rest = append(rest, k)
		}
	}
	it.kids = rest
}

// adopt gives a clickable wrapper without a name the one text that is in it.
func (b *builder) adopt(it *item) {
	if len(it.kids) == 1 && it.kids[0].node == nil {
		it.name, it.kids = it.kids[0].text, nil
	}
}

// plain reports whether there is nothing in list but texts and pictures.
func plain(list []*item) bool {
	for _, k := range list {
		quiet := k.class == textual || k.class == graphic || k.soft
		if k.act || !quiet || !plain(k.kids) {
			return false
		}
	}
	return true
}

// says reports whether the texts and names in list, read one after the other, are name. White space does not count: the
// page's is gone already.
func says(list []*item, name string) bool {
	rest, ok := strip(list, name)
	return ok && strings.TrimLeft(rest, " ") == ""
}

func strip(list []*item, rest string) (string, bool) {
	for _, k := range list {
		var ok bool
		switch {
		case k.node == nil:
			rest, ok = stripOne(k.text, rest)
		case k.name != "" && !k.mute && !k.soft:
			rest, ok = stripOne(k.name, rest)
		default:
			rest, ok = strip(k.kids, rest)
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

// tidy drops empty texts, and the labels of controls that carry them as their names.
func (b *builder) tidy(list []*item) []*item {
	rest := list[:0]
	for i, it := range list {
		if it.node == nil && (it.text == "" || !b.Verbose && (i+1 < len(list) && labels(it, first(list[i+1])) ||
			len(rest) > 0 && labelsBefore(it, last(rest[len(rest)-1])))) {
			continue
		}
		rest = append(rest, it)
	}
	return rest
}

func labels(text, control *item) bool { return control.act && control.name == text.text }

func labelsBefore(text, control *item) bool { return labels(text, control) && isToggle(control.role) }

func first(it *item) *item {
	for it.soft {
		it = it.kids[0]
	}
	return it
}

func last(it *item) *item {
	for it.soft {
		it = it.kids[len(it.kids)-1]
	}
	return it
}
