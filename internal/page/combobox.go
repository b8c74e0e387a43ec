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
	// Own are options of its own list, Other those of lists elsewhere, Loose texts that are no options by their role.
	Own, Other, Loose []int
	// Off are options that are disabled.
	Off   []int
	Names []string
	// Last is an option of the list, whatever it is called.
	Last int
}

// How long a list may take to show its first option after it was opened, and the one that is wanted after the first.
const (
	listLimit  = 3 * time.Second
	offerLimit = 500 * time.Millisecond
	// maxScrolls bounds how far a long list is searched.
	maxScrolls = 60
)

// combobox picks from a list that the page has made itself, and opens it first when it is closed.
func (t *Tab) combobox(ctx context.Context, e element, uid string, k kind, value string) (Effects, string, error) {
	if k.Field != 0 {
		var inner kind
		if err := t.run(ctx, e.place, &inner, "function(id){return act.prepare(id)}", k.Field); err != nil {
			return Effects{}, "", err
		}
		if inner.Kind == "text" && !inner.Readonly && !inner.Disabled {
			e.id, e.role = k.Field, ""
			return t.enterText(ctx, e, inner, value, t.mark())
		}
	}
	seen, err := t.offers(ctx, e, value)
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
	option, now, err := t.awaitOffer(ctx, e, value, seen)
	switch {
	case err != nil:
		return effects, "", err
	case option != 0:
		return t.pick(ctx, e, option, value)
	case len(now.Off) > 0:
		return effects, "", fault.Quote(fault.CodeDisabled, fmt.Sprintf("The option %q of %s is disabled.", short(value, 200), e), "Choose another one, or do what enables it first.")
	case len(now.Names) > 0:
		return effects, "", fault.Quote(fault.CodeOption, fmt.Sprintf("%s shows no option %q; it shows: %s.", capital(e.String()), value, short(strings.Join(now.Names, ", "), 1000)), "Choose one of them, or do what shows others.")
	}
	return effects, "", fault.Quote(fault.CodeOption, fmt.Sprintf("%s shows no option %q.", capital(e.String()), value), "Take a snapshot to see what it offers now.")
}

func (t *Tab) offers(ctx context.Context, e element, value string) (o offers, err error) {
	err = t.run(ctx, e.place, &o, "function(id,v){return act.offers(id,v)}", e.id, value)
	return o, err
}

// awaitOffer waits until an open list shows what is wanted, and scrolls it where it is long; 0 when it does not.
func (t *Tab) awaitOffer(ctx context.Context, e element, value string, seen offers) (option int, now offers, err error) {
	fresh := func(now, before []int) []int {
		return slices.DeleteFunc(now, func(id int) bool { return slices.Contains(before, id) })
	}
	scrolled := -1 // how often
	first := time.Time{}
	for end := time.Now().Add(listLimit); ctx.Err() == nil && !t.interrupted(); {
		if now, err = t.offers(ctx, e, value); err != nil {
			return 0, now, err
		}
		if found := slices.Concat(now.Own, fresh(now.Other, seen.Other)); len(found) > 0 {
			return found[0], now, nil
		}
		listed := len(now.Names) > 0 || (now.Last != 0 && now.Last != seen.Last)
		if (listed || len(now.Loose) > len(seen.Loose)) && first.IsZero() {
			first = time.Now()
		}
		rested := !first.IsZero() && time.Since(first) > offerLimit
		if loose := fresh(now.Loose, seen.Loose); rested && len(loose) > 0 {
			return loose[len(loose)-1], now, nil
		}
		if rested && now.Last != 0 && scrolled < maxScrolls {
			more := false
			if err = t.run(ctx, e.place, &more, "function(option,start){return act.scrollList(option,start)}", now.Last, scrolled < 0); err != nil {
				return 0, now, err
			}
			if scrolled++; more {
				t.beat(ctx, element{place: e.place})
				t.until(ctx, textPoll, t.interrupted)
				continue
			}
		}
		if rested || time.Now().After(end) {
			break
		}
		t.until(ctx, textPoll, t.interrupted)
	}
	return 0, now, context.Cause(ctx)
}

// pick clicks an option and sees that it is chosen. It tells what the list's field holds then.
func (t *Tab) pick(ctx context.Context, e element, option int, value string) (Effects, string, error) {
	effects, _, err := t.Click(ctx, fmt.Sprintf("%s%d", e.document.label, option), false)
	if err != nil || effects.Dialog != nil || effects.Navigated != "" || effects.Closed {
		return effects, value, err
	}
	picked := true
	if t.run(ctx, e.place, &picked, "function(id,o,v){return act.picked(id,o,v)}", e.id, option, value) == nil && !picked {
		return effects, "", fault.Quote(fault.CodeNotTaken, fmt.Sprintf("The option %q of %s was clicked, and the page does not show that it is chosen.", short(value, 200), e), "Take a snapshot to see what happened.")
	}
	effects.held = nil // of the option
	return effects, value, nil
}
