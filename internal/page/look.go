package page

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"cove/internal/cdp"
	"cove/internal/snapshot"
)

// frameLimit bounds what one frame may take of a snapshot: one that hangs is left out and named. framesLimit is for all that are
// beside each other, of which so many are read at the same time.
const (
	frameLimit   = 3 * time.Second
	framesLimit  = 10 * time.Second
	framesAtOnce = 16
)

// How many nodes of a frame are read to be shown, and how many to be searched: nobody reads more than the first, but what is looked for
// may be anywhere.
const (
	shownNodes    = 20_000
	searchedNodes = 500_000
	walkLimit     = 3 * time.Second // of one frame; the rest is told as missing
)

// Look reads what the tab shows, all frames together.
func (t *Tab) Look(ctx context.Context) (*snapshot.Doc, error) { return t.look(ctx, shownNodes) }

// LookThrough is Look to the end of a long page.
func (t *Tab) LookThrough(ctx context.Context) (*snapshot.Doc, error) {
	return t.look(ctx, searchedNodes)
}

func (t *Tab) look(ctx context.Context, limit int) (*snapshot.Doc, error) {
	if err := t.refuseDialog(); err != nil {
		return nil, err
	}
	ctx, cancel := t.attend(ctx)
	defer cancel()
	root, err := t.walk(ctx, t.main, limit)
	if err != nil {
		return nil, err
	}
	t.addFrames(ctx, t.main, root, 0, limit)
	return root, nil
}

// walk reads the tree of one frame.
func (t *Tab) walk(ctx context.Context, frameID string, limit int) (*snapshot.Doc, error) {
	for attempt := 0; ; attempt++ {
		p, err := t.enter(ctx, frameID)
		if err != nil {
			return nil, err
		}
		doc, err := t.walkIn(ctx, p, limit)
		var gone *cdp.Error
		if err != nil && errors.As(err, &gone) && attempt < 3 { // a navigation took the world away
			t.mu.Lock()
			if f := t.frames[frameID]; f != nil && f.world == p.world {
				f.world, f.document = 0, nil
			}
			t.mu.Unlock()
			continue
		}
		return doc, restless(err)
	}
}

func (t *Tab) walkIn(ctx context.Context, p place, limit int) (*snapshot.Doc, error) {
	doc, err := t.walkOnce(ctx, p, limit)
	if err != nil {
		return doc, err
	}
	more := t.listen(ctx, p, doc.Shape)
	if len(doc.IDs) > 0 {
		found, err := t.openShadows(ctx, p, doc.IDs)
		more = more || err == nil && found // else what a closed root hides is missing, the rest is there
	}
	if !more {
		return doc, nil
	}
	return t.walkOnce(ctx, p, limit)
}

func (t *Tab) walkOnce(ctx context.Context, p place, limit int) (*snapshot.Doc, error) {
	raw, err := t.text(ctx, p, fmt.Sprintf("function(){return cove.walk({limit:%d,time:%d})}", limit, walkLimit.Milliseconds()))
	if err != nil {
		return nil, err
	}
	doc, err := snapshot.ParseHiding(raw, t.b.hidden, t.b.address)
	if err != nil {
		return nil, err
	}
	doc.Label, doc.Frames, doc.Note = p.document.label, map[int]*snapshot.Doc{}, map[int]string{}
	return doc, nil
}

// maxClosed bounds how many elements are asked for a closed shadow root in one snapshot.
const maxClosed = 40

// openShadows hands closed shadow roots to the walker: scripts cannot see them, the protocol can.
func (t *Tab) openShadows(ctx context.Context, p place, ids []int) (found bool, err error) {
	ids = ids[:min(len(ids), maxClosed)]
	for _, id := range ids {
		host, err := t.invoke(ctx, p, false, "function(id){return cove.get(id)}", id)
		if err != nil {
			return found, err
		}
		if host.ObjectID == "" {
			continue
		}
		root, err := t.closedRoot(ctx, p, host.ObjectID)
		if err != nil {
			return found, err
		}
		if root != "" {
			found = true
			if err := t.call(ctx, p.session, "Runtime.callFunctionOn", object{"functionDeclaration": "function(root){cove.adopt(this,root)}", "objectId": host.ObjectID,
				"arguments": []object{{"objectId": root}}}, nil); err != nil {
				return found, err
			}
		}
	}
	return found, t.run(ctx, p, nil, "function(ids){cove.asked(ids);return 0}", ids)
}

func (t *Tab) closedRoot(ctx context.Context, p place, host string) (string, error) {
	var described struct {
		Node struct {
			Shadows []struct {
				Type    string `json:"shadowRootType"`
				Backend int    `json:"backendNodeId"`
			} `json:"shadowRoots"`
		} `json:"node"`
	}
	if err := t.call(ctx, p.session, "DOM.describeNode", object{"objectId": host, "depth": 1, "pierce": true}, &described); err != nil {
		return "", err
	}
	for _, s := range described.Node.Shadows {
		if s.Type != "closed" {
			continue
		}
		var resolved struct {
			Object remote `json:"object"`
		}
		err := t.call(ctx, p.session, "DOM.resolveNode", object{"backendNodeId": s.Backend, "executionContextId": p.world}, &resolved)
		return resolved.Object.ObjectID, err
	}
	return "", nil
}

// maxFrameDepth bounds frames in frames.
const maxFrameDepth = 8

// addFrames stitches the documents of the child frames into their parent's, all of them at the same time.
func (t *Tab) addFrames(ctx context.Context, parent string, doc *snapshot.Doc, depth, limit int) {
	var children []string
	t.mu.Lock()
	for id, f := range t.frames {
		if f.parent == parent && id != parent {
			children = append(children, id)
		}
	}
	t.mu.Unlock()
	if len(children) == 0 || depth >= maxFrameDepth {
		return
	}
	ctx, cancel := context.WithTimeoutCause(ctx, framesLimit, errNoAnswer)
	defer cancel()
	var mu sync.Mutex
	var all sync.WaitGroup
	turns := make(chan struct{}, framesAtOnce)
	for _, id := range children {
		turns <- struct{}{}
		all.Go(func() {
			defer func() { <-turns }()
			ctx, cancel := context.WithTimeoutCause(ctx, frameLimit, errNoAnswer)
			defer cancel()
			owner, err := t.ownerOf(ctx, id)
			if err != nil || owner == 0 {
				return // it is not in the page any more
			}
			inner, err := t.walk(ctx, id, limit)
			if err == nil {
				t.addFrames(ctx, id, inner, depth+1, limit)
			}
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				doc.Note[owner] = "this frame does not answer"
				if errors.Is(err, errFrameCrashed) {
					doc.Note[owner] = "this frame has crashed"
				}
				return
			}
			doc.Frames[owner] = inner
		})
	}
	all.Wait()
}

// ownerOf is the id of a frame's element in its parent's document.
func (t *Tab) ownerOf(ctx context.Context, frameID string) (int, error) {
	t.mu.Lock()
	f := t.frames[frameID]
	if f == nil {
		t.mu.Unlock()
		return 0, errFrameGone
	}
	parent, owner, of := f.parent, f.owner, f.ownerOf
	t.mu.Unlock()
	p, err := t.enter(ctx, parent)
	if err != nil {
		return 0, err
	}
	if owner != 0 && of == p.document {
		return owner, nil
	}
	var at struct {
		Backend int `json:"backendNodeId"`
	}
	if err := t.call(ctx, p.session, "DOM.getFrameOwner", object{"frameId": frameID}, &at); err != nil {
		return 0, err
	}
	var resolved struct {
		Object remote `json:"object"`
	}
	if err := t.call(ctx, p.session, "DOM.resolveNode", object{"backendNodeId": at.Backend, "executionContextId": p.world}, &resolved); err != nil {
		return 0, err
	}
	var r evaluated
	if err := t.call(ctx, p.session, "Runtime.callFunctionOn", object{"functionDeclaration": "function(){return cove.id(this)}", "objectId": resolved.Object.ObjectID, "returnByValue": true}, &r); err != nil {
		return 0, err
	}
	if err := json.Unmarshal(r.Result.Value, &owner); err != nil {
		return 0, err
	}
	t.mu.Lock()
	f.owner, f.ownerOf = owner, p.document
	t.mu.Unlock()
	return owner, nil
}

// Remember keeps what a snapshot showed, so that an element that is drawn anew can be found again.
func (t *Tab) Remember(p *snapshot.Picture) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range t.frames {
		if f.document != nil {
			f.document.seen = p
		}
	}
}

// VersionOf is the version that Look has seen; "" when a frame is missing in it.
func (t *Tab) VersionOf(root *snapshot.Doc) string {
	parts := map[string]int{}
	var add func(d *snapshot.Doc)
	add = func(d *snapshot.Doc) {
		parts[d.Label] = int(d.Version)
		for _, inner := range d.Frames {
			add(inner)
		}
	}
	add(root)
	t.mu.Lock()
	frames := len(t.frames)
	t.mu.Unlock()
	if len(parts) != frames {
		return ""
	}
	return versions(parts)
}

// versions is one text for those of all documents, by their labels.
func versions(parts map[string]int) string {
	raw, _ := json.Marshal(parts) // its keys are sorted
	return string(raw)
}

// Version tells whether the page can have changed: it is the same as long as it did not.
func (t *Tab) Version(ctx context.Context) (version string, err error) {
	t.mu.Lock()
	ids := make([]string, 0, len(t.frames))
	for id, f := range t.frames {
		if f.document != nil {
			ids = append(ids, id)
		}
	}
	frames := len(t.frames)
	t.mu.Unlock()
	if len(ids) != frames {
		return "", nil // a frame that nobody has looked into
	}
	parts := map[string]int{}
	for _, id := range ids {
		p, err := t.enter(ctx, id)
		if err != nil {
			return "", err
		}
		var v int
		if err := t.run(ctx, p, &v, "function(){return cove.version()}"); err != nil {
			return "", err
		}
		parts[p.document.label] = v
	}
	return versions(parts), nil
}

// textPoll is how often the page is asked for a text that it does not show yet.
const textPoll = 50 * time.Millisecond

// closedPoll is how often closed shadow roots are looked for meanwhile, which takes a walk over the page.
const closedPoll = 500 * time.Millisecond

// AwaitText waits until one of the texts is on the page, in any frame, and tells which.
func (t *Tab) AwaitText(ctx context.Context, texts []string) (int, error) {
	for walk := time.Now().Add(2 * textPoll); ; {
		if err := t.refuseDialog(); err != nil {
			return -1, err
		}
		began := time.Now()
		if at := t.hasText(ctx, texts); at >= 0 {
			return at, nil
		}
		pause := max(textPoll, 2*time.Since(began)) // a page that takes long to answer has other things to do too
		if began = time.Now(); began.After(walk) {
			_, _ = t.Look(ctx)
			walk = time.Now().Add(max(closedPoll, 10*time.Since(began)))
		}
		select {
		case <-ctx.Done():
			return -1, context.Cause(ctx)
		case <-t.lifeContext().Done():
			return -1, context.Cause(t.lifeContext())
		case <-time.After(pause):
		}
	}
}

func (t *Tab) hasText(ctx context.Context, texts []string) int {
	t.mu.Lock()
	ids := make([]string, 0, len(t.frames))
	for id := range t.frames {
		ids = append(ids, id)
	}
	t.mu.Unlock()
	for _, id := range ids {
		ctx, cancel := context.WithTimeout(ctx, frameLimit)
		at := -1
		if p, err := t.enter(ctx, id); err == nil {
			_ = t.run(ctx, p, &at, "function(texts){return act.has(texts)}", texts)
		}
		cancel()
		if at >= 0 {
			return at
		}
	}
	return -1
}
