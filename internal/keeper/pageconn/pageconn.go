// Package pageconn connects the tools to the browser, as one client of the multiplexer.
package pageconn

import (
	"bytes"
	"runtime/debug"
	"slices"
	"sync"

	"cove/internal/cdp"
	"cove/internal/cdp/mux"
)

// Conn is the connection of the tools. A goroutine of its own reads the messages, so that a large one delays no other
// client. It is a mux.Sink; Open begins the reading, and the end of the browser ends it.
type Conn struct {
	client *mux.Client
	conn   *cdp.Conn
	ready  chan struct{}

	mu      sync.Mutex
	queue   [][]byte
	chatter int // number of console messages in the queue
	ended   bool
	wake    chan struct{}
}

// New returns a connection that is not open yet: commands wait for Open.
func New() *Conn {
	return &Conn{ready: make(chan struct{}), wake: make(chan struct{}, 1)}
}

// Open sends the commands that wait to client, and passes what client delivers to conn.
func (c *Conn) Open(client *mux.Client, conn *cdp.Conn) {
	c.client, c.conn = client, conn
	close(c.ready)
	go c.read()
}

// Send sends a command. It waits until the connection is open.
func (c *Conn) Send(raw []byte) error {
	<-c.ready
	return c.client.Send(raw)
}

// Deliver queues a message of the browser. Deliver and End make Conn a mux.Sink.
func (c *Conn) Deliver(out mux.Outgoing) {
	raw := out.Bytes()

	c.mu.Lock()
	c.queue = append(c.queue, raw)
	if isChatter(raw) {
		c.chatter++
		c.thin()
	}
	c.mu.Unlock()
	c.signal()
}

// maxChatter bounds the console messages in the queue: a page that logs without end would delay the answers for all
// others.
const maxChatter = 2000

// thin drops the older half of the console messages in the queue when there are too many. The caller holds mu.
func (c *Conn) thin() {
	if c.chatter <= maxChatter {
		return
	}
	dropped := 0
	c.queue = slices.DeleteFunc(c.queue, func(raw []byte) bool {
		drop := dropped < maxChatter/2 && isChatter(raw)
		if drop {
			dropped++
		}
		return drop
	})
	c.chatter -= dropped
}

// isChatter reports whether a page can send such messages without end, and nobody waits for them.
func isChatter(raw []byte) bool {
	return bytes.Contains(raw[:min(len(raw), 120)], []byte(`"Runtime.consoleAPICalled"`))
}

// End is called when the browser, or its multiplexer, is gone.
func (c *Conn) End(string) {
	c.mu.Lock()
	c.ended = true
	c.mu.Unlock()
	c.signal()
}

func (c *Conn) signal() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// largeMessage is a size whose memory is returned to the system at once.
const largeMessage = 8 << 20

func (c *Conn) read() {
	for {
		c.mu.Lock()
		batch, ended := c.queue, c.ended
		c.queue, c.chatter = nil, 0
		c.mu.Unlock()
		large := false
		for i, raw := range batch {
			c.conn.Receive(raw)
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
			c.conn.Close()
			return
		}
		<-c.wake
	}
}
