package gate

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"cove/internal/cdp"
)

// places is what the browser shows: every target, and which one a session is on.
type places struct {
	session string            // on which the browser tells it
	targets map[string]target // by id
	// touched tells the order in which targets were made or brought to the front, by id; touches counts them.
	touched map[string]int
	touches int
	of      map[string]target // by session, as it was announced
	// delicate are the fields that were for a password or a payment when the gate looked, by target; they stay so, whatever they
	// become. pressed are the sessions of which a press was allowed that may send a form, and its release not seen yet.
	delicate map[string]map[int]bool
	pressed  map[string]bool
}

func newPlaces() places {
	return places{targets: map[string]target{}, touched: map[string]int{}, of: map[string]target{}, delicate: map[string]map[int]bool{}, pressed: map[string]bool{}}
}

// place is the target of a session. Of a worker the browser tells only the beginning.
func (m *Mux) place(session string) target {
	t, _ := m.placed(session)
	return t
}

// placed is the same, and whether the session is known at all.
func (m *Mux) placed(session string) (t target, known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, known = m.places.of[session]
	if now, there := m.places.targets[t.ID]; there {
		return now, known
	}
	return t, known
}

// target is what is known of a target.
func (m *Mux) target(id string) target {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.places.targets[id]
}

// watch has the browser tell where every target is, on a session of the gate's own. The context is for the first answer.
func (m *Mux) watch(ctx context.Context) error {
	m.mu.Lock()
	watching := m.places.session != ""
	m.mu.Unlock()
	if watching { // a second gate of the same browser
		return nil
	}
	var r struct {
		SessionID string `json:"sessionId"`
	}
	if err := m.Call(ctx, "Target.attachToBrowserTarget", nil, &r); err != nil {
		return err
	}
	m.mu.Lock()
	m.places.session = r.SessionID
	m.mu.Unlock()
	return m.callOn(ctx, r.SessionID, "Target.setDiscoverTargets", map[string]any{"discover": true, "filter": []any{struct{}{}}}, nil)
}

// watches takes what is told on the gate's own session.
func (m *Mux) watches(session string, msg cdp.Message) bool {
	if session == "" {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if session != m.places.session {
		return false
	}
	var e struct {
		Params struct {
			TargetInfo target `json:"targetInfo"`
			TargetID   string `json:"targetId"`
		} `json:"params"`
	}
	if !strings.HasPrefix(msg.Method(), "Target.target") || json.Unmarshal(msg.Raw(), &e) != nil {
		return true
	}
	switch msg.Method() {
	case "Target.targetCreated", "Target.targetInfoChanged":
		if _, known := m.places.targets[e.Params.TargetInfo.ID]; !known {
			m.places.touch(e.Params.TargetInfo.ID)
		}
		m.places.targets[e.Params.TargetInfo.ID] = e.Params.TargetInfo
	case "Target.targetDestroyed":
		delete(m.places.targets, e.Params.TargetID)
		delete(m.places.touched, e.Params.TargetID)
		delete(m.places.delicate, e.Params.TargetID)
	}
	return true
}

func (p *places) touch(id string) {
	p.touches++
	p.touched[id] = p.touches
}

// front notes that a target was brought to the front.
func (m *Mux) front(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, known := m.places.targets[id]; known {
		m.places.touch(id)
	}
}

// sort puts targets into Chrome's order, pages first and the one used last before the others: scripts take the first of the list. On
// the pipe they come in any order, with the browser's own surfaces among them.
func (m *Mux) sort(targets []target) {
	m.mu.Lock()
	defer m.mu.Unlock()
	slices.SortStableFunc(targets, func(a, b target) int {
		if page := a.Type == "page"; page != (b.Type == "page") {
			if page {
				return -1
			}
			return 1
		}
		return m.places.touched[b.ID] - m.places.touched[a.ID]
	})
}
