package page

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"time"

	"cove/internal/cdp"
	"cove/internal/fault"
)

// Browser is one open browser as its agents see it. It attaches to every tab from the start, so that console and network are
// there when somebody asks; each tab by itself, so that one that hangs holds nobody up.
type Browser struct {
	conn  *cdp.Conn
	log   *slog.Logger
	rules Rules
	// hide and addresses take out of what pages say what agents are not told; nil for nothing.
	hide, addresses func(string) string

	telling   sync.Mutex // held while the browser is told about downloads
	mu        sync.Mutex
	tabs      map[string]*Tab // by target id
	sessions  map[string]*Tab // by session id, those of frames in other processes too
	order     []*Tab
	files     int // tabs that have come to show something, and went because it was a file
	documents int
	downloads downloads
	denied    bool            // pages may not save files
	contexts  map[string]bool // the browser contexts that there were tabs of
	enforced  int             // how often the rules have changed
	cleared   map[string]int  // by browser context: after which of these its cache was cleared
	changed   signal
}

// New makes a browser; Event must get what its connection hears, and Start begins.
func New(log *slog.Logger) *Browser {
	return &Browser{log: log, rules: free{}, tabs: map[string]*Tab{}, sessions: map[string]*Tab{}, contexts: map[string]bool{}, cleared: map[string]int{}, changed: newSignal()}
}

type object = map[string]any

// commandLimit bounds a command that answers at once in a tab that is well.
const commandLimit = 15 * time.Second

var errSilent = fault.New(fault.CodeSilent, "The browser does not answer.", "Wait and try again; if it stays so, close the profile and open it again.")

// Start attaches to the tabs that are there and to each new one.
func (b *Browser) Start(ctx context.Context, conn *cdp.Conn) error {
	b.conn = conn
	ctx, cancel := context.WithTimeoutCause(ctx, commandLimit, errSilent)
	defer cancel()
	pages := []object{{"type": "page"}, {"exclude": true}}
	var pending []*cdp.Pending
	for _, c := range []struct {
		method string
		params object
	}{
		{"Target.setDiscoverTargets", object{"discover": true, "filter": pages}},
		// A new tab waits until it is instrumented: nothing of its beginning is missed.
		{"Target.setAutoAttach", object{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": pages}},
		{"Browser.setDownloadBehavior", downloading(true, "")},
	} {
		pending = append(pending, conn.Start("", c.method, c.params))
	}
	for _, p := range pending {
		if err := p.Wait(ctx, nil); err != nil {
			return err
		}
	}
	return nil
}

// target is what the browser says of a tab.
type target struct {
	ID      string `json:"targetId"`
	Type    string `json:"type"`
	Title   string `json:"title"`
	URL     string `json:"url"`
	Opener  string `json:"openerId"`
	Context string `json:"browserContextId"`
}

// Event takes what the browser says. It is called in order and never waits.
func (b *Browser) Event(e cdp.Event) {
	switch e.Method {
	case "Target.targetInfoChanged", "Target.targetCreated":
		var p struct {
			TargetInfo target `json:"targetInfo"`
		}
		if json.Unmarshal(e.Params, &p) == nil {
			b.told(p.TargetInfo)
		}
		return
	case "Target.attachedToTarget":
		b.attached(e)
		return
	case "Target.detachedFromTarget":
		var p struct {
			SessionID string `json:"sessionId"`
		}
		if json.Unmarshal(e.Params, &p) == nil {
			b.detached(p.SessionID)
		}
		return
	case "Target.targetDestroyed", "Target.targetCrashed":
		var p struct {
			TargetID string `json:"targetId"`
		}
		if json.Unmarshal(e.Params, &p) == nil {
			b.lost(p.TargetID, e.Method == "Target.targetCrashed")
		}
		return
	case "Browser.downloadWillBegin", "Browser.downloadProgress":
		b.downloadEvent(e)
		return
	}
	b.mu.Lock()
	t := b.sessions[e.Session]
	b.mu.Unlock()
	if t != nil {
		if b.hide != nil && worded[e.Method] {
			e.Params = json.RawMessage(b.hide(string(e.Params)))
		}
		t.event(e)
	}
}

func (b *Browser) told(info target) {
	b.mu.Lock()
	t := b.tabs[info.ID]
	b.mu.Unlock()
	if t != nil {
		t.mu.Lock()
		t.info = info
		t.mu.Unlock()
	}
	b.changed.broadcast()
}

// attached takes a new session: of a tab, or of a frame in another process.
func (b *Browser) attached(e cdp.Event) {
	var p struct {
		SessionID string `json:"sessionId"`
		Info      target `json:"targetInfo"`
		Waiting   bool   `json:"waitingForDebugger"`
	}
	if json.Unmarshal(e.Params, &p) != nil {
		return
	}
	b.mu.Lock()
	parent := b.sessions[e.Session]
	switch {
	case parent != nil && p.Info.Type == "iframe":
		b.sessions[p.SessionID] = parent
		b.mu.Unlock()
		parent.frameAttached(p.SessionID, p.Info)
	case parent == nil && p.Info.Type == "page" && b.tabs[p.Info.ID] == nil:
		t := newTab(b, p.Info, p.SessionID)
		b.tabs[p.Info.ID], b.sessions[p.SessionID] = t, t
		b.order = append(b.order, t)
		b.mu.Unlock()
		b.meet(p.Info.Context)
		if cleared := t.clearCache(); cleared != nil {
			go func() { // the tab waits meanwhile
				<-cleared
				t.instrument(p.SessionID)
			}()
		} else {
			t.instrument(p.SessionID)
		}
	default:
		b.mu.Unlock()
		// A worker: the browser holds it for us, whether it is in the filter or not, and tells us of it only if it is.
		b.conn.Start(p.SessionID, "Runtime.runIfWaitingForDebugger", nil)
		b.conn.Start(e.Session, "Target.detachFromTarget", object{"sessionId": p.SessionID})
		return
	}
	b.changed.broadcast()
}

func (b *Browser) detached(session string) {
	b.mu.Lock()
	t := b.sessions[session]
	delete(b.sessions, session)
	b.mu.Unlock()
	if t == nil {
		return
	}
	if t.session == session {
		b.lost(t.id, false)
		return
	}
	t.frameSessionGone(session)
	b.conn.Drop(session)
}

// lost takes a tab away that is closed, or marks one that crashed: a reload brings it back.
func (b *Browser) lost(id string, crashed bool) {
	b.mu.Lock()
	t := b.tabs[id]
	b.mu.Unlock()
	kept := t != nil && t.keeping(0)
	b.mu.Lock()
	if t != nil && !crashed {
		delete(b.tabs, id)
		b.order = slices.DeleteFunc(b.order, func(o *Tab) bool { return o == t })
		if kept {
			b.files++
		}
		for session, owner := range b.sessions {
			if owner == t {
				delete(b.sessions, session)
			}
		}
	}
	b.mu.Unlock()
	if t != nil {
		t.end(crashed)
	}
	b.changed.broadcast()
}

// Tabs lists the open tabs in the order in which they were opened.
func (b *Browser) Tabs() []*Tab {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.order)
}

// Show brings the window to the front, with the tab that is shown in it.
func (b *Browser) Show(ctx context.Context) error {
	tabs := b.Tabs()
	if len(tabs) == 0 {
		return nil
	}
	shown := tabs[len(tabs)-1]
	for _, t := range tabs {
		if t.visible(ctx) {
			shown = t
			break
		}
	}
	return shown.BringToFront(ctx)
}

// Refresh asks for the titles and addresses of all tabs: the browser does not tell every change. It needs no answer of a page.
func (b *Browser) Refresh(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, commandLimit)
	defer cancel()
	var r struct {
		Infos []target `json:"targetInfos"`
	}
	if b.conn.Call(ctx, "", "Target.getTargets", object{"filter": []object{{"type": "page"}, {"exclude": true}}}, &r) != nil {
		return
	}
	for _, info := range r.Infos {
		b.told(info)
	}
}

// Open opens a tab and waits until it is attached. context is a browser context, "" for the profile's own.
func (b *Browser) Open(ctx context.Context, url string, background bool, browserContext string) (*Tab, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, commandLimit, errSilent)
	defer cancel()
	params := object{"url": url, "background": background}
	if browserContext != "" {
		params["browserContextId"] = browserContext
	}
	var made struct {
		TargetID string `json:"targetId"`
	}
	if err := b.conn.Call(ctx, "", "Target.createTarget", params, &made); err != nil {
		return nil, err
	}
	return b.await(ctx, made.TargetID)
}

// await waits until a tab is attached.
func (b *Browser) await(ctx context.Context, id string) (*Tab, error) {
	for {
		next := b.changed.wait()
		b.mu.Lock()
		t := b.tabs[id]
		b.mu.Unlock()
		if t != nil {
			return t, nil
		}
		select {
		case <-next:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// AwaitTab waits until there is any tab: a browser that just opened may not have told of one.
func (b *Browser) AwaitTab(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, commandLimit)
	defer cancel()
	for {
		next := b.changed.wait()
		if len(b.Tabs()) > 0 {
			return nil
		}
		select {
		case <-next:
		case <-ctx.Done():
			return fault.New(fault.CodeNoTab, "The browser has no tab.", "Open one with new_page.")
		}
	}
}

// NewContext makes a browser context that shares nothing with the profile.
func (b *Browser) NewContext(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, commandLimit, errSilent)
	defer cancel()
	var made struct {
		ID string `json:"browserContextId"`
	}
	err := b.conn.Call(ctx, "", "Target.createBrowserContext", object{"disposeOnDetach": false}, &made)
	return made.ID, err
}

// Documents is how many documents agents have looked into; it counts those of a browser before this one too, once SkipDocuments has
// told of them, so that no uid ever means something else.
func (b *Browser) Documents() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.documents
}

// SkipDocuments leaves out the labels of the first n documents.
func (b *Browser) SkipDocuments(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.documents = max(b.documents, n)
}

// nextDocument numbers a document that an agent looks into.
func (b *Browser) nextDocument() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.documents++
	return b.documents - 1
}

// signal wakes everybody who waits for a change.
type signal struct {
	mu *sync.Mutex
	c  *chan struct{}
}

func newSignal() signal {
	c := make(chan struct{})
	return signal{&sync.Mutex{}, &c}
}

// wait is closed at the next change. Take it before looking at the state.
func (s signal) wait() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *s.c
}

func (s signal) broadcast() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(*s.c)
	*s.c = make(chan struct{})
}
