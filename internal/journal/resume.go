package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// resume continues where the last keeper stopped. It accepts rows that the last keeper wrote but did not yet count in
// the head, removes a row that the keeper did not finish, and writes a gap if counted rows are missing. The caller
// holds mu.
func (w *Writer) resume() error {
	for _, dir := range []string{w.location.Dir.Journal(), w.location.Dir.JournalPictures()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	// Killed keepers leave unfinished files behind.
	removeStarting(string(w.location.Dir), "."+filepath.Base(w.location.Dir.JournalHead())+".")
	removeStarting(w.location.Dir.JournalPictures(), ".")
	numbers, _, err := w.location.files()
	if err != nil {
		return err
	}
	h, err := readHead(w.location)
	switch {
	case errors.Is(err, os.ErrNotExist) && len(numbers) == 0:
		w.head = head{First: 1, FirstFile: 1, Oldest: 1}
		if err := w.head.write(w.location, false); err != nil { // first: rows without a head are never ours
			return err
		}
		return w.roll()
	case errors.Is(err, os.ErrNotExist):
		return w.restart(numbers, "The file journal.json, which records the end of the journal, was removed.")
	case errors.Is(err, errHead):
		return w.restart(numbers, "The file journal.json, which records the end of the journal, was changed.")
	case err != nil:
		return err
	}
	closed := h.Closed
	h.Closed = false
	if w.location.removeFiles(h, numbers) {
		h.Oldest = h.FirstFile
	}
	if err := h.write(w.location, false); err != nil { // before the first row after the last counted one
		return err
	}
	w.head = h
	return w.adopt(closed)
}

// removeStarting removes the files of a folder whose names begin with prefix.
func removeStarting(dir, prefix string) {
	found, _ := os.ReadDir(dir)
	for _, f := range found {
		if strings.HasPrefix(f.Name(), prefix) {
			_ = os.Remove(filepath.Join(dir, f.Name()))
		}
	}
}

// restart builds a head from the files that exist, and writes a gap. The caller holds mu.
func (w *Writer) restart(numbers []int, why string) error {
	h := head{First: 1, FirstFile: 1, Oldest: 1}
	if len(numbers) > 0 {
		h.FirstFile, h.Oldest, h.File = numbers[0], numbers[0], numbers[len(numbers)-1]
		if row, ok := w.location.firstRow(h.FirstFile); ok {
			h.First, h.Anchor = row.Seq, row.Prev
		}
		for _, n := range numbers {
			_ = w.location.rowsOf(n, func(_ int, text []byte, _ bool) bool {
				if row, ok := parseRow(text); ok && w.location.Key.genuine(row) {
					h.Last, h.Hash = row.Seq, row.hash
				}
				return true
			})
		}
	}
	h.First = min(h.First, h.Last+1)
	w.head = h
	return w.gap(why)
}

// adopt checks the last counted row and accepts the rows after it. closed says that the last keeper closed the journal:
// such a keeper leaves no torn row and no further files. The caller holds mu.
func (w *Writer) adopt(closed bool) error {
	l, h := w.location, &w.head
	if h.Last >= h.First && h.Size > 0 {
		info, err := os.Stat(l.rowsFile(h.File))
		if err != nil {
			return w.gap("The file " + fileName(h.File) + " was removed.")
		}
		if info.Size() < h.Size {
			return w.gap("The end of " + fileName(h.File) + " was cut off, or lost when the computer lost power.")
		}
		if row, ok := l.lastRow(h.File, h.Size); !ok || row.hash != h.Hash || !l.Key.genuine(row) {
			return w.gap("The file " + fileName(h.File) + " was changed.")
		}
	}
	for {
		torn, strange, err := w.adoptFile()
		if err != nil {
			return err
		}
		if strange || (closed && torn > 0) {
			return w.gap("The end of " + fileName(h.File) + " was not written by a keeper.")
		}
		if _, err := os.Stat(l.rowsFile(h.File + 1)); err != nil {
			return w.reopen(torn)
		}
		if torn > 0 || closed {
			return w.gap("The files behind the end of " + fileName(h.File) + " were not written by a keeper.")
		}
		h.File, h.Size = h.File+1, 0
	}
}

// adoptFile accepts the rows of the current file after the counted ones. torn is the length of a last row without a
// line break. strange says that a row is not the next one of this journal.
func (w *Writer) adoptFile() (torn int, strange bool, err error) {
	h := &w.head
	f, err := os.Open(w.location.rowsFile(h.File))
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
	err = eachRow(f, func(_ int, text []byte, whole bool) bool {
		if !whole {
			torn = len(text)
			return false
		}
		row, ok := parseRow(text)
		if strange = !ok || !w.location.Key.genuine(row) || row.Seq != h.Last+1 || row.Prev != h.Hash; strange {
			return false
		}
		h.Last, h.Hash, h.Size = row.Seq, row.hash, h.Size+int64(len(text))+1
		return true
	})
	if errors.Is(err, errRowTooLong) {
		strange, err = true, nil
	}
	return torn, strange, err
}

// reopen continues in the current file and removes a torn row at its end. The caller holds mu.
func (w *Writer) reopen(torn int) error {
	f, err := os.OpenFile(w.location.rowsFile(w.head.File), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	w.f, w.torn, w.filled = f, false, w.head.Size
	if row, ok := w.location.firstRow(w.head.File); ok {
		w.began = row.Time
	}
	if torn == 0 {
		return nil
	}
	if err := f.Truncate(w.head.Size); err != nil {
		_ = f.Close()
		w.f = nil
		return err
	}
	text := fmt.Sprintf("The keeper before this one was killed while it wrote a line:"+
		" its %d bytes were taken out.", torn)
	return w.recordOwn(Recovered, OK, text, map[string]any{"bytes": torn})
}

// gap begins a new file with a row that Verify always reports. The caller holds mu.
func (w *Writer) gap(why string) error {
	w.log.Error("the journal was changed by somebody else", "what", why)
	numbers, _, err := w.location.files()
	if err != nil {
		return err
	}
	if len(numbers) > 0 {
		w.head.File = max(w.head.File, numbers[len(numbers)-1])
	}
	if err := w.roll(); err != nil {
		return err
	}
	return w.recordOwn(Gap, Failed, why, nil)
}
