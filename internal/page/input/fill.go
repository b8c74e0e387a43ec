package input

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/page/dom"
	"cove/internal/wording"
)

// kind says how an element takes a value. See act.kind in dom/src/act/value.ts.
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
	// Editable reports that text can be typed into a control with steps. Code reports that the element belongs to a
	// code editor, which draws its text elsewhere.
	Editable, Code bool
	// List reports that a list to choose from comes with a field of text.
	List bool
	// Ready is the result of the attempt to put the cursor into a field of text; nil when nobody has tried.
	Ready *ready
}

type ready struct{ Focused, Gone, Shown bool }

// Fill gives an element a value, as a person would, and checks that the element has it. It returns the value that the
// element has now, as far as agents may see it.
func (in *Input) Fill(ctx context.Context, uid, value string) (page.Effects, string, error) {
	ctx, cancel, err := in.target.Begin(ctx)
	if err != nil {
		return page.Effects{}, "", err
	}
	defer cancel()
	e, err := in.frames.Locate(uid)
	if err != nil {
		return page.Effects{}, "", err
	}
	before := in.tab.Mark()
	in.emulateFocus()
	k, err := in.prepare(ctx, &e)
	if err != nil {
		return page.Effects{}, "", err
	}
	in.touched(ctx, e, nil)

	switch k.Kind {
	case "select":
		return visible(in.choose(ctx, e, []string{value}, false))
	case "check":
		return visible(in.check(ctx, e, uid, k, value))
	case "set":
		return visible(in.setControl(ctx, e, k, value))
	case "text", "editable":
		return in.enterText(ctx, e, k, value, before)
	case "combobox":
		return in.combobox(ctx, e, k, value)
	case "steps":
		return visible(in.setSteps(ctx, e, k, value))
	case "branch":
		return visible(in.expand(ctx, e, k, value))
	case "file":
		return page.Effects{}, "", errValue("%s takes files.", e.Subject()).WithHint("Use upload_file.")
	case "option":
		return page.Effects{}, "", errOption()
	}
	return page.Effects{}, "", errValue("%s does not take a value.", e.Subject()).
		WithHint("Use click, or fill the field inside it.")
}

// prepare finds out how an element takes a value, and puts the cursor into a field of text. When the element only
// surrounds a field, prepare sets e to the field.
func (in *Input) prepare(ctx context.Context, e *dom.Element) (k kind, err error) {
	const function = "function(id){act.watch();return act.prepare(id)}"
	if err := in.frames.Run(ctx, e.World, &k, function, e.ID); err != nil {
		return k, err
	}
	if k.Kind == "gone" {
		if *e, err = in.frames.FindAgain(ctx, *e); err != nil {
			return k, err
		}
		k = kind{}
		if err := in.frames.Run(ctx, e.World, &k, function, e.ID); err != nil {
			return k, err
		}
	}

	if k.Inner != 0 {
		e.ID = k.Inner
		if role, name, ok := e.Document.Describe(e.UID()); ok {
			e.Role, e.Name = role, name
		}
	}
	switch {
	case k.Kind == "gone":
		return k, e.ErrGone()
	case k.Disabled:
		return k, errDisabled(*e)
	case k.Readonly && (k.Kind == "text" || k.Kind == "set" || k.Kind == "editable"):
		return k, errReadonly(*e)
	}
	return k, nil
}

// visible marks the value as one that agents may see: it was chosen, not typed.
func visible(e page.Effects, now string, err error) (page.Effects, string, error) {
	e.Open = true
	return e, now, err
}

// errValue returns the error for a value that an element cannot have.
func errValue(format string, args ...any) *fault.Error {
	return fault.Quote(fault.CodeValue, fmt.Sprintf(format, args...), "")
}

// again asks the page about an element after an action has settled. The page may have undone the action, or have
// replaced the element. again reports false when the page cannot be asked, or the element is gone.
func (in *Input) again(
	ctx context.Context, done page.Effects, e *dom.Element, out any, gone *bool, function string, args ...any,
) bool {
	if done.Interrupted() {
		return false
	}
	read := func() bool { return in.frames.Run(ctx, e.World, out, function, append([]any{e.ID}, args...)...) == nil }
	if !read() {
		return false
	}
	if !*gone {
		return true
	}

	found, err := in.frames.FindAgain(ctx, *e)
	if err != nil {
		return false
	}
	*e, *gone = found, false
	return read() && !*gone
}

// value returns the value of an element after an action has settled. It reports false when the page cannot be asked, or
// the element is gone.
func (in *Input) value(ctx context.Context, done page.Effects, e *dom.Element) (r page.Reading, ok bool) {
	if done.Activity.Reading != nil && !done.Activity.Reading.Gone {
		return *done.Activity.Reading, !done.Interrupted()
	}
	ok = in.again(ctx, done, e, &r, &r.Gone, "function(id){return act.read(id)}")
	return r, ok
}

// check switches a checkbox, a radio button or a switch.
func (in *Input) check(
	ctx context.Context,
	e dom.Element,
	uid string,
	k kind,
	value string,
) (page.Effects, string, error) {
	if value != "true" && value != "false" {
		return page.Effects{}, "", errValue("%s is switched with the value \"true\" or \"false\", not with %q.",
			e.Subject(), value)
	}
	want := value == "true"
	if k.Checked == want {
		return page.Effects{}, value, nil
	}
	if k.Type == "radio" && !want {
		return page.Effects{}, "", fault.Invalidf("A radio button cannot be switched off.").
			WithHint("Switch another one of its group on.")
	}

	effects, _, err := in.Click(ctx, uid, false)
	if err != nil || effects.Dialog != nil || effects.Navigated != "" {
		return effects, value, err
	}
	if r, ok := in.value(ctx, effects, &e); ok && r.Checked != want {
		return effects, "", errNotTaken(e, value, fmt.Sprint(r.Checked))
	}
	return effects, value, nil
}

// setControl gives a date, a time, a colour or a slider its value.
func (in *Input) setControl(ctx context.Context, e dom.Element, k kind, value string) (page.Effects, string, error) {
	var r struct {
		Value string
		Gone  bool
		Fits  bool
		Step  float64
	}
	effects, err := in.set(ctx, e, func() error {
		return in.frames.Run(ctx, e.World, &r, "function(id,v){return act.set(id,v)}", e.ID, value)
	})
	if err != nil || effects.Dialog != nil {
		return effects, "", err
	}
	if r.Gone {
		return effects, "", e.ErrGone()
	}
	if !r.Fits || k.Type == "range" && !near(r.Value, value, r.Step) {
		return effects, "", errValue("%s did not take %q; it holds %q.", e.Subject(), value, r.Value).
			WithHint("Write it as " + formatOf(k.Type) + ".")
	}
	if now, ok := in.value(ctx, effects, &e); ok && now.Value != r.Value {
		return effects, "", errNotTaken(e, value, now.Value)
	}
	return effects, r.Value, nil
}

// near reports whether a slider is less than a step from the wanted value.
func near(now, wanted string, step float64) bool {
	a, err1 := strconv.ParseFloat(now, 64)
	b, err2 := strconv.ParseFloat(strings.TrimSpace(wanted), 64)
	return err1 == nil && err2 == nil && math.Abs(a-b) < step
}

// formatOf returns an example of how the value of an input is written.
func formatOf(inputType string) string {
	switch inputType {
	case "date":
		return "2026-01-31"
	case "time":
		return "14:30"
	case "datetime-local":
		return "2026-01-31T14:30"
	case "month":
		return "2026-01"
	case "week":
		return "2026-W05"
	case "color":
		return "#336699"
	case "range":
		return "a number from its valuemin to its valuemax"
	}
	return ""
}

func errNotTaken(e dom.Element, wanted, now string) error {
	return fault.Quote(fault.CodeNotTaken,
		fmt.Sprintf("%s did not take %q: it holds %q now.", e.Subject(), wording.Shorten(wanted, 200),
			wording.Shorten(now, 200)),
		"Look at the page: it may want another format, or change what is typed.")
}
