package main

import (
	"fmt"
	"regexp"
	"strings"
)

// actionable are the roles of the elements that an agent acts on, on the pages of the measurement.
var actionable = map[string]bool{"link": true, "button": true, "textbox": true, "checkbox": true, "combobox": true, "radio": true}

var (
	plainLine = regexp.MustCompile(`^uid=\S+ (\S+)(?: "((?:[^"\\]|\\.)*)")?`)
	tableHead = regexp.MustCompile(`^\d+ rows of: (.*)$`)
	named     = regexp.MustCompile(`(?:^|\s)([a-z]+\d+) "((?:[^"\\]|\\.)*)"`)
	quoted    = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
)

// elements counts the actionable elements of a snapshot by role and name; in ours, also those in tables and among text.
func elements(text string) map[string]int {
	found := map[string]int{}
	add := func(role, name string) {
		if actionable[role] {
			found[role+" "+name]++
		}
	}
	head, columns := -1, []string(nil)
	for line := range strings.Lines(text) {
		body := strings.TrimLeft(strings.TrimRight(line, "\n"), " ")
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if head >= 0 && indent > head {
			for i, cell := range cells(body) {
				role := "link" // among text
				if columns != nil {
					role = columns[min(i, len(columns)-1)]
				}
				for _, m := range named.FindAllStringSubmatch(cell, -1) {
					add(role, m[2])
				}
			}
			continue
		}
		head = -1
		if m := tableHead.FindStringSubmatch(body); m != nil {
			head, columns = indent, nil
			for _, c := range cells(m[1]) {
				role, _, _ := strings.Cut(c, " ")
				columns = append(columns, role)
			}
		} else if strings.HasPrefix(body, "text with links") {
			head, columns = indent, nil
		} else if m := plainLine.FindStringSubmatch(body); m != nil {
			add(m[1], m[2])
		}
	}
	return found
}

// cells cuts a row at the bars that stand outside of quotes.
func cells(row string) []string {
	hidden := quoted.ReplaceAllStringFunc(row, func(s string) string { return strings.ReplaceAll(s, " | ", "\x00") })
	all := strings.Split(hidden, " | ")
	for i := range all {
		all[i] = strings.ReplaceAll(all[i], "\x00", " | ")
	}
	return all
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
