package input

import (
	"context"
	"strings"
	"unicode/utf16"

	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/page/dom"
)

// Secret is what FillSecret writes.
type Secret struct {
	// Allowed gets the origin of the field's document. The secret is written only if it returns nil.
	Allowed func(origin string) error
	// Value returns the secret when everything else is ready. It may wait, and a code is then as new as it can be.
	Value func(ctx context.Context) (string, error)
}

// FillSecret writes a secret into a field: over what the element with this uid holds, or where the cursor is in the
// focused element when uid is "". The secret cannot reach another document: the script that writes it belongs to this
// one and ends with it. Nothing that reads the field later shows the value. A row of fields for one character each
// takes one character each.
func (in *Input) FillSecret(ctx context.Context, uid string, s Secret) (page.Effects, error) {
	ctx, cancel, err := in.target.Begin(ctx)
	if err != nil {
		return page.Effects{}, err
	}
	defer cancel()
	e, err := in.secretField(ctx, uid)
	if err != nil {
		return page.Effects{}, err
	}
	var r written
	if err := in.frames.Run(ctx, e.World, &r, "function(id){return act.secretField(id)}", e.ID); err != nil {
		return page.Effects{}, dom.DocumentGone(e.UID(), err)
	}
	origin := r.Origin
	if err := s.Allowed(origin); err != nil {
		return page.Effects{}, err
	}
	if err := r.refusal(e); err != nil {
		return page.Effects{}, err
	}
	in.touched(ctx, e, nil)
	value, err := s.Value(ctx)
	if err != nil {
		return page.Effects{}, err
	}

	effects, err := in.set(ctx, e, func() (err error) {
		r, err = in.writeSecret(ctx, e, value, origin, uid == "")
		return err
	})
	if r.boxes && effects.Dialog == nil && effects.Navigated == "" { // the page may have drawn them anew since
		_ = in.frames.Run(ctx, e.World, nil, "function(){act.concealBoxes();return 0}")
	}
	if err == nil {
		err = r.refusal(e)
	} else {
		err = dom.DocumentGone(e.UID(), err)
	}
	if err != nil {
		return effects, err
	}
	if want := len(utf16.Encode([]rune(value))); r.Length != want && effects.Dialog == nil && effects.Navigated == "" {
		return effects, fault.Quote(fault.CodeNotTaken, e.Subject()+" did not take the secret as it is.",
			"It may take fewer characters, or no such ones.")
	}
	return effects, nil
}

// written is what has become of a secret, as the page's document says.
type written struct {
	Origin                                     string
	Gone, Elsewhere, Unfit, Disabled, Readonly bool
	Length                                     int
	boxes                                      bool // it was written into a row of fields
}

func (w written) refusal(e dom.Element) error {
	switch {
	case w.Gone || w.Elsewhere:
		return e.ErrGone()
	case w.Unfit:
		return errValue("%s is not a field that a secret can be typed into.", e.Subject()).
			WithHint("A secret goes into an input for text or a password.")
	case w.Disabled:
		return errDisabled(e)
	case w.Readonly:
		return errReadonly(e)
	}
	return nil
}

// writeSecret writes a secret into a field, or into the row of fields that begins there: character by character, each
// only while the document is of this origin. With typed it leaves what the field holds.
func (in *Input) writeSecret(
	ctx context.Context, e dom.Element, value, origin string, typed bool,
) (w written, err error) {
	letters := utf16.Encode([]rune(value))
	boxes := 0
	err = in.frames.Run(ctx, e.World, &boxes, "function(id,n,c){return act.secretBoxes(id,n,c)}", e.ID, len(letters),
		isCode(value))
	if err != nil {
		return w, err
	}
	if boxes == 0 {
		const function = "function(id,v,o,t){return act.fillSecret(id,v,o,t)}"
		err = in.frames.Run(ctx, e.World, &w, function, e.ID, value, origin, typed)
		return w, err
	}
	for i := range letters {
		letter := string(utf16.Decode(letters[i : i+1]))
		w = written{boxes: true}
		err = in.frames.Run(ctx, e.World, &w, "function(i,v,o){return act.fillBox(i,v,o)}", i, letter, origin)
		if err != nil || w.refusal(e) != nil {
			return w, err
		}
	}
	return w, nil
}

// isCode reports whether a secret is a code of digits, as sites send and ask for it.
func isCode(value string) bool {
	return len(value) >= 4 && len(value) <= 8 && strings.Trim(value, "0123456789") == ""
}

// FillCode writes a code that a person has given into a field, as FillSecret writes a secret.
func (in *Input) FillCode(ctx context.Context, uid, code string) (page.Effects, error) {
	return in.FillSecret(ctx, uid, Secret{
		Allowed: func(string) error { return nil },
		Value:   func(context.Context) (string, error) { return code, nil },
	})
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
