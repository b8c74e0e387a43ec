package page

import (
	"context"
	_ "embed"
	"errors"
	"sync"
	"time"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/snapshot"
)

// frame is one frame of a tab. The tab's mu guards it.
type frame struct {
	id, parent string
	session    string
	url        string
	// origin is that of its document's scripts, which an empty page has from whoever opened it.
	origin string
	loader string
	// script is the context of the page's own scripts, world that of ours; 0 when not known.
	script, world int
	document      *document
	// owner is the frame's element in its parent's document, found once for each of these.
	owner   int
	ownerOf *document
	// crashed: its process is gone, and answers nothing until it is loaded again.
	crashed bool
}

// document is one document of a frame that an agent has looked into. Its label begins the uids of its elements and is never
// used again.
type document struct {
	label   string
	frame   *frame
	seen    *snapshot.Picture
	hearing hearing
}

func (f *frame) forgetDocument() {
	f.script, f.world, f.document, f.owner, f.ownerOf = 0, 0, nil, 0, nil
}

//go:embed act.js
var actJS string

// worldScript is what a world of ours gets: how to read the frame, and how to act in it.
var worldScript = sync.OnceValue(func() string { return Walker() + actJS + "0" })

const worldName = "cove"

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

// readFrames takes the frames that were there before we were.
func (t *Tab) readFrames(session string, tree *cdp.Pending) {
	ctx, cancel := t.bound(context.Background(), time.Minute)
	defer cancel()
	var r struct {
		FrameTree frameTree `json:"frameTree"`
	}
	if tree.Wait(ctx, &r) != nil {
		return
	}
	t.mu.Lock()
	there := t.addTree(session, r.FrameTree)
	t.mu.Unlock()
	for _, f := range there { // a document may have come before we listened
		t.leave(f)
	}
}

// addTree takes the frames of a tree and answers what they are; the caller holds mu.
func (t *Tab) addTree(session string, tree frameTree) (there []frame) {
	f := t.frames[tree.Frame.ID]
	if f == nil {
		f = &frame{id: tree.Frame.ID, session: session}
		t.frames[f.id] = f
	}
	if f.loader == "" || f.loader == tree.Frame.LoaderID { // an event may have told something newer
		f.url, f.loader = tree.Frame.URL+tree.Frame.Fragment, tree.Frame.LoaderID
	}
	if tree.Frame.ParentID != "" {
		f.parent = tree.Frame.ParentID
	}
	there = append(there, *f)
	for _, child := range tree.Children {
		there = append(there, t.addTree(session, child)...)
	}
	return there
}

// frameAttached takes a frame that lives in another process.
func (t *Tab) frameAttached(session string, info target) {
	t.mu.Lock()
	f := t.frames[info.ID]
	if f == nil {
		f = &frame{id: info.ID, parent: t.main, url: info.URL}
		t.frames[info.ID] = f
	}
	f.session = session
	f.forgetDocument()
	t.mu.Unlock()
	t.instrument(session)
}

// frameCrashed: the process of a session is gone.
func (t *Tab) frameCrashed(session string) {
	t.mu.Lock()
	for _, f := range t.frames {
		if f.session == session {
			f.crashed = true
			f.forgetDocument()
		}
	}
	t.mu.Unlock()
	t.b.conn.Drop(session)
	t.changed.broadcast()
}

// frameSessionGone: the frame moved to another process or left.
func (t *Tab) frameSessionGone(session string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, f := range t.frames {
		if f.session == session && id != t.main {
			delete(t.frames, id)
		}
	}
}

func (t *Tab) frameEvent(e cdp.Event) {
	p, ok := decode[struct {
		FrameID       string `json:"frameId"`
		ParentFrameID string `json:"parentFrameId"`
		Reason        string `json:"reason"`
		Name          string `json:"name"`
		URL           string `json:"url"`
		LoaderID      string `json:"loaderId"`
		Type          string `json:"type"`
		Frame         struct {
			ID       string `json:"id"`
			ParentID string `json:"parentId"`
			URL      string `json:"url"`
			Fragment string `json:"urlFragment"`
			LoaderID string `json:"loaderId"`
		} `json:"frame"`
	}](e)
	if !ok {
		return
	}
	t.mu.Lock()
	switch e.Method {
	case "Page.frameAttached":
		if t.frames[p.FrameID] == nil {
			t.frames[p.FrameID] = &frame{id: p.FrameID, parent: p.ParentFrameID, session: e.Session}
		}
	case "Page.frameNavigated":
		f := t.frames[p.Frame.ID]
		if p.Frame.ID == t.main {
			t.revived() // somebody else has reloaded it
		}
		if f == nil {
			f = &frame{id: p.Frame.ID}
			t.frames[f.id] = f
		}
		f.crashed = false
		f.parent, f.session, f.url = p.Frame.ParentID, e.Session, p.Frame.URL+p.Frame.Fragment
		if f.loader != p.Frame.LoaderID {
			t.commit(f, p.Frame.LoaderID)
		}
		if f.id == t.main && p.Type == "BackForwardCacheRestore" { // it was loaded when it was left, and has no load event again
			t.load.pending, t.load.dom, t.load.done = "", true, true
		}
	case "Page.frameDetached":
		if p.Reason != "swap" {
			t.removeFrame(p.FrameID)
		}
	case "Page.navigatedWithinDocument":
		if f := t.frames[p.FrameID]; f != nil {
			f.url = p.URL
			if f.id == t.main {
				t.load.within++
			}
		}
	default:
		if p.FrameID == t.main {
			t.loadEvent(e, p.Name, p.LoaderID, p.URL)
		}
	}
	var came *frame
	if f := t.frames[p.Frame.ID]; f != nil && e.Method == "Page.frameNavigated" {
		now := *f
		came = &now
	}
	t.mu.Unlock()
	if came != nil && web(came.url) { // whose an empty page is, its scripts' context tells
		t.leave(*came)
	}
	t.changed.broadcast()
}

func (t *Tab) removeFrame(id string) {
	delete(t.frames, id)
	for child, f := range t.frames {
		if f.parent == id {
			t.removeFrame(child)
		}
	}
}

func (t *Tab) contextEvent(e cdp.Event) {
	p, ok := decode[struct {
		ID      int `json:"executionContextId"`
		Context struct {
			ID     int    `json:"id"`
			Name   string `json:"name"`
			Origin string `json:"origin"`
			Aux    struct {
				FrameID   string `json:"frameId"`
				IsDefault bool   `json:"isDefault"`
			} `json:"auxData"`
		} `json:"context"`
	}](e)
	if !ok {
		return
	}
	var came *frame
	defer func() {
		if came != nil {
			t.leave(*came)
		}
	}()
	t.mu.Lock()
	defer t.mu.Unlock()
	switch e.Method {
	case "Runtime.executionContextCreated":
		if f := t.frames[p.Context.Aux.FrameID]; f != nil && p.Context.Aux.IsDefault {
			// A new document, also where a change of the process has swallowed the end of the old one.
			if f.id == t.main {
				t.lived = true
				t.revived() // the browser has loaded it by itself
			}
			f.forgetDocument()
			f.session, f.script, f.origin = e.Session, p.Context.ID, p.Context.Origin
			if now := *f; !web(now.url) {
				came = &now
			}
		}
	case "Runtime.executionContextDestroyed":
		for _, f := range t.frames {
			if f.session == e.Session && f.world == p.ID {
				f.world, f.document = 0, nil
			}
			if f.session == e.Session && f.script == p.ID {
				f.script = 0
			}
		}
	case "Runtime.executionContextsCleared":
		for _, f := range t.frames {
			if f.session == e.Session {
				f.forgetDocument()
			}
		}
	}
}

// place is a frame's world at one moment: where a script of ours runs.
type place struct {
	session  string
	world    int
	document *document
}

// enter gives the world of a frame's present document, made when it is first needed.
func (t *Tab) enter(ctx context.Context, frameID string) (place, error) {
	for attempt := 0; ; attempt++ {
		t.mu.Lock()
		f := t.frames[frameID]
		if f == nil {
			t.mu.Unlock()
			return place{}, errFrameGone
		}
		if f.crashed {
			t.mu.Unlock()
			return place{}, errFrameCrashed
		}
		p := place{f.session, f.world, f.document}
		loader := f.loader
		t.mu.Unlock()
		if p.world != 0 && p.document != nil {
			return p, nil
		}
		if attempt == maxEnter {
			return place{}, errRestless
		}
		world, err := t.makeWorld(ctx, frameID, p.session)
		if err != nil {
			var replaced *cdp.Error
			if attempt < 3 && ctx.Err() == nil && errors.As(err, &replaced) { // the document was replaced under us
				continue
			}
			return place{}, restless(err)
		}
		t.mu.Lock()
		if f := t.frames[frameID]; f != nil && f.session == p.session && f.loader == loader {
			f.world = world
			f.document = &document{label: snapshot.Label(t.b.nextDocument()), frame: f}
		}
		t.mu.Unlock()
	}
}

// maxEnter is how often a document may be replaced while it is entered.
const maxEnter = 20

var errRestless = fault.New(fault.CodeRestless, "The page replaces its document again and again.", "Wait, or navigate_page to another address.")

// restless is the error of a document that goes away whenever it is looked into.
func restless(err error) error {
	var gone *cdp.Error
	if errors.As(err, &gone) {
		return errRestless
	}
	return err
}

var errFrameCrashed = fault.New(fault.CodeFrameCrashed, "The frame has crashed.", "navigate_page with type reload brings it back.")

var errFrameGone = fault.New(fault.CodeFrameGone, "The frame is no longer in the page.", "Take a new snapshot.")

func (t *Tab) makeWorld(ctx context.Context, frameID, session string) (int, error) {
	ctx, cancel := t.free(ctx)
	defer cancel()
	var made struct {
		ID int `json:"executionContextId"`
	}
	if err := t.b.conn.Call(ctx, session, "Page.createIsolatedWorld", object{"frameId": frameID, "worldName": worldName}, &made); err != nil {
		return 0, err
	}
	_, err := t.evaluate(ctx, session, object{"expression": worldScript(), "contextId": made.ID, "returnByValue": true})
	return made.ID, err
}
