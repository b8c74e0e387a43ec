package page

import (
	"context"
	"strings"
	"time"

	"cove/internal/page/dom"
	"cove/internal/page/target"
)

// Rules enforces site rules for content that loads without the network: from service workers, history, blob URLs.
type Rules interface {
	// Closed returns why agents may not see what is at an address, or nil when they may.
	Closed(address string) error
	// Protected reports whether an address is that of a file that no agent may see.
	Protected(address string) bool
	// Stopped returns what kept an address from loading, as far as it is known: how the connection failed, or the rule
	// that refused it.
	Stopped(address string) (failure string, refused error)
	// Notice reports whether a page with these headers is our own page that says that the site was refused. The names
	// of the headers are in lower case.
	Notice(headers map[string]string) bool
	// Empties reports whether a page that agents may not see is emptied. It stays where it is the person's.
	Empties() bool
}

// noRules allows everything.
type noRules struct{}

func (noRules) Closed(string) error            { return nil }
func (noRules) Protected(string) bool          { return false }
func (noRules) Stopped(string) (string, error) { return "", nil }
func (noRules) Notice(map[string]string) bool  { return false }
func (noRules) Empties() bool                  { return true }

// SetRules sets the rules for sites. Call it before Start.
func (b *Browser) SetRules(r Rules) { b.rules = r }

// SetRedaction sets the functions that redact text. words removes secrets from the text of pages. It gets the text
// before it is cut, because a part of a secret cannot be recognised. addresses returns what agents may see of an
// address in a page. Call SetRedaction before Start.
func (b *Browser) SetRedaction(words, addresses func(string) string) {
	b.redact, b.addresses = words, addresses
}

// address returns what agents may see of an address in a page.
func (b *Browser) address(text string) string {
	if b.addresses == nil {
		return text
	}
	return b.addresses(text)
}

// redacted returns a page's text without secrets.
func (b *Browser) redacted(text string) string {
	if b.redact == nil {
		return text
	}
	return b.redact(text)
}

// hasText reports whether an event carries text of a page that is cut and stored.
func hasText(method string) bool {
	switch method {
	case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded", "Audits.issueAdded",
		"Page.javascriptDialogOpening":
		return true
	}
	return false
}

// Enforce applies changed rules to the tabs that are open. It empties pages of refused sites, and clears the cache,
// which may have pages of such sites. Tabs stay open. Enforce waits for no answer.
func (b *Browser) Enforce() {
	if !b.rules.Empties() {
		return
	}
	b.mu.Lock()
	b.enforced++
	b.mu.Unlock()
	for _, t := range b.Tabs() {
		t.clearCache()
		for _, f := range t.Frames.All() {
			t.emptyRefused(f)
		}
	}
}

// IsShared reports whether the tab is in a browser that a person uses.
func (t *Tab) IsShared() bool { return !t.b.rules.Empties() }

// clearCache clears the cache of the tab's browser context, once for each change of the rules. It returns a channel
// that is closed when the cache is cleared, or nil when there is nothing to do. The command needs a tab, so the cache
// of a context without tabs is cleared when the context gets its next tab.
func (t *Tab) clearCache() <-chan struct{} {
	b, inside := t.b, t.About().Context
	b.mu.Lock()
	enforced := b.enforced
	due := b.cleared[inside] != enforced
	b.cleared[inside] = enforced
	b.mu.Unlock()
	if !due {
		return nil
	}

	cleared := b.conn.Start(t.Target.Session, "Network.clearBrowserCache", nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		ctx, cancel := context.WithTimeout(t.Target.Life(), target.CommandLimit)
		defer cancel()
		if cleared.Wait(ctx, nil) == nil {
			return
		}
		b.mu.Lock() // the tab is gone: the context's next tab clears the cache
		defer b.mu.Unlock()
		if b.cleared[inside] == enforced {
			b.cleared[inside] = -1
		}
	}()
	return done
}

// emptyRefused empties a frame that shows a refused site. Such a page did not pass the rules on the network: it came
// from a cache or a service worker, or before the rule was there.
func (t *Tab) emptyRefused(f dom.Frame) {
	at := siteOf(f)
	if !t.b.rules.Empties() || (at == "" || t.b.rules.Closed(at) == nil) && !t.b.rules.Protected(f.URL) {
		return
	}
	if headers, ok := t.Log.ResponseHeaders(f.Loader); ok && t.b.rules.Notice(headers) {
		return
	}

	t.b.log.Info("left a page of a refused site")
	t.Target.Post(f.Session, "Page.navigate", object{"url": "about:blank", "frameId": f.ID})
	if f.ID == t.Frames.Main() {
		go t.acceptUnload()
	}
}

// siteOf returns the address to check against the rules for sites, or "" when the frame shows no site. An empty page
// that a site has opened and filled counts as that site.
func siteOf(f dom.Frame) string {
	switch {
	case dom.IsWeb(f.URL):
		return f.URL
	case strings.HasPrefix(f.URL, "about:") && dom.IsWeb(f.Origin):
		return f.Origin
	}
	return ""
}

// unloadLimit is how long a refused page may take to ask whether to leave.
const unloadLimit = 2 * time.Second

// acceptUnload waits a moment for the dialog of a page that asks before it is left, and accepts it.
func (t *Tab) acceptUnload() {
	ctx, cancel := context.WithTimeout(t.Target.Life(), unloadLimit)
	defer cancel()
	if target.Until(ctx, &t.Target.Changed, func() bool { return t.Dialog() != nil }) == nil {
		_ = t.Target.AnswerDialog(ctx, object{"accept": true})
	}
}

// SiteError returns why agents may not see what the tab shows, or nil when they may.
func (t *Tab) SiteError() error {
	if f := t.Frames.MainFrame(); !dom.IsWeb(f.URL) {
		if at := siteOf(f); at != "" {
			if err := t.b.rules.Closed(at); err != nil {
				return err
			}
		}
	}
	if err := t.frameError(t.Frames.MainFrame()); err != nil {
		return err
	}
	return t.b.rules.Closed(t.About().URL)
}

// frameError returns why agents may not see a frame that shows no site; nil if they may. Pages of sites can have frames
// of extensions. An empty frame that an extension has made has the rights of the extension.
func (t *Tab) frameError(f dom.Frame) error {
	at := f.URL
	if strings.HasPrefix(f.URL, "about:") && strings.HasPrefix(f.Origin, "chrome-extension:") {
		at = f.Origin
	}
	if at == "" || dom.IsWeb(at) {
		return nil
	}
	return t.b.rules.Closed(at)
}

// stopped returns what has kept the main document from loading since the mark.
func (t *Tab) stopped(before Mark) (failure string, refused error) {
	address := t.Log.MainURL(before.request)
	if address == "" {
		return "", nil
	}
	if refused := t.b.rules.Closed(address); refused != nil {
		return "", refused
	}
	return t.b.rules.Stopped(address)
}

// explainFailure puts the reason in place of the browser's words when the proxy did not make the connection. It returns
// the refusal of the rules, if there is one.
func (t *Tab) explainFailure(a *Arrival, before Mark) error {
	failure, refused := t.stopped(before)
	if failure != "" && (strings.Contains(a.Failure, "ERR_SOCKS") || strings.Contains(a.Failure, "ERR_TUNNEL")) {
		a.Failure = failure
	}
	return refused
}
