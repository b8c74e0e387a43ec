package page

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// remote is a value of the page.
type remote struct {
	Type        string          `json:"type"`
	Subtype     string          `json:"subtype"`
	Value       json.RawMessage `json:"value"`
	Unwritable  string          `json:"unserializableValue"`
	Description string          `json:"description"`
	ObjectID    string          `json:"objectId"`
	Preview     *preview        `json:"preview"`
}

// scriptError is what a script threw.
type scriptError struct{ text string }

func (e *scriptError) Error() string { return e.text }

type exceptionDetails struct {
	Text      string  `json:"text"`
	Line      int     `json:"lineNumber"`
	Column    int     `json:"columnNumber"`
	URL       string  `json:"url"`
	Exception *remote `json:"exception"`
	Stack     *stack  `json:"stackTrace"`
}

// thrown is the first line of what was thrown.
func (d exceptionDetails) thrown() string {
	if d.Exception == nil {
		return d.Text
	}
	text := d.Exception.Description
	if text == "" {
		text = strings.Trim(string(d.Exception.Value), `"`)
	}
	text, _, _ = strings.Cut(text, "\n    at ")
	return text
}

type evaluated struct {
	Result    remote            `json:"result"`
	Exception *exceptionDetails `json:"exceptionDetails"`
}

func (t *Tab) evaluate(ctx context.Context, session string, params object) (remote, error) {
	var r evaluated
	if err := t.b.conn.Call(ctx, session, "Runtime.evaluate", params, &r); err != nil {
		return remote{}, err
	}
	return r.result()
}

func (r evaluated) result() (remote, error) {
	if r.Exception != nil {
		return remote{}, &scriptError{r.Exception.thrown()}
	}
	return r.Result, nil
}

// run calls a function of ours in a world, with plain values, and reads what it returns.
func (t *Tab) run(ctx context.Context, p place, result any, function string, args ...any) error {
	r, err := t.invoke(ctx, p, true, function, args...)
	if err != nil || result == nil {
		return err
	}
	if len(r.Value) == 0 {
		return fmt.Errorf("the page's script returned %s", r.Type)
	}
	return json.Unmarshal(r.Value, result)
}

func (t *Tab) invoke(ctx context.Context, p place, byValue bool, function string, args ...any) (remote, error) {
	ctx, cancel := t.free(ctx)
	defer cancel()
	values := make([]object, len(args))
	for i, a := range args {
		values[i] = object{"value": a}
	}
	var r evaluated
	err := t.b.conn.Call(ctx, p.session, "Runtime.callFunctionOn", object{"functionDeclaration": function, "executionContextId": p.world,
		"arguments": values, "returnByValue": byValue, "awaitPromise": true}, &r)
	if err != nil {
		return remote{}, err
	}
	return r.result()
}
