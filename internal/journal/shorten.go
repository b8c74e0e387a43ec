package journal

import (
	"os"
	"time"
)

// Bounds is how much of a journal is kept.
type Bounds struct {
	Days int `json:"days"`
	MB   int `json:"mb"`
}

// Usual is what is kept when nobody says otherwise.
var Usual = Bounds{Days: 90, MB: 200}

// parts is how many files a full journal has, about: what is removed is removed by files.
const parts = 16

func (b Bounds) orUsual() Bounds {
	if b.Days <= 0 {
		b.Days = Usual.Days
	}
	if b.MB <= 0 {
		b.MB = Usual.MB
	}
	return b
}

func (b Bounds) age() time.Duration { return time.Duration(b.Days) * 24 * time.Hour }

// span is the time, file the size after which a new file is begun.
func (b Bounds) span() time.Duration { return b.age() / parts }
func (b Bounds) file() int64         { return int64(b.MB) << 20 / parts }

// shorten removes the oldest files when they are too old or take too much room. Each step leaves a journal that verifies.
func (j *Journal) shorten(now time.Time) {
	j.mu.Lock()
	h, open := j.head, j.f != nil
	j.mu.Unlock()
	numbers, _, err := j.place.files()
	if !open || err != nil {
		return
	}
	keep, first := j.kept(numbers, h, now)
	if keep <= h.FirstFile {
		return
	}
	before, ok := j.place.lastBefore(keep)
	j.mu.Lock()
	if j.closed {
		j.mu.Unlock()
		return
	}
	if !ok || before != first.Prev {
		if err := j.note(Gap, Failed, "Entries before "+fileName(keep)+" were missing when the oldest files were removed.", nil); err != nil {
			j.mu.Unlock()
			return
		}
	}
	removed := first.Seq - j.head.First
	j.head.FirstFile, j.head.First, j.head.Anchor = keep, first.Seq, first.Prev
	h = j.head
	j.mu.Unlock()
	if err := h.write(j.place, true); err != nil {
		j.log.Warn("the journal's head could not be written", "err", err)
		return // the files stay until the head says that they are not needed
	}
	gone := j.place.removeFiles(h, numbers)
	j.mu.Lock()
	defer j.mu.Unlock()
	if gone {
		j.head.Oldest = keep
		wake(j.changed)
	}
	if !j.closed {
		_ = j.note(Shortened, OK, "", map[string]any{"entries": removed, "first": first.Seq})
	}
}

// kept finds the first file to keep, and its first line.
func (j *Journal) kept(numbers []int, h head, now time.Time) (keep int, first written) {
	sizes := j.place.pictureSizes()
	var total int64
	for _, n := range numbers {
		if info, err := os.Stat(j.place.file(n)); err == nil {
			sizes[n] += info.Size()
		}
		total += sizes[n]
	}
	room := int64(j.bounds.MB)<<20 - j.bounds.file()
	keep = h.FirstFile
	for i, n := range numbers {
		if n >= h.File || i+1 == len(numbers) {
			break
		}
		next, ok := j.place.firstOf(numbers[i+1])
		if total <= room && (!ok || now.Sub(next.Time) < j.bounds.age()) {
			break
		}
		total -= sizes[n]
		if ok && j.place.Key.genuine(next) {
			keep, first = numbers[i+1], next
		}
	}
	return keep, first
}

// lastBefore is the hash of the last line before a file.
func (p Place) lastBefore(file int) (hash string, ok bool) {
	info, err := os.Stat(p.file(file - 1))
	if err != nil {
		return "", false
	}
	w, ok := p.lastOf(file-1, info.Size())
	return w.hash, ok
}

// removeFiles removes the files, and their pictures, that the head does not need; true when all of them are gone.
func (p Place) removeFiles(h head, numbers []int) bool {
	for _, n := range numbers {
		if n >= h.FirstFile || n < h.Oldest {
			continue
		}
		removeStarting(p.Dir.JournalPictures(), picturePrefix(n))
		if os.Remove(p.file(n)) != nil {
			return false
		}
	}
	return true
}
