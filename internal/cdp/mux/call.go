package mux

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"cove/internal/cdp"
)

// Call sends a command on the browser's own session and waits until its answer has come or ctx is done.
func (m *Mux) Call(ctx context.Context, method string, params, result any) error {
	return m.CallOn(ctx, "", method, params, result)
}

// CallOn is Call for a session.
func (m *Mux) CallOn(ctx context.Context, session, method string, params, result any) error {
	type reply struct {
		result json.RawMessage
		err    error
	}
	answer := make(chan reply, 1)
	err := m.start(session, method, params, func(result json.RawMessage, err error) { answer <- reply{result, err} })
	if err != nil {
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

// Post sends a command whose answer nobody needs. An error says that the command was not sent.
func (m *Mux) Post(session, method string, params any) error {
	return m.start(session, method, params, ignoreAnswer)
}

func ignoreAnswer(json.RawMessage, error) {}

// start sends a command of the Mux itself. It calls answer where the pipe is read; answer must not wait.
func (m *Mux) start(session, method string, params any, answer func(json.RawMessage, error)) error {
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
		m.unregister(id)
		return err
	}

	if err := m.pipe.Write(append(raw, 0)); err != nil {
		m.unregister(id)
		return errors.Join(cdp.ErrClosed, err)
	}

	return nil
}

// register stores a command and returns its id on the pipe.
func (m *Mux) register(p pending) (int32, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return 0, cdp.ErrClosed
	}

	for {
		if m.nextID == math.MaxInt32 {
			m.nextID = 0
		}
		m.nextID++
		if _, used := m.pending[m.nextID]; !used {
			m.pending[m.nextID] = p
			return m.nextID, nil
		}
	}
}

// unregister removes a command that was not sent. It reports whether nobody has ended it meanwhile.
func (m *Mux) unregister(id int32) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, there := m.pending[id]
	delete(m.pending, id)

	return there
}
