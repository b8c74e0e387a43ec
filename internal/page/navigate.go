package page

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"cove/internal/cdp"
	"cove/internal/fault"
)

// Go is how a tab is to move.
type Go struct {
	Kind        string // url, back, forward, reload
	URL         string
	IgnoreCache bool
	// LeaveDirty says what to answer a page that asks whether to leave.
	LeaveDirty bool
	Script     string // runs before the page's own
	Limit      time.Duration
}

// Arrival is where a navigation has led.
type Arrival struct {
	URL string
	// Failure is what the browser says when the address could not be loaded; the tab shows an error page then.
	Failure string
	// Loading tells that the load event had not come when the time was over.
	Loading bool
	// Asked tells that the page asked whether to leave, and what it was answered.
	Asked    string
	Download bool
	Effects  Effects
}

// CheckURL refuses what is not an address of something that a page can show. Which of them agents may see is for the rules.
func CheckURL(address string) error {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme == "" || (u.Host == "" && (u.Scheme == "http" || u.Scheme == "https")) || strings.ContainsAny(address, "\n\r\t") {
		return fault.Invalidf("%q is not an address.", short(address, 200)).WithHint("Give a whole one, such as https://example.com/.")
	}
	switch u.Scheme {
	case "http", "https", "data", "blob", "about", "file", "chrome-extension", "view-source", "chrome", "chrome-untrusted", "devtools":
		return nil
	case "javascript":
		return fault.Invalidf("A javascript: address is not navigated to.").WithHint("Use evaluate_script.")
	}
	if host, port, ok := strings.Cut(address, ":"); ok && port != "" && port[0] >= '0' && port[0] <= '9' && !strings.Contains(host, "/") { // localhost:3000
		return fault.Invalidf("%q is not an address.", short(address, 200)).WithHint("Give a whole one, such as http://" + short(strings.TrimSpace(address), 200) + ".")
	}
	return fault.Invalidf("No page shows what is at a %s: address.", u.Scheme).WithHint("Use an http or https address.")
}

// Navigate moves the tab and waits until the new document is there.
func (t *Tab) Navigate(ctx context.Context, g Go) (Arrival, error) {
	if g.Kind == "url" {
		if err := CheckURL(g.URL); err != nil {
			return Arrival{}, err
		}
		if err := t.b.rules.Closed(g.URL); err != nil {
			return Arrival{}, err
		}
	}
	if err := t.leaveDialog(ctx, &g); err != nil {
		return Arrival{}, err
	}
	t.revive()
	if g.Script != "" {
		var added struct {
			ID string `json:"identifier"`
		}
		if err := t.do(ctx, "Page.addScriptToEvaluateOnNewDocument", object{"source": g.Script}, &added); err != nil {
			return Arrival{}, err
		}
		defer func() {
			t.forget(t.b.conn.Start(t.session, "Page.removeScriptToEvaluateOnNewDocument", object{"identifier": added.ID}))
		}()
	}
	return t.navigate(ctx, g)
}

func (t *Tab) navigate(ctx context.Context, g Go) (Arrival, error) {
	a := Arrival{}
	ctx, cancel := context.WithTimeoutCause(ctx, g.Limit, errTooLate)
	defer cancel()
	t.wake(ctx)
	before := t.mark()
	ended := make(chan error, 1)
	var answer struct {
		Loader   string `json:"loaderId"`
		Error    string `json:"errorText"`
		Download bool   `json:"isDownload"`
	}
	go func() { ended <- t.begin(ctx, g, &answer) }()
	for {
		next := t.changed.wait()
		d := t.Dialog()
		if d != nil && d.Kind != "beforeunload" && t.present().commits == before.load.commits {
			// It would hold up the next document, and could not be answered any more once that is there.
			_ = t.do(ctx, "Page.stopLoading", nil, nil)
			a.Failure, a.URL = "the page has opened a dialog before it was left", t.About().URL
			t.collect(before, &a.Effects)
			return a, nil
		}
		if d != nil && d.Kind == "beforeunload" {
			a.Asked = "dismissed"
			if g.LeaveDirty {
				a.Asked = "accepted"
			}
			if err := t.answerDialog(ctx, object{"accept": g.LeaveDirty}); err != nil {
				return a, err
			}
			t.dialogAnswered(d)
			continue
		}
		select {
		case err := <-ended:
			if err != nil {
				return t.notMoved(ctx, a, before, err)
			}
			if a.Download = answer.Download; a.Asked != "dismissed" {
				a.Failure = answer.Error
			}
			if a, err = t.arrive(ctx, a, before, answer.Loader); err == nil {
				err = t.stoppedWords(&a, before)
			}
			if g.Kind != "url" && err == nil && !a.Loading && a.Asked == "" && !t.moved(before) && !t.interrupted() {
				a.Failure = "no new document came"
			}
			return a, err
		case <-next:
		case <-ctx.Done():
			return t.notMoved(ctx, a, before, context.Cause(ctx))
		}
	}
}

var errTooLate = errors.New("the time was over")

// notMoved tells why there is no new document.
func (t *Tab) notMoved(ctx context.Context, a Arrival, before mark, err error) (Arrival, error) {
	a.URL = t.About().URL
	if errors.Is(err, errTooLate) {
		if t.present().commits != before.load.commits {
			a.Loading = true
			return a, nil
		}
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = t.do(stop, "Page.stopLoading", nil, nil)
		a.Failure = "the server did not answer in time"
		return a, nil
	}
	var refused *cdp.Error
	if errors.As(err, &refused) {
		a.Failure = refused.Message
		return a, nil
	}
	return a, err
}

// begin sends the command; it answers when the new document has come, or will not.
func (t *Tab) begin(ctx context.Context, g Go, answer any) error {
	limit := max(g.Limit, commandLimit)
	ctx, cancel := t.bound(ctx, limit)
	defer cancel()
	switch g.Kind {
	case "reload":
		return t.b.conn.Call(ctx, t.session, "Page.reload", object{"ignoreCache": g.IgnoreCache}, nil)
	case "back", "forward":
		return t.step(ctx, g.Kind)
	}
	return t.b.conn.Call(ctx, t.session, "Page.navigate", object{"url": g.URL}, answer)
}

func (t *Tab) step(ctx context.Context, kind string) error {
	var h struct {
		Index   int `json:"currentIndex"`
		Entries []struct {
			ID  int    `json:"id"`
			URL string `json:"url"`
		} `json:"entries"`
	}
	if err := t.b.conn.Call(ctx, t.session, "Page.getNavigationHistory", nil, &h); err != nil {
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
	return t.b.conn.Call(ctx, t.session, "Page.navigateToHistoryEntry", object{"entryId": h.Entries[to].ID}, nil)
}

// startTime is how long a step of the history or a reload may take to begin.
const startTime = 2 * time.Second

// arrive waits for the document and, not for long, for its load event.
func (t *Tab) arrive(ctx context.Context, a Arrival, before mark, loader string) (Arrival, error) {
	moved := func() bool {
		l := t.present()
		if loader != "" { // of a new tab, its first empty document may come only now: it is not the one that was asked for
			return t.interrupted() || t.shows(loader) || l.commits > before.load.commits+1
		}
		return t.interrupted() || l.commits != before.load.commits || l.within != before.load.within
	}
	if a.Failure != "" && loader != "" && !strings.Contains(a.Failure, "ERR_ABORTED") {
		t.until(ctx, startTime, func() bool { return t.interrupted() || t.present().commits != before.load.commits }) // the error page
	}
	if !a.Download && a.Failure == "" && (loader != "" || a.Asked != "dismissed") {
		limit := startTime
		if loader != "" {
			limit = loadLimit
		}
		t.until(ctx, limit, func() bool { l := t.present(); return moved() || l.pending != "" })
		t.until(ctx, loadLimit, moved)
		loaded := func() bool {
			l := t.present()
			return t.interrupted() || (l.pending == "" && (l.done || l.commits == before.load.commits))
		}
		a.Loading = !t.until(ctx, lateLoad, loaded)
	}
	a.URL = t.About().URL
	t.collect(before, &a.Effects)
	return a, context.Cause(ctx)
}

// moved tells whether another document has come, or another place in the same.
func (t *Tab) moved(before mark) bool {
	l := t.present()
	return l.commits != before.load.commits || l.within != before.load.within
}

// shows tells whether the main document is the one of this loader.
func (t *Tab) shows(loader string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.frames[t.main]
	return f != nil && f.loader == loader
}

// lateLoad is how long a document's load event is waited for: some pages never have one.
const lateLoad = 5 * time.Second
