package journal

import (
	"os"
	"time"
)

// Bounds limits the age and the size of a journal.
type Bounds struct {
	Days int `json:"days"`
	MB   int `json:"mb"`
}

// Default applies where the settings have no bounds.
var Default = Bounds{Days: 90, MB: 200}

// parts is about how many files a full journal has. Only whole files are removed.
const parts = 16

func (b Bounds) orDefault() Bounds {
	if b.Days <= 0 {
		b.Days = Default.Days
	}
	if b.MB <= 0 {
		b.MB = Default.MB
	}
	return b
}

func (b Bounds) age() time.Duration { return time.Duration(b.Days) * 24 * time.Hour }

// span returns the age and file the size at which the journal continues in a new file.
func (b Bounds) span() time.Duration { return b.age() / parts }
func (b Bounds) file() int64         { return int64(b.MB) << 20 / parts }

// shorten removes the oldest files if they are too old or too large. The journal verifies after each step.
func (w *Writer) shorten(now time.Time) {
	w.mu.Lock()
	h, open := w.head, w.f != nil
	w.mu.Unlock()
	numbers, _, err := w.location.files()
	if !open || err != nil {
		return
	}
	from, first := w.firstRetained(numbers, h, now)
	if from <= h.FirstFile {
		return
	}
	before, ok := w.location.lastHashBefore(from)
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return
	}
	if !ok || before != first.Prev {
		text := "Entries before " + fileName(from) + " were missing when the oldest files were removed."
		if err := w.recordOwn(Gap, Failed, text, nil); err != nil {
			w.mu.Unlock()
			return
		}
	}
	removed := first.Seq - w.head.First
	w.head.FirstFile, w.head.First, w.head.Anchor = from, first.Seq, first.Prev
	h = w.head
	w.mu.Unlock()
	if err := h.write(w.location, true); err != nil {
		w.log.Warn("the journal's head could not be written", "err", err)
		return // the files stay until the head says that they are not needed
	}
	gone := w.location.removeFiles(h, numbers)
	w.mu.Lock()
	defer w.mu.Unlock()
	if gone {
		w.head.Oldest = from
		signal(w.changed)
	}
	if !w.closed {
		_ = w.recordOwn(Shortened, OK, "", map[string]any{"entries": removed, "first": first.Seq})
	}
}

// firstRetained finds the first file that stays, and its first row.
func (w *Writer) firstRetained(numbers []int, h head, now time.Time) (from int, first storedRow) {
	sizes := w.location.screenshotSizes()
	var total int64
	for _, n := range numbers {
		if info, err := os.Stat(w.location.rowsFile(n)); err == nil {
			sizes[n] += info.Size()
		}
		total += sizes[n]
	}
	room := int64(w.bounds.MB)<<20 - w.bounds.file()
	from = h.FirstFile
	for i, n := range numbers {
		if n >= h.File || i+1 == len(numbers) {
			break
		}
		next, ok := w.location.firstRow(numbers[i+1])
		if total <= room && (!ok || now.Sub(next.Time) < w.bounds.age()) {
			break
		}
		total -= sizes[n]
		if ok && w.location.Key.genuine(next) {
			from, first = numbers[i+1], next
		}
	}
	return from, first
}

// lastHashBefore returns the hash of the last row in the file before the given one.
func (l Location) lastHashBefore(file int) (hash string, ok bool) {
	info, err := os.Stat(l.rowsFile(file - 1))
	if err != nil {
		return "", false
	}
	row, ok := l.lastRow(file-1, info.Size())
	return row.hash, ok
}

// removeFiles removes the files before the head's first file, and their screenshots. It reports whether all are gone.
func (l Location) removeFiles(h head, numbers []int) bool {
	for _, n := range numbers {
		if n >= h.FirstFile || n < h.Oldest {
			continue
		}
		removeStarting(l.Dir.JournalPictures(), screenshotPrefix(n))
		if os.Remove(l.rowsFile(n)) != nil {
			return false
		}
	}
	return true
}
