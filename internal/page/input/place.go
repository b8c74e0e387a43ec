package input

import (
	"context"

	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/page/capture"
	"cove/internal/page/dom"
)

// AssessPlace returns what a click at a place of the window may send, and the element that is there.
func (in *Input) AssessPlace(ctx context.Context, at capture.Point) (SubmitRisk, dom.Element, error) {
	ctx, cancel := in.target.Watchdog(ctx)
	defer cancel()
	e, err := in.frames.Pointed(ctx, at.PageX, at.PageY)
	if err != nil {
		risk, err := in.unread(dom.Element{Role: "page"}, err)
		return risk, dom.Element{}, err
	}

	var a assessment
	if err := in.frames.Run(ctx, e.World, &a, "function(id){return act.assessClick(id)}", e.ID); err != nil {
		risk, err := in.unread(e, err)
		return risk, e, err
	}
	if a.Field { // a click only puts the cursor there
		return SubmitRisk{}, e, nil
	}
	return in.risk(ctx, e, a), e, nil
}

var errOther = fault.New(fault.CodePageChanged,
	"Something else has come to this place of the page. Nothing was clicked.",
	"Take a new screenshot and try again.")

// ClickAt clicks at a place of the window, once or twice, and returns the element that was there. It refuses to click
// when expected, unless that is zero, is no longer there.
func (in *Input) ClickAt(
	ctx context.Context, at capture.Point, expected dom.Element, twice bool,
) (page.Effects, dom.Element, error) {
	ctx, cancel, err := in.target.Begin(ctx)
	if err != nil {
		return page.Effects{}, dom.Element{}, err
	}
	defer cancel()
	e, err := in.frames.Pointed(ctx, at.PageX, at.PageY)
	if err != nil {
		return page.Effects{}, e, err
	}
	if expected.World.ID != 0 && (e.World.ID != expected.World.ID || e.Frame != expected.Frame || e.ID != expected.ID) {
		return page.Effects{}, e, errOther
	}

	in.emulateFocus()
	stop := in.target.InterceptChooser(e.Session)
	defer stop()
	if err := in.frames.Run(ctx, e.World, nil, "function(){return act.watch(),0}"); err != nil {
		return page.Effects{}, e, err
	}
	effects, err := in.perform(ctx, e, point{at.X, at.Y}, true, in.clicks(twice))
	if err == nil {
		err = clickFault(effects, e)
	}
	return effects, e, err
}
