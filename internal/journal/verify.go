package journal

import (
	"errors"
	"fmt"
	"os"
	"time"
)

// Report is the result of Verify.
type Report struct {
	Entries     int64
	Screenshots int
	// Since is the time of the oldest entry.
	Since time.Time
	// Broken is the number of the first entry that a problem is about, 0 for none.
	Broken int64
	// Problems holds one sentence for each problem, up to maxProblems.
	Problems []string
}

const maxProblems = 20

// Verify checks a journal. A keeper may write to it at the same time.
func Verify(l Location) (Report, error) {
	for try := 0; ; try++ {
		before, _ := os.ReadFile(l.Dir.JournalHead())
		r, err := verify(l)
		if (err == nil && len(r.Problems) == 0) || try == 3 {
			return r, err
		}
		// The keeper may have removed old files in the meantime.
		if after, _ := os.ReadFile(l.Dir.JournalHead()); string(before) == string(after) {
			return r, err
		}
	}
}

func verify(l Location) (Report, error) {
	h, headErr := readHead(l)
	numbers, strangers, err := l.files()
	if err != nil {
		return Report{}, err
	}
	v := &verification{location: l, head: h, seq: 1, counted: headErr == nil}
	switch {
	case errors.Is(headErr, os.ErrNotExist) && len(numbers) == 0 && len(strangers) == 0:
		return Report{}, nil
	case errors.Is(headErr, os.ErrNotExist):
		v.report("The file journal.json, which records the end of the journal, is missing.")
	case errors.Is(headErr, errHead):
		v.report("The file journal.json, which records the end of the journal, was changed or sealed with another key.")
	case headErr != nil:
		return Report{}, headErr
	}
	if headErr != nil { // without a head every file counts
		v.head = head{}
		if len(numbers) > 0 {
			v.head.FirstFile = numbers[0]
			if row, ok := l.firstRow(numbers[0]); ok {
				v.seq, v.prev = row.Seq, row.Prev
			}
		}
	} else {
		v.seq, v.prev = h.First, h.Anchor
	}
	for _, name := range strangers {
		v.report("The journal's folder contains %s, which is not part of the journal.", name)
	}
	if err := v.checkFiles(numbers); err != nil {
		return Report{}, err
	}
	v.checkEnd()
	return v.Report, nil
}

// verification is the state of one check: the report so far, and what the next row must be.
type verification struct {
	Report
	location Location
	head     head
	seq      int64  // the number that the next entry must have
	prev     string // the hash that the next entry must name
	// counted says that there is a head to compare with.
	counted bool
}

func (v *verification) report(format string, args ...any) {
	if len(v.Problems) < maxProblems {
		v.Problems = append(v.Problems, fmt.Sprintf(format, args...))
	}
}

// reportEntry reports a problem of the entry that is due.
func (v *verification) reportEntry(format string, args ...any) {
	if v.Broken == 0 {
		v.Broken = v.seq
	}
	v.report(format, args...)
}

func (v *verification) checkFiles(numbers []int) error {
	next := v.head.FirstFile
	for i, n := range numbers {
		if n < v.head.Oldest || (v.head.Closed && n > v.head.File) {
			v.report("The file %s is not part of the journal.", fileName(n))
			continue
		}
		if n < v.head.FirstFile {
			continue // its keeper was killed while it removed the file
		}
		for ; next < n; next++ {
			v.report("The file %s was removed.", fileName(next))
		}
		next = n + 1
		err := v.location.rowsOf(n, func(number int, text []byte, whole bool) bool {
			v.checkRow(fmt.Sprintf("%s, line %d", fileName(n), number), text, whole, i+1 == len(numbers))
			return true
		})
		if errors.Is(err, errRowTooLong) {
			v.report("%s: a line is too long for a journal entry.", fileName(n))
		} else if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (v *verification) checkRow(at string, text []byte, whole, lastFile bool) {
	if !whole && lastFile && v.counted && !v.head.Closed && v.seq > v.head.Last {
		return // the row is being written, or its keeper was killed: the next keeper removes it
	}
	row, ok := parseRow(text)
	if !ok || !whole {
		v.reportEntry("%s: the entry is incomplete: it was changed.", at)
		return
	}
	v.Entries++
	if v.Since.IsZero() {
		v.Since = row.Time
	}
	switch {
	case !row.intact:
		v.reportEntry("%s: the entry was changed.", at)
		v.seq, v.prev = v.seq+1, row.hash
		return
	case !v.location.Key.fits(row.hash, row.seal):
		v.reportEntry("%s: the entry was not written by Cove on this computer: its seal does not match.", at)
	}
	switch {
	case row.Seq > v.seq:
		v.reportEntry("%s: %s missing before it.", at, entryRange(v.seq, row.Seq-1))
	case row.Seq < v.seq:
		v.reportEntry("%s: entry %d is where entry %d should be: it was moved or repeated.", at, row.Seq, v.seq)
	case row.Prev != v.prev:
		v.reportEntry("%s: entry %d does not follow the one before it: that was changed or replaced.", at, row.Seq)
	}
	if row.Name == Gap {
		v.reportEntry("%s: Cove found the journal damaged on %s. %s", at, row.Time.Format(time.DateTime), row.Reason)
	}
	if row.Seq == v.head.Last && row.hash != v.head.Hash {
		v.reportEntry("%s: entry %d is not the one that was written last.", at, row.Seq)
	}
	for _, name := range []string{row.Before, row.Screenshot} {
		if name == "" {
			continue
		}
		v.Screenshots++
		if wrong := v.location.checkScreenshot(name); wrong != "" {
			v.reportEntry("%s: the entry %s.", at, wrong)
		}
	}
	v.seq, v.prev = row.Seq+1, row.hash
}

func entryRange(from, to int64) string {
	if from == to {
		return fmt.Sprintf("entry %d is", from)
	}
	return fmt.Sprintf("entries %d to %d are", from, to)
}

// checkEnd compares the end of the journal with the head.
func (v *verification) checkEnd() {
	if !v.counted || v.seq > v.head.Last {
		return
	}
	how := "cut off"
	if v.seq > v.head.Synced {
		how = "cut off, or lost when the computer lost power"
	}
	v.reportEntry("%s: %s missing at the end: %s.", fileName(v.head.File), entryRange(v.seq, v.head.Last), how)
}
