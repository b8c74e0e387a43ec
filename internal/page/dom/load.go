package dom

// Load is how far the main document is.
type Load struct {
	Started int    // navigations that have begun
	Commits int    // documents that have come
	Within  int    // moves inside a document
	Pending string // the loader of a navigation whose document has not come yet
	To      string // its address
	Busy    bool   // the browser shows the tab as loading
	DOM     bool   // the document is parsed
	Done    bool   // its load event has fired
}

// Load returns how far the main document is now.
func (f *Frames) Load() Load {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.load
}

// loadEvent records what the browser reports of the main frame's loading. It reports true when an event of its frames
// was missed, and the tree has to be read again. The caller has locked mu.
func (f *Frames) loadEvent(method string, p frameParams) (missed bool) {
	l := &f.load
	switch method {
	case "Page.frameStartedNavigating":
		l.Started++
		l.Pending, l.To = p.LoaderID, p.URL
	case "Page.frameStartedLoading":
		l.Busy = true
	case "Page.frameStoppedLoading":
		l.Busy, l.Pending = false, ""
	case "Page.lifecycleEvent":
		one := f.byID[f.main]
		switch {
		case one == nil || p.LoaderID == "" || p.LoaderID == one.loader:
		case p.LoaderID == l.Pending || one.loader == "":
			// A change of the process can swallow the event of the new document itself.
			one.url = l.To
			f.commit(one, p.LoaderID)
			missed = true
		default:
			return false // of a document that is gone
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
func (f *Frames) commit(one *frame, loader string) {
	one.loader = loader
	one.forgetDocument()
	if one.id != f.main {
		return
	}

	f.load.Commits++
	f.target.ForgetDialogs()
	if f.load.Pending == loader { // a new tab's empty document can come after the next navigation has begun
		f.load.Pending = ""
	}
	f.load.DOM, f.load.Done = false, false
	f.config.Committed(loader)
	for id, other := range f.byID {
		if id != f.main && other.parent == f.main && other.session == one.session {
			f.remove(id)
		}
	}
}
