package gate

import (
	"context"
	"maps"
	"strings"
	"sync"

	"cove/internal/cdp/mux"
	"cove/internal/sensitive"
)

// formGuard knows which password and payment fields of the browser's pages are filled. It looks at the pages itself
// when it is asked, and remembers which fields were sensitive: a field stays so, whatever the page makes of it. It may
// be used from any goroutine.
type formGuard struct {
	mux  *mux.Mux
	stop func() // ends the news about destroyed targets

	mu sync.Mutex
	// sensitive are the fields that were for a password or a payment, by target and then by backend node id.
	sensitive map[string]map[int]bool
	// pressed are the sessions with a press that was allowed, may send a form, and is not released yet.
	pressed map[string]bool
}

func newFormGuard(m *mux.Mux) *formGuard {
	g := &formGuard{mux: m, sensitive: map[string]map[int]bool{}, pressed: map[string]bool{}}
	g.stop = m.OnTargetDestroyed(g.forgetTarget)

	return g
}

// forgetTarget drops what is known of a target.
func (g *formGuard) forgetTarget(target string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.sensitive, target)
}

// allowPress records that a press on a session was allowed that may send a form.
func (g *formGuard) allowPress(session string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for other := range g.pressed {
		if _, known := g.mux.TargetOf(other); !known { // it ended before the release
			delete(g.pressed, other)
		}
	}
	g.pressed[session] = true
}

// endPress reports whether the press that ends on a session was allowed, and forgets it.
func (g *formGuard) endPress(session string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	allowed := g.pressed[session]
	delete(g.pressed, session)

	return allowed
}

// filled reports whether a sensitive field is filled on the page of a session or in a frame that runs in a process of
// its own. If a page cannot be seen, filled reports true.
func (g *formGuard) filled(ctx context.Context, session string) bool {
	t, _ := g.mux.TargetOf(session)
	return g.pageFilled(ctx, session, t.ID) || g.othersFilled(ctx, t.Type == "iframe")
}

// othersFilled looks into the frames that run in processes of their own, and into the pages too if the command is for
// one of these frames.
func (g *formGuard) othersFilled(ctx context.Context, pages bool) bool {
	for _, t := range g.mux.Targets() {
		if t.Type == "iframe" || (pages && t.Type == "page") {
			if g.targetFilled(ctx, t.ID) {
				return true
			}
		}
	}

	return false
}

// targetFilled looks into a target on a session of its own.
func (g *formGuard) targetFilled(ctx context.Context, id string) bool {
	var r struct {
		SessionID string `json:"sessionId"`
	}
	// A program that disconnects meanwhile must not leave the session behind: the answer is awaited all the same.
	attaching, cancel := context.WithTimeout(context.WithoutCancel(ctx), submitLimit)
	defer cancel()
	err := g.mux.Call(attaching, "Target.attachToTarget", map[string]any{"targetId": id, "flatten": true}, &r)
	if err != nil { // a target that is gone is refused at once; one that does not answer cannot be seen
		return attaching.Err() != nil
	}
	filled := g.pageFilled(ctx, r.SessionID, id)
	_ = g.mux.Post("", "Target.detachFromTarget", map[string]any{"sessionId": r.SessionID})

	return filled
}

// domSnapshot is what the guard reads of DOMSnapshot.captureSnapshot. Its texts stand in one table, by number.
type domSnapshot struct {
	Strings   []string `json:"strings"`
	Documents []struct {
		Nodes struct {
			Attributes [][]int `json:"attributes"`
			ID         []int   `json:"backendNodeId"`
			InputValue struct {
				Index []int `json:"index"`
				Value []int `json:"value"`
			} `json:"inputValue"`
		} `json:"nodes"`
	} `json:"documents"`
}

func (s *domSnapshot) stringAt(i int) string {
	if i < 0 || i >= len(s.Strings) {
		return ""
	}

	return s.Strings[i]
}

// pageFilled reports whether a sensitive field of one page is filled, and whether the page cannot be seen.
func (g *formGuard) pageFilled(ctx context.Context, session, target string) bool {
	var s domSnapshot
	params := map[string]any{"computedStyles": []string{}}
	if g.mux.CallOn(ctx, session, "DOMSnapshot.captureSnapshot", params, &s) != nil {
		return true
	}

	g.mu.Lock()
	known := maps.Clone(g.sensitive[target])
	g.mu.Unlock()
	filled, fields := s.sensitiveFields(known)
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(fields) > 0 {
		g.sensitive[target] = fields // without those that are gone
	} else {
		delete(g.sensitive, target)
	}

	return filled
}

// sensitiveFields returns the sensitive fields of a page, and whether one of them is filled. The fields in known were
// sensitive before.
func (s *domSnapshot) sensitiveFields(known map[int]bool) (filled bool, fields map[int]bool) {
	fields = map[int]bool{}
	for _, d := range s.Documents {
		ids := d.Nodes.ID
		for n, attributes := range d.Nodes.Attributes[:min(len(d.Nodes.Attributes), len(ids))] {
			if known[ids[n]] || sensitiveField(attributes, s.stringAt) {
				fields[ids[n]] = true
			}
		}

		values := d.Nodes.InputValue
		for i := range min(len(values.Index), len(values.Value)) {
			if n := values.Index[i]; n >= 0 && n < len(ids) && fields[ids[n]] && s.stringAt(values.Value[i]) != "" {
				filled = true
			}
		}
	}

	return filled, fields
}

// sensitiveField reports whether a field's attributes say that it is for a password, a code or a payment. attributes
// are names and values in turn; text returns them.
func sensitiveField(attributes []int, text func(int) string) bool {
	var f sensitive.Field
	for i := 0; i+1 < len(attributes); i += 2 {
		value := text(attributes[i+1])
		switch strings.ToLower(text(attributes[i])) {
		case "type":
			f.Type = value
		case "name":
			f.Name = value
		case "id":
			f.ID = value
		case "autocomplete":
			f.Autocomplete = value
		}
	}

	return f.Kind() != sensitive.None
}
