package dom

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/page/remote"
	"cove/internal/snapshot/document"
)

// ErrFrameGone, ErrFrameCrashed and ErrRestless say why a frame cannot be read.
var (
	ErrFrameGone = fault.New(fault.CodeFrameGone, "The frame is no longer in the page.",
		"Take a new snapshot.")
	ErrFrameCrashed = fault.New(fault.CodeFrameCrashed, "The frame has crashed.",
		"navigate_page with type reload brings it back.")
	ErrRestless = fault.New(fault.CodeRestless, "The page replaces its document again and again.",
		"Wait, or navigate_page to another address.")
)

// worldName is the name of our isolated world in each frame.
const worldName = "cove"

// World is the isolated world of one document in a frame. Our scripts run there, apart from the page's own.
type World struct {
	Session  string
	ID       int
	Document *Document
}

// maxEnter is how often a document may be replaced while Enter makes its world.
const maxEnter = 20

// Enter returns the world of a frame's present document. It makes the world when it is first needed. Those who enter at
// once get the same world: a second one would make the uids of the first useless.
func (f *Frames) Enter(ctx context.Context, frameID string) (World, error) {
	done, err := f.beginEnter(ctx, frameID)
	if err != nil {
		return World{}, err
	}
	defer done()
	return f.enter(ctx, frameID)
}

// beginEnter waits while somebody else makes the world of a frame.
func (t *tree) beginEnter(ctx context.Context, frameID string) (done func(), err error) {
	for {
		t.mu.Lock()
		one := t.byID[frameID]
		if one == nil || one.world != 0 && one.document != nil { // there is nothing to make
			t.mu.Unlock()
			return func() {}, nil
		}
		making := one.making
		if making == nil {
			making = make(chan struct{})
			one.making = making
			t.mu.Unlock()
			return func() {
				t.mu.Lock()
				defer t.mu.Unlock()
				one.making = nil
				close(making)
			}, nil
		}
		t.mu.Unlock()
		select {
		case <-making:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// enter is Enter for the only one who makes the world of the frame.
func (f *Frames) enter(ctx context.Context, frameID string) (World, error) {
	for attempt := 0; ; attempt++ {
		w, loader, err := f.worldOf(frameID)
		if err != nil || w.ID != 0 && w.Document != nil {
			return w, err
		}
		if attempt == maxEnter {
			return World{}, ErrRestless
		}

		id, err := f.makeWorld(ctx, frameID, w.Session)
		if err != nil {
			var replaced *cdp.Error
			if attempt < 3 && ctx.Err() == nil && errors.As(err, &replaced) { // the document was replaced under us
				continue
			}
			return World{}, restless(err)
		}
		f.mu.Lock()
		if one := f.byID[frameID]; one != nil && one.session == w.Session && one.loader == loader {
			one.world = id
			one.document = &Document{Label: document.Label(f.config.NextDocument()), frame: one}
		}
		f.mu.Unlock()
	}
}

// closed returns why agents may not look into a frame; nil if they may.
func (f *Frames) closed(frameID string) error {
	if f.config.Closed == nil {
		return nil
	}
	return f.config.Closed(f.get(frameID))
}

// IsOpen reports whether agents may look into a frame.
func (f *Frames) IsOpen(frameID string) bool { return f.closed(frameID) == nil }

// EnterMain is Enter for the main frame.
func (f *Frames) EnterMain(ctx context.Context) (World, error) { return f.Enter(ctx, f.main) }

// worldOf returns the world of a frame. Its ID is 0 and its Document nil when it has not been made.
func (t *tree) worldOf(frameID string) (w World, loader string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	one := t.byID[frameID]
	switch {
	case one == nil:
		return w, "", ErrFrameGone
	case one.crashed:
		return w, "", ErrFrameCrashed
	}
	return World{one.session, one.world, one.document}, one.loader, nil
}

func (f *Frames) makeWorld(ctx context.Context, frameID, session string) (int, error) {
	ctx, cancel := f.target.Unblocked(ctx)
	defer cancel()
	var made struct {
		ID int `json:"executionContextId"`
	}
	params := object{"frameId": frameID, "worldName": worldName}
	if err := f.target.Conn.Call(ctx, session, "Page.createIsolatedWorld", params, &made); err != nil {
		return 0, err
	}
	params = object{"expression": worldScript(), "contextId": made.ID, "returnByValue": true}
	_, err := f.Evaluate(ctx, session, params)
	return made.ID, err
}

// forgetWorld forgets a world that the browser no longer knows.
func (t *tree) forgetWorld(frameID string, w World) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if one := t.byID[frameID]; one != nil && one.world == w.ID {
		one.world, one.document = 0, nil
	}
}

// restless replaces an error of the protocol by ErrRestless: the document goes away whenever somebody looks into it.
func restless(err error) error {
	var gone *cdp.Error
	if errors.As(err, &gone) {
		return ErrRestless
	}
	return err
}

// Evaluate runs an expression in a session. Only ctx bounds it: a dialog does not end it.
func (f *Frames) Evaluate(ctx context.Context, session string, params map[string]any) (remote.Object, error) {
	var r remote.Result
	if err := f.target.Conn.Call(ctx, session, "Runtime.evaluate", params, &r); err != nil {
		return remote.Object{}, err
	}
	return r.Get()
}

// Run calls a function of ours in a world and decodes what it returns into result, after redaction. args are values
// that JSON can express.
func (f *Frames) Run(ctx context.Context, w World, result any, function string, args ...any) error {
	r, err := f.invoke(ctx, w, true, function, args...)
	if err != nil || result == nil {
		return err
	}
	if len(r.Value) == 0 {
		return fmt.Errorf("the page's script returned %s", r.Type)
	}
	return json.Unmarshal([]byte(f.config.Redact(string(r.Value))), result)
}

// invoke calls a function of ours in a world. It returns the function's value, or without byValue a reference to it.
func (f *Frames) invoke(
	ctx context.Context,
	w World,
	byValue bool,
	function string,
	args ...any,
) (remote.Object, error) {
	ctx, cancel := f.target.Unblocked(ctx)
	defer cancel()
	values := make([]object, len(args))
	for i, a := range args {
		values[i] = object{"value": a}
	}
	var r remote.Result
	err := f.target.Conn.Call(ctx, w.Session, "Runtime.callFunctionOn", object{"functionDeclaration": function,
		"executionContextId": w.ID, "arguments": values, "returnByValue": byValue, "awaitPromise": true}, &r)
	if err != nil {
		return remote.Object{}, err
	}
	return r.Get()
}

// text calls a function of ours that returns a string. The string may be long, so text reads it only once if it can.
func (f *Frames) text(ctx context.Context, w World, function string) (string, error) {
	ctx, cancel := f.target.Unblocked(ctx)
	defer cancel()
	var raw json.RawMessage
	params := object{"functionDeclaration": function, "executionContextId": w.ID, "returnByValue": true}
	if err := f.target.Conn.Call(ctx, w.Session, "Runtime.callFunctionOn", params, &raw); err != nil {
		return "", err
	}
	if s, ok := remote.String(raw); ok {
		return s, nil
	}

	var r remote.Result
	if err := json.Unmarshal(raw, &r); err != nil {
		return "", err
	}
	value, err := r.Get()
	if err != nil {
		return "", err
	}
	var s string
	return s, json.Unmarshal(value.Value, &s)
}
