package gate

import (
	"context"
	"fmt"
	"sync"

	"github.com/coder/websocket"

	"cove/internal/cdp"
)

// maxQueued is what a client may leave unread before it is dropped: two of the largest messages and some more.
var maxQueued = 256 << 20

// maxReason is what fits into the frame that closes a WebSocket.
const maxReason = 120

// socket is one client's WebSocket. Its queue keeps a client that stops reading from holding up the others.
type socket struct {
	ws *websocket.Conn

	mu     sync.Mutex
	queue  []outgoing
	queued int
	ending string // why nothing more will come; "" while it may
	// dropped: nor does what was on its way.
	dropped bool
	wake    chan struct{}
	// last is what every message goes through; nil for nothing.
	last edit
}

// outgoing is a message to the client. What is hidden from it is taken out where it is written: reading a large message takes a while.
type outgoing struct {
	raw  []byte
	edit edit
}

// edit takes out of a message what its client may not see; nil drops it.
type edit func(raw []byte) []byte

func newSocket(ws *websocket.Conn) *socket {
	ws.SetReadLimit(-1)
	return &socket{ws: ws, wake: make(chan struct{}, 1)}
}

// Deliver queues a message; it never waits.
func (s *socket) Deliver(raw []byte) { s.deliver(raw, nil) }

func (s *socket) deliver(raw []byte, e edit) {
	s.mu.Lock()
	if s.ending != "" {
		s.mu.Unlock()
		return
	}
	if s.queued+len(raw) > maxQueued {
		s.ending, s.queue, s.queued = "slow", nil, 0
		s.mu.Unlock()
		_ = s.ws.CloseNow()
		return
	}
	s.queue = append(s.queue, outgoing{raw, e})
	s.queued += len(raw)
	s.mu.Unlock()
	s.signal()
}

// End lets what is queued go out, then closes.
func (s *socket) End(reason string) {
	s.mu.Lock()
	if s.ending == "" {
		s.ending = reason
	}
	s.mu.Unlock()
	s.signal()
}

// cut closes at once: what is queued does not go out any more.
func (s *socket) cut(reason string) {
	s.mu.Lock()
	if s.ending == "" {
		s.ending, s.dropped, s.queue, s.queued = reason, true, nil, 0
	}
	s.mu.Unlock()
	s.signal()
}

func (s *socket) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// write sends what is queued until the socket ends.
func (s *socket) write() {
	for {
		s.mu.Lock()
		batch, ending := s.queue, s.ending
		s.queue = nil
		s.mu.Unlock()
		for _, out := range batch {
			raw := out.raw
			if out.edit != nil {
				raw = out.edit(raw)
			}
			if raw != nil && s.last != nil {
				raw = s.last(raw)
			}
			// Without a deadline of its own: a client may stop at a breakpoint. Deliver ends it when too much waits.
			if raw != nil && s.ws.Write(context.Background(), websocket.MessageText, raw) != nil {
				s.End("the client has gone")
				_ = s.ws.CloseNow()
				return
			}
			s.mu.Lock()
			s.queued -= len(out.raw)
			dropped := s.dropped
			s.mu.Unlock()
			if dropped {
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

// read passes the client's commands on until it goes.
func (s *socket) read(v *visit) {
	defer s.End("the client has gone")
	for {
		in, err := s.next(v.server.unfinished)
		if in.over > 0 {
			v.server.finished(in.over, 0)
		}
		if err != nil {
			_ = s.ws.CloseNow() // nobody is left to write to
			return
		}
		if in.over > 0 {
			v.client.refuseLarge(in)
			continue
		}
		if v.take(in.raw, in.held) != nil {
			return
		}
	}
}

func (s *socket) next(b *budget) (incoming, error) {
	_, r, err := s.ws.Reader(context.Background())
	if err != nil {
		return incoming{}, err
	}
	return readMessage(r, b)
}

// tailWriter keeps the last bytes of what is written.
type tailWriter struct{ last []byte }

func (t *tailWriter) Write(p []byte) (int, error) {
	const most = 4 << 10
	t.last = append(t.last, p...)
	if n := len(t.last); n > most {
		t.last = append(t.last[:0], t.last[n-most:]...)
	}
	return len(p), nil
}

// refuseLarge answers a command that the browser's pipe would not survive, or for which there is no room now.
func (c *Client) refuseLarge(in incoming) {
	text := fmt.Sprintf("The message has %d bytes; the largest that Cove passes on is %d (96 MiB). Send it in parts.", in.over, cdp.MaxMessage)
	if in.crowded {
		text = fmt.Sprintf("The message of %d bytes was not taken: the programs of this profile have too many large ones under way. Send it again when they have ended, or in parts.", in.over)
	}
	c.answer(cdp.ParseEnds(in.raw), map[string]any{"error": cdp.Error{Code: codeInvalid, Message: text}})
}
