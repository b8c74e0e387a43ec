package widgets

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// date gives a date field its day: by typing where that is taken, else by the calendar.
func (a *Agent) date(g Goal) error {
	day, err := time.Parse("2006-01-02", g.Value)
	if err != nil {
		return err
	}
	field := a.until(func(t *Tree) *Node { return dateField(t, g.Label) })
	if field == nil {
		return lost("there is no field %q", g.Label)
	}
	if field.is("region", "heading") {
		field = nil // the calendar is on the page
	}
	if field != nil && !field.is("button", "group") && !field.has("readonly") {
		if a.fill(field, like(field.Value, day)) && a.shown(field, day) && a.settleDate(field, day) {
			return nil
		}
	}
	if a.fillParts(day) {
		return nil
	}
	if calendarMonth(a.see()) == nil {
		if err := a.openCalendar(field); err != nil {
			return err
		}
	}
	return a.pickDay(field, day)
}

// dateField is a field for a date; of a calendar that is always open, what stands around it.
func dateField(t *Tree, label string) *Node {
	if n := t.first(role("group"), named(label)); n != nil {
		return n
	}
	if n := t.first(actable, role("Date", "DateTime", "textbox", "combobox", "button"), naming(label)); n != nil {
		return n
	}
	if calendarMonth(t) != nil {
		return t.first(role("region", "heading"), named(label))
	}
	return t.find(label, "Date", "DateTime", "textbox", "combobox", "group", "button")
}

// settleDate closes a calendar that typing has left open.
func (a *Agent) settleDate(field *Node, day time.Time) bool {
	if calendarMonth(a.see()) != nil {
		a.key("Enter")
	}
	return a.shown(field, day)
}

// fillParts fills month, day and year, where each is a field of its own.
func (a *Agent) fillParts(day time.Time) bool {
	parts := []struct{ word, most, value string }{
		{"month", "12", fmt.Sprintf("%02d", day.Month())}, {"day", "31", fmt.Sprintf("%02d", day.Day())},
		{"year", "9999", strconv.Itoa(day.Year())},
	}
	find := func(t *Tree, i int) *Node {
		return t.first(actable, role("spinbutton"), func(n *Node) bool {
			return holds(n.Name, parts[i].word) ||
				n.Flags["valuemax"] == parts[i].most
		})
	}
	for i := range parts {
		if find(a.see(), i) == nil {
			return false
		}
	}
	for i, part := range parts {
		n := find(a.see(), i)
		if n == nil || !a.fill(n, part.value) {
			return false
		}
		if n = find(a.see(), i); n == nil || !number(n, part.value) {
			return false
		}
	}
	return true
}

// number tells whether an element shows a number in any writing.
func number(n *Node, want string) bool {
	w, _ := strconv.ParseFloat(want, 64)
	for _, s := range []string{n.Value, n.Flags["valuetext"], n.Flags["valuenow"], n.text()} {
		for _, word := range strings.Fields(s) {
			if v, err := strconv.ParseFloat(word, 64); err == nil && v == w {
				return true
			}
		}
		if m := month(s); m != 0 && float64(m) == w {
			return true
		}
	}
	return false
}

// openCalendar presses the field, else the button that belongs to it.
func (a *Agent) openCalendar(field *Node) error {
	if field != nil && !field.is("group") {
		if a.click(field); a.calendar() {
			return nil
		}
	}
	t := a.see()
	for _, n := range t.every(actable, role("button")) {
		if holds(n.Name, "date") || holds(n.Name, "calendar") {
			if a.click(n) && a.calendar() {
				return nil
			}
			break
		}
	}
	return lost("no calendar opens")
}

func (a *Agent) pickDay(field *Node, day time.Time) error {
	for range 30 {
		shown := calendarMonth(a.see())
		if shown == nil {
			return lost("the calendar is gone")
		}
		away := (day.Year()-shown.year)*12 + int(day.Month()) - int(shown.month)
		if away == 0 {
			break
		}
		word := "next"
		if away < 0 {
			word = "prev"
		}
		if shown.chooser != nil && shown.chooser.is("combobox") && a.fill(shown.chooser, day.Month().String()) {
			continue
		}
		n := stepper(a.see(), word, shown)
		if n == nil {
			return lost("there is no way to the %s month", word)
		}
		if !a.click(n) {
			return lost("%q cannot be clicked: %s", n.Name, a.said)
		}
	}
	n := dayCell(a.see(), day)
	if n == nil {
		return lost("there is no day %d in the calendar", day.Day())
	}
	if !a.click(n) {
		return lost("the day cannot be clicked: %s", a.said)
	}
	if field != nil && !a.shown(field, day) {
		return lost("the field does not show the date")
	}
	if n := dayCell(a.see(), day); field == nil && (n == nil || !n.has("selected") && !n.has("pressed") &&
		!holds(n.Name, "selected")) {
		return lost("the day is not selected")
	}
	return nil
}

// stepper is the button for another month: by its name, else what stands beside the month and says nothing.
func stepper(t *Tree, word string, shown *shownMonth) *Node {
	way := func(n *Node) bool { return holds(n.Name, word) || holds(n.Flags["class"], word) }
	ofMonths := func(n *Node) bool { return holds(n.Name, "month") }
	notOfYears := func(n *Node) bool { return !holds(n.Name, "year") }
	for _, test := range []func(*Node) bool{ofMonths, notOfYears} {
		if n := t.first(actable, role("button", "link", "generic"), way, test); n != nil {
			return n
		}
	}
	at := slices.Index(t.Nodes, shown.at)
	for step := 1; step <= 4 && at >= 0; step++ {
		i := at + step
		if word == "prev" {
			i = at - step
		}
		if i < 0 || i >= len(t.Nodes) {
			break
		}
		if n := t.Nodes[i]; actable(n) && n.is("button", "link", "generic") &&
			!strings.ContainsAny(n.Name, "0123456789abcdefghijklmnopqrstuvwxyz") {
			return n
		}
	}
	return nil
}

// shownMonth is the month that a calendar shows.
type shownMonth struct {
	year    int
	month   time.Month
	at      *Node
	chooser *Node // where the month can be chosen
}

var (
	monthWord = regexp.MustCompile(`(?i)\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b`)
	yearWord  = regexp.MustCompile(`\b(19|20)\d\d\b`)
	dayWord   = regexp.MustCompile(`\b([12]\d|3[01]|[1-9])(?:st|nd|rd|th)?\b`)
)

func month(s string) time.Month {
	m := monthWord.FindString(s)
	for i := time.January; m != "" && i <= time.December; i++ {
		if strings.EqualFold(i.String()[:3], m[:3]) {
			return i
		}
	}
	return 0
}

// calendar waits for a calendar.
func (a *Agent) calendar() bool {
	return a.until(func(t *Tree) *Node {
		if calendarMonth(t) == nil {
			return nil
		}
		return &Node{}
	}) != nil
}

// calendarMonth reads a calendar's heading: a month and a year in one text, or in two things side by side.
func calendarMonth(t *Tree) *shownMonth {
	days := t.every(func(n *Node) bool {
		return n.is("gridcell", "button", "generic", "link", "cell", "none", "row") && dayWord.MatchString(n.Name)
	})
	if len(days) < 5 {
		return nil
	}
	var s shownMonth
	if d := described(days[len(days)/2]); !d.IsZero() { // each day says its date
		return &shownMonth{year: d.Year(), month: d.Month()}
	}
	for i, n := range t.Nodes {
		if n.is("option", "RootWebArea") || dayNode(n) {
			continue
		}
		for _, text := range []string{n.Name, n.Value} {
			if s.month = month(text); s.month == 0 || len(text) > 60 {
				continue
			}
			if s.at = n; n.is("combobox") && n.Ref != "" {
				s.chooser = n
			}
			// The year stands in the same text, or beside it.
			for _, near := range slices.Concat([]*Node{n}, t.Nodes[i+1:], reversed(t.Nodes[max(0, i-3):i])) {
				if y := yearWord.FindString(near.Name + " " + near.Value); y != "" && !near.is("option") &&
					!dayNode(near) {
					s.year, _ = strconv.Atoi(y)
					return &s
				}
			}
		}
	}
	return nil
}

func reversed(list []*Node) []*Node {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}

// described is the date that a day's tooltip or name tells in full.
func described(n *Node) time.Time {
	for _, text := range []string{n.Flags["description"], n.Name} {
		for _, layout := range []string{"2006-01-02", "01/02/2006", "1/2/2006"} {
			if d, err := time.Parse(layout, text); err == nil {
				return d
			}
		}
	}
	return time.Time{}
}

// dayNode tells whether a name is that of one day rather than of a month.
func dayNode(n *Node) bool {
	return month(n.Name) != 0 && dayWord.MatchString(yearWord.ReplaceAllString(n.Name, ""))
}

// dayCell is the day in the calendar that is shown.
func dayCell(t *Tree, day time.Time) *Node {
	plain := strconv.Itoa(day.Day())
	var named *Node
	for _, n := range t.Nodes {
		if n.Ref == "" && n.target() == nil || n.disabled() || n.is("option", "combobox", "textbox") {
			continue
		}
		if described(n).Equal(day) {
			for _, k := range n.within() {
				if k.Ref != "" {
					return k
				}
			}
		}
		rest := yearWord.ReplaceAllString(n.Name, "")
		d := dayWord.FindStringSubmatch(rest)
		if d == nil || d[1] != plain {
			continue
		}
		if month(n.Name) == day.Month() && n.is("gridcell", "button", "generic", "link", "cell") && n.Ref != "" {
			return n
		}
		if strings.TrimSpace(n.Name) == plain && named == nil {
			named = n.target()
		}
	}
	return named
}

// like writes a day as another one is written.
func like(sample string, day time.Time) string {
	for _, layout := range []string{"2006-01-02", "01/02/2006", "02.01.2006", "January 2, 2006", "Jan 2, 2006",
		"2006/01/02"} {
		if _, err := time.Parse(layout, sample); err == nil {
			return day.Format(layout)
		}
	}
	return day.Format("2006-01-02")
}

var writings = []string{"2006-01-02", "01/02/2006", "1/2/2006", "02.01.2006", "January 2, 2006", "Jan 2, 2006",
	"2006/01/02", "Mon Jan 02 2006"}

// shown tells whether a field shows a day, in any writing.
func (a *Agent) shown(field *Node, day time.Time) bool {
	n := a.now(field)
	if field.is("group") {
		n = a.see().first(role("group"), named(field.Name))
	}
	if n == nil {
		return false
	}
	for _, layout := range writings {
		if text := day.Format(layout); same(n.Value, text) || n.Value == "" && holds(n.text(), text) {
			return true
		}
	}
	parts := n.text()
	return n.is("group") && holds(parts, strconv.Itoa(day.Year())) && holds(parts, strconv.Itoa(day.Day()))
}
