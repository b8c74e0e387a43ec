package keeper

import (
	"bytes"
	"runtime/debug"
	"slices"
	"sync"

	"cove/internal/cdp"
	"cove/internal/cdp/mux"
)

// tap is our own connection to the browser. What comes is read in a goroutine of its own, so that a large message to us holds up
// nobody else.
type tap struct {
	client *mux.Client
	conn   *cdp.Conn
	ready  chan struct{}

	mu      sync.Mutex
	queue   [][]byte
	chatter int // console messages in the queue
	ended   bool
	wake    chan struct{}
}

func newTap() *tap { return &tap{ready: make(chan struct{}), wake: make(chan struct{}, 1)} }

func (t *tap) open(c *mux.Client, conn *cdp.Conn) {
	t.client, t.conn = c, conn
	close(t.ready)
	go t.read()
}

func (t *tap) send(raw []byte) error {
	<-t.ready
	return t.client.Send(raw)
}

// Deliver and End make it a mux.Sink.
func (t *tap) Deliver(out mux.Outgoing) {
	raw := out.Bytes()
	t.mu.Lock()
	t.queue = append(t.queue, raw)
	if chatter(raw) {
		t.chatter++
		t.thin()
	}
	t.mu.Unlock()
	t.signal()
}

// maxChatter is how many console messages may wait: a page that logs without end would delay the answers for all others.
const maxChatter = 2000

// thin drops the older half of the console messages that wait, when there are too many; the caller holds mu.
func (t *tap) thin() {
	if t.chatter <= maxChatter {
		return
	}
	dropped := 0
	t.queue = slices.DeleteFunc(t.queue, func(raw []byte) bool {
		drop := dropped < maxChatter/2 && chatter(raw)
		if drop {
			dropped++
		}
		return drop
	})
	t.chatter -= dropped
}

// chatter tells whether a message is one of those that a page can send without end and that nobody waits for.
func chatter(raw []byte) bool {
	return bytes.Contains(raw[:min(len(raw), 120)], []byte(`"Runtime.consoleAPICalled"`))
}

func (t *tap) End(string) {
	t.mu.Lock()
	t.ended = true
	t.mu.Unlock()
	t.signal()
}

func (t *tap) signal() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// largeMessage leaves so much behind that it is given back at once.
const largeMessage = 8 << 20

func (t *tap) read() {
	for {
		t.mu.Lock()
		batch, ended := t.queue, t.ended
		t.queue, t.chatter = nil, 0
		t.mu.Unlock()
		large := false
		for i, raw := range batch {
			t.conn.Receive(raw)
			large = large || len(raw) > largeMessage
			batch[i] = nil
		}
		if large {
			debug.FreeOSMemory()
		}
		if len(batch) > 0 {
			continue
		}
		if ended {
			t.conn.Close()
			return
		}
		<-t.wake
	}
}
