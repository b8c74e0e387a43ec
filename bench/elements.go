package main

import (
	"fmt"
	"regexp"
	"strings"
)

// actionable are the roles of the elements that an agent acts on, on the pages of the measurement.
var actionable = map[string]bool{
	"link": true, "button": true, "textbox": true, "checkbox": true, "combobox": true, "radio": true,
}

var marked = regexp.MustCompile(`^uid=\S+ ([A-Za-z]+)(?: "((?:[^"\\]|\\.)*)")?`)

// elements counts the actionable elements of a snapshot by role and name. In ours they may stand in the rows of a table
// and among text; whatever is in quotes is the page's and no mark.
func elements(text string) map[string]int {
	found := map[string]int{}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			for i++; i < len(text) && text[i] != '"' && text[i] != '\n'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case strings.HasPrefix(text[i:], "uid="):
			if m := marked.FindStringSubmatch(text[i:]); m != nil {
				if actionable[m[1]] {
					found[m[1]+" "+m[2]]++
				}
				i += len(m[0]) - 1
			}
		}
	}
	return found
}

// missing tells which actionable elements of a snapshot are not in ours.
func missing(theirs, ours string) (all int, lost []string) {
	have := elements(ours)
	for key, n := range elements(theirs) {
		all += n
		if have[key] < n {
			lost = append(lost, fmt.Sprintf("%s (%d of %d)", key, have[key], n))
		}
	}
	return all, lost
}
