//go:build e2e

package tools

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"cove/e2e/harness"
)

const (
	leastLabels = 500
	onOnePage   = 90
	fewestNamed = 99 // of a hundred: the rest is what the browser itself says in its media controls
)

// TestSnapshotsNameAsManyElementsAsUpstreams asks Chromium for the name of each labelled element, and looks for it in
// both snapshots.
func TestSnapshotsNameAsManyElementsAsUpstreams(t *testing.T) {
	all := labels()
	pages := map[string]string{}
	for from := 0; from < len(all); from += onOnePage {
		var b strings.Builder
		b.WriteString("<title>labels</title>" + labelStyle)
		for i, html := range all[from:min(from+onOnePage, len(all))] {
			fmt.Fprintf(&b, "<section aria-label=\"Case %d.\">%s</section>\n", from+i, html)
		}
		pages[fmt.Sprintf("/labels/%d", from/onOnePage)] = b.String()
	}
	base := host(t, routes(pages))
	a := harness.Start(t)
	g := harness.NewDriver(t, a)
	u := newUpstream(t, g.Port)
	w := walkedOn(t, g.Port)
	counted, ours, theirs := 0, 0, 0
	for n := range len(pages) {
		address := fmt.Sprintf("%s/labels/%d", base, n)
		g.Works("navigate_page", harness.Object{"url": address})
		mine := casesIn(g.Works("take_snapshot", nil))
		page := harness.Selected(u.Works("list_pages", nil))
		u.Works("navigate_page", harness.Object{"pageId": page, "url": address})
		his := casesIn(u.Works("take_snapshot", harness.Object{"pageId": page}))
		w.call("Page.navigate", harness.Object{"url": address}, nil)
		harness.Wait(t, "the page to load", func() (done bool) {
			w.page("document.readyState === 'complete' && location.href === "+quoted(address), &done)
			return done
		})
		for number, want := range w.marked("data-label") {
			id, _ := strconv.Atoi(number)
			if want.Name == "" {
				continue
			}
			counted++
			if mine[id].has(want) {
				ours++
			} else {
				t.Logf("not in ours: %s %q of %s; there is %v", want.Role, want.Name, all[id], mine[id])
			}
			if his[id].has(want) {
				theirs++
			} else {
				t.Logf("not in upstream's: %s %q of %s; there is %v", want.Role, want.Name, all[id], his[id])
			}
		}
	}
	t.Logf("of %d labels that Chromium names, %d are in our snapshot and %d in upstream's", counted, ours, theirs)
	if counted < leastLabels || ours < theirs || ours < counted*fewestNamed/100 {
		t.Errorf("of %d labels %d are in ours, %d in upstream's", counted, ours, theirs)
	}
}

// caseNames are what a snapshot says inside one case.
type caseNames []spoken

// has tells whether an element stands there with its role and name; a row of a table says its cells' roles in its head.
func (c caseNames) has(want spoken) bool {
	for _, s := range c {
		if s.Name == want.Name && (s.Role == want.Role || s.Role == "") {
			return true
		}
	}
	return false
}

var (
	caseLine  = regexp.MustCompile(`"Case (\d+)\."`)
	namedPart = regexp.MustCompile(`(?:^|[ |])(?:uid=\S+ )?(?:([A-Za-z][\w-]*) )?("(?:[^"\\]|\\.)*")`)
)

// casesIn reads a snapshot: of each case the elements on the lines below it, or on its line where it is a row of a
// table.
func casesIn(text string) map[int]caseNames {
	cases := map[int]caseNames{}
	at, depth := -1, 0
	for line := range strings.Lines(harness.Boundaries.ReplaceAllString(text, "")) {
		line = strings.TrimRight(line, "\n")
		body := strings.TrimLeft(line, " ")
		if m := caseLine.FindStringSubmatch(body); m != nil {
			at, _ = strconv.Atoi(m[1])
			depth = len(line) - len(body)
			cases[at] = append(cases[at], namesOn(body)...)
			continue
		}
		if at < 0 || len(line)-len(body) <= depth {
			at = -1
			continue
		}
		cases[at] = append(cases[at], namesOn(body)...)
	}
	return cases
}

func namesOn(line string) (found []spoken) {
	for _, m := range namedPart.FindAllStringSubmatch(line, -1) {
		name, err := strconv.Unquote(m[2])
		if err != nil {
			name = strings.Trim(m[2], `"`)
		}
		found = append(found, alike(m[1], name, false))
	}
	return found
}
