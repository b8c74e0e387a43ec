package gate

import (
	"context"
	"sync"

	"github.com/coder/websocket"

	"cove/internal/cdp/mux"
)

// maxQueued is how many bytes a client may leave unread before it is dropped: two of the largest messages and some
// more.
var maxQueued = 256 << 20

// maxReason is what fits into the frame that closes a WebSocket.
const maxReason = 120

// socket is one client's WebSocket, and the mux.Sink of its connection. Because of its queue a client that stops
// reading does not hold up the others.
type socket struct {
	ws *websocket.Conn

	mu     sync.Mutex
	queue  []mux.Outgoing
	queued int    // bytes that are not written yet
	ending string // why nothing more will come; "" while it may
	// aborted says that what is queued is not written either.
	aborted bool
	wake    chan struct{}
}

func newSocket(ws *websocket.Conn) *socket {
	ws.SetReadLimit(-1)
	return &socket{ws: ws, wake: make(chan struct{}, 1)}
}

// Deliver queues a message. It never waits.
func (s *socket) Deliver(out mux.Outgoing) {
	s.mu.Lock()
	if s.ending != "" {
		s.mu.Unlock()
		return
	}
	if s.queued+out.Size() > maxQueued {
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
func (s *socket) End(reason string) {
	s.mu.Lock()
	if s.ending == "" {
		s.ending = reason
	}
	s.mu.Unlock()
	s.wakeWriter()
}

// abort closes the socket at once. What is queued is not written.
func (s *socket) abort(reason string) {
	s.mu.Lock()
	if s.ending == "" {
		s.ending, s.aborted, s.queue, s.queued = reason, true, nil, 0
	}
	s.mu.Unlock()
	s.wakeWriter()
}

func (s *socket) wakeWriter() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// writeQueue writes what is queued until the socket ends.
func (s *socket) writeQueue() {
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

// readNext reads the client's next message.
func (s *socket) readNext(b *budget) (incoming, error) {
	_, r, err := s.ws.Reader(context.Background())
	if err != nil {
		return incoming{}, err
	}
	return readMessage(r, b)
}
