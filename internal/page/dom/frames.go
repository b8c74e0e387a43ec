// Package dom is the frames of one tab and what is in them: the tree, the isolated worlds in which our scripts run, the
// documents whose elements have uids, and the walker that reads them.
package dom

import "cove/internal/page/target"

type object = map[string]any

// Config is what Frames needs to know of the world outside of its tab.
type Config struct {
	// NextDocument numbers the documents of the browser that agents look into.
	NextDocument func() int
	// Elsewhere reports whether the document with this label is in another tab.
	Elsewhere func(label string) bool
	// Redact removes secrets from what pages say, before any of it is cut: a part of a secret cannot be recognised.
	// Address returns what may be said of an address in a page.
	Redact, Address func(string) string
	// Committed is called when another document has come to the main frame. Frames is locked: it must not call back.
	Committed func(loader string)
	// Arrived is called when it is known which site a frame shows.
	Arrived func(Frame)
}

// Frames is the frames of one tab. Its tree records what the browser reports; Frames itself runs scripts in the frames
// and finds elements. It never holds the tree's lock while it waits for the browser. Event comes in order from one
// goroutine; all else may be called from any.
type Frames struct{ tree }

// New returns the frames of a tab that has just been attached. Its main frame has the target's id.
func New(t *target.Target, url string, config Config) *Frames {
	f := &Frames{tree{target: t, config: config, main: t.ID, byID: map[string]*frame{}}}
	f.byID[f.main] = &frame{id: f.main, session: t.Session, url: url}
	return f
}
