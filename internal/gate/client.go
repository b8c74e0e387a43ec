package gate

import (
	"encoding/json"
	"time"

	"cove/internal/cdp"
)

// Client is one program that drives the browser through the gate.
type Client struct {
	mux  *Mux
	sink Sink
	// session is the client's own session; its messages without a session go there. Empty for the keeper itself.
	session string
	// visit binds a program to the rules; nil for our own connections.
	visit *visit
}

// Error codes of the protocol, as Chrome uses them.
const (
	codeParse   = -32700
	codeInvalid = -32600
	codeSession = -32001
)

// Send passes one command of the client on to the browser. It waits while the browser does not read, and answers what does
// not fit by itself; an error means that the browser is gone.
func (c *Client) Send(raw []byte) error {
	if c.mux.over() {
		return cdp.ErrClosed
	}
	msg, wrong := c.check(raw)
	if wrong != nil {
		c.answer(msg, map[string]any{"error": wrong})
		return nil //nolint:nilerr // the client has its answer; an error would mean that the browser is gone
	}
	return c.pass(msg, nil)
}

// pass sends a command that was checked; step follows its answer.
func (c *Client) pass(msg cdp.Message, step *step) error {
	id, _ := msg.ID()
	session := c.sessionOf(msg)
	if !c.heard(session, msg) {
		c.answer(msg, map[string]any{"error": errSession})
		step.lost()
		return nil
	}
	if msg.Method() == "Browser.close" && c.session != "" {
		go c.mux.onClose(func() {
			c.answer(msg, map[string]any{"result": struct{}{}})
			step.done("")
		})
		return nil
	}
	wire, err := c.mux.register(pending{client: c, id: id, session: session, step: step})
	if err != nil {
		return err
	}
	return c.mux.pipe.Write(msg.ForBrowser(wire, c.session))
}

// check says why a message does not fit, in Chrome's own words where it has them.
func (c *Client) check(raw []byte) (cdp.Message, *cdp.Error) {
	msg, err := cdp.ParseClient(raw)
	if err != nil {
		return msg, &cdp.Error{Code: codeParse, Message: "JSON: " + err.Error()}
	}
	if _, ok := msg.ID(); !ok {
		return msg, &cdp.Error{Code: codeInvalid, Message: "Message must have integer 'id' property"}
	}
	if msg.Method() == "" {
		return msg, &cdp.Error{Code: codeInvalid, Message: "Message must have string 'method' property"}
	}
	if !c.owns(c.sessionOf(msg)) {
		return msg, errSession
	}
	return msg, nil
}

var errSession = &cdp.Error{Code: codeSession, Message: "Session with given id not found."}

// owns reports whether the session is this client's.
func (c *Client) owns(session string) bool {
	if c.session == "" {
		return true // the keeper itself
	}
	c.mux.mu.Lock()
	defer c.mux.mu.Unlock()
	return c.mux.sessions[session] == c
}

// sessionOf is the session that a message is for.
func (c *Client) sessionOf(msg cdp.Message) string {
	if msg.HasSession() {
		return msg.Session()
	}
	return c.session
}

// heard reports whether the session still is this client's, and notes that the client has not fallen silent on it.
func (c *Client) heard(session string, msg cdp.Message) bool {
	if c.session == "" {
		return true // the keeper itself
	}
	c.mux.mu.Lock()
	defer c.mux.mu.Unlock()
	if c.mux.sessions[session] != c {
		return false
	}
	if _, paused := c.mux.waiting[session]; paused {
		c.mux.waiting[session] = time.Now()
		if msg.Method() == "Runtime.runIfWaitingForDebugger" {
			delete(c.mux.waiting, session)
		}
	}
	return true
}

// answer replies to a command that does not reach the browser.
func (c *Client) answer(msg cdp.Message, body map[string]any) {
	if id, ok := msg.ID(); ok {
		body["id"] = id
	}
	if s := msg.Session(); s != "" && msg.HasSession() {
		body["sessionId"] = s
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return
	}
	c.deliver(raw, nil)
}

// deliver hands a message to the client, after e has taken out what it may not see.
func (c *Client) deliver(raw []byte, e edit) {
	if s, ok := c.sink.(*socket); ok {
		s.deliver(raw, e)
		return
	}
	c.sink.Deliver(raw)
}

// Leave ends the client: everything that was its own is detached.
func (c *Client) Leave() {
	c.mux.mu.Lock()
	_, joined := c.mux.clients[c]
	c.mux.drop(c)
	c.mux.mu.Unlock()
	if joined && c.session != "" {
		_ = c.mux.call("Target.detachFromTarget", map[string]any{"sessionId": c.session}, "", func(json.RawMessage, error) {})
	}
}
