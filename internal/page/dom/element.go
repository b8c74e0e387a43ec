package dom

import (
	"context"
	"errors"
	"fmt"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/snapshot/document"
	"cove/internal/wording"
)

// Element is the element of a page that a uid means now.
type Element struct {
	World
	Frame      string
	ID         int
	Role, Name string
}

// String returns the role and the name of the element, for use in a sentence.
func (e Element) String() string {
	if e.Role == "" {
		return "the element"
	}
	if e.Name == "" {
		return e.Role
	}
	return fmt.Sprintf("%s %q", e.Role, wording.Shorten(e.Name, 80))
}

// Subject is String for the beginning of a sentence.
func (e Element) Subject() string { return wording.Capitalize(e.String()) }

// UID returns the element's uid.
func (e Element) UID() string { return e.Document.UID(e.ID) }

// UID returns the uid of the document's element with this id.
func (d *Document) UID(id int) string { return fmt.Sprintf("%s%d", d.Label, id) }

// ErrGone is the error of an element that went away while somebody acted on it.
func (e Element) ErrGone() error {
	return fault.Quote(fault.CodeUID, e.Subject()+" is no longer on the page.", "Take a new snapshot.")
}

func errUID(uid, why, hint string) error {
	return fault.Quote(fault.CodeUID, fmt.Sprintf("The element with uid %s %s.", uid, why), hint)
}

func errLeft(uid string) error {
	return errUID(uid, "belongs to a document that is no longer there",
		"Take a new snapshot: the page has changed since.")
}

// DocumentGone replaces an error of the protocol by an error that says that the element's document is gone. It returns
// other errors as they are.
func DocumentGone(uid string, err error) error {
	var gone *cdp.Error
	if errors.As(err, &gone) {
		return errLeft(uid)
	}
	return err
}

// Find returns the element with a uid. If the page has replaced the element by a new one, Find returns the new one, but
// only when there is no doubt which it is.
func (f *Frames) Find(ctx context.Context, uid string) (Element, error) {
	e, err := f.Locate(uid)
	if err != nil {
		return Element{}, err
	}
	var alive bool
	if err := f.Run(ctx, e.World, &alive, "function(id){return !!cove.get(id)}", e.ID); err != nil {
		return Element{}, DocumentGone(uid, err)
	}
	if alive {
		return e, nil
	}
	return f.FindAgain(ctx, e)
}

// Locate returns the element with a uid without asking the page. If the element is gone, the scripts that act on it
// report that.
func (f *Frames) Locate(uid string) (Element, error) {
	label, id, ok := document.ParseUID(uid)
	if !ok {
		return Element{}, fault.Quote(fault.CodeNotUID, fmt.Sprintf("%q is not a uid.", uid),
			"Take a snapshot: uids look like a12.")
	}
	e, ok := f.inDocument(label)
	if !ok {
		if f.config.Elsewhere(label) {
			return Element{}, errUID(uid, "is on another page", "Select that page first, or give its pageId.")
		}
		return Element{}, errLeft(uid)
	}
	if err := f.closed(e.Frame); err != nil { // we may have looked into it ourselves, and labels can be guessed
		return Element{}, err
	}

	e.ID = id
	e.Role, e.Name, _ = e.Document.Describe(uid)
	return e, nil
}

// FindAgain searches by role and name for an element that its uid no longer finds.
func (f *Frames) FindAgain(ctx context.Context, e Element) (Element, error) {
	uid := e.UID()
	if e.Role == "" {
		return Element{}, errUID(uid, "is not on the page", "Take a new snapshot.")
	}
	var ids []int
	if err := f.Run(ctx, e.World, &ids, "function(role,name){return cove.find(role,name)}", e.Role,
		e.Name); err != nil {
		return Element{}, err
	}
	if len(ids) != 1 || e.Name == "" || !e.Document.Unique(uid) {
		return Element{}, errUID(uid, fmt.Sprintf("(%s) no longer exists on the page", e), "Take a new snapshot.")
	}

	e.ID = ids[0]
	return e, nil
}

// Has reports whether the document with this label is in the tab.
func (t *tree) Has(label string) bool {
	_, ok := t.inDocument(label)
	return ok
}

// inDocument returns an Element of the document with this label. The caller sets its ID, Role and Name.
func (t *tree) inDocument(label string) (Element, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, one := range t.byID {
		if one.document != nil && one.document.Label == label && one.world != 0 {
			return Element{World: World{one.session, one.world, one.document}, Frame: id}, true
		}
	}
	return Element{}, false
}

// Object returns the element as an object id of its world, for commands that need one.
func (f *Frames) Object(ctx context.Context, e Element) (string, error) {
	r, err := f.invoke(ctx, e.World, false, "function(id){return cove.get(id)}", e.ID)
	if err != nil {
		return "", err
	}
	if r.ObjectID == "" {
		return "", errUID(e.UID(), "no longer exists on the page", "Take a new snapshot.")
	}
	return r.ObjectID, nil
}

// PageObject returns the element as an object id of the page's own world.
func (f *Frames) PageObject(ctx context.Context, e Element) (string, error) {
	handle, err := f.Object(ctx, e)
	if err != nil {
		return "", err
	}
	var described struct {
		Node struct {
			Backend int `json:"backendNodeId"`
		} `json:"node"`
	}
	if err := f.target.Call(ctx, e.Session, "DOM.describeNode", object{"objectId": handle}, &described); err != nil {
		return "", err
	}
	_, script := f.script(e.Frame)
	return f.resolve(ctx, e.Session, described.Node.Backend, script)
}

// script returns the session of a frame and the execution context of its own scripts, 0 when that is not known.
func (t *tree) script(frameID string) (session string, contextID int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if one := t.byID[frameID]; one != nil {
		return one.session, one.script
	}
	return "", 0
}

// resolve returns a node as an object id of an execution context. With contextID 0 the browser takes the node's own.
func (f *Frames) resolve(ctx context.Context, session string, backend, contextID int) (string, error) {
	params := object{"backendNodeId": backend}
	if contextID != 0 {
		params["executionContextId"] = contextID
	}
	var r resolved
	err := f.target.Call(ctx, session, "DOM.resolveNode", params, &r)
	return r.Object.ObjectID, err
}
