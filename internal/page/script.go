package page

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/page/dom"
	"cove/internal/page/remote"
	"cove/internal/page/target"
)

// Script is a script that an agent wants to run.
type Script struct {
	Source string
	// Plain says that Source is a script whose last value is the answer. Otherwise Source is a function.
	Plain bool
	// UIDs are the elements that the function gets as its arguments.
	UIDs []string
	// Frame is the uid of the iframe to run in. If it is empty, the script runs in the main frame.
	Frame string
	// Dialog is the answer to dialogs that the script opens: accept, dismiss, or the text for a prompt. With "" they
	// stay open.
	Dialog string
	Limit  time.Duration
	Settle bool
}

// mayNavigate matches scripts that may leave the page.
var mayNavigate = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(location|submit|requestSubmit|click|reload|navigate|history)\b`)
})

// looksLikeFunction matches source that begins with a function, after any comments.
var looksLikeFunction = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)^(\s|//[^\n]*\n|/\*.*?\*/)*(async\b\s*)?(function\b|\(|[\w$]+\s*=>)`)
})

// Evaluate runs a script in the page's own world and returns its value as JSON, or "undefined" when it has none. The
// effects tell of the dialogs that it has answered, also after an error.
func (t *Tab) Evaluate(ctx context.Context, s Script) (string, Effects, error) {
	ctx, cancel, err := t.Target.Begin(ctx)
	if err != nil {
		return "", Effects{}, err
	}
	defer cancel()
	e := evaluation{tab: t, script: s}
	method, params, err := e.command(ctx)
	if err != nil {
		return "", Effects{}, err
	}

	e.before = t.Mark()
	limited, cancelScript := t.Target.Bound(ctx, s.Limit)
	defer cancelScript()
	value, err := e.result(limited, t.b.conn.Start(e.session, method, params))
	silent := context.Cause(ctx) == target.ErrNoAnswer //nolint:errorlint // this very one: the page's own script runs
	if limited.Err() != nil && !silent {
		e.stop()
	}
	if errors.Is(err, target.ErrNoAnswer) && ctx.Err() == nil {
		err = fault.New(fault.CodeTimeout, "The script has not ended in time.",
			"What it has begun may go on: look at the page before you run it again.")
	}
	var thrown *remote.ScriptError
	if errors.As(err, &thrown) && !s.Plain && !looksLikeFunction().MatchString(s.Source) {
		err = fault.Quote(fault.CodeValue, thrown.Text,
			`Write a function, such as () => document.title, or give format "script".`)
	}
	if err != nil {
		return "", Effects{Answered: e.answered}, err
	}
	effects, err := e.effects(ctx)
	effects.Answered = e.answered
	return value, effects, err
}

// evaluation is one run of a script.
type evaluation struct {
	tab     *Tab
	script  Script
	session string // in which it runs
	before  Mark
	// answered are the last dialogs that were answered so that the script could go on.
	answered []Answered
}

// maxAnswered is how many of them are told.
const maxAnswered = 10

// effects collects what the script has set off. It waits only when the script may have started something.
func (e *evaluation) effects(ctx context.Context) (effects Effects, err error) {
	t, s := e.tab, e.script
	if s.Frame == "" && mayNavigate().MatchString(s.Source) { // the navigation begins in a task of its own
		if w, err := t.Frames.EnterMain(ctx); err == nil {
			t.Tick(ctx, dom.Element{World: w})
			t.flush()(ctx)
		}
	}
	if s.Settle || t.Navigating(e.before) || t.Dialog() != nil {
		return t.Settle(ctx, e.before, dom.Element{})
	}
	t.collect(e.before, &effects)
	return effects, nil
}

// command returns the command that runs the script, and sets e.session. The script runs in the frame of its arguments,
// else in the frame that was named, else in the main frame.
func (e *evaluation) command(ctx context.Context) (method string, params object, err error) {
	s := e.script
	e.session = e.tab.Target.Session
	contextID := 0
	if s.Frame != "" {
		if e.session, contextID, err = e.tab.Frames.Inside(ctx, s.Frame); err != nil {
			return "", nil, err
		}
	}
	arguments, in, err := e.arguments(ctx)
	if err != nil {
		return "", nil, err
	}
	if in != "" {
		e.session = in
	}

	params = object{"expression": s.Source, "awaitPromise": true, "userGesture": true, "replMode": true}
	if contextID != 0 {
		params["contextId"] = contextID
	}
	function := "(" + strings.TrimSuffix(strings.TrimSpace(s.Source), ";") + ")"
	switch {
	case s.Plain:
	case len(arguments) > 0:
		return "Runtime.callFunctionOn", object{
			"functionDeclaration": "function(...a){return " + function + "(...a)}",
			"objectId":            arguments[0]["objectId"],
			"arguments":           arguments,
			"awaitPromise":        true,
			"userGesture":         true,
		}, nil
	default:
		params["expression"] = function + "()"
		delete(params, "replMode")
	}
	return "Runtime.evaluate", params, nil
}

// arguments returns the elements as arguments of a function in the page's own world, and the session of their frame.
func (e *evaluation) arguments(ctx context.Context) (arguments []object, session string, err error) {
	frame := ""
	for _, uid := range e.script.UIDs {
		element, err := e.tab.Frames.Find(ctx, uid)
		if err != nil {
			return nil, "", err
		}
		if frame != "" && frame != element.Frame {
			return nil, "", fault.Invalidf("The elements are in different frames, which share no objects.").
				WithHint("Run the script once for each.")
		}
		handle, err := e.tab.Frames.PageObject(ctx, element)
		if err != nil {
			return nil, "", err
		}
		frame, session = element.Frame, element.Session
		arguments = append(arguments, object{"objectId": handle})
	}
	return arguments, session, nil
}

// stop ends a script that nobody waits for any more. It does so only when the page is busy: in an idle page the browser
// would end the next script.
func (e *evaluation) stop() {
	t := e.tab
	if t.Dialog() != nil || t.Target.Life().Err() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), target.BusyLimit)
	defer cancel()
	err := t.Target.Call(ctx, e.session, "Runtime.evaluate", object{"expression": "0"}, nil)
	if !errors.Is(err, context.DeadlineExceeded) {
		return
	}
	_ = t.Target.Call(context.Background(), e.session, "Runtime.terminateExecution", nil, nil)
}

// result waits for the script's value. It answers the dialogs that the script opens. When s.Dialog is empty, it leaves
// the dialog open and returns "undefined".
func (e *evaluation) result(ctx context.Context, pending *cdp.Pending) (string, error) {
	t, s := e.tab, e.script
	var r remote.Result
	done := make(chan error, 1)
	go func() {
		err := pending.Wait(ctx, &r)
		if err == nil && r.Exception == nil && r.Value.Type == "object" && r.Value.ObjectID != "" {
			err = e.asJSON(ctx, &r)
		}
		done <- err
	}()

	// The command ends with ctx, and its error says more than that of ctx.
	forever := context.WithoutCancel(ctx)
	for {
		err, received, _ := target.Await(forever, &t.Target.Changed, done, func() bool { return t.Dialog() != nil })
		if received {
			return e.value(r, err)
		}
		d := t.Dialog()
		if d == nil {
			continue // the dialog has closed meanwhile
		}
		if s.Dialog == "" {
			return "undefined", nil
		}
		accept, text := s.Dialog != "dismiss", &s.Dialog
		if s.Dialog == "accept" || s.Dialog == "dismiss" {
			text = nil
		}
		if err := t.Target.AnswerDialog(ctx, d.Answer(accept, text)); err != nil {
			return "", err
		}
		t.Target.DialogAnswered(d)
		if e.answered = append(e.answered, Answered{*d, accept}); len(e.answered) > maxAnswered {
			e.answered = e.answered[1:]
		}
	}
}

// asJSON replaces an object by its JSON, as the page itself would write it: a Date is its time. Where the page cannot
// write the object, the browser does. An element is left to the browser, which says that it cannot be written.
func (e *evaluation) asJSON(ctx context.Context, r *remote.Result) error {
	t := e.tab
	id := r.Value.ObjectID
	defer t.Target.Post(e.session, "Runtime.releaseObject", object{"objectId": id})
	function := "function(){try{return JSON.stringify(this)}catch{return this}}"
	if r.Value.Subtype == "node" {
		function = "function(){return this}"
	}
	*r = remote.Result{}
	params := object{"objectId": id, "functionDeclaration": function, "returnByValue": true}
	if err := t.b.conn.Call(ctx, e.session, "Runtime.callFunctionOn", params, r); err != nil {
		return err
	}
	if r.Value.Type != "string" {
		return nil
	}

	var text string
	err := json.Unmarshal(r.Value.Value, &text)
	r.Value.Value = json.RawMessage(text)
	return err
}

// value returns the script's value as JSON. Numbers that JSON lacks, such as NaN, it returns as the console writes
// them.
func (e *evaluation) value(r remote.Result, err error) (string, error) {
	var refused *cdp.Error
	switch {
	case errors.As(err, &refused) && contextLost(refused.Message) && e.navigated():
		return "undefined", nil // the script has left the page before it could answer
	case errors.As(err, &refused) && strings.Contains(refused.Message, "Object reference chain is too long"):
		return "", fault.Invalidf("The value cannot be written as JSON: it refers to itself or is too deep.").
			WithHint("Return plain values.")
	case err != nil:
		return "", err
	}
	value, err := r.Get()
	switch {
	case err != nil:
		return "", err
	case value.Unwritable != "":
		return value.Unwritable, nil
	case len(value.Value) > 0:
		return string(value.Value), nil
	case value.Type == "undefined" || value.Type == "function" || value.Type == "symbol":
		return "undefined", nil
	}
	return "null", nil
}

// navigated reports whether a navigation has begun since the script began.
func (e *evaluation) navigated() bool { return e.tab.Frames.Load().Started != e.before.load.Started }

// contextLost reports whether the browser's message says that the script's document is gone.
func contextLost(message string) bool {
	return strings.Contains(message, "navigated") || strings.Contains(message, "destroyed") ||
		strings.Contains(message, "Cannot find context")
}

// Pretty returns value. It cuts a value of more than most bytes: a page may return a lot.
func Pretty(value string, most int) string {
	if len(value) <= most {
		return value
	}
	for !utf8.RuneStart(value[most]) {
		most--
	}
	return fmt.Sprintf("%s…(+%d bytes; return less, or give filePath)", value[:most], len(value)-most)
}
