package input

import (
	"context"
	"unicode/utf16"

	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/page/dom"
)

// FillSecret writes a secret into a field: the element with this uid, or the focused element when uid is "". It calls
// allowed with the origin of the field's document, and writes only if allowed returns nil. The secret cannot reach
// another document: the script that writes it belongs to this one and ends with it. Nothing that reads the field later
// shows the value.
func (in *Input) FillSecret(
	ctx context.Context, uid, value string, allowed func(origin string) error,
) (page.Effects, error) {
	ctx, cancel, err := in.target.Begin(ctx)
	if err != nil {
		return page.Effects{}, err
	}
	defer cancel()
	e, err := in.secretField(ctx, uid)
	if err != nil {
		return page.Effects{}, err
	}
	var origin string
	if err := in.frames.Run(ctx, e.World, &origin, "function(){return act.origin()}"); err != nil {
		return page.Effects{}, dom.DocumentGone(e.UID(), err)
	}
	if err := allowed(origin); err != nil {
		return page.Effects{}, err
	}
	in.touched(ctx, e, nil)

	var r struct {
		Gone, Elsewhere, Unfit, Disabled, Readonly bool
		Length                                     int
	}
	effects, err := in.set(ctx, e, func() error {
		return in.frames.Run(ctx, e.World, &r, "function(id,v,o){return act.fillSecret(id,v,o)}", e.ID, value, origin)
	})
	switch {
	case err != nil:
		return effects, dom.DocumentGone(e.UID(), err)
	case r.Gone || r.Elsewhere:
		return effects, e.ErrGone()
	case r.Unfit:
		return effects, errValue("%s is not a field that a secret can be typed into.", e.Subject()).
			WithHint("A secret goes into an input for text or a password.")
	case r.Disabled:
		return effects, errDisabled(e)
	case r.Readonly:
		return effects, errReadonly(e)
	}
	if want := len(utf16.Encode([]rune(value))); r.Length != want && effects.Dialog == nil && effects.Navigated == "" {
		return effects, fault.Quote(fault.CodeNotTaken, e.Subject()+" did not take the secret as it is.",
			"It may take fewer characters, or no such ones.")
	}
	return effects, nil
}

// FillCode writes a code that a person has given into a field, as FillSecret writes a secret. A row of fields for one
// character each takes one character each.
func (in *Input) FillCode(ctx context.Context, uid, code string) (page.Effects, error) {
	return in.FillSecret(ctx, uid, code, func(string) error { return nil })
}

// secretField returns the field that a secret goes into.
func (in *Input) secretField(ctx context.Context, uid string) (e dom.Element, err error) {
	if uid == "" {
		e, err = in.frames.Focused(ctx)
	} else {
		e, err = in.frames.Find(ctx, uid)
	}
	if err != nil {
		return e, err
	}
	if e.ID == 0 {
		return e, fault.New(fault.CodeNoFocus, "No field has the focus, so the secret was not typed.",
			"Use fill with the field's uid.")
	}

	var k kind
	if err := in.frames.Run(ctx, e.World, &k, "function(id){act.watch();return act.kind(id)}", e.ID); err != nil {
		return e, dom.DocumentGone(e.UID(), err)
	}
	if k.Inner != 0 {
		e.ID = k.Inner
	}
	return e, nil
}
