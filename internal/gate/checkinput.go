package gate

import (
	"context"
	"encoding/json"
	"runtime"
	"slices"
	"strings"

	"cove/internal/cdp"
	"cove/internal/gate/formguard"
	"cove/internal/policy"
	"cove/internal/sensitive"
)

// A click of a program does not say what it will do. If programs may not simply send passwords and payments, every
// input that could send a form needs the right to do so while such a field of the page is filled.

// checkPress judges mouse and touch commands. A press takes effect when it is released, and by then the field may be
// filled. So checkPress judges releases too.
func (c *command) checkPress(ctx context.Context) error {
	if runtime.GOOS == "linux" && c.textParam("button") == "middle" { // pastes what is selected anywhere on the screen
		c.needClipboard("press the middle button of the mouse, which pastes")
	}

	switch c.textParam("type") {
	case "mouseMoved", "mouseWheel", "touchMove", "touchCancel":
		return nil
	case "mouseReleased", "touchEnd":
		return c.checkRelease(ctx)
	}

	return c.checkSubmit(ctx)
}

// checkRelease judges the end of a press. It requires nothing if the press was already allowed while the field was
// filled.
func (c *command) checkRelease(ctx context.Context) error {
	if c.forms.EndPress(c.session) {
		return nil
	}

	return c.checkSubmit(ctx)
}

// recordPress records an allowed press that may send a form.
func (c *command) recordPress() {
	switch c.textParam("type") {
	case "mousePressed", "touchStart", "keyDown", "rawKeyDown":
		if slices.Contains(c.needs, policy.Submit) {
			c.forms.AllowPress(c.session)
		}
	}
}

// The parameters that identify a key.
var (
	keyTexts = [...]string{"text", "unmodifiedText", "key", "code", "keyIdentifier"}
	keyCodes = [...]string{"windowsVirtualKeyCode", "nativeVirtualKeyCode"}
)

// checkKey judges keys. Keys that can press a button need the right to send a form, and so do key combinations whose
// effect is not known. Space presses a button when it is released.
func (c *command) checkKey(ctx context.Context) error {
	if c.usesClipboard() {
		c.needClipboard("press keys that paste, copy or cut")
	}

	modifiers := string(c.params["modifiers"])
	plain := (modifiers == "" || modifiers == "0" || modifiers == "8") && c.params["commands"] == nil
	space := false
	for _, name := range keyTexts {
		s := c.textParam(name)
		space = space || s == " " || s == "Space"
		plain = plain && !strings.HasSuffix(s, "Enter") && !strings.ContainsAny(s, "\r\n")
	}
	for _, name := range keyCodes {
		code := c.keyCode(name)
		space, plain = space || code == 32, plain && code != 13
	}

	switch up := c.textParam("type") == "keyUp"; {
	case up && space:
		return c.checkRelease(ctx)
	case up, plain && !space:
		return nil
	}

	return c.checkSubmit(ctx)
}

func (c *command) keyCode(name string) (code float64) {
	_ = json.Unmarshal(c.params[name], &code)
	return code
}

// checkText judges text that is inserted without keys. A line break in it acts as Enter.
func (c *command) checkText(ctx context.Context) error {
	if strings.ContainsAny(c.textParam("text"), "\r\n") {
		return c.checkSubmit(ctx)
	}

	return nil
}

// checkSubmit requires the right to send a form if a field for a password, a code or a payment is filled on the page,
// or if the page cannot be read.
func (c *command) checkSubmit(ctx context.Context) error {
	if c.rules.Right(policy.Submit) == policy.Yes {
		return nil
	}

	ctx, cancel := context.WithTimeout(ctx, formguard.ReadLimit)
	defer cancel()
	if kind := c.forms.FilledKind(ctx, c.session); kind != sensitive.None {
		c.need(policy.Submit, "press a button or a key on a page "+filledWords(kind))
	}

	return nil
}

// filledWords returns the words that tell the person which kind of field is filled on a page.
func filledWords(kind sensitive.Kind) string {
	switch kind {
	case sensitive.Password:
		return "with a password field that is filled"
	case sensitive.Code:
		return "with a one-time code field that is filled"
	case sensitive.Payment:
		return "with a payment field that is filled"
	}

	return "that may have a password or payment field that is filled (Cove could not check the page)"
}

func (c *command) needClipboard(what string) {
	if c.rules.Right(policy.Clipboard) != policy.Yes {
		c.need(policy.Clipboard, what)
	}
}

// usesClipboard reports whether a key pastes, copies or cuts on any operating system.
func (c *command) usesClipboard() bool {
	commands := strings.ToLower(string(c.params["commands"]))
	for _, word := range [...]string{"paste", "copy", "cut", "yank", `\`} {
		if strings.Contains(commands, word) {
			return true
		}
	}
	if c.textParam("type") == "keyUp" {
		return false
	}

	var modifiers int
	if raw, there := c.params["modifiers"]; there && json.Unmarshal(raw, &modifiers) != nil {
		modifiers = -1 // all of them
	}
	var letter, insert, remove bool
	for _, name := range keyTexts {
		switch c.textParam(name) {
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
	for _, name := range keyCodes {
		code := c.keyCode(name)
		if name == "windowsVirtualKeyCode" && (code < 0 || code > 255) {
			return true // the browser reads the bits above a byte as modifiers
		}
		letter = letter || code == 'V' || code == 'C' || code == 'X'
		insert, remove = insert || code == 45, remove || code == 46
	}

	const control, meta, shift = 2, 4, 8
	return (letter && modifiers&(control|meta) != 0) || (insert && modifiers&(control|shift) != 0) ||
		(remove && modifiers&shift != 0)
}

// movesMouse reports whether the command only moves the mouse. Programs send thousands of these.
func (c *command) movesMouse() bool {
	if c.method != "Input.dispatchMouseEvent" {
		return false
	}
	params, err := cdp.Fields(c.raw)

	return err == nil && string(params["type"]) == `"mouseMoved"`
}
