package page

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"cove/internal/cdp"
	"cove/internal/fault"
)

// Script is what an agent wants to run.
type Script struct {
	Source string
	// Plain source is a script whose last value is the answer; otherwise it is a function.
	Plain bool
	// UIDs are the function's arguments: elements.
	UIDs []string
	// Frame is the uid of an iframe to run in; the main frame without one.
	Frame string
	// Dialog answers a dialog that the script opens: accept, dismiss, or the text for a prompt; "" leaves it open.
	Dialog string
	Limit  time.Duration
	Settle bool
}

// leaves finds scripts that may leave the page.
var leaves = regexp.MustCompile(`\b(location|submit|requestSubmit|click|reload|navigate|history)\b`)

// looksLikeFunction finds the beginning of a function, after comments.
var looksLikeFunction = regexp.MustCompile(`(?s)^(\s|//[^\n]*\n|/\*.*?\*/)*(async\b\s*)?(function\b|\(|[\w$]+\s*=>)`)

// Evaluate runs a script in the page's own world and returns its value as JSON; "undefined" where there is none.
func (t *Tab) Evaluate(ctx context.Context, s Script) (string, Effects, error) {
	if err := t.refuseDialog(); err != nil {
		return "", Effects{}, err
	}
	ctx, cancel := t.attend(ctx)
	defer cancel()
	session, contextID, arguments, err := t.scriptPlace(ctx, s)
	if err != nil {
		return "", Effects{}, err
	}
	method, params := "Runtime.evaluate", object{"expression": s.Source, "awaitPromise": true, "userGesture": true, "replMode": true}
	if contextID != 0 {
		params["contextId"] = contextID
	}
	if !s.Plain {
		function := "(" + strings.TrimSuffix(strings.TrimSpace(s.Source), ";") + ")"
		if len(arguments) > 0 {
			method = "Runtime.callFunctionOn"
			params = object{"functionDeclaration": "function(...a){return " + function + "(...a)}", "objectId": arguments[0]["objectId"], "arguments": arguments, "awaitPromise": true, "userGesture": true}
		} else {
			params["expression"] = function + "()"
			delete(params, "replMode")
		}
	}
	before := t.mark()
	limited, cancelScript := t.bound(ctx, s.Limit)
	defer cancelScript()
	value, err := t.scriptResult(limited, s, session, t.b.conn.Start(session, method, params), before)
	if limited.Err() != nil && context.Cause(ctx) != errNoAnswer { //nolint:errorlint // it is this very one: the page's own script runs, not ours
		t.interrupt(session)
	}
	var thrown *scriptError
	if errors.As(err, &thrown) && !s.Plain && !looksLikeFunction.MatchString(s.Source) {
		err = refused("%s", thrown.text).WithHint(`Write a function, such as () => document.title, or give format "script".`)
	}
	if err != nil {
		return "", Effects{}, err
	}
	if s.Frame == "" && leaves.MatchString(s.Source) { // the navigation begins in a task of its own
		if p, err := t.enter(ctx, t.main); err == nil {
			t.beat(ctx, element{place: p})
			t.flush()(ctx)
		}
	}
	var effects Effects
	if s.Settle || t.navigating(before) || t.Dialog() != nil {
		effects, err = t.settle(ctx, before, place{})
	} else {
		t.collect(before, &effects)
	}
	return value, effects, err
}

// interrupt ends a script that nobody waits for any more. Only when the page is busy: else the browser would end the next one.
func (t *Tab) interrupt(session string) {
	if t.Dialog() != nil || t.lifeContext().Err() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), busyLimit)
	defer cancel()
	if err := t.call(ctx, session, "Runtime.evaluate", object{"expression": "0"}, nil); !errors.Is(err, context.DeadlineExceeded) {
		return
	}
	_ = t.call(context.Background(), session, "Runtime.terminateExecution", nil, nil)
}

// busyLimit is how soon an idle page answers.
const busyLimit = 300 * time.Millisecond

// scriptResult waits for the script's value, and answers or reports the dialogs that it opens.
func (t *Tab) scriptResult(ctx context.Context, s Script, session string, pending *cdp.Pending, before mark) (string, error) {
	var r evaluated
	done := make(chan error, 1)
	go func() {
		err := pending.Wait(ctx, &r)
		if err == nil && r.Exception == nil && r.Result.Type == "object" && r.Result.ObjectID != "" {
			err = t.asJSON(ctx, session, &r)
		}
		done <- err
	}()
	for {
		next := t.changed.wait()
		if d := t.Dialog(); d != nil {
			if s.Dialog == "" {
				return "undefined", nil
			}
			params := object{"accept": s.Dialog != "dismiss"}
			if s.Dialog != "accept" && s.Dialog != "dismiss" {
				params["promptText"] = s.Dialog
			}
			if err := t.answerDialog(ctx, params); err != nil {
				return "", err
			}
			t.dialogAnswered(d)
			continue
		}
		select {
		case err := <-done:
			return t.scriptValue(r, err, before)
		case <-next:
		}
	}
}

// asJSON writes an object as the page itself would: a Date is its time. Where the page cannot the browser does, and of an element
// it says that it is none.
func (t *Tab) asJSON(ctx context.Context, session string, r *evaluated) error {
	id := r.Result.ObjectID
	defer func() { t.forget(t.b.conn.Start(session, "Runtime.releaseObject", object{"objectId": id})) }()
	function := "function(){try{return JSON.stringify(this)}catch{return this}}"
	if r.Result.Subtype == "node" {
		function = "function(){return this}"
	}
	*r = evaluated{}
	if err := t.b.conn.Call(ctx, session, "Runtime.callFunctionOn", object{"objectId": id, "functionDeclaration": function, "returnByValue": true}, r); err != nil {
		return err
	}
	if r.Result.Type != "string" {
		return nil
	}
	var text string
	err := json.Unmarshal(r.Result.Value, &text)
	r.Result.Value = json.RawMessage(text)
	return err
}

func (t *Tab) scriptValue(r evaluated, err error, before mark) (string, error) {
	var refused *cdp.Error
	switch {
	case errors.As(err, &refused) && (strings.Contains(refused.Message, "navigated") || strings.Contains(refused.Message, "destroyed") || strings.Contains(refused.Message, "Cannot find context")) && t.present().started != before.load.started:
		return "undefined", nil // it has left the page before it could answer
	case errors.As(err, &refused) && strings.Contains(refused.Message, "Object reference chain is too long"):
		return "", fault.Invalidf("The value cannot be written as JSON: it refers to itself or is too deep.").WithHint("Return plain values.")
	case err != nil:
		return "", err
	}
	value, err := r.result()
	if err != nil {
		return "", err
	}
	switch {
	case value.Unwritable != "":
		return value.Unwritable, nil
	case len(value.Value) > 0:
		return string(value.Value), nil
	case value.Type == "undefined" || value.Type == "function" || value.Type == "symbol":
		return "undefined", nil
	}
	return "null", nil
}

// scriptPlace finds where a script runs: beside its arguments, in the frame that was named, or in the main frame.
func (t *Tab) scriptPlace(ctx context.Context, s Script) (session string, contextID int, arguments []object, err error) {
	session = t.session
	if s.Frame != "" {
		if session, contextID, err = t.insideFrame(ctx, s.Frame); err != nil {
			return "", 0, nil, err
		}
	}
	var at *element
	for _, uid := range s.UIDs {
		e, err := t.find(ctx, uid)
		if err != nil {
			return "", 0, nil, err
		}
		if at != nil && at.frame != e.frame {
			return "", 0, nil, fault.Invalidf("The elements are in different frames, which share no objects.").WithHint("Run the script once for each.")
		}
		at = &e
		handle, err := t.inPage(ctx, e)
		if err != nil {
			return "", 0, nil, err
		}
		session = e.session
		arguments = append(arguments, object{"objectId": handle})
	}
	return session, contextID, arguments, nil
}

// inPage gives an element of ours as an object of the page's own world.
func (t *Tab) inPage(ctx context.Context, e element) (string, error) {
	handle, err := t.object(ctx, e)
	if err != nil {
		return "", err
	}
	var described struct {
		Node struct {
			Backend int `json:"backendNodeId"`
		} `json:"node"`
	}
	if err := t.call(ctx, e.session, "DOM.describeNode", object{"objectId": handle}, &described); err != nil {
		return "", err
	}
	t.mu.Lock()
	script := 0
	if f := t.frames[e.frame]; f != nil {
		script = f.script
	}
	t.mu.Unlock()
	params := object{"backendNodeId": described.Node.Backend}
	if script != 0 {
		params["executionContextId"] = script
	}
	var resolved struct {
		Object remote `json:"object"`
	}
	err = t.call(ctx, e.session, "DOM.resolveNode", params, &resolved)
	return resolved.Object.ObjectID, err
}

// insideFrame is the page's own world of the frame that an iframe shows.
func (t *Tab) insideFrame(ctx context.Context, uid string) (session string, contextID int, err error) {
	e, err := t.find(ctx, uid)
	if err != nil {
		return "", 0, err
	}
	t.mu.Lock()
	var inner []*frame
	for _, f := range t.frames {
		if f.parent == e.frame && f.id != e.frame {
			inner = append(inner, f)
		}
	}
	t.mu.Unlock()
	for _, f := range inner {
		owner, err := t.ownerOf(ctx, f.id)
		if err == nil && owner == e.id {
			t.mu.Lock()
			defer t.mu.Unlock()
			return f.session, f.script, nil
		}
	}
	return "", 0, refused("%s is not a frame.", capital(e.String())).WithHint("Give the uid of an Iframe in the snapshot.")
}

// Pretty writes JSON as it came; a page may return a lot of it.
func Pretty(value string, most int) string {
	if len(value) <= most {
		return value
	}
	for !utf8.RuneStart(value[most]) {
		most--
	}
	return fmt.Sprintf("%s…(+%d bytes; return less, or give filePath)", value[:most], len(value)-most)
}
