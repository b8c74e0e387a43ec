package input

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/page/dom"
)

// Choose picks options of a list, as a person would: exactly these in a select that takes several, one in any other
// list. Unlike Fill it never leaves a text where an option is wanted. It returns what is chosen now.
func (in *Input) Choose(ctx context.Context, uid string, options []string) (page.Effects, string, error) {
	ctx, cancel, err := in.target.Begin(ctx)
	if err != nil {
		return page.Effects{}, "", err
	}
	defer cancel()
	e, err := in.frames.Locate(uid)
	if err != nil {
		return page.Effects{}, "", err
	}
	in.emulateFocus()
	k, err := in.prepare(ctx, &e)
	if err != nil {
		return page.Effects{}, "", err
	}
	in.touched(ctx, e, nil)

	switch {
	case k.Kind == "select":
		return visible(in.choose(ctx, e, options, true))
	case k.Kind == "option":
		return page.Effects{}, "", errOption()
	case k.Kind != "combobox" && (k.Kind != "text" || !k.List):
		return page.Effects{}, "", errValue("%s is not a list to choose from.", e.Subject()).
			WithHint("Use fill to give it a value, or click it.")
	case len(options) > 1:
		return page.Effects{}, "", errSingle(e)
	}
	return visible(in.chooseOffered(ctx, e, k, options[0]))
}

func errSingle(e dom.Element) error {
	return errValue("%s takes one option at a time.", e.Subject()).WithHint("Choose one.")
}

// choose picks options of a select and checks that the page leaves them chosen; with only, no others stay chosen.
func (in *Input) choose(
	ctx context.Context, e dom.Element, values []string, only bool,
) (page.Effects, string, error) {
	var r struct {
		OK       bool
		Gone     bool
		Single   bool
		Disabled string
		Missing  string
		Value    string
		Indexes  []int
		Options  []string
		More     int
	}
	effects, err := in.set(ctx, e, func() error {
		const function = "function(id,v,o){return act.choose(id,v,o)}"
		return in.frames.Run(ctx, e.World, &r, function, e.ID, values, only)
	})
	switch {
	case err != nil || effects.Dialog != nil:
		return effects, "", err
	case r.Gone:
		return effects, "", e.ErrGone()
	case r.Single:
		return effects, "", errSingle(e)
	case r.Options != nil:
		more := ""
		if r.More > 0 {
			more = fmt.Sprintf(" and %d more", r.More)
		}
		return effects, "", fault.Quote(fault.CodeOption,
			fmt.Sprintf("%s has no option %q; it has: %s%s.",
				e.Subject(), r.Missing, strings.Join(r.Options, ", "), more),
			"Choose one of them.")
	case !r.OK:
		return effects, "", fault.Quote(fault.CodeDisabled, fmt.Sprintf("The option %q is disabled.", r.Disabled),
			"Choose another.")
	}

	var now struct {
		OK, Gone bool
		Value    string
	}
	if !in.again(ctx, effects, &e, &now, &now.Gone, "function(id,i,o){return act.chosen(id,i,o)}", r.Indexes, only) {
		return effects, r.Value, nil
	}
	if !now.OK {
		return effects, "", errNotTaken(e, strings.Join(values, ", "), now.Value)
	}
	return effects, r.Value, nil
}

// chooseOffered picks an option of a custom list. When the list does not show the option, chooseOffered types it into
// the list's field, which many lists need to search for it.
func (in *Input) chooseOffered(
	ctx context.Context, e dom.Element, k kind, value string,
) (page.Effects, string, error) {
	effects, now, err := in.pickOffered(ctx, e, value)
	var missing *fault.Error
	if !errors.As(err, &missing) || missing.Code != fault.CodeOption || effects.Interrupted() {
		return effects, now, err
	}

	if k.Kind == "combobox" {
		if k.Field == 0 {
			return effects, "", missing
		}
		e.ID, e.Role = k.Field, ""
	}
	if k, err = in.prepare(ctx, &e); err != nil || k.Kind != "text" {
		return effects, "", missing
	}
	if effects, _, err = in.enterText(ctx, e, k, value, in.tab.Mark()); err != nil || effects.Interrupted() {
		return effects, "", err
	}
	option, shown, err := in.awaitOffer(ctx, e, value, offers{})
	switch {
	case err != nil:
		return effects, "", err
	case slices.Contains(slices.Concat(shown.Own, shown.Other), option): // another text may repeat what was typed
		return in.pick(ctx, e, option, value)
	}
	was := k.Now
	k.Now, k.Ready = value, nil
	if effects, _, err = in.enterText(ctx, e, k, was, in.tab.Mark()); err != nil {
		return effects, "", err
	}
	return effects, "", missing
}
