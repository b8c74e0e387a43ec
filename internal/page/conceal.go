package page

import (
	"context"
	"fmt"
	"unicode/utf16"

	"cove/internal/fault"
)

// Conceal writes a secret into a field: the element with this uid, or the one that has the focus when there is none. allowed is
// asked with the origin of the document that the field is in, and what it allowed is what is written into: the script that writes
// belongs to that document and ends with it. Nothing of the value is told by anything that reads the field later.
func (t *Tab) Conceal(ctx context.Context, uid, value string, allowed func(origin string) error) (Effects, error) {
	if err := t.refuseDialog(); err != nil {
		return Effects{}, err
	}
	ctx, cancel := t.attend(ctx)
	defer cancel()
	var e element
	var err error
	if uid == "" {
		e, err = t.focused(ctx)
	} else {
		e, err = t.find(ctx, uid)
	}
	if err != nil {
		return Effects{}, err
	}
	if e.id == 0 {
		return Effects{}, fault.New(fault.CodeNoFocus, "No field has the focus, so the secret was not typed.", "Use fill with the field's uid.")
	}
	var k kind
	if err := t.run(ctx, e.place, &k, "function(id){act.watch();return act.kind(id)}", e.id); err != nil {
		return Effects{}, left(e.uid(), err)
	}
	if k.Inner != 0 {
		e.id = k.Inner
	}
	var origin string
	if err := t.run(ctx, e.place, &origin, "function(){return act.origin()}"); err != nil {
		return Effects{}, left(e.uid(), err)
	}
	if err := allowed(origin); err != nil {
		return Effects{}, err
	}
	var r struct {
		Gone, Left, Unfit, Disabled, Readonly bool
		Length                                int
	}
	effects, err := t.after(ctx, e, func() error {
		return t.run(ctx, e.place, &r, "function(id,v,o){return act.conceal(id,v,o)}", e.id, value, origin)
	})
	switch {
	case err != nil:
		return effects, left(e.uid(), err)
	case r.Gone || r.Left:
		return effects, aimed{Gone: true}.err(e)
	case r.Unfit:
		return effects, refused("%s is not a field that a secret can be typed into.", capital(e.String())).WithHint("A secret goes into an input for text or a password.")
	case r.Disabled:
		return effects, aimed{Disabled: true}.err(e)
	case r.Readonly:
		return effects, fault.Quote(fault.CodeReadonly, capital(e.String())+" is read-only.", "Its value is set by another part of the page.")
	}
	if want := len(utf16.Encode([]rune(value))); r.Length != want && effects.Dialog == nil && effects.Navigated == "" {
		return effects, fault.Quote(fault.CodeNotTaken, fmt.Sprintf("%s did not take the secret as it is.", capital(e.String())), "It may take fewer characters, or no such ones.")
	}
	return effects, nil
}
