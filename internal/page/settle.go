package page

import (
	"context"
	"slices"
	"time"
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
	// Chooser tells that the page asked for a file.
	Chooser bool
	// Busy tells what was still going on when the time was over: "loading", "requests", or "hanging" when the page does not answer.
	Busy string
	// Nothing tells that a click or a drag has changed nothing that could be seen.
	Nothing bool
	Closed  bool
	// Nowhere tells that nothing had the focus when text was typed.
	Nowhere bool
	// Open tells that what was typed went into a field whose value may be told.
	Open bool
	// fate is why a press of the mouse came to no click; missed is what was pressed instead of the element.
	fate   string
	missed string
	// changed tells that the page's tree was changed.
	changed bool
	// held is what the element held when all was quiet; nil when it was not asked.
	held *reading
}

// mark is the state before an action: what comes after it may be the action's doing.
type mark struct {
	at        time.Time
	load      load
	url       string
	request   int
	downloads int
	files     int
	tabs      []*Tab
}

func (t *Tab) mark() mark {
	m := mark{at: time.Now(), tabs: t.b.Tabs()}
	t.b.mu.Lock()
	m.downloads, m.files = t.b.downloads.next, t.b.files
	t.b.mu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	m.load, m.request = t.load, t.network.next
	if f := t.frames[t.main]; f != nil {
		m.url = f.url
	}
	return m
}

// How long an action waits for what it has set off. They are bounds, not delays: nothing going on means no waiting.
const (
	inputLimit   = 2 * time.Second
	loadLimit    = 10 * time.Second
	lateLimit    = 2 * time.Second // for the load event of a document that is there
	requestLimit = 3 * time.Second
	quietLimit   = time.Second
	quietTime    = 20 * time.Millisecond
	pollTime     = 8 * time.Millisecond
	// fileLimit is for a small download to arrive.
	fileLimit = 2 * time.Second
	openLimit = 500 * time.Millisecond
)

// settle waits until nothing that the action has started is going on any more: navigation, requests, changes of the page. p is
// where the action was; with none only the main frame is looked at.
func (t *Tab) settle(ctx context.Context, before mark, p place) (Effects, error) {
	return t.settleWith(ctx, before, element{place: p})
}

// settleWith is settle, and asks on the way what the element holds then.
func (t *Tab) settleWith(ctx context.Context, before mark, on element) (Effects, error) {
	var e Effects
	told := t.flush()
	var page pulse // with the changes that have been waited for
	for round := 0; round < 20 && ctx.Err() == nil; round++ {
		if t.interrupted() {
			break
		}
		moved, loaded := t.awaitLoad(ctx, before)
		if moved && !loaded {
			e.Busy = "loading"
			break
		}
		seen := page.Changes
		page = t.awaitQuiet(ctx, before, on, page)
		if t.interrupted() {
			break
		}
		if t.requesting(before) {
			if !t.awaitRequests(ctx, before) {
				e.Busy = "requests"
				break
			}
			continue
		}
		if page.Fate != "" || (page.Changes == seen && !t.navigating(before)) || time.Since(before.at) > loadLimit {
			e.held = page.Held
			break
		}
	}
	e.fate, e.missed, e.changed = page.Fate, page.Missed, page.Changes > 0
	told(ctx)
	t.awaitOpened(ctx, before)
	t.awaitDownloads(ctx, before, page.Saving)
	t.collect(before, &e)
	return e, context.Cause(ctx)
}

// stillTime is how long a page that has not changed is given to begin.
const stillTime = 150 * time.Millisecond

// still tells that a click has changed nothing, as far as that can be known.
func (t *Tab) still(ctx context.Context, before mark, e Effects, on element) bool {
	if e.changed || e.Busy != "" || e.Navigated != "" || e.Refused != nil || len(e.Opened) > 0 || e.Dialog != nil || len(e.Downloads) > 0 || e.Chooser || e.Closed {
		return false
	}
	same := func() bool {
		t.mu.Lock()
		elsewhere := len(t.frames) > 1 || t.network.next != before.request || t.load != before.load
		t.mu.Unlock()
		still := false
		return !elsewhere && !t.interrupted() && t.run(ctx, on.place, &still, "function(){return act.still()}") == nil && still
	}
	if !same() {
		return false
	}
	return !t.until(ctx, stillTime, func() bool { return t.interrupted() || t.navigating(before) }) && same()
}

// flush lets the browser tell what it has heard from the page so far: that the page wants a file comes another way than the
// answers. It goes on beside the rest; the function waits for it.
func (t *Tab) flush() (wait func(context.Context)) {
	asked := t.b.conn.Start("", "Browser.getVersion", nil)
	return func(ctx context.Context) {
		ctx, cancel := context.WithTimeout(ctx, inputLimit)
		defer cancel()
		_ = asked.Wait(ctx, nil)
	}
}

// awaitOpened waits a little until the tabs that the action has opened know where they go.
func (t *Tab) awaitOpened(ctx context.Context, before mark) {
	ctx, cancel := context.WithTimeout(ctx, openLimit)
	defer cancel()
	for {
		next := t.b.changed.wait()
		if !slices.ContainsFunc(t.b.Tabs(), func(o *Tab) bool { return !slices.Contains(before.tabs, o) && o.About().URL == "" }) {
			return
		}
		select {
		case <-next:
		case <-ctx.Done():
			return
		}
	}
}

// awaitDownloads waits a little for files that the action has begun to fetch.
func (t *Tab) awaitDownloads(ctx context.Context, before mark, begun bool) {
	t.until(ctx, fileLimit, func() bool {
		files := t.b.Downloads(before.downloads)
		if len(files) == 0 && (begun || t.keeping(before.request) || t.b.keeping(before)) {
			return false
		}
		return !slices.ContainsFunc(files, func(d Download) bool { return d.State == "inProgress" })
	})
}

// keeping tells that what a request after the one with this number was answered with is a file.
func (t *Tab) keeping(request int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.network.kept(request)
}

// keeping tells the same of the tabs that there were not before.
func (b *Browser) keeping(before mark) bool {
	b.mu.Lock()
	files := b.files
	b.mu.Unlock()
	return files != before.files || slices.ContainsFunc(b.Tabs(), func(o *Tab) bool { return !slices.Contains(before.tabs, o) && o.keeping(0) })
}

// interrupted: nothing more can be waited for.
func (t *Tab) interrupted() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.dialog != nil || t.chooser.opened() || t.life.Err() != nil
}

func (t *Tab) navigating(before mark) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.load.started != before.load.started && (t.load.pending != "" || !t.load.done)
}

func (t *Tab) requesting(before mark) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.network.underWay(before.request)
}

// awaitRequests waits for the requests that the action has sent; false when the time is over before they are.
func (t *Tab) awaitRequests(ctx context.Context, before mark) bool {
	over := func() bool { return t.interrupted() || t.navigating(before) || !t.requesting(before) }
	for {
		left := requestLimit - time.Since(before.at)
		if left <= 0 || ctx.Err() != nil {
			return over()
		}
		if t.until(ctx, min(left, bodyTime), over) { // nothing tells that an answer pauses
			return true
		}
	}
}

// awaitLoad waits for a navigation that has begun. A document that is there but whose load event does not come is not waited
// for long.
func (t *Tab) awaitLoad(ctx context.Context, before mark) (moved, loaded bool) {
	if !t.navigating(before) {
		return false, true
	}
	over := func() bool {
		l := t.present()
		return t.interrupted() || (l.pending == "" && (l.dom || l.done || !l.busy))
	}
	if !t.until(ctx, loadLimit, over) {
		return true, false
	}
	return true, t.until(ctx, lateLimit, func() bool { l := t.present(); return t.interrupted() || l.pending == "" && (l.done || !l.busy) })
}

// awaitQuiet lets the page's scripts run and waits while they change the page further than was seen. A page that never rests is
// not waited for long.
func (t *Tab) awaitQuiet(ctx context.Context, before mark, on element, seen pulse) pulse {
	seen.Held = nil // it is old
	if on.world == 0 || t.present().commits != before.load.commits {
		return seen // another document: there is nothing to compare with
	}
	last := t.beat(ctx, on)
	if last.Changes < 0 {
		return seen
	}
	if last.Changes <= seen.Changes {
		return last
	}
	elsewhere := func() bool { return t.interrupted() || t.navigating(before) || t.requesting(before) }
	for end := before.at.Add(quietLimit); time.Now().Before(end) && ctx.Err() == nil && last.Fate == ""; {
		rest := quietTime - time.Duration(last.Quiet*float64(time.Millisecond))
		if rest <= 0 || t.until(ctx, rest, elsewhere) {
			break
		}
		b := t.beat(ctx, on)
		if b.Changes < 0 {
			last.Held = nil
			break
		}
		last = b
	}
	return last
}

// pulse is what a page tells of itself: how often it has changed since the action began, -1 when that cannot be known, for how
// many milliseconds it has not, whether a link to save a file was clicked, what became of the press of the mouse, and what the
// element holds that was asked about.
type pulse struct {
	Changes int
	Quiet   float64
	Saving  bool
	Fate    string
	Missed  string
	Held    *reading
}

// reading is what an element holds. Of a password it is only the length.
type reading struct {
	Gone, Checked, Secret bool
	Value                 string
	Length                int
}

// beat lets one round of the page's tasks pass. It knows nothing when the document is gone or does not answer in time.
func (t *Tab) beat(ctx context.Context, on element) pulse {
	unknown := pulse{Changes: -1}
	ctx, cancel := context.WithTimeout(ctx, quietLimit)
	defer cancel()
	done := make(chan pulse, 1)
	go func() {
		var b pulse
		if t.run(ctx, on.place, &b, "function(id){return act.beat(id)}", on.id) != nil {
			b = unknown
		}
		done <- b
	}()
	for {
		next := t.changed.wait()
		if t.interrupted() {
			return unknown
		}
		select {
		case n := <-done:
			return n
		case <-next:
		}
	}
}

// collect fills in what is different now.
func (t *Tab) collect(before mark, e *Effects) {
	for _, other := range t.b.Tabs() {
		if opener := other.Opener(); !slices.Contains(before.tabs, other) && (opener == t.id || opener == "") {
			e.Opened = append(e.Opened, other)
		}
	}
	e.Downloads = t.b.Downloads(before.downloads)
	_, e.Refused = t.stopped(before)
	t.mu.Lock()
	defer t.mu.Unlock()
	e.Dialog, e.Closed = t.dialog, t.life.Err() != nil && !t.crashed
	e.Chooser = t.chooser.opened()
	if f := t.frames[t.main]; f != nil && (f.url != before.url || t.load.commits != before.load.commits) {
		e.Navigated = f.url
	}
}
