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

// aimed is the page's answer about where an element can be clicked.
type aimed struct {
	X, Y     float64
	Gone     bool
	Hidden   bool
	Disabled bool
	Option   bool
	Moving   bool
	Cover    string
	// Passing reports that the cover of the element will go away on its own.
	Passing bool
	// Scrolled reports that the page was just scrolled to the element.
	Scrolled bool
	// ID is the id of the element. It changes when the page has replaced the element.
	ID int
}

// err returns why the element cannot be clicked, or nil when it can.
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

// aimTries is how often aim looks again for an element that the page keeps replacing.
const aimTries = 5

// aim returns where in the tab's window to click an element, through all frames around it. When the page has replaced
// the element, aim finds the new one and sets e to it.
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

// coverTime bounds how long aimInside waits for a cover that goes away on its own.
const coverTime = time.Second

// aimInside returns where to click an element in its own frame, once the element has stopped moving and no passing
// cover is over it.
func (in *Input) aimInside(ctx context.Context, e *dom.Element) (a aimed, err error) {
	role := e.Role
	if !e.Document.Unique(e.UID()) {
		role = "" // another element with this role and name could be found instead
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
		err = aim(false) // pages react to a scroll
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
