package gate

import (
	"encoding/json"
	"time"

	"cove/internal/cdp"
	"cove/internal/cdp/mux"
	"cove/internal/gate/method"
	"cove/internal/policy"
)

// tabOf returns the tab that a target belongs to: a page itself, or the page around a frame or a worker.
func tabOf(m *mux.Mux, t mux.Target) string {
	for range maxNesting {
		if t.Type == "page" || t.Parent == "" {
			return t.ID
		}
		parent := m.Target(t.Parent)
		if parent.ID == "" {
			return t.Parent
		}
		t = parent
	}

	return t.ID
}

// maxNesting is how deep frames may be inside each other.
const maxNesting = 50

// controlledTab returns the tab of a session if the person works in it, and "" otherwise.
func controlledTab(m *mux.Mux, enforcer *policy.Enforcer, session string) string {
	if !enforcer.AnyControlled() {
		return ""
	}
	t, known := m.TargetOf(session)
	if tab := tabOf(m, t); known && enforcer.Controlled(tab) {
		return tab
	}

	return ""
}

// answersBrowser reports whether a command only lets the browser go on with something that it has announced. It never
// waits: the page of the person would.
func answersBrowser(method string) bool {
	switch method {
	case "Fetch.continueRequest", "Fetch.continueResponse", "Fetch.continueWithAuth", "Fetch.failRequest",
		"Fetch.fulfillRequest", "Page.screencastFrameAck", "Runtime.runIfWaitingForDebugger", "Debugger.resume":
		return true
	}

	return false
}

// heldTab returns the tab whose commands wait for the person, if msg is one of them: the person works in it, or earlier
// commands for it wait. It returns "" otherwise.
func (c *conn) heldTab(msg cdp.Message) string {
	if answersBrowser(msg.Method()) {
		return ""
	}
	tab := c.tabOfCommand(msg)
	if tab == "" {
		return ""
	}
	c.mu.Lock()
	waiting := len(c.held[tab]) > 0
	c.mu.Unlock()
	if waiting || c.config.Enforcer.Controlled(tab) {
		return tab
	}

	return ""
}

// tabOfCommand returns the tab that a command is for.
func (c *conn) tabOfCommand(msg cdp.Message) string {
	session := c.client.SessionOf(msg)
	switch msg.Method() {
	case "Target.closeTarget":
		var params struct {
			TargetID string `json:"targetId"`
		}
		if json.Unmarshal(msg.Params(), &params) == nil {
			return params.TargetID
		}
	case "Target.sendMessageToTarget":
		var params struct {
			SessionID string `json:"sessionId"`
		}
		if json.Unmarshal(msg.Params(), &params) == nil && params.SessionID != "" {
			session = params.SessionID
		}
	}
	t, _ := c.mux.TargetOf(session)

	return tabOf(c.mux, t)
}

// heldCommand is a command for a tab that the person works in.
type heldCommand struct {
	queuedCommand
	until time.Time // then it is refused
}

// hold keeps a command until the person has given its tab back. Commands for other tabs go on.
func (c *conn) hold(tab string, q queuedCommand) {
	c.client.Resume(c.client.SessionOf(q.Message)) // a frame that waits for this program would wait for the person
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped.Load() {
		c.handled(q.Len(), q.reserved)
		return
	}
	if c.held == nil {
		c.held = map[string][]heldCommand{}
	}
	c.held[tab] = append(c.held[tab], heldCommand{q, time.Now().Add(policy.ControlLimit())})
	c.queued += q.Len()
	if len(c.held[tab]) == 1 {
		go c.workHeld(tab)
	}
}

// workHeld passes the commands of a tab on, in order, as soon as the person has given it back. Each is refused when it
// has waited for too long.
func (c *conn) workHeld(tab string) {
	for {
		c.mu.Lock()
		if len(c.held[tab]) == 0 {
			delete(c.held, tab)
			c.mu.Unlock()
			return
		}
		q := c.held[tab][0]
		c.mu.Unlock()

		refused := c.admission.BeginOn(c.ctx, tab, q.until)

		c.mu.Lock()
		if len(c.held[tab]) == 0 { // the connection has ended
			delete(c.held, tab)
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
		err := c.doHeld(q.Message, refused)

		c.mu.Lock()
		if len(c.held[tab]) > 0 { // it stays in its place until now, so that no later command overtakes it
			c.held[tab] = c.held[tab][1:]
			c.queued -= q.Len()
			c.handled(q.Len(), q.reserved)
		}
		c.mu.Unlock()
		c.room.Signal()
		if err != nil {
			c.socket.End(mux.BrowserClosed)
			c.stopReceiving()
		}
	}
}

// doHeld judges a command that has waited, or refuses it.
func (c *conn) doHeld(msg cdp.Message, refused error) error {
	if refused == nil {
		return c.do(msg, false)
	}
	cmd := &command{config: c.config, mux: c.mux, forms: c.forms, method: msg.Method(), raw: msg.Params(),
		session: c.client.SessionOf(msg)}
	known, listed := method.Of(cmd.method)

	return c.refuse(msg, c.follow(cmd, listed && known.ChangesNothing()), refused)
}

// letGo lets the browser go on with a request that a program has intercepted and does not see, because the person works
// in its page.
func (f *filter) letGo(method string, msg cdp.Message) {
	var e struct {
		Params struct {
			ID string `json:"requestId"`
		} `json:"params"`
	}
	if json.Unmarshal(msg.Raw(), &e) != nil {
		return
	}
	switch method {
	case "Fetch.requestPaused":
		_ = f.mux.Post(msg.Session(), "Fetch.continueRequest", map[string]any{"requestId": e.Params.ID})
	case "Fetch.authRequired":
		_ = f.mux.Post(msg.Session(), "Fetch.continueWithAuth", map[string]any{"requestId": e.Params.ID,
			"authChallengeResponse": map[string]string{"response": "Default"}})
	}
}
