package cdp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
)

// Error is an error that the browser answers in place of a result.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Error returns the browser's sentence and its code.
func (e *Error) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }

// ErrClosed reports that the browser is gone, or that the connection was closed.
var ErrClosed = errors.New("the browser has closed the connection")

// Event is one event of the browser.
type Event struct {
	Method  string
	Session string
	Params  json.RawMessage
}

// Conn is one protocol connection of Cove itself, with as many sessions as it attaches to.
//
// A Conn numbers the commands that it sends and matches the answers to them. It owns no transport: it sends through the
// function that NewConn was given, and whoever reads the transport passes each message to Receive and the end to Close.
// Call, Start, Post, Drop and Close may be called from any goroutine. Receive is called from one goroutine at a time,
// so that events arrive in order. A closed Conn fails every command with ErrClosed.
type Conn struct {
	send    func(raw []byte) error
	onEvent func(Event)

	mu      sync.Mutex
	next    int32
	pending map[int32]call
	closed  bool
}

// call is a command whose answer somebody waits for.
type call struct {
	session string
	answer  chan<- reply
}

type reply struct {
	result json.RawMessage
	err    error
}

// NewConn returns a connection that sends through send. It calls onEvent from Receive, in order; onEvent must not wait.
// onEvent may be nil.
func NewConn(send func(raw []byte) error, onEvent func(Event)) *Conn {
	return &Conn{send: send, onEvent: onEvent, pending: map[int32]call{}}
}

type request struct {
	ID      int32  `json:"id"`
	Method  string `json:"method"`
	Params  any    `json:"params,omitempty"`
	Session string `json:"sessionId,omitempty"`
}

// Pending is a command that was sent and whose answer Wait returns.
type Pending struct {
	conn   *Conn
	id     int32
	method string
	answer chan reply
}

// Start sends one command and does not wait for its answer. Commands reach the browser in the order in which they are
// started.
func (c *Conn) Start(session, method string, params any) *Pending {
	p := &Pending{conn: c, method: method, answer: make(chan reply, 1)}

	id, err := c.register(&call{session, p.answer})
	if err != nil {
		p.answer <- reply{err: err}
		return p
	}

	p.id = id
	err = c.write(id, session, method, params)
	if err != nil && c.forget(id) { // Close may have answered it meanwhile
		p.answer <- reply{err: err}
	}

	return p
}

// Post sends one command whose answer nobody needs. It costs no goroutine and no timer: the answer is dropped when it
// arrives. Like Start it blocks while the browser does not read, and it reaches the browser after everything that was
// sent before. An error says that the command was not sent.
func (c *Conn) Post(session, method string, params any) error {
	id, err := c.register(nil)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}

	if err := c.write(id, session, method, params); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}

	return nil
}

// register returns the id of the next command. If waiting is not nil, it receives the answer.
func (c *Conn) register(waiting *call) (int32, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return 0, ErrClosed
	}

	c.next++
	if waiting != nil {
		c.pending[c.next] = *waiting
	}

	return c.next, nil
}

func (c *Conn) write(id int32, session, method string, params any) error {
	raw, err := json.Marshal(request{id, method, params, session})
	if err != nil {
		return err
	}

	return c.send(raw)
}

// Wait returns when the answer has come or ctx is done. It decodes the answer into result, unless result is nil.
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
		case *json.RawMessage: // the caller wants it undecoded
			*out = r.result
			return nil
		}
		return json.Unmarshal(r.result, result)
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", p.method, context.Cause(ctx))
	}
}

// Call sends one command and waits until its answer has come or ctx is done.
func (c *Conn) Call(ctx context.Context, session, method string, params, result any) error {
	return c.Start(session, method, params).Wait(ctx, result)
}

// forget removes a command and reports whether it was still unanswered.
func (c *Conn) forget(id int32) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, unanswered := c.pending[id]
	delete(c.pending, id)

	return unanswered
}

// Receive handles one message of the browser: an answer, or an event.
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

// receiveOdd handles a message that is not laid out as the browser lays out most.
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
	waiting, ok := c.pending[id]
	delete(c.pending, id)
	c.mu.Unlock()

	if ok { // the answer to a posted command has nobody waiting for it
		waiting.answer <- r
	}
}

// errGone is the error of a session that has ended, in Chrome's own words.
var errGone = &Error{-32001, "Session with given id not found."}

// Drop fails every call on a session that has ended. The browser answers none of them.
func (c *Conn) Drop(session string) {
	c.mu.Lock()
	defer c.mu.Unlock()

	for id, waiting := range c.pending {
		if waiting.session == session {
			delete(c.pending, id)
			waiting.answer <- reply{err: errGone}
		}
	}
}

// Close fails every call that waits for its answer, and every later one, with ErrClosed.
func (c *Conn) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true

	for id, waiting := range c.pending {
		delete(c.pending, id)
		waiting.answer <- reply{err: ErrClosed}
	}
}
