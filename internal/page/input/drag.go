package input

import (
	"context"
	"fmt"
	"time"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/page/dom"
	"cove/internal/wording"
)

const (
	// dragSteps is how many moves lead from the source to the target. Pages begin a drag after a few pixels.
	dragSteps = 8
	// A drag rests over its target for restMoves moves with restTime before each. Pages that move things aside look at
	// the drag once a frame, and some only when nothing moves any more.
	restMoves = 5
	restTime  = 60 * time.Millisecond
	// dragLimit bounds the whole drag, moveLimit each of its moves.
	dragLimit = 4 * time.Second
	moveLimit = 300 * time.Millisecond
	// dropLimit is how long the browser may take to report the outcome of a drag and drop.
	dropLimit = 500 * time.Millisecond
	// landLimit is how long a dropped element may take to come to rest.
	landLimit = time.Second
)

// scene is everything that a drag may change. Known is false when the page could not say.
type scene struct {
	Known bool
	All   string
}

// scene returns the present state of everything that a drag may change. It is not known when the elements are in
// different frames.
func (in *Input) scene(ctx context.Context, from, to dom.Element) (s scene) {
	const function = "function(from,to){return act.scene(from,to)}"
	if from.World != to.World || in.frames.Run(ctx, from.World, &s, function, from.ID, to.ID) != nil {
		return scene{}
	}
	return s
}

// Drag drags one element onto another, once, and checks whether the page has accepted it.
func (in *Input) Drag(ctx context.Context, from, to string) (page.Effects, error) {
	if err := in.target.DialogError(); err != nil {
		return page.Effects{}, err
	}
	destination, err := in.frames.Find(ctx, to)
	if err != nil {
		return page.Effects{}, err
	}

	var aimErr error
	var before scene
	requests := in.tab.Log.Last()
	effects, source, err := in.act(ctx, from, false, func(e dom.Element, start point) []*cdp.Pending {
		// Aiming at the destination may scroll the source away, so the source is aimed at again.
		var end point
		end, aimErr = in.aim(ctx, &destination)
		if again, err := in.aim(ctx, &e); err == nil {
			start = again
		}
		if aimErr != nil {
			return nil
		}
		before = in.scene(ctx, e, destination)
		return in.drag(ctx, e, start, end)
	})
	if err == nil {
		err = aimErr
	}
	if err != nil || effects.Interrupted() {
		return effects, err
	}

	if missed := effects.Activity.Missed; missed != "" {
		return effects, fault.Quote(fault.CodeMissed,
			fmt.Sprintf("The mouse took hold of %s instead of %s: the page moved or covered it.",
				wording.Shorten(missed, 100), source),
			"Take a new snapshot and see what the drag has done.")
	}
	switch in.dropped(ctx, source) {
	case "taken":
	case "refused":
		return effects, fault.Quote(fault.CodeNotTaken,
			fmt.Sprintf("%s was dragged, and %s does not take it.", source.Subject(), destination),
			"Drop it where the page takes it.")
	default: // the page drags with its own scripts, and may have accepted the element without a sign
		effects.Nothing = in.unmoved(ctx, source, destination, before) && in.tab.Log.Last() == requests
	}
	return effects, nil
}

// dropped returns the outcome of a drag and drop: taken or refused, or "" when the page drags with its own scripts.
func (in *Input) dropped(ctx context.Context, source dom.Element) (state string) {
	known := func() bool {
		err := in.frames.Run(ctx, source.World, &state, "function(){return act.dragged()}")
		return err != nil || state != "begun" || in.target.Interrupted()
	}
	for end := time.Now().Add(dropLimit); !known() && time.Now().Before(end); {
		in.target.Pause(ctx, pollTime)
	}
	return state
}

// unmoved waits until a dropped element has come to rest, and reports whether everything is as it was before.
func (in *Input) unmoved(ctx context.Context, from, to dom.Element, before scene) bool {
	if !before.Known {
		return false
	}

	last := in.scene(ctx, from, to)
	for end := time.Now().Add(landLimit); time.Now().Before(end) && ctx.Err() == nil && !in.target.Interrupted(); {
		in.target.Pause(ctx, restTime)
		now := in.scene(ctx, from, to)
		if now == last {
			break
		}
		last = now
	}
	return last.Known && last == before
}

// drag presses the mouse button, moves the mouse to end, and returns the pending release. The browser takes over once a
// drag and drop has begun, so each move waits for the answer to the one before. Over the target, drag also waits for
// the page to draw.
func (in *Input) drag(ctx context.Context, e dom.Element, start, end point) []*cdp.Pending {
	ctx, cancel := in.target.Bound(ctx, dragLimit)
	defer cancel()
	wait := func(p *cdp.Pending) {
		step, cancel := context.WithTimeout(ctx, moveLimit)
		defer cancel()
		_ = p.Wait(step, nil)
	}
	move := func(at point) { wait(in.mouse("mouseMoved", at, "left", 0)) }
	between := func(part float64) point {
		return point{start.x + (end.x-start.x)*part, start.y + (end.y-start.y)*part}
	}

	wait(in.mouse("mouseMoved", start, "none", 0))
	wait(in.mouse("mousePressed", start, "left", 1))
	for i := 1; i <= dragSteps; i++ {
		move(between(float64(i) / dragSteps))
	}
	for i := range restMoves {
		in.target.Pause(ctx, restTime)
		drawn, cancel := context.WithTimeout(ctx, 2*restTime)
		_ = in.frames.Run(drawn, e.World, nil, "function(){return act.drawn()}")
		cancel()
		move(point{end.x + float64((i+1)%2), end.y})
	}
	return []*cdp.Pending{in.mouse("mouseReleased", end, "left", 1)}
}
