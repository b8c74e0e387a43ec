package page

import (
	"context"
	"time"

	"cove/internal/cdp"
)

// How long a page may be silent before an agent is told so; less when it was silent the last time, too.
const (
	answerLimit = 4 * time.Second
	silentLimit = time.Second
)

// ask sends the page a question that it answers at once, if it answers at all.
func (t *Tab) ask() *cdp.Pending {
	return t.b.conn.Start(t.session, "Runtime.evaluate", object{"expression": "0", "returnByValue": true})
}

// attend watches over a call: it ends the context when the page does not answer. The question goes ahead of what the call sends,
// so that it costs no waiting, and a script of the call's own may take its time.
func (t *Tab) attend(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancelCause(ctx)
	limit := answerLimit
	t.mu.Lock()
	if t.silent {
		limit = silentLimit
	}
	t.mu.Unlock()
	asked := t.ask()
	go func() {
		answered := make(chan struct{})
		go func() { _ = asked.Wait(ctx, nil); close(answered) }()
		silent := false
		select {
		case <-answered:
		case <-time.After(limit):
			// The answer may lie behind much else that the browser has said: what it says now comes after it.
			if limited, cancel := t.bound(ctx, commandLimit); t.b.conn.Call(limited, "", "Browser.getVersion", nil, nil) == nil {
				select {
				case <-answered:
				default:
					silent = true
				}
				cancel()
			} else {
				cancel()
			}
		}
		if ctx.Err() != nil {
			return
		}
		t.mu.Lock()
		t.silent = silent
		t.mu.Unlock()
		if !silent {
			return
		}
		if held := t.refuseDialog(); held != nil {
			end(held)
		} else {
			end(errNoAnswer)
		}
	}()
	return ctx, func() { end(nil) }
}

// free is bound, ended also when a dialog opens: it holds everything that the page is asked.
func (t *Tab) free(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := t.bound(ctx, commandLimit)
	ctx, cause := context.WithCancelCause(ctx)
	t.mu.Lock()
	held := t.held
	t.mu.Unlock()
	stop := context.AfterFunc(held, func() { cause(context.Cause(held)) })
	return ctx, func() { stop(); cause(nil); cancel() }
}

// noTimers keeps a page that is being left from starting again.
const noTimers = "for (let i = setTimeout(() => 0); i > 0; i--) clearTimeout(i)"

// wake ends a script that keeps the page from being left. It comes before the navigation: once that has begun the browser lets
// nobody near the old document, which would wait for its script for ever.
func (t *Tab) wake(ctx context.Context) {
	t.mu.Lock()
	lived := t.lived
	t.mu.Unlock()
	if !lived || t.Dialog() != nil || t.responds(ctx, 2*silentLimit) {
		return
	}
	t.forget(t.b.conn.Start(t.session, "Runtime.evaluate", object{"expression": noTimers})) // runs when the script has ended
	t.endScript()
	t.responds(ctx, silentLimit)
}

func (t *Tab) responds(ctx context.Context, limit time.Duration) bool {
	ctx, cancel := t.bound(ctx, limit)
	defer cancel()
	return t.ask().Wait(ctx, nil) == nil
}

// breathe lets the page's script run until it rests or something opens that holds it.
func (t *Tab) breathe(ctx context.Context) {
	t.await(ctx, []*cdp.Pending{t.ask()})
}

// endScript stops the script that runs now; the browser does so even when the page does not listen.
func (t *Tab) endScript() {
	t.forget(t.b.conn.Start(t.session, "Runtime.terminateExecution", nil))
}
