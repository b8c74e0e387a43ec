// Package socket is the WebSocket of one client of the gate: it reads messages within a budget of bytes that all
// clients share, and queues what the client has not read yet.
package socket

import (
	"context"
	"sync"

	"github.com/coder/websocket"

	"cove/internal/cdp/mux"
)

// MaxUnread is how many bytes a client may leave unread before it is dropped: two of the largest messages and some
// more.
const MaxUnread = 256 << 20

// maxReason is what fits into the frame that closes a WebSocket.
const maxReason = 120

// Socket is one client's WebSocket, and the mux.Sink of its connection. Because of its queue a client that stops
// reading does not hold up the others. One goroutine runs WriteQueue, one calls ReadNext; the other methods may be
// called from any goroutine.
type Socket struct {
	ws        *websocket.Conn
	maxUnread int

	mu     sync.Mutex
	queue  []mux.Outgoing
	queued int    // bytes that are not written yet
	ending string // why no more messages are queued; "" while they are
	// aborted says that messages that are already queued are not written either.
	aborted bool
	wake    chan struct{}
}

// New returns a Socket that drops its client when more than maxUnread bytes wait for it.
func New(ws *websocket.Conn, maxUnread int) *Socket {
	ws.SetReadLimit(-1) // ReadNext has limits of its own
	return &Socket{ws: ws, maxUnread: maxUnread, wake: make(chan struct{}, 1)}
}

// Deliver queues a message. It never waits: it drops a client that leaves too much unread.
func (s *Socket) Deliver(out mux.Outgoing) {
	s.mu.Lock()
	if s.ending != "" {
		s.mu.Unlock()
		return
	}
	if s.queued+out.Size() > s.maxUnread {
		s.ending, s.queue, s.queued = "slow", nil, 0
		s.mu.Unlock()
		_ = s.ws.CloseNow()
		return
	}
	s.queue = append(s.queue, out)
	s.queued += out.Size()
	s.mu.Unlock()
	s.wakeWriter()
}

// End closes the socket after everything that is queued is written.
func (s *Socket) End(reason string) {
	s.mu.Lock()
	if s.ending == "" {
		s.ending = reason
	}
	s.mu.Unlock()
	s.wakeWriter()
}

// Abort closes the socket without writing what is queued.
func (s *Socket) Abort(reason string) {
	s.mu.Lock()
	if s.ending == "" {
		s.ending, s.aborted, s.queue, s.queued = reason, true, nil, 0
	}
	s.mu.Unlock()
	s.wakeWriter()
}

func (s *Socket) wakeWriter() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// WriteQueue writes what is queued until the socket ends.
func (s *Socket) WriteQueue() {
	for {
		s.mu.Lock()
		batch, ending := s.queue, s.ending
		s.queue = nil
		s.mu.Unlock()
		for _, out := range batch {
			// The write has no deadline: a client may stop at a breakpoint. Deliver ends it when too much is queued.
			raw := out.Bytes()
			if raw != nil && s.ws.Write(context.Background(), websocket.MessageText, raw) != nil {
				s.End("the client has gone")
				_ = s.ws.CloseNow()
				return
			}
			s.mu.Lock()
			s.queued -= out.Size()
			aborted := s.aborted
			s.mu.Unlock()
			if aborted {
				break
			}
		}
		if len(batch) > 0 {
			continue
		}
		if ending != "" {
			_ = s.ws.Close(websocket.StatusGoingAway, ending[:min(len(ending), maxReason)])
			return
		}
		<-s.wake
	}
}

// ReadNext reads the client's next message.
func (s *Socket) ReadNext(b *Budget) (Message, error) {
	_, r, err := s.ws.Reader(context.Background())
	if err != nil {
		return Message{}, err
	}
	return readMessage(r, b)
}

// CloseNow closes the socket without a last message: nobody is there to read one.
func (s *Socket) CloseNow() { _ = s.ws.CloseNow() }
