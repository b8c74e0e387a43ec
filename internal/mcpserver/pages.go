package mcpserver

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"cove/internal/answer"
	"cove/internal/mcpserver/redaction"
	"cove/internal/page"
	"cove/internal/snapshot/text"
)

// Pages are the pages as one client knows them: by numbers, with one of them selected. Clients share the browser and
// none of this. A number is never used again.
type Pages struct {
	redact *redaction.Redactor

	mu       sync.Mutex
	browser  *page.Browser
	numbers  map[*page.Tab]int
	last     int
	selected *page.Tab
	closed   *closedPage // the page that was selected and has closed, until the agent knows
	told     int         // the number of the closed page that the agent was told of last
	isOthers func(*page.Tab) bool
}

// closedPage is a page that was selected when it closed.
type closedPage struct {
	number int
	url    string
}

// newPages returns the pages of a client. isOthers says which of them belong to another agent.
func newPages(r *redaction.Redactor, last int, isOthers func(*page.Tab) bool) *Pages {
	return &Pages{redact: r, numbers: map[*page.Tab]int{}, last: last, isOthers: isOthers}
}

// use sets the browser. Its documents begin after those that the client has seen in browsers before it.
func (p *Pages) use(b *page.Browser, documents int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.browser != b {
		b.SkipDocuments(documents)
	}
	p.browser = b
}

// tabs returns the open pages.
func (p *Pages) tabs() []*page.Tab {
	p.mu.Lock()
	b := p.browser
	p.mu.Unlock()
	if b == nil {
		return nil
	}
	return b.Tabs()
}

// NumberOf returns the number of a page. A page gets it when the client first hears of it.
func (p *Pages) NumberOf(t *page.Tab) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.numbers[t] == 0 {
		p.last++
		p.numbers[t] = p.last
	}
	return p.numbers[t]
}

// DescribeTab returns a page as the agent of the call knows it. The title is "" where it says nothing.
func (c *Call) DescribeTab(t *page.Tab) answer.Tab {
	about := t.About()
	one := answer.Tab{ID: c.Pages.NumberOf(t), URL: c.Redact.URL(about.URL)}
	title := text.Clean(about.Title)
	if title != "" && title != about.URL && !strings.HasSuffix(about.URL, "://"+title) { // as it is before it has one
		one.Title = c.Redact.Words(about.Title, 120)
	}
	return one
}

// byNumber returns the page with a number; nil when there is none.
func (p *Pages) byNumber(number int) *page.Tab {
	for _, t := range p.tabs() {
		if p.NumberOf(t) == number {
			return t
		}
	}
	return nil
}

// known returns the number of a page by the browser's name for it, and its address; 0 for one that the client has never
// heard of.
func (p *Pages) known(id string) (number int, url string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for t, number := range p.numbers {
		if t.ID() == id {
			return number, t.About().URL
		}
	}
	return 0, ""
}

// toldClosed reports whether ClosedNotice has told of a page, or is about to.
func (p *Pages) toldClosed(number int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.told == number
}

// Selected returns the page that calls without pageId mean. When none is selected, or when the selected one has closed,
// it is the first one that belongs to no other agent, or else the first.
func (p *Pages) Selected() *page.Tab {
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
func (p *Pages) Select(t *page.Tab) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.selected, p.closed = t, nil
}

// selectedID returns the browser's name of the selected page; "" when none is.
func (p *Pages) selectedID() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.selected == nil {
		return ""
	}
	return p.selected.ID()
}

// ClosedNotice says once that the selected page has closed and which one is selected now; "" when it has not.
func (p *Pages) ClosedNotice() string {
	now := p.Selected()
	p.mu.Lock()
	closed := p.closed
	p.closed = nil
	if closed != nil {
		p.told = closed.number
	}
	p.mu.Unlock()
	if closed == nil {
		return ""
	}
	return fmt.Sprintf("Page %d (%s) was closed. Page %d (%s) is selected now.",
		closed.number, p.redact.URL(closed.url), p.NumberOf(now), p.redact.URL(now.About().URL))
}

// update numbers every page that is open now and forgets those that are gone. It returns the highest number and how
// many documents there have been; ok is false without a browser.
func (p *Pages) update() (last, documents int, ok bool) {
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
