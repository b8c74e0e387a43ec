package page

import (
	"context"
	"fmt"
	"time"

	"cove/internal/cdp"
	"cove/internal/fault"
)

const (
	// dragSteps is how many moves a drag is made of: pages begin one after a few pixels.
	dragSteps = 8
	// A drag rests over its target: pages that move things aside look at it once a picture, some only when nothing moves any more.
	restMoves = 5
	restTime  = 60 * time.Millisecond
	// dropLimit is how long the browser may take to say what has become of a drag.
	dropLimit = 500 * time.Millisecond
	// landLimit is how long what was dropped may take to come to rest.
	landLimit = time.Second
)

// scene is what a drag may change.
type scene struct {
	Known bool
	All   string
}

func (t *Tab) scene(ctx context.Context, from, to element) (s scene) {
	if from.place != to.place || t.run(ctx, from.place, &s, "function(from,to){return act.scene(from,to)}", from.id, to.id) != nil {
		return scene{}
	}
	return s
}

// Drag drags one element onto another, once, and sees whether something took it.
func (t *Tab) Drag(ctx context.Context, from, to string) (Effects, error) {
	if err := t.refuseDialog(); err != nil {
		return Effects{}, err
	}
	target, err := t.find(ctx, to)
	if err != nil {
		return Effects{}, err
	}
	var aimErr error
	var before scene
	requests := t.asked()
	effects, source, err := t.act(ctx, from, false, func(e element, start point) []*cdp.Pending {
		// Aiming at the target may scroll the source away: look at both again.
		var end point
		end, aimErr = t.aim(ctx, &target)
		if again, e2 := t.aim(ctx, &e); e2 == nil {
			start = again
		}
		if aimErr != nil {
			return nil
		}
		before = t.scene(ctx, e, target)
		return t.drag(ctx, e, start, end)
	})
	if err == nil {
		err = aimErr
	}
	if err != nil || effects.Dialog != nil || effects.Navigated != "" || effects.Closed {
		return effects, err
	}
	if effects.missed != "" {
		return effects, fault.Quote(fault.CodeMissed, fmt.Sprintf("The mouse took hold of %s instead of %s: the page moved or covered it.", short(effects.missed, 100), source), "Take a new snapshot and see what the drag has done.")
	}
	switch t.dropped(ctx, source) {
	case "taken":
	case "refused":
		return effects, fault.Quote(fault.CodeNotTaken, fmt.Sprintf("%s was dragged, and %s does not take it.", capital(source.String()), target), "Drop it where the page takes it.")
	default: // the page drags in its own way, and may have taken it without a sign
		effects.Nothing = t.landed(ctx, source, target, before) && t.asked() == requests
	}
	return effects, nil
}

// asked is how many requests the tab has sent.
func (t *Tab) asked() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.network.next
}

// dropped is what the browser says of a drag and drop: taken or refused; "" when the page drags in its own way.
func (t *Tab) dropped(ctx context.Context, source element) (state string) {
	ask := func() bool {
		return t.run(ctx, source.place, &state, "function(){return act.dragged()}") != nil || state != "begun" || t.interrupted()
	}
	for end := time.Now().Add(dropLimit); !ask() && time.Now().Before(end); {
		t.until(ctx, pollTime, t.interrupted)
	}
	return state
}

// landed waits until what was dropped has come to rest, and tells that all is as it was before.
func (t *Tab) landed(ctx context.Context, from, to element, before scene) (unchanged bool) {
	if !before.Known {
		return false
	}
	last := t.scene(ctx, from, to)
	for end := time.Now().Add(landLimit); time.Now().Before(end) && ctx.Err() == nil && !t.interrupted(); {
		t.until(ctx, restTime, t.interrupted)
		now := t.scene(ctx, from, to)
		if now == last {
			break
		}
		last = now
	}
	return last.Known && last == before
}

// drag sends the moves, and gives the release. The browser takes over once a drag and drop has begun, so each move waits for the one
// before, and for the picture that the page draws of it.
func (t *Tab) drag(ctx context.Context, e element, start, end point) []*cdp.Pending {
	ctx, cancel := t.bound(ctx, 2*inputLimit)
	defer cancel()
	wait := func(p *cdp.Pending) {
		step, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
		defer cancel()
		_ = p.Wait(step, nil)
	}
	move := func(at point) { wait(t.mouse("mouseMoved", at, "left", 0)) }
	between := func(part float64) point {
		return point{start.x + (end.x-start.x)*part, start.y + (end.y-start.y)*part}
	}
	wait(t.mouse("mouseMoved", start, "none", 0))
	wait(t.mouse("mousePressed", start, "left", 1))
	for i := 1; i <= dragSteps; i++ {
		move(between(float64(i) / dragSteps))
	}
	for i := range restMoves {
		t.until(ctx, restTime, t.interrupted)
		drawn, cancel := context.WithTimeout(ctx, 2*restTime)
		_ = t.run(drawn, e.place, nil, "function(){return act.drawn()}")
		cancel()
		move(point{end.x + float64((i+1)%2), end.y})
	}
	return []*cdp.Pending{t.mouse("mouseReleased", end, "left", 1)}
}
