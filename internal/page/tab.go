package page

import (
	"context"
	"errors"
	"sync"
	"time"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/page/capture"
	"cove/internal/page/devlog"
	"cove/internal/page/dom"
	"cove/internal/page/emulation"
	"cove/internal/page/logpoint"
	"cove/internal/page/mock"
	"cove/internal/page/profiler"
	"cove/internal/page/target"
	"cove/internal/page/webmcp"
)

// Dialog is an open JavaScript dialog of a tab.
type Dialog = target.Dialog

// DialogOpen is the error of a call that an open dialog blocks.
type DialogOpen = target.DialogOpen

// Tab is one tab. It is made of parts that each have a lock of their own: the connection and life of its target, its
// frames, its event log, and the parts that capture, emulate and profile it. Tab itself has only what concerns all of
// them: the tab's identity, its turn, its navigation and the effects of an action in it.
//
// A Tab lives from the moment the Browser attaches to it until the browser reports its end. After that every call
// fails. A crash also makes calls fail, until the page is loaded again. All methods may be called from any goroutine,
// except event, which only Browser.Event calls. Whoever acts in the tab calls Lock first.
type Tab struct {
	Target   *target.Target
	Frames   *dom.Frames
	Log      *devlog.Log
	Camera   *capture.Camera
	Emulator *emulation.Emulator
	Profiler *profiler.Profiler
	// Logpoints are what agents log of the page's scripts.
	Logpoints *logpoint.Logpoints
	// Mocks are agents' answers to the page's requests.
	Mocks *mock.Mocks
	// Tools are the tools that the tab's pages offer.
	Tools *webmcp.Tools

	b    *Browser
	turn target.Mutex // locked by whoever acts in this tab; other tabs have their own

	mu   sync.Mutex
	info targetInfo
}

func newTab(b *Browser, info targetInfo, session string) *Tab {
	t := &Tab{b: b, info: info, Target: target.New(b.conn, info.ID, session), turn: target.NewMutex()}
	t.Log = devlog.New(t.Target, info.ID, b.redacted)
	t.Frames = dom.New(t.Target, info.URL, dom.Config{
		NextDocument: b.nextDocument,
		Elsewhere:    t.isElsewhere,
		Redact:       b.redacted,
		Address:      b.address,
		Committed:    t.committed,
		Closed:       t.frameError,
		Arrived:      t.emptyRefused,
	})
	viewport := target.NewMutex()
	t.Emulator = emulation.New(t.Target, viewport)
	t.Camera = capture.New(t.Target, t.Frames, viewport, t.Emulator.Restore, b.log)
	t.Profiler = profiler.New(t.Target)
	t.Logpoints = logpoint.New(t.Target)
	t.Mocks = mock.New(t.Target, b.rules.Closed)
	t.Tools = webmcp.New(t.Target, func(i webmcp.Invocation) {
		if b.invoked != nil {
			b.invoked(t, i)
		}
	})
	return t
}

// committed records that another document has come. The tree of frames is locked meanwhile.
func (t *Tab) committed(loader string) {
	t.Log.Navigated(loader)
	t.Camera.Committed()
}

// isElsewhere reports whether the document with this label is in another tab.
func (t *Tab) isElsewhere(label string) bool {
	for _, other := range t.b.Tabs() {
		if other.Frames.Has(label) {
			return other != t
		}
	}
	return false
}

// instrument makes a session of the tab report the events that we record, then lets it run. It waits for no answer: a
// tab that hangs answers when it can.
func (t *Tab) instrument(session string) {
	buffers := object{"maxTotalBufferSize": 32 << 20, "maxResourceBufferSize": 8 << 20, "maxPostDataSize": 64 << 10}
	inner := []object{{"type": "iframe"}, {"type": "worker"}, {"type": "worklet"}, {"exclude": true}}
	for _, c := range []struct {
		method string
		params object
	}{
		{"Inspector.enable", nil}, // reports a crash
		{"Page.enable", nil},
		{"Page.setLifecycleEventsEnabled", object{"enabled": true}},
		{"Runtime.enable", nil},
		{"Log.enable", nil},
		{"Network.enable", buffers},
		{"Audits.enable", nil},
		{"Target.setAutoAttach", object{
			"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": inner}},
	} {
		t.Target.Post(session, c.method, c.params)
	}
	t.Mocks.Attach(session)
	t.Tools.Enable(session)
	t.Frames.ReadTree(session)
	if ready := t.Logpoints.Attach(session); ready != nil {
		go func() { // the scripts of the session do not run meanwhile
			<-ready
			t.Target.Post(session, "Runtime.runIfWaitingForDebugger", nil)
		}()
		return
	}
	t.Target.Post(session, "Runtime.runIfWaitingForDebugger", nil)
}

// event passes an event of the tab to the part that records it.
func (t *Tab) event(e cdp.Event) {
	switch e.Method {
	case "Inspector.targetCrashed":
		if e.Session == t.Target.Session {
			t.Target.End(true)
		} else {
			t.Frames.Crash(e.Session)
			t.Tools.Detach(e.Session)
		}
	case "Inspector.targetReloadedAfterCrash": // also for a restored tab, which has no process when we attach
		if e.Session == t.Target.Session {
			t.Frames.Revive()
			t.Target.Changed.Broadcast()
		}
	case "Page.javascriptDialogOpening", "Page.javascriptDialogClosed":
		t.Target.DialogEvent(e)
	case "Page.fileChooserOpened":
		t.Target.ChooserEvent(e)
	case "Page.screencastFrame":
		t.Camera.Event(e)
	case "Page.frameNavigated", "Page.frameDetached":
		t.Frames.Event(e)
		t.Tools.FrameEvent(e)
	case "Page.frameAttached", "Page.navigatedWithinDocument",
		"Page.frameStartedNavigating", "Page.frameStartedLoading", "Page.frameStoppedLoading", "Page.lifecycleEvent",
		"Runtime.executionContextCreated", "Runtime.executionContextDestroyed", "Runtime.executionContextsCleared":
		t.Frames.Event(e)
	case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded", "Audits.issueAdded":
		t.Log.ConsoleEvent(e)
	case "Network.requestWillBeSent", "Network.requestWillBeSentExtraInfo", "Network.responseReceived",
		"Network.responseReceivedExtraInfo", "Network.dataReceived", "Network.loadingFinished", "Network.loadingFailed",
		"Network.requestServedFromCache", "Network.webSocketCreated", "Network.webSocketClosed":
		t.Log.NetworkEvent(e)
		t.Target.Changed.Broadcast()
	case "Network.webSocketWillSendHandshakeRequest", "Network.webSocketHandshakeResponseReceived",
		"Network.webSocketFrameSent", "Network.webSocketFrameReceived": // nobody waits for them
		t.Log.NetworkEvent(e)
	case "Fetch.requestPaused":
		t.Mocks.Event(e)
	case "Debugger.paused":
		t.Logpoints.Event(e)
	case "WebMCP.toolsAdded", "WebMCP.toolsRemoved", "WebMCP.toolInvoked", "WebMCP.toolResponded":
		t.Tools.Event(e)
	case "HeapProfiler.addHeapSnapshotChunk", "HeapProfiler.reportHeapSnapshotProgress", "Tracing.dataCollected",
		"Tracing.tracingComplete":
		t.Profiler.Event(e)
	}
}

// Lock waits until nobody else acts in the tab. The caller must call unlock once.
func (t *Tab) Lock(ctx context.Context) (unlock func(), err error) { return t.turn.Lock(ctx) }

// ID returns the id of the tab's target.
func (t *Tab) ID() string { return t.Target.ID }

// Closed reports whether the tab is gone.
func (t *Tab) Closed() bool { return t.Target.Closed() }

// Dialog returns the open dialog, or nil.
func (t *Tab) Dialog() *Dialog { return t.Target.Dialog() }

func (t *Tab) setInfo(info targetInfo) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.info = info
}

func (t *Tab) getInfo() targetInfo {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.info
}

// About describes a tab in a list of tabs.
type About struct {
	Title, URL string
	Context    string
	Crashed    bool
	// Discarded reports that the browser has restored the tab from the last session without its page.
	Discarded bool
}

// About returns the tab's title, its address and its condition.
func (t *Tab) About() About {
	info := t.getInfo()
	a := About{info.Title, info.URL, info.Context, t.Target.Crashed(), t.Target.Discarded()}
	if url := t.Frames.URL(); url != "" {
		a.URL = url // the target reports its address a little later
	}
	return a
}

// Opener returns the id of the tab that opened this one, if it is known.
func (t *Tab) Opener() string { return t.getInfo().Opener }

// discardedLimit bounds how long a discarded tab may take to load.
const discardedLimit = 30 * time.Second

// LoadDiscarded loads the page of a tab that the browser has restored without it. It requests the address anew, because
// a reload could send a form again.
func (t *Tab) LoadDiscarded(ctx context.Context) error {
	if !t.About().Discarded {
		return nil
	}
	unlock, err := t.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	about := t.About()
	if !about.Discarded {
		return nil
	}

	_, err = t.Navigate(ctx, Navigation{Kind: "url", URL: about.URL, Limit: discardedLimit})
	return err
}

// visible reports whether the tab's window shows it. A tab that does not answer counts as hidden.
func (t *Tab) visible(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, target.BusyLimit)
	defer cancel()
	var answer struct {
		Result struct {
			Value string `json:"value"`
		} `json:"result"`
	}
	err := t.Target.Do(ctx, "Runtime.evaluate", object{"expression": "document.visibilityState"}, &answer)
	return err == nil && answer.Result.Value == "visible"
}

// BringToFront shows the tab to the person.
func (t *Tab) BringToFront(ctx context.Context) error {
	return t.Target.Do(ctx, "Page.bringToFront", nil, nil)
}

// closeAgain is how long Close waits before it asks the browser again. A page that hangs is closed sooner than that.
const closeAgain = 2 * time.Second

var errNotClosed = fault.New(fault.CodeNotClosed, "The page has not closed in time.",
	"Call close_page again.")

// Close closes the tab without asking its page. It repeats the request as often as needed: the browser drops a request
// when another document comes to the tab meanwhile.
func (t *Tab) Close(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, target.CommandLimit, errNotClosed)
	defer cancel()
	for try := 0; ; try++ {
		commits := t.Frames.Load().Commits
		err := t.b.conn.Call(ctx, "", "Target.closeTarget", object{"targetId": t.ID()}, nil)
		if err != nil && try == 0 && !t.Closed() {
			return err
		}

		wait, stop := context.WithTimeoutCause(ctx, closeAgain, errCloseAgain)
		err = target.Until(wait, &t.Target.Changed, func() bool {
			return t.Closed() || t.Frames.Load().Commits != commits
		})
		stop()
		switch {
		case t.Closed():
			return nil
		case err != nil && !errors.Is(err, errCloseAgain):
			return err
		}
	}
}

var errCloseAgain = errors.New("the tab is still there")
