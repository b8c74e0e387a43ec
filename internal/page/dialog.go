package page

import (
	"context"
	"errors"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/page/dom"
	"cove/internal/page/target"
)

// AnswerDialog accepts or dismisses the open dialog and waits for the effects.
func (t *Tab) AnswerDialog(ctx context.Context, accept bool, text *string) (Effects, error) {
	d := t.Dialog()
	if d == nil {
		return Effects{}, fault.New(fault.CodeNoDialog, "No dialog is open on this page.",
			"Go on with the next step.")
	}

	before := t.Mark()
	err := t.Target.AnswerDialog(ctx, d.Answer(accept, text))
	var refused *cdp.Error
	if errors.As(err, &refused) {
		err = t.escapeStaleDialog(ctx)
	}
	if err != nil {
		return Effects{}, err
	}
	t.Target.DialogAnswered(d)
	t.Target.YieldToPage(ctx) // the script goes on, and may open the next dialog
	return t.Settle(ctx, before, dom.Element{})
}

// manyDialogs is how many dialogs a document must have opened before it can be left without an answer to the last.
const manyDialogs = 3

// escapeDialogs lets the navigation n leave a page that opens one dialog after another. It returns an error when the
// open dialog has to be answered first. It loads an empty document in another process first, because the page's own
// process never gets around to leaving it.
func (t *Tab) escapeDialogs(ctx context.Context, n *Navigation) error {
	d, many := t.Dialog(), t.Target.Dialogs() >= manyDialogs
	switch {
	case d == nil || d.Kind == "beforeunload":
		return nil
	case !many || (n.Kind != "url" && n.Kind != "reload"):
		return &DialogOpen{Dialog: *d}
	case n.Kind == "reload":
		n.Kind, n.URL = "url", t.About().URL
	}

	commits := t.Frames.Load().Commits
	if err := t.goTo(ctx, "data:,"); err != nil {
		return err
	}
	t.Target.Until(ctx, target.SilentLimit, func() bool { return t.Frames.Load().Commits != commits })
	return t.Target.DialogError()
}

// escapeStaleDialog closes a dialog that cannot be answered: the next document has come while the dialog was open, and
// waits for it. Only another navigation closes such a dialog, so the same address is requested once more.
func (t *Tab) escapeStaleDialog(ctx context.Context) error {
	to := "about:blank"
	if l := t.Frames.Load(); l.Pending != "" && !t.Log.Posted(l.Pending) && dom.IsWeb(l.To) {
		to = l.To
	}
	return t.goTo(ctx, to)
}

// goTo navigates without waiting for the document. An open dialog does not end the command.
func (t *Tab) goTo(ctx context.Context, url string) error {
	ctx, cancel := t.Target.Bound(ctx, target.CommandLimit)
	defer cancel()
	return t.b.conn.Call(ctx, t.Target.Session, "Page.navigate", object{"url": url}, nil)
}
