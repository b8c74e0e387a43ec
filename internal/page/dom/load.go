package dom

// Load says how far the loading of the main document is.
type Load struct {
	Started int    // navigations that have begun
	Commits int    // documents that have come
	Within  int    // changes of the address within a document
	Pending string // the loader of a navigation whose document has not come yet
	To      string // the address of that navigation
	Busy    bool   // the browser shows the tab as loading
	DOM     bool   // the document is parsed
	Done    bool   // the document's load event has fired
}

// Load returns how far the loading of the main document is now.
func (t *tree) Load() Load {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.load
}

// loadEvent records an event about the loading of the main frame. It reports true when the browser has left out an
// earlier event, so that the tree has to be read again. The caller has locked mu.
func (t *tree) loadEvent(method string, p frameParams) (missed bool) {
	l := &t.load
	switch method {
	case "Page.frameStartedNavigating":
		l.Started++
		l.Pending, l.To = p.LoaderID, p.URL
	case "Page.frameStartedLoading":
		l.Busy = true
	case "Page.frameStoppedLoading":
		l.Busy, l.Pending = false, ""
	case "Page.lifecycleEvent":
		one := t.byID[t.main]
		switch {
		case one == nil || p.LoaderID == "" || p.LoaderID == one.loader:
		case p.LoaderID == l.Pending || one.loader == "":
			// When the page moves to another process, Page.frameNavigated for the new document can get lost.
			one.url = l.To
			t.commit(one, p.LoaderID)
			missed = true
		default:
			return false // the event is about a document that is gone
		}
		switch p.Name {
		case "init":
			l.DOM, l.Done = false, false
		case "DOMContentLoaded":
			l.DOM = true
		case "load":
			l.DOM, l.Done = true, true
		}
	}
	return missed
}

// commit records that a new document has come to a frame. The caller has locked mu.
func (t *tree) commit(one *frame, loader string) {
	one.loader = loader
	one.forgetDocument()
	if one.id != t.main {
		return
	}

	t.load.Commits++
	t.target.ForgetDialogs()
	if t.load.Pending == loader { // a new tab's empty document can come after the next navigation has begun
		t.load.Pending = ""
	}
	t.load.DOM, t.load.Done = false, false
	t.config.Committed(loader)
	for id, other := range t.byID {
		if id != t.main && other.parent == t.main && other.session == one.session {
			t.remove(id)
		}
	}
}
