package importer

import (
	"encoding/json"
	"fmt"
)

// list is a list, or a page of one.
type list struct {
	items int
	total int // how many items all pages have together; 0 if the page does not say
	size  int // how many items a page has at most; 0 if the page does not say
}

// count reads what a page says about the other pages.
func (l *list) count(page object) {
	var n int
	if page.has("last_page", "per_page", "next_page_url") && json.Unmarshal(page["total"], &n) == nil {
		l.total = n
	}
	if page["page"] != nil && json.Unmarshal(page["page_size"], &n) == nil {
		l.size = n
	}
}

// warnOfPages says that there are, or may be, more profiles or proxies than the files have.
func (r *reader) warnOfPages() {
	if len(r.plan.Problems) > 0 {
		return
	}
	kinds := make([]kind, len(r.lists))
	have := map[kind]int{}
	for _, it := range r.records {
		if it.row == nil {
			kinds[it.list-1] = it.kind
			have[it.kind]++
		}
	}
	r.warn(aProfile, "profiles", kinds, have[aProfile])
	r.warn(aProxy, "proxies", kinds, have[aProxy])
}

// warn compares the lists of one kind with what the files have. AdsPower does not say how many items there are: a full
// page may be followed by another, and a page that is not full, or empty, is the last one.
func (r *reader) warn(what kind, noun string, kinds []kind, have int) {
	total, full, ended := 0, false, false
	for i, l := range r.lists {
		switch {
		case kinds[i] == what:
			total = max(total, l.total)
			full = full || l.size > 0 && l.items >= l.size
			ended = ended || l.size > 0 && l.items < l.size
		case l.items == 0:
			ended = ended || l.size > 0
		}
	}
	var text string
	switch {
	case have < total:
		text = fmt.Sprintf("The list has %d %s, and the files have %d.", total, noun, have)
	case full && !ended:
		text = fmt.Sprintf("There may be more %s than the %d in the files.", noun, have)
	default:
		return
	}
	r.plan.Warnings = append(r.plan.Warnings, text+" Save the other pages, too.")
}
