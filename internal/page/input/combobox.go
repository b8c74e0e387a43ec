package input

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/page/dom"
	"cove/internal/wording"
)

// offers describes what a custom list shows of the wanted option. The numbers are ids of elements.
type offers struct {
	Gone, Open bool
	// Own has matching options of the element's own list, Other those of other lists, Loose matching texts that are not
	// options by their role.
	Own, Other, Loose []int
	// Off has matching options that are disabled.
	Off   []int
	Names []string
	// Last is the last option of the element's own list, whatever its name, or else an option of another list.
	Last int
}

const (
	// listLimit is how long a list may take to show its first option after it was opened. offerLimit is how long the
	// wanted option may take after the first.
	listLimit  = 3 * time.Second
	offerLimit = 500 * time.Millisecond
	// maxScrolls bounds how often a long list is scrolled to find the option.
	maxScrolls = 60
)

// combobox picks an option of a custom list. It opens the list first when it is closed. When the element has a field to
// type in, combobox types the value there instead.
func (in *Input) combobox(
	ctx context.Context, e dom.Element, k kind, value string,
) (page.Effects, string, error) {
	if k.Field != 0 {
		var inner kind
		if err := in.frames.Run(ctx, e.World, &inner, "function(id){return act.prepare(id)}", k.Field); err != nil {
			return page.Effects{}, "", err
		}
		if inner.Kind == "text" && !inner.Readonly && !inner.Disabled {
			e.ID, e.Role = k.Field, ""
			return in.enterText(ctx, e, inner, value, in.tab.Mark())
		}
	}
	return in.pickOffered(ctx, e, value)
}

// pickOffered opens a custom list, if it is closed, and picks the option there.
func (in *Input) pickOffered(ctx context.Context, e dom.Element, value string) (page.Effects, string, error) {
	seen, err := in.offers(ctx, e, value)
	if err != nil {
		return page.Effects{}, "", err
	}
	if len(seen.Own) > 0 {
		return in.pick(ctx, e, seen.Own[0], value)
	}
	if seen.Open && len(seen.Other) == 1 { // the page does not say which list is the element's own
		return in.pick(ctx, e, seen.Other[0], value)
	}
	var effects page.Effects
	if !seen.Open && len(seen.Names) == 0 {
		effects, _, err = in.Click(ctx, e.UID(), false)
		if err != nil || effects.Dialog != nil || effects.Navigated != "" {
			return effects, "", err
		}
	}
	option, now, err := in.awaitOffer(ctx, e, value, seen)
	switch {
	case err != nil:
		return effects, "", err
	case option != 0:
		return in.pick(ctx, e, option, value)
	case len(now.Off) > 0:
		return effects, "", fault.Quote(fault.CodeDisabled,
			fmt.Sprintf("The option %q of %s is disabled.", wording.Shorten(value, 200), e),
			"Choose another one, or do what enables it first.")
	case len(now.Names) > 0:
		shown := wording.Shorten(strings.Join(now.Names, ", "), 1000)
		return effects, "", fault.Quote(fault.CodeOption,
			fmt.Sprintf("%s shows no option %q; it shows: %s.", e.Subject(), value, shown),
			"Choose one of them, or do what shows others.")
	}
	return effects, "", fault.Quote(fault.CodeOption,
		fmt.Sprintf("%s shows no option %q.", e.Subject(), value), "Take a snapshot to see what it offers now.")
}

// offers returns what the list shows now.
func (in *Input) offers(ctx context.Context, e dom.Element, value string) (o offers, err error) {
	err = in.frames.Run(ctx, e.World, &o, "function(id,v){return act.offers(id,v)}", e.ID, value)
	return o, err
}

// awaitOffer waits until an open list shows the wanted option, and scrolls a long list. It returns 0 when the list does
// not show the option.
func (in *Input) awaitOffer(
	ctx context.Context, e dom.Element, value string, seen offers,
) (option int, now offers, err error) {
	fresh := func(now, before []int) []int {
		return slices.DeleteFunc(now, func(id int) bool { return slices.Contains(before, id) })
	}
	scrolled := -1 // how often
	first := time.Time{}
	for end := time.Now().Add(listLimit); ctx.Err() == nil && !in.target.Interrupted(); {
		if now, err = in.offers(ctx, e, value); err != nil {
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
			const function = "function(option,start){return act.scrollList(option,start)}"
			if err = in.frames.Run(ctx, e.World, &more, function, now.Last, scrolled < 0); err != nil {
				return 0, now, err
			}
			if scrolled++; more {
				in.tab.Tick(ctx, dom.Element{World: e.World})
				in.target.Pause(ctx, slowPoll)
				continue
			}
		}
		if rested || time.Now().After(end) {
			break
		}
		in.target.Pause(ctx, slowPoll)
	}
	return 0, now, context.Cause(ctx)
}

// pick clicks an option and checks that the page shows it as chosen. It returns value.
func (in *Input) pick(ctx context.Context, e dom.Element, option int, value string) (page.Effects, string, error) {
	effects, _, err := in.Click(ctx, e.Document.UID(option), false)
	if err != nil || effects.Interrupted() {
		return effects, value, err
	}
	picked := true
	const function = "function(id,o,v){return act.picked(id,o,v)}"
	if in.frames.Run(ctx, e.World, &picked, function, e.ID, option, value) == nil && !picked {
		return effects, "", fault.Quote(fault.CodeNotTaken,
			fmt.Sprintf("The option %q of %s was clicked, and the page does not show that it is chosen.",
				wording.Shorten(value, 200), e),
			"Take a snapshot to see what happened.")
	}
	effects.Activity.Reading = nil // the reading is of the option, not of the element
	return effects, value, nil
}
