package page

import (
	"context"
	"fmt"
	"time"

	"cove/internal/cdp"
	"cove/internal/fault"
)

// point is a place in the tab's window.
type point struct{ x, y float64 }

// aimed is what a page says of where an element can be hit.
type aimed struct {
	X, Y     float64
	Gone     bool
	Hidden   bool
	Disabled bool
	Option   bool
	Moving   bool
	Cover    string
	// Passing tells that what covers the element goes by itself.
	Passing bool
	// Scrolled tells that the page was scrolled to it just now.
	Scrolled bool
	// ID is the element's, which the page may have drawn anew.
	ID int
}

func (a aimed) err(e element) error {
	switch {
	case a.Gone:
		return fault.Quote(fault.CodeUID, fmt.Sprintf("%s is no longer on the page.", capital(e.String())), "Take a new snapshot.")
	case a.Disabled:
		return fault.Quote(fault.CodeDisabled, fmt.Sprintf("%s is disabled.", capital(e.String())), "Do what enables it first, then take a new snapshot.")
	case a.Option:
		return fault.New(fault.CodeOptionClicked, "An option of a select cannot be clicked.", "Use fill on the select, with the option's text as the value.")
	case a.Hidden:
		return fault.Quote(fault.CodeHidden, fmt.Sprintf("%s is not visible: it has no area that a person could click.", capital(e.String())), "Do what shows it first, or use evaluate_script.")
	case a.Cover != "":
		return fault.Quote(fault.CodeCovered, fmt.Sprintf("%s is covered by %s, which would get the click.", capital(e.String()), short(a.Cover, 100)), "Close or move what is in front, then try again.")
	}
	return nil
}

func capital(s string) string {
	if s == "" {
		return s
	}
	if s[0] >= 'a' && s[0] <= 'z' {
		return string(s[0]-'a'+'A') + s[1:]
	}
	return s
}

// aimTries is how often an element is looked for that the page draws anew all the time.
const aimTries = 5

// aim finds where to click an element, through all frames around it. One that was drawn anew is looked for again.
func (t *Tab) aim(ctx context.Context, e *element) (point, error) {
	first := *e
	a, err := t.aimInside(ctx, e)
	for try := 0; try < aimTries && err == nil && a.Gone; try++ {
		if *e, err = t.findAgain(ctx, first); err == nil {
			a, err = t.aimInside(ctx, e)
		}
	}
	if err != nil {
		return point{}, err
	}
	if err := a.err(*e); err != nil {
		return point{}, err
	}
	for frameID := e.frame; frameID != t.main; {
		owner, err := t.ownerOf(ctx, frameID)
		if err != nil {
			return point{}, err
		}
		t.mu.Lock()
		f := t.frames[frameID]
		parent := ""
		if f != nil {
			parent = f.parent
		}
		t.mu.Unlock()
		p, err := t.enter(ctx, parent)
		if err != nil {
			return point{}, err
		}
		var out aimed
		if err := t.run(ctx, p, &out, "function(id,x,y){return act.through(id,x,y)}", owner, a.X, a.Y); err != nil {
			return point{}, err
		}
		if err := out.err(*e); err != nil {
			return point{}, err
		}
		a, frameID = out, parent
	}
	return point{a.X, a.Y}, nil
}

// coverTime is how long a cover is waited for that goes by itself.
const coverTime = 400 * time.Millisecond

// aimInside finds where to click an element in its own frame, once it has stopped moving and nothing passes over it any more.
func (t *Tab) aimInside(ctx context.Context, e *element) (a aimed, err error) {
	role := e.role
	if !e.document.seen.Alone(e.uid()) {
		role = "" // another one of its name could be found in its place
	}
	aim := func(patient bool) error {
		a = aimed{}
		const function = "function(id,role,name,patient){act.watch();const now=act.seek(id,role,name);return {...act.aim(now,patient),id:now}}"
		err := t.run(ctx, e.place, &a, function, e.id, role, e.name, patient)
		if err == nil && a.ID != 0 {
			e.id = a.ID
		}
		return err
	}
	if err = aim(true); err == nil && a.Moving {
		if err = t.run(ctx, e.place, nil, "function(id){return act.rested(id)}", e.id); err == nil {
			err = aim(false)
		}
	}
	if err == nil && a.Scrolled && t.run(ctx, e.place, nil, "function(){return act.drawn()}") == nil { // pages act on a scroll
		err = aim(false)
	}
	for end := time.Now().Add(coverTime); err == nil && a.Cover != "" && a.Passing && time.Now().Before(end); {
		t.until(ctx, textPoll, t.interrupted)
		err = aim(false)
	}
	return a, left(e.uid(), err)
}

// act runs an action on an element: aims, lets do send the input, and waits for what follows. Input is sent without waiting for
// its answers: in a hidden tab they come late, and a dialog holds them back.
// With quiet it also finds out whether anything has changed at all.
func (t *Tab) act(ctx context.Context, uid string, quiet bool, do func(e element, at point) []*cdp.Pending) (Effects, element, error) {
	if err := t.refuseDialog(); err != nil {
		return Effects{}, element{}, err
	}
	ctx, cancel := t.attend(ctx)
	defer cancel()
	e, err := t.locate(uid)
	if err != nil {
		return Effects{}, element{}, err
	}
	t.focus()
	disarm := t.armChooser(e.session)
	defer disarm()
	at, err := t.aim(ctx, &e)
	if err != nil {
		return Effects{}, e, err
	}
	t.reach(ctx, e, at)
	before := t.mark()
	taken := t.await(ctx, do(e, at))
	effects, err := t.settle(ctx, before, e.place)
	t.hangs(ctx, taken, before, &effects)
	if err == nil && quiet && effects.clickFault(e) == nil {
		effects.Nothing = t.still(ctx, before, effects, e)
	}
	return effects, e, err
}

// hangs notes that the page has not taken the input and does not answer any more.
func (t *Tab) hangs(ctx context.Context, taken bool, before mark, e *Effects) {
	if !taken && !t.interrupted() && !t.navigating(before) && e.Navigated == "" && !t.responds(ctx, busyLimit) && !t.interrupted() {
		e.Busy = "hanging"
	}
}

// reachLimit bounds how long a frame in another process is waited for to hear the mouse.
const reachLimit = 600 * time.Millisecond

// reach moves the mouse over a frame in another process until the frame hears it: after scrolling, the browser sends input to
// where the frame was until it has drawn a picture.
func (t *Tab) reach(ctx context.Context, e element, at point) {
	if e.session == t.session {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, reachLimit)
	defer cancel()
	for i := 0; ctx.Err() == nil && !t.interrupted(); i++ {
		heard := false
		if t.run(ctx, e.place, &heard, "function(){return act.moved()}") != nil || heard {
			return
		}
		_ = t.mouse("mouseMoved", point{at.x + float64(i%2), at.y}, "none", 0).Wait(ctx, nil)
		if i > 0 {
			select {
			case <-ctx.Done():
			case <-time.After(pollTime):
			}
		}
	}
}

// focus makes the page behave as if its window had the focus, so that it need not be brought to the front.
func (t *Tab) focus() {
	t.forget(t.b.conn.Start(t.session, "Emulation.setFocusEmulationEnabled", object{"enabled": true}))
}

// await waits until the page has taken the input, or something has opened that holds it; false when it has not in time.
func (t *Tab) await(ctx context.Context, sent []*cdp.Pending) bool {
	ctx, cancel := t.bound(ctx, inputLimit)
	defer cancel()
	taken := make(chan struct{})
	go func() {
		defer close(taken)
		for _, p := range sent {
			_ = p.Wait(ctx, nil)
		}
	}()
	for {
		next := t.changed.wait()
		if t.interrupted() {
			return true
		}
		select {
		case <-taken:
			return ctx.Err() == nil
		case <-next:
		}
	}
}

func (t *Tab) mouse(kind string, at point, button string, clicks int) *cdp.Pending {
	params := object{"type": kind, "x": at.x, "y": at.y, "button": button, "clickCount": clicks, "pointerType": "mouse"}
	switch {
	case kind == "mousePressed" || (kind == "mouseMoved" && button == "left"):
		params["buttons"] = 1
	default:
		params["buttons"] = 0
	}
	return t.b.conn.Start(t.session, "Input.dispatchMouseEvent", params)
}

// Click clicks an element, once or twice. What was sent is never sent again: the page may have acted on a press that came to no
// click, and only the agent can see whether it has.
func (t *Tab) Click(ctx context.Context, uid string, twice bool) (Effects, string, error) {
	effects, e, err := t.act(ctx, uid, true, func(_ element, at point) []*cdp.Pending {
		sent := []*cdp.Pending{t.mouse("mouseMoved", at, "none", 0), t.mouse("mousePressed", at, "left", 1), t.mouse("mouseReleased", at, "left", 1)}
		if twice {
			sent = append(sent, t.mouse("mousePressed", at, "left", 2), t.mouse("mouseReleased", at, "left", 2))
		}
		return sent
	})
	if err == nil {
		err = effects.clickFault(e)
	}
	return effects, e.String(), err
}

// fates are what pages do with an element while it is pressed, so that it gets no click.
var fates = map[string]string{
	"gone":     "the page removed or replaced it before the mouse button was released",
	"moved":    "the page moved it before the mouse button was released",
	"disabled": "the page disabled it before the mouse button was released",
}

// clickFault is how a click went wrong that the page has heard of; nil when it did not.
func (e Effects) clickFault(on element) error {
	if e.missed != "" {
		return fault.Quote(fault.CodeMissed, fmt.Sprintf("The click on %s hit %s instead: the page moved or covered it when the mouse came.", on, short(e.missed, 100)), "Take a new snapshot and see what the click has done.")
	}
	if why := fates[e.fate]; why != "" {
		return fault.Quote(fault.CodeRedrawn, fmt.Sprintf("%s was pressed but not clicked: %s.", capital(on.String()), why), "The page may have acted on the press: look at it before you click again.")
	}
	return nil
}

// Hover moves the mouse over an element.
func (t *Tab) Hover(ctx context.Context, uid string) (Effects, string, error) {
	effects, e, err := t.act(ctx, uid, false, func(_ element, at point) []*cdp.Pending {
		return []*cdp.Pending{t.mouse("mouseMoved", at, "none", 0)}
	})
	return effects, e.String(), err
}
