// Package input acts in a tab as a person does: with the mouse, the keyboard, and values for fields.
package input

import (
	"context"
	"time"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/page/dom"
	"cove/internal/page/target"
)

type object = map[string]any

// Input is the mouse and the keyboard of one tab. It has no state of its own and lives as long as its caller likes:
// make one where you need it. The caller of its methods must have locked the tab, since two actions at once would
// disturb each other.
type Input struct {
	tab    *page.Tab
	target *target.Target
	frames *dom.Frames
}

// On returns the input of a tab.
func On(tab *page.Tab) *Input { return &Input{tab, tab.Target, tab.Frames} }

// start sends a command to the tab's own session without waiting for its answer.
func (in *Input) start(method string, params object) *cdp.Pending {
	return in.target.Conn.Start(in.target.Session, method, params)
}

// emulateFocus makes the page behave as if its window had the focus, so that it need not be brought to the front.
func (in *Input) emulateFocus() {
	in.target.Post(in.target.Session, "Emulation.setFocusEmulationEnabled", object{"enabled": true})
}

// act runs an action on an element: it aims, calls do to send the input, and waits for the effects. do does not wait
// for the answers to the input: in a hidden tab they come late, and a dialog holds them back. With unchanged, act also
// finds out whether the action has changed anything at all.
func (in *Input) act(
	ctx context.Context, uid string, unchanged bool, do func(e dom.Element, at point) []*cdp.Pending,
) (page.Effects, dom.Element, error) {
	ctx, cancel, err := in.target.Begin(ctx)
	if err != nil {
		return page.Effects{}, dom.Element{}, err
	}
	defer cancel()
	e, err := in.frames.Locate(uid)
	if err != nil {
		return page.Effects{}, dom.Element{}, err
	}
	in.emulateFocus()
	stop := in.target.InterceptChooser(e.Session)
	defer stop()
	at, err := in.aim(ctx, &e)
	if err != nil {
		return page.Effects{}, e, err
	}

	effects, err := in.perform(ctx, e, at, unchanged, do)
	return effects, e, err
}

// perform is what act does once it has aimed.
func (in *Input) perform(
	ctx context.Context, e dom.Element, at point, unchanged bool, do func(e dom.Element, at point) []*cdp.Pending,
) (page.Effects, error) {
	in.touched(ctx, e, &at)
	release := in.tab.Camera.BlockScreenshots(ctx)
	in.awaitMouse(ctx, e, at)
	before := in.tab.Mark()
	processed := in.target.AwaitInput(ctx, do(e, at))
	release()
	effects, err := in.tab.Settle(ctx, before, dom.Element{World: e.World})
	in.checkHanging(ctx, processed, before, &effects)
	if err == nil && unchanged && clickFault(effects, e) == nil {
		effects.Nothing = in.tab.Unchanged(ctx, before, effects, e)
	}
	return effects, err
}

// touched reports which element an action touches, and where the pointer is; nil for an action without a pointer.
func (in *Input) touched(ctx context.Context, e dom.Element, at *point) {
	box := func() (dom.Rect, error) { return in.frames.BoxOf(ctx, e, true) }
	if at == nil {
		in.tab.Touched(ctx, box, false, 0, 0)
		return
	}
	in.tab.Touched(ctx, box, true, at.x, at.y)
}

// set runs a step that sets a value by script, and waits for the effects.
func (in *Input) set(ctx context.Context, e dom.Element, step func() error) (page.Effects, error) {
	before := in.tab.Mark()
	in.emulateFocus()
	done := make(chan error, 1)
	go func() { done <- step() }()

	// The step ends with ctx, and its error says more than that of ctx.
	forever := context.WithoutCancel(ctx)
	err, _, _ := target.Await(forever, &in.target.Changed, done, in.target.Interrupted)
	if err != nil && !in.target.Interrupted() {
		return page.Effects{}, err
	}
	return in.tab.Settle(ctx, before, e)
}

// checkHanging sets e.Busy when the page has not processed the input and no longer answers.
func (in *Input) checkHanging(ctx context.Context, processed bool, before page.Mark, e *page.Effects) {
	if processed || in.target.Interrupted() || in.tab.Navigating(before) || e.Navigated != "" {
		return
	}
	if !in.target.Responds(ctx, target.BusyLimit) && !in.target.Interrupted() {
		e.Busy = "hanging"
	}
}

// pollTime is how often we ask the page about something that no event announces. slowPoll is how often we ask when the
// answer costs the page more.
const (
	pollTime = 8 * time.Millisecond
	slowPoll = 50 * time.Millisecond
)

func errDisabled(e dom.Element) error {
	return fault.Quote(fault.CodeDisabled, e.Subject()+" is disabled.",
		"Do what enables it first, then take a new snapshot.")
}

func errReadonly(e dom.Element) error {
	return fault.Quote(fault.CodeReadonly, e.Subject()+" is read-only.",
		"Its value is set by another part of the page.")
}

func errOption() error {
	return fault.New(fault.CodeOptionClicked, "An option of a select cannot be clicked.",
		"Use fill on the select, with the option's text as the value.")
}
