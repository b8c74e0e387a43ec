package scope

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"cove/internal/cdp"
)

// caller sends Cove's own commands to the browser, and finds who waits for their answers. Their ids are negative, so
// that none is the id of a command of the mux. It owns the table of who waits, the last id and our own session, under
// a lock of its own. That lock is never held while something is written or an answer is handed over. All methods may be
// called from any goroutine, but only own and isOwn with the lock of the Browser held: to write a command may take a
// while.
type caller struct {
	conn  cdp.Transport
	ended chan struct{} // closed when there is no connection any more

	mu      sync.Mutex
	session string                 // our own: on it the browser tells of every tab; "" until Start
	lastID  int32                  // the lowest of the ids
	waiting map[int32]func(answer) // by the ids of commands; nil after the end
}

// answer is what the browser answered to a command of ours.
type answer struct {
	result json.RawMessage
	err    error
}

func newCaller(conn cdp.Transport) *caller {
	return &caller{conn: conn, ended: make(chan struct{}), waiting: map[int32]func(answer){}}
}

// open attaches our own session to the whole browser.
func (c *caller) open(ctx context.Context) error {
	var r struct {
		SessionID string `json:"sessionId"`
	}
	if err := c.call(ctx, "", "Target.attachToBrowserTarget", nil, &r); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.session = r.SessionID
	return nil
}

// own returns our own session.
func (c *caller) own() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.session
}

// isOwn reports whether a session is our own one.
func (c *caller) isOwn(session string) bool { return session != "" && session == c.own() }

// call sends a command and waits for its answer.
func (c *caller) call(ctx context.Context, session, method string, params, result any) error {
	got := make(chan answer, 1)
	if err := c.start(session, method, params, func(a answer) { got <- a }); err != nil {
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

// queryLimit bounds the browser's answer to a question of ours.
const queryLimit = 10 * time.Second

// query is call with that limit.
func (c *caller) query(session, method string, params, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), queryLimit)
	defer cancel()
	return c.call(ctx, session, method, params, result)
}

// post sends a command whose answer nobody needs.
func (c *caller) post(session, method string, params any) {
	_ = c.start(session, method, params, func(answer) {})
}

// start sends a command. It calls f where the connection is read; f must not wait.
func (c *caller) start(session, method string, params any, f func(answer)) error {
	c.mu.Lock()
	if c.waiting == nil {
		c.mu.Unlock()
		return cdp.ErrClosed
	}
	c.lastID--
	id := c.lastID
	c.waiting[id] = f
	c.mu.Unlock()
	raw, err := json.Marshal(struct {
		ID      int32  `json:"id"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
		Session string `json:"sessionId,omitempty"`
	}{id, method, params, session})
	if err == nil {
		err = c.conn.Write(append(raw, 0))
	}
	if err != nil {
		c.mu.Lock()
		delete(c.waiting, id)
		c.mu.Unlock()
	}
	return err
}

// answered hands an answer to whoever waits for it. It reports false for an answer to a command that is not ours, or
// that nobody waits for.
func (c *caller) answered(id int32, msg cdp.Message) bool {
	c.mu.Lock()
	f := c.waiting[id]
	delete(c.waiting, id)
	c.mu.Unlock()
	if f == nil {
		return false
	}
	f(readAnswer(msg))
	return true
}

func readAnswer(msg cdp.Message) answer {
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

// end fails everything that waits.
func (c *caller) end() {
	c.mu.Lock()
	waiting := c.waiting
	c.waiting = nil
	close(c.ended)
	c.mu.Unlock()
	for _, f := range waiting {
		f(answer{err: cdp.ErrClosed})
	}
}

// attach attaches a session of ours to a tab, beside those of clients.
func (c *caller) attach(tab string) (session string, err error) {
	var at struct {
		SessionID string `json:"sessionId"`
	}
	err = c.query(c.own(), "Target.attachToTarget", object{"targetId": tab, "flatten": true}, &at)
	return at.SessionID, err
}

// detach ends a session that attach has made.
func (c *caller) detach(session string) {
	c.post(c.own(), "Target.detachFromTarget", object{"sessionId": session})
}

// createTab opens an empty tab, and returns its id. One that comes too late is closed: nobody knows whose it is.
func (c *caller) createTab(params object) (id string, err error) {
	type created struct {
		ID string `json:"targetId"`
	}
	got := make(chan answer, 1)
	if err := c.start("", "Target.createTarget", params, func(a answer) { got <- a }); err != nil {
		return "", err
	}
	var made created
	select {
	case a := <-got:
		if a.err != nil {
			return "", a.err
		}
		err := json.Unmarshal(a.result, &made)
		return made.ID, err
	case <-time.After(queryLimit):
	}
	go func() {
		var late created
		if a := <-got; a.err == nil && json.Unmarshal(a.result, &late) == nil {
			c.post("", "Target.closeTarget", object{"targetId": late.ID})
		}
	}()
	return "", context.DeadlineExceeded
}

// load loads an address in a tab, on a session of ours.
func (c *caller) load(tab, address string) {
	session, err := c.attach(tab)
	if err != nil {
		return
	}
	// The browser answers when it knows whether there is a page, which may take long.
	_ = c.start(session, "Page.navigate", object{"url": address}, func(answer) { go c.detach(session) })
}

// history is what a tab shows and has shown.
type history struct {
	Current int `json:"currentIndex"`
	Entries []struct {
		ID  int    `json:"id"`
		URL string `json:"url"`
	} `json:"entries"`
}

// shown returns the address of the page that the tab shows; "" for none.
func (h history) shown() string {
	if h.Current < 0 || h.Current >= len(h.Entries) {
		return ""
	}
	return h.Entries[h.Current].URL
}

// history reads the history of the tab that a session is of.
func (c *caller) history(session string) (h history, err error) {
	err = c.query(session, "Page.getNavigationHistory", nil, &h)
	return h, err
}
