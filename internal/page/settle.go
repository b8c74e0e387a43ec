package page

import (
	"context"
	"slices"
	"time"

	"cove/internal/page/devlog"
	"cove/internal/page/dom"
	"cove/internal/page/target"
)

// These limits bound how long an action waits for its effects. They are not delays: when nothing is going on, nobody
// waits.
const (
	loadLimit    = 10 * time.Second
	lateLimit    = 2 * time.Second // for the load event of a document that is there
	requestLimit = 3 * time.Second
	flushLimit   = 2 * time.Second
	fileLimit    = 2 * time.Second // for a small download to arrive
	openLimit    = 500 * time.Millisecond
	logLimit     = 2 * time.Second // for young requests
)

// Settle waits until everything that an action has started is over: navigation, requests, changes of the page. on is
// the element that the action was on; Settle reads its value on the way. An id of 0 means that there is no such
// element. With a zero world Settle does not ask the page, and only watches navigation and requests.
func (t *Tab) Settle(ctx context.Context, before Mark, on dom.Element) (Effects, error) {
	var e Effects
	flushed := t.flush()
	s := settling{t, before}
	var page Activity // as the page last described it
	quiet := false
	for round := 0; round < 20 && ctx.Err() == nil; round++ {
		if t.Target.Interrupted() {
			break
		}
		moved, loaded := s.awaitLoad(ctx)
		if moved && !loaded {
			e.Busy = "loading"
			break
		}
		seen := page.Changes
		page = s.awaitQuiet(ctx, on, page)
		if t.Target.Interrupted() {
			break
		}
		if s.requesting() {
			if !s.awaitRequests(ctx) {
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
		e.Activity.Reading = nil // the page may have changed since
	}

	flushed(ctx)
	s.awaitOpened(ctx)
	s.awaitDownloads(ctx, page.Saving)
	t.collect(before, &e)
	return e, context.Cause(ctx)
}

// SettleAll is Settle for an action that was on no element.
func (t *Tab) SettleAll(ctx context.Context, before Mark) (Effects, error) {
	t.Target.YieldToPage(ctx)
	return t.Settle(ctx, before, dom.Element{})
}

// AwaitLog waits for the requests that the page has sent just now, and for what its scripts log when they are answered.
// A page that never rests holds up nobody who reads the log.
func (t *Tab) AwaitLog(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, logLimit)
	defer cancel()
	for ctx.Err() == nil && !t.Target.Interrupted() && t.Log.Young() {
		if !t.Target.Until(ctx, devlog.CheckInterval, t.Target.Interrupted) && !t.Log.Young() {
			t.Target.YieldToPage(ctx)
		}
	}
}

// settling waits for the effects of one action on a tab.
type settling struct {
	tab    *Tab
	before Mark
}

// flush makes the browser deliver what it has heard from the page so far. The event that the page opens a file chooser
// takes another way through the browser than the answers of the page. flush returns at once; wait waits for the
// delivery.
func (t *Tab) flush() (wait func(context.Context)) {
	sent := t.b.conn.Start("", "Browser.getVersion", nil)
	return func(ctx context.Context) {
		ctx, cancel := context.WithTimeout(ctx, flushLimit)
		defer cancel()
		_ = sent.Wait(ctx, nil)
	}
}

// awaitOpened waits a moment until the tabs that the action has opened have an address.
func (s settling) awaitOpened(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, openLimit)
	defer cancel()
	nowhere := func(o *Tab) bool { return !slices.Contains(s.before.tabs, o) && o.About().URL == "" }
	_ = s.tab.b.until(ctx, func() bool { return !slices.ContainsFunc(s.tab.b.Tabs(), nowhere) })
}

// awaitDownloads waits a moment for the downloads that the action has begun.
func (s settling) awaitDownloads(ctx context.Context, begun bool) {
	t, before := s.tab, s.before
	t.Target.Until(ctx, fileLimit, func() bool {
		files := t.b.Downloads(before.downloads)
		if len(files) == 0 && (begun || t.Log.Saved(before.request) || t.b.saved(before)) {
			return false
		}
		return !slices.ContainsFunc(files, func(d Download) bool { return d.State == "inProgress" })
	})
}

// saved reports whether a tab that was opened after the mark was answered with a file to save.
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

func (s settling) navigating() bool { return s.tab.Navigating(s.before) }

func (s settling) requesting() bool { return s.tab.Log.UnderWay(s.before.request) }

// elsewhere reports whether something is going on outside the page. It is of no use to look at the page then.
func (s settling) elsewhere() bool {
	return s.tab.Target.Interrupted() || s.navigating() || s.requesting()
}

// awaitRequests waits for the requests that the action has sent. It reports false when they are not over in time.
func (s settling) awaitRequests(ctx context.Context) bool {
	over := func() bool { return s.tab.Target.Interrupted() || s.navigating() || !s.requesting() }
	for {
		remaining := requestLimit - time.Since(s.before.at)
		if remaining <= 0 || ctx.Err() != nil {
			return over()
		}
		if s.tab.Target.Until(ctx, min(remaining, devlog.CheckInterval), over) {
			return true
		}
	}
}

// awaitLoad waits for a navigation that has begun. For the load event of a document that has come, it does not wait
// long.
func (s settling) awaitLoad(ctx context.Context) (moved, loaded bool) {
	t := s.tab
	if !s.navigating() {
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

// stillTime is how long a page that has not changed may take to begin a navigation.
const stillTime = 150 * time.Millisecond

// Unchanged reports whether a click on an element has changed nothing, as far as we can know.
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

// quietLimit bounds how long we wait for a page that never rests. A page is quiet after quietTime without a change.
const (
	quietLimit = time.Second
	quietTime  = 20 * time.Millisecond
)

// awaitQuiet lets the page's scripts run. If they have changed the page since seen, it waits until the page is quiet.
func (s settling) awaitQuiet(ctx context.Context, on dom.Element, seen Activity) Activity {
	t := s.tab
	seen.Reading = nil // the value may have changed since
	if on.World.ID == 0 || t.Frames.Load().Commits != s.before.load.Commits {
		return seen // another document: there is nothing to compare with
	}
	last := t.Tick(ctx, on)
	if last.Changes < 0 {
		return seen
	}
	if last.Changes <= seen.Changes {
		return last
	}

	end := s.before.at.Add(quietLimit)
	for time.Now().Before(end) && ctx.Err() == nil && last.PressFailure == "" {
		rest := quietTime - time.Duration(last.Quiet*float64(time.Millisecond))
		if rest <= 0 || t.Target.Until(ctx, rest, s.elsewhere) {
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

// Activity is what a page reports about itself since an action began.
type Activity struct {
	// Changes counts the page's changes; -1 when that cannot be known. Quiet is how many milliseconds ago the last one
	// was.
	Changes int
	Quiet   float64
	// Saving reports that somebody clicked a link that saves a file.
	Saving bool
	// PressFailure is why a press of the mouse button led to no click. Missed is what was pressed instead of the
	// element.
	PressFailure, Missed string
	// Reading is the value of the element that the action was on; nil when it was not read.
	Reading *Reading
}

// Reading is the value of an element. Of a password it has only the length.
type Reading struct {
	Gone, Checked, Secret bool
	Value                 string
	Length                int
}

// Tick lets one round of the page's tasks pass and returns the page's report. Its Changes are -1 when the document is
// gone or does not answer in time.
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
