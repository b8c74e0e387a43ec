package dom

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"cove/internal/cdp"
	"cove/internal/page/target"
	"cove/internal/snapshot/index"
)

// tree records the frames of a tab, their documents, and how far the main document is. Lock order: tree before Target
// and before the event log. No method waits for the browser.
type tree struct {
	target *target.Target
	config Config
	main   string // the id of the main frame; it never changes

	mu   sync.Mutex
	byID map[string]*frame
	load Load
}

// frame is one frame of a tab. The lock of the tree guards it.
type frame struct {
	id, parent string
	session    string
	url        string
	// origin is the origin of the document's scripts. An empty page has the origin of the page that opened it.
	origin string
	loader string
	// script is the execution context of the page's own scripts, world that of ours. They are 0 when not known.
	script, world int
	document      *Document
	making        chan struct{} // closed when the world that somebody makes is there, or given up; nil without one
	// owner is the frame's element in the document ownerIn of its parent.
	owner   int
	ownerIn *Document
	// crashed says that the frame's process is gone. Nothing answers until the frame is loaded again.
	crashed bool
}

// Document is one document of a frame that an agent has looked into. Its label begins the uids of its elements and is
// never used again.
type Document struct {
	Label string

	frame     *frame
	seen      atomic.Pointer[index.Index] // what the last snapshot showed
	listeners listeners
}

// Describe returns the role and the name that the last snapshot showed for a uid.
func (d *Document) Describe(uid string) (role, name string, ok bool) { return d.seen.Load().Find(uid) }

// Unique reports whether the last snapshot showed only one element of this uid's role and name.
func (d *Document) Unique(uid string) bool { return d.seen.Load().Alone(uid) }

// Frame describes one frame at one moment.
type Frame struct{ ID, Parent, Session, URL, Origin, Loader string }

func (f *frame) copy() Frame { return Frame{f.id, f.parent, f.session, f.url, f.origin, f.loader} }

func (f *frame) forgetDocument() {
	f.script, f.world, f.document, f.owner, f.ownerIn = 0, 0, nil, 0, nil
}

// Main returns the id of the main frame.
func (t *tree) Main() string { return t.main }

// URL returns the address of the main document, or "" when it is not known.
func (t *tree) URL() string { return t.get(t.main).URL }

// Loader returns the loader of the main document.
func (t *tree) Loader() string { return t.get(t.main).Loader }

// get returns a frame as it is now, or the zero Frame when the frame is gone.
func (t *tree) get(id string) Frame {
	t.mu.Lock()
	defer t.mu.Unlock()
	if one := t.byID[id]; one != nil {
		return one.copy()
	}
	return Frame{}
}

// URLOf returns the address of a frame's document.
func (t *tree) URLOf(id string) string { return t.get(id).URL }

// Frame returns a frame as it is now, or the zero Frame when it is gone.
func (t *tree) Frame(id string) Frame { return t.get(id) }

// MainFrame returns the main frame as it is now.
func (t *tree) MainFrame() Frame { return t.get(t.main) }

// All lists the frames, in no order.
func (t *tree) All() []Frame {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := make([]Frame, 0, len(t.byID))
	for _, one := range t.byID {
		all = append(all, one.copy())
	}
	return all
}

// Len returns how many frames there are.
func (t *tree) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.byID)
}

// children lists the frames directly inside a frame.
func (t *tree) children(parent string) (ids []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, one := range t.byID {
		if one.parent == parent && id != parent {
			ids = append(ids, id)
		}
	}
	return ids
}

type frameTree struct {
	Frame struct {
		ID       string `json:"id"`
		ParentID string `json:"parentId"`
		URL      string `json:"url"`
		Fragment string `json:"urlFragment"`
		LoaderID string `json:"loaderId"`
	} `json:"frame"`
	Children []frameTree `json:"childFrames"`
}

// ReadTree adds the frames of a session that were there before we attached to it. It returns at once; the frames are
// added when the browser answers.
func (t *tree) ReadTree(session string) {
	pending := t.target.Conn.Start(session, "Page.getFrameTree", nil)
	go func() {
		ctx, cancel := t.target.Bound(context.Background(), time.Minute)
		defer cancel()
		var r struct {
			FrameTree frameTree `json:"frameTree"`
		}
		if pending.Wait(ctx, &r) != nil {
			return
		}

		t.mu.Lock()
		found := t.addTree(session, r.FrameTree)
		t.mu.Unlock()
		for _, one := range found { // a document may have come before we listened
			t.config.Arrived(one)
		}
	}()
}

// addTree adds the frames of a tree and returns them. The caller has locked mu.
func (t *tree) addTree(session string, tree frameTree) (found []Frame) {
	one := t.byID[tree.Frame.ID]
	if one == nil {
		one = &frame{id: tree.Frame.ID, session: session}
		t.byID[one.id] = one
	}
	if one.loader == "" || one.loader == tree.Frame.LoaderID { // an event may have brought something newer
		one.url, one.loader = tree.Frame.URL+tree.Frame.Fragment, tree.Frame.LoaderID
	}
	if tree.Frame.ParentID != "" {
		one.parent = tree.Frame.ParentID
	}

	found = append(found, one.copy())
	for _, child := range tree.Children {
		found = append(found, t.addTree(session, child)...)
	}
	return found
}

// Attach adds a frame that lives in another process and has a session of its own.
func (t *tree) Attach(session, id, url string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	one := t.byID[id]
	if one == nil {
		one = &frame{id: id, parent: t.main, url: url}
		t.byID[id] = one
	}
	one.session = session
	one.forgetDocument()
}

// Detach removes the frames of a session that has ended. They have moved to another process, or are gone.
func (t *tree) Detach(session string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, one := range t.byID {
		if one.session == session && id != t.main {
			delete(t.byID, id)
		}
	}
}

// Crash marks the frames of a session whose process is gone.
func (t *tree) Crash(session string) {
	t.mu.Lock()
	for _, one := range t.byID {
		if one.session == session {
			one.crashed = true
			one.forgetDocument()
		}
	}
	t.mu.Unlock()
	t.target.Conn.Drop(session)
	t.target.Changed.Broadcast()
}

// Revive makes a crashed tab usable again: see Target.Revive.
func (t *tree) Revive() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.revive()
}

// revive is Revive for a caller that has locked mu.
func (t *tree) revive() {
	if !t.target.Revive() {
		return
	}
	for _, one := range t.byID {
		one.forgetDocument()
		one.crashed = false
	}
}

// remove removes a frame and the frames inside it. The caller has locked mu.
func (t *tree) remove(id string) {
	delete(t.byID, id)
	for child, one := range t.byID {
		if one.parent == id {
			t.remove(child)
		}
	}
}

// Event records an event about frames, documents or their loading.
func (t *tree) Event(e cdp.Event) {
	switch e.Method {
	case "Runtime.executionContextCreated", "Runtime.executionContextDestroyed", "Runtime.executionContextsCleared":
		t.contextEvent(e)
	default:
		t.frameEvent(e)
	}
}
