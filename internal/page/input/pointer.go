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

// mouseLimit bounds how long a frame in another process may take to receive the mouse.
const mouseLimit = 600 * time.Millisecond

// awaitMouse moves the mouse over a frame in another process until the frame receives the moves. After a scroll, the
// browser sends input to the frame's old position until the frame has drawn itself.
func (in *Input) awaitMouse(ctx context.Context, e dom.Element, at point) {
	if e.Session == in.target.Session {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, mouseLimit)
	defer cancel()
	for i := 0; ctx.Err() == nil && !in.target.Interrupted(); i++ {
		received := false
		if in.frames.Run(ctx, e.World, &received, "function(){return act.moved()}") != nil || received {
			return
		}
		_ = in.mouse("mouseMoved", point{at.x + float64(i%2), at.y}, "none", 0).Wait(ctx, nil)
		if i > 0 {
			select {
			case <-ctx.Done():
			case <-time.After(pollTime):
			}
		}
	}
}

// mouse sends one mouse event without waiting for its answer.
func (in *Input) mouse(kind string, at point, button string, clicks int) *cdp.Pending {
	buttons := 0
	if kind == "mousePressed" || (kind == "mouseMoved" && button == "left") {
		buttons = 1
	}
	return in.start("Input.dispatchMouseEvent", object{"type": kind, "x": at.x, "y": at.y, "button": button,
		"buttons": buttons, "clickCount": clicks, "pointerType": "mouse"})
}

// click moves the mouse to a point and clicks there.
func (in *Input) click(at point) []*cdp.Pending {
	return []*cdp.Pending{in.mouse("mouseMoved", at, "none", 0),
		in.mouse("mousePressed", at, "left", 1), in.mouse("mouseReleased", at, "left", 1)}
}

// Click clicks an element, once or twice, and returns the element as a sentence names it. Click never sends the input
// again: the page may have acted on a press that led to no click, and only the agent can see whether it has.
func (in *Input) Click(ctx context.Context, uid string, twice bool) (page.Effects, string, error) {
	effects, e, err := in.act(ctx, uid, true, in.clicks(twice))
	if err == nil {
		err = clickFault(effects, e)
	}
	return effects, e.String(), err
}

// clicks returns the input of a click, or of two that belong together.
func (in *Input) clicks(twice bool) func(e dom.Element, at point) []*cdp.Pending {
	return func(_ dom.Element, at point) []*cdp.Pending {
		sent := in.click(at)
		if twice {
			sent = append(sent, in.mouse("mousePressed", at, "left", 2), in.mouse("mouseReleased", at, "left", 2))
		}
		return sent
	}
}

// pressFailure returns the words for what a page did with an element between press and release, so that the element got
// no click.
func pressFailure(why string) string {
	switch why {
	case "gone":
		return "the page removed or replaced it before the mouse button was released"
	case "moved":
		return "the page moved it before the mouse button was released"
	case "disabled":
		return "the page disabled it before the mouse button was released"
	}
	return ""
}

// clickFault returns how a click that the page has received went wrong, or nil when it did not.
func clickFault(effects page.Effects, on dom.Element) error {
	if missed := effects.Activity.Missed; missed != "" {
		return fault.Quote(fault.CodeMissed,
			fmt.Sprintf("The click on %s hit %s instead: the page moved or covered it when the mouse came.",
				on, wording.Shorten(missed, 100)),
			"Take a new snapshot and see what the click has done.")
	}
	if why := pressFailure(effects.Activity.PressFailure); why != "" {
		return fault.Quote(fault.CodeRedrawn,
			fmt.Sprintf("%s was pressed but not clicked: %s.", on.Subject(), why),
			"The page may have acted on the press: look at it before you click again.")
	}
	return nil
}

// Hover moves the mouse over an element and returns the element as a sentence names it.
func (in *Input) Hover(ctx context.Context, uid string) (page.Effects, string, error) {
	effects, e, err := in.act(ctx, uid, false, func(_ dom.Element, at point) []*cdp.Pending {
		return []*cdp.Pending{in.mouse("mouseMoved", at, "none", 0)}
	})
	return effects, e.String(), err
}
