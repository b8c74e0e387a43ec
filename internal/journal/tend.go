package journal

import (
	"os"
	"time"
)

// tend writes the head, waits for the disk and removes what is too old, until Close. Nobody else writes the head meanwhile.
func (j *Journal) tend() {
	defer close(j.ended)
	sync := time.NewTicker(syncPause)
	defer sync.Stop()
	shorten := time.NewTicker(shortenTime)
	defer shorten.Stop()
	for {
		select {
		case <-j.changed:
			j.writeHead()
			select {
			case <-time.After(headPause):
			case <-j.done:
			}
		case <-sync.C:
			j.look()
			j.sync()
		case <-j.rolled:
			j.shorten(time.Now())
		case <-shorten.C:
			j.shorten(time.Now())
		case <-j.done:
			j.sync()
			j.mu.Lock()
			defer j.mu.Unlock()
			if j.f != nil {
				_ = j.f.Close()
				j.f = nil
			}
			return
		}
	}
}

func (j *Journal) writeHead() {
	j.mu.Lock()
	h, open := j.head, j.f != nil
	j.mu.Unlock()
	if !open {
		return
	}
	if err := h.write(j.place, false); err != nil {
		j.log.Warn("the journal's head could not be written", "err", err)
	}
}

// sync waits until the disk has what was written, then writes a head that says so.
func (j *Journal) sync() {
	j.mu.Lock()
	h, f, old := j.head, j.f, j.old
	j.old = nil
	j.mu.Unlock()
	for _, o := range old {
		_ = o.Sync()
		_ = o.Close()
	}
	if f == nil || (h.Synced == h.Last && len(old) == 0 && !h.Closed) {
		return
	}
	if err := f.Sync(); err != nil {
		j.log.Warn("the journal did not reach the disk", "err", err)
		return
	}
	h.Synced = h.Last
	j.mu.Lock()
	j.head.Synced = h.Synced
	j.mu.Unlock()
	if err := h.write(j.place, true); err != nil {
		j.log.Warn("the journal's head could not be written", "err", err)
	}
}

// look opens what could not be opened, tells of what was lost, and sees whether the file is still the one that was written.
func (j *Journal) look() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return
	}
	if j.f == nil {
		if err := j.resume(); err != nil {
			return
		}
	}
	if err := j.catchUp(); err != nil {
		return
	}
	mine, err := j.f.Stat()
	if err != nil || j.torn {
		return
	}
	if there, err := os.Stat(j.place.file(j.head.File)); err == nil && os.SameFile(mine, there) && there.Size() == j.head.Size {
		return
	}
	if err := j.gap("The file that was being written was changed or removed."); err != nil {
		j.log.Error("the journal cannot be written", "err", err)
	}
}
