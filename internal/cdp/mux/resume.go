package mux

import "time"

// abandonAfter is how long a client may leave a paused target without a command. New tabs of every client wait
// meanwhile.
const abandonAfter = 5 * time.Second

// resumeAbandoned resumes targets that a client has paused and then abandoned.
func (m *Mux) resumeAbandoned(stop <-chan struct{}) {
	tick := time.NewTicker(abandonAfter / 5)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case now := <-tick.C:
			for _, session := range m.abandoned(now) {
				m.log.Warn("resumed a target that a silent client had paused")
				if m.postResume(session) != nil {
					return
				}
			}
		}
	}
}

// abandoned returns the sessions whose paused targets have been abandoned, and forgets that they are paused.
func (m *Mux) abandoned(now time.Time) (sessions []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for session, since := range m.paused {
		if now.Sub(since) >= abandonAfter {
			sessions = append(sessions, session)
			delete(m.paused, session)
		}
	}

	return sessions
}

func (m *Mux) postResume(session string) error {
	return m.Post(session, "Runtime.runIfWaitingForDebugger", nil)
}

// Resume resumes the target of a session at once if it is paused, for a client that cannot do so now.
func (c *Client) Resume(session string) {
	m := c.mux
	m.mu.Lock()
	_, paused := m.paused[session]
	delete(m.paused, session)
	m.mu.Unlock()

	if paused {
		_ = m.postResume(session)
	}
}

// ResumeAll resumes every target that this client has paused.
func (c *Client) ResumeAll() {
	m := c.mux
	m.mu.Lock()
	var paused []string
	for session := range m.paused {
		if m.sessions[session] == c {
			paused = append(paused, session)
		}
	}
	m.mu.Unlock()

	for _, session := range paused {
		c.Resume(session)
	}
}
