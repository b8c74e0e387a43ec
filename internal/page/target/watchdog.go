package target

import (
	"context"
	"time"

	"cove/internal/cdp"
)

// How long a page may be silent before its agent hears of it. SilentLimit is for a page that was silent the last time.
const (
	AnswerLimit = 4 * time.Second
	SilentLimit = time.Second
)

// BusyLimit is how soon an idle page answers.
const BusyLimit = 300 * time.Millisecond

// ping sends the page a question that it answers at once, if it answers at all.
func (t *Target) ping() *cdp.Pending {
	return t.Conn.Start(t.Session, "Runtime.evaluate", object{"expression": "0", "returnByValue": true})
}

// Begin starts an operation in the tab: it fails when a dialog is open, and watches over the rest like Watchdog.
func (t *Target) Begin(ctx context.Context) (context.Context, context.CancelFunc, error) {
	if err := t.DialogError(); err != nil {
		return nil, nil, err
	}
	ctx, cancel := t.Watchdog(ctx)
	return ctx, cancel, nil
}

// Watchdog ends the context when the page does not answer. Its question goes ahead of what the caller sends, so that it
// costs no waiting, and a script of the caller's own may take its time.
func (t *Target) Watchdog(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancelCause(ctx)
	limit := AnswerLimit
	t.mu.Lock()
	if t.silent {
		limit = SilentLimit
	}
	t.mu.Unlock()

	ping := t.ping()
	go func() {
		silent := t.silentAfter(ctx, ping, limit)
		if ctx.Err() != nil {
			return
		}

		t.mu.Lock()
		t.silent = silent
		t.mu.Unlock()
		if !silent {
			return
		}
		if blocked := t.DialogError(); blocked != nil {
			end(blocked)
		} else {
			end(ErrNoAnswer)
		}
	}()
	return ctx, func() { end(nil) }
}

// silentAfter reports whether the page has not answered when the limit is over.
func (t *Target) silentAfter(ctx context.Context, ping *cdp.Pending, limit time.Duration) bool {
	answered := make(chan struct{})
	go func() { _ = ping.Wait(ctx, nil); close(answered) }()
	select {
	case <-answered:
		return false
	case <-time.After(limit):
	}

	// The answer may lie behind much else that the browser has said. What it says now comes after it.
	limited, cancel := t.Bound(ctx, CommandLimit)
	defer cancel()
	if t.Conn.Call(limited, "", "Browser.getVersion", nil, nil) != nil {
		return false
	}
	select {
	case <-answered:
		return false
	default:
		return true
	}
}

// clearTimers keeps a page that is being left from starting again.
const clearTimers = "for (let i = setTimeout(() => 0); i > 0; i--) clearTimeout(i)"

// StopBusyScript ends a script that keeps the page from being left. Call it before the navigation: once that has begun
// the browser lets nobody near the old document, which would wait for its script for ever.
func (t *Target) StopBusyScript(ctx context.Context) {
	t.mu.Lock()
	lived := t.lived
	t.mu.Unlock()
	if !lived || t.Dialog() != nil || t.Responds(ctx, 2*SilentLimit) {
		return
	}

	t.Post(t.Session, "Runtime.evaluate", object{"expression": clearTimers}) // runs when the script has ended
	// The browser stops the script even when the page does not listen.
	t.Post(t.Session, "Runtime.terminateExecution", nil)
	t.Responds(ctx, SilentLimit)
}

// Responds reports whether the page answers within the limit.
func (t *Target) Responds(ctx context.Context, limit time.Duration) bool {
	ctx, cancel := t.Bound(ctx, limit)
	defer cancel()
	return t.ping().Wait(ctx, nil) == nil
}

// YieldToPage lets the page's script run until it rests or something opens that blocks it.
func (t *Target) YieldToPage(ctx context.Context) { t.AwaitInput(ctx, []*cdp.Pending{t.ping()}) }
