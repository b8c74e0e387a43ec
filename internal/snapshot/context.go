package snapshot

import (
	"slices"
	"strings"

	"cove/internal/wording"
)

// where says in one line where an item is: landmarks and dialogs around it, the heading before it, the row it is in.
func where(it, head *item) string {
	var parts []string
	led := it.soft || isGroup(it.role)
	for up := it.up; up != nil; up = up.up {
		if head != nil && within(head, up) {
			parts = append(parts, "heading "+quoted(wording.Shorten(head.name, 60)))
			head = nil
		}
		part := ""
		switch named := up.name != "" && !up.mute; {
		case up.role == "RootWebArea":
			if up.up != nil {
				part = "frame " + quoted(wording.Shorten(up.name, 60))
			}
		case up.class == frame:
		case named && !up.act && !up.soft:
			part = up.role + " " + quoted(wording.Shorten(up.name, 60))
		case up.class == landmark:
			part = up.role
		case !led && (up.soft || isGroup(up.role)):
			part = leadPart(up, it)
			led = part != ""
		}
		if part != "" {
			parts = append(parts, part)
		}
	}
	parts = parts[:min(len(parts), 5)]
	slices.Reverse(parts)
	return strings.Join(parts, " > ")
}

func within(it, group *item) bool {
	for ; it != nil; it = it.up {
		if it == group {
			return true
		}
	}
	return false
}

// leadPart names a row or a wrapper by its first text, unless that is the item itself.
func leadPart(group, not *item) string {
	text := lead(group)
	switch {
	case text == nil || within(not, text):
		return ""
	case group.soft:
		return "by " + quoted(wording.Shorten(text.label(), 60))
	}
	return group.role + " " + quoted(wording.Shorten(text.label(), 60))
}

// lead is the first text or heading of a group. It does not look into rows, nor into wrappers with something to act on:
// those are groups themselves.
func lead(group *item) *item {
	if group.led { // thousands of siblings ask for the same group
		return group.lead
	}
	group.led = true
	for _, k := range group.kids {
		switch {
		case k.node == nil || k.class == heading && !k.mute:
			group.lead = k
		case k.act || isGroup(k.role) || k.class == frame || k.soft && anyAct(k.kids):
		default:
			group.lead = lead(k)
		}
		if group.lead != nil {
			break
		}
	}
	return group.lead
}

// headingsOf finds, for each item of a page, the heading that it stands under.
func headingsOf(tree *item) map[*item]*item {
	under, current := map[*item]*item{}, map[*item]*item{}
	var walk func(it, section *item)
	walk = func(it, section *item) {
		if h := current[section]; h != nil {
			under[it] = h
		}
		if it.class == heading {
			current[section] = it
		}
		if it.class == landmark {
			section = it
		}
		for _, k := range it.kids {
			walk(k, section)
		}
	}
	walk(tree, nil)
	return under
}
