// Package gate is the guarded debugging port: it shares one browser among many clients, each of which sees only its own
// sessions, and answers HTTP as Chrome does.
package gate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"sync"
	"time"

	"cove/internal/cdp"
)

// Mux shares the browser's pipe. Commands of every client pass Client.Send; answers and events pass Run.
type Mux struct {
	pipe *cdp.Pipe
	log  *slog.Logger
	// onClose is told when a client asks the browser to close; it calls answer when the client may believe so.
	onClose func(answer func())

	mu       sync.Mutex
	nextID   int32
	pending  map[int32]pending  // by the id on the pipe
	sessions map[string]*Client // by session id
	waiting  map[string]time.Time
	clients  map[*Client]struct{}
	root     *Client
	done     bool
	places   places
}

// pending is a command that the browser has not answered.
type pending struct {
	client  *Client
	id      int32 // the client's own
	session string
	// step is what the rules and the journal want of the answer; nil for nothing.
	step *step
	// own is set for a command of the gate itself.
	own func(result json.RawMessage, err error)
}

// Sink takes what the browser says to one client.
type Sink interface {
	// Deliver takes a message over and must not wait.
	Deliver(raw []byte)
	// End tells that nothing more will come.
	End(reason string)
}

// silence is how long a client may leave a paused target unresumed: it holds every client's new tabs meanwhile.
const silence = 5 * time.Second

// NewMux shares pipe; onClose is called in a goroutine of its own.
func NewMux(pipe *cdp.Pipe, log *slog.Logger, onClose func(answer func())) *Mux {
	return &Mux{pipe: pipe, log: log, onClose: onClose, pending: map[int32]pending{}, sessions: map[string]*Client{},
		waiting: map[string]time.Time{}, clients: map[*Client]struct{}{}, places: newPlaces()}
}

// Root is the connection of the keeper itself: the browser's own session.
func (m *Mux) Root(sink Sink) *Client {
	c := &Client{mux: m, sink: sink}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.root = c
	m.clients[c] = struct{}{}
	return c
}

// Join attaches a client to the browser, or to one target when targetID is not empty.
func (m *Mux) Join(ctx context.Context, targetID string, sink Sink) (*Client, error) {
	return m.join(ctx, targetID, &Client{mux: m, sink: sink})
}

func (m *Mux) join(ctx context.Context, targetID string, c *Client) (*Client, error) {
	method, params := "Target.attachToBrowserTarget", any(nil)
	if targetID != "" {
		method, params = "Target.attachToTarget", map[string]any{"targetId": targetID, "flatten": true}
	}
	answer := make(chan error, 1)
	err := m.call(method, params, "", func(result json.RawMessage, err error) {
		var r struct {
			SessionID string `json:"sessionId"`
		}
		if err == nil {
			err = json.Unmarshal(result, &r)
		}
		if err == nil {
			m.mu.Lock()
			c.session = r.SessionID
			m.sessions[c.session] = c
			m.places.of[c.session] = target{ID: targetID}
			m.clients[c] = struct{}{}
			m.mu.Unlock()
		}
		answer <- err
	})
	if err != nil {
		return nil, err
	}
	select {
	case err := <-answer:
		if err != nil {
			return nil, err
		}
		return c, nil
	case <-ctx.Done():
		go func() { // it may still be attached; then it must go again
			if <-answer == nil {
				c.Leave()
			}
		}()
		return nil, ctx.Err()
	}
}

// Run reads the pipe until the browser ends, then tells every client.
func (m *Mux) Run() error {
	stop := make(chan struct{})
	defer close(stop)
	go m.resumeSilent(stop)
	for {
		raw, err := m.pipe.Read()
		if err != nil {
			m.end()
			return err
		}
		m.receive(raw)
	}
}

func (m *Mux) end() {
	m.mu.Lock()
	m.done = true
	clients := m.clients
	m.clients, m.sessions = map[*Client]struct{}{}, map[string]*Client{}
	own := []func(json.RawMessage, error){}
	for _, p := range m.pending {
		if p.own != nil {
			own = append(own, p.own)
		}
	}
	m.pending = map[int32]pending{}
	m.mu.Unlock()
	for _, answer := range own {
		answer(nil, cdp.ErrClosed)
	}
	for c := range clients {
		c.sink.End(gone)
	}
}

func (m *Mux) over() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.done
}

// receive routes one message of the browser.
func (m *Mux) receive(raw []byte) {
	msg, err := cdp.ParseBrowser(raw)
	if err != nil {
		m.log.Error("message from the browser not understood", "bytes", len(raw), "err", err)
		return
	}
	if id, ok := msg.ID(); ok {
		m.answer(id, msg)
		return
	}
	m.event(msg)
}

func (m *Mux) answer(id int32, msg cdp.Message) {
	m.mu.Lock()
	p, ok := m.pending[id]
	delete(m.pending, id)
	m.mu.Unlock()
	switch {
	case !ok: // its client has left
	case p.own != nil:
		var r struct {
			Result json.RawMessage `json:"result"`
			Error  *cdp.Error      `json:"error"`
		}
		if err := json.Unmarshal(msg.Raw(), &r); err != nil {
			p.own(nil, err)
		} else if r.Error != nil {
			p.own(nil, r.Error)
		} else {
			p.own(r.Result, nil)
		}
	default:
		var e edit
		if p.step != nil {
			e = p.step.answered(msg, p.id)
		}
		p.client.deliver(msg.ForClient(p.id, msg.Session() != p.client.session), e)
	}
}

func (m *Mux) event(msg cdp.Message) {
	session := msg.Session()
	if m.watches(session, msg) {
		return
	}
	var told targetEvent // read before Deliver takes the message over
	switch msg.Method() {
	case "Target.attachedToTarget":
		if told.read(msg) {
			m.attached(session, told)
		}
	case "Target.detachedFromTarget":
		if told.read(msg) {
			defer m.detached(told.Params.SessionID)
		}
	}
	m.mu.Lock()
	c := m.sessions[session]
	if c == nil {
		c = m.root
	}
	m.mu.Unlock()
	if c != nil {
		c.deliver(msg.ForClient(0, session != c.session), c.visit.hides(msg))
	}
}

// targetEvent is what Target.attachedToTarget and Target.detachedFromTarget say of a session.
type targetEvent struct {
	Params struct {
		SessionID          string `json:"sessionId"`
		WaitingForDebugger bool   `json:"waitingForDebugger"`
		TargetInfo         target `json:"targetInfo"`
	} `json:"params"`
}

func (e *targetEvent) read(msg cdp.Message) bool {
	return json.Unmarshal(msg.Raw(), e) == nil && e.Params.SessionID != ""
}

// attached gives the new session to the owner of the session that announced it. What the browser's own session announces
// belongs to the keeper until Join gives it away.
func (m *Mux) attached(announcer string, e targetEvent) {
	m.mu.Lock()
	defer m.mu.Unlock()
	owner := m.sessions[announcer]
	if owner == nil {
		return
	}
	m.sessions[e.Params.SessionID] = owner
	m.places.of[e.Params.SessionID] = e.Params.TargetInfo
	if e.Params.WaitingForDebugger {
		m.waiting[e.Params.SessionID] = time.Now()
	}
}

// detached forgets a session with everything that was asked on it.
func (m *Mux) detached(session string) {
	m.mu.Lock()
	c := m.sessions[session]
	m.forget(session)
	for id, p := range m.pending {
		if p.session == session && p.own == nil {
			p.step.lost()
			delete(m.pending, id)
		}
	}
	gone := c != nil && c.session == session
	if gone {
		m.drop(c)
	}
	m.mu.Unlock()
	if gone {
		c.sink.End("the target has closed")
	}
}

// drop forgets everything of a client; the caller holds mu.
func (m *Mux) drop(c *Client) {
	delete(m.clients, c)
	for id, p := range m.pending {
		if p.client == c {
			p.step.lost()
			delete(m.pending, id)
		}
	}
	for session, owner := range m.sessions {
		if owner == c {
			m.forget(session)
		}
	}
}

// forget drops what is known of a session; the caller holds mu.
func (m *Mux) forget(session string) {
	delete(m.sessions, session)
	delete(m.waiting, session)
	delete(m.places.of, session)
	delete(m.places.pressed, session)
}

// register notes a command and gives it an id on the pipe.
func (m *Mux) register(p pending) (int32, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.done {
		return 0, cdp.ErrClosed
	}
	for {
		if m.nextID == math.MaxInt32 {
			m.nextID = 0
		}
		m.nextID++
		if _, taken := m.pending[m.nextID]; !taken {
			m.pending[m.nextID] = p
			return m.nextID, nil
		}
	}
}

// call sends a command of the gate itself; answer runs where the pipe is read and must not wait.
func (m *Mux) call(method string, params any, session string, answer func(json.RawMessage, error)) error {
	id, err := m.register(pending{own: answer, session: session})
	if err != nil {
		return err
	}
	raw, err := json.Marshal(struct {
		ID      int32  `json:"id"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
		Session string `json:"sessionId,omitempty"`
	}{id, method, params, session})
	if err != nil {
		return err
	}
	if err := m.pipe.Write(append(raw, 0)); err != nil {
		return errors.Join(cdp.ErrClosed, err)
	}
	return nil
}

// Call sends a command on the browser's own session and waits for its answer.
func (m *Mux) Call(ctx context.Context, method string, params, result any) error {
	return m.callOn(ctx, "", method, params, result)
}

func (m *Mux) callOn(ctx context.Context, session, method string, params, result any) error {
	type reply struct {
		result json.RawMessage
		err    error
	}
	answer := make(chan reply, 1)
	if err := m.call(method, params, session, func(result json.RawMessage, err error) { answer <- reply{result, err} }); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	select {
	case r := <-answer:
		if r.err != nil || result == nil {
			return r.err
		}
		return json.Unmarshal(r.result, result)
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	}
}

// Clients is how many clients are connected, the keeper itself not counted.
func (m *Mux) Clients() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := len(m.clients)
	if m.root != nil && !m.done {
		n--
	}
	return n
}
