package mux

import (
	"encoding/json"
	"time"

	"cove/internal/cdp"
)

// Client is one program that drives the browser.
type Client struct {
	mux    *Mux
	sink   Sink
	filter Filter // nil passes everything
	// session is the client's own session: its messages without a session go there. It is empty for the root client.
	session string
}

// Error codes of the protocol, as Chrome uses them.
const (
	CodeParse   = -32700
	CodeInvalid = -32600
	CodeSession = -32001
)

var errSession = &cdp.Error{Code: CodeSession, Message: "Session with given id not found."}

// Session returns the client's own session.
func (c *Client) Session() string { return c.session }

// Send checks one command of the client and passes it on to the browser. It answers a command that is malformed itself.
// It blocks while the browser does not read. An error means that the browser is gone.
func (c *Client) Send(raw []byte) error {
	if c.mux.Closed() {
		return cdp.ErrClosed
	}

	msg, wrong := c.Check(raw)
	if wrong != nil {
		c.RespondError(msg, wrong)
		return nil // the client has its answer; an error would mean that the browser is gone
	}

	return c.Forward(msg, nil)
}

// Check parses a command of the client. It returns an error for one that the browser must not get, in Chrome's own
// words where it has them.
func (c *Client) Check(raw []byte) (cdp.Message, *cdp.Error) {
	msg, err := cdp.ParseClient(raw)
	if err != nil {
		return msg, &cdp.Error{Code: CodeParse, Message: "JSON: " + err.Error()}
	}
	if _, ok := msg.ID(); !ok {
		return msg, &cdp.Error{Code: CodeInvalid, Message: "Message must have integer 'id' property"}
	}
	if msg.Method() == "" {
		return msg, &cdp.Error{Code: CodeInvalid, Message: "Message must have string 'method' property"}
	}
	if !c.owns(c.SessionOf(msg)) {
		return msg, errSession
	}

	return msg, nil
}

// SessionOf returns the session that a message of the client is for.
func (c *Client) SessionOf(msg cdp.Message) string {
	if msg.HasSession() {
		return msg.Session()
	}

	return c.session
}

// owns reports whether the session is this client's.
func (c *Client) owns(session string) bool {
	if c.session == "" {
		return true // the root client
	}
	c.mux.mu.Lock()
	defer c.mux.mu.Unlock()

	return c.mux.sessions[session] == c
}

// Forward passes on a command that Check has returned. The exchange follows the command; it may be nil. Forward blocks
// while the browser does not read. An error means that the browser is gone.
func (c *Client) Forward(msg cdp.Message, exchange Exchange) error {
	id, _ := msg.ID()
	session := c.SessionOf(msg)
	p := pending{client: c, id: id, session: session, exchange: exchange}
	if !c.active(session, msg) {
		c.RespondError(msg, errSession)
		p.fail(errSession)
		return nil
	}
	if msg.Method() == "Browser.close" && c.session != "" {
		go c.mux.onClose(func() { c.confirmClose(msg, exchange) })
		return nil
	}

	wire, err := c.mux.register(p)
	if err != nil {
		p.fail(err)
		return err
	}
	err = c.mux.pipe.Write(msg.ForBrowser(wire, c.session))
	if err != nil && c.mux.unregister(wire) {
		p.fail(err)
	}

	return err
}

// confirmClose answers Browser.close, which never reaches the browser: the program closes it in its own way.
func (c *Client) confirmClose(msg cdp.Message, exchange Exchange) {
	raw := encode(msg, response{Result: struct{}{}})
	var edit Edit
	if reply, err := cdp.ParseBrowser(raw); err == nil && exchange != nil {
		id, _ := msg.ID()
		edit = exchange.Reply(reply, id)
	}
	c.deliver(raw, edit)
}

// active reports whether the session is this client's. If its target is paused, the client has shown that it has not
// abandoned it.
func (c *Client) active(session string, msg cdp.Message) bool {
	if c.session == "" {
		return true // the root client
	}
	c.mux.mu.Lock()
	defer c.mux.mu.Unlock()
	if c.mux.sessions[session] != c {
		return false
	}

	if _, paused := c.mux.paused[session]; paused {
		c.mux.paused[session] = time.Now()
		if msg.Method() == "Runtime.runIfWaitingForDebugger" {
			delete(c.mux.paused, session)
		}
	}

	return true
}

// response is an answer that does not come from the browser.
type response struct {
	ID      *int32     `json:"id,omitempty"`
	Result  any        `json:"result,omitempty"`
	Error   *cdp.Error `json:"error,omitempty"`
	Session string     `json:"sessionId,omitempty"`
}

// Respond answers a command that does not reach the browser.
func (c *Client) Respond(msg cdp.Message, result any) {
	c.deliver(encode(msg, response{Result: result}), nil)
}

// RespondError refuses a command that does not reach the browser.
func (c *Client) RespondError(msg cdp.Message, err *cdp.Error) {
	c.deliver(encode(msg, response{Error: err}), nil)
}

// encode returns the answer to a command.
func encode(msg cdp.Message, r response) []byte {
	if id, ok := msg.ID(); ok {
		r.ID = &id
	}
	if msg.HasSession() {
		r.Session = msg.Session()
	}
	raw, err := json.Marshal(r)
	if err != nil { // a result that is no JSON is a mistake of the caller
		raw, _ = json.Marshal(response{ID: r.ID, Error: &cdp.Error{Code: CodeInvalid, Message: err.Error()}})
	}

	return raw
}

func (c *Client) deliver(raw []byte, edit Edit) { c.sink.Deliver(Outgoing{raw, edit, c}) }

// Close detaches everything that is the client's. Its sink receives nothing more. To close twice is safe.
func (c *Client) Close() {
	c.mux.mu.Lock()
	_, attached := c.mux.clients[c]
	unanswered := c.mux.remove(c)
	c.mux.mu.Unlock()

	for _, p := range unanswered {
		p.fail(cdp.ErrClosed)
	}
	if attached && c.session != "" {
		_ = c.mux.Post("", "Target.detachFromTarget", map[string]any{"sessionId": c.session})
	}
}
