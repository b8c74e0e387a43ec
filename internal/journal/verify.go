package journal

import (
	"errors"
	"fmt"
	"os"
	"time"
)

// Report is what verify found.
type Report struct {
	Entries  int64
	Pictures int
	// Since is when the oldest entry was written.
	Since time.Time
	// Problems are one sentence each; at most maxProblems of them.
	Problems []string
}

const maxProblems = 20

// Verify checks a journal, also while its keeper writes it.
func Verify(p Place) (Report, error) {
	for try := 0; ; try++ {
		before, _ := os.ReadFile(p.Dir.JournalHead())
		r, err := verify(p)
		if (err == nil && len(r.Problems) == 0) || try == 3 {
			return r, err
		}
		// Files may have been removed by their age meanwhile.
		if after, _ := os.ReadFile(p.Dir.JournalHead()); string(before) == string(after) {
			return r, err
		}
	}
}

func verify(p Place) (Report, error) {
	h, headErr := readHead(p)
	numbers, strangers, err := p.files()
	if err != nil {
		return Report{}, err
	}
	c := &check{place: p, head: h, seq: 1, counted: headErr == nil}
	switch {
	case errors.Is(headErr, os.ErrNotExist) && len(numbers) == 0 && len(strangers) == 0:
		return Report{}, nil
	case errors.Is(headErr, os.ErrNotExist):
		c.say("The file journal.json, which tells the journal's end, is missing.")
	case errors.Is(headErr, errHead):
		c.say("The file journal.json, which tells the journal's end, was changed, or sealed with another key.")
	case headErr != nil:
		return Report{}, headErr
	}
	if headErr != nil { // then every file counts
		c.head = head{}
		if len(numbers) > 0 {
			c.head.FirstFile = numbers[0]
			if w, ok := p.firstOf(numbers[0]); ok {
				c.seq, c.prev = w.Seq, w.Prev
			}
		}
	} else {
		c.seq, c.prev = h.First, h.Anchor
	}
	for _, name := range strangers {
		c.say("The journal's folder has %s, which is not the journal's.", name)
	}
	if err := c.files(numbers); err != nil {
		return Report{}, err
	}
	c.end()
	return c.Report, nil
}

// check goes through the lines.
type check struct {
	Report
	place Place
	head  head
	seq   int64  // the number that the next entry must have
	prev  string // the hash that it must name
	// counted: there is a head to compare with.
	counted bool
}

func (c *check) say(format string, args ...any) {
	if len(c.Problems) < maxProblems {
		c.Problems = append(c.Problems, fmt.Sprintf(format, args...))
	}
}

func (c *check) files(numbers []int) error {
	next := c.head.FirstFile
	for i, n := range numbers {
		if n < c.head.Oldest || (c.head.Closed && n > c.head.File) {
			c.say("The file %s is not part of the journal.", fileName(n))
			continue
		}
		if n < c.head.FirstFile {
			continue // its keeper was killed while it removed it
		}
		for ; next < n; next++ {
			c.say("The file %s was removed.", fileName(next))
		}
		next = n + 1
		err := c.place.linesOf(n, func(number int, text []byte, whole bool) bool {
			c.line(fmt.Sprintf("%s, line %d", fileName(n), number), text, whole, i+1 == len(numbers))
			return true
		})
		if errors.Is(err, errLong) {
			c.say("%s: a line is too long to be the journal's.", fileName(n))
		} else if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (c *check) line(at string, text []byte, whole, lastFile bool) {
	if !whole && lastFile && c.counted && !c.head.Closed && c.seq > c.head.Last {
		return // it is being written, or its keeper was killed: the next one takes it out
	}
	w, ok := read(text)
	if !ok || !whole {
		c.say("%s: this is no whole entry: it was changed.", at)
		return
	}
	c.Entries++
	if c.Since.IsZero() {
		c.Since = w.Time
	}
	switch {
	case !w.intact:
		c.say("%s: the entry was changed.", at)
		c.seq, c.prev = c.seq+1, w.hash
		return
	case !c.place.Key.fits(w.hash, w.seal):
		c.say("%s: the entry was not written by Cove on this computer: its seal does not fit.", at)
	}
	switch {
	case w.Seq > c.seq:
		c.say("%s: %s missing before it.", at, span(c.seq, w.Seq-1))
	case w.Seq < c.seq:
		c.say("%s: entry %d stands where entry %d should: it was moved or repeated.", at, w.Seq, c.seq)
	case w.Prev != c.prev:
		c.say("%s: entry %d does not follow the one before it: that was changed or replaced.", at, w.Seq)
	}
	if w.Name == Gap {
		c.say("%s: Cove found the journal damaged on %s. %s", at, w.Time.Format(time.DateTime), w.Reason)
	}
	if w.Seq == c.head.Last && w.hash != c.head.Hash {
		c.say("%s: entry %d is not the one that was written last.", at, w.Seq)
	}
	if w.Picture != "" {
		c.Pictures++
		if wrong := c.place.checkPicture(w.Picture); wrong != "" {
			c.say("%s: the entry %s.", at, wrong)
		}
	}
	c.seq, c.prev = w.Seq+1, w.hash
}

func span(from, to int64) string {
	if from == to {
		return fmt.Sprintf("entry %d is", from)
	}
	return fmt.Sprintf("entries %d to %d are", from, to)
}

// end compares the end with the head's.
func (c *check) end() {
	if !c.counted || c.seq > c.head.Last {
		return
	}
	how := "cut off"
	if c.seq > c.head.Synced {
		how = "cut off, or lost when the computer lost power"
	}
	c.say("%s: %s missing at the end: %s.", fileName(c.head.File), span(c.seq, c.head.Last), how)
}
