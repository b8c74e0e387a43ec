package snapshot

import "strings"

// groups are the roles whose first text tells which one it is.
var groups = map[string]bool{"row": true, "listitem": true, "article": true, "option": true, "treeitem": true, "group": true}

// where tells in one line where an item is: landmarks and dialogs around it, the heading before it, the row it is in.
func where(it, head *item) string {
	var parts []string
	led := false
	for up := it.up; up != nil; up = up.up {
		switch {
		case up.role == "RootWebArea":
			if up.up != nil {
				parts = append(parts, "frame "+quoted(snip(up.name, 60)))
			}
		case !led && (up.soft || groups[up.role]):
			text := lead(up, it)
			if text == "" {
				continue
			}
			led = true
			role := up.role
			if up.soft {
				role = "by"
			}
			parts = append(parts, role+" "+quoted(snip(text, 60)))
		case up.class == landmark || up.name != "" && !up.mute && !up.act:
			part := up.role
			if up.name != "" {
				part += " " + quoted(snip(up.name, 60))
			}
			parts = append(parts, part)
		}
		if head != nil && within(head, up) {
			parts = append(parts, "heading "+quoted(snip(head.name, 60)))
			head = nil
		}
	}
	if len(parts) > 5 {
		parts = parts[:5]
	}
	for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
		parts[i], parts[j] = parts[j], parts[i]
	}
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

// lead is the first text of a group that is not the item's own.
func lead(group, not *item) string {
	for _, k := range group.kids {
		if k == not {
			continue
		}
		if k.node == nil {
			return k.text
		}
		if !k.act && k.name != "" {
			return k.name
		}
		if text := lead(k, not); text != "" {
			return text
		}
	}
	return ""
}

// headings finds, for each item of the page in its order, the heading that it stands under.
func headings(items []*item) []*item {
	under := make([]*item, len(items))
	current := map[*item]*item{}
	for i, it := range items {
		section := it.up
		for section != nil && section.class != landmark {
			section = section.up
		}
		under[i] = current[section]
		if it.class == heading {
			current[section] = it
		}
	}
	return under
}
