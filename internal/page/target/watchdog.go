package target

import (
	"context"
	"time"

	"cove/internal/cdp"
)

// AnswerLimit is how long a page may be silent before its agent gets an error. SilentLimit applies to a page that was
// silent the last time.
const (
	AnswerLimit = 4 * time.Second
	SilentLimit = time.Second
)

// BusyLimit is the time in which an idle page answers.
const BusyLimit = 300 * time.Millisecond

// ping sends the page a command that it answers at once, if it answers at all.
func (t *Target) ping() *cdp.Pending {
	return t.Conn.Start(t.Session, "Runtime.evaluate", object{"expression": "0", "returnByValue": true})
}

// Begin starts an operation in the tab. It fails when a dialog is open. The context that it returns is that of
// Watchdog.
func (t *Target) Begin(ctx context.Context) (context.Context, context.CancelFunc, error) {
	if err := t.DialogError(); err != nil {
		return nil, nil, err
	}
	ctx, cancel := t.Watchdog(ctx)
	return ctx, cancel, nil
}

// Watchdog returns a context that ends when the page does not answer a ping. The ping goes ahead of the commands that
// the caller sends. So it costs the caller no waiting, and the caller's own script may take its time.
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

// silentAfter reports whether the page has not answered the ping within the limit.
func (t *Target) silentAfter(ctx context.Context, ping *cdp.Pending, limit time.Duration) bool {
	answered := make(chan struct{})
	go func() { _ = ping.Wait(ctx, nil); close(answered) }()
	select {
	case <-answered:
		return false
	case <-time.After(limit):
	}

	// The answer may be queued behind many other messages of the browser. An answer that the browser sends now comes
	// after it.
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

// clearTimers keeps a page that the tab leaves from starting its script again.
const clearTimers = "for (let i = setTimeout(() => 0); i > 0; i--) clearTimeout(i)"

// StopBusyScript ends a script that keeps the tab from leaving its page. Call it before the navigation: once that has
// begun, the browser lets nobody near the old document, which would wait for its script for ever.
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

// YieldToPage lets the page's script run until it rests, or until a dialog or a file chooser opens.
func (t *Target) YieldToPage(ctx context.Context) { t.AwaitInput(ctx, []*cdp.Pending{t.ping()}) }
