package page

import (
	"context"
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
	// Editable tells that text can be typed where steps are taken; Code that an editor draws the text elsewhere.
	Editable, Code bool
	// Ready tells what came of putting the cursor into a field of text; nil when that was not tried.
	Ready *ready
}

type ready struct{ Focused, Gone, Shown bool }

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
		if role, name, ok := e.document.seen.Find(e.uid()); ok {
			e.role, e.name = role, name
		}
	}
	switch {
	case k.Kind == "gone":
		return Effects{}, "", aimed{Gone: true}.err(e)
	case k.Disabled:
		return Effects{}, "", aimed{Disabled: true}.err(e)
	case k.Readonly && (k.Kind == "text" || k.Kind == "set" || k.Kind == "editable"):
		return Effects{}, "", fault.Quote(fault.CodeReadonly, capital(e.String())+" is read-only.", "Its value is set by another part of the page.")
	}
	switch k.Kind {
	case "select":
		return open(t.choose(ctx, e, value))
	case "check":
		return open(t.check(ctx, e, uid, k, value))
	case "set":
		return open(t.set(ctx, e, k, value))
	case "text", "editable":
		return t.enterText(ctx, e, k, value, before)
	case "combobox":
		return t.combobox(ctx, e, uid, k, value)
	case "steps":
		return open(t.setSteps(ctx, e, k, value))
	case "branch":
		return open(t.expand(ctx, e, k, value))
	case "file":
		return Effects{}, "", refused("%s takes files.", capital(e.String())).WithHint("Use upload_file.")
	case "option":
		return Effects{}, "", aimed{Option: true}.err(e)
	}
	return Effects{}, "", refused("%s does not take a value.", capital(e.String())).WithHint("Use click, or fill the field inside it.")
}

// open marks a value that may be told: it was chosen, not typed.
func open(e Effects, now string, err error) (Effects, string, error) {
	e.Open = true
	return e, now, err
}

// refused is a value that an element cannot have.
func refused(format string, args ...any) *fault.Error {
	return fault.Quote(fault.CodeValue, fmt.Sprintf(format, args...), "")
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
			return t.settleWith(ctx, before, e)
		}
		select {
		case err := <-done:
			if err != nil && !t.interrupted() {
				return Effects{}, err
			}
			return t.settleWith(ctx, before, e)
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
		Index    int
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
		return effects, "", fault.Quote(fault.CodeDisabled, fmt.Sprintf("The option %q is disabled.", value), "Choose another.")
	case r.Options != nil:
		more := ""
		if r.More > 0 {
			more = fmt.Sprintf(" and %d more", r.More)
		}
		return effects, "", fault.Quote(fault.CodeOption, fmt.Sprintf("%s has no option %q; it has: %s%s.", capital(e.String()), value, strings.Join(r.Options, ", "), more), "Choose one of them.")
	}
	var now struct {
		OK, Gone bool
		Value    string
	}
	if !t.again(ctx, effects, &e, &now, &now.Gone, "function(id,i){return act.chosen(id,i)}", r.Index) {
		return effects, r.Value, nil
	}
	if !now.OK {
		return effects, "", notTaken(e, value, now.Value)
	}
	return effects, r.Value, nil
}

// again asks the page about an element after an action has settled, which a page may have undone or have drawn anew since. It is
// false when there is nothing to ask any more.
func (t *Tab) again(ctx context.Context, done Effects, e *element, out any, gone *bool, function string, args ...any) bool {
	if done.Dialog != nil || done.Navigated != "" || done.Closed {
		return false
	}
	ask := func() bool { return t.run(ctx, e.place, out, function, append([]any{e.id}, args...)...) == nil }
	if !ask() {
		return false
	}
	if !*gone {
		return true
	}
	found, err := t.findAgain(ctx, *e)
	if err != nil {
		return false
	}
	*e, *gone = found, false
	return ask() && !*gone
}

// holds is what an element holds after an action has settled; false when there is nothing to ask any more.
func (t *Tab) holds(ctx context.Context, done Effects, e *element) (r reading, ok bool) {
	if done.held != nil && !done.held.Gone {
		return *done.held, done.Dialog == nil && done.Navigated == "" && !done.Closed
	}
	ok = t.again(ctx, done, e, &r, &r.Gone, "function(id){return act.read(id)}")
	return r, ok
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
	if r, ok := t.holds(ctx, effects, &e); ok && r.Checked != want {
		return effects, "", notTaken(e, value, fmt.Sprint(r.Checked))
	}
	return effects, value, nil
}

func (t *Tab) set(ctx context.Context, e element, k kind, value string) (Effects, string, error) {
	var r struct {
		Value string
		Gone  bool
		Fits  bool
		Step  float64
	}
	effects, err := t.after(ctx, e, func() error {
		return t.run(ctx, e.place, &r, "function(id,v){return act.set(id,v)}", e.id, value)
	})
	if err != nil || effects.Dialog != nil {
		return effects, "", err
	}
	if r.Gone {
		return effects, "", aimed{Gone: true}.err(e)
	}
	if !r.Fits || k.Type == "range" && !near(r.Value, value, r.Step) {
		return effects, "", fault.Quote(fault.CodeValue, fmt.Sprintf("%s did not take %q; it holds %q.", capital(e.String()), value, r.Value), "Write it as "+formats[k.Type]+".")
	}
	if now, ok := t.holds(ctx, effects, &e); ok && now.Value != r.Value {
		return effects, "", notTaken(e, value, now.Value)
	}
	return effects, r.Value, nil
}

// near: a slider goes in steps, so it may hold the next one.
func near(now, wanted string, step float64) bool {
	a, err1 := strconv.ParseFloat(now, 64)
	b, err2 := strconv.ParseFloat(strings.TrimSpace(wanted), 64)
	return err1 == nil && err2 == nil && math.Abs(a-b) < step
}

var formats = map[string]string{"date": "2026-01-31", "time": "14:30", "datetime-local": "2026-01-31T14:30", "month": "2026-01", "week": "2026-W05", "color": "#336699", "range": "a number from its valuemin to its valuemax"}

// enterText types into a field over what is there.
func (t *Tab) enterText(ctx context.Context, e element, k kind, value string, before mark) (Effects, string, error) {
	if !k.Multiline && k.Kind == "text" {
		value = strings.NewReplacer("\r\n", " ", "\n", " ").Replace(value)
	}
	makeReady := func() error {
		k.Ready = &ready{}
		return t.run(ctx, e.place, k.Ready, "function(id){return act.ready(id)}", e.id)
	}
	if k.Ready == nil {
		if err := makeReady(); err != nil {
			return Effects{}, "", err
		}
	}
	if k.Ready.Gone && e.role != "" { // drawn anew when it got the focus
		found, err := t.findAgain(ctx, e)
		if err != nil {
			return Effects{}, "", err
		}
		e = found
		if err := makeReady(); err != nil {
			return Effects{}, "", err
		}
	}
	if k.Ready.Gone {
		return Effects{}, "", aimed{Gone: true}.err(e)
	}
	if !k.Ready.Focused && k.Ready.Shown {
		return Effects{}, "", fault.Quote(fault.CodeFocus, capital(e.String())+" does not keep the focus: the page moves it elsewhere.", "Click it and look at the page.")
	}
	if !k.Ready.Focused {
		return Effects{}, "", fault.Quote(fault.CodeHidden, capital(e.String())+" does not take the focus: it is not visible.", "Do what shows it first.")
	}
	t.await(ctx, t.replace(k, value, k.Code))
	effects, err := t.settleWith(ctx, before, e)
	if err != nil || effects.Dialog != nil || effects.Navigated != "" {
		return effects, value, err
	}
	now, open, err := t.readBack(ctx, e, k, value, effects)
	if err != nil && added(k, value, effects.held) {
		// The page has moved the cursor before the first key. What keys select it leaves alone.
		first := effects.held.Value
		t.await(ctx, append(t.selectAll(), t.replace(k, value, true)...))
		if effects, err = t.settleWith(ctx, before, e); err != nil || effects.Dialog != nil || effects.Navigated != "" {
			return effects, value, err
		}
		if now, open, err = t.readBack(ctx, e, k, value, effects); err != nil && effects.held != nil && effects.held.Value == first && first != k.Now {
			now, err = first, nil // the rest is the page's own, such as the country code of a number
		}
	}
	effects.Open = open
	return effects, now, err
}

// replace writes a text over all that a field holds. Editors know only of keys what is selected; code editors get it as a whole,
// because they add brackets and blanks to what is typed.
func (t *Tab) replace(k kind, value string, whole bool) (sent []*cdp.Pending) {
	if k.Kind == "editable" || k.Code {
		sent = t.selectAll()
	}
	switch {
	case value == "" && k.Now == "" && k.Kind != "editable" && !k.Code && k.Type != "password":
		return sent
	case value == "":
		return append(sent, t.send(named["Delete"].strokes())...)
	case whole:
		return append(sent, t.b.conn.Start(t.session, "Input.insertText", object{"text": value}))
	}
	return append(sent, t.write(value)...)
}

// added tells that a field of plain text holds what it was given, and something else beside it. In editors everything was selected with
// keys the first time.
func added(k kind, value string, now *reading) bool {
	return k.Kind == "text" && !k.Code && now != nil && !now.Gone && !now.Secret && value != "" && strings.Contains(squash(now.Value), squash(value))
}

// squash leaves white space out: editors draw it in their own way.
func squash(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) || c == '\u200b' || c == '\ufeff' {
			return -1
		}
		return c
	}, s)
}

// readBack sees that a field holds what it was given. A mask may have written it another way; nothing of a password is told.
func (t *Tab) readBack(ctx context.Context, e element, k kind, value string, done Effects) (now string, open bool, err error) {
	r, ok := t.holds(ctx, done, &e)
	if !ok {
		return "", false, nil // the page has no such field any more
	}
	if r.Secret {
		if want := len(utf16.Encode([]rune(value))); r.Length != want {
			return "", false, fault.Quote(fault.CodeNotTaken, fmt.Sprintf("%s took %d of %d characters.", capital(e.String()), r.Length, want), "It may take fewer, or no such ones.")
		}
		return "", false, nil
	}
	if !took(k, value, r.Value) {
		return "", true, notTaken(e, value, r.Value)
	}
	return r.Value, true, nil
}

// took tells whether what a field holds now is what it was given, maybe written in another way.
func took(k kind, value, now string) bool {
	if now == value {
		return true
	}
	if k.Code { // of a long text it draws a part
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
	if was != "" && wanted != "" && (is == was+wanted || is == wanted+was) || k.Kind == "editable" && is != wanted {
		return false // it stands beside what was there
	}
	if wanted == "" {
		return value == "" && is == "" || strings.Contains(now, strings.TrimSpace(value)) && value != ""
	}
	return is == wanted || is != was && strings.Contains(is, wanted)
}

func notTaken(e element, wanted, now string) error {
	return fault.Quote(fault.CodeNotTaken, fmt.Sprintf("%s did not take %q: it holds %q now.", capital(e.String()), short(wanted, 200), short(now, 200)), "Look at the page: it may want another format, or change what is typed.")
}
