// Package formguard knows where fields for passwords, codes and payments are filled.
package formguard

import (
	"context"
	"maps"
	"sync"
	"time"

	"cove/internal/cdp/mux"
	"cove/internal/sensitive"
)

// ReadLimit bounds how long the gate reads a page.
const ReadLimit = 5 * time.Second

// Guard finds out whether fields for passwords, codes and payments are filled on the browser's pages. It reads the
// pages anew for each command. It remembers which fields were sensitive: such a field stays sensitive, whatever the
// page turns it into. It may be used from any goroutine.
type Guard struct {
	mux  *mux.Mux
	stop func() // ends the calls of forgetTarget

	mu sync.Mutex
	// sensitive are the fields that were for a password, a code or a payment, by target and then by backend node id.
	sensitive map[string]map[int]sensitive.Kind
	// pressed are the sessions with an allowed press that may send a form and is not released yet.
	pressed map[string]bool
}

// New returns a guard of the browser behind m.
func New(m *mux.Mux) *Guard {
	g := &Guard{mux: m, sensitive: map[string]map[int]sensitive.Kind{}, pressed: map[string]bool{}}
	g.stop = m.OnTargetDestroyed(g.forgetTarget)

	return g
}

// Stop ends the guard's work.
func (g *Guard) Stop() { g.stop() }

// forgetTarget drops what is known about a target.
func (g *Guard) forgetTarget(target string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.sensitive, target)
}

// AllowPress records an allowed press on a session. The press may send a form.
func (g *Guard) AllowPress(session string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for other := range g.pressed {
		if _, known := g.mux.TargetOf(other); !known { // the session ended before the release
			delete(g.pressed, other)
		}
	}
	g.pressed[session] = true
}

// EndPress reports whether the press that ends on a session was allowed, and forgets it.
func (g *Guard) EndPress(session string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	allowed := g.pressed[session]
	delete(g.pressed, session)

	return allowed
}

// FilledKind returns the kind of a sensitive field that is filled, on the page of a session or in a frame that runs in
// a process of its own. It returns None if no such field is filled, and Unknown if a page cannot be read.
func (g *Guard) FilledKind(ctx context.Context, session string) sensitive.Kind {
	t, _ := g.mux.TargetOf(session)
	kind := g.kindOnPage(ctx, session, t.ID)
	if kind != sensitive.None {
		return kind
	}

	return g.kindElsewhere(ctx, t.Type == "iframe")
}

// kindElsewhere looks into the frames that run in processes of their own, and into the pages too if the command is for
// one of these frames.
func (g *Guard) kindElsewhere(ctx context.Context, pages bool) sensitive.Kind {
	for _, t := range g.mux.Targets() {
		if t.Type == "iframe" || (pages && t.Type == "page") {
			if kind := g.kindInTarget(ctx, t.ID); kind != sensitive.None {
				return kind
			}
		}
	}

	return sensitive.None
}

// kindInTarget looks into a target on a session of its own.
func (g *Guard) kindInTarget(ctx context.Context, id string) sensitive.Kind {
	var r struct {
		SessionID string `json:"sessionId"`
	}
	// The answer is awaited even if the program disconnects in the meantime: otherwise the session would be left
	// behind.
	attaching, cancel := context.WithTimeout(context.WithoutCancel(ctx), ReadLimit)
	defer cancel()
	err := g.mux.Call(attaching, "Target.attachToTarget", map[string]any{"targetId": id, "flatten": true}, &r)
	if err != nil {
		if attaching.Err() != nil { // the target does not answer
			return sensitive.Unknown
		}
		return sensitive.None // the target is gone: the browser refuses such a target at once
	}

	kind := g.kindOnPage(ctx, r.SessionID, id)
	_ = g.mux.Post("", "Target.detachFromTarget", map[string]any{"sessionId": r.SessionID})

	return kind
}

// kindOnPage returns the kind of a sensitive field that is filled on one page, and Unknown if the page cannot be read.
func (g *Guard) kindOnPage(ctx context.Context, session, target string) sensitive.Kind {
	var s domSnapshot
	params := map[string]any{"computedStyles": snapshotStyles()}
	if g.mux.CallOn(ctx, session, "DOMSnapshot.captureSnapshot", params, &s) != nil {
		return sensitive.Unknown
	}

	g.mu.Lock()
	known := maps.Clone(g.sensitive[target])
	g.mu.Unlock()
	kind, fields := s.sensitiveFields(known)
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(fields) > 0 {
		g.sensitive[target] = fields // without those that are gone
	} else {
		delete(g.sensitive, target)
	}

	return kind
}
