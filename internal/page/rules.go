package page

import (
	"context"
	"strings"
)

// Rules is what the pages of a browser are held to, beside what never reaches the network.
type Rules interface {
	// Closed answers why agents may not see what is at an address; nil when they may.
	Closed(address string) error
	// Protected tells whether an address is of a file that no agent may see.
	Protected(address string) bool
	// Stopped answers what kept an address from being loaded, as far as it is known: how the connection failed, or the rule.
	Stopped(address string) (failure string, refused error)
	// Notice tells by its headers, their names in lower case, whether a page is our own and says that the site was refused.
	Notice(headers map[string]string) bool
}

// free lets everything be.
type free struct{}

func (free) Closed(string) error            { return nil }
func (free) Protected(string) bool          { return false }
func (free) Stopped(string) (string, error) { return "", nil }
func (free) Notice(map[string]string) bool  { return false }

// Hold makes the browser keep to rules; call it before Start.
func (b *Browser) Hold(r Rules) { b.rules = r }

// Hide has secrets taken out of what pages say before any of it is cut short: a part of one could not be told from other words. What
// addresses leaves is told of the addresses in pages. Call it before Start.
func (b *Browser) Hide(words, addresses func(string) string) { b.hide, b.addresses = words, addresses }

// address is what may be told of an address in a page.
func (b *Browser) address(text string) string {
	if b.addresses == nil {
		return text
	}
	return b.addresses(text)
}

// hidden is what a page says without secrets.
func (b *Browser) hidden(text string) string {
	if b.hide == nil {
		return text
	}
	return b.hide(text)
}

// worded are the events that carry words of a page which are kept in part.
var worded = map[string]bool{"Runtime.consoleAPICalled": true, "Runtime.exceptionThrown": true, "Log.entryAdded": true, "Audits.issueAdded": true, "Page.javascriptDialogOpening": true}

// Enforce puts rules that have changed into force for what is there already: pages of refused sites are left, and what the browser has
// kept of pages is forgotten, since it may be of such a site. Tabs stay open, empty. Nothing is waited for.
func (b *Browser) Enforce() {
	b.mu.Lock()
	b.enforced++
	b.mu.Unlock()
	for _, t := range b.Tabs() {
		t.clearCache()
		t.mu.Lock()
		all := make([]frame, 0, len(t.frames))
		for _, f := range t.frames {
			all = append(all, *f)
		}
		t.mu.Unlock()
		for _, f := range all {
			t.leave(f)
		}
	}
}

// clearCache forgets what the tab's browser context has kept of pages, once for each change of the rules; what it returns is closed when
// that is done, nil when there is nothing to do. A context without a tab has to wait for its next one.
func (t *Tab) clearCache() <-chan struct{} {
	inside := t.About().Context
	b := t.b
	b.mu.Lock()
	enforced := b.enforced
	due := b.cleared[inside] != enforced
	b.cleared[inside] = enforced
	b.mu.Unlock()
	if !due {
		return nil
	}
	cleared := b.conn.Start(t.session, "Network.clearBrowserCache", nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		ctx, cancel := context.WithTimeout(t.lifeContext(), commandLimit)
		defer cancel()
		if cleared.Wait(ctx, nil) == nil {
			return
		}
		b.mu.Lock() // the tab has gone meanwhile: the next one does it
		defer b.mu.Unlock()
		if b.cleared[inside] == enforced {
			b.cleared[inside] = -1
		}
	}()
	return done
}

// leave empties a frame that shows a refused site. It got there without the network: from a cache, by a service worker, or before the
// rule was there.
func (t *Tab) leave(f frame) {
	if at := f.site(); (at == "" || t.b.rules.Closed(at) == nil) && !t.b.rules.Protected(f.url) {
		return
	}
	t.mu.Lock()
	r := t.network.open[f.loader]
	notice := r != nil && t.b.rules.Notice(r.Answered)
	t.mu.Unlock()
	if notice {
		return
	}
	t.b.log.Info("left a page of a refused site")
	t.forget(t.b.conn.Start(f.session, "Page.navigate", object{"url": "about:blank", "frameId": f.id}))
	if f.id == t.main {
		go t.insist()
	}
}

// site is the address that the rules for sites are asked about; "" when the frame shows none. An empty page that a site has opened and
// filled is that site's.
func (f *frame) site() string {
	switch {
	case web(f.url):
		return f.url
	case strings.HasPrefix(f.url, "about:") && web(f.origin):
		return f.origin
	}
	return ""
}

// insist: a page that asks whether to leave is left.
func (t *Tab) insist() {
	ctx, cancel := context.WithTimeout(t.lifeContext(), startTime)
	defer cancel()
	for ctx.Err() == nil {
		next := t.changed.wait()
		if d := t.Dialog(); d != nil {
			_ = t.answerDialog(ctx, object{"accept": true})
			return
		}
		select {
		case <-next:
		case <-ctx.Done():
		}
	}
}

// web tells whether an address is of a site; others have rules for agents only.
func web(address string) bool {
	return strings.HasPrefix(address, "http:") || strings.HasPrefix(address, "https:") || strings.HasPrefix(address, "blob:http") || strings.HasPrefix(address, "filesystem:http")
}

// Open answers why agents may not see what the tab shows; nil when they may.
func (t *Tab) Open() error {
	t.mu.Lock()
	at := ""
	if f := t.frames[t.main]; f != nil && !web(f.url) {
		at = f.site()
	}
	t.mu.Unlock()
	if at != "" {
		if err := t.b.rules.Closed(at); err != nil {
			return err
		}
	}
	return t.b.rules.Closed(t.About().URL)
}

// stopped answers what kept the main document from being loaded since the mark.
func (t *Tab) stopped(before mark) (failure string, refused error) {
	t.mu.Lock()
	address := ""
	for i := len(t.network.ring) - 1; i >= 0 && t.network.ring[i].seq > before.request; i-- {
		if r := t.network.ring[i]; r.Kind == "document" && r.frame == t.main {
			address = r.URL
			break
		}
	}
	t.mu.Unlock()
	if address == "" {
		return "", nil
	}
	if refused := t.b.rules.Closed(address); refused != nil {
		return "", refused
	}
	return t.b.rules.Stopped(address)
}

// stoppedWords puts the browser's own words in the place of those for a connection that its proxy did not make.
func (t *Tab) stoppedWords(a *Arrival, before mark) error {
	failure, refused := t.stopped(before)
	if failure != "" && (strings.Contains(a.Failure, "ERR_SOCKS") || strings.Contains(a.Failure, "ERR_TUNNEL")) {
		a.Failure = failure
	}
	return refused
}
