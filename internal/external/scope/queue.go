package scope

import (
	"encoding/json"
	"sync"

	"cove/internal/cdp"
)

// queue holds the messages for the mux, in their order, under a lock of its own. Whoever adds one never waits, because
// the mux itself may be the one. So a message may be added from any goroutine, also with the lock of the Browser held.
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

func (q *queue) push(messages ...[]byte) {
	q.mu.Lock()
	q.list = append(q.list, messages...)
	q.mu.Unlock()
	q.more.Signal()
}

// event adds an event that does not come from the browser.
func (q *queue) event(session, method string, params any) {
	if raw := eventOf(session, method, params); raw != nil {
		q.push(raw)
	}
}

// reply adds an answer that does not come from the browser.
func (q *queue) reply(c command, result any, failed *cdp.Error) {
	q.push(reply(c.id, c.at, result, failed))
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

// eventOf returns an event that does not come from the browser; nil for one whose parameters are no JSON.
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

// edited returns an answer of the browser with another result.
func edited(msg cdp.Message, id int32, edit func(any) any) []byte {
	var r struct {
		Result any `json:"result"`
	}
	if json.Unmarshal(msg.Raw(), &r) != nil {
		return reply(id, msg.Session(), nil, refused("The answer of the browser cannot be read."))
	}
	return reply(id, msg.Session(), edit(r.Result), nil)
}
