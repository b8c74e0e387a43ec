package page

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/page/target"
	"cove/internal/page/webmcp"
)

type object = map[string]any

// Browser is one open browser. It owns the list of tabs, the downloads and the rules for sites. It attaches to every
// tab as soon as the tab is there, so that console and network are on record when somebody wants to read them. It
// instruments each tab separately and waits for none, so that a tab that hangs delays no other.
//
// A Browser lives as long as its connection: New makes it, SetRules and SetRedaction configure it, Start attaches it.
// Event must be called from one goroutine, in the order in which the browser sent the events. Event never waits. All
// other methods may be called from any goroutine after Start. No command is waited for while mu is locked.
type Browser struct {
	conn  *cdp.Conn
	log   *slog.Logger
	rules Rules
	// redact removes what agents must not see from the text of pages, addresses from addresses in pages. Either may be
	// nil: then nothing is removed.
	redact, addresses func(string) string
	// invoked is called with each invocation of a page's tool that is not ours; nil for nobody.
	invoked func(*Tab, webmcp.Invocation)
	// changed announces every change of the list of tabs or of what they show.
	changed target.Signal

	settingDownloads sync.Mutex // locked while the browser's download behaviour is set

	mu        sync.Mutex
	tabs      map[string]*Tab // by target id
	sessions  map[string]*Tab // by session id; frames in other processes have sessions too
	order     []*Tab
	files     int // tabs that closed because the document that they were opened for was a file to save
	documents int
	downloads downloads
	denied    bool            // pages may not save files
	unsure    bool            // the browser has not confirmed denied
	contexts  map[string]bool // the browser contexts that have or had tabs
	enforced  int             // how often the rules have changed
	cleared   map[string]int  // by browser context: the value of enforced when its cache was last cleared
}

// New returns a browser that is not attached yet. The connection that Start gets must deliver its events to Event.
func New(log *slog.Logger) *Browser {
	return &Browser{log: log, rules: noRules{}, tabs: map[string]*Tab{}, sessions: map[string]*Tab{},
		contexts: map[string]bool{}, cleared: map[string]int{}}
}

// OnInvoked sets what is called when a program's invocation of a page's tool has ended. It must not wait. Call it
// before Start.
func (b *Browser) OnInvoked(invoked func(*Tab, webmcp.Invocation)) { b.invoked = invoked }

var errSilent = fault.New(fault.CodeSilent, "The browser does not answer.",
	"Wait and try again; if it stays so, close the profile and open it again.")

// Start attaches to the tabs that are there and to each new one.
func (b *Browser) Start(ctx context.Context, conn *cdp.Conn) error {
	b.conn = conn
	ctx, cancel := context.WithTimeoutCause(ctx, target.CommandLimit, errSilent)
	defer cancel()
	pages := []object{{"type": "page"}, {"exclude": true}}
	// A new tab waits until it is instrumented, so that nothing of its beginning is missed.
	attach := object{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": pages}
	pending := []*cdp.Pending{
		conn.Start("", "Target.setDiscoverTargets", object{"discover": true, "filter": pages}),
		conn.Start("", "Target.setAutoAttach", attach),
		conn.Start("", "Browser.setDownloadBehavior", downloadBehavior(true, "")),
	}
	for _, p := range pending {
		if err := p.Wait(ctx, nil); err != nil {
			return err
		}
	}
	return nil
}

// targetInfo is the browser's description of a tab or of a frame.
type targetInfo struct {
	ID      string `json:"targetId"`
	Type    string `json:"type"`
	Title   string `json:"title"`
	URL     string `json:"url"`
	Opener  string `json:"openerId"`
	Context string `json:"browserContextId"`
}

// targetParams has the members that we read of all events of the Target domain.
type targetParams struct {
	SessionID string     `json:"sessionId"`
	TargetID  string     `json:"targetId"`
	Info      targetInfo `json:"targetInfo"`
}

// Event records an event of the browser or of one of its tabs. See Browser for who may call it.
func (b *Browser) Event(e cdp.Event) {
	switch e.Method {
	case "Target.targetInfoChanged", "Target.targetCreated", "Target.attachedToTarget", "Target.detachedFromTarget",
		"Target.targetDestroyed", "Target.targetCrashed":
		if p, ok := target.Decode[targetParams](e); ok {
			b.targetEvent(e, p)
		}
	case "Browser.downloadWillBegin", "Browser.downloadProgress":
		b.downloadEvent(e)
	default:
		b.mu.Lock()
		t := b.sessions[e.Session]
		b.mu.Unlock()
		if t == nil {
			return
		}
		if b.redact != nil && hasText(e.Method) {
			e.Params = json.RawMessage(b.redact(string(e.Params)))
		}
		t.event(e)
	}
}

func (b *Browser) targetEvent(e cdp.Event, p targetParams) {
	switch e.Method {
	case "Target.targetInfoChanged", "Target.targetCreated":
		b.updateInfo(p.Info)
	case "Target.attachedToTarget":
		b.attached(e.Session, p)
	case "Target.detachedFromTarget":
		b.detached(p.SessionID)
	case "Target.targetDestroyed", "Target.targetCrashed":
		b.lost(p.TargetID, e.Method == "Target.targetCrashed")
	}
}

func (b *Browser) updateInfo(info targetInfo) {
	b.mu.Lock()
	t := b.tabs[info.ID]
	b.mu.Unlock()
	if t != nil {
		t.setInfo(info)
	}
	b.changed.Broadcast()
}

// attached adds a new session of a tab, or of a frame in another process.
func (b *Browser) attached(by string, p targetParams) {
	b.mu.Lock()
	parent := b.sessions[by]
	switch {
	case parent != nil && p.Info.Type == "iframe":
		b.sessions[p.SessionID] = parent
		b.mu.Unlock()
		parent.Frames.Attach(p.SessionID, p.Info.ID, p.Info.URL)
		parent.instrument(p.SessionID)
	case parent == nil && p.Info.Type == "page" && b.tabs[p.Info.ID] == nil:
		t := newTab(b, p.Info, p.SessionID)
		b.tabs[p.Info.ID], b.sessions[p.SessionID] = t, t
		b.order = append(b.order, t)
		b.mu.Unlock()
		b.addContext(p.Info.Context)
		if cleared := t.clearCache(); cleared != nil {
			go func() { // the tab does not run meanwhile
				<-cleared
				t.instrument(p.SessionID)
			}()
		} else {
			t.instrument(p.SessionID)
		}
	default:
		b.mu.Unlock()
		// A worker. The browser stops every worker for us, but reports only those that the filter includes.
		_ = b.conn.Post(p.SessionID, "Runtime.runIfWaitingForDebugger", nil)
		_ = b.conn.Post(by, "Target.detachFromTarget", object{"sessionId": p.SessionID})
		return
	}
	b.changed.Broadcast()
}

func (b *Browser) detached(session string) {
	b.mu.Lock()
	t := b.sessions[session]
	delete(b.sessions, session)
	b.mu.Unlock()
	switch {
	case t == nil:
	case t.Target.Session == session:
		b.lost(t.ID(), false)
	default:
		t.Frames.Detach(session)
		t.Logpoints.Detach(session)
		t.Mocks.Detach(session)
		t.Tools.Detach(session)
		b.conn.Drop(session)
	}
}

// lost removes a tab that is closed. A tab that has crashed it only marks: a reload brings it back.
func (b *Browser) lost(id string, crashed bool) {
	b.mu.Lock()
	t := b.tabs[id]
	b.mu.Unlock()
	saved := t != nil && t.Log.Saved(0)

	b.mu.Lock()
	if t != nil && !crashed {
		delete(b.tabs, id)
		b.order = slices.DeleteFunc(b.order, func(o *Tab) bool { return o == t })
		if saved {
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
		t.Target.End(crashed)
	}
	b.changed.Broadcast()
}

// Changed returns a channel that is closed at the next change of the list of tabs or of what they show.
func (b *Browser) Changed() <-chan struct{} { return b.changed.Next() }

// Tabs lists the open tabs in the order in which they were opened.
func (b *Browser) Tabs() []*Tab {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.order)
}

// Show brings the window to the front. The window goes on showing the tab that it shows.
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

// Refresh reads the titles and addresses of all tabs, because the browser does not report every change. It needs no
// answer from any page.
func (b *Browser) Refresh(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, target.CommandLimit)
	defer cancel()
	var r struct {
		Infos []targetInfo `json:"targetInfos"`
	}
	params := object{"filter": []object{{"type": "page"}, {"exclude": true}}}
	if b.conn.Call(ctx, "", "Target.getTargets", params, &r) != nil {
		return
	}
	for _, info := range r.Infos {
		b.updateInfo(info)
	}
}

// Open opens a tab and waits until it is attached. An empty browserContext is the profile's own.
func (b *Browser) Open(ctx context.Context, url string, background bool, browserContext string) (*Tab, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, target.CommandLimit, errSilent)
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

	var t *Tab
	err := b.until(ctx, func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		t = b.tabs[made.TargetID]
		return t != nil
	})
	return t, err
}

// AwaitTab waits until there is a tab: a browser that has just opened may not have reported one yet.
func (b *Browser) AwaitTab(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, target.CommandLimit)
	defer cancel()
	if b.until(ctx, func() bool { return len(b.Tabs()) > 0 }) != nil {
		return fault.New(fault.CodeNoTab, "The browser has no tab.", "Open one with new_page.")
	}
	return nil
}

// until waits until ok reports true. It returns the cause when ctx ends first.
func (b *Browser) until(ctx context.Context, ok func() bool) error {
	return target.Until(ctx, &b.changed, ok)
}

// NewContext makes a browser context that shares nothing with the profile.
func (b *Browser) NewContext(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, target.CommandLimit, errSilent)
	defer cancel()
	var made struct {
		ID string `json:"browserContextId"`
	}
	err := b.conn.Call(ctx, "", "Target.createBrowserContext", object{"disposeOnDetach": false}, &made)
	return made.ID, err
}

// Documents returns how many documents agents have looked into. After SkipDocuments the number includes the documents
// of the browser before this one, so that a uid never comes to mean another element.
func (b *Browser) Documents() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.documents
}

// SkipDocuments makes the numbers of documents begin after the first n, which an earlier browser has used.
func (b *Browser) SkipDocuments(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.documents = max(b.documents, n)
}

// nextDocument returns the number for a document that an agent looks into for the first time.
func (b *Browser) nextDocument() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.documents++
	return b.documents - 1
}
