package page

import (
	"slices"
	"time"

	"cove/internal/page/dom"
)

// Effects is what an action has set off.
type Effects struct {
	// Navigated is the address of a new document, or of a move inside the old one.
	Navigated string
	// Refused is why the page did not get where it was sent.
	Refused   error
	Opened    []*Tab
	Dialog    *Dialog
	Downloads []Download
	// Chooser reports that the page asked for a file.
	Chooser bool
	// Busy is what was still going on when the time was over: "loading", "requests", or "hanging" when the page does
	// not answer.
	Busy string
	// Nothing reports that a click or a drag has changed nothing that could be seen.
	Nothing bool
	Closed  bool
	// Nowhere reports that nothing had the focus when text was typed.
	Nowhere bool
	// Open reports that what was typed went into a field whose value agents may see.
	Open bool
	// Activity is what the page said of itself last.
	Activity Activity
}

// Interrupted reports that the page cannot be asked about its elements any more: a dialog blocks it, or it is gone.
func (e Effects) Interrupted() bool { return e.Dialog != nil || e.Navigated != "" || e.Closed }

// none reports that nothing besides the page itself has changed, as far as the browser knows.
func (e Effects) none() bool {
	return e.Busy == "" && e.Navigated == "" && e.Refused == nil && len(e.Opened) == 0 && e.Dialog == nil &&
		len(e.Downloads) == 0 && !e.Chooser && !e.Closed
}

// Mark is the state before an action: what comes after it may be the action's doing.
type Mark struct {
	at        time.Time
	load      dom.Load
	url       string
	request   int
	downloads int
	files     int
	tabs      []*Tab
}

// Mark returns the state now.
func (t *Tab) Mark() Mark {
	m := Mark{at: time.Now(), tabs: t.b.Tabs(), load: t.Frames.Load(), url: t.Frames.URL(), request: t.Log.Last()}
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	m.downloads, m.files = t.b.downloads.next, t.b.files
	return m
}

// collect fills in what is different now.
func (t *Tab) collect(before Mark, e *Effects) {
	for _, other := range t.b.Tabs() {
		if opener := other.Opener(); !slices.Contains(before.tabs, other) && (opener == t.ID() || opener == "") {
			e.Opened = append(e.Opened, other)
		}
	}
	e.Downloads = t.b.Downloads(before.downloads)
	_, e.Refused = t.stopped(before)
	e.Dialog, e.Closed = t.Dialog(), t.Target.Life().Err() != nil && !t.Target.Crashed()
	e.Chooser = t.Target.ChooserOpen()
	if url := t.Frames.URL(); url != before.url || t.Frames.Load().Commits != before.load.Commits {
		e.Navigated = url
	}
}
