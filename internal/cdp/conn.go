package cdp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
)

// Error is what the browser answers instead of a result.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }

// ErrClosed says that the browser is gone.
var ErrClosed = errors.New("the browser has closed the connection")

// Event is what the browser says unasked.
type Event struct {
	Method  string
	Session string
	Params  json.RawMessage
}

// Conn is one protocol connection of ours, with as many sessions as it attaches to.
type Conn struct {
	send    func(raw []byte) error
	onEvent func(Event)

	mu      sync.Mutex
	next    int32
	pending map[int32]waiting
	closed  bool
}

// waiting is a command that has no answer yet.
type waiting struct {
	session string
	answer  chan<- reply
}

type reply struct {
	result json.RawMessage
	err    error
}

// NewConn sends through send; whoever receives for it calls Receive and Close. onEvent is called in order and must not wait.
func NewConn(send func(raw []byte) error, onEvent func(Event)) *Conn {
	return &Conn{send: send, onEvent: onEvent, pending: map[int32]waiting{}}
}

type request struct {
	ID      int32  `json:"id"`
	Method  string `json:"method"`
	Params  any    `json:"params,omitempty"`
	Session string `json:"sessionId,omitempty"`
}

// Pending is a command that was sent; Wait takes its answer.
type Pending struct {
	conn   *Conn
	id     int32
	method string
	answer chan reply
}

// Start sends one command and does not wait: commands reach the browser in the order in which they are started.
func (c *Conn) Start(session, method string, params any) *Pending {
	p := &Pending{conn: c, method: method, answer: make(chan reply, 1)}
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		p.answer <- reply{err: ErrClosed}
		return p
	}
	c.next++
	p.id = c.next
	c.pending[p.id] = waiting{session, p.answer}
	c.mu.Unlock()

	raw, err := json.Marshal(request{p.id, method, params, session})
	if err == nil {
		err = c.send(raw)
	}
	if err != nil && c.forget(p.id) { // Close may have answered it meanwhile
		p.answer <- reply{err: err}
	}
	return p
}

// Wait waits for the answer, no longer than ctx.
func (p *Pending) Wait(ctx context.Context, result any) error {
	defer p.conn.forget(p.id)
	select {
	case r := <-p.answer:
		if r.err != nil {
			return fmt.Errorf("%s: %w", p.method, r.err)
		}
		switch out := result.(type) {
		case nil:
			return nil
		case *json.RawMessage: // whoever wants it as it came does not pay for reading it
			*out = r.result
			return nil
		}
		return json.Unmarshal(r.result, result)
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", p.method, context.Cause(ctx))
	}
}

// Call sends one command and waits for its answer, no longer than ctx.
func (c *Conn) Call(ctx context.Context, session, method string, params, result any) error {
	return c.Start(session, method, params).Wait(ctx, result)
}

// forget takes a command off the list; true when nobody has answered it.
func (c *Conn) forget(id int32) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, waiting := c.pending[id]
	delete(c.pending, id)
	return waiting
}

// Receive takes one message for this connection.
func (c *Conn) Receive(raw []byte) {
	m, err := ParseBrowser(raw)
	if err != nil {
		return
	}
	id, answers := m.ID()
	if !answers {
		if params, ok := m.member(m.method, "params"); ok && c.onEvent != nil {
			c.onEvent(Event{m.Method(), m.Session(), params})
			return
		}
	}
	result, ok := m.member(m.id, "result")
	if !ok {
		c.receiveOdd(raw)
		return
	}
	c.reply(id, reply{result: result})
}

// receiveOdd takes a message whose parts do not stand where the browser puts those of most.
func (c *Conn) receiveOdd(raw []byte) {
	var m struct {
		ID      *int32          `json:"id"`
		Method  string          `json:"method"`
		Session string          `json:"sessionId"`
		Params  json.RawMessage `json:"params"`
		Result  json.RawMessage `json:"result"`
		Error   *Error          `json:"error"`
	}
	if json.Unmarshal(raw, &m) != nil {
		return
	}
	if m.ID == nil {
		if c.onEvent != nil && m.Method != "" {
			c.onEvent(Event{m.Method, m.Session, m.Params})
		}
		return
	}
	r := reply{result: m.Result}
	if m.Error != nil {
		r.err = m.Error
	}
	c.reply(*m.ID, r)
}

func (c *Conn) reply(id int32, r reply) {
	c.mu.Lock()
	w, ok := c.pending[id]
	delete(c.pending, id)
	c.mu.Unlock()
	if ok {
		w.answer <- r
	}
}

// errGone is the answer of a session that has ended, in Chrome's own words.
var errGone = &Error{-32001, "Session with given id not found."}

// Drop fails every call that waits on a session that has ended: the browser answers none of them.
func (c *Conn) Drop(session string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, w := range c.pending {
		if w.session == session {
			delete(c.pending, id)
			w.answer <- reply{err: errGone}
		}
	}
}

// Close fails every call that waits.
func (c *Conn) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for id, w := range c.pending {
		delete(c.pending, id)
		w.answer <- reply{err: ErrClosed}
	}
}
