package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"time"
)

// Query selects entries.
type Query struct {
	// After and Before are the numbers of entries and exclude these entries themselves. If Before is 0, there is no
	// upper bound.
	After, Before int64
	// Since and Until bound the time of entries: from Since on, and before Until.
	Since, Until time.Time
	// Agent is a part of the agent's name, in any case. Outcome is one of the outcomes. Session is the name of a
	// session and Kind the kind of a step. Text holds words that all are in the entry's sentence, its page, its agent,
	// its name or its reason, in any case. If they are empty, every entry matches.
	Agent, Outcome, Session, Kind, Text string
	Limit                               int
	// Newest says that the newest entries come first.
	Newest bool
	// Steps leaves out the entries that only have the screenshot of a step.
	Steps bool
}

func (q Query) matches(r Row) bool {
	return q.inRange(r) &&
		(q.Outcome == "" || r.Outcome == q.Outcome) &&
		(q.Session == "" || r.SessionName() == q.Session) &&
		(!q.Steps || r.Name != Picture) &&
		(q.Agent == "" || contains(r.Agent.String(), q.Agent)) &&
		(q.Kind == "" || string(r.Words().Kind) == q.Kind) &&
		q.matchesText(r)
}

func (q Query) inRange(r Row) bool {
	return r.Seq > q.After && (q.Before == 0 || r.Seq < q.Before) &&
		!r.Time.Before(q.Since) && (q.Until.IsZero() || r.Time.Before(q.Until))
}

func (q Query) matchesText(r Row) bool {
	if q.Text == "" {
		return true
	}
	all := strings.Join([]string{r.Words().Text, r.Page, r.Agent.String(), r.Name, r.Reason}, "\n")
	for word := range strings.FieldsSeq(q.Text) {
		if !contains(all, word) {
			return false
		}
	}
	return true
}

// contains reports whether a text contains another, in any case.
func contains(s, part string) bool {
	return strings.Contains(strings.ToLower(s), strings.ToLower(part))
}

// foundRow is a row that a query has found: its text as it is in the file, and what it says.
type foundRow struct {
	text json.RawMessage
	row  Row
}

// Read returns rows as they are in the files. A keeper may write to the journal at the same time. Read does not check
// the rows: Verify does.
func Read(l Location, q Query) ([]json.RawMessage, error) {
	found, err := l.find(q)
	out := make([]json.RawMessage, len(found))
	for i, one := range found {
		out[i] = one.text
	}
	return out, err
}

// find returns the rows that a query selects.
func (l Location) find(q Query) ([]foundRow, error) {
	numbers, err := l.retained()
	if err != nil {
		return nil, err
	}
	numbers = l.overlapping(numbers, q)
	if q.Newest {
		slices.Reverse(numbers)
	}

	var out []foundRow
	for _, n := range numbers {
		found, err := l.matching(n, q)
		if err != nil {
			return nil, err
		}
		if q.Newest {
			slices.Reverse(found)
		}
		if out = append(out, found...); len(out) >= q.Limit {
			return out[:q.Limit], nil
		}
	}
	return out, nil
}

// retained returns the numbers of the files that belong to the journal, in ascending order.
func (l Location) retained() ([]int, error) {
	h, err := readHead(l)
	numbers, _, filesErr := l.files()
	if filesErr != nil {
		return nil, filesErr
	}
	if err == nil {
		numbers = slices.DeleteFunc(numbers, func(n int) bool { return n < h.FirstFile })
	}
	return numbers, nil
}

// overlapping returns the files that may contain wanted entries. It leaves out files that end before them or begin
// after them.
func (l Location) overlapping(numbers []int, q Query) []int {
	from, to := 0, len(numbers)
	for i, n := range numbers {
		row, ok := l.firstRow(n)
		if !ok {
			continue
		}
		if row.Seq <= q.After+1 && (q.Since.IsZero() || !row.Time.After(q.Since)) {
			from = i
		}
		if q.Before != 0 && row.Seq >= q.Before {
			to = i
			break
		}
	}
	return numbers[min(from, to):to]
}

// matching returns the wanted rows of one file: the first of them, or the last if the newest are wanted.
func (l Location) matching(file int, q Query) ([]foundRow, error) {
	var found []foundRow
	err := l.eachIn(file, func(text []byte, r Row) bool {
		if !q.matches(r) {
			return true
		}
		found = append(found, foundRow{bytes.Clone(text), r})
		if q.Newest && len(found) > 2*q.Limit {
			found = slices.Delete(found, 0, len(found)-q.Limit)
		}
		return q.Newest || len(found) < q.Limit
	})
	return found, err
}

// eachIn calls do with each complete row of a file until do returns false. text is valid only during the call.
func (l Location) eachIn(file int, do func(text []byte, r Row) bool) error {
	err := l.rowsOf(file, func(_ int, text []byte, whole bool) bool {
		var r Row
		if !whole || json.Unmarshal(text, &r) != nil {
			return true
		}
		return do(text, r)
	})
	if isGone(err) {
		err = nil
	}
	return err
}

// isGone reports whether an error says that a file was removed because of its age in the meantime, or is not ours.
func isGone(err error) bool { return errors.Is(err, os.ErrNotExist) || errors.Is(err, errRowTooLong) }
