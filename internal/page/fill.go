package page

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"cove/internal/cdp"
	"cove/internal/fault"
)

// kind is how an element takes a value.
type kind struct {
	Kind      string
	Type      string
	Disabled  bool
	Readonly  bool
	Multiline bool
	Checked   bool
	Inner     int
	Field     int
	Now       string
	// Ready tells what came of putting the cursor into a field of text; nil when that was not tried.
	Ready *ready
}

type ready struct{ Focused, Gone bool }

// Fill gives an element a value, as a person would, and sees that it took it. The text tells what it holds now.
func (t *Tab) Fill(ctx context.Context, uid, value string) (Effects, string, error) {
	if err := t.refuseDialog(); err != nil {
		return Effects{}, "", err
	}
	ctx, cancel := t.attend(ctx)
	defer cancel()
	e, err := t.locate(uid)
	if err != nil {
		return Effects{}, "", err
	}
	before := t.mark()
	t.focus()
	const watchAndAsk = "function(id){act.watch();return act.prepare(id)}"
	var k kind
	if err := t.run(ctx, e.place, &k, watchAndAsk, e.id); err != nil {
		return Effects{}, "", err
	}
	if k.Kind == "gone" {
		if e, err = t.findAgain(ctx, e); err != nil {
			return Effects{}, "", err
		}
		k = kind{}
		if err := t.run(ctx, e.place, &k, watchAndAsk, e.id); err != nil {
			return Effects{}, "", err
		}
	}
	if k.Inner != 0 {
		e.id = k.Inner
	}
	switch {
	case k.Kind == "gone":
		return Effects{}, "", aimed{Gone: true}.err(e)
	case k.Disabled:
		return Effects{}, "", aimed{Disabled: true}.err(e)
	case k.Readonly && (k.Kind == "text" || k.Kind == "set" || k.Kind == "editable"):
		return Effects{}, "", fault.New(fault.Conflict, "E_READONLY", capital(e.String())+" is read-only.", "Its value is set by another part of the page.")
	}
	switch k.Kind {
	case "select":
		return t.choose(ctx, e, value)
	case "check":
		return t.check(ctx, e, uid, k, value)
	case "set":
		return t.set(ctx, e, k, value)
	case "text", "editable":
		return t.enterText(ctx, e, k, value, before)
	case "combobox":
		return t.combobox(ctx, e, uid, k, value)
	case "file":
		return Effects{}, "", refused("%s takes files.", capital(e.String())).WithHint("Use upload_file.")
	case "option":
		return Effects{}, "", aimed{Option: true}.err(e)
	}
	return Effects{}, "", refused("%s does not take a value.", capital(e.String())).WithHint("Use click, or fill the field inside it.")
}

// refused is a value that an element cannot have.
func refused(format string, args ...any) *fault.Error {
	return fault.New(fault.Invalid, "E_VALUE", fmt.Sprintf(format, args...), "")
}

// after runs a step that sets a value by script, and waits for what follows.
func (t *Tab) after(ctx context.Context, e element, step func() error) (Effects, error) {
	before := t.mark()
	t.focus()
	done := make(chan error, 1)
	go func() { done <- step() }()
	for {
		next := t.changed.wait()
		if t.interrupted() {
			return t.settle(ctx, before, e.place)
		}
		select {
		case err := <-done:
			if err != nil && !t.interrupted() {
				return Effects{}, err
			}
			return t.settle(ctx, before, e.place)
		case <-next:
		}
	}
}

func (t *Tab) choose(ctx context.Context, e element, value string) (Effects, string, error) {
	var r struct {
		OK       bool
		Gone     bool
		Disabled bool
		Value    string
		Options  []string
		More     int
	}
	effects, err := t.after(ctx, e, func() error {
		return t.run(ctx, e.place, &r, "function(id,v){return act.choose(id,v)}", e.id, value)
	})
	switch {
	case err != nil || effects.Dialog != nil:
		return effects, "", err
	case r.Gone:
		return effects, "", aimed{Gone: true}.err(e)
	case r.Disabled:
		return effects, "", fault.New(fault.Conflict, "E_DISABLED", fmt.Sprintf("The option %q is disabled.", value), "Choose another.")
	case r.Options != nil:
		more := ""
		if r.More > 0 {
			more = fmt.Sprintf(" and %d more", r.More)
		}
		return effects, "", fault.New(fault.NotFound, "E_OPTION", fmt.Sprintf("%s has no option %q; it has: %s%s.", capital(e.String()), value, strings.Join(r.Options, ", "), more), "Choose one of them.")
	case !r.OK:
		return effects, "", notTaken(e, value, r.Value)
	}
	return effects, r.Value, nil
}

func (t *Tab) check(ctx context.Context, e element, uid string, k kind, value string) (Effects, string, error) {
	if value != "true" && value != "false" {
		return Effects{}, "", refused("%s is switched with the value \"true\" or \"false\", not with %q.", capital(e.String()), value)
	}
	want := value == "true"
	if k.Checked == want {
		return Effects{}, value, nil
	}
	if k.Type == "radio" && !want {
		return Effects{}, "", fault.Invalidf("A radio button cannot be switched off.").WithHint("Switch another one of its group on.")
	}
	effects, _, err := t.Click(ctx, uid, false)
	if err != nil || effects.Dialog != nil || effects.Navigated != "" {
		return effects, value, err
	}
	var r struct{ Checked, Gone bool }
	if err := t.run(ctx, e.place, &r, "function(id){return act.read(id)}", e.id); err != nil {
		return effects, "", err
	}
	if r.Checked != want && !r.Gone {
		return effects, "", notTaken(e, value, fmt.Sprint(r.Checked))
	}
	return effects, value, nil
}

func (t *Tab) set(ctx context.Context, e element, k kind, value string) (Effects, string, error) {
	var r struct {
		Value string
		Gone  bool
		Step  float64
	}
	effects, err := t.after(ctx, e, func() error {
		return t.run(ctx, e.place, &r, "function(id,v){return act.set(id,v)}", e.id, value)
	})
	if err != nil || effects.Dialog != nil {
		return effects, "", err
	}
	if r.Value != value && !strings.EqualFold(r.Value, value) && (k.Type != "range" || !near(r.Value, value, r.Step)) {
		return effects, "", fault.New(fault.Invalid, "E_VALUE", fmt.Sprintf("%s did not take %q; it holds %q.", capital(e.String()), value, r.Value), "Write it as "+formats[k.Type]+".")
	}
	return effects, r.Value, nil
}

// near: a slider goes in steps, so it may hold the next one.
func near(now, wanted string, step float64) bool {
	a, err1 := strconv.ParseFloat(now, 64)
	b, err2 := strconv.ParseFloat(strings.TrimSpace(wanted), 64)
	return err1 == nil && err2 == nil && math.Abs(a-b) < step
}

var formats = map[string]string{"date": "2026-01-31", "time": "14:30", "datetime-local": "2026-01-31T14:30", "month": "2026-01", "week": "2026-W05", "color": "#336699", "range": "a number"}

// enterText types into a field over what is there.
func (t *Tab) enterText(ctx context.Context, e element, k kind, value string, before mark) (Effects, string, error) {
	if !k.Multiline && k.Kind == "text" {
		value = strings.NewReplacer("\r\n", " ", "\n", " ").Replace(value)
	}
	if k.Ready == nil {
		k.Ready = &ready{}
		if err := t.run(ctx, e.place, k.Ready, "function(id){return act.ready(id)}", e.id); err != nil {
			return Effects{}, "", err
		}
	}
	if k.Ready.Gone {
		return Effects{}, "", aimed{Gone: true}.err(e)
	}
	if !k.Ready.Focused {
		return Effects{}, "", fault.New(fault.Conflict, "E_HIDDEN", capital(e.String())+" does not take the focus: it is not visible.", "Do what shows it first.")
	}
	var sent []*cdp.Pending
	if value == "" {
		if k.Now != "" || k.Kind == "editable" || k.Type == "password" {
			sent = t.send(named["Delete"].strokes())
		}
	} else {
		sent = t.write(value)
	}
	t.await(ctx, sent)
	effects, err := t.settle(ctx, before, e.place)
	if err != nil || effects.Dialog != nil || effects.Navigated != "" {
		return effects, value, err
	}
	now, err := t.readBack(ctx, e, value)
	return effects, now, err
}

// readBack sees that a field holds what it was given. A mask may have written it another way; nothing of a password is told.
func (t *Tab) readBack(ctx context.Context, e element, value string) (string, error) {
	var r struct {
		Value  string
		Gone   bool
		Secret bool
		Length int
	}
	err := t.run(ctx, e.place, &r, "function(id){return act.read(id)}", e.id)
	var gone *cdp.Error
	switch {
	case errors.As(err, &gone) || r.Gone: // the page has drawn the field anew
		return "", nil
	case err != nil:
		return "", err
	case r.Secret:
		if want := len(utf16.Encode([]rune(value))); r.Length != want {
			return "", fault.New(fault.Conflict, "E_NOT_TAKEN", fmt.Sprintf("%s took %d of %d characters.", capital(e.String()), r.Length, want), "It may take fewer, or no such ones.")
		}
		return "", nil
	}
	clean := func(s string) string {
		return strings.Map(func(c rune) rune {
			if unicode.IsLetter(c) || unicode.IsDigit(c) {
				return unicode.ToLower(c)
			}
			return -1
		}, s)
	}
	if r.Value != value && clean(r.Value) != clean(value) && !strings.Contains(clean(r.Value), clean(value)) {
		return "", notTaken(e, value, r.Value)
	}
	if clean(value) != "" && clean(r.Value) == "" {
		return "", notTaken(e, value, r.Value)
	}
	return r.Value, nil
}

func notTaken(e element, wanted, now string) error {
	return fault.New(fault.Conflict, "E_NOT_TAKEN", fmt.Sprintf("%s did not take %q: it holds %q now.", capital(e.String()), short(wanted, 200), short(now, 200)), "Look at the page: it may want another format, or change what is typed.")
}

// combobox opens a list that the page has made itself and picks from it.
func (t *Tab) combobox(ctx context.Context, e element, uid string, k kind, value string) (Effects, string, error) {
	if k.Field != 0 {
		e.id = k.Field
		return t.enterText(ctx, e, kind{Kind: "text"}, value, t.mark())
	}
	effects, _, err := t.Click(ctx, uid, false)
	if err != nil || effects.Dialog != nil || effects.Navigated != "" {
		return effects, "", err
	}
	for _, role := range []string{"option", "menuitemradio", "menuitem", "treeitem", "gridcell"} {
		var ids []int
		if err := t.run(ctx, e.place, &ids, "function(role,name){return cove.find(role,name)}", role, value); err != nil {
			return effects, "", err
		}
		if len(ids) > 0 {
			picked, _, err := t.Click(ctx, fmt.Sprintf("%s%d", e.document.label, ids[0]), false)
			return picked, value, err
		}
	}
	return effects, "", fault.New(fault.NotFound, "E_OPTION", fmt.Sprintf("%s shows no option %q.", capital(e.String()), value), "It is open now: take a snapshot to see what it offers.")
}
