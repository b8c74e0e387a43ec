package input

import (
	"context"
	"time"

	"cove/internal/fault"
	"cove/internal/page/dom"
	"cove/internal/wording"
)

// point is a position in the tab's window.
type point struct{ x, y float64 }

// aimed is what a page says of where an element can be clicked.
type aimed struct {
	X, Y     float64
	Gone     bool
	Hidden   bool
	Disabled bool
	Option   bool
	Moving   bool
	Cover    string
	// Passing reports that what covers the element goes away by itself.
	Passing bool
	// Scrolled reports that the page was scrolled to it just now.
	Scrolled bool
	// ID is the element's, which the page may have drawn anew.
	ID int
}

// err returns why the element cannot be clicked.
func (a aimed) err(e dom.Element) error {
	switch {
	case a.Gone:
		return e.ErrGone()
	case a.Disabled:
		return errDisabled(e)
	case a.Option:
		return errOption()
	case a.Hidden:
		return fault.Quote(fault.CodeHidden,
			e.Subject()+" is not visible: it has no area that a person could click.",
			"Do what shows it first, or use evaluate_script.")
	case a.Cover != "":
		return fault.Quote(fault.CodeCovered,
			e.Subject()+" is covered by "+wording.Shorten(a.Cover, 100)+", which would get the click.",
			"Close or move what is in front, then try again.")
	}
	return nil
}

// aimTries is how often an element is looked for that the page draws anew all the time.
const aimTries = 5

// aim returns where to click an element, through all frames around it. It looks again for one that was drawn anew.
func (in *Input) aim(ctx context.Context, e *dom.Element) (point, error) {
	first := *e
	a, err := in.aimInside(ctx, e)
	for try := 0; try < aimTries && err == nil && a.Gone; try++ {
		if *e, err = in.frames.FindAgain(ctx, first); err == nil {
			a, err = in.aimInside(ctx, e)
		}
	}
	if err == nil {
		err = a.err(*e)
	}
	if err != nil {
		return point{}, err
	}

	at := point{a.X, a.Y}
	err = in.frames.Outward(ctx, *e, func(w dom.World, owner int) error {
		var out aimed
		const function = "function(id,x,y){return act.through(id,x,y)}"
		if err := in.frames.Run(ctx, w, &out, function, owner, at.x, at.y); err != nil {
			return err
		}
		at = point{out.X, out.Y}
		return out.err(*e)
	})
	return at, err
}

// coverTime is how long a cover is waited for that goes away by itself.
const coverTime = time.Second

// aimInside returns where to click an element in its own frame, once it has stopped moving and nothing passes over it.
func (in *Input) aimInside(ctx context.Context, e *dom.Element) (a aimed, err error) {
	role := e.Role
	if !e.Document.Unique(e.UID()) {
		role = "" // another one of its name could be found instead
	}
	aim := func(patient bool) error {
		a = aimed{}
		const function = "function(id,role,name,patient){act.watch();const now=act.seek(id,role,name);" +
			"return {...act.aim(now,patient),id:now}}"
		err := in.frames.Run(ctx, e.World, &a, function, e.ID, role, e.Name, patient)
		if err == nil && a.ID != 0 {
			e.ID = a.ID
		}
		return err
	}

	if err = aim(true); err == nil && a.Moving {
		if err = in.frames.Run(ctx, e.World, nil, "function(id){return act.stopped(id)}", e.ID); err == nil {
			err = aim(false)
		}
	}
	drawn := func() bool { return in.frames.Run(ctx, e.World, nil, "function(){return act.drawn()}") == nil }
	if err == nil && a.Scrolled && drawn() {
		err = aim(false) // pages act on a scroll
	}
	for end := time.Now().Add(coverTime); err == nil && a.Cover != "" && a.Passing && time.Now().Before(end); {
		in.target.Pause(ctx, slowPoll)
		err = aim(false)
		// Pages remove a cover on the last event of its animation, which comes with the next frame.
		if err == nil && a.Cover != "" && !a.Passing && drawn() {
			err = aim(false)
		}
	}
	return a, dom.DocumentGone(e.UID(), err)
}
