package gate

import (
	"context"
	"encoding/json"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"cove/internal/policy"
)

// A program's click says nothing of what it will do. So where sending a password or a payment is a right of its own, whatever could
// send a form needs it while such a field of the page is filled.

// presses is for commands of the mouse and of touch. What a press does is done when it is released: by then the field may be filled.
func (q *question) presses() error {
	if runtime.GOOS == "linux" && q.text("button") == "middle" { // pastes what is selected anywhere on the screen
		q.usesClipboard("press the middle button of the mouse, which pastes")
	}
	switch q.text("type") {
	case "mouseMoved", "mouseWheel", "touchMove", "touchCancel":
		return nil
	case "mouseReleased", "touchEnd":
		return q.releases()
	}
	return q.sends()
}

// releases is for the end of a press. One that was allowed with the field filled is not asked about twice.
func (q *question) releases() error {
	q.mux.mu.Lock()
	allowed := q.mux.places.pressed[q.session]
	delete(q.mux.places.pressed, q.session)
	q.mux.mu.Unlock()
	if allowed {
		return nil
	}
	return q.sends()
}

// permitted notes that a press may go on which may send a form.
func (q *question) permitted() {
	switch q.text("type") {
	case "mousePressed", "touchStart", "keyDown", "rawKeyDown":
		if slices.Contains(q.needs, policy.Submit) {
			q.mux.mu.Lock()
			q.mux.places.pressed[q.session] = true
			q.mux.mu.Unlock()
		}
	}
}

// types is for keys: those that can press a button, and those with which nobody knows. A button is pressed when Space is let go.
func (q *question) types() error {
	if q.pastes() {
		q.usesClipboard("press keys that paste, copy or cut")
	}
	alt := string(q.params["modifiers"])
	plain, space := (alt == "" || alt == "0" || alt == "8") && q.params["commands"] == nil, false
	for _, name := range []string{"text", "unmodifiedText", "key", "code", "keyIdentifier"} {
		s := q.text(name)
		space = space || s == " " || s == "Space"
		plain = plain && !strings.HasSuffix(s, "Enter") && !strings.ContainsAny(s, "\r\n")
	}
	for _, name := range []string{"windowsVirtualKeyCode", "nativeVirtualKeyCode"} {
		var code float64
		_ = json.Unmarshal(q.params[name], &code)
		space, plain = space || code == 32, plain && code != 13
	}
	switch up := q.text("type") == "keyUp"; {
	case up && space:
		return q.releases()
	case up, plain && !space:
		return nil
	}
	return q.sends()
}

func (q *question) usesClipboard(what string) {
	if q.book.Right(policy.Clipboard) != policy.Yes {
		q.need(policy.Clipboard, what)
	}
}

// pastes tells whether a key pastes, copies or cuts, in any system's way.
func (q *question) pastes() bool {
	if commands := strings.ToLower(string(q.params["commands"])); slices.ContainsFunc([]string{"paste", "copy", "cut", "yank", `\`}, func(word string) bool { return strings.Contains(commands, word) }) {
		return true
	}
	if q.text("type") == "keyUp" {
		return false
	}
	var held int
	if raw, there := q.params["modifiers"]; there && json.Unmarshal(raw, &held) != nil {
		held = -1 // all of them
	}
	const control, meta, shift = 2, 4, 8
	var letter, insert, remove bool
	for _, name := range []string{"text", "unmodifiedText", "key", "code", "keyIdentifier"} {
		switch s := q.text(name); s {
		case "Paste", "Copy", "Cut":
			return true
		case "v", "V", "c", "C", "x", "X", "KeyV", "KeyC", "KeyX":
			letter = true
		case "Insert":
			insert = true
		case "Delete":
			remove = true
		}
	}
	for _, name := range []string{"windowsVirtualKeyCode", "nativeVirtualKeyCode"} {
		var code float64
		_ = json.Unmarshal(q.params[name], &code)
		if name == "windowsVirtualKeyCode" && (code < 0 || code > 255) {
			return true // the browser reads modifiers in what is above a byte
		}
		letter, insert, remove = letter || code == 'V' || code == 'C' || code == 'X', insert || code == 45, remove || code == 46
	}
	return (letter && held&(control|meta) != 0) || (insert && held&(control|shift) != 0) || (remove && held&shift != 0)
}

// inserts is for text that comes without keys: the end of a line in it is Enter.
func (q *question) inserts() error {
	if strings.ContainsAny(q.text("text"), "\r\n") {
		return q.sends()
	}
	return nil
}

// again is for what sends once more what was sent before.
func (q *question) again() error {
	if q.book.Right(policy.Submit) != policy.Yes {
		q.need(policy.Submit, "send again what the page has sent before")
	}
	return nil
}

// submitLimit bounds the gate's look at the page.
const submitLimit = 5 * time.Second

func (q *question) sends() error {
	if q.book.Right(policy.Submit) == policy.Yes {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), submitLimit)
	defer cancel()
	if q.filled(ctx, q.session, q.mux.place(q.session).ID) || q.filledElsewhere(ctx) {
		q.need(policy.Submit, "press a button or a key on a page whose password or payment field is filled")
	}
	return nil
}

// filledElsewhere looks into the frames that run in processes of their own; where the command is for one of these, into the pages, too.
func (q *question) filledElsewhere(ctx context.Context) bool {
	inside := q.mux.place(q.session).Type == "iframe"
	q.mux.mu.Lock()
	var frames []string
	for id, t := range q.mux.places.targets {
		if t.Type == "iframe" || (inside && t.Type == "page") {
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
		filled := q.filled(ctx, r.SessionID, id)
		_ = q.mux.call("Target.detachFromTarget", map[string]any{"sessionId": r.SessionID}, "", func(json.RawMessage, error) {})
		if filled {
			return true
		}
	}
	return false
}

// filled reports whether a page holds a password or payment field with something in it; also when it cannot be seen. at is its target.
func (q *question) filled(ctx context.Context, session, at string) bool {
	var s struct {
		Strings   []string `json:"strings"`
		Documents []struct {
			Nodes struct {
				Attributes [][]int `json:"attributes"`
				ID         []int   `json:"backendNodeId"`
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
	q.mux.mu.Lock()
	known := maps.Clone(q.mux.places.delicate[at])
	q.mux.mu.Unlock()
	filled, news := false, map[int]bool{}
	for _, d := range s.Documents {
		for n, attributes := range d.Nodes.Attributes[:min(len(d.Nodes.Attributes), len(d.Nodes.ID))] {
			if id := d.Nodes.ID[n]; known[id] || delicate(attributes, text) {
				news[id] = true
			}
		}
		values := d.Nodes.InputValue
		for i := range min(len(values.Index), len(values.Value)) {
			n := values.Index[i]
			filled = filled || (n >= 0 && n < len(d.Nodes.ID) && news[d.Nodes.ID[n]] && text(values.Value[i]) != "")
		}
	}
	q.mux.mu.Lock()
	defer q.mux.mu.Unlock()
	if q.mux.places.delicate[at] = news; len(news) == 0 { // those that are gone are forgotten
		delete(q.mux.places.delicate, at)
	}
	return filled
}

var (
	passwordName = regexp.MustCompile(`(?i)passw|passphrase|pwd`)
	paymentName  = regexp.MustCompile(`(?i)(card|cc)[-_]?(num|no$|number|cvc|cvv|csc|code|exp)|^cvv2?$|^cvc2?$|^csc$|security[-_]?code|^iban$`)
)

// delicate reports whether a field's attributes say that it is for a password or a payment.
func delicate(attributes []int, text func(int) string) bool {
	typed, named := true, false
	for i := 0; i+1 < len(attributes); i += 2 {
		name, value := strings.ToLower(text(attributes[i])), strings.ToLower(strings.TrimSpace(text(attributes[i+1])))
		switch name {
		case "type":
			switch value {
			case "password":
				return true
			case "hidden", "checkbox", "radio", "button", "submit", "reset", "image", "file", "color", "range":
				typed = false
			}
		case "name", "id":
			named = named || passwordName.MatchString(value) || paymentName.MatchString(value)
		case "autocomplete":
			for _, word := range strings.Fields(value) {
				if strings.HasPrefix(word, "cc-") || strings.HasSuffix(word, "-password") || word == "one-time-code" {
					return true
				}
			}
		}
	}
	return typed && named
}
