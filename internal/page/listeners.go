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
	told   map[int]bool // nodes that the walker has been told of
	first  time.Time    // when it was asked for the first time
	last   time.Time    // when it was last asked and all of the answer told
	shape  int64        // the document's then
	rest   time.Time    // not asked before it
}

const (
	// A document is asked with every snapshot until youth has passed since the first question: scripts come after what the server has sent,
	// and listen to elements that are there already. Later they do so with a change, if at all; longestHeard is for those that do it without.
	youth        = 5 * time.Second
	longestHeard = 30 * time.Second
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

// due tells whether listeners may have changed since they were asked for.
func (h *hearing) due(now time.Time, shape int64) bool {
	if now.Before(h.rest) {
		return false
	}
	return shape != h.shape || h.last.Sub(h.first) < youth || now.Sub(h.last) > longestHeard
}

// listen asks for the listeners of a document, tells the walker what is new and answers whether that makes a difference. An element that it
// cannot tell of is not worth an error.
func (t *Tab) listen(ctx context.Context, p place, shape int64) bool {
	h := &p.document.hearing
	if !h.mu.TryLock() {
		return false
	}
	defer h.mu.Unlock()
	began := time.Now()
	if !h.due(began, shape) {
		return false
	}
	ctx, cancel := t.free(ctx)
	defer cancel()
	if h.handle == "" {
		h.first = began
		t.mu.Lock()
		script := p.document.frame.script
		t.mu.Unlock()
		r, err := t.evaluate(ctx, p.session, object{"expression": "document", "contextId": script})
		if err != nil || r.ObjectID == "" {
			return false
		}
		h.handle = r.ObjectID
	}
	var r struct {
		Listeners []listener `json:"listeners"`
	}
	if err := t.b.conn.Call(ctx, p.session, "DOMDebugger.getEventListeners", object{"objectId": h.handle, "depth": -1, "pierce": true}, &r); err != nil {
		return false
	}
	if len(r.Listeners) > mostTold {
		h.rest = time.Now().Add(restTimes * time.Since(began))
	}
	nodes, kinds, whole := h.fresh(r.Listeners)
	if whole {
		h.last, h.shape = began, shape
	}
	if len(nodes) == 0 {
		return false
	}
	news, err := t.toldOf(ctx, p, nodes, kinds)
	if err != nil {
		h.shape = -1
		return false // the next snapshot tells them
	}
	for _, node := range nodes {
		h.told[node] = true
	}
	return news
}

type listener struct {
	Type string `json:"type"`
	Node int    `json:"backendNodeId"`
}

// fresh picks the nodes that the walker does not know of, c for those to click and d for those to drop on; whole is false when there are more.
func (h *hearing) fresh(all []listener) (nodes []int, kinds string, whole bool) {
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
	if h.told == nil {
		h.told = map[int]bool{}
	}
	for _, node := range order {
		a := of[node]
		if node == 0 || a.kind == 0 || a.types > mostTypes || h.told[node] {
			continue
		}
		if len(nodes) == mostTold {
			return nodes, kinds, false
		}
		nodes, kinds = append(nodes, node), kinds+string(a.kind)
	}
	return nodes, kinds, true
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
