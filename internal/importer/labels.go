package importer

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"strings"

	"cove/internal/fault"
)

// labelList is a list with folders or statuses. In Dolphin both have a name and often a color.
type labelList struct {
	items []*record
	// mixed means that the list also has other items, which no list of folders or statuses has.
	mixed bool
	// asFolder and asStatus mean that profiles refer to items as to a folder, or as to a status.
	asFolder, asStatus bool
	// colors and deleted count the items that have these fields.
	colors, deleted int
}

// sortLabels decides which lists are folders and which are statuses.
func (r *reader) sortLabels() {
	lists := make([]labelList, len(r.lists))
	folders, statuses := r.references()
	for i := range r.records {
		it := &r.records[i]
		if it.row != nil {
			continue
		}
		l := &lists[it.list-1]
		if it.kind != aLabel {
			l.mixed = true
			continue
		}
		l.items = append(l.items, it)
		id := it.fields.text("id")
		l.asFolder, l.asStatus = l.asFolder || folders[id], l.asStatus || statuses[id]
		if it.fields.has("color") {
			l.colors++
		}
		if it.fields["deleted"] != nil {
			l.deleted++
		}
	}
	for _, l := range lists {
		if len(l.items) > 0 {
			r.sortList(l)
		}
	}
}

// sortList decides what the items of one list are. A list that no profile refers to does not matter.
func (r *reader) sortList(l labelList) {
	r.place = l.items[0].place
	what := l.kind()
	switch {
	case l.mixed:
		for _, it := range l.items {
			r.place = it.place
			r.fail(r.errUnknown())
		}
		return
	case !l.asFolder && !l.asStatus:
		if l.kindByName() == unknown {
			r.plan.Warnings = append(r.plan.Warnings,
				"No profile is in the folders or has the statuses of "+r.place.File+".")
		}
		return
	case what == unknown:
		r.fail(fault.Invalidf("These are folders or statuses, and Cove cannot tell which.").
			WithHint("Name the file folders.json or statuses.json, and run the command again."))
		return
	}
	for _, it := range l.items {
		it.kind = what
	}
}

// kind says whether a list has folders or statuses: by the name of its file, by its fields, and by what profiles refer
// to. It returns unknown if they do not tell.
func (l labelList) kind() kind {
	n := len(l.items)
	switch byName := l.kindByName(); {
	case byName != unknown:
		return byName
	case l.colors == 0:
		return aFolder
	case l.colors == n && l.deleted == n:
		return aStatus
	}
	return choose(l.asFolder, l.asStatus)
}

func (l labelList) kindByName() kind {
	base := strings.ToLower(filepath.Base(l.items[0].place.File))
	return choose(strings.Contains(base, "folder"), strings.Contains(base, "status"))
}

// choose returns the one of both that is true.
func choose(isFolder, isStatus bool) kind {
	switch {
	case isFolder == isStatus:
		return unknown
	case isFolder:
		return aFolder
	}
	return aStatus
}

// references returns the ids of the folders and of the statuses that Dolphin's profiles name.
func (r *reader) references() (folders, statuses map[string]bool) {
	folders, statuses = map[string]bool{}, map[string]bool{}
	for _, it := range r.records {
		if it.kind != aProfile || it.row != nil {
			continue
		}
		if _, id := folderOf(it.fields); id != "" {
			folders[id] = true
		}
		if id := statusID(it.fields); id != "" {
			statuses[id] = true
		}
	}
	return folders, statuses
}

// folderOf returns the name or the id of a profile's folder. A text is a name, and a number is an id.
func folderOf(o object) (name, id string) {
	for _, field := range []string{"folderName", "folder", "folderId", "folder_id"} {
		raw := o[field]
		var with object
		if json.Unmarshal(raw, &with) == nil && with != nil {
			name, id = cmp.Or(name, with.text("name")), cmp.Or(id, with.text("id"))
			continue
		}
		text := scalar(raw)
		switch {
		case text == "" || text == "0":
		case field == "folderName" || field == "folder" && text != strings.TrimSpace(string(raw)):
			name = cmp.Or(name, text)
		default:
			id = cmp.Or(id, text)
		}
	}
	return name, id
}

// statusID returns the id of a profile's status.
func statusID(o object) string {
	var with object
	_ = json.Unmarshal(o["status"], &with) // it may be a number
	id := cmp.Or(o.text("statusId", "status_id", "status"), with.text("id"))
	if id == "0" {
		return ""
	}
	return id
}
