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

// Journal is the journal of an open profile. Only its keeper writes it.
type Journal struct {
	place  Place
	bounds Bounds
	agent  policy.Agent // the keeper, for what the journal says of itself
	log    *slog.Logger

	mu     sync.Mutex
	f      *os.File // nil while it cannot be opened
	old    []*os.File
	head   head
	torn   bool      // the file ends with a part of a line that could not be taken back
	filled int64     // what the current file and its pictures hold
	began  time.Time // when the current file's first entry was written
	lost   int       // entries that could not be written
	since  time.Time // when the first of them was
	closed bool

	changed chan struct{} // the head has changed
	rolled  chan struct{} // a new file was begun
	done    chan struct{}
	ended   chan struct{}
}

// How often what is written behind the callers' backs is written.
const (
	headPause   = 100 * time.Millisecond
	syncPause   = 5 * time.Second
	shortenTime = time.Hour
)

// Open goes on with the journal at a place. It does not fail: what cannot be written is counted and told when it can.
func Open(p Place, b Bounds, version string, log *slog.Logger) *Journal {
	j := &Journal{place: p, bounds: b.orUsual(), agent: policy.Agent{Kind: Keeper, Name: "cove", Version: version}, log: log,
		changed: make(chan struct{}, 1), rolled: make(chan struct{}, 1), done: make(chan struct{}), ended: make(chan struct{})}
	j.mu.Lock()
	go func() { // nobody waits for it before there is something to write
		defer j.mu.Unlock()
		if err := j.resume(); err != nil {
			j.log.Error("the journal cannot be opened", "err", err)
		}
		wake(j.rolled)
		go j.tend()
	}()
	return j
}

func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Record writes an entry. When it returns, the entry outlives this process.
func (j *Journal) Record(e Entry) {
	j.mu.Lock() // Across a write: the order of the lines is that of their hashes.
	defer j.mu.Unlock()
	if j.closed {
		return
	}
	err := j.catchUp()
	if err == nil {
		err = j.append(e)
	}
	if err == nil {
		return
	}
	if j.lost == 0 {
		j.since = time.Now()
		j.log.Error("the journal cannot be written", "err", err)
	}
	j.lost++
}

var errNotOpen = errors.New("the journal is not open")

// catchUp tells of what was lost.
func (j *Journal) catchUp() error {
	if j.lost == 0 {
		return nil
	}
	if err := j.note(Lost, Failed, "Entries could not be written, because the disk was full or did not work.", map[string]any{"entries": j.lost, "since": j.since.UTC()}); err != nil {
		return err
	}
	j.lost = 0
	return nil
}

// note writes an entry of the journal's own.
func (j *Journal) note(name, outcome, text string, args map[string]any) error {
	raw, _ := json.Marshal(args)
	return j.append(Entry{Agent: j.agent, Name: name, Outcome: outcome, Error: text, Args: raw})
}

// append writes one line; the caller holds mu.
func (j *Journal) append(e Entry) error {
	if j.f == nil {
		return errNotOpen
	}
	l := newLine(e)
	if j.filled > 0 && (j.filled >= j.bounds.file() || l.Time.Sub(j.began) >= j.bounds.span()) {
		if err := j.roll(); err != nil {
			j.log.Warn("the journal goes on in the same file", "err", err)
		}
	}
	if j.torn {
		if err := j.f.Truncate(j.head.Size); err != nil {
			return err
		}
		j.torn = false
	}
	if len(e.Picture) > 0 {
		var err error
		if l.Picture, err = j.place.putPicture(j.head.File, e.Picture); err != nil {
			j.log.Warn("a picture could not be kept", "err", err)
		}
	}
	l.Seq, l.Prev = j.head.Last+1, j.head.Hash
	text, hash, err := j.place.Key.write(l)
	if err != nil {
		return err
	}
	if n, err := j.f.WriteAt(text, j.head.Size); err != nil {
		j.torn = n > 0 && j.f.Truncate(j.head.Size) != nil
		return err
	}
	if j.filled == 0 {
		j.began = l.Time
	}
	j.filled += int64(len(text) + len(e.Picture))
	j.head.Last, j.head.Hash, j.head.Size = l.Seq, hash, j.head.Size+int64(len(text))
	wake(j.changed)
	return nil
}

// roll begins a new file; the caller holds mu.
func (j *Journal) roll() error {
	for number := j.head.File + 1; ; number++ {
		f, err := os.OpenFile(j.place.file(number), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
		if errors.Is(err, os.ErrExist) && number < j.head.File+1000 {
			continue // not ours: verify names it
		}
		if err != nil {
			return err
		}
		if j.f != nil {
			j.old = append(j.old, j.f)
		}
		j.f, j.torn, j.filled = f, false, 0
		j.head.File, j.head.Size = number, 0
		wake(j.rolled)
		return nil
	}
}

// Close writes everything to the disk. What is recorded later is forgotten.
func (j *Journal) Close() {
	j.mu.Lock()
	if j.closed {
		j.mu.Unlock()
		return
	}
	_ = j.catchUp()
	j.closed, j.head.Closed = true, true
	j.mu.Unlock()
	close(j.done)
	<-j.ended
}
