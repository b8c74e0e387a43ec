package page

import (
	"context"
	"errors"
	"fmt"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/snapshot"
)

// element is what a uid means now.
type element struct {
	place
	frame      string
	id         int
	role, name string
}

func (e element) String() string {
	if e.role == "" {
		return "the element"
	}
	if e.name == "" {
		return e.role
	}
	return fmt.Sprintf("%s %q", e.role, short(e.name, 80))
}

func (e element) uid() string { return fmt.Sprintf("%s%d", e.document.label, e.id) }

func errUID(uid, why, hint string) error {
	return fault.Quote(fault.CodeUID, fmt.Sprintf("The element with uid %s %s.", uid, why), hint)
}

func errLeft(uid string) error {
	return errUID(uid, "belongs to a document that is no longer there", "Take a new snapshot: the page has changed since.")
}

// left tells apart what a page says of an element and that the page itself has gone meanwhile.
func left(uid string, err error) error {
	var gone *cdp.Error
	if errors.As(err, &gone) {
		return errLeft(uid)
	}
	return err
}

// find looks a uid up. An element that the page has drawn anew is found again only when there is no doubt which it is.
func (t *Tab) find(ctx context.Context, uid string) (element, error) {
	e, err := t.locate(uid)
	if err != nil {
		return element{}, err
	}
	var alive bool
	if err := t.run(ctx, e.place, &alive, "function(id){return !!cove.get(id)}", e.id); err != nil {
		return element{}, left(uid, err)
	}
	if alive {
		return e, nil
	}
	return t.findAgain(ctx, e)
}

// locate tells what a uid means without asking the page, which says by itself when the element is gone.
func (t *Tab) locate(uid string) (element, error) {
	label, id, ok := snapshot.ParseUID(uid)
	if !ok {
		return element{}, fault.Quote(fault.CodeNotUID, fmt.Sprintf("%q is not a uid.", uid), "Take a snapshot: uids look like a12.")
	}
	e, ok := t.document(label)
	if !ok {
		if other := t.b.holder(label); other != nil && other != t {
			return element{}, errUID(uid, "is on another page", "Select that page first, or give its pageId.")
		}
		return element{}, errLeft(uid)
	}
	e.id = id
	e.role, e.name, _ = e.document.seen.Find(uid)
	return e, nil
}

// findAgain finds an element that is gone under its uid by its role and name.
func (t *Tab) findAgain(ctx context.Context, e element) (element, error) {
	uid := e.uid()
	if e.role == "" {
		return element{}, errUID(uid, "is not on the page", "Take a new snapshot.")
	}
	var ids []int
	if err := t.run(ctx, e.place, &ids, "function(role,name){return cove.find(role,name)}", e.role, e.name); err != nil {
		return element{}, err
	}
	if len(ids) != 1 || e.name == "" || !e.document.seen.Alone(uid) {
		return element{}, errUID(uid, fmt.Sprintf("(%s) no longer exists on the page", e), "Take a new snapshot.")
	}
	e.id = ids[0]
	return e, nil
}

// document finds the document with a label in this tab.
func (t *Tab) document(label string) (element, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, f := range t.frames {
		if f.document != nil && f.document.label == label && f.world != 0 {
			return element{place: place{f.session, f.world, f.document}, frame: id}, true
		}
	}
	return element{}, false
}

// holder is the tab that has the document with a label.
func (b *Browser) holder(label string) *Tab {
	for _, t := range b.Tabs() {
		if _, ok := t.document(label); ok {
			return t
		}
	}
	return nil
}

// object gives the element as an object of its world, for commands that ask for one.
func (t *Tab) object(ctx context.Context, e element) (string, error) {
	r, err := t.invoke(ctx, e.place, false, "function(id){return cove.get(id)}", e.id)
	if err != nil {
		return "", err
	}
	if r.ObjectID == "" {
		return "", errUID(e.uid(), "no longer exists on the page", "Take a new snapshot.")
	}
	return r.ObjectID, nil
}
