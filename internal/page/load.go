package page

import (
	"context"
	"net/http"
	"time"

	"cove/internal/cdp"
)

// load is how far the tab's main document is. The tab's mu guards it.
type load struct {
	started int    // navigations that have begun
	commits int    // documents that have come
	within  int    // moves inside a document
	pending string // the loader of a navigation that has not come yet
	to      string // its address
	busy    bool   // the browser shows the tab as loading
	dom     bool   // the document is there
	done    bool   // its load event has fired
}

func (t *Tab) loadEvent(e cdp.Event, name, loader, url string) {
	l := &t.load
	switch e.Method {
	case "Page.frameStartedNavigating":
		l.started++
		l.pending, l.to = loader, url
	case "Page.frameStartedLoading":
		l.busy = true
	case "Page.frameStoppedLoading":
		l.busy, l.pending = false, ""
	case "Page.lifecycleEvent":
		f := t.frames[t.main]
		switch {
		case f == nil || loader == "" || loader == f.loader:
		case loader == l.pending || f.loader == "":
			// A change of the process can swallow the news of the new document itself.
			f.url = l.to
			t.commit(f, loader)
			go t.readFrames(e.Session, t.b.conn.Start(e.Session, "Page.getFrameTree", nil))
		default:
			return // of a document that is gone
		}
		switch name {
		case "init":
			l.dom, l.done = false, false
		case "DOMContentLoaded":
			l.dom = true
		case "load":
			l.dom, l.done = true, true
		}
	}
}

// commit: a new document has come to a frame; the caller holds mu.
func (t *Tab) commit(f *frame, loader string) {
	f.loader = loader
	f.forgetDocument()
	if f.id != t.main {
		return
	}
	t.load.commits++
	t.dialogs = 0
	t.setDialog(nil)              // of the document before
	if t.load.pending == loader { // a new tab's empty document can come after the next navigation has begun
		t.load.pending = ""
	}
	t.load.dom, t.load.done = false, false
	t.console.navigated()
	t.network.navigated(f.loader)
	for id, other := range t.frames {
		if id != t.main && other.parent == t.main && other.session == f.session {
			t.removeFrame(id)
		}
	}
}

// maxPosts is how many documents of a tab are remembered that are answers to a form.
const maxPosts = 100

// sent notes how a document of the main frame was asked for; after a redirect the last counts. The caller holds mu.
func (t *Tab) sent(loader, method string) {
	if method != http.MethodPost {
		delete(t.posts, loader)
		return
	}
	if t.posts == nil || len(t.posts) >= maxPosts {
		t.posts = map[string]bool{}
	}
	t.posts[loader] = true
}

// Posted reports whether what the tab shows is the answer to a form: loading it again sends the form again.
func (t *Tab) Posted() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.frames[t.main]
	return f != nil && t.posts[f.loader]
}

// Posted is the same for a target.
func (b *Browser) Posted(target string) bool {
	b.mu.Lock()
	t := b.tabs[target]
	b.mu.Unlock()
	return t != nil && t.Posted()
}

// present is the load's state now.
func (t *Tab) present() load {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.load
}

// until waits for a condition of the tab's state; false when the time is over or the tab gone.
func (t *Tab) until(ctx context.Context, limit time.Duration, ok func() bool) bool {
	ctx, cancel := t.bound(ctx, limit)
	defer cancel()
	for {
		next := t.changed.wait()
		if ok() {
			return true
		}
		select {
		case <-next:
		case <-ctx.Done():
			return ok()
		}
	}
}
