package target

import (
	"context"
	"fmt"

	"cove/internal/cdp"
	"cove/internal/wording"
)

// Dialog is an open JavaScript dialog. It blocks its page until somebody answers it.
type Dialog struct {
	Kind    string // alert, confirm, prompt, beforeunload
	Message string
	Default string
	full    string // the default as the page gave it, however long
}

// String returns the kind of the dialog, its text and its default value.
func (d Dialog) String() string {
	text := d.Kind + ": " + wording.Shorten(d.Message, 2000)
	if d.Kind == "prompt" && d.Default != "" {
		text += fmt.Sprintf(" (default value: %q)", d.Default)
	}
	return text
}

// Answer returns the parameters of Page.handleJavaScriptDialog for an answer. A prompt that is accepted without a text
// gets its default, as when a person presses OK: without one the browser sends an empty text.
func (d Dialog) Answer(accept bool, text *string) map[string]any {
	params := map[string]any{"accept": accept}
	switch {
	case text != nil:
		params["promptText"] = *text
	case accept && d.Kind == "prompt":
		params["promptText"] = d.full
	}
	return params
}

// DialogOpen is the error of a call that an open dialog blocks.
type DialogOpen struct{ Dialog }

// Error says which dialog is open.
func (e *DialogOpen) Error() string { return "A dialog is open (" + e.String() + ")." }

// DialogEvent records that a dialog has opened or closed.
func (t *Target) DialogEvent(e cdp.Event) {
	if e.Session != t.Session {
		return // the sessions of the tab's frames report the same dialog
	}
	p, ok := Decode[struct {
		Type          string `json:"type"`
		Message       string `json:"message"`
		DefaultPrompt string `json:"defaultPrompt"`
	}](e)
	if !ok {
		return
	}

	t.mu.Lock()
	if e.Method == "Page.javascriptDialogOpening" {
		t.dialogs++
		t.setDialog(&Dialog{p.Type, wording.Shorten(p.Message, 4000), wording.Shorten(p.DefaultPrompt, 1000),
			p.DefaultPrompt})
	} else {
		t.setDialog(nil)
	}
	t.mu.Unlock()
	t.Changed.Broadcast()
}

// setDialog records the open dialog, or with nil that none is open. The caller has locked mu.
func (t *Target) setDialog(d *Dialog) {
	t.dialog = d
	switch {
	case d != nil:
		t.block(&DialogOpen{*d})
	case t.unblocked.Err() != nil:
		t.unblocked, t.block = context.WithCancelCause(context.Background())
	}
}

// ForgetDialogs records that the document is gone, and its dialogs with it.
func (t *Target) ForgetDialogs() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.dialogs = 0
	t.setDialog(nil)
}

// Dialog returns the open dialog, or nil.
func (t *Target) Dialog() *Dialog {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.dialog
}

// Dialogs returns how many dialogs the present document has opened.
func (t *Target) Dialogs() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.dialogs
}

// DialogError returns a *DialogOpen when a dialog is open, else nil.
func (t *Target) DialogError() error {
	if d := t.Dialog(); d != nil {
		return &DialogOpen{*d}
	}
	return nil
}

// AnswerDialog answers the open dialog with the parameters of Page.handleJavaScriptDialog. It does not use Call, which
// fails while a dialog is open.
func (t *Target) AnswerDialog(ctx context.Context, params map[string]any) error {
	ctx, cancel := t.Bound(ctx, CommandLimit)
	defer cancel()
	return t.Conn.Call(ctx, t.Session, "Page.handleJavaScriptDialog", params, nil)
}

// DialogAnswered records that d is closed, unless the script has opened the next dialog already.
func (t *Target) DialogAnswered(d *Dialog) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dialog == d {
		t.setDialog(nil)
	}
}
