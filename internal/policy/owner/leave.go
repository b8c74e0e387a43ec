package owner

import "time"

// awayLimit is how long an agent whose connection has ended has for connecting again before its tabs are free. It is
// longer than the pauses of clients that do.
const awayLimit = 30 * time.Second

// Away records that the connection of the agent has ended without a word. After awayLimit its tabs are free. Back makes
// those that nobody else has got its own again.
func (o *Owner) Away() {
	o.table.mu.Lock()
	defer o.table.mu.Unlock()
	o.away = time.Now()
}

// Back notes that something was heard of the agent.
func (o *Owner) Back() {
	o.table.mu.Lock()
	defer o.table.mu.Unlock()
	o.away = time.Time{}
}

// isLeft reports whether the owner is away for so long that others get the tab. The caller holds the table's mu.
func (at *tab) isLeft() bool {
	return at.steps == 0 && !at.owner.away.IsZero() && time.Since(at.owner.away) >= awayLimit
}

// Release makes all tabs of the agent nobody's. Those of a program stay with its other connections.
func (o *Owner) Release() {
	o.table.mu.Lock()
	defer o.table.mu.Unlock()
	o.release()
}

// Leave is Release for an agent that is gone for good: it owns nothing any more.
func (o *Owner) Leave() {
	o.table.mu.Lock()
	defer o.table.mu.Unlock()
	o.left, o.losses = true, nil
	delete(o.table.running, o)
	o.release()
}

// release is Release for a caller that holds mu.
func (o *Owner) release() {
	t, heir := o.table, o.heir()
	for id, at := range t.tabs {
		switch {
		case at.owner != o:
		case heir != nil:
			at.owner = heir
		case len(at.takers) > 0:
			t.set(id, at.takers[0].owner, false)
			at.endWait()
		default:
			delete(t.tabs, id)
			t.broadcast()
		}
	}
}

// heir returns another connection of the same program, or nil. The caller holds mu.
func (o *Owner) heir() *Owner {
	for other := range o.table.running {
		if other != o && other.is(o) {
			return other
		}
	}
	return nil
}
