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
	pending map[int32]chan<- reply
	closed  bool
}

type reply struct {
	result json.RawMessage
	err    error
}

// NewConn sends through send; whoever receives for it calls Receive and Close. onEvent is called in order and must not wait.
func NewConn(send func(raw []byte) error, onEvent func(Event)) *Conn {
	return &Conn{send: send, onEvent: onEvent, pending: map[int32]chan<- reply{}}
}

type request struct {
	ID      int32  `json:"id"`
	Method  string `json:"method"`
	Params  any    `json:"params,omitempty"`
	Session string `json:"sessionId,omitempty"`
}

// Call sends one command and waits for its answer, no longer than ctx.
func (c *Conn) Call(ctx context.Context, session, method string, params, result any) error {
	answer := make(chan reply, 1)
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return ErrClosed
	}
	c.next++
	id := c.next
	c.pending[id] = answer
	c.mu.Unlock()
	defer c.forget(id)

	raw, err := json.Marshal(request{id, method, params, session})
	if err != nil {
		return err
	}
	if err := c.send(raw); err != nil {
		return err
	}
	select {
	case r := <-answer:
		if r.err != nil {
			return fmt.Errorf("%s: %w", method, r.err)
		}
		if result == nil {
			return nil
		}
		return json.Unmarshal(r.result, result)
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	}
}

func (c *Conn) forget(id int32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pending, id)
}

// Receive takes one message for this connection.
func (c *Conn) Receive(raw []byte) {
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
	c.mu.Lock()
	answer := c.pending[*m.ID]
	delete(c.pending, *m.ID)
	c.mu.Unlock()
	if answer == nil {
		return
	}
	r := reply{result: m.Result}
	if m.Error != nil {
		r.err = m.Error
	}
	answer <- r
}

// Close fails every call that waits.
func (c *Conn) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for id, answer := range c.pending {
		delete(c.pending, id)
		answer <- reply{err: ErrClosed}
	}
}
