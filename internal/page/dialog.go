package page

import (
	"context"
	"errors"
	"fmt"

	"cove/internal/cdp"
	"cove/internal/fault"
)

// Dialog is a JavaScript dialog that waits for an answer; it holds its page meanwhile.
type Dialog struct {
	Kind    string // alert, confirm, prompt, beforeunload
	Message string
	Default string
}

func (d Dialog) String() string {
	text := d.Kind + ": " + short(d.Message, 2000)
	if d.Kind == "prompt" && d.Default != "" {
		text += fmt.Sprintf(" (default value: %q)", d.Default)
	}
	return text
}

func (t *Tab) dialogOpened(e cdp.Event) {
	p, ok := decode[struct {
		Type          string `json:"type"`
		Message       string `json:"message"`
		DefaultPrompt string `json:"defaultPrompt"`
	}](e)
	if !ok {
		return
	}
	t.mu.Lock()
	t.dialogs++
	t.setDialog(&Dialog{p.Type, short(p.Message, 4000), short(p.DefaultPrompt, 1000)})
	t.mu.Unlock()
	t.changed.broadcast()
}

// setDialog notes that a dialog has opened, or that none is open; the caller holds mu.
func (t *Tab) setDialog(d *Dialog) {
	t.dialog = d
	switch {
	case d != nil:
		t.hold(&DialogOpen{*d})
	case t.held.Err() != nil:
		t.held, t.hold = context.WithCancelCause(context.Background())
	}
}

func (t *Tab) dialogClosed() {
	t.mu.Lock()
	t.setDialog(nil)
	t.mu.Unlock()
	t.changed.broadcast()
}

// dialogAnswered notes that a dialog is over, unless the script has opened the next one already.
func (t *Tab) dialogAnswered(d *Dialog) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dialog == d {
		t.setDialog(nil)
	}
}

// Dialog is the open dialog, or nil.
func (t *Tab) Dialog() *Dialog {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.dialog
}

// AnswerDialog accepts or dismisses the open dialog and waits for what follows.
func (t *Tab) AnswerDialog(ctx context.Context, accept bool, text *string) (Effects, error) {
	d := t.Dialog()
	if d == nil {
		return Effects{}, fault.New(fault.CodeNoDialog, "No dialog is open on this page.", "Go on with the next step.")
	}
	before := t.mark()
	params := object{"accept": accept}
	if text != nil {
		params["promptText"] = *text
	}
	err := t.answerDialog(ctx, params)
	var refused *cdp.Error
	if errors.As(err, &refused) {
		err = t.leaveHeld(ctx)
	}
	if err != nil {
		return Effects{}, err
	}
	t.dialogAnswered(d)
	t.breathe(ctx) // the script goes on, and may open the next
	return t.settle(ctx, before, place{})
}

// answerDialog closes the dialog, which other commands wait for.
func (t *Tab) answerDialog(ctx context.Context, params object) error {
	ctx, cancel := t.bound(ctx, commandLimit)
	defer cancel()
	return t.b.conn.Call(ctx, t.session, "Page.handleJavaScriptDialog", params, nil)
}

// manyDialogs is how often a document may ask before leaving it needs no answer any more.
const manyDialogs = 3

// leaveDialog lets a page be left that opens one dialog after another; an error when the open one is to be answered first. The
// way leads over an empty document in another process: the page's own never comes to leave it.
func (t *Tab) leaveDialog(ctx context.Context, g *Go) error {
	t.mu.Lock()
	d, many := t.dialog, t.dialogs >= manyDialogs
	t.mu.Unlock()
	switch {
	case d == nil || d.Kind == "beforeunload":
		return nil
	case !many || (g.Kind != "url" && g.Kind != "reload"):
		return &DialogOpen{*d}
	case g.Kind == "reload":
		g.Kind, g.URL = "url", t.About().URL
	}
	before := t.present().commits
	limited, cancel := t.bound(ctx, commandLimit)
	defer cancel()
	if err := t.b.conn.Call(limited, t.session, "Page.navigate", object{"url": "data:,"}, nil); err != nil {
		return err
	}
	t.until(ctx, silentLimit, func() bool { return t.present().commits != before })
	return t.refuseDialog()
}

// leaveHeld ends a dialog that cannot be answered: the next document has come while it was open, and waits for it. Only another
// navigation closes it, so the same address is asked for once more.
func (t *Tab) leaveHeld(ctx context.Context) error {
	to := "about:blank"
	t.mu.Lock()
	if l := t.load; l.pending != "" && !t.posts[l.pending] && web(l.to) {
		to = l.to
	}
	t.mu.Unlock()
	ctx, cancel := t.bound(ctx, commandLimit)
	defer cancel()
	return t.b.conn.Call(ctx, t.session, "Page.navigate", object{"url": to}, nil)
}

// refuseDialog is the error of everything that a dialog holds up.
func (t *Tab) refuseDialog() error {
	if d := t.Dialog(); d != nil {
		return &DialogOpen{*d}
	}
	return nil
}

// DialogOpen says that a dialog has to be answered first.
type DialogOpen struct{ Dialog }

func (e *DialogOpen) Error() string { return "A dialog is open (" + e.String() + ")." }

// short cuts a text that a page may have made as long as it likes.
func short(text string, most int) string {
	if len(text) <= most {
		return text
	}
	count, end := 0, len(text)
	for i := range text {
		if count++; count == most+1 {
			end = i
		}
	}
	if count <= most {
		return text
	}
	return fmt.Sprintf("%s…(+%d characters)", text[:end], count-most)
}
