package mux

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"cove/internal/cdp"
)

// Target is one target of the browser: a page, a frame, a worker or another surface.
type Target struct {
	ID     string `json:"targetId"`
	Type   string `json:"type"`
	Title  string `json:"title"`
	URL    string `json:"url"`
	Parent string `json:"parentId,omitempty"`
	Opener string `json:"openerId,omitempty"`
	// Context is the browser context of the target.
	Context string `json:"browserContextId,omitempty"`
}

// targets is what is known of the browser's targets.
type targets struct {
	session string            // the session on which the browser reports them
	byID    map[string]Target // every target
	// lastUsed orders targets by when they were made or brought to the front; uses counts that.
	lastUsed  map[string]int
	uses      int
	ofSession map[string]Target // as the session was announced

	onCreated   map[*func(Target)]struct{}
	onDestroyed map[*func(id string)]struct{}
}

func newTargets() targets {
	return targets{byID: map[string]Target{}, lastUsed: map[string]int{}, ofSession: map[string]Target{},
		onCreated: map[*func(Target)]struct{}{}, onDestroyed: map[*func(id string)]struct{}{}}
}

// WatchTargets has the browser report where every target is, on a session of the Mux's own. It returns when the browser
// has agreed. To call it twice is safe.
func (m *Mux) WatchTargets(ctx context.Context) error {
	m.mu.Lock()
	watching := m.targets.session != ""
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
	m.targets.session = r.SessionID
	m.mu.Unlock()

	return m.CallOn(ctx, r.SessionID, "Target.setDiscoverTargets",
		map[string]any{"discover": true, "filter": []any{struct{}{}}}, nil)
}

// observeTargets handles an event of the session that reports targets. It reports whether the event was on that
// session.
func (m *Mux) observeTargets(session string, msg cdp.Message) bool {
	if session == "" {
		return false
	}
	m.mu.Lock()
	observed := session == m.targets.session
	m.mu.Unlock()
	if !observed {
		return false
	}

	var e struct {
		Params struct {
			TargetInfo Target `json:"targetInfo"`
			TargetID   string `json:"targetId"`
		} `json:"params"`
	}
	if !strings.HasPrefix(msg.Method(), "Target.target") || json.Unmarshal(msg.Raw(), &e) != nil {
		return true
	}

	switch msg.Method() {
	case "Target.targetCreated", "Target.targetInfoChanged":
		m.updateTarget(e.Params.TargetInfo)
	case "Target.targetDestroyed":
		m.removeTarget(e.Params.TargetID)
	}

	return true
}

func (m *Mux) updateTarget(t Target) {
	m.mu.Lock()
	var callbacks []func(Target)
	if _, known := m.targets.byID[t.ID]; !known {
		m.targets.use(t.ID)
		for f := range m.targets.onCreated {
			callbacks = append(callbacks, *f)
		}
	}
	m.targets.byID[t.ID] = t
	m.mu.Unlock()

	for _, f := range callbacks {
		f(t)
	}
}

func (m *Mux) removeTarget(id string) {
	m.mu.Lock()
	delete(m.targets.byID, id)
	delete(m.targets.lastUsed, id)
	var callbacks []func(string)
	for f := range m.targets.onDestroyed {
		callbacks = append(callbacks, *f)
	}
	m.mu.Unlock()

	for _, f := range callbacks {
		f(id)
	}
}

// OnTargetCreated calls f with each target that is new, where the pipe is read, before anybody else hears of what comes
// after it; f must not wait. The returned function ends that.
func (m *Mux) OnTargetCreated(f func(Target)) (stop func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.targets.onCreated[&f] = struct{}{}

	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.targets.onCreated, &f)
	}
}

// OnTargetDestroyed calls f with the id of each target that is destroyed, where the pipe is read; f must not wait. The
// returned function ends that.
func (m *Mux) OnTargetDestroyed(f func(id string)) (stop func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.targets.onDestroyed[&f] = struct{}{}

	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.targets.onDestroyed, &f)
	}
}

// Target returns what is known of a target, or the zero Target.
func (m *Mux) Target(id string) Target {
	m.mu.Lock()
	defer m.mu.Unlock()

	return m.targets.byID[id]
}

// Targets returns all targets of the browser, in no order.
func (m *Mux) Targets() []Target {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := make([]Target, 0, len(m.targets.byID))
	for _, t := range m.targets.byID {
		all = append(all, t)
	}

	return all
}

// TargetOf returns the target of a session, and whether the session is known. Of a worker the browser reports only
// where it was when it began.
func (m *Mux) TargetOf(session string) (t Target, known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, known = m.targets.ofSession[session]
	if current, there := m.targets.byID[t.ID]; there {
		return current, known
	}

	return t, known
}

// use records that a target was made or brought to the front. The caller holds the lock of the Mux.
func (t *targets) use(id string) {
	t.uses++
	t.lastUsed[id] = t.uses
}

// Activated records that a target was brought to the front.
func (m *Mux) Activated(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, known := m.targets.byID[id]; known {
		m.targets.use(id)
	}
}

// SortTargets sorts targets in Chrome's order: pages first, and the page that was used last before the others. Scripts
// use the first of the list. On the pipe targets come in any order, with the browser's own surfaces among them.
func (m *Mux) SortTargets(list []Target) {
	m.mu.Lock()
	defer m.mu.Unlock()
	slices.SortStableFunc(list, func(a, b Target) int {
		if page := a.Type == "page"; page != (b.Type == "page") {
			if page {
				return -1
			}
			return 1
		}
		return m.targets.lastUsed[b.ID] - m.targets.lastUsed[a.ID]
	})
}
