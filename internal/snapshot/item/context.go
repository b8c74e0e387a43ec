package item

import (
	"slices"
	"strings"

	"cove/internal/snapshot/role"
	"cove/internal/snapshot/text"
	"cove/internal/wording"
)

// Where says in one line where an item is. It names the landmarks and dialogs around the item, the heading head before
// it (nil for none), and the row that it is in.
func Where(it, head *Item) string {
	var parts []string
	led := it.Soft || role.IsGroup(it.Role)
	for up := it.Parent; up != nil; up = up.Parent {
		if head != nil && within(head, up) {
			parts = append(parts, "heading "+text.Quoted(wording.Shorten(head.Name, 60)))
			head = nil
		}
		part := ""
		switch named := up.Name != "" && !up.Mute; {
		case up.Role == "RootWebArea":
			if up.Parent != nil {
				part = "frame " + text.Quoted(wording.Shorten(up.Name, 60))
			}
		case up.Class == role.Frame:
		case named && !up.Act && !up.Soft:
			part = up.Role + " " + text.Quoted(wording.Shorten(up.Name, 60))
		case up.Class == role.Landmark:
			part = up.Role
		case !led && (up.Soft || role.IsGroup(up.Role)):
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

func within(it, group *Item) bool {
	for ; it != nil; it = it.Parent {
		if it == group {
			return true
		}
	}
	return false
}

// leadPart names a row or a wrapper by its first text, unless that text is, or contains, the item not.
func leadPart(group, not *Item) string {
	first := Lead(group)
	switch {
	case first == nil || within(not, first):
		return ""
	case group.Soft:
		return "by " + text.Quoted(wording.Shorten(first.Label(), 60))
	}
	return group.Role + " " + text.Quoted(wording.Shorten(first.Label(), 60))
}

// Lead returns the first text or heading of a group. It does not look into rows, nor into wrappers with something to
// act on: those are groups themselves.
func Lead(group *Item) *Item {
	if group.led { // thousands of siblings may ask for the same group
		return group.lead
	}
	group.led = true
	for _, k := range group.Kids {
		switch {
		case k.Node == nil || k.Class == role.Heading && !k.Mute:
			group.lead = k
		case k.Act || role.IsGroup(k.Role) || k.Class == role.Frame || k.Soft && AnyAct(k.Kids):
		default:
			group.lead = Lead(k)
		}
		if group.lead != nil {
			break
		}
	}
	return group.lead
}

// Headings returns, for each item of a page, the heading that it stands under.
func Headings(tree *Item) map[*Item]*Item {
	under, current := map[*Item]*Item{}, map[*Item]*Item{}
	var walk func(it, section *Item)
	walk = func(it, section *Item) {
		if h := current[section]; h != nil {
			under[it] = h
		}
		if it.Class == role.Heading {
			current[section] = it
		}
		if it.Class == role.Landmark {
			section = it
		}
		for _, k := range it.Kids {
			walk(k, section)
		}
	}
	walk(tree, nil)
	return under
}
