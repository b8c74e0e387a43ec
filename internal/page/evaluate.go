package page

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
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
	return json.Unmarshal([]byte(t.b.hidden(string(r.Value))), result)
}

// text calls a function of ours that returns a string, which may be long: it is read once and not looked at before.
func (t *Tab) text(ctx context.Context, p place, function string) (string, error) {
	ctx, cancel := t.free(ctx)
	defer cancel()
	var raw json.RawMessage
	if err := t.b.conn.Call(ctx, p.session, "Runtime.callFunctionOn", object{"functionDeclaration": function, "executionContextId": p.world, "returnByValue": true}, &raw); err != nil {
		return "", err
	}
	if s, ok := stringResult(raw); ok {
		return s, nil
	}
	var r evaluated
	if err := json.Unmarshal(raw, &r); err != nil {
		return "", err
	}
	value, err := r.result()
	if err != nil {
		return "", err
	}
	var s string
	return s, json.Unmarshal(value.Value, &s)
}

// stringResult reads an answer that is nothing but a string of plain escapes, as the browser writes it.
func stringResult(raw []byte) (string, bool) {
	rest, ok := bytes.CutPrefix(raw, []byte(`{"result":{"type":"string","value":"`))
	if !ok {
		return "", false
	}
	if rest, ok = bytes.CutSuffix(rest, []byte(`"}}`)); !ok {
		return "", false
	}
	at := bytes.IndexByte(rest, '\\')
	if at < 0 {
		return string(rest), bytes.IndexByte(rest, '"') < 0
	}
	quoted := false // a quote that no escape stands before: there is more than the one string
	var b strings.Builder
	b.Grow(len(rest))
	for at >= 0 && at+1 < len(rest) {
		quoted = quoted || bytes.IndexByte(rest[:at], '"') >= 0
		b.Write(rest[:at])
		c := rest[at+1]
		rest = rest[at+2:]
		switch c {
		case '"', '\\', '/':
			b.WriteByte(c)
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'b':
			b.WriteByte('\b')
		case 'f':
			b.WriteByte('\f')
		case 'u':
			r, size := escapedRune(rest)
			if size == 0 {
				return "", false
			}
			b.WriteRune(r)
			rest = rest[size:]
		default:
			return "", false
		}
		at = bytes.IndexByte(rest, '\\')
	}
	b.Write(rest)
	return b.String(), at < 0 && !quoted && bytes.IndexByte(rest, '"') < 0
}

// escapedRune reads the digits after \u, and the second half of a pair; a half alone is no rune.
func escapedRune(rest []byte) (r rune, size int) {
	hex := func(b []byte) rune {
		if len(b) < 4 {
			return -1
		}
		n, err := strconv.ParseUint(string(b[:4]), 16, 16)
		if err != nil {
			return -1
		}
		return rune(n)
	}
	if r = hex(rest); r < 0 {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 4
	}
	if len(rest) >= 10 && rest[4] == '\\' && rest[5] == 'u' {
		if pair := utf16.DecodeRune(r, hex(rest[6:])); pair != utf8.RuneError {
			return pair, 10
		}
	}
	return utf8.RuneError, 4
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
