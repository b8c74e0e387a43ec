package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"time"
)

// Page is a part of a journal, for people.
type Page struct {
	// Rows are as they are in the files, and behind the seal each has what people need: its words, its session and the
	// name of the screenshot after it, where the row itself does not say.
	Rows []json.RawMessage
	// First and Last are the numbers of the journal's oldest and newest entries, 0 if it has none.
	First, Last int64
	// More says that further entries match.
	More bool
}

// Show returns a part of the journal for people. It reads as Read does.
func Show(l Location, q Query) (Page, error) {
	wanted := q.Limit
	q.Limit++
	found, err := l.find(q)
	if err != nil {
		return Page{}, err
	}
	p := Page{Rows: []json.RawMessage{}}
	if p.More = len(found) > wanted; p.More {
		found = found[:wanted]
	}
	if p.First, p.Last, err = l.ends(); err != nil {
		return Page{}, err
	}

	after, err := l.picturesOf(found)
	if err != nil {
		return Page{}, err
	}
	for _, one := range found {
		p.Rows = append(p.Rows, one.shown(after[stepOf(one.row)]))
		p.Last = max(p.Last, one.row.Seq)
	}
	return p, nil
}

// shown returns the row with what people need behind its seal. The hash is still that of everything before it.
func (f foundRow) shown(after string) json.RawMessage {
	words, r := f.row.Words(), f.row
	add := struct {
		Session string `json:"session,omitempty"`
		Text    string `json:"text,omitempty"`
		Summary string `json:"summary,omitempty"`
		Kind    string `json:"kind,omitempty"`
		After   string `json:"after,omitempty"`
	}{After: after}
	if r.Session == "" {
		add.Session = r.SessionName()
	}
	if r.Text == "" {
		add.Text = words.Text
	}
	if r.Summary == "" {
		add.Summary = words.Summary
	}
	if r.Kind == "" {
		add.Kind = string(words.Kind)
	}

	more, _ := json.Marshal(add)
	row, ok := bytes.CutSuffix(f.text, []byte("}"))
	if len(more) <= len("{}") || !ok {
		return f.text
	}
	return append(append(row[:len(row):len(row)], ','), more[1:]...)
}

// pictureOf has the arguments of a row with the screenshot after a step.
type pictureOf struct {
	Of    string    `json:"of"`
	Began time.Time `json:"began"`
}

// PictureArgs returns the arguments of the row that has the screenshot after a step.
func PictureArgs(e Entry) json.RawMessage {
	raw, _ := json.Marshal(pictureOf{e.Name, e.Time})
	return raw
}

// stepKey tells the steps of a journal apart, as the rows of screenshots name them.
type stepKey struct {
	name  string
	began int64 // in nanoseconds
}

func stepOf(r Row) stepKey { return stepKey{r.Name, r.Time.UnixNano()} }

// pictureSpan is how many entries after a step are searched for its screenshot.
const pictureSpan = 200

// picturesOf returns the screenshots after steps. They are in rows of their own, which come later.
func (l Location) picturesOf(steps []foundRow) (map[stepKey]string, error) {
	if len(steps) == 0 {
		return nil, nil //nolint:nilnil // an empty map
	}
	first, last := steps[0].row.Seq, steps[0].row.Seq
	for _, one := range steps {
		first, last = min(first, one.row.Seq), max(last, one.row.Seq)
	}

	numbers, err := l.retained()
	if err != nil {
		return nil, err
	}
	out := map[stepKey]string{}
	mark := []byte(`"name":"` + Picture + `"`)
	for _, n := range l.overlapping(numbers, Query{After: first, Before: last + pictureSpan}) {
		err := l.rowsOf(n, func(_ int, text []byte, whole bool) bool {
			var r Row
			if whole && bytes.Contains(text, mark) && json.Unmarshal(text, &r) == nil {
				if of, ok := r.pictured(); ok {
					out[of] = r.Screenshot
				}
			}
			return true
		})
		if err != nil && !isGone(err) {
			return nil, err
		}
	}
	return out, nil
}

// pictured returns the step that a row has the screenshot of.
func (r Row) pictured() (stepKey, bool) {
	var of pictureOf
	if r.Name != Picture || json.Unmarshal(r.Args, &of) != nil {
		return stepKey{}, false
	}
	return stepKey{of.Of, of.Began.UnixNano()}, r.Screenshot != ""
}

// ends returns the numbers of the oldest and of the newest entry.
func (l Location) ends() (first, last int64, err error) {
	if h, err := readHead(l); err == nil && h.Last >= h.First {
		return h.First, h.Last, nil
	}
	numbers, err := l.retained()
	if err != nil || len(numbers) == 0 {
		return 0, 0, err
	}
	if row, ok := l.firstRow(numbers[0]); ok {
		first = row.Seq
	}
	for _, n := range numbers {
		if err := l.eachIn(n, func(_ []byte, r Row) bool { last = max(last, r.Seq); return true }); err != nil {
			return 0, 0, err
		}
	}
	return first, last, nil
}

// Each calls do with the text of each row that can be read, without its line break, and with what it says. text is
// valid only during the call.
func Each(l Location, do func(text []byte, r Row) error) error {
	numbers, err := l.retained()
	if err != nil {
		return err
	}
	for _, n := range numbers {
		var failed error
		err := l.eachIn(n, func(text []byte, r Row) bool {
			failed = do(text, r)
			return failed == nil
		})
		if err = errors.Join(failed, err); err != nil {
			return err
		}
	}
	return nil
}
