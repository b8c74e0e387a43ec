package page

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/page/dom"
	"cove/internal/page/target"
	"cove/internal/wording"
)

// Navigation describes where a tab is to go.
type Navigation struct {
	Kind        string // url, back, forward, reload
	URL         string
	IgnoreCache bool
	// AcceptUnload says whether to leave a page that asks before it is left.
	AcceptUnload bool
	Script       string // runs in the new document before the page's own scripts
	Limit        time.Duration
}

// Arrival is the result of a navigation.
type Arrival struct {
	URL string
	// Failure is why the navigation failed, in the browser's words or ours; "" when it did not. When the address could
	// not be loaded, the tab shows an error page.
	Failure string
	// Loading reports that the load event had not come when the time was over.
	Loading bool
	// UnloadAnswer is our answer to a page that asked before it was left: accepted or dismissed; "" when the page did
	// not ask.
	UnloadAnswer string
	Download     bool
	Effects      Effects
}

// CheckURL returns an error unless address is of a kind that a tab can show. It does not ask the rules whether agents
// may see what is there.
func CheckURL(address string) error {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme == "" || strings.ContainsAny(address, "\n\r\t") ||
		(u.Host == "" && (u.Scheme == "http" || u.Scheme == "https")) {
		return notAddress(address, "https://example.com/")
	}

	switch u.Scheme {
	case "http", "https", "data", "blob", "about", "file", "chrome-extension", "view-source", "chrome",
		"chrome-untrusted", "devtools":
		return nil
	case "javascript":
		return fault.Invalidf("A javascript: address is not navigated to.").WithHint("Use evaluate_script.")
	}
	host, port, ok := strings.Cut(address, ":")
	if ok && port != "" && port[0] >= '0' && port[0] <= '9' && !strings.Contains(host, "/") { // localhost:3000
		return notAddress(address, "http://"+wording.Shorten(strings.TrimSpace(address), 200))
	}
	return fault.Invalidf("No page shows what is at a %s: address.", u.Scheme).WithHint("Use an http or https address.")
}

func notAddress(address, example string) error {
	return fault.Invalidf("%q is not an address.", wording.Shorten(address, 200)).
		WithHint("Give a whole one, such as " + example + ".")
}

// Navigate moves the tab and waits for the new document.
func (t *Tab) Navigate(ctx context.Context, n Navigation) (Arrival, error) {
	if n.Kind == "url" {
		if err := CheckURL(n.URL); err != nil {
			return Arrival{}, err
		}
		if err := t.b.rules.Closed(n.URL); err != nil {
			return Arrival{}, err
		}
	}
	if err := t.escapeDialogs(ctx, &n); err != nil {
		return Arrival{}, err
	}
	t.Frames.Revive()
	if n.Script != "" {
		var added struct {
			ID string `json:"identifier"`
		}
		params := object{"source": n.Script}
		if err := t.Target.Do(ctx, "Page.addScriptToEvaluateOnNewDocument", params, &added); err != nil {
			return Arrival{}, err
		}
		defer t.Target.Post(t.Target.Session, "Page.removeScriptToEvaluateOnNewDocument",
			object{"identifier": added.ID})
	}
	return t.navigate(ctx, n)
}

// begun is the browser's answer to a navigation.
type begun struct {
	Loader   string `json:"loaderId"`
	Error    string `json:"errorText"`
	Download bool   `json:"isDownload"`
}

func (t *Tab) navigate(ctx context.Context, n Navigation) (Arrival, error) {
	a := Arrival{}
	ctx, cancel := context.WithTimeoutCause(ctx, n.Limit, errTooLate)
	defer cancel()
	t.Target.StopBusyScript(ctx)
	before := t.Mark()
	ended := make(chan error, 1)
	var answer begun
	go func() { ended <- t.begin(ctx, n, &answer) }()

	for {
		err, received, late := target.Await(ctx, &t.Target.Changed, ended, func() bool { return t.isBlocked(before) })
		switch {
		case late != nil:
			return t.notMoved(ctx, a, before, late)
		case received && err != nil:
			return t.notMoved(ctx, a, before, err)
		case received:
			return t.arrived(ctx, n, a, before, answer)
		}
		d := t.Dialog()
		if d == nil || !t.isBlocked(before) {
			continue // the dialog has closed on its own, or with its document
		}
		if d.Kind != "beforeunload" {
			// The dialog would block the next document, and nobody could answer it once that document is there.
			_ = t.Target.Do(ctx, "Page.stopLoading", nil, nil)
			a.Failure, a.URL = "the page has opened a dialog before it was left", t.About().URL
			t.collect(before, &a.Effects)
			return a, nil
		}
		a.UnloadAnswer = "dismissed"
		if n.AcceptUnload {
			a.UnloadAnswer = "accepted"
		}
		if err := t.Target.AnswerDialog(ctx, object{"accept": n.AcceptUnload}); err != nil {
			return a, err
		}
		t.Target.DialogAnswered(d)
	}
}

// isBlocked reports whether a dialog keeps the tab from leaving its page.
func (t *Tab) isBlocked(before Mark) bool {
	d := t.Dialog()
	return d != nil && (d.Kind == "beforeunload" || t.Frames.Load().Commits == before.load.Commits)
}

// arrived waits for the document of a navigation that the browser has begun.
func (t *Tab) arrived(ctx context.Context, n Navigation, a Arrival, before Mark, answer begun) (Arrival, error) {
	if a.Download = answer.Download; a.UnloadAnswer != "dismissed" {
		a.Failure = answer.Error
	}
	a, err := t.awaitDocument(ctx, a, before, answer.Loader)
	if err == nil {
		err = t.explainFailure(&a, before)
	}
	stayed := !a.Loading && a.UnloadAnswer == "" && !t.moved(before) && !t.Target.Interrupted()
	if n.Kind != "url" && err == nil && stayed {
		a.Failure = "no new document came"
	}
	return a, err
}

var errTooLate = errors.New("the time was over")

// notMoved returns the arrival, or the error, of a navigation that ended without a new document.
func (t *Tab) notMoved(ctx context.Context, a Arrival, before Mark, err error) (Arrival, error) {
	a.URL = t.About().URL
	var refused *cdp.Error
	switch {
	case errors.Is(err, errTooLate) && t.Frames.Load().Commits != before.load.Commits:
		a.Loading = true
		return a, nil
	case errors.Is(err, errTooLate):
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = t.Target.Do(stop, "Page.stopLoading", nil, nil)
		a.Failure = "the server did not answer in time"
		return a, nil
	case errors.As(err, &refused):
		a.Failure = refused.Message
		return a, nil
	}
	return a, err
}

// begin sends the command that navigates. The browser answers when the new document has come, or when it is clear that
// none will come.
func (t *Tab) begin(ctx context.Context, n Navigation, answer *begun) error {
	ctx, cancel := t.Target.Bound(ctx, max(n.Limit, target.CommandLimit))
	defer cancel()
	switch n.Kind {
	case "reload":
		return t.b.conn.Call(ctx, t.Target.Session, "Page.reload", object{"ignoreCache": n.IgnoreCache}, nil)
	case "back", "forward":
		return t.step(ctx, n.Kind)
	}
	return t.b.conn.Call(ctx, t.Target.Session, "Page.navigate", object{"url": n.URL}, answer)
}

// step goes back or forward in the tab's history.
func (t *Tab) step(ctx context.Context, kind string) error {
	var h struct {
		Index   int `json:"currentIndex"`
		Entries []struct {
			ID  int    `json:"id"`
			URL string `json:"url"`
		} `json:"entries"`
	}
	if err := t.b.conn.Call(ctx, t.Target.Session, "Page.getNavigationHistory", nil, &h); err != nil {
		return err
	}
	to := h.Index - 1
	if kind == "forward" {
		to = h.Index + 1
	}
	if to < 0 || to >= len(h.Entries) {
		return fault.New(fault.CodeHistory, "There is no page to go "+kind+" to.", "Navigate to an address.")
	}
	if err := t.b.rules.Closed(h.Entries[to].URL); err != nil {
		return err
	}
	params := object{"entryId": h.Entries[to].ID}
	return t.b.conn.Call(ctx, t.Target.Session, "Page.navigateToHistoryEntry", params, nil)
}

// startLimit is how long a step in the history or a reload may take to begin. lateLoad is how long we wait for a
// document's load event: some pages never have one.
const (
	startLimit = 2 * time.Second
	lateLoad   = 5 * time.Second
)

// awaitDocument waits for the document and, for a short time, for its load event.
func (t *Tab) awaitDocument(ctx context.Context, a Arrival, before Mark, loader string) (Arrival, error) {
	commits := before.load.Commits
	until := func(limit time.Duration, ok func(dom.Load) bool) bool {
		return t.Target.Until(ctx, limit, func() bool { return t.Target.Interrupted() || ok(t.Frames.Load()) })
	}
	moved := func(l dom.Load) bool {
		if loader != "" {
			// The first, empty document of a new tab may come only now. It is not the one that was requested.
			return t.Frames.Loader() == loader || l.Commits > commits+1
		}
		return l.Commits != commits || l.Within != before.load.Within
	}

	if a.Failure != "" && loader != "" && !strings.Contains(a.Failure, "ERR_ABORTED") {
		until(startLimit, func(l dom.Load) bool { return l.Commits != commits }) // the error page
	}
	if !a.Download && a.Failure == "" && (loader != "" || a.UnloadAnswer != "dismissed") {
		limit := startLimit
		if loader != "" {
			limit = loadLimit
		}
		until(limit, func(l dom.Load) bool { return moved(l) || l.Pending != "" })
		until(loadLimit, moved)
		a.Loading = !until(lateLoad,
			func(l dom.Load) bool { return l.Pending == "" && (l.Done || l.Commits == commits) })
	}
	a.URL = t.About().URL
	t.collect(before, &a.Effects)
	return a, context.Cause(ctx)
}

// moved reports whether another document has come since the mark, or the same document has another address.
func (t *Tab) moved(before Mark) bool {
	l := t.Frames.Load()
	return l.Commits != before.load.Commits || l.Within != before.load.Within
}

// Posted reports whether the tab shows the answer to a form. Loading such a page again sends the form again.
func (t *Tab) Posted() bool { return t.Log.Posted(t.Frames.Loader()) }

// Posted is Tab.Posted for the tab with this target.
func (b *Browser) Posted(targetID string) bool {
	b.mu.Lock()
	t := b.tabs[targetID]
	b.mu.Unlock()
	return t != nil && t.Posted()
}
