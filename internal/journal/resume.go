package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// resume goes on where the last keeper stopped: it takes on what that one had written but not yet counted, takes out a line that it
// could not finish, and writes a gap when what it had counted is not there any more. The caller holds mu.
func (j *Journal) resume() error {
	for _, dir := range []string{j.place.Dir.Journal(), j.place.Dir.JournalPictures()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	removeStarting(string(j.place.Dir), "."+filepath.Base(j.place.Dir.JournalHead())+".") // what killed keepers did not finish
	removeStarting(j.place.Dir.JournalPictures(), ".")
	numbers, _, err := j.place.files()
	if err != nil {
		return err
	}
	h, err := readHead(j.place)
	switch {
	case errors.Is(err, os.ErrNotExist) && len(numbers) == 0:
		j.head = head{First: 1, FirstFile: 1, Oldest: 1}
		if err := j.head.write(j.place, false); err != nil { // first, so that lines without a head are never ours
			return err
		}
		return j.roll()
	case errors.Is(err, os.ErrNotExist):
		return j.restart(numbers, "The file journal.json, which tells the journal's end, was removed.")
	case errors.Is(err, errHead):
		return j.restart(numbers, "The file journal.json, which tells the journal's end, was changed.")
	case err != nil:
		return err
	}
	closed := h.Closed
	h.Closed = false
	if j.place.removeFiles(h, numbers) {
		h.Oldest = h.FirstFile
	}
	if err := h.write(j.place, false); err != nil { // before the first line behind the last one
		return err
	}
	j.head = h
	return j.adopt(closed)
}

// removeStarting removes the files of a folder whose names begin so.
func removeStarting(dir, prefix string) {
	found, _ := os.ReadDir(dir)
	for _, f := range found {
		if strings.HasPrefix(f.Name(), prefix) {
			_ = os.Remove(filepath.Join(dir, f.Name()))
		}
	}
}

// restart makes a head from what is there and marks the place.
func (j *Journal) restart(numbers []int, why string) error {
	h := head{First: 1, FirstFile: 1, Oldest: 1}
	if len(numbers) > 0 {
		h.FirstFile, h.Oldest, h.File = numbers[0], numbers[0], numbers[len(numbers)-1]
		if w, ok := j.place.firstOf(h.FirstFile); ok {
			h.First, h.Anchor = w.Seq, w.Prev
		}
		for _, n := range numbers {
			_ = j.place.linesOf(n, func(_ int, text []byte, _ bool) bool {
				if w, ok := read(text); ok && j.place.Key.genuine(w) {
					h.Last, h.Hash = w.Seq, w.hash
				}
				return true
			})
		}
	}
	h.First = min(h.First, h.Last+1)
	j.head = h
	return j.gap(why)
}

// adopt checks the counted end and takes on the lines behind it. After a keeper that was closed there can be no torn one.
func (j *Journal) adopt(closed bool) error {
	p, h := j.place, &j.head
	if h.Last >= h.First && h.Size > 0 {
		info, err := os.Stat(p.file(h.File))
		if err != nil {
			return j.gap("The file " + fileName(h.File) + " was removed.")
		}
		if info.Size() < h.Size {
			return j.gap("The end of " + fileName(h.File) + " was cut off, or lost when the computer lost power.")
		}
		if w, ok := p.lastOf(h.File, h.Size); !ok || w.hash != h.Hash || !p.Key.genuine(w) {
			return j.gap("The file " + fileName(h.File) + " was changed.")
		}
	}
	for {
		torn, strange, err := j.adoptFile()
		if err != nil {
			return err
		}
		if strange || (closed && torn > 0) {
			return j.gap("The end of " + fileName(h.File) + " was not written by a keeper.")
		}
		if _, err := os.Stat(p.file(h.File + 1)); err != nil {
			return j.reopen(torn)
		}
		if torn > 0 || closed {
			return j.gap("The files behind the end of " + fileName(h.File) + " were not written by a keeper.")
		}
		h.File, h.Size = h.File+1, 0
	}
}

// adoptFile takes on the lines of the current file behind the counted ones. torn is the length of a last line without an end.
func (j *Journal) adoptFile() (torn int, strange bool, err error) {
	h := &j.head
	f, err := os.Open(j.place.file(h.File))
	if errors.Is(err, os.ErrNotExist) && h.Size == 0 {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	defer func() { _ = f.Close() }()
	if _, err := f.Seek(h.Size, 0); err != nil {
		return 0, false, err
	}
	err = eachLine(f, func(_ int, text []byte, whole bool) bool {
		if !whole {
			torn = len(text)
			return false
		}
		w, ok := read(text)
		if strange = !ok || !j.place.Key.genuine(w) || w.Seq != h.Last+1 || w.Prev != h.Hash; strange {
			return false
		}
		h.Last, h.Hash, h.Size = w.Seq, w.hash, h.Size+int64(len(text))+1
		return true
	})
	if errors.Is(err, errLong) {
		strange, err = true, nil
	}
	return torn, strange, err
}

// reopen goes on in the current file, without a line that has no end.
func (j *Journal) reopen(torn int) error {
	f, err := os.OpenFile(j.place.file(j.head.File), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	j.f, j.torn, j.filled = f, false, j.head.Size
	if w, ok := j.place.firstOf(j.head.File); ok {
		j.began = w.Time
	}
	if torn == 0 {
		return nil
	}
	if err := f.Truncate(j.head.Size); err != nil {
		_ = f.Close()
		j.f = nil
		return err
	}
	return j.note(Recovered, OK, fmt.Sprintf("The keeper before this one was killed while it wrote a line: its %d bytes were taken out.", torn), map[string]any{"bytes": torn})
}

// gap goes on in a new file with an entry that verify will always report; the caller holds mu.
func (j *Journal) gap(why string) error {
	j.log.Error("the journal was changed by somebody else", "what", why)
	numbers, _, err := j.place.files()
	if err != nil {
		return err
	}
	if len(numbers) > 0 {
		j.head.File = max(j.head.File, numbers[len(numbers)-1])
	}
	if err := j.roll(); err != nil {
		return err
	}
	return j.note(Gap, Failed, why, nil)
}
