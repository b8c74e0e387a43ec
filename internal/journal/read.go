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

// Query is which entries are wanted.
type Query struct {
	// After and Before are numbers of entries that are not wanted any more; Before 0 for no end.
	After, Before int64
	Since         time.Time
	// Agent is a part of the agent's name, Outcome an outcome.
	Agent, Outcome string
	Limit          int
	// Newest begins with the newest.
	Newest bool
}

func (q Query) wants(l Line) bool {
	return l.Seq > q.After && (q.Before == 0 || l.Seq < q.Before) && !l.Time.Before(q.Since) && (q.Outcome == "" || l.Outcome == q.Outcome) &&
		(q.Agent == "" || strings.Contains(strings.ToLower(l.Agent.String()), strings.ToLower(q.Agent)))
}

// Read answers lines as they stand in the files, also while a keeper writes them. It checks nothing: see Verify.
func Read(p Place, q Query) ([]json.RawMessage, error) {
	h, err := readHead(p)
	numbers, _, filesErr := p.files()
	if filesErr != nil {
		return nil, filesErr
	}
	if err == nil {
		numbers = slices.DeleteFunc(numbers, func(n int) bool { return n < h.FirstFile })
	}
	numbers = p.around(numbers, q)
	if q.Newest {
		slices.Reverse(numbers)
	}
	out := []json.RawMessage{}
	for _, n := range numbers {
		found, err := p.matching(n, q)
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

// around leaves out files that lie wholly before or after what is wanted.
func (p Place) around(numbers []int, q Query) []int {
	from, to := 0, len(numbers)
	for i, n := range numbers {
		w, ok := p.firstOf(n)
		if !ok {
			continue
		}
		if w.Seq <= q.After+1 && !w.Time.After(q.Since) || w.Seq <= q.After+1 && q.Since.IsZero() {
			from = i
		}
		if q.Before != 0 && w.Seq >= q.Before {
			to = i
			break
		}
	}
	return numbers[min(from, to):to]
}

// matching are the lines of one file that are wanted: the first ones, or the last ones when the newest are asked for.
func (p Place) matching(file int, q Query) ([]json.RawMessage, error) {
	var found []json.RawMessage
	err := p.linesOf(file, func(_ int, text []byte, whole bool) bool {
		var l Line
		if !whole || json.Unmarshal(text, &l) != nil || !q.wants(l) {
			return true
		}
		found = append(found, bytes.Clone(text))
		if q.Newest && len(found) > 2*q.Limit {
			found = slices.Delete(found, 0, len(found)-q.Limit)
		}
		return q.Newest || len(found) < q.Limit
	})
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, errLong) { // removed by its age meanwhile; not ours
		err = nil
	}
	return found, err
}
