package journal

import (
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"sync"
	"time"

	"cove/internal/policy"
)

// Writer appends to the journal of one open profile. Only the profile's keeper has one, and the keeper holds the
// profile's lock, so two writers never share a folder. Open starts a Writer and Close ends it.
//
// Each row carries the hash of the row before it, so rows are written one at a time, under mu. One goroutine, run,
// resumes the journal first and then does everything that callers need not wait for: it writes the head, syncs the disk
// and removes old files. Nobody else writes the head. Record and Close may be called from any goroutine; both wait
// until the journal is resumed. The Writer counts the entries that it cannot write. When writing works again, it first
// writes a row that says how many were lost.
type Writer struct {
	location Location
	bounds   Bounds
	agent    policy.Agent // the keeper, for rows that the journal writes about itself
	log      *slog.Logger

	resumed chan struct{} // closed after the first attempt to resume the journal
	changed chan struct{} // the head has changed
	rolled  chan struct{} // a new file was begun
	done    chan struct{} // closed by Close
	ended   chan struct{} // closed when run has returned

	mu     sync.Mutex
	f      *os.File   // nil while the journal cannot be opened
	old    []*os.File // full files that sync has yet to sync and close
	head   head
	torn   bool      // the file ends with a part of a row that could not be removed
	filled int64     // bytes of the current file and its screenshots
	began  time.Time // when the first row of the current file was written
	lost   int       // entries that could not be written
	since  time.Time // when the first of them was lost
	closed bool
}

// Intervals of the background work of maintain.
const (
	headPause   = 100 * time.Millisecond
	syncPause   = 5 * time.Second
	shortenTime = time.Hour
)

// Open continues the journal at a location. It returns at once and does not fail: entries that cannot be written are
// counted, and reported when writing works again.
func Open(l Location, b Bounds, version string, log *slog.Logger) *Writer {
	w := &Writer{
		location: l, bounds: b.orDefault(), agent: policy.Agent{Kind: Keeper, Name: "cove", Version: version}, log: log,
		resumed: make(chan struct{}), changed: make(chan struct{}, 1), rolled: make(chan struct{}, 1),
		done: make(chan struct{}), ended: make(chan struct{}),
	}
	go w.run()
	return w
}

// run resumes the journal, then maintains it until Close.
func (w *Writer) run() {
	defer close(w.ended)

	w.mu.Lock()
	err := w.resume()
	w.mu.Unlock()
	if err != nil {
		w.log.Error("the journal cannot be opened", "err", err)
	}
	close(w.resumed)

	signal(w.rolled) // old files may have to go
	w.maintain()
}

// signal wakes the reader of a channel that holds one value.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Record writes an entry. When Record returns, the entry survives the end of this process. Only after the next sync
// does it also survive a loss of power.
func (w *Writer) Record(e Entry) {
	<-w.resumed
	w.mu.Lock() // held during the write, so that the rows are in the order of their hashes
	defer w.mu.Unlock()
	if w.closed {
		return
	}

	err := w.reportLost()
	if err == nil {
		err = w.append(e)
	}
	if err == nil {
		return
	}
	if w.lost == 0 {
		w.since = time.Now()
		w.log.Error("the journal cannot be written", "err", err)
	}
	w.lost++
}

var errNotOpen = errors.New("the journal is not open")

// reportLost writes a row about entries that were lost. The caller holds mu.
func (w *Writer) reportLost() error {
	if w.lost == 0 {
		return nil
	}
	const text = "Entries could not be written, because the disk was full or did not work."
	err := w.recordOwn(Lost, Failed, text, map[string]any{"entries": w.lost, "since": w.since.UTC()})
	if err != nil {
		return err
	}
	w.lost = 0
	return nil
}

// recordOwn writes a row about the journal itself. The caller holds mu.
func (w *Writer) recordOwn(name, outcome, text string, args map[string]any) error {
	raw, _ := json.Marshal(args)
	return w.append(Entry{Agent: w.agent, Name: name, Outcome: outcome, Error: text, Args: raw})
}

// append writes one row. The caller holds mu.
func (w *Writer) append(e Entry) error {
	if w.f == nil {
		return errNotOpen
	}
	row := newRow(e)
	if w.filled > 0 && (w.filled >= w.bounds.file() || row.Time.Sub(w.began) >= w.bounds.span()) {
		if err := w.roll(); err != nil {
			w.log.Warn("the journal goes on in the same file", "err", err)
		}
	}
	if w.torn {
		if err := w.f.Truncate(w.head.Size); err != nil {
			return err
		}
		w.torn = false
	}
	images := w.storeScreenshots(&row, e)

	row.Seq, row.Prev = w.head.Last+1, w.head.Hash
	text, hash, err := w.location.Key.encodeRow(row)
	if err != nil {
		return err
	}
	if n, err := w.f.WriteAt(text, w.head.Size); err != nil {
		w.torn = n > 0 && w.f.Truncate(w.head.Size) != nil
		return err
	}

	if w.filled == 0 {
		w.began = row.Time
	}
	w.filled += int64(len(text)) + images
	w.head.Last, w.head.Hash, w.head.Size = row.Seq, hash, w.head.Size+int64(len(text))
	signal(w.changed)
	return nil
}

// storeScreenshots writes the images of an entry, names them in its row, and returns their size. The caller holds mu.
func (w *Writer) storeScreenshots(row *Row, e Entry) (size int64) {
	for _, one := range []struct {
		image []byte
		name  *string
	}{{e.Before, &row.Before}, {e.Screenshot, &row.Screenshot}} {
		if len(one.image) == 0 {
			continue
		}
		name, written, err := w.location.storeScreenshot(w.head.File, one.image)
		if err != nil {
			w.log.Warn("a screenshot could not be stored", "err", err)
			continue
		}
		*one.name = name
		if written {
			size += int64(len(one.image))
		}
	}
	if row.Before != "" && !e.BeforeTime.IsZero() {
		at := e.BeforeTime.UTC()
		row.BeforeTime = &at
	}
	return size
}

// roll begins a new file. The caller holds mu.
func (w *Writer) roll() error {
	for number := w.head.File + 1; ; number++ {
		f, err := os.OpenFile(w.location.rowsFile(number), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
		if errors.Is(err, os.ErrExist) && number < w.head.File+1000 {
			continue // the file is not ours: Verify names it
		}
		if err != nil {
			return err
		}

		if w.f != nil {
			w.old = append(w.old, w.f)
		}
		w.f, w.torn, w.filled = f, false, 0
		w.head.File, w.head.Size = number, 0
		signal(w.rolled)
		return nil
	}
}

// Close writes everything to the disk and returns when that is done. Entries that are recorded later are dropped.
func (w *Writer) Close() {
	<-w.resumed
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return
	}
	_ = w.reportLost()
	w.closed, w.head.Closed = true, true
	w.mu.Unlock()

	close(w.done)
	<-w.ended
}
