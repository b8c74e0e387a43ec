package input

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/page/dom"
	"cove/internal/page/input/keyboard"
)

// standing is the state of a custom slider or spinbutton: its value and its bounds. Now is nil when the page does not
// say.
type standing struct {
	Gone, Focused bool
	Now, Min, Max *float64
}

const (
	// maxSteps bounds how many keys are pressed to set a slider. stepsAtOnce bounds how many are sent before the slider
	// is read again.
	maxSteps    = 1000
	stepsAtOnce = 20
	// pageSteps is the number of steps above which the keys for large steps are tried.
	pageSteps = 15
	// stepTime is how long a slider may take to follow a key.
	stepTime = 400 * time.Millisecond
	// maxRedraws bounds how often a slider that the page replaces after each key is found again.
	maxRedraws = 50
)

// setSteps sets a custom slider or spinbutton with keys, as people without a mouse do.
func (in *Input) setSteps(ctx context.Context, e dom.Element, k kind, value string) (page.Effects, string, error) {
	wanted, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "%")), 64)
	if err != nil {
		return page.Effects{}, "", errValue("%s is set to a number, not to %q.", e.Subject(), value).
			WithHint("Give the number that it is to hold.")
	}
	before := in.tab.Mark()
	at, err := in.standing(ctx, e, true)
	if err == nil {
		err = at.refuses(e, k, wanted, value)
	}
	if err != nil {
		return page.Effects{}, "", err
	}

	at, err = in.stepUntil(ctx, &e, k, at, wanted)
	effects, settled := in.tab.Settle(ctx, before, e)
	if err == nil {
		err = settled
	}
	if err != nil || effects.Dialog != nil || effects.Navigated != "" {
		return effects, "", err
	}
	if at.Gone {
		return effects, "", fault.Quote(fault.CodeNotTaken,
			e.Subject()+" was redrawn after every key, before it held the value.",
			"Take a snapshot to see what it holds.")
	}
	if at.Now == nil { // the number was typed, and only the element's text shows what it holds
		r, ok := in.value(ctx, effects, &e)
		if ok && !strings.Contains(squash(r.Value), decimal(wanted)) {
			return effects, "", errNotTaken(e, value, r.Value)
		}
		return effects, "", nil
	}
	if math.Abs(*at.Now-wanted) > 1e-9 {
		return effects, "", errNotTaken(e, value, decimal(*at.Now))
	}
	return effects, decimal(*at.Now), nil
}

// decimal writes a number without an exponent.
func decimal(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// refuses returns why the slider cannot be set to a value, or nil when it can.
func (s standing) refuses(e dom.Element, k kind, wanted float64, value string) error {
	const hint = "Click it, then use press_key with ArrowRight, ArrowLeft, Home or End, or drag it."
	switch {
	case s.Gone:
		return e.ErrGone()
	case !s.Focused:
		return fault.Quote(fault.CodeFocus, e.Subject()+" does not take the focus.", hint)
	case s.Now == nil && !k.Editable:
		return errValue("%s does not say what it holds.", e.Subject()).WithHint(hint)
	case s.Min != nil && wanted < *s.Min || s.Max != nil && wanted > *s.Max:
		return errValue("%s takes %s, not %q.", e.Subject(), s.bounds(), value).WithHint("Give a number that it takes.")
	}
	return nil
}

// stepUntil types the value where that is possible, then presses keys until the slider has it. When the page replaces
// the slider after a key, stepUntil finds the new one and sets e to it.
func (in *Input) stepUntil(
	ctx context.Context, e *dom.Element, k kind, at standing, wanted float64,
) (_ standing, err error) {
	if k.Editable { // a part of a date: its digits can be typed
		in.target.AwaitInput(ctx, in.write(decimal(wanted)))
		in.tab.Tick(ctx, dom.Element{World: e.World})
		if at, err = in.standing(ctx, *e, true); err != nil {
			return at, err
		}
	}

	first := *e
	for range maxRedraws {
		if at.Gone {
			if *e, err = in.frames.FindAgain(ctx, first); err == nil {
				at, err = in.standing(ctx, *e, true)
			}
		}
		if err != nil || at.Now == nil || *at.Now == wanted {
			break
		}
		if at, err = in.stepTo(ctx, *e, at, wanted); !at.Gone {
			break
		}
	}
	return at, err
}

// bounds describes the range of the slider.
func (s standing) bounds() string {
	text := func(f *float64, none string) string {
		if f == nil {
			return none
		}
		return decimal(*f)
	}
	return fmt.Sprintf("%s to %s", text(s.Min, "any number"), text(s.Max, "any number"))
}

// standing reads the state of the slider. With focus it also gives the slider the focus.
func (in *Input) standing(ctx context.Context, e dom.Element, focus bool) (s standing, err error) {
	err = in.frames.Run(ctx, e.World, &s, "function(id,focus){return act.steps(id,focus)}", e.ID, focus)
	return s, err
}

// presses sends a key the given number of times, and waits until the slider has followed and rests. It returns the new
// state.
func (in *Input) presses(ctx context.Context, e dom.Element, key string, times int, from standing) (standing, error) {
	in.target.AwaitInput(ctx,
		in.send(slices.Concat(slices.Repeat([][]keyboard.Stroke{keyboard.Named(key).Strokes()}, times)...)))
	last := from
	for end := time.Now().Add(stepTime); ; {
		in.tab.Tick(ctx, dom.Element{World: e.World})
		now, err := in.standing(ctx, e, false)
		if err != nil || now.Gone || now.Now == nil || in.target.Interrupted() {
			return now, err
		}
		if *now.Now == *last.Now && (*now.Now != *from.Now || time.Now().After(end)) {
			return now, nil
		}
		last = now
		in.target.Pause(ctx, pollTime)
	}
}

// arrows lists pairs of keys for more and for less, in the order in which stepTo tries them.
var arrows = [][2]string{{"ArrowRight", "ArrowLeft"}, {"ArrowUp", "ArrowDown"}, {"ArrowLeft", "ArrowRight"}}

// stepTo presses arrow keys until the slider has the wanted value, or comes no nearer to it.
func (in *Input) stepTo(ctx context.Context, e dom.Element, at standing, wanted float64) (standing, error) {
	lost := func(s standing, err error) bool {
		return err != nil || s.Gone || s.Now == nil || in.target.Interrupted()
	}
	if end := at.end(wanted); end != "" {
		now, err := in.presses(ctx, e, end, 1, at)
		if lost(now, err) || *now.Now == wanted {
			return now, err
		}
		at = now
	}
	way, misses, passed, small := 0, 0, 0, false
	for sent := 0; sent < maxSteps && *at.Now != wanted; {
		key := arrows[way][0]
		if *at.Now > wanted {
			key = arrows[way][1]
		}
		now, err := in.presses(ctx, e, key, 1, at)
		if lost(now, err) {
			return now, err
		}
		sent++
		step := math.Abs(*now.Now - *at.Now)
		if step == 0 ||
			math.Abs(*now.Now-wanted) > math.Abs(*at.Now-wanted) &&
				math.Signbit(*now.Now-wanted) == math.Signbit(*at.Now-wanted) {
			// The slider does not know these keys, or goes the other way.
			if misses++; misses == len(arrows) {
				return now, nil
			}
			at, way = now, (way+1)%len(arrows)
			continue
		}
		misses = 0
		away := math.Abs(*now.Now - wanted)
		if math.Signbit(*now.Now-wanted) != math.Signbit(*at.Now-wanted) && *now.Now != wanted {
			if passed++; passed == 3 {
				return now, nil // the wanted value lies between two steps of the slider
			}
		}
		at = now
		if away/step > pageSteps && !small {
			if at, err = in.leap(ctx, e, key == arrows[way][0], now, wanted); lost(at, err) {
				return at, err
			}
			small = math.Abs(*at.Now-wanted) > away-2*step // the keys for large steps are no faster
			sent += stepsAtOnce
			continue
		}
		if n := min(int(math.Round(away/step)), stepsAtOnce); n > 0 {
			if at, err = in.presses(ctx, e, key, n, now); lost(at, err) {
				return at, err
			}
			sent += n
		}
	}
	return at, nil
}

// leap brings the slider near a value with the keys for large steps, if the slider knows them.
func (in *Input) leap(ctx context.Context, e dom.Element, up bool, at standing, wanted float64) (standing, error) {
	key := "PageDown"
	if up {
		key = "PageUp"
	}
	now, err := in.presses(ctx, e, key, 1, at)
	if err != nil || now.Gone || now.Now == nil {
		return now, err
	}
	gain := math.Abs(*at.Now-wanted) - math.Abs(*now.Now-wanted)
	if n := min(int(math.Abs(*now.Now-wanted)/max(gain, 1e-9)), stepsAtOnce); gain > 0 && n > 0 {
		return in.presses(ctx, e, key, n, now)
	}
	return now, nil
}

// end returns the key that sets the value at once, or "" when there is none.
func (s standing) end(wanted float64) string {
	switch {
	case s.Min != nil && wanted == *s.Min:
		return "Home"
	case s.Max != nil && wanted == *s.Max:
		return "End"
	}
	return ""
}

// expand opens or closes a branch of a tree with keys.
func (in *Input) expand(ctx context.Context, e dom.Element, k kind, value string) (page.Effects, string, error) {
	if value != "true" && value != "false" {
		return page.Effects{}, "", errValue(
			"%s is opened with the value \"true\" and closed with \"false\", not with %q.",
			e.Subject(),
			value,
		)
	}
	wanted := value == "true"
	if k.Checked == wanted {
		return page.Effects{}, value, nil
	}
	var b struct{ Gone, Focused, Checked bool }
	read := func() error { return in.frames.Run(ctx, e.World, &b, "function(id){return act.branch(id)}", e.ID) }
	before := in.tab.Mark()
	if err := read(); err != nil {
		return page.Effects{}, "", err
	}
	if b.Gone {
		return page.Effects{}, "", e.ErrGone()
	}
	if !b.Focused {
		return page.Effects{}, "", fault.Quote(
			fault.CodeFocus,
			e.Subject()+" does not take the focus.",
			"Click it, then use press_key with ArrowRight to open and ArrowLeft to close it.",
		)
	}
	key, does := "ArrowLeft", "close"
	if wanted {
		key, does = "ArrowRight", "open"
	}
	in.target.AwaitInput(ctx, in.send(keyboard.Named(key).Strokes()))
	effects, err := in.tab.Settle(ctx, before, e)
	if err != nil || effects.Dialog != nil || effects.Navigated != "" {
		return effects, value, err
	}
	if err := read(); err == nil && !b.Gone && b.Checked != wanted {
		return effects, "", fault.Quote(
			fault.CodeNotTaken,
			fmt.Sprintf("%s did not %s with %s.", e.Subject(), does, key),
			"Look at the page; if it is as it was, click it, or the arrow beside it.",
		)
	}
	return effects, value, nil
}
