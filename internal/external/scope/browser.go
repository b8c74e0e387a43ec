// Package scope is the part of a person's browser that exists for agents: the tabs that the person shares, the tabs
// that agents open, and what these open. Everything else of the browser is hidden from whoever talks through it.
package scope

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"

	"cove/internal/cdp"
)

// Browser shows a part of a person's browser as if it were all of it. It stands between the connection to that browser
// and the mux that shares the connection, so that it bounds everybody: agents, scripts, and Cove's own tools.
//
// A Browser knows every session and every tab. It drops what the browser says of other tabs, answers a command that
// would reach beyond the visible ones with an error, and does itself what a browser does on its own for new tabs
// (Target.setAutoAttach), because the real browser would do that to the person's tabs as well. It never closes the
// browser and never moves the focus.
//
// New starts a goroutine that reads the connection until that ends. Read and Write make a Browser a cdp.Transport; all
// methods may be called from any goroutine, Read from one at a time. No lock is held while something is written.
type Browser struct {
	conn cdp.Transport
	log  *slog.Logger
	out  *queue

	opening sync.Mutex // held while a tab is opened

	mu       sync.Mutex
	profile  string                         // the browser context of the chosen profile
	watching string                         // our own session
	lastID   int32                          // of our own commands; they are negative
	own      map[int32]func(answer)         // who waits for the answers to them
	edits    map[int32]func(result any) any // changes of answers to commands of others
	tabs     map[string]*tab                // the pages of every profile, by target
	sessions map[string]*session            // those of others
	frames   map[string]frame               // what is known of targets below a page
	saving   map[string]string              // the pages of downloads that clients were told of
	windows  map[int]bool                   // the windows that agents have opened
	seen     map[int]bool                   // the windows of visible tabs
	asks     map[string][]request           // sessions that the browser was asked for, by announcer and tab
	sites    Sites                          // what is open to agents
	pending  map[int32]string               // the sessions of commands that the browser has not answered
	count    int                            // of all tabs that there have been
	ended    chan struct{}                  // closed when there is no connection any more
}

// answer is what the browser answered to a command of ours.
type answer struct {
	result json.RawMessage
	err    error
}

// New returns the part of a browser that exists for agents: nothing, until Start. It owns the connection's reading end.
func New(conn cdp.Transport, log *slog.Logger) *Browser {
	b := &Browser{conn: conn, log: log, out: newQueue(), own: map[int32]func(answer){},
		edits: map[int32]func(any) any{}, tabs: map[string]*tab{}, sessions: map[string]*session{"": {kind: ofBrowser}},
		frames: map[string]frame{}, saving: map[string]string{}, windows: map[int]bool{}, seen: map[int]bool{},
		asks: map[string][]request{}, sites: everywhere, pending: map[int32]string{},
		ended: make(chan struct{})}
	go b.receive()
	return b
}

// Permit sets which addresses are open to agents: a tab is hidden while it shows another one, and so is a frame. It
// waits for a moment until that is so.
func (b *Browser) Permit(sites Sites) {
	b.mu.Lock()
	b.sites = sites
	var acts []func()
	for _, t := range b.tabs {
		t.open = b.opens(t.URL)
		t.settled = t.settled && t.open
		acts = append(acts, b.refresh(t))
		if t.shown {
			acts = append(acts, b.look(t)) // it may still show the page before, which may be closed now
		}
	}
	for id := range b.frames {
		acts = append(acts, b.refreshFrame(id)...)
	}
	var looking []chan struct{}
	for _, t := range b.tabs {
		looking = append(looking, t.lookAgain())
	}
	b.mu.Unlock()
	all(acts)()
	awaitLooks(looking...)
}

// Start makes the tabs of one profile sharable: that of the browser context.
func (b *Browser) Start(ctx context.Context, browserContext string) error {
	var r struct {
		SessionID string `json:"sessionId"`
	}
	if err := b.Call(ctx, "", "Target.attachToBrowserTarget", nil, &r); err != nil {
		return err
	}
	b.mu.Lock()
	b.profile, b.watching = browserContext, r.SessionID
	b.mu.Unlock()
	watch := object{"discover": true, "filter": []object{{"type": "page"}, {"type": "iframe"}, {"exclude": true}}}
	if err := b.Call(ctx, r.SessionID, "Target.setDiscoverTargets", watch, nil); err != nil {
		return err
	}
	// The person's downloads stay as they are. Without this, nobody would hear of those of shared tabs.
	downloads := object{"behavior": "default", "eventsEnabled": true, "browserContextId": browserContext}
	return b.Call(ctx, r.SessionID, "Browser.setDownloadBehavior", downloads, nil)
}

type object = map[string]any

// Read returns the next message for the mux.
func (b *Browser) Read() ([]byte, error) { return b.out.pop() }

// receive reads what the browser says until the connection ends.
func (b *Browser) receive() {
	for {
		raw, err := b.conn.Read()
		if err != nil {
			b.end(err)
			return
		}
		msg, err := cdp.ParseBrowser(raw)
		if err != nil {
			b.log.Error("message from the browser not understood", "bytes", len(raw), "err", err)
			continue
		}
		if id, ok := msg.ID(); ok {
			b.answered(id, msg)
		} else {
			b.event(msg)
		}
	}
}

// end fails everything that waits.
func (b *Browser) end(err error) {
	b.mu.Lock()
	waiting := b.own
	b.own = nil
	close(b.ended)
	b.mu.Unlock()
	for _, f := range waiting {
		f(answer{err: cdp.ErrClosed})
	}
	b.out.close(err)
}

// answered passes on an answer of the browser.
func (b *Browser) answered(id int32, msg cdp.Message) {
	b.mu.Lock()
	ours, edit := b.own[id], b.edits[id]
	delete(b.own, id)
	delete(b.edits, id)
	at, waits := b.pending[id]
	s := b.sessions[at]
	// The page may be another one than that for which the command was allowed.
	hidden := waits && s.kind == ofPage && !b.isVisible(s.tab)
	closed := waits && s.kind == ofPage && b.closes(s)
	if !hidden {
		delete(b.pending, id)
	}
	b.mu.Unlock()
	switch {
	case ours != nil:
		ours(read(msg))
		return
	case id < 0 || !waits || hidden: // the end of the session answers it, or has done so
		return
	case closed:
		b.out.push(reply(id, at, nil, errHidden))
		return
	}
	raw := msg.Raw()
	if edit != nil && !msg.Failed() {
		raw = edited(msg, id, edit)
	}
	b.out.push(raw)
}

func read(msg cdp.Message) answer {
	var r struct {
		Result json.RawMessage `json:"result"`
		Error  *cdp.Error      `json:"error"`
	}
	if err := json.Unmarshal(msg.Raw(), &r); err != nil {
		return answer{err: err}
	}
	if r.Error != nil {
		return answer{err: r.Error}
	}
	return answer{result: r.Result}
}

// edited returns an answer with another result.
func edited(msg cdp.Message, id int32, edit func(any) any) []byte {
	var r struct {
		Result any `json:"result"`
	}
	if json.Unmarshal(msg.Raw(), &r) != nil {
		return reply(id, msg.Session(), nil, refused("The answer of the browser cannot be read."))
	}
	return reply(id, msg.Session(), edit(r.Result), nil)
}

// reply returns an answer that does not come from the browser, in the order of members that the browser writes.
func reply(id int32, session string, result any, failed *cdp.Error) []byte {
	if result == nil && failed == nil {
		result = object{}
	}
	raw, err := json.Marshal(struct {
		ID      int32      `json:"id"`
		Result  any        `json:"result,omitempty"`
		Error   *cdp.Error `json:"error,omitempty"`
		Session string     `json:"sessionId,omitempty"`
	}{id, result, failed, session})
	if err != nil { // a result is made of what was JSON before
		panic(err)
	}
	return raw
}

// say sends an event that does not come from the browser.
func (b *Browser) say(session, method string, params any) {
	if raw := eventOf(session, method, params); raw != nil {
		b.out.push(raw)
	}
}

func eventOf(session, method string, params any) []byte {
	raw, err := json.Marshal(struct {
		Method  string `json:"method"`
		Params  any    `json:"params"`
		Session string `json:"sessionId,omitempty"`
	}{method, params, session})
	if err != nil {
		return nil
	}
	return raw
}

// Call sends a command of Cove's own and waits for its answer.
func (b *Browser) Call(ctx context.Context, session, method string, params, result any) error {
	got := make(chan answer, 1)
	if err := b.start(session, method, params, func(a answer) { got <- a }); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	select {
	case a := <-got:
		if a.err != nil || result == nil {
			return a.err
		}
		return json.Unmarshal(a.result, result)
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	}
}

// post sends a command of Cove's own whose answer nobody needs.
func (b *Browser) post(session, method string, params any) {
	_ = b.start(session, method, params, func(answer) {})
}

// start sends a command of Cove's own. It calls f where the connection is read; f must not wait.
func (b *Browser) start(session, method string, params any, f func(answer)) error {
	b.mu.Lock()
	if b.own == nil {
		b.mu.Unlock()
		return cdp.ErrClosed
	}
	b.lastID--
	id := b.lastID
	b.own[id] = f
	b.mu.Unlock()
	raw, err := json.Marshal(struct {
		ID      int32  `json:"id"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
		Session string `json:"sessionId,omitempty"`
	}{id, method, params, session})
	if err == nil {
		err = b.conn.Write(append(raw, 0))
	}
	if err != nil {
		b.mu.Lock()
		delete(b.own, id)
		b.mu.Unlock()
	}
	return err
}

// queue holds the messages for the mux. Whoever adds one never waits: the mux itself may be the one.
type queue struct {
	mu    sync.Mutex
	more  *sync.Cond
	list  [][]byte
	ended error
}

func newQueue() *queue {
	q := &queue{}
	q.more = sync.NewCond(&q.mu)
	return q
}

func (q *queue) push(raw []byte) {
	q.mu.Lock()
	q.list = append(q.list, raw)
	q.mu.Unlock()
	q.more.Signal()
}

func (q *queue) close(err error) {
	q.mu.Lock()
	q.ended = err
	q.mu.Unlock()
	q.more.Broadcast()
}

func (q *queue) pop() ([]byte, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.list) == 0 && q.ended == nil {
		q.more.Wait()
	}
	if len(q.list) == 0 {
		return nil, q.ended
	}
	raw := q.list[0]
	q.list[0] = nil
	q.list = q.list[1:]
	return raw, nil
}
