package page

import (
	"slices"
	"time"

	"cove/internal/page/dom"
)

// Effects describes what an action has set off.
type Effects struct {
	// Navigated is the address of a new document, or of a move inside the old one.
	Navigated string
	// Refused is why the rules for sites kept the tab from an address; nil when they did not.
	Refused error
	Opened  []*Tab
	Dialog  *Dialog
	// Answered are dialogs that were answered on the way.
	Answered  []Answered
	Downloads []Download
	// Chooser reports that the page asked for a file.
	Chooser bool
	// Busy is what was still going on when the time was over: "loading", "requests", or "hanging" when the page does
	// not answer; "" when all was over.
	Busy string
	// Nothing reports that a click or a drag has changed nothing that could be seen.
	Nothing bool
	Closed  bool
	// Nowhere reports that nothing had the focus when text was typed.
	Nowhere bool
	// Role and Name are those of the field that text was typed into, as the last snapshot showed it.
	Role, Name string
	// Open reports that text was typed into a field whose value agents may see.
	Open bool
	// Activity is the page's last report about itself.
	Activity Activity
}

// Answered is a dialog that was answered so that a script could go on.
type Answered struct {
	Dialog
	Accepted bool
}

// Interrupted reports whether the page can no longer be asked about its elements: a dialog blocks it, or it is gone.
func (e Effects) Interrupted() bool { return e.Dialog != nil || e.Navigated != "" || e.Closed }

// none reports whether nothing except the page itself has changed, as far as the browser knows.
func (e Effects) none() bool {
	return e.Busy == "" && e.Navigated == "" && e.Refused == nil && len(e.Opened) == 0 && e.Dialog == nil &&
		len(e.Downloads) == 0 && !e.Chooser && !e.Closed
}

// Mark is the state of a tab and its browser before an action. Everything that comes after it counts as an effect of
// the action.
type Mark struct {
	at        time.Time
	load      dom.Load
	url       string
	request   int
	downloads int
	files     int
	tabs      []*Tab
}

// Mark returns the present state.
func (t *Tab) Mark() Mark {
	m := Mark{at: time.Now(), tabs: t.b.Tabs(), load: t.Frames.Load(), url: t.Frames.URL(), request: t.Log.Last()}
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	m.downloads, m.files = t.b.downloads.next, t.b.files
	return m
}

// collect fills e with what is different from the mark.
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
