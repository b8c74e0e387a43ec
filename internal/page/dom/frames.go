// Package dom is the frames of one tab and what is in them: the tree, the isolated worlds in which our scripts run, the
// documents whose elements have uids, and the walker that reads them.
package dom

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"cove/internal/cdp"
	"cove/internal/page/target"
	"cove/internal/snapshot"
)

type object = map[string]any

// Config is what Frames needs to know of the world outside of its tab.
type Config struct {
	// NextDocument numbers the documents of the browser that agents look into.
	NextDocument func() int
	// Elsewhere reports whether the document with this label is in another tab.
	Elsewhere func(label string) bool
	// Redact removes secrets from what pages say, before any of it is cut: a part of a secret cannot be recognised.
	// Address returns what may be said of an address in a page.
	Redact, Address func(string) string
	// Committed is called when another document has come to the main frame. Frames is locked: it must not call back.
	Committed func(loader string)
	// Arrived is called when it is known which site a frame shows.
	Arrived func(Frame)
}

// Frames is the frames of one tab. It has a lock of its own, which it never holds while it waits for the browser. Lock
// order: Frames before Target and before the event log. Events come in order from one goroutine; all else may be called
// from any.
type Frames struct {
	target *target.Target
	config Config
	main   string // the main frame; it never changes

	mu   sync.Mutex
	byID map[string]*frame
	load Load
}

// frame is one frame of a tab. The lock of Frames guards it.
type frame struct {
	id, parent string
	session    string
	url        string
	// origin is that of the document's scripts. An empty page has the origin of whoever opened it.
	origin string
	loader string
	// script is the context of the page's own scripts, world that of ours; 0 when it is not known.
	script, world int
	document      *Document
	// owner is the frame's element in the document ownerIn of its parent.
	owner   int
	ownerIn *Document
	// crashed: its process is gone, and nothing answers until it is loaded again.
	crashed bool
}

// Document is one document of a frame that an agent has looked into. Its label begins the uids of its elements and is
// never used again.
type Document struct {
	Label string

	frame     *frame
	seen      atomic.Pointer[snapshot.Index] // what agents know of it
	listeners listeners
}

// Describe returns the role and the name that the last snapshot showed for a uid.
func (d *Document) Describe(uid string) (role, name string, ok bool) { return d.seen.Load().Find(uid) }

// Unique reports whether the last snapshot showed only one element of this uid's role and name.
func (d *Document) Unique(uid string) bool { return d.seen.Load().Alone(uid) }

// Frame is one frame at one moment.
type Frame struct{ ID, Parent, Session, URL, Origin, Loader string }

func (f *frame) copy() Frame { return Frame{f.id, f.parent, f.session, f.url, f.origin, f.loader} }

func (f *frame) forgetDocument() {
	f.script, f.world, f.document, f.owner, f.ownerIn = 0, 0, nil, 0, nil
}

// New returns the frames of a tab that has just been attached. Its main frame has the target's id.
func New(t *target.Target, url string, config Config) *Frames {
	f := &Frames{target: t, config: config, main: t.ID, byID: map[string]*frame{}}
	f.byID[f.main] = &frame{id: f.main, session: t.Session, url: url}
	return f
}

// Main returns the id of the main frame.
func (f *Frames) Main() string { return f.main }

// URL returns the address of the main document; "" when it is not known.
func (f *Frames) URL() string { return f.get(f.main).URL }

// Loader returns the loader of the main document.
func (f *Frames) Loader() string { return f.get(f.main).Loader }

// get returns a frame as it is now; the zero Frame when it is gone.
func (f *Frames) get(id string) Frame {
	f.mu.Lock()
	defer f.mu.Unlock()
	if one := f.byID[id]; one != nil {
		return one.copy()
	}
	return Frame{}
}

// URLOf returns the address of a frame's document.
func (f *Frames) URLOf(id string) string { return f.get(id).URL }

// MainFrame returns the main frame as it is now.
func (f *Frames) MainFrame() Frame { return f.get(f.main) }

// All lists the frames, in no order.
func (f *Frames) All() []Frame {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := make([]Frame, 0, len(f.byID))
	for _, one := range f.byID {
		all = append(all, one.copy())
	}
	return all
}

// Len returns how many frames there are.
func (f *Frames) Len() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.byID)
}

// children lists the frames directly inside of a frame.
func (f *Frames) children(parent string) (ids []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for id, one := range f.byID {
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

// ReadTree adds the frames of a session that were there before we attached to it. The answer comes with time.
func (f *Frames) ReadTree(session string) {
	pending := f.target.Conn.Start(session, "Page.getFrameTree", nil)
	go func() {
		ctx, cancel := f.target.Bound(context.Background(), time.Minute)
		defer cancel()
		var r struct {
			FrameTree frameTree `json:"frameTree"`
		}
		if pending.Wait(ctx, &r) != nil {
			return
		}

		f.mu.Lock()
		found := f.addTree(session, r.FrameTree)
		f.mu.Unlock()
		for _, one := range found { // a document may have come before we listened
			f.config.Arrived(one)
		}
	}()
}

// addTree adds the frames of a tree and returns them. The caller has locked mu.
func (f *Frames) addTree(session string, tree frameTree) (found []Frame) {
	one := f.byID[tree.Frame.ID]
	if one == nil {
		one = &frame{id: tree.Frame.ID, session: session}
		f.byID[one.id] = one
	}
	if one.loader == "" || one.loader == tree.Frame.LoaderID { // an event may have said something newer
		one.url, one.loader = tree.Frame.URL+tree.Frame.Fragment, tree.Frame.LoaderID
	}
	if tree.Frame.ParentID != "" {
		one.parent = tree.Frame.ParentID
	}

	found = append(found, one.copy())
	for _, child := range tree.Children {
		found = append(found, f.addTree(session, child)...)
	}
	return found
}

// Attach adds a frame that lives in another process and has a session of its own.
func (f *Frames) Attach(session, id, url string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	one := f.byID[id]
	if one == nil {
		one = &frame{id: id, parent: f.main, url: url}
		f.byID[id] = one
	}
	one.session = session
	one.forgetDocument()
}

// Detach removes the frames of a session that has ended: they have moved to another process, or are gone.
func (f *Frames) Detach(session string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for id, one := range f.byID {
		if one.session == session && id != f.main {
			delete(f.byID, id)
		}
	}
}

// Crash marks the frames of a session whose process is gone.
func (f *Frames) Crash(session string) {
	f.mu.Lock()
	for _, one := range f.byID {
		if one.session == session {
			one.crashed = true
			one.forgetDocument()
		}
	}
	f.mu.Unlock()
	f.target.Conn.Drop(session)
	f.target.Changed.Broadcast()
}

// Revive makes a crashed tab usable again: see Target.Revive.
func (f *Frames) Revive() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.revive()
}

// revive is Revive for a caller that has locked mu.
func (f *Frames) revive() {
	if !f.target.Revive() {
		return
	}
	for _, one := range f.byID {
		one.forgetDocument()
		one.crashed = false
	}
}

// remove removes a frame and what is inside of it. The caller has locked mu.
func (f *Frames) remove(id string) {
	delete(f.byID, id)
	for child, one := range f.byID {
		if one.parent == id {
			f.remove(child)
		}
	}
}

// Event records what the browser reports of frames, documents and their loading.
func (f *Frames) Event(e cdp.Event) {
	switch e.Method {
	case "Runtime.executionContextCreated", "Runtime.executionContextDestroyed", "Runtime.executionContextsCleared":
		f.contextEvent(e)
	default:
		f.frameEvent(e)
	}
}
