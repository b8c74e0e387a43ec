package gate

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"cove/internal/policy"
)

// A program's click says nothing of what it will do. So where sending a password or a payment is a right of its own, whatever could
// send a form needs it while such a field of the page is filled.

// presses is for commands of the mouse and of touch.
func (q *question) presses() error {
	switch q.text("type") {
	case "mouseMoved", "mouseReleased", "mouseWheel", "touchMove", "touchEnd", "touchCancel":
		return nil
	}
	return q.sends()
}

// types is for keys: those that can press a button, and those with which nobody knows.
func (q *question) types() error {
	if q.text("type") == "keyUp" {
		return nil
	}
	alt := string(q.params["modifiers"])
	plain := (alt == "" || alt == "0" || alt == "8") && q.params["commands"] == nil
	for _, name := range []string{"text", "unmodifiedText", "key"} {
		if s := q.text(name); s == " " || s == "Enter" || strings.ContainsAny(s, "\r\n") {
			plain = false
		}
	}
	for _, name := range []string{"windowsVirtualKeyCode", "nativeVirtualKeyCode"} {
		if s := string(q.params[name]); s == "13" || s == "32" {
			plain = false
		}
	}
	if plain {
		return nil
	}
	return q.sends()
}

// submitLimit bounds the gate's look at the page.
const submitLimit = 5 * time.Second

func (q *question) sends() error {
	if q.book.Right(policy.Submit) == policy.Yes {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), submitLimit)
	defer cancel()
	if q.filled(ctx, q.session) || q.filledInside(ctx) {
		q.need(policy.Submit, "press a button or a key on a page whose password or payment field is filled")
	}
	return nil
}

// filledInside looks into the frames that run in processes of their own.
func (q *question) filledInside(ctx context.Context) bool {
	q.mux.mu.Lock()
	var frames []string
	for id, t := range q.mux.places.targets {
		if t.Type == "iframe" {
			frames = append(frames, id)
		}
	}
	q.mux.mu.Unlock()
	for _, id := range frames {
		var r struct {
			SessionID string `json:"sessionId"`
		}
		if q.mux.Call(ctx, "Target.attachToTarget", map[string]any{"targetId": id, "flatten": true}, &r) != nil {
			continue // it has gone meanwhile
		}
		filled := q.filled(ctx, r.SessionID)
		_ = q.mux.call("Target.detachFromTarget", map[string]any{"sessionId": r.SessionID}, "", func(json.RawMessage, error) {})
		if filled {
			return true
		}
	}
	return false
}

// filled reports whether a page holds a password or payment field with something in it; also when it cannot be seen.
func (q *question) filled(ctx context.Context, session string) bool {
	var s struct {
		Strings   []string `json:"strings"`
		Documents []struct {
			Nodes struct {
				Attributes [][]int `json:"attributes"`
				InputValue struct {
					Index []int `json:"index"`
					Value []int `json:"value"`
				} `json:"inputValue"`
			} `json:"nodes"`
		} `json:"documents"`
	}
	if q.mux.callOn(ctx, session, "DOMSnapshot.captureSnapshot", map[string]any{"computedStyles": []string{}}, &s) != nil {
		return true
	}
	text := func(i int) string {
		if i < 0 || i >= len(s.Strings) {
			return ""
		}
		return s.Strings[i]
	}
	for _, d := range s.Documents {
		values := d.Nodes.InputValue
		for i := range min(len(values.Index), len(values.Value)) {
			n := values.Index[i]
			if text(values.Value[i]) != "" && n >= 0 && n < len(d.Nodes.Attributes) && delicate(d.Nodes.Attributes[n], text) {
				return true
			}
		}
	}
	return false
}

// delicate reports whether a field's attributes say that it is for a password or a payment.
func delicate(attributes []int, text func(int) string) bool {
	for i := 0; i+1 < len(attributes); i += 2 {
		name, value := strings.ToLower(text(attributes[i])), strings.ToLower(strings.TrimSpace(text(attributes[i+1])))
		switch name {
		case "type":
			if value == "password" {
				return true
			}
		case "autocomplete":
			for _, word := range strings.Fields(value) {
				if strings.HasPrefix(word, "cc-") || strings.HasSuffix(word, "-password") || word == "one-time-code" {
					return true
				}
			}
		}
	}
	return false
}
