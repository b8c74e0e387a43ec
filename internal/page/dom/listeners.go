package dom

import (
	"context"
	"maps"
	"strings"
	"sync"
	"time"

	"cove/internal/cdp"
	"cove/internal/page/remote"
)

// An element that is clickable only because a script listens to it looks like any other: neither its role nor its
// cursor shows it. The browser knows all listeners. It lists those of a whole document in about a millisecond when
// there are few.

// listeners records which listeners of a document the walker knows, and when to read them again.
type listeners struct {
	mu sync.Mutex
	// handle is the document as an object id of the page's own world. With an object of our world the browser would
	// make elements of shadow trees useless.
	handle string
	known  map[int]bool // nodes that the walker has got
	first  time.Time    // when they were first read
	last   time.Time    // when they were last read and the walker got all of them
	shape  int64        // the document's shape at that time
	rest   time.Time    // the listeners are not read again before this time
}

const (
	// Every snapshot reads the listeners of a document until youth has passed since the first time: scripts run after
	// the server's elements are there, and begin to listen to them then. Later, new listeners usually come with a
	// change of the document, which makes the snapshot read again. maxListenerAge covers listeners that come without a
	// change.
	youth          = 5 * time.Second
	maxListenerAge = 30 * time.Second
	// maxMarked bounds how many elements one snapshot hands to the walker. The next snapshot hands over the next.
	maxMarked = 200
	// maxTypes is the greatest number of listeners of an element that counts. An element with more is the root of a
	// library that listens for everything inside it.
	maxTypes = 20
	// restFactor times the duration of the last reading is how long the listeners are not read again. So a page with
	// thousands of listeners spends no more than a tenth of its time on this.
	restFactor = 10
)

// listenerKind returns 'c' for an event whose listeners make an element clickable, 'd' for one that makes it a target
// to drop something on, else 0.
func listenerKind(event string) byte {
	switch event {
	case "click", "mousedown", "mouseup", "pointerdown", "pointerup", "dblclick", "touchstart", "touchend":
		return 'c'
	case "drop", "dragover", "dragenter":
		return 'd'
	}
	return 0
}

// due reports whether the listeners are to be read now, because they may have changed since the last time.
func (l *listeners) due(now time.Time, shape int64) bool {
	if now.Before(l.rest) {
		return false
	}
	return shape != l.shape || l.last.Sub(l.first) < youth || now.Sub(l.last) > maxListenerAge
}

// readListeners reads the listeners of a document and hands new ones to the walker. It reports whether another walk
// would show more. When it fails, it returns no error: the snapshot only lacks some clickable elements.
func (f *Frames) readListeners(ctx context.Context, w World, shape int64) bool {
	l := &w.Document.listeners
	if !l.mu.TryLock() {
		return false
	}
	defer l.mu.Unlock()
	began := time.Now()
	if !l.due(began, shape) {
		return false
	}

	ctx, cancel := f.target.Unblocked(ctx)
	defer cancel()
	if l.handle == "" {
		l.first = began
		_, script := f.script(w.Document.frame.id)
		r, err := f.Evaluate(ctx, w.Session, object{"expression": "document", "contextId": script})
		if err != nil || r.ObjectID == "" {
			return false
		}
		l.handle = r.ObjectID
	}
	var r struct {
		Listeners []listener `json:"listeners"`
	}
	params := object{"objectId": l.handle, "depth": -1, "pierce": true}
	if err := f.target.Conn.Call(ctx, w.Session, "DOMDebugger.getEventListeners", params, &r); err != nil {
		return false
	}
	if len(r.Listeners) > maxMarked {
		l.rest = time.Now().Add(restFactor * time.Since(began))
	}

	nodes, kinds, whole := l.fresh(r.Listeners)
	if whole {
		l.last, l.shape = began, shape
	}
	if len(nodes) == 0 {
		return false
	}
	changed, err := f.markListeners(ctx, w, nodes, kinds)
	if err != nil {
		l.shape = -1
		return false // the next snapshot tries again
	}
	for _, node := range nodes {
		l.known[node] = true
	}
	return changed
}

type listener struct {
	Type string `json:"type"`
	Node int    `json:"backendNodeId"`
}

// fresh returns the nodes that the walker does not know yet, with one letter of listenerKind for each. It returns at
// most maxMarked nodes; whole is false when there are more.
func (l *listeners) fresh(all []listener) (nodes []int, kinds string, whole bool) {
	type about struct {
		types int
		kind  byte
	}
	of := map[int]*about{}
	var order []int
	for _, one := range all {
		a := of[one.Node]
		if a == nil {
			a = &about{}
			of[one.Node] = a
			order = append(order, one.Node)
		}
		a.types++
		if kind := listenerKind(one.Type); kind == 'c' || kind != 0 && a.kind == 0 {
			a.kind = kind
		}
	}

	if l.known == nil {
		l.known = map[int]bool{}
	}
	for _, node := range order {
		a := of[node]
		if node == 0 || a.kind == 0 || a.types > maxTypes || l.known[node] {
			continue
		}
		if len(nodes) == maxMarked {
			return nodes, kinds, false
		}
		nodes, kinds = append(nodes, node), kinds+string(a.kind)
	}
	return nodes, kinds, true
}

// listenerGroup is the object group of the nodes that markListeners resolves.
const listenerGroup = "listeners"

// markListeners hands nodes to the walker as elements of its world, and reports whether the walker learns anything. It
// leaves out nodes of frames inside the document: the first world that resolves a node decides to which window its
// object belongs, and all frames share the walker's world, so the frame itself could not read it any more.
func (f *Frames) markListeners(ctx context.Context, w World, nodes []int, kinds string) (changed bool, err error) {
	release := func() {
		f.target.Post(w.Session, "Runtime.releaseObjectGroup", object{"objectGroup": listenerGroup})
	}
	own := contextOf(w.Document.listeners.handle)
	var here []int
	var kindsHere []byte
	for i, id := range f.resolveAll(ctx, w.Session, nodes, nil) { // each in the window of its own frame
		if contextOf(id) == own {
			here, kindsHere = append(here, nodes[i]), append(kindsHere, kinds[i])
		}
	}
	if len(here) == 0 {
		release()
		return false, ctx.Err()
	}

	arguments := []object{{"value": string(kindsHere)}}
	for _, id := range f.resolveAll(ctx, w.Session, here, object{"executionContextId": w.ID}) {
		if id == "" {
			arguments = append(arguments, object{"value": nil})
			continue
		}
		arguments = append(arguments, object{"objectId": id})
	}
	var r remote.Result
	err = f.target.Conn.Call(ctx, w.Session, "Runtime.callFunctionOn", object{
		"functionDeclaration": "function(kinds,...all){return cove.markListeners(kinds,all)}",
		"executionContextId":  w.ID, "arguments": arguments, "returnByValue": true}, &r)
	release()
	return string(r.Value.Value) == "true", err
}

// resolveAll returns nodes as object ids, with "" for each node that is gone.
func (f *Frames) resolveAll(ctx context.Context, session string, nodes []int, params object) []string {
	pending := make([]*cdp.Pending, len(nodes))
	for i, node := range nodes {
		with := object{"backendNodeId": node, "objectGroup": listenerGroup}
		maps.Copy(with, params)
		pending[i] = f.target.Conn.Start(session, "DOM.resolveNode", with)
	}

	ids := make([]string, len(nodes))
	for i, one := range pending {
		var r resolved
		if one.Wait(ctx, &r) == nil {
			ids[i] = r.Object.ObjectID
		}
	}
	return ids
}

// contextOf returns the part of an object's id that names its window: ids are isolate.context.number.
func contextOf(objectID string) string {
	return objectID[:max(strings.LastIndexByte(objectID, '.'), 0)]
}
