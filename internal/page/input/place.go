package input

import (
	"context"

	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/page/capture"
	"cove/internal/page/dom"
)

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
