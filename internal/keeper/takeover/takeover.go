// Package takeover says what a person has changed in a browser while agents waited.
package takeover

import (
	"fmt"
	"strings"

	"cove/internal/page"
	"cove/internal/wording"
)

// Tab is a tab and its address at one moment.
type Tab struct{ ID, URL string }

// Tabs returns the tabs of a browser.
func Tabs(b *page.Browser) []Tab {
	all := []Tab{}
	for _, t := range b.Tabs() {
		all = append(all, Tab{t.ID(), t.About().URL})
	}
	return all
}

// maxNamed is how many changes of a kind are named. More are counted.
const maxNamed = 3

// Changes says in a sentence or two what is different. It names addresses only: titles are text of the pages.
func Changes(before, after []Tab) string {
	var moved, opened, closed []string
	find := func(all []Tab, id string) (Tab, bool) {
		for _, t := range all {
			if t.ID == id {
				return t, true
			}
		}
		return Tab{}, false
	}
	for _, was := range before {
		now, there := find(after, was.ID)
		switch {
		case !there:
			closed = append(closed, urlText(was.URL))
		case now.URL != was.URL:
			moved = append(moved, urlText(was.URL)+" is now "+urlText(now.URL))
		}
	}
	for _, now := range after {
		if _, there := find(before, now.ID); !there {
			opened = append(opened, urlText(now.URL))
		}
	}
	note := "The user had taken over and has given the profile back."
	if len(moved)+len(opened)+len(closed) == 0 {
		return note + " No page was opened, closed or sent elsewhere. What the pages show may be different," +
			" so take a new snapshot."
	}
	var parts []string
	for _, kind := range []struct {
		name string
		list []string
	}{{"went elsewhere", moved}, {"opened", opened}, {"closed", closed}} {
		if n := len(kind.list); n > 0 {
			named := strings.Join(kind.list[:min(n, maxNamed)], ", ")
			if n > maxNamed {
				named += fmt.Sprintf(" and %d more", n-maxNamed)
			}
			parts = append(parts, kind.name+": "+named)
		}
	}
	return note + " Pages " + strings.Join(parts, "; ") + ". Take a new snapshot."
}

// urlText returns an address that fits into a sentence, without characters that could end it.
func urlText(url string) string {
	url = strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' || r == '<' || r == '>' {
			return -1
		}
		return r
	}, url)
	return wording.Shorten(url, 150)
}
