package page

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"cove/internal/fault"
)

// offers is what a list of the page's own making shows of what is wanted.
type offers struct {
	Gone, Open bool
	Own, Other []int
	Names      []string
}

// combobox picks from a list that the page has made itself, and opens it first when it is closed.
func (t *Tab) combobox(ctx context.Context, e element, uid string, k kind, value string) (Effects, string, error) {
	if k.Field != 0 {
		e.id = k.Field
		e.role = ""
		return t.enterText(ctx, e, kind{Kind: "text"}, value, t.mark())
	}
	look := func() (o offers, err error) {
		err = t.run(ctx, e.place, &o, "function(id,v){return act.offers(id,v)}", e.id, value)
		return o, err
	}
	seen, err := look()
	if err != nil {
		return Effects{}, "", err
	}
	if len(seen.Own) > 0 {
		return t.pick(ctx, e, seen.Own[0], value)
	}
	if seen.Open && len(seen.Other) == 1 { // its list is not said to be its own
		return t.pick(ctx, e, seen.Other[0], value)
	}
	var effects Effects
	if !seen.Open && len(seen.Names) == 0 {
		if effects, _, err = t.Click(ctx, uid, false); err != nil || effects.Dialog != nil || effects.Navigated != "" {
			return effects, "", err
		}
	}
	for end := time.Now().Add(offerLimit); ; {
		now, err := look()
		if err != nil {
			return effects, "", err
		}
		fresh := slices.DeleteFunc(now.Other, func(id int) bool { return slices.Contains(seen.Other, id) })
		if found := slices.Concat(now.Own, fresh); len(found) > 0 {
			return t.pick(ctx, e, found[0], value)
		}
		if len(now.Names) > 0 && time.Until(end) < offerLimit/2 || time.Now().After(end) || ctx.Err() != nil {
			if len(now.Names) > 0 {
				return effects, "", fault.New(fault.NotFound, "E_OPTION", fmt.Sprintf("%s shows no option %q; it shows: %s.", capital(e.String()), value, short(strings.Join(now.Names, ", "), 1000)), "Choose one of them, or do what shows others.")
			}
			return effects, "", fault.New(fault.NotFound, "E_OPTION", fmt.Sprintf("%s shows no option %q.", capital(e.String()), value), "Take a snapshot to see what it offers now.")
		}
		t.until(ctx, textPoll, t.interrupted)
	}
}

// pick clicks an option and sees that it is chosen.
func (t *Tab) pick(ctx context.Context, e element, option int, value string) (Effects, string, error) {
	effects, _, err := t.Click(ctx, fmt.Sprintf("%s%d", e.document.label, option), false)
	if err != nil || effects.Dialog != nil || effects.Navigated != "" || effects.Closed {
		return effects, value, err
	}
	picked := true
	if t.run(ctx, e.place, &picked, "function(id,o,v){return act.picked(id,o,v)}", e.id, option, value) == nil && !picked {
		return effects, "", fault.New(fault.Conflict, "E_NOT_TAKEN", fmt.Sprintf("The option %q of %s was clicked, and the page does not show that it is chosen.", short(value, 200), e), "Take a snapshot to see what happened.")
	}
	return effects, value, nil
}
