package input

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/page/dom"
	"cove/internal/page/input/keyboard"
)

// enterText replaces the text of a field by typing, and checks that the field has the new text.
func (in *Input) enterText(
	ctx context.Context, e dom.Element, k kind, value string, before page.Mark,
) (page.Effects, string, error) {
	if !k.Multiline && k.Kind == "text" {
		value = strings.NewReplacer("\r\n", " ", "\n", " ").Replace(value)
	}
	if err := in.focusText(ctx, &e, &k); err != nil {
		return page.Effects{}, "", err
	}

	in.target.AwaitInput(ctx, in.replace(k, value, k.Code))
	effects, err := in.tab.Settle(ctx, before, e)
	if err != nil || effects.Dialog != nil || effects.Navigated != "" {
		return effects, value, err
	}
	now, open, err := in.readBack(ctx, e, k, value, effects)
	if read := effects.Activity.Reading; err != nil && added(k, value, read) {
		// The page has moved the cursor before the first key. It does not disturb a selection that is made with keys.
		first := read.Value
		in.target.AwaitInput(ctx, append(in.selectAll(), in.replace(k, value, true)...))
		effects, err = in.tab.Settle(ctx, before, e)
		if err != nil || effects.Dialog != nil || effects.Navigated != "" {
			return effects, value, err
		}
		now, open, err = in.readBack(ctx, e, k, value, effects)
		if read := effects.Activity.Reading; err != nil && read != nil && read.Value == first && first != k.Now {
			now, err = first, nil // the page itself adds the rest, such as the country code of a number
		}
	}
	effects.Open = open
	return effects, now, err
}

// focusText puts the cursor into a field, unless the cursor is there already. When the page replaces the field because
// of the focus, focusText finds the new one and sets e to it.
func (in *Input) focusText(ctx context.Context, e *dom.Element, k *kind) error {
	focus := func() error {
		k.Ready = &ready{}
		return in.frames.Run(ctx, e.World, k.Ready, "function(id){return act.ready(id)}", e.ID)
	}
	if k.Ready == nil {
		if err := focus(); err != nil {
			return err
		}
	}
	if k.Ready.Gone && e.Role != "" {
		found, err := in.frames.FindAgain(ctx, *e)
		if err != nil {
			return err
		}
		*e = found
		if err := focus(); err != nil {
			return err
		}
	}

	switch {
	case k.Ready.Gone:
		return e.ErrGone()
	case k.Ready.Focused:
		return nil
	case k.Ready.Shown:
		return fault.Quote(fault.CodeFocus,
			e.Subject()+" does not keep the focus: the page moves it elsewhere.", "Click it and look at the page.")
	}
	return fault.Quote(fault.CodeHidden, e.Subject()+" does not take the focus: it is not visible.",
		"Do what shows it first.")
}

// replace writes a text over everything that a field holds. In editors it selects the old text with keys, because
// editors notice no other selection. With whole it inserts the text in one piece: code editors add brackets and blanks
// to text that is typed.
func (in *Input) replace(k kind, value string, whole bool) (sent []*cdp.Pending) {
	if k.Kind == "editable" || k.Code {
		sent = in.selectAll()
	}
	switch {
	case value == "" && k.Now == "" && k.Kind != "editable" && !k.Code:
		return sent
	case value == "":
		return append(sent, in.send(keyboard.Named("Delete").Strokes())...)
	case whole:
		return append(sent, in.start("Input.insertText", object{"text": value}))
	}
	return append(sent, in.write(value)...)
}

// added reports whether a field of plain text holds the value with something else beside it. It is false for editors:
// there the old text was selected with keys the first time.
func added(k kind, value string, now *page.Reading) bool {
	return k.Kind == "text" && !k.Code && now != nil && !now.Gone && !now.Secret &&
		value != "" && strings.Contains(squash(now.Value), squash(value))
}

// squash removes white space, which editors draw in their own way.
func squash(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) || c == '\u200b' || c == '\ufeff' {
			return -1
		}
		return c
	}, s)
}

// readBack checks that a field holds the value, which an input mask may have written in another way. It returns what
// the field holds, and open when agents may see it. Of a password it checks only the length, and returns nothing.
func (in *Input) readBack(
	ctx context.Context, e dom.Element, k kind, value string, done page.Effects,
) (now string, open bool, err error) {
	r, ok := in.value(ctx, done, &e)
	if !ok {
		return "", false, nil // the field is gone, or the page cannot be asked
	}
	if r.Secret {
		if want := len(utf16.Encode([]rune(value))); r.Length != want {
			return "", false, fault.Quote(fault.CodeNotTaken,
				fmt.Sprintf("%s took %d of %d characters.", e.Subject(), r.Length, want),
				"It may take fewer, or no such ones.")
		}
		return "", false, nil
	}
	if !accepted(k, value, r.Value) {
		return "", true, errNotTaken(e, value, r.Value)
	}
	return r.Value, true, nil
}

// accepted reports whether a field that holds now has accepted the value, maybe written in another way.
func accepted(k kind, value, now string) bool {
	if now == value {
		return true
	}
	if k.Code { // a code editor draws only a part of a long text
		is, wanted := squash(now), squash(value)
		return is == wanted || is != "" && is != squash(k.Now) && len(is) < len(wanted) && strings.Contains(wanted, is)
	}
	if k.Type == "number" {
		a, err1 := strconv.ParseFloat(now, 64)
		b, err2 := strconv.ParseFloat(strings.TrimSpace(value), 64)
		return err1 == nil && err2 == nil && a == b
	}
	clean := func(s string) string {
		return strings.Map(func(c rune) rune {
			if unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.Is(unicode.So, c) {
				return unicode.ToLower(c)
			}
			return -1
		}, s)
	}
	is, was, wanted := clean(now), clean(k.Now), clean(value)
	beside := was != "" && wanted != "" && (is == was+wanted || is == wanted+was)
	if beside || k.Kind == "editable" && is != wanted {
		return false // the value stands beside the old text
	}
	if wanted == "" {
		return value == "" && is == "" || strings.Contains(now, strings.TrimSpace(value)) && value != ""
	}
	return is == wanted || is != was && strings.Contains(is, wanted)
}
