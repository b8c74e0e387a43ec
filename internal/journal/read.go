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
	Since         time.Time
	// Agent is a part of the agent's name, in any case. Outcome is one of the outcomes. If they are empty, every entry
	// matches.
	Agent, Outcome string
	Limit          int
	// Newest says that the newest entries come first.
	Newest bool
}

func (q Query) matches(r Row) bool {
	inRange := r.Seq > q.After && (q.Before == 0 || r.Seq < q.Before) && !r.Time.Before(q.Since)
	outcome := q.Outcome == "" || r.Outcome == q.Outcome
	return inRange && outcome && (q.Agent == "" ||
		strings.Contains(strings.ToLower(r.Agent.String()), strings.ToLower(q.Agent)))
}

// Read returns rows as they are in the files. A keeper may write to the journal at the same time. Read does not check
// the rows: Verify does.
func Read(l Location, q Query) ([]json.RawMessage, error) {
	h, err := readHead(l)
	numbers, _, filesErr := l.files()
	if filesErr != nil {
		return nil, filesErr
	}
	if err == nil {
		numbers = slices.DeleteFunc(numbers, func(n int) bool { return n < h.FirstFile })
	}
	numbers = l.overlapping(numbers, q)
	if q.Newest {
		slices.Reverse(numbers)
	}
	out := []json.RawMessage{}
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
func (l Location) matching(file int, q Query) ([]json.RawMessage, error) {
	var found []json.RawMessage
	err := l.rowsOf(file, func(_ int, text []byte, whole bool) bool {
		var r Row
		if !whole || json.Unmarshal(text, &r) != nil || !q.matches(r) {
			return true
		}
		found = append(found, bytes.Clone(text))
		if q.Newest && len(found) > 2*q.Limit {
			found = slices.Delete(found, 0, len(found)-q.Limit)
		}
		return q.Newest || len(found) < q.Limit
	})
	// The file was removed because of its age in the meantime, or it is not ours.
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, errRowTooLong) {
		err = nil
	}
	return found, err
}
