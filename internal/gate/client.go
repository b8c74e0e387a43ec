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
	msg, broken := cdp.ParseClient(raw)
	if broken != nil {
		c.refuse(msg, codeParse, "JSON: "+broken.Error())
		return nil
	}
	id, ok := msg.ID()
	if !ok {
		c.refuse(msg, codeInvalid, "Message must have integer 'id' property")
		return nil
	}
	if msg.Method() == "" {
		c.refuse(msg, codeInvalid, "Message must have string 'method' property")
		return nil
	}
	session := c.session
	if msg.HasSession() {
		session = msg.Session()
	}
	if !c.heard(session, msg) {
		c.refuse(msg, codeSession, "Session with given id not found.")
		return nil
	}
	if msg.Method() == "Browser.close" && c.session != "" {
		c.answer(msg, map[string]any{"result": struct{}{}})
		go c.mux.onClose()
		return nil
	}
	wire, err := c.mux.register(pending{client: c, id: id, session: session})
	if err != nil {
		return err
	}
	return c.mux.pipe.Write(msg.ForBrowser(wire, c.session))
}

// heard reports whether the session is this client's, and notes that the client has not fallen silent on it.
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

// refuse answers a command that does not reach the browser.
func (c *Client) refuse(msg cdp.Message, code int, text string) {
	c.answer(msg, map[string]any{"error": cdp.Error{Code: code, Message: text}})
}

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
