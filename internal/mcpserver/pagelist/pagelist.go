// Package pagelist has the pages of a browser as one client knows them.
package pagelist

import (
	"fmt"
	"slices"
	"sync"

	"cove/internal/mcpserver/redaction"
	"cove/internal/page"
)

// List has the pages as one client knows them: by numbers, with one of them selected. Clients share the browser and
// none of this. A number is never used again.
type List struct {
	redact *redaction.Redactor

	mu        sync.Mutex
	browser   *page.Browser
	numbers   map[*page.Tab]int
	last      int
	selected  *page.Tab
	closed    *closedPage // the page that was selected and has closed, until the agent knows
	announced int         // the number of the closed page that the agent has read of last
	isOthers  func(*page.Tab) bool
}

// closedPage is a page that was selected when it closed.
type closedPage struct {
	number int
	url    string
}

// New returns the pages of a client. isOthers says which of them belong to another agent.
func New(r *redaction.Redactor, last int, isOthers func(*page.Tab) bool) *List {
	return &List{redact: r, numbers: map[*page.Tab]int{}, last: last, isOthers: isOthers}
}

// Use sets the browser. Its documents begin after those that the client has seen in browsers before it.
func (p *List) Use(b *page.Browser, documents int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.browser != b {
		b.SkipDocuments(documents)
	}
	p.browser = b
}

// tabs returns the open pages.
func (p *List) tabs() []*page.Tab {
	p.mu.Lock()
	b := p.browser
	p.mu.Unlock()
	if b == nil {
		return nil
	}
	return b.Tabs()
}

// NumberOf returns the number of a page. A page gets it when the client first hears of it.
func (p *List) NumberOf(t *page.Tab) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.numbers[t] == 0 {
		p.last++
		p.numbers[t] = p.last
	}
	return p.numbers[t]
}

// ByNumber returns the page with a number; nil when there is none.
func (p *List) ByNumber(number int) *page.Tab {
	for _, t := range p.tabs() {
		if p.NumberOf(t) == number {
			return t
		}
	}
	return nil
}

// Known returns the number of a page by the browser's name for it, and its address; 0 for one that the client has never
// heard of.
func (p *List) Known(id string) (number int, url string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for t, number := range p.numbers {
		if t.ID() == id {
			return number, t.About().URL
		}
	}
	return 0, ""
}

// Announced reports whether ClosedNotice has said that a page has closed, or is about to.
func (p *List) Announced(number int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.announced == number
}

// Selected returns the page that calls without pageId mean. When none is selected, or when the selected one has closed,
// it is the first one that belongs to no other agent, or else the first.
func (p *List) Selected() *page.Tab {
	tabs := p.tabs()
	p.mu.Lock()
	defer p.mu.Unlock()

	was := p.selected
	if (was != nil && !was.Closed()) || len(tabs) == 0 {
		return was
	}
	p.selected = tabs[0]
	if own := slices.IndexFunc(tabs, func(t *page.Tab) bool { return !p.isOthers(t) }); own >= 0 {
		p.selected = tabs[own]
	}
	if was != nil && p.closed == nil {
		p.closed = &closedPage{p.numbers[was], was.About().URL}
	}
	return p.selected
}

// Select selects a page.
func (p *List) Select(t *page.Tab) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.selected, p.closed = t, nil
}

// SelectedID returns the browser's name of the selected page; "" when none is.
func (p *List) SelectedID() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.selected == nil {
		return ""
	}
	return p.selected.ID()
}

// ClosedNotice says once that the selected page has closed and which one is selected now; "" when it has not.
func (p *List) ClosedNotice() string {
	now := p.Selected()
	p.mu.Lock()
	closed := p.closed
	p.closed = nil
	if closed != nil {
		p.announced = closed.number
	}
	p.mu.Unlock()
	if closed == nil {
		return ""
	}
	return fmt.Sprintf("Page %d (%s) was closed. Page %d (%s) is selected now.",
		closed.number, p.redact.URL(closed.url), p.NumberOf(now), p.redact.URL(now.About().URL))
}

// Update numbers every page that is open now and forgets those that are gone. It returns the highest number and how
// many documents there have been; ok is false without a browser.
func (p *List) Update() (last, documents int, ok bool) {
	for _, t := range p.tabs() {
		p.NumberOf(t)
	}

	p.mu.Lock()
	for t := range p.numbers {
		if t.Closed() && t != p.selected { // the agent may not know yet
			delete(p.numbers, t)
		}
	}
	last, b := p.last, p.browser
	p.mu.Unlock()

	if b == nil {
		return last, 0, false
	}
	return last, b.Documents(), true
}
