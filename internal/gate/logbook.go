package gate

import (
	"encoding/json"
	"sync"
	"time"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/journal"
	"cove/internal/policy"
)

// logbook writes one program's doings into the journal, in a goroutine of its own: neither the program's commands nor the browser's
// pipe wait for the disk. What only looks is counted and written once a second. nil writes nothing.
type logbook struct {
	journal journal.Recorder
	seat    *policy.Admission

	mu      sync.Mutex
	entries []journal.Entry
	looks   map[string]int
	over    bool
	wake    chan struct{}
	room    *sync.Cond
	written chan struct{}
}

// maxEntries is how many entries may wait for the disk before the program's next command waits too.
const maxEntries = 1000

// openLog begins a program's log; known is closed when it is known who the program is.
func (s *Server) openLog(seat *policy.Admission, known <-chan struct{}) *logbook {
	if s.rules.Journal == nil {
		return nil
	}
	l := &logbook{journal: s.rules.Journal, seat: seat, looks: map[string]int{}, wake: make(chan struct{}, 1), written: make(chan struct{})}
	l.room = sync.NewCond(&l.mu)
	l.add(journal.Entry{Name: "connected", Outcome: "ok"})
	go l.write(known)
	return l
}

// add queues an entry; it never waits.
func (l *logbook) add(e journal.Entry) {
	if e.Time.IsZero() {
		e.Time = time.Now()
	}
	e.Time = e.Time.UTC()
	l.mu.Lock()
	l.entries = append(l.entries, e)
	l.mu.Unlock()
	l.signal()
}

func (l *logbook) signal() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// look counts a command that changes nothing.
func (l *logbook) look(method string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.looks[method]++
}

// makeRoom waits while too much waits for the disk.
func (l *logbook) makeRoom() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.entries) >= maxEntries && !l.over {
		l.room.Wait()
	}
}

// close writes what is left and the end.
func (l *logbook) close() {
	if l == nil {
		return
	}
	l.mu.Lock()
	l.tally()
	l.mu.Unlock()
	l.add(journal.Entry{Name: "disconnected", Outcome: "ok"})
	l.mu.Lock()
	l.over = true
	l.mu.Unlock()
	l.signal()
	<-l.written
}

// tally turns the counts into an entry; the caller holds mu.
func (l *logbook) tally() {
	if len(l.looks) == 0 {
		return
	}
	args, _ := json.Marshal(l.looks)
	l.entries = append(l.entries, journal.Entry{Time: time.Now().UTC(), Name: "looked", Args: args, Outcome: "ok"})
	l.looks = map[string]int{}
}

func (l *logbook) write(known <-chan struct{}) {
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
			l.tally()
		}
		entries, over := l.entries, l.over
		l.entries = nil
		l.mu.Unlock()
		l.room.Broadcast()
		agent := l.seat.Agent()
		for _, e := range entries {
			e.Agent = agent
			l.journal.Record(e)
		}
		if over {
			return
		}
	}
}

// step is one command on its way: what its answer is for.
type step struct {
	visit   *visit
	method  string
	session string
	hide    hiding
	strict  bool // the page may be closed to the program by the time of the answer

	logged bool
	entry  journal.Entry
}

// begin notes a command for the journal; nil when nothing is to be done about its answer.
func (v *visit) begin(q *question, reads bool) *step {
	if v.log == nil {
		return nil
	}
	if reads || q.moves() {
		v.log.look(q.method)
		return nil
	}
	return &step{visit: v, method: q.method, logged: true,
		entry: journal.Entry{Time: time.Now(), Name: q.method, Args: brief(q.raw), Page: q.mux.place(q.session).URL}}
}

func (s *step) record(outcome, text string) {
	if s == nil || !s.logged {
		return
	}
	s.logged = false
	s.entry.Outcome, s.entry.Error, s.entry.Took = outcome, text, time.Since(s.entry.Time)
	s.visit.log.add(s.entry)
}

// done tells that it was done; text is the browser's error, if any.
func (s *step) done(text string) {
	if text == "" {
		s.record("ok", "")
	} else {
		s.record("error", text)
	}
}

func (s *step) refused(err error) { s.record("refused", fault.From(err).Text) }

// lost tells that there will be no answer any more.
func (s *step) lost() { s.record("error", "no answer came before the page or the program had gone") }

// answered follows the browser's answer; what it returns takes out what the program may not see.
func (s *step) answered(msg cdp.Message, id int32) edit {
	if s.logged {
		s.done(failure(msg))
	}
	if !s.strict {
		return nil
	}
	book := s.visit.server.rules.Enforcer.Rules()
	if r := methods()[s.method]; !r.anywhere {
		if err := closed(book, s.visit.client.mux.place(s.session).URL); err != nil {
			session := msg.Session()
			if session == s.visit.client.session {
				session = ""
			}
			return func([]byte) []byte { return refusal(id, session, err) }
		}
	}
	return s.hide.edit(book, "result")
}

// failure is the error that an answer tells; "" when it has a result.
func failure(msg cdp.Message) string {
	if !msg.Failed() {
		return ""
	}
	var r struct {
		Error cdp.Error `json:"error"`
	}
	if json.Unmarshal(msg.Raw(), &r) != nil || r.Error.Message == "" {
		return "error"
	}
	return shorten(r.Error.Message, maxText)
}

// refusal is the answer of the gate in the place of the browser's.
func refusal(id int32, session string, err error) []byte {
	raw, _ := json.Marshal(struct {
		ID      int32     `json:"id"`
		Error   cdp.Error `json:"error"`
		Session string    `json:"sessionId,omitempty"`
	}{id, cdp.Error{Code: codeRefused, Message: sentence(err)}, session})
	return raw
}
