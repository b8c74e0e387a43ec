package page

import (
	"context"
	"maps"
	"strings"
	"sync"
	"time"

	"cove/internal/cdp"
)

// Elements that only a script's listener makes clickable look like any other: neither role nor cursor tells. The browser knows their
// listeners, and lists those of a whole document in about a thousandth of a second when there are few.

// hearing is what was found out of a document's listeners.
type hearing struct {
	mu     sync.Mutex
	handle string       // the document, as an object of the page's world: in ours the browser would make elements of shadow trees useless
	asked  map[int]bool // nodes that the walker has been told of
	rest   time.Time    // not asked before it
}

const (
	// mostTold bounds how many elements the walker is told of for one snapshot; the next one tells the next.
	mostTold = 200
	// mostTypes is what one element listens to; more is the root of a library that listens for everything in it.
	mostTypes = 20
	// restTimes is how long nobody asks again, in times of what the last answer took: a page with thousands of listeners pays
	// no more than a tenth.
	restTimes = 10
)

// presses and drops are the events that make an element one to click, or one to drop something on.
var presses = map[string]bool{"click": true, "mousedown": true, "mouseup": true, "pointerdown": true, "pointerup": true, "dblclick": true, "touchstart": true, "touchend": true}

var drops = map[string]bool{"drop": true, "dragover": true, "dragenter": true}

// listening is a question for listeners that is under way.
type listening struct {
	t       *Tab
	p       place
	pending *cdp.Pending
	began   time.Time
}

// listen asks for the listeners of a document, to be answered while the walker walks; nil when it is too soon.
func (t *Tab) listen(ctx context.Context, p place) *listening {
	h := &p.document.hearing
	if !h.mu.TryLock() {
		return nil
	}
	if h.handle == "" {
		t.mu.Lock()
		script := p.document.frame.script
		t.mu.Unlock()
		ctx, cancel := t.free(ctx)
		r, err := t.evaluate(ctx, p.session, object{"expression": "document", "contextId": script})
		cancel()
		h.handle = r.ObjectID
		if err != nil || h.handle == "" {
			h.mu.Unlock()
			return nil
		}
	}
	if time.Now().Before(h.rest) {
		h.mu.Unlock()
		return nil
	}
	return &listening{t, p, t.b.conn.Start(p.session, "DOMDebugger.getEventListeners", object{"objectId": h.handle, "depth": -1, "pierce": true}), time.Now()}
}

// tell tells the walker what was found and answers whether that makes a difference. An element that it cannot tell of is not worth an error.
func (l *listening) tell(ctx context.Context) bool {
	if l == nil {
		return false
	}
	h := &l.p.document.hearing
	defer h.mu.Unlock()
	ctx, cancel := l.t.free(ctx)
	defer cancel()
	var r struct {
		Listeners []listener `json:"listeners"`
	}
	if err := l.pending.Wait(ctx, &r); err != nil || len(r.Listeners) == 0 {
		return false
	}
	if len(r.Listeners) > mostTold {
		h.rest = time.Now().Add(restTimes * time.Since(l.began))
	}
	nodes, kinds := h.fresh(r.Listeners)
	if len(nodes) == 0 {
		return false
	}
	news, err := l.t.toldOf(ctx, l.p, nodes, kinds)
	if err != nil {
		return false // the next snapshot tells them
	}
	for _, node := range nodes {
		h.asked[node] = true
	}
	return news
}

type listener struct {
	Type string `json:"type"`
	Node int    `json:"backendNodeId"`
}

// fresh picks the nodes that the walker does not know of, c for those to click and d for those to drop on.
func (h *hearing) fresh(all []listener) (nodes []int, kinds string) {
	type about struct {
		types int
		kind  byte
	}
	of := map[int]*about{}
	var order []int
	for _, l := range all {
		a := of[l.Node]
		if a == nil {
			a = &about{}
			of[l.Node] = a
			order = append(order, l.Node)
		}
		a.types++
		switch {
		case presses[l.Type]:
			a.kind = 'c'
		case drops[l.Type] && a.kind == 0:
			a.kind = 'd'
		}
	}
	if h.asked == nil {
		h.asked = map[int]bool{}
	}
	for _, node := range order {
		a := of[node]
		if node == 0 || a.kind == 0 || a.types > mostTypes || h.asked[node] {
			continue
		}
		if len(nodes) == mostTold {
			break
		}
		nodes, kinds = append(nodes, node), kinds+string(a.kind)
	}
	return nodes, kinds
}

// toldOf hands nodes to the walker as elements of its world. Nodes of frames inside the document are left out: the first world that asks for
// a node decides to which window its object belongs, and all frames share the walker's world, so the frame itself could not read it any more.
func (t *Tab) toldOf(ctx context.Context, p place, nodes []int, kinds string) (news bool, err error) {
	const group = "listening"
	resolve := func(params object) []string {
		pending := make([]*cdp.Pending, len(nodes))
		for i, node := range nodes {
			with := object{"backendNodeId": node, "objectGroup": group}
			maps.Copy(with, params)
			pending[i] = t.b.conn.Start(p.session, "DOM.resolveNode", with)
		}
		ids := make([]string, len(nodes))
		for i, one := range pending {
			var resolved struct {
				Object remote `json:"object"`
			}
			if one.Wait(ctx, &resolved) == nil { // else it has gone meanwhile
				ids[i] = resolved.Object.ObjectID
			}
		}
		return ids
	}
	own := contextOf(p.document.hearing.handle)
	var here []int
	var kindsHere []byte
	for i, id := range resolve(nil) { // each in its own window
		if contextOf(id) == own {
			here, kindsHere = append(here, nodes[i]), append(kindsHere, kinds[i])
		}
	}
	if nodes, kinds = here, string(kindsHere); len(nodes) == 0 {
		t.forget(t.b.conn.Start(p.session, "Runtime.releaseObjectGroup", object{"objectGroup": group}))
		return false, ctx.Err()
	}
	arguments := []object{{"value": kinds}}
	for _, id := range resolve(object{"executionContextId": p.world}) {
		if id == "" {
			arguments = append(arguments, object{"value": nil})
			continue
		}
		arguments = append(arguments, object{"objectId": id})
	}
	var r evaluated
	err = t.b.conn.Call(ctx, p.session, "Runtime.callFunctionOn", object{"functionDeclaration": "function(kinds,...all){return cove.heard(kinds,all)}",
		"executionContextId": p.world, "arguments": arguments, "returnByValue": true}, &r)
	t.forget(t.b.conn.Start(p.session, "Runtime.releaseObjectGroup", object{"objectGroup": group}))
	return string(r.Result.Value) == "true", err
}

// contextOf is the part of an object's id that names its window: ids are isolate.context.number.
func contextOf(objectID string) string {
	return objectID[:max(strings.LastIndexByte(objectID, '.'), 0)]
}
