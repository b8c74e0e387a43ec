// Package search finds the items of a page that hold the words of a query.
package search

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cove/internal/snapshot/excerpt"
	"cove/internal/snapshot/item"
	"cove/internal/snapshot/text"
	"cove/internal/wording"
)

const (
	maxMatches = 20
	maxNear    = 4 // elements shown with a text that matches
)

// search looks for words in a tree of items.
type search struct {
	terms  []string // lower case
	all    uint64
	hits   []hit
	groups []*item.Item // the smallest items that hold all the words together with the items below them
}

// hit is an item that holds all the words itself. Its grade is 3 when it holds them as whole words, 2 as beginnings of
// words, 1 as other parts of words.
type hit struct {
	it    *item.Item
	grade int
}

// terms splits a query into words, and phrases in quotes.
func terms(query string) []string {
	query = strings.NewReplacer("“", `"`, "”", `"`).Replace(query)
	var all []string
	for i, part := range strings.Split(query, `"`) {
		words := strings.Fields(searched(text.Clean(part)))
		if i%2 == 1 {
			words = []string{strings.Join(words, " ")}
		}
		for _, w := range words {
			if w != "" && len(all) < 32 && !slices.Contains(all, w) {
				all = append(all, w)
			}
		}
	}
	return all
}

// Write returns the items in top that hold the words of a query, each with its place in tree.
func Write(tree, top *item.Item, query string, number, maxTokens int) string {
	s := &search{terms: terms(query)}
	s.all = 1<<len(s.terms) - 1
	if len(s.terms) > 0 {
		s.visit(top)
	}
	w := &excerpt.Writer{Budget: maxTokens, Headings: item.Headings(tree)}
	w.Page(tree, number)
	shown := text.Quoted(wording.Shorten(text.Clean(query), 80))
	switch {
	case len(s.hits) > 0:
		s.writeHits(w, shown)
	case len(s.groups) > 0:
		s.writeGroups(w, shown)
	default:
		w.Say(fmt.Sprintf("Nothing on this page matches %s: try fewer words, or a role such as button or link.", shown))
	}
	if missing := tree.Doc.Missing(); missing > 0 {
		w.Say(fmt.Sprintf("The page is larger than what was read of it: %d nodes were not searched.", missing))
	}
	return w.String()
}

// visit collects the hits and groups in an item, and returns which words the item and its content hold.
func (s *search) visit(it *item.Item) uint64 {
	own, grade := s.match(it)
	if own == s.all {
		s.hits = append(s.hits, hit{it, grade})
	}
	sum, before := own, len(s.hits)+len(s.groups)
	for _, k := range it.Kids {
		sum |= s.visit(k)
	}
	if sum == s.all && own != s.all && len(s.hits)+len(s.groups) == before {
		s.groups = append(s.groups, it)
	}
	return sum
}

// match returns which words are in the role, the name or text, or the value of an item, and the grade of the worst
// match.
func (s *search) match(it *item.Item) (found uint64, grade int) {
	if it.Soft || it.Role == "RootWebArea" && it.Parent == nil {
		return 0, 0
	}
	fields := [3]string{strings.ToLower(it.Role), searched(it.Label()), ""}
	if it.Node == nil {
		fields[0] = "text"
	} else if it.Node.Value != "" {
		fields[2] = searched(text.Clean(it.Node.Value))
	}
	grade = 3
	for i, t := range s.terms {
		best := 0
		for _, f := range fields {
			best = max(best, gradeOf(f, t))
		}
		if best > 0 {
			found |= 1 << i
			grade = min(grade, best)
		}
	}
	return found, grade
}

// searched returns a text in the form in which it is compared: lower case, with plain spaces.
func searched(s string) string {
	return strings.ReplaceAll(strings.ToLower(s), string(text.NBSP), " ")
}

func gradeOf(text, term string) int {
	best := 0
	for from := 0; best < 3; {
		at := strings.Index(text[from:], term)
		if at < 0 {
			break
		}
		start, end := from+at, from+at+len(term)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, _ := utf8.DecodeRuneInString(text[end:])
		switch {
		case start > 0 && wordRune(before):
			best = max(best, 1)
		case end < len(text) && wordRune(after):
			best = max(best, 2)
		default:
			best = 3
		}
		from = start + 1
		if from > 4096 { // a text of megabytes may be full of the word
			break
		}
	}
	return best
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// writeHits writes the best matches. It only counts the weaker ones.
func (s *search) writeHits(w *excerpt.Writer, query string) {
	grade := slices.MaxFunc(s.hits, func(a, b hit) int { return cmp.Compare(a.grade, b.grade) }).grade
	var best []*item.Item
	for _, h := range s.hits {
		if h.grade == grade {
			best = append(best, h.it)
		}
	}
	w.Say(fmt.Sprintf("%s for %s%s:", text.Count(len(best), "match", "matches"), query, weaker(len(s.hits)-len(best))))
	shown := map[*item.Item]bool{}
	for _, it := range best[:min(len(best), maxMatches)] {
		shown[it] = true
	}
	for i, it := range best {
		if i == maxMatches || w.Full() {
			w.Say(fmt.Sprintf("… %d more; more words narrow it down.", len(best)-i))
			return
		}
		w.Where(it)
		w.Item(it, 1, s.terms)
		for _, near := range context(it, len(best)) {
			if !shown[near] {
				shown[near] = true
				w.Item(near, 2, nil)
			}
		}
	}
}

func weaker(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d more hold it as parts of words)", n)
}

// writeGroups writes the rows, lists or parts of the page that hold the words in different places.
func (s *search) writeGroups(w *excerpt.Writer, query string) {
	w.Say(
		fmt.Sprintf(
			"Nothing holds all of %s itself; %s it together:",
			query,
			text.Count(len(s.groups), "part of the page holds", "parts of the page hold"),
		),
	)
	for i, g := range s.groups {
		if i == maxMatches/2 || w.Full() {
			w.Say(fmt.Sprintf("… %d more; more words narrow it down.", len(s.groups)-i))
			return
		}
		w.Where(g)
		if !g.Soft {
			w.Item(g, 1, s.terms)
		}
		s.writeParts(w, g)
	}
}

func (s *search) writeParts(w *excerpt.Writer, g *item.Item) {
	lines := 0
	var walk func(list []*item.Item)
	walk = func(list []*item.Item) {
		for _, it := range list {
			own, _ := s.match(it)
			if !it.Soft && (own != 0 || it.Act && lines < maxNear) && lines < 10 {
				lines++
				w.Item(it, 2, s.terms)
			}
			walk(it.Kids)
		}
	}
	walk(g.Kids)
}

const (
	maxRow     = 12 // items shown of a row
	maxActRows = 3  // elements that match whose rows are shown, too
)

// context lists what belongs to one of several matches: the rest of its row in a table, else, for a text, the elements
// next to it.
func context(it *item.Item, matches int) []*item.Item {
	row := it.Parent
	for row != nil && row.Role != "row" && row.Role != "table" && row.Role != "RootWebArea" {
		row = row.Parent
	}
	if row != nil && row.Role == "row" && (!it.Act || matches <= maxActRows) {
		if all := rest(row, it); len(all) > 0 {
			return all
		}
	}
	if it.Act {
		return nil
	}
	return nearby(it)
}

// rest lists the cells of a row and the elements in them, without one of them.
func rest(row, without *item.Item) (all []*item.Item) {
	var walk func(list []*item.Item)
	walk = func(list []*item.Item) {
		for _, k := range list {
			switch {
			case k == without || len(all) == maxRow:
			case k.Act || !k.Soft && len(k.Kids) == 0 && k.Label() != "":
				all = append(all, k)
			default:
				walk(k.Kids)
			}
		}
	}
	walk(row.Kids)
	return all
}

// nearby lists the elements next to a text that agents can act on: those that follow it up to the next text, or else
// the last one before it.
func nearby(it *item.Item) []*item.Item {
	for up := it.Parent; up != nil; up = up.Parent {
		isPage := up.Role == "RootWebArea" // what is anywhere on it need not belong to the text
		var after, before []*item.Item
		passed, ended := false, false
		var walk func(list []*item.Item)
		walk = func(list []*item.Item) {
			for _, k := range list {
				switch {
				case k == it:
					passed = true
					continue
				case k.Act && passed && !ended:
					after = append(after, k)
				case k.Act && !passed:
					before = append(before, k)
				case passed && k.Node == nil && (isPage || len(after) > 0):
					ended = true
				}
				walk(k.Kids)
			}
		}
		walk(up.Kids)
		if len(after) > 0 {
			return after[:min(len(after), maxNear)]
		}
		if isPage {
			return nil
		}
		if len(before) > 0 {
			return before[max(0, len(before)-1):]
		}
	}
	return nil
}
