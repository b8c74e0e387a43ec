package page

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"cove/internal/fault"
)

// standing is where a slider or spinbutton of the page's own making stands.
type standing struct {
	Gone, Focused bool
	Now, Min, Max *float64
}

const (
	// maxSteps bounds how many keys set a slider, stepsAtOnce how many are sent before it is looked at again.
	maxSteps    = 1000
	stepsAtOnce = 20
	// pageSteps is from how many steps on larger ones are tried.
	pageSteps = 15
	// stepTime is how long a slider may take to follow a key.
	stepTime = 400 * time.Millisecond
	// maxRedraws is how often a slider is looked for again that its own keys draw anew.
	maxRedraws = 50
)

// setSteps sets a slider or spinbutton of the page's own making with keys, as people do who have no mouse.
func (t *Tab) setSteps(ctx context.Context, e element, k kind, value string) (Effects, string, error) {
	wanted, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "%")), 64)
	if err != nil {
		return Effects{}, "", refused("%s is set to a number, not to %q.", capital(e.String()), value).WithHint("Give the number that it is to hold.")
	}
	before := t.mark()
	at, err := t.standing(ctx, e, true)
	if err != nil {
		return Effects{}, "", err
	}
	hint := "Click it, then use press_key with ArrowRight, ArrowLeft, Home or End, or drag it."
	switch {
	case at.Gone:
		return Effects{}, "", aimed{Gone: true}.err(e)
	case !at.Focused:
		return Effects{}, "", fault.Quote(fault.CodeFocus, capital(e.String())+" does not take the focus.", hint)
	case at.Now == nil && !k.Editable:
		return Effects{}, "", refused("%s does not say what it holds.", capital(e.String())).WithHint(hint)
	case at.Min != nil && wanted < *at.Min || at.Max != nil && wanted > *at.Max:
		return Effects{}, "", refused("%s takes %s, not %q.", capital(e.String()), at.bounds(), value).WithHint("Give a number that it takes.")
	}
	if k.Editable { // a part of a date: its digits can be typed
		t.await(ctx, t.write(strconv.FormatFloat(wanted, 'f', -1, 64)))
		t.beat(ctx, element{place: e.place})
		if at, err = t.standing(ctx, e, true); err != nil {
			return Effects{}, "", err
		}
	}
	first := e
	for range maxRedraws {
		if at.Gone { // it was drawn anew by its own key
			if e, err = t.findAgain(ctx, first); err == nil {
				at, err = t.standing(ctx, e, true)
			}
		}
		if err != nil || at.Now == nil || *at.Now == wanted {
			break
		}
		if at, err = t.stepTo(ctx, e, at, wanted); !at.Gone {
			break
		}
	}
	effects, settled := t.settleWith(ctx, before, e)
	if err == nil {
		err = settled
	}
	if err != nil || effects.Dialog != nil || effects.Navigated != "" {
		return effects, "", err
	}
	if at.Gone {
		return effects, "", fault.Quote(fault.CodeNotTaken, capital(e.String())+" was redrawn after every key, before it held the value.", "Take a snapshot to see what it holds.")
	}
	if at.Now == nil { // typed into, and it says nowhere what it holds but in its text
		r, ok := t.holds(ctx, effects, &e)
		if ok && !strings.Contains(squash(r.Value), strconv.FormatFloat(wanted, 'f', -1, 64)) {
			return effects, "", notTaken(e, value, r.Value)
		}
		return effects, "", nil
	}
	now := strconv.FormatFloat(*at.Now, 'f', -1, 64)
	if math.Abs(*at.Now-wanted) > 1e-9 {
		return effects, "", notTaken(e, value, now)
	}
	return effects, now, nil
}

func (s standing) bounds() string {
	text := func(f *float64, none string) string {
		if f == nil {
			return none
		}
		return strconv.FormatFloat(*f, 'f', -1, 64)
	}
	return fmt.Sprintf("%s to %s", text(s.Min, "any number"), text(s.Max, "any number"))
}

func (t *Tab) standing(ctx context.Context, e element, focus bool) (s standing, err error) {
	err = t.run(ctx, e.place, &s, "function(id,focus){return act.steps(id,focus)}", e.id, focus)
	return s, err
}

// presses sends one key so many times and waits until the slider has followed and rests.
func (t *Tab) presses(ctx context.Context, e element, key string, times int, from standing) (standing, error) {
	t.await(ctx, t.send(slices.Concat(slices.Repeat([][]stroke{named[key].strokes()}, times)...)))
	last := from
	for end := time.Now().Add(stepTime); ; {
		t.beat(ctx, element{place: e.place})
		now, err := t.standing(ctx, e, false)
		if err != nil || now.Gone || now.Now == nil || t.interrupted() {
			return now, err
		}
		if *now.Now == *last.Now && (*now.Now != *from.Now || time.Now().After(end)) {
			return now, nil
		}
		last = now
		t.until(ctx, pollTime, t.interrupted)
	}
}

// arrows are the keys for more and for less, as sliders know them.
var arrows = [][2]string{{"ArrowRight", "ArrowLeft"}, {"ArrowUp", "ArrowDown"}, {"ArrowLeft", "ArrowRight"}}

// stepTo presses arrows until a slider stands where it should, or comes no nearer.
func (t *Tab) stepTo(ctx context.Context, e element, at standing, wanted float64) (standing, error) {
	lost := func(s standing, err error) bool { return err != nil || s.Gone || s.Now == nil || t.interrupted() }
	if end := at.end(wanted); end != "" {
		now, err := t.presses(ctx, e, end, 1, at)
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
		now, err := t.presses(ctx, e, key, 1, at)
		if lost(now, err) {
			return now, err
		}
		sent++
		step := math.Abs(*now.Now - *at.Now)
		if step == 0 || math.Abs(*now.Now-wanted) > math.Abs(*at.Now-wanted) && math.Signbit(*now.Now-wanted) == math.Signbit(*at.Now-wanted) {
			// It does not know these keys, or goes the other way.
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
				return now, nil // it goes in steps, and none of them is this one
			}
		}
		at = now
		if away/step > pageSteps && !small {
			if at, err = t.leap(ctx, e, key == arrows[way][0], now, wanted); lost(at, err) {
				return at, err
			}
			small = math.Abs(*at.Now-wanted) > away-2*step // such keys are no faster
			sent += stepsAtOnce
			continue
		}
		if n := min(int(math.Round(away/step)), stepsAtOnce); n > 0 {
			if at, err = t.presses(ctx, e, key, n, now); lost(at, err) {
				return at, err
			}
			sent += n
		}
	}
	return at, nil
}

// leap goes near a value with the keys for large steps, where a slider knows them.
func (t *Tab) leap(ctx context.Context, e element, up bool, at standing, wanted float64) (standing, error) {
	key := "PageDown"
	if up {
		key = "PageUp"
	}
	now, err := t.presses(ctx, e, key, 1, at)
	if err != nil || now.Gone || now.Now == nil {
		return now, err
	}
	gain := math.Abs(*at.Now-wanted) - math.Abs(*now.Now-wanted)
	if n := min(int(math.Abs(*now.Now-wanted)/max(gain, 1e-9)), stepsAtOnce); gain > 0 && n > 0 {
		return t.presses(ctx, e, key, n, now)
	}
	return now, nil
}

// end is the key that leads to the value at once; "" when none does.
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
func (t *Tab) expand(ctx context.Context, e element, k kind, value string) (Effects, string, error) {
	if value != "true" && value != "false" {
		return Effects{}, "", refused("%s is opened with the value \"true\" and closed with \"false\", not with %q.", capital(e.String()), value)
	}
	wanted := value == "true"
	if k.Checked == wanted {
		return Effects{}, value, nil
	}
	var b struct{ Gone, Focused, Checked bool }
	ask := func() error { return t.run(ctx, e.place, &b, "function(id){return act.branch(id)}", e.id) }
	before := t.mark()
	if err := ask(); err != nil {
		return Effects{}, "", err
	}
	if b.Gone {
		return Effects{}, "", aimed{Gone: true}.err(e)
	}
	if !b.Focused {
		return Effects{}, "", fault.Quote(fault.CodeFocus, capital(e.String())+" does not take the focus.", "Click it, then use press_key with ArrowRight to open and ArrowLeft to close it.")
	}
	key, does := "ArrowLeft", "close"
	if wanted {
		key, does = "ArrowRight", "open"
	}
	t.await(ctx, t.send(named[key].strokes()))
	effects, err := t.settleWith(ctx, before, e)
	if err != nil || effects.Dialog != nil || effects.Navigated != "" {
		return effects, value, err
	}
	if err := ask(); err == nil && !b.Gone && b.Checked != wanted {
		return effects, "", fault.Quote(fault.CodeNotTaken, fmt.Sprintf("%s did not %s with %s.", capital(e.String()), does, key), "Look at the page; if it is as it was, click it, or the arrow beside it.")
	}
	return effects, value, nil
}
