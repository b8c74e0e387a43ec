package webmcp

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"cove/internal/cdp"
	"cove/internal/page/target"
)

// Tools are the tools of one tab's documents. A navigation reports no removed tools, so they are kept by document: they
// go when another document comes to their frame, when the frame goes, and when its session ends.
//
// Event and FrameEvent must be called from one goroutine, in the order of the events. All other methods may be called
// from any goroutine. No method waits for the browser while mu is locked.
type Tools struct {
	target *target.Target
	heard  func(Invocation)

	mu        sync.Mutex
	all       map[key]Tool
	kept      int                 // bytes of text in all
	order     int                 // of the last tool that came
	documents map[string]document // by frame, those that are there
	last      int                 // the highest number of a document
	loader    string              // of the main document
	past      []pastDocument      // main documents that the browser may bring back, the latest last
	requested int                 // documents whose tools the browser was asked for

	invocations map[string]*Invocation // by the browser's id, those that have no answer or whose answer nobody has yet
	starting    int                    // own invocations whose id is not known yet
}

type key struct{ frame, name string }

// document is what a frame shows, as one of the tab's sessions has told it. No two have the same number.
type document struct {
	number  int
	session string
}

// pastDocument has the tools of a main document that was left, and of the frames inside it. When the browser brings it
// back from its cache, it tells of the document's own tools before it tells that it is there, and of no others.
type pastDocument struct {
	loader string
	tools  []Tool
}

// maxPast is how many main documents are remembered, and maxPastKept how many bytes of text of one.
const (
	maxPast     = 8
	maxPastKept = 256 << 10
)

// New returns the tools of a tab that has just been attached. heard is called with each invocation of somebody else
// when it has ended; it must not wait. It may be nil.
func New(t *target.Target, heard func(Invocation)) *Tools {
	return &Tools{
		target: t, heard: heard, all: map[key]Tool{}, documents: map[string]document{},
		invocations: map[string]*Invocation{},
	}
}

// Enable makes a session report its tools. A browser without WebMCP refuses it, and has no tools.
func (t *Tools) Enable(session string) { t.target.Post(session, "WebMCP.enable", nil) }

// Event records an event of the WebMCP domain.
func (t *Tools) Event(e cdp.Event) {
	switch e.Method {
	case "WebMCP.toolsAdded":
		if p, ok := target.Decode[struct{ Tools []definition }](e); ok {
			t.add(e.Session, p.Tools)
		}
	case "WebMCP.toolsRemoved":
		if p, ok := target.Decode[struct{ Tools []definition }](e); ok {
			t.mu.Lock()
			for _, d := range p.Tools {
				t.remove(key{d.Frame, d.Name})
			}
			t.mu.Unlock()
		}
	case "WebMCP.toolInvoked", "WebMCP.toolResponded":
		t.invocationEvent(e)
	}
	t.target.Changed.Broadcast()
}

func (t *Tools) add(session string, tools []definition) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, d := range tools {
		one := d.tool()
		k := key{one.Frame, one.Name}
		if old, again := t.all[k]; again { // the browser tells all of them again when it is asked to
			one.order = old.order
			t.remove(k)
		} else {
			t.order++
			one.order = t.order
		}
		if len(t.all) >= maxTools {
			continue
		}
		if t.kept+one.size() > maxKept {
			one.Description, one.Schema = "", nil
		}
		one.session, one.Document = session, t.documentOf(one.Frame, session)
		t.all[k] = one
		t.kept += one.size()
	}
}

// documentOf returns the number of a frame's document. A document that was there before the tab was attached, or that
// has come back, gets its number here. The caller has locked mu.
func (t *Tools) documentOf(frame, session string) int {
	if _, known := t.documents[frame]; !known {
		t.numberDocument(frame, session)
	}
	return t.documents[frame].number
}

// numberDocument notes that another document has come to a frame. The caller has locked mu.
func (t *Tools) numberDocument(frame, session string) {
	t.last++
	t.documents[frame] = document{t.last, session}
}

// remove forgets one tool. The caller has locked mu.
func (t *Tools) remove(k key) {
	if one, there := t.all[k]; there {
		t.kept -= one.size()
		delete(t.all, k)
	}
}

// FrameEvent records that another document has come to a frame, or that a frame has gone.
func (t *Tools) FrameEvent(e cdp.Event) {
	p, ok := target.Decode[struct {
		FrameID string
		Type    string
		Frame   struct{ ID, ParentID, LoaderID string }
	}](e)
	if !ok {
		return
	}
	switch e.Method {
	case "Page.frameNavigated":
		t.mu.Lock()
		back := p.Type == "BackForwardCacheRestore"
		if p.Frame.ParentID == "" {
			t.remember(p.Frame.LoaderID, back)
		}
		t.drop(func(frame, session string) bool {
			// Frames of a document that comes back may have told their tools before it, in sessions of their own.
			whole := p.Frame.ParentID == "" && (!back || session == e.Session)
			return whole || frame == p.Frame.ID
		})
		t.numberDocument(p.Frame.ID, e.Session)
		if back {
			t.bringBack(p.Frame.LoaderID)
		}
		t.mu.Unlock()
		if back { // not all of them may have been remembered
			t.request(e.Session)
		}
	case "Page.frameDetached":
		t.mu.Lock()
		t.drop(func(frame, session string) bool { return frame == p.FrameID && session == e.Session })
		t.mu.Unlock()
	}
	t.target.Changed.Broadcast()
}

// request lets the browser tell all tools of a session's document again. Until it has, Ready waits.
func (t *Tools) request(session string) {
	t.mu.Lock()
	t.requested++
	t.mu.Unlock()
	pending := t.target.Conn.Start(session, "WebMCP.enable", nil)
	go func() {
		ctx, cancel := t.target.Bound(context.Background(), reportLimit)
		defer cancel()
		_ = pending.Wait(ctx, nil) // a page that does not answer has told what it has told
		t.mu.Lock()
		t.requested--
		t.mu.Unlock()
		t.target.Changed.Broadcast()
	}()
}

// reportLimit is how long a page may take to tell its tools.
const reportLimit = 2 * time.Second

// Ready waits until the browser has told the tools of the documents that are there.
func (t *Tools) Ready(ctx context.Context) {
	t.target.Until(ctx, reportLimit, func() bool {
		t.mu.Lock()
		defer t.mu.Unlock()
		return t.requested == 0
	})
}

// remember notes that another main document comes, and what the one before it offers. If it comes back from the
// browser's cache, its own tools may be among those already, so nothing is remembered. The caller has locked mu.
func (t *Tools) remember(loader string, back bool) {
	was, size := pastDocument{loader: t.loader}, 0
	t.loader = loader
	if back {
		return
	}
	for _, one := range t.all {
		if one.session == t.target.Session {
			was.tools = append(was.tools, one)
			size += one.size()
		}
	}
	if len(was.tools) > 0 && size <= maxPastKept {
		t.past = append(t.past, was)
		t.past = t.past[max(0, len(t.past)-maxPast):]
	}
}

// bringBack adds the tools of a main document that has come back. The caller has locked mu.
func (t *Tools) bringBack(loader string) {
	for i, was := range slices.Backward(t.past) {
		if was.loader != loader {
			continue
		}
		for _, one := range was.tools {
			one.Document = t.documentOf(one.Frame, one.session)
			t.all[key{one.Frame, one.Name}] = one
			t.kept += one.size()
		}
		t.past = slices.Delete(t.past, i, i+1)
		return
	}
}

// Detach forgets the tools of a session that has ended.
func (t *Tools) Detach(session string) {
	t.mu.Lock()
	t.drop(func(_, of string) bool { return of == session })
	t.mu.Unlock()
	t.target.Changed.Broadcast()
}

// drop forgets the documents that have gone and their tools, and notes that their invocations have lost their document.
// The caller has locked mu.
func (t *Tools) drop(gone func(frame, session string) bool) {
	for frame, d := range t.documents {
		if gone(frame, d.session) {
			delete(t.documents, frame)
		}
	}
	for k, one := range t.all {
		if gone(one.Frame, one.session) {
			t.remove(k)
		}
	}
	for _, i := range t.invocations {
		if !i.left && gone(i.Tool.Frame, i.Tool.session) {
			i.left = true
			t.giveUpLater(i)
		}
	}
}

// All lists the tools in the order in which they came.
func (t *Tools) All() []Tool {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := make([]Tool, 0, len(t.all))
	for _, one := range t.all {
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b Tool) int { return cmp.Compare(a.order, b.order) })
	return all
}

// Find returns a tool of a frame's document.
func (t *Tools) Find(frame, name string) (Tool, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	one, there := t.all[key{frame, name}]
	return one, there
}

// Document returns the number of the main document: it changes when another one comes.
func (t *Tools) Document() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.documents[t.target.ID].number
}
