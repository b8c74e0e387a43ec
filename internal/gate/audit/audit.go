// Package audit records in the journal what one program does with the browser.
package audit

import (
	"encoding/json"
	"sync"
	"time"

	"cove/internal/journal"
	"cove/internal/policy"
)

// Log records what one program does. It writes in a goroutine of its own, so that neither the program's commands nor
// the browser's pipe wait for the disk. Commands that only read are counted and recorded once a second. Open begins a
// Log and Close ends it. Without a journal, Open returns nil, and only AwaitRoom and Close may be called on a nil Log.
// All methods may be called from any goroutine.
type Log struct {
	journal   journal.Recorder
	admission *policy.Admission

	mu      sync.Mutex
	entries []journal.Entry
	reads   map[string]int // by method, since the last entry about them
	closed  bool
	wake    chan struct{}
	room    *sync.Cond
	written chan struct{}
}

// maxEntries is how many entries may wait for the disk before the program's next command waits too.
const maxEntries = 1000

// Open begins a program's log. known is closed when it is known who the program is, or will not be known in time. The
// log writes nothing before.
func Open(j journal.Recorder, admission *policy.Admission, known <-chan struct{}) *Log {
	if j == nil {
		return nil
	}

	l := &Log{journal: j, admission: admission, reads: map[string]int{},
		wake: make(chan struct{}, 1), written: make(chan struct{})}
	l.room = sync.NewCond(&l.mu)
	l.Add(journal.Entry{Name: "connected", Outcome: "ok"})
	go l.writeEntries(known)

	return l
}

// Add queues an entry. It never waits.
func (l *Log) Add(e journal.Entry) {
	if e.Time.IsZero() {
		e.Time = time.Now()
	}
	e.Time = e.Time.UTC()
	l.mu.Lock()
	l.entries = append(l.entries, e)
	l.mu.Unlock()
	l.wakeUp()
}

func (l *Log) wakeUp() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// CountRead counts a command that changes nothing.
func (l *Log) CountRead(method string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reads[method]++
}

// AwaitRoom waits while too many entries wait for the disk.
func (l *Log) AwaitRoom() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.entries) >= maxEntries && !l.closed {
		l.room.Wait()
	}
}

// Close records the end and returns when everything is written.
func (l *Log) Close() {
	if l == nil {
		return
	}

	l.mu.Lock()
	l.addReads()
	l.mu.Unlock()
	l.Add(journal.Entry{Name: "disconnected", Outcome: "ok"})
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.wakeUp()
	<-l.written
}

// addReads turns the counts into an entry. The caller holds mu.
func (l *Log) addReads() {
	if len(l.reads) == 0 {
		return
	}

	args, _ := json.Marshal(l.reads)
	l.entries = append(l.entries, journal.Entry{Time: time.Now().UTC(), Name: "looked", Args: args, Outcome: "ok"})
	l.reads = map[string]int{}
}

// writeEntries passes entries to the journal until the log is closed.
func (l *Log) writeEntries(known <-chan struct{}) {
	defer close(l.written)
	<-known
	tick := time.NewTicker(time.Second)
	defer tick.Stop()

	for {
		ticked := false
		select {
		case <-l.wake:
		case <-tick.C:
			ticked = true
		}

		l.mu.Lock()
		if ticked {
			l.addReads()
		}
		entries, closed := l.entries, l.closed
		l.entries = nil
		l.mu.Unlock()
		l.room.Broadcast()

		agent := l.admission.Agent()
		for _, e := range entries {
			e.Agent, e.Session = agent, l.admission.Session()
			l.journal.Record(e)
		}
		if closed {
			return
		}
	}
}
