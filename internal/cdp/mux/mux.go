// Package mux shares one browser among several clients. Each client has a browser session of its own and sees only its
// own sessions. The package knows no policy: a Filter decides what a client sees.
package mux

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"cove/internal/cdp"
)

// Mux shares the connection to one browser.
//
// It owns the ids on the pipe, the sessions of every client, and what is known of the browser's targets. A session
// belongs to exactly one client from the moment in which the browser announces it; a command or an event of a session
// never reaches another client. One goroutine runs Run, which reads the pipe until the browser ends and delivers
// everything; afterwards the Mux is closed and every command fails with cdp.ErrClosed. All other methods may be called
// from any goroutine. No callback (Sink, Filter, Exchange, OnTarget…) is called with the Mux's lock held.
type Mux struct {
	pipe cdp.Transport
	log  *slog.Logger
	// onClose is called when a client asks the browser to close. It calls answer when the client may believe so.
	onClose func(answer func())

	mu       sync.Mutex
	nextID   int32
	pending  map[int32]pending  // by the id on the pipe
	sessions map[string]*Client // by session id
	paused   map[string]time.Time
	clients  map[*Client]struct{}
	root     *Client
	closed   bool
	targets  targets
}

// pending is a command that the browser has not answered.
type pending struct {
	client   *Client
	id       int32 // the client's own
	session  string
	exchange Exchange // nil if nobody follows the command
	// own is set for a command of the Mux itself.
	own func(result json.RawMessage, err error)
}

// What clients are told when nothing more will come.
const (
	BrowserClosed = "the browser has closed"
	targetClosed  = "the target has closed"
)

// New returns a Mux for the connection to a browser. It calls onClose in a goroutine of its own.
func New(pipe cdp.Transport, log *slog.Logger, onClose func(answer func())) *Mux {
	return &Mux{pipe: pipe, log: log, onClose: onClose, pending: map[int32]pending{}, sessions: map[string]*Client{},
		paused: map[string]time.Time{}, clients: map[*Client]struct{}{}, targets: newTargets()}
}

// Root returns the client for the browser's own session. It also receives everything that belongs to no other client.
// There is one root client.
func (m *Mux) Root(sink Sink) *Client {
	c := &Client{mux: m, sink: sink}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.root = c
	m.clients[c] = struct{}{}

	return c
}

// Attach returns a new client of the browser, or of one target if targetID is not empty. A nil filter passes
// everything. The sink and the filter may be called before Attach returns.
func (m *Mux) Attach(ctx context.Context, targetID string, sink Sink, filter Filter) (*Client, error) {
	c := &Client{mux: m, sink: sink, filter: filter}
	method, params := "Target.attachToBrowserTarget", any(nil)
	if targetID != "" {
		method, params = "Target.attachToTarget", map[string]any{"targetId": targetID, "flatten": true}
	}

	attached := make(chan error, 1)
	err := m.start("", method, params, func(result json.RawMessage, err error) {
		attached <- m.admit(c, targetID, result, err)
	})
	if err != nil {
		return nil, err
	}

	select {
	case err := <-attached:
		if err != nil {
			return nil, err
		}
		return c, nil
	case <-ctx.Done():
		go func() { // the browser may still attach it; then it must be detached
			if <-attached == nil {
				c.Close()
			}
		}()
		return nil, ctx.Err()
	}
}

// admit makes a client of the browser's answer to Attach. It runs where the pipe is read, so that no event of the new
// session comes before it.
func (m *Mux) admit(c *Client, targetID string, result json.RawMessage, err error) error {
	var r struct {
		SessionID string `json:"sessionId"`
	}
	if err == nil {
		err = json.Unmarshal(result, &r)
	}
	if err != nil {
		return err
	}

	m.mu.Lock()
	defer m.mu.Unlock()
	c.session = r.SessionID
	m.sessions[c.session] = c
	m.targets.ofSession[c.session] = Target{ID: targetID}
	m.clients[c] = struct{}{}

	return nil
}

// Run reads the pipe until the browser ends. Then it ends every client and returns the pipe's error.
func (m *Mux) Run() error {
	stop := make(chan struct{})
	defer close(stop)
	go m.resumeAbandoned(stop)

	for {
		raw, err := m.pipe.Read()
		if err != nil {
			m.end()
			return err
		}
		m.receive(raw)
	}
}

// end closes the Mux: every command fails, and every client ends.
func (m *Mux) end() {
	m.mu.Lock()
	m.closed = true
	clients, unanswered := m.clients, m.pending
	m.clients, m.sessions, m.pending = map[*Client]struct{}{}, map[string]*Client{}, map[int32]pending{}
	m.mu.Unlock()

	for _, p := range unanswered {
		p.fail(cdp.ErrClosed)
	}
	for c := range clients {
		c.sink.End(BrowserClosed)
	}
}

// fail ends a command that will not be answered.
func (p pending) fail(err error) {
	switch {
	case p.own != nil:
		p.own(nil, err)
	case p.exchange != nil:
		p.exchange.Dropped()
	}
}

// Closed reports whether the browser has ended.
func (m *Mux) Closed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()

	return m.closed
}

// Clients returns how many clients are attached. The root client does not count.
func (m *Mux) Clients() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := len(m.clients)
	if m.root != nil && !m.closed {
		n--
	}

	return n
}

// receive routes one message of the browser.
func (m *Mux) receive(raw []byte) {
	msg, err := cdp.ParseBrowser(raw)
	if err != nil {
		m.log.Error("message from the browser not understood", "bytes", len(raw), "err", err)
		return
	}

	if id, ok := msg.ID(); ok {
		m.reply(id, msg)
		return
	}
	m.event(msg)
}

// reply routes the browser's answer to a command.
func (m *Mux) reply(id int32, msg cdp.Message) {
	m.mu.Lock()
	p, ok := m.pending[id]
	delete(m.pending, id)
	m.mu.Unlock()

	switch {
	case !ok: // its client is gone
	case p.own != nil:
		p.own(resultOf(msg))
	default:
		var edit Edit
		if p.exchange != nil {
			edit = p.exchange.Reply(msg, p.id)
		}
		p.client.deliver(msg.ForClient(p.id, msg.Session() != p.client.session), edit)
	}
}

// resultOf returns the result of an answer, or its error.
func resultOf(msg cdp.Message) (json.RawMessage, error) {
	var r struct {
		Result json.RawMessage `json:"result"`
		Error  *cdp.Error      `json:"error"`
	}
	if err := json.Unmarshal(msg.Raw(), &r); err != nil {
		return nil, err
	}
	if r.Error != nil {
		return nil, r.Error
	}

	return r.Result, nil
}

// event routes an event to the client that its session belongs to.
func (m *Mux) event(msg cdp.Message) {
	session := msg.Session()
	if m.observeTargets(session, msg) {
		return
	}

	var e targetEvent // read before the sink owns the message
	switch msg.Method() {
	case "Target.attachedToTarget":
		if e.read(msg) {
			m.attached(session, e)
		}
	case "Target.detachedFromTarget":
		if e.read(msg) {
			defer m.detached(e.Params.SessionID)
		}
	}

	m.mu.Lock()
	c := m.sessions[session]
	if c == nil {
		c = m.root
	}
	m.mu.Unlock()
	if c == nil {
		return
	}

	var edit Edit
	if c.filter != nil {
		edit = c.filter.Event(msg)
	}
	c.deliver(msg.ForClient(0, session != c.session), edit)
}

// targetEvent is what Target.attachedToTarget and Target.detachedFromTarget say of a session.
type targetEvent struct {
	Params struct {
		SessionID          string `json:"sessionId"`
		WaitingForDebugger bool   `json:"waitingForDebugger"`
		TargetInfo         Target `json:"targetInfo"`
	} `json:"params"`
}

func (e *targetEvent) read(msg cdp.Message) bool {
	return json.Unmarshal(msg.Raw(), e) == nil && e.Params.SessionID != ""
}

// attached gives a new session to the owner of the session that announced it. A session that the browser's own session
// announces belongs to the root client until Attach gives it to another.
func (m *Mux) attached(announcer string, e targetEvent) {
	m.mu.Lock()
	defer m.mu.Unlock()
	owner := m.sessions[announcer]
	if owner == nil {
		return
	}

	m.sessions[e.Params.SessionID] = owner
	m.targets.ofSession[e.Params.SessionID] = e.Params.TargetInfo
	if e.Params.WaitingForDebugger {
		m.paused[e.Params.SessionID] = time.Now()
	}
}

// detached forgets a session and fails every command that was sent on it. If it was a client's own session, the client
// ends.
func (m *Mux) detached(session string) {
	m.mu.Lock()
	c := m.sessions[session]
	m.forget(session)
	var unanswered []pending
	for id, p := range m.pending {
		if p.session == session && session != "" {
			unanswered = append(unanswered, p)
			delete(m.pending, id)
		}
	}
	ends := c != nil && c.session == session
	if ends {
		unanswered = append(unanswered, m.remove(c)...)
	}
	m.mu.Unlock()

	for _, p := range unanswered {
		p.fail(errSession)
	}
	if ends {
		c.sink.End(targetClosed)
	}
}

// remove forgets everything of a client and returns its unanswered commands. The caller holds mu.
func (m *Mux) remove(c *Client) (unanswered []pending) {
	delete(m.clients, c)
	for id, p := range m.pending {
		if p.client == c {
			unanswered = append(unanswered, p)
			delete(m.pending, id)
		}
	}
	for session, owner := range m.sessions {
		if owner == c {
			m.forget(session)
		}
	}

	return unanswered
}

// forget drops what is known of a session. The caller holds mu.
func (m *Mux) forget(session string) {
	delete(m.sessions, session)
	delete(m.paused, session)
	delete(m.targets.ofSession, session)
}
