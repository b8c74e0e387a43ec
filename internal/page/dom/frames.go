// Package dom reads and searches the frames of one tab. It has the tree of frames, the isolated worlds in which our
// scripts run, the documents whose elements have uids, and the walker that reads them.
package dom

import "cove/internal/page/target"

type object = map[string]any

// Config has the functions that connect Frames to the rest of the browser.
type Config struct {
	// NextDocument returns the number for a document that an agent looks into for the first time.
	NextDocument func() int
	// Elsewhere reports whether the document with this label is in another tab.
	Elsewhere func(label string) bool
	// Redact removes secrets from the text of pages. It gets the text before it is cut, because a part of a secret
	// cannot be recognised. Address returns what agents may see of an address in a page.
	Redact, Address func(string) string
	// Committed is called when another document has come to the main frame. It must not call Frames, which is locked.
	Committed func(loader string)
	// Closed returns why agents may not look into a frame; nil if they may. If Closed is nil, they may look into all.
	Closed func(Frame) error
	// Arrived is called when it is known which site a frame shows.
	Arrived func(Frame)
}

// Frames gives access to the frames of one tab. Its tree records what the browser reports. Frames itself runs scripts
// in the frames and finds elements. It lives as long as its tab, and outlasts documents and crashes: a World or an
// Element is valid only until its document goes, and later calls with it fail.
//
// Frames never holds the tree's lock while it waits for the browser. Event must be called from one goroutine, in the
// order of the events. All other methods may be called from any goroutine.
type Frames struct{ tree }

// New returns the frames of a tab that has just been attached. Its main frame has the target's id.
func New(t *target.Target, url string, config Config) *Frames {
	f := &Frames{tree{target: t, config: config, main: t.ID, byID: map[string]*frame{}}}
	f.byID[f.main] = &frame{id: f.main, session: t.Session, url: url}
	return f
}
