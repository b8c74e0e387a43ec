package page

import (
	"context"
	"slices"
	"time"

	"cove/internal/page/devlog"
	"cove/internal/page/dom"
	"cove/internal/page/target"
)

// How long an action waits for what it has set off. These are bounds, not delays: when nothing is going on there is no
// waiting.
const (
	loadLimit    = 10 * time.Second
	lateLimit    = 2 * time.Second // for the load event of a document that is there
	requestLimit = 3 * time.Second
	flushLimit   = 2 * time.Second
	fileLimit    = 2 * time.Second // for a small download to arrive
	openLimit    = 500 * time.Millisecond
)

// Settle waits until nothing that the action has started is going on any more: navigation, requests, changes of the
// page. on is the element that the action was on, whose value it reads on the way. Its id is 0 for none; its world is
// zero to look at the main frame only.
func (t *Tab) Settle(ctx context.Context, before Mark, on dom.Element) (Effects, error) {
	var e Effects
	flushed := t.flush()
	var page Activity // with the changes that have been waited for
	quiet := false
	for round := 0; round < 20 && ctx.Err() == nil; round++ {
		if t.Target.Interrupted() {
			break
		}
		moved, loaded := t.awaitLoad(ctx, before)
		if moved && !loaded {
			e.Busy = "loading"
			break
		}
		seen := page.Changes
		page = t.awaitQuiet(ctx, before, on, page)
		if t.Target.Interrupted() {
			break
		}
		if t.requesting(before) {
			if !t.awaitRequests(ctx, before) {
				e.Busy = "requests"
				break
			}
			continue
		}
		over := time.Since(before.at) > loadLimit
		if quiet = page.PressFailure != "" || (page.Changes == seen && !t.Navigating(before)) || over; quiet {
			break
		}
	}
	e.Activity = page
	if !quiet {
		e.Activity.Reading = nil // it may be old
	}

	flushed(ctx)
	t.awaitOpened(ctx, before)
	t.awaitDownloads(ctx, before, page.Saving)
	t.collect(before, &e)
	return e, context.Cause(ctx)
}

// flush makes the browser deliver what it has heard from the page so far: that the page wants a file comes another way
// than answers do. It goes on beside the rest; wait waits for it.
func (t *Tab) flush() (wait func(context.Context)) {
	sent := t.b.conn.Start("", "Browser.getVersion", nil)
	return func(ctx context.Context) {
		ctx, cancel := context.WithTimeout(ctx, flushLimit)
		defer cancel()
		_ = sent.Wait(ctx, nil)
	}
}

// awaitOpened waits a little until the tabs that the action has opened know where they go.
func (t *Tab) awaitOpened(ctx context.Context, before Mark) {
	ctx, cancel := context.WithTimeout(ctx, openLimit)
	defer cancel()
	nowhere := func(o *Tab) bool { return !slices.Contains(before.tabs, o) && o.About().URL == "" }
	_ = t.b.until(ctx, func() bool { return !slices.ContainsFunc(t.b.Tabs(), nowhere) })
}

// awaitDownloads waits a little for files that the action has begun to fetch.
func (t *Tab) awaitDownloads(ctx context.Context, before Mark, begun bool) {
	t.Target.Until(ctx, fileLimit, func() bool {
		files := t.b.Downloads(before.downloads)
		if len(files) == 0 && (begun || t.Log.Saved(before.request) || t.b.saved(before)) {
			return false
		}
		return !slices.ContainsFunc(files, func(d Download) bool { return d.State == "inProgress" })
	})
}

// saved reports that the answer to a request of a new tab is a file.
func (b *Browser) saved(before Mark) bool {
	b.mu.Lock()
	files := b.files
	b.mu.Unlock()
	return files != before.files || slices.ContainsFunc(b.Tabs(), func(o *Tab) bool {
		return !slices.Contains(before.tabs, o) && o.Log.Saved(0)
	})
}

// Navigating reports whether a navigation that began after the mark is still going on.
func (t *Tab) Navigating(before Mark) bool {
	l := t.Frames.Load()
	return l.Started != before.load.Started && (l.Pending != "" || !l.Done)
}

func (t *Tab) requesting(before Mark) bool { return t.Log.UnderWay(before.request) }

// elsewhere reports that something goes on which is not in the page: there is no use to look at it now.
func (t *Tab) elsewhere(before Mark) bool {
	return t.Target.Interrupted() || t.Navigating(before) || t.requesting(before)
}

// awaitRequests waits for the requests that the action has sent. It reports false when the time is over before they
// are.
func (t *Tab) awaitRequests(ctx context.Context, before Mark) bool {
	over := func() bool { return t.Target.Interrupted() || t.Navigating(before) || !t.requesting(before) }
	for {
		remaining := requestLimit - time.Since(before.at)
		if remaining <= 0 || ctx.Err() != nil {
			return over()
		}
		if t.Target.Until(ctx, min(remaining, devlog.BodyTime), over) {
			return true
		}
	}
}

// awaitLoad waits for a navigation that has begun. It does not wait long for the load event of a document that is
// there.
func (t *Tab) awaitLoad(ctx context.Context, before Mark) (moved, loaded bool) {
	if !t.Navigating(before) {
		return false, true
	}

	until := func(limit time.Duration, ok func(dom.Load) bool) bool {
		return t.Target.Until(ctx, limit, func() bool {
			l := t.Frames.Load()
			return t.Target.Interrupted() || l.Pending == "" && ok(l)
		})
	}
	if !until(loadLimit, func(l dom.Load) bool { return l.DOM || l.Done || !l.Busy }) {
		return true, false
	}
	return true, until(lateLimit, func(l dom.Load) bool { return l.Done || !l.Busy })
}

// stillTime is how long a page that has not changed is given to begin.
const stillTime = 150 * time.Millisecond

// Unchanged reports that a click on an element has changed nothing, as far as that can be known.
func (t *Tab) Unchanged(ctx context.Context, before Mark, e Effects, on dom.Element) bool {
	if e.Activity.Changes > 0 || !e.none() {
		return false
	}
	same := func() bool {
		if t.Frames.Len() > 1 || t.Log.Last() != before.request || t.Frames.Load() != before.load {
			return false
		}
		still := false
		return !t.Target.Interrupted() &&
			t.Frames.Run(ctx, on.World, &still, "function(){return act.unchanged()}") == nil && still
	}
	if !same() {
		return false
	}
	begins := func() bool { return t.Target.Interrupted() || t.Navigating(before) }
	return !t.Target.Until(ctx, stillTime, begins) && same()
}

// quietLimit is how long a page that never rests is waited for. A page is quiet after quietTime without a change.
const (
	quietLimit = time.Second
	quietTime  = 20 * time.Millisecond
)

// awaitQuiet lets the page's scripts run and waits while they change the page further than was seen.
func (t *Tab) awaitQuiet(ctx context.Context, before Mark, on dom.Element, seen Activity) Activity {
	seen.Reading = nil // it is old
	if on.World.ID == 0 || t.Frames.Load().Commits != before.load.Commits {
		return seen // another document: there is nothing to compare with
	}
	last := t.Tick(ctx, on)
	if last.Changes < 0 {
		return seen
	}
	if last.Changes <= seen.Changes {
		return last
	}

	elsewhere := func() bool { return t.elsewhere(before) }
	end := before.at.Add(quietLimit)
	for time.Now().Before(end) && ctx.Err() == nil && last.PressFailure == "" {
		rest := quietTime - time.Duration(last.Quiet*float64(time.Millisecond))
		if rest <= 0 || t.Target.Until(ctx, rest, elsewhere) {
			break
		}
		now := t.Tick(ctx, on)
		if now.Changes < 0 {
			last.Reading = nil
			break
		}
		last = now
	}
	return last
}

// Activity is what a page says of itself since an action began.
type Activity struct {
	// Changes is how often it has changed, -1 when that cannot be known; Quiet for how many milliseconds it has not.
	Changes int
	Quiet   float64
	// Saving reports that a link to save a file was clicked.
	Saving bool
	// PressFailure is why a press of the mouse came to no click; Missed is what was pressed instead of the element.
	PressFailure, Missed string
	// Reading is the value of the element that the action was on; nil when it was not read.
	Reading *Reading
}

// Reading is the value of an element. Of a password it is only the length.
type Reading struct {
	Gone, Checked, Secret bool
	Value                 string
	Length                int
}

// Tick lets one round of the page's tasks pass. It knows nothing when the document is gone or does not answer in time.
func (t *Tab) Tick(ctx context.Context, on dom.Element) Activity {
	unknown := Activity{Changes: -1}
	ctx, cancel := context.WithTimeout(ctx, quietLimit)
	defer cancel()
	done := make(chan Activity, 1)
	go func() {
		var a Activity
		if t.Frames.Run(ctx, on.World, &a, "function(id){return act.tick(id)}", on.ID) != nil {
			a = unknown
		}
		done <- a
	}()

	a, received, _ := target.Await(ctx, &t.Target.Changed, done, t.Target.Interrupted)
	if !received {
		return unknown
	}
	return a
}
