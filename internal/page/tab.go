package page

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"cove/internal/cdp"
	"cove/internal/fault"
)

// Tab is one tab. Its state changes with what the browser tells; its methods may be called by several agents at once.
type Tab struct {
	b       *Browser
	id      string // of its target
	session string

	// turn is taken by whoever acts in the tab: one at a time, other tabs go on.
	turn chan struct{}
	// camera is taken by whoever has a picture taken or changes the page's size: after a picture the browser sets the size again
	// that the page had when it was asked for one.
	camera chan struct{}

	mu      sync.Mutex
	info    target
	life    context.Context
	die     context.CancelCauseFunc
	crashed bool
	lived   bool // it has had a document since we know it
	frames  map[string]*frame
	main    string
	silent  bool // it did not answer the last time
	dialog  *Dialog
	dialogs int             // of this document
	held    context.Context // ends when a dialog opens
	hold    context.CancelCauseFunc
	load    load
	chooser *chooser
	console console
	network network
	shown   emulation
	posts   map[string]bool // by loader: documents that are answers to a form
	cast    *screencast
	viewers map[chan struct{}]struct{} // who wants to know that it has drawn something
	heap    *queue                     // takes the parts of a heap snapshot
	traced  chan string                // set while a trace is recorded; gets its stream at the end
	ending  chan string
	changed signal
}

var (
	errTabClosed  = fault.New(fault.CodeTabClosed, "The page has been closed.", "list_pages shows what is open.")
	errTabCrashed = fault.New(fault.CodeTabCrashed, "The page has crashed.", "navigate_page with type reload brings it back.")
)

func newTab(b *Browser, info target, session string) *Tab {
	t := &Tab{b: b, id: info.ID, session: session, info: info, turn: make(chan struct{}, 1), camera: make(chan struct{}, 1), frames: map[string]*frame{}, main: info.ID, changed: newSignal()}
	t.life, t.die = context.WithCancelCause(context.Background())
	t.held, t.hold = context.WithCancelCause(context.Background())
	t.frames[t.main] = &frame{id: t.main, session: session, url: info.URL}
	return t
}

// instrument makes a session of the tab tell what we want to know, then lets it run. Nothing is waited for: a tab that hangs
// answers when it can.
func (t *Tab) instrument(session string) {
	for _, c := range []struct {
		method string
		params object
	}{
		{"Inspector.enable", nil}, // tells of a crash
		{"Page.enable", nil},
		{"Page.setLifecycleEventsEnabled", object{"enabled": true}},
		{"Runtime.enable", nil},
		{"Log.enable", nil},
		{"Network.enable", object{"maxTotalBufferSize": 32 << 20, "maxResourceBufferSize": 8 << 20, "maxPostDataSize": 64 << 10}},
		{"Audits.enable", nil},
		{"Target.setAutoAttach", object{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": []object{{"type": "iframe"}, {"type": "worker"}, {"type": "worklet"}, {"exclude": true}}}},
	} {
		t.forget(t.b.conn.Start(session, c.method, c.params))
	}
	tree := t.b.conn.Start(session, "Page.getFrameTree", nil)
	t.forget(t.b.conn.Start(session, "Runtime.runIfWaitingForDebugger", nil))
	go t.readFrames(session, tree)
}

// forget leaves a command to itself.
func (t *Tab) forget(p *cdp.Pending) {
	go func() {
		ctx, cancel := context.WithTimeout(t.lifeContext(), time.Minute)
		defer cancel()
		_ = p.Wait(ctx, nil)
	}()
}

func (t *Tab) lifeContext() context.Context {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.life
}

// end fails everything that waits for the tab.
func (t *Tab) end(crashed bool) {
	t.mu.Lock()
	t.crashed = crashed
	t.setDialog(nil)
	if crashed {
		t.die(errTabCrashed)
	} else {
		if t.life.Err() != nil { // it had crashed before
			t.life, t.die = context.WithCancelCause(context.Background())
		}
		t.die(errTabClosed)
	}
	t.mu.Unlock()
	t.changed.broadcast()
}

// revive makes a crashed tab usable again, for the reload that heals it.
func (t *Tab) revive() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.revived()
}

// revived is revive; the caller holds mu.
func (t *Tab) revived() {
	if t.crashed {
		t.crashed = false
		t.life, t.die = context.WithCancelCause(context.Background())
		t.silent = false
		for _, f := range t.frames {
			f.forgetDocument()
			f.crashed = false
		}
	}
}

// bound is ctx with a limit, ended also when the tab goes.
func (t *Tab) bound(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errNoAnswer)
	ctx, cause := context.WithCancelCause(ctx)
	life := t.lifeContext()
	if life.Err() != nil {
		cause(context.Cause(life))
	}
	stop := context.AfterFunc(life, func() { cause(context.Cause(life)) })
	return ctx, func() { stop(); cause(nil); cancel() }
}

var errNoAnswer = fault.New(fault.CodeNoAnswer, "The page does not answer: a script keeps it busy, or it is frozen.", "Wait, navigate_page with type reload, or close_page.")

// call sends a command to a session of the tab and waits for the answer.
func (t *Tab) call(ctx context.Context, session, method string, params, result any) error {
	if err := context.Cause(t.lifeContext()); err != nil {
		return err // it is gone: not even an answer that comes in time counts
	}
	ctx, cancel := t.free(ctx)
	defer cancel()
	return t.b.conn.Call(ctx, session, method, params, result)
}

// do is call on the tab's own session.
func (t *Tab) do(ctx context.Context, method string, params, result any) error {
	return t.call(ctx, t.session, method, params, result)
}

// Lock waits for the tab's turn; whoever acts holds it.
func (t *Tab) Lock(ctx context.Context) (unlock func(), err error) {
	return take(ctx, t.turn)
}

// take waits for what only one can have at a time.
func take(ctx context.Context, one chan struct{}) (release func(), err error) {
	select {
	case one <- struct{}{}:
		return func() { <-one }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// About is what a list of tabs shows.
type About struct {
	Title, URL string
	Context    string
	Crashed    bool
	// Asleep: the browser has brought the tab back from the last session without its page.
	Asleep bool
}

// About tells the tab's title and address.
func (t *Tab) About() About {
	t.mu.Lock()
	defer t.mu.Unlock()
	a := About{t.info.Title, t.info.URL, t.info.Context, t.crashed, t.crashed && !t.lived}
	if f := t.frames[t.main]; f != nil && f.url != "" {
		a.URL = f.url // the target's address follows a little later
	}
	return a
}

// Rouse loads the page of a tab that has none yet. The address is asked for anew: to reload could send a form again.
func (t *Tab) Rouse(ctx context.Context) error {
	if !t.About().Asleep {
		return nil
	}
	unlock, err := t.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	about := t.About()
	if !about.Asleep {
		return nil
	}
	_, err = t.Navigate(ctx, Go{Kind: "url", URL: about.URL, Limit: rouseLimit})
	return err
}

const rouseLimit = 30 * time.Second

// Opener is the tab that opened this one, if it is known.
func (t *Tab) Opener() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.info.Opener
}

// ID names the tab to the browser.
func (t *Tab) ID() string { return t.id }

// Closed tells whether the tab is gone.
func (t *Tab) Closed() bool {
	return errors.Is(context.Cause(t.lifeContext()), errTabClosed)
}

// visible tells whether the tab is the one that its window shows; one that does not answer is taken for hidden.
func (t *Tab) visible(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
	defer cancel()
	var answer struct {
		Result struct {
			Value string `json:"value"`
		} `json:"result"`
	}
	return t.do(ctx, "Runtime.evaluate", object{"expression": "document.visibilityState"}, &answer) == nil && answer.Result.Value == "visible"
}

// BringToFront shows the tab to the person.
func (t *Tab) BringToFront(ctx context.Context) error {
	return t.do(ctx, "Page.bringToFront", nil, nil)
}

// closeAgain is when the browser is asked once more to close a tab; a page that hangs has been left before.
const closeAgain = 2 * time.Second

var errNotClosed = fault.New(fault.CodeNotClosed, "The page has not closed in time.", "Call close_page again.")

// Close closes the tab without asking its page. The browser drops the wish when another document comes to the tab meanwhile.
func (t *Tab) Close(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, commandLimit, errNotClosed)
	defer cancel()
	for try := 0; ; try++ {
		commits := t.present().commits
		if err := t.b.conn.Call(ctx, "", "Target.closeTarget", object{"targetId": t.id}, nil); err != nil && try == 0 && !t.Closed() {
			return err
		}
		again := time.After(closeAgain)
		for waiting := true; waiting; {
			next := t.changed.wait()
			switch {
			case t.Closed():
				return nil
			case t.present().commits != commits:
				waiting = false
				continue
			}
			select {
			case <-next:
			case <-again:
				waiting = false
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
	}
}

// event takes what the browser says of the tab.
func (t *Tab) event(e cdp.Event) {
	switch e.Method {
	case "Inspector.targetCrashed":
		if e.Session == t.session {
			t.end(true)
		} else {
			t.frameCrashed(e.Session)
		}
	case "Inspector.targetReloadedAfterCrash": // also a restored tab, which has no process when we come to it
		if e.Session == t.session {
			t.revive()
			t.changed.broadcast()
		}
	case "Page.javascriptDialogOpening", "Page.javascriptDialogClosed": // the sessions of its frames are told of the same one
		switch {
		case e.Session != t.session:
		case e.Method == "Page.javascriptDialogOpening":
			t.dialogOpened(e)
		default:
			t.dialogClosed()
		}
	case "Page.fileChooserOpened":
		t.chooserOpened(e)
	case "Page.screencastFrame":
		t.castFrame(e)
	case "Page.frameAttached", "Page.frameNavigated", "Page.frameDetached", "Page.navigatedWithinDocument",
		"Page.frameStartedNavigating", "Page.frameStartedLoading", "Page.frameStoppedLoading", "Page.lifecycleEvent":
		t.frameEvent(e)
	case "Runtime.executionContextCreated", "Runtime.executionContextDestroyed", "Runtime.executionContextsCleared":
		t.contextEvent(e)
	case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded", "Audits.issueAdded":
		t.consoleEvent(e)
	case "Network.requestWillBeSent", "Network.requestWillBeSentExtraInfo", "Network.responseReceived", "Network.responseReceivedExtraInfo",
		"Network.dataReceived", "Network.loadingFinished", "Network.loadingFailed", "Network.requestServedFromCache", "Network.webSocketCreated", "Network.webSocketClosed":
		t.networkEvent(e)
	case "HeapProfiler.addHeapSnapshotChunk", "HeapProfiler.reportHeapSnapshotProgress", "Tracing.dataCollected", "Tracing.tracingComplete":
		t.streamEvent(e)
	}
}

// decode reads an event's parameters.
func decode[T any](e cdp.Event) (p T, ok bool) {
	return p, json.Unmarshal(e.Params, &p) == nil
}
