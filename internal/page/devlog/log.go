// Package devlog records a tab's console messages and network requests, as DevTools shows them. It keeps only the last
// ones, bounded in number and in bytes, since pages log and request without end.
package devlog

import (
	"context"
	"slices"
	"sync"
)

type object = map[string]any

// Caller sends a command to a session of the tab.
type Caller interface {
	Call(ctx context.Context, session, method string, params, result any) error
}

// Log is the event log of one tab. It lives as long as its tab. Navigated, ConsoleEvent and NetworkEvent are called
// from one goroutine, in the order of the events; all other methods may be called from any. They return copies, which
// later events do not change.
type Log struct {
	caller Caller
	main   string // the main frame
	redact func(string) string

	mu       sync.Mutex
	private  bool // what happens now is the person's
	visit    int  // numbers the documents of the main frame
	said     int  // messages so far
	messages bounded[Message]
	sent     int // requests so far
	requests bounded[*Request]
	byWire   map[string]*Request // the last request of each wire id
	frames   bounded[Frame]      // the messages of WebSockets
	posts    map[string]bool     // by loader: documents that came as the answer to a form
	clocks   clocks
}

// New returns the log of a tab whose main frame has the id main. redact removes secrets from headers and bodies before
// they are cut.
func New(caller Caller, main string, redact func(string) string) *Log {
	return &Log{caller: caller, main: main, redact: redact, byWire: map[string]*Request{}, posts: map[string]bool{},
		clocks: clocks{}}
}

// SetPrivate says whether what happens in the tab is the person's own: nobody can read it afterwards.
func (l *Log) SetPrivate(on bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.private = on
}

// preservedVisits is how many documents back Messages and Requests can look.
const preservedVisits = 3

// Navigated records that another document has come to the main frame. The document's own request, and all after it,
// belong to the new document.
func (l *Log) Navigated(loader string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.visit++
	from := slices.IndexFunc(l.requests.all, func(r *Request) bool { return r.wire == loader })
	for i := from; i >= 0 && i < len(l.requests.all); i++ {
		l.requests.all[i].visit = l.visit
	}
}

// since returns the first visit that Messages and Requests list. The caller has locked mu.
func (l *Log) since(preserved bool) int {
	if preserved {
		return l.visit - preservedVisits
	}
	return l.visit
}

// bounded is a list that drops about its oldest quarter when it becomes too long or too large.
type bounded[T interface{ size() int }] struct {
	all   []T
	bytes int // the size of all elements
}

// add appends one element and calls drop for each element that it drops. It drops a quarter at once, so that it rarely
// has to.
func (b *bounded[T]) add(one T, most, mostBytes int, drop func(T)) {
	b.bytes += one.size()
	b.all = append(b.all, one)
	if len(b.all) <= most && b.bytes <= mostBytes {
		return
	}

	old := 0
	for from := b.bytes; old < len(b.all)-1 && (old < len(b.all)/4 || b.bytes > from*3/4); old++ {
		b.bytes -= b.all[old].size()
		drop(b.all[old])
	}
	b.all = slices.Delete(b.all, 0, old)
}
