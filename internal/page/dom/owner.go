package dom

import (
	"context"
	"encoding/json"

	"cove/internal/fault"
	"cove/internal/page/remote"
)

// maxDepth bounds how deep frames inside frames are read.
const maxDepth = 8

type resolved struct {
	Object remote.Object `json:"object"`
}

// owner returns the id of a frame's element in its parent's document, and the world of that document.
func (f *Frames) owner(ctx context.Context, frameID string) (int, World, error) {
	f.mu.Lock()
	one := f.byID[frameID]
	if one == nil {
		f.mu.Unlock()
		return 0, World{}, ErrFrameGone
	}
	parent, owner, in := one.parent, one.owner, one.ownerIn
	f.mu.Unlock()

	w, err := f.Enter(ctx, parent)
	if err != nil {
		return 0, World{}, err
	}
	if owner != 0 && in == w.Document {
		return owner, w, nil
	}
	if owner, err = f.findOwner(ctx, frameID, w); err != nil {
		return 0, World{}, err
	}
	f.mu.Lock()
	one.owner, one.ownerIn = owner, w.Document
	f.mu.Unlock()
	return owner, w, nil
}

// findOwner asks the browser for a frame's element in w, the world of the frame's parent.
func (f *Frames) findOwner(ctx context.Context, frameID string, w World) (owner int, err error) {
	var at struct {
		Backend int `json:"backendNodeId"`
	}
	if err := f.target.Call(ctx, w.Session, "DOM.getFrameOwner", object{"frameId": frameID}, &at); err != nil {
		return 0, err
	}
	return f.idOf(ctx, w, at.Backend)
}

// idOf returns the id of the element of w that the browser knows by a number of its own.
func (f *Frames) idOf(ctx context.Context, w World, backend int) (id int, err error) {
	handle, err := f.resolve(ctx, w.Session, backend, w.ID)
	if err != nil {
		return 0, err
	}
	var r remote.Result
	err = f.target.Call(
		ctx,
		w.Session,
		"Runtime.callFunctionOn",
		object{"functionDeclaration": "function(){return cove.id(this)}",
			"objectId": handle, "returnByValue": true},
		&r,
	)
	if err != nil {
		return 0, err
	}
	return id, json.Unmarshal(r.Value.Value, &id)
}

// Node returns the element of a frame's present document that the browser knows by a number of its own.
func (f *Frames) Node(ctx context.Context, frameID string, backend int) (Element, error) {
	w, err := f.Enter(ctx, frameID)
	if err != nil {
		return Element{}, err
	}
	id, err := f.idOf(ctx, w, backend)
	return Element{World: w, Frame: frameID, ID: id}, err
}

// OwnerUID returns the uid of the element that shows a frame.
func (f *Frames) OwnerUID(ctx context.Context, frameID string) (string, error) {
	owner, w, err := f.owner(ctx, frameID)
	if err != nil {
		return "", err
	}
	return w.Document.UID(owner), nil
}

// Outward calls step for each frame around an element, the innermost first. step gets the world of the frame's parent
// and the frame's element in it. Callers project a point or a box from a frame to the tab's window with it.
func (f *Frames) Outward(ctx context.Context, e Element, step func(w World, owner int) error) error {
	for frameID := e.Frame; frameID != f.main; {
		owner, w, err := f.owner(ctx, frameID)
		if err != nil {
			return err
		}
		if err := step(w, owner); err != nil {
			return err
		}
		frameID = f.get(frameID).Parent
	}
	return nil
}

// shownIn returns the id of the frame that an element shows, or "" when the element is not a frame.
func (f *Frames) shownIn(ctx context.Context, e Element) string {
	for _, id := range f.children(e.Frame) {
		if owner, _, err := f.owner(ctx, id); err == nil && owner == e.ID {
			return id
		}
	}
	return ""
}

// Inside returns the session and the execution context of the page's own scripts in the frame that an iframe shows.
func (f *Frames) Inside(ctx context.Context, uid string) (session string, contextID int, err error) {
	id, err := f.ShownBy(ctx, uid)
	if err != nil {
		return "", 0, err
	}
	session, contextID = f.script(id)
	return session, contextID, nil
}

// ShownBy returns the id of the frame that the element with a uid shows. It refuses one that is closed to agents.
func (f *Frames) ShownBy(ctx context.Context, uid string) (frameID string, err error) {
	e, err := f.Find(ctx, uid)
	if err != nil {
		return "", err
	}
	id := f.shownIn(ctx, e)
	if id == "" {
		return "", fault.Quote(fault.CodeValue, e.Subject()+" is not a frame.",
			"Give the uid of an Iframe in the snapshot.")
	}
	return id, f.closed(id)
}

// Focused returns the element that has the focus, in any frame. Its id is 0 when a frame has the focus and no element
// in it.
func (f *Frames) Focused(ctx context.Context) (Element, error) {
	frameID := f.main
	for range maxDepth {
		w, err := f.Enter(ctx, frameID)
		if err != nil {
			return Element{}, err
		}
		e := Element{World: w, Frame: frameID}
		if err := f.Run(ctx, w, &e.ID, "function(){return act.focused()}"); err != nil || e.ID == 0 {
			return e, err
		}
		inner := f.shownIn(ctx, e)
		if inner == "" {
			return e, nil
		}
		frameID = inner
	}
	return Element{}, ErrFrameGone
}
