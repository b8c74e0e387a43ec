package gate

import (
	"encoding/json"
	"time"
)

// resumeSilent lets targets run on that a client has paused and then forgotten.
func (m *Mux) resumeSilent(stop <-chan struct{}) {
	tick := time.NewTicker(silence / 5)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case now := <-tick.C:
			for _, session := range m.silent(now) {
				m.log.Warn("resumed a target that a silent client had paused")
				if err := m.call("Runtime.runIfWaitingForDebugger", nil, session, func(json.RawMessage, error) {}); err != nil {
					return
				}
			}
		}
	}
}

// resume lets a target run on at once whose client cannot do so now.
func (m *Mux) resume(session string) {
	m.mu.Lock()
	_, paused := m.waiting[session]
	delete(m.waiting, session)
	m.mu.Unlock()
	if paused {
		_ = m.call("Runtime.runIfWaitingForDebugger", nil, session, func(json.RawMessage, error) {})
	}
}

// resumeAll does so for every target that a client has paused.
func (m *Mux) resumeAll(c *Client) {
	m.mu.Lock()
	var paused []string
	for session := range m.waiting {
		if m.sessions[session] == c {
			paused = append(paused, session)
		}
	}
	m.mu.Unlock()
	for _, session := range paused {
		m.resume(session)
	}
}

func (m *Mux) silent(now time.Time) (sessions []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for session, heard := range m.waiting {
		if now.Sub(heard) >= silence {
			sessions = append(sessions, session)
			delete(m.waiting, session)
		}
	}
	return sessions
}
