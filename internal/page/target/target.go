// Package target presents one tab as the protocol knows it: its sessions, its life, what interrupts it, and how to wait
// for it. It knows nothing about frames, about the browser's other tabs or about what agents do.
package target

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"cove/internal/cdp"
	"cove/internal/fault"
)

type object = map[string]any

// CommandLimit bounds a command that a healthy tab answers at once.
const CommandLimit = 15 * time.Second

// ErrClosed, ErrCrashed and ErrNoAnswer end the calls to a tab that is closed, has crashed or does not answer.
var (
	ErrClosed = fault.New(fault.CodeTabClosed, "The page has been closed.",
		"list_pages shows what is open.")
	ErrCrashed = fault.New(fault.CodeTabCrashed, "The page has crashed.",
		"navigate_page with type reload brings it back.")
	ErrNoAnswer = fault.New(fault.CodeNoAnswer,
		"The page does not answer: a script keeps it busy, or it is frozen.",
		"Wait, navigate_page with type reload, or close_page.")
)

// Target is one attached tab. It owns the tab's life (open, crashed, closed), its dialog and its file chooser. A Target
// begins alive. End ends it; after a crash Revive makes it alive again, after a close nothing does. ID, Session and
// Conn never change. All methods may be called from any goroutine. None calls a function of its caller while mu is
// locked.
type Target struct {
	ID      string
	Session string // of the tab itself; frames in other processes have sessions of their own
	Conn    *cdp.Conn
	// Changed announces every change of the tab that somebody may wait for.
	Changed Signal

	mu      sync.Mutex
	life    context.Context
	die     context.CancelCauseFunc
	gone    context.Context // ends when the tab is closed
	close   context.CancelFunc
	crashed bool
	lived   bool // the tab has had a document since we attached
	silent  bool // the page did not answer the last ping of Watchdog

	dialog    *Dialog
	dialogs   int             // how many the present document has opened
	unblocked context.Context // ends when a dialog opens
	block     context.CancelCauseFunc
	chooser   *Chooser
}

// New returns a Target that is alive.
func New(conn *cdp.Conn, id, session string) *Target {
	t := &Target{ID: id, Session: session, Conn: conn}
	t.life, t.die = context.WithCancelCause(context.Background())
	t.gone, t.close = context.WithCancel(context.Background())
	t.unblocked, t.block = context.WithCancelCause(context.Background())
	return t
}

// Call sends a command to a session of the tab and waits for the answer. It fails when the tab closes or crashes, and
// when a dialog opens.
func (t *Target) Call(ctx context.Context, session, method string, params, result any) error {
	if err := context.Cause(t.Life()); err != nil {
		return err // the tab has ended: even an answer that comes in time does not count
	}

	ctx, cancel := t.Unblocked(ctx)
	defer cancel()
	return t.Conn.Call(ctx, session, method, params, result)
}

// Do is Call on the tab's own session.
func (t *Target) Do(ctx context.Context, method string, params, result any) error {
	return t.Call(ctx, t.Session, method, params, result)
}

// Post sends a command whose answer nobody needs. It does not report that the browser is gone.
func (t *Target) Post(session, method string, params any) { _ = t.Conn.Post(session, method, params) }

// Bound returns ctx with a time limit. The context also ends when the tab closes or crashes.
func (t *Target) Bound(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, ErrNoAnswer)
	ctx, cause := context.WithCancelCause(ctx)
	life := t.Life()
	if life.Err() != nil {
		cause(context.Cause(life))
	}
	stop := context.AfterFunc(life, func() { cause(context.Cause(life)) })
	return ctx, func() { stop(); cause(nil); cancel() }
}

// Unblocked is Bound with CommandLimit. The context also ends when a dialog is open, because a dialog blocks the whole
// page.
func (t *Target) Unblocked(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := t.Bound(ctx, CommandLimit)
	ctx, cause := context.WithCancelCause(ctx)
	t.mu.Lock()
	unblocked := t.unblocked
	t.mu.Unlock()
	stop := context.AfterFunc(unblocked, func() { cause(context.Cause(unblocked)) })
	return ctx, func() { stop(); cause(nil); cancel() }
}

// Until waits until the tab's state satisfies ok. It reports false when the limit is over or the tab has ended first.
func (t *Target) Until(ctx context.Context, limit time.Duration, ok func() bool) bool {
	ctx, cancel := t.Bound(ctx, limit)
	defer cancel()
	return Until(ctx, &t.Changed, ok) == nil || ok()
}

// Pause waits for the given time, or until something interrupts the tab.
func (t *Target) Pause(ctx context.Context, d time.Duration) { t.Until(ctx, d, t.Interrupted) }

// Interrupted reports whether it is of no use to wait any longer: a dialog or a file chooser is open, or the tab has
// closed or crashed.
func (t *Target) Interrupted() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.dialog != nil || t.chooser.opened() || t.life.Err() != nil
}

// inputLimit bounds how long the page may take to process input.
const inputLimit = 2 * time.Second

// AwaitInput waits until the page has processed the input that was sent, or something interrupts the tab. It reports
// false when neither happens in time.
func (t *Target) AwaitInput(ctx context.Context, sent []*cdp.Pending) bool {
	ctx, cancel := t.Bound(ctx, inputLimit)
	defer cancel()
	processed := make(chan struct{})
	go func() {
		defer close(processed)
		for _, p := range sent {
			_ = p.Wait(ctx, nil)
		}
	}()

	_, _, err := Await(ctx, &t.Changed, processed, t.Interrupted)
	return err == nil && (ctx.Err() == nil || t.Interrupted())
}

// Decode reads the parameters of an event.
func Decode[T any](e cdp.Event) (params T, ok bool) {
	return params, json.Unmarshal(e.Params, &params) == nil
}
