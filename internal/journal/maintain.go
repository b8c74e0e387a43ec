package journal

import (
	"os"
	"time"
)

// maintain writes the head, syncs the disk and removes old files, until Close. No other goroutine writes the head.
func (w *Writer) maintain() {
	sync := time.NewTicker(syncPause)
	defer sync.Stop()
	shorten := time.NewTicker(shortenTime)
	defer shorten.Stop()
	for {
		select {
		case <-w.changed:
			w.writeHead()
			select {
			case <-time.After(headPause):
			case <-w.done:
			}
		case <-sync.C:
			w.inspect()
			w.sync()
		case <-w.rolled:
			w.shorten(time.Now())
		case <-shorten.C:
			w.shorten(time.Now())
		case <-w.done:
			w.sync()
			w.mu.Lock()
			defer w.mu.Unlock()
			if w.f != nil {
				_ = w.f.Close()
				w.f = nil
			}
			return
		}
	}
}

func (w *Writer) writeHead() {
	w.mu.Lock()
	h, open := w.head, w.f != nil
	w.mu.Unlock()
	if !open {
		return
	}
	if err := h.write(w.location, false); err != nil {
		w.log.Warn("the journal's head could not be written", "err", err)
	}
}

// sync waits until all rows are on the disk, then writes a head that says so.
func (w *Writer) sync() {
	w.mu.Lock()
	h, f, old := w.head, w.f, w.old
	w.old = nil
	w.mu.Unlock()

	for _, o := range old {
		_ = o.Sync()
		_ = o.Close()
	}
	if f == nil || (h.Synced == h.Last && len(old) == 0 && !h.Closed) {
		return
	}
	if err := f.Sync(); err != nil {
		w.log.Warn("the journal did not reach the disk", "err", err)
		return
	}

	h.Synced = h.Last
	w.mu.Lock()
	w.head.Synced = h.Synced
	w.mu.Unlock()
	if err := h.write(w.location, true); err != nil {
		w.log.Warn("the journal's head could not be written", "err", err)
	}
}

// inspect opens a journal that could not be opened before, reports lost entries, and checks that the file is still
// the one that was written.
func (w *Writer) inspect() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	if w.f == nil {
		if err := w.resume(); err != nil {
			return
		}
	}
	if err := w.reportLost(); err != nil {
		return
	}

	mine, err := w.f.Stat()
	if err != nil || w.torn {
		return
	}
	there, err := os.Stat(w.location.rowsFile(w.head.File))
	if err == nil && os.SameFile(mine, there) && there.Size() == w.head.Size {
		return
	}
	if err := w.gap("The file that was being written was changed or removed."); err != nil {
		w.log.Error("the journal cannot be written", "err", err)
	}
}
