package mcpserver

import (
	"maps"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cove/internal/page"
	"cove/internal/policy"
	"cove/internal/snapshot"
)

// client is what the server remembers of one agent: its page numbers, what it has selected and what it has seen. Agents share the
// browser and nothing else.
type client struct {
	server *Server
	hello  Hello
	told   func(pages, documents int) // hears the highest numbers given
	album  *album                     // of its stream; nil for one that comes over HTTP
	line   *mcp.ServerSession         // its connection, when it has one of its own

	mu        sync.Mutex
	browser   *page.Browser
	ids       map[*page.Tab]int
	last      int // page numbers are never used again
	selected  *page.Tab
	closed    *closedPage       // what was selected and has closed, until the agent is told
	contexts  map[string]string // isolated contexts: their names, by the browser's id
	pictures  map[int]picture
	snapshots int
	note      string
	roots     []string // folders that it may use files of; nil when not asked yet
	reports   map[string]report

	lasting bool // it has a session over HTTP, which ends by itself
	seating sync.Mutex
	seats   map[policy.Agent]*policy.Admission // one, but for clients that share a credential
	rest    *time.Timer
}

// closedPage is a page that was selected when it closed.
type closedPage struct {
	number int
	url    string
}

// picture is a snapshot that the agent has seen.
type picture struct {
	tab     *page.Tab
	version string
	shown   *snapshot.Index
	whole   bool // it showed all of the page, or what had changed since one that did
}

func newClient(s *Server, h Hello) *client {
	c := &client{server: s, ids: map[*page.Tab]int{}, contexts: map[string]string{}, pictures: map[int]picture{}, reports: map[string]report{}, seats: map[policy.Agent]*policy.Admission{}}
	c.greet(h)
	return c
}

func (c *client) setSession(s *mcp.ServerSession) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.line = s
}

// name is what the client calls itself, once it has.
func (c *client) name() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return nameOf(c.line)
}

// tabID names the page that the client has selected.
func (c *client) tabID() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.selected == nil {
		return ""
	}
	return c.selected.ID()
}

// greet takes in what a bridge says of its client.
func (c *client) greet(h Hello) { c.hello, c.last, c.note = h, h.LastPage, h.Note }

// idOf is the number of a page, given when the agent first hears of it.
func (c *client) idOf(t *page.Tab) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ids[t] == 0 {
		c.last++
		c.ids[t] = c.last
	}
	return c.ids[t]
}

// use remembers the browser; calls come at the same time.
func (c *client) use(b *page.Browser) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.browser != b {
		b.SkipDocuments(c.hello.Documents)
	}
	c.browser = b
}

// tabs are the open pages.
func (c *client) tabs() []*page.Tab {
	c.mu.Lock()
	b := c.browser
	c.mu.Unlock()
	if b == nil {
		return nil
	}
	return b.Tabs()
}

// seen numbers every page that is open now and forgets those that are gone.
func (c *client) seen() {
	open := map[string]bool{}
	for _, t := range c.tabs() {
		c.idOf(t)
		open[t.ID()] = true
	}
	c.mu.Lock()
	maps.DeleteFunc(c.reports, func(id string, _ report) bool { return !open[id] })
	for t := range c.ids {
		if t.Closed() && t != c.selected { // the agent may not know yet
			delete(c.ids, t)
		}
	}
	last, told, b := c.last, c.told, c.browser
	c.mu.Unlock()
	if told != nil && b != nil {
		told(last, b.Documents())
	}
}

func (c *client) byID(id int) *page.Tab {
	for _, t := range c.tabs() {
		if c.idOf(t) == id {
			return t
		}
	}
	return nil
}

// current is the selected page; the first one when none is, or when it was closed.
func (c *client) current() *page.Tab {
	tabs := c.tabs()
	c.mu.Lock()
	defer c.mu.Unlock()
	was := c.selected
	if (was != nil && !was.Closed()) || len(tabs) == 0 {
		return was
	}
	c.selected = tabs[0]
	if was != nil && c.closed == nil {
		c.closed = &closedPage{c.ids[was], was.About().URL}
	}
	return c.selected
}

func (c *client) selectTab(t *page.Tab) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.selected, c.closed = t, nil
}

// takeClosed is the page that was selected and has closed since the agent was last told, nil when there is none; and the one that
// is selected now.
func (c *client) takeClosed() (*closedPage, *page.Tab) {
	now := c.current()
	c.mu.Lock()
	defer c.mu.Unlock()
	closed := c.closed
	c.closed = nil
	return closed, now
}

func (c *client) contextName(id string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.contexts[id]
}

func (c *client) takeNote() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	note := c.note
	c.note = ""
	return note
}

// keepNote: the call has not told it after all.
func (c *client) keepNote(note string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.note = note
}

// How many snapshots an agent can compare with, and how many lines they may have together; the last two are kept in any case.
const (
	keptPictures = 20
	keptLines    = 30_000
)

// keep remembers a snapshot under the next number, unless it is of a whole library: one that was searched to its end.
func (c *client) keep(number int, p picture) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !p.whole && p.shown.Len() > keptLines {
		return
	}
	c.pictures[number] = p
	lines := 0
	for n := number; n > 0 && n > number-keptPictures; n-- {
		if lines += c.pictures[n].shown.Len(); lines > keptLines && n < number-1 {
			delete(c.pictures, n)
		}
	}
	delete(c.pictures, number-keptPictures)
}

func (c *client) nextSnapshot() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.snapshots++
	return c.snapshots
}

// lastSeen is what the agent knows of all of a page; nil when it has seen nothing or only parts of it.
func (c *client) lastSeen(t *page.Tab) *snapshot.Index {
	c.mu.Lock()
	defer c.mu.Unlock()
	for n := c.snapshots; n > c.snapshots-keptPictures; n-- {
		if p, ok := c.pictures[n]; ok && p.tab == t && p.whole {
			return p.shown
		}
	}
	return nil
}

func (c *client) picture(number int) (picture, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, ok := c.pictures[number]
	return p, ok
}
