package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"cove/internal/answer"
	"cove/internal/fault"
	"cove/internal/journal"
	"cove/internal/mcpserver/download"
	"cove/internal/mcpserver/files"
	"cove/internal/mcpserver/onetime"
	"cove/internal/mcpserver/pagelist"
	"cove/internal/mcpserver/picture"
	"cove/internal/mcpserver/progress"
	"cove/internal/mcpserver/record"
	"cove/internal/mcpserver/redaction"
	"cove/internal/mcpserver/schema"
	"cove/internal/page"
	"cove/internal/paths"
	"cove/internal/policy"
	"cove/internal/snapshot/text"
)

// Call is one call of a tool, and all that a tool sees of the server: the pages of the browser, the files that the
// agent names, the policy, and the result that the agent reads. It belongs to the goroutine that runs the tool.
type Call struct {
	Result
	// Browser is the browser of the profile.
	Browser *page.Browser
	// Pages are the pages as the agent knows them.
	Pages *pagelist.List
	// Files are the files that the agent names.
	Files *files.Files
	// Approval asks the policy, and the person.
	Approval *Approval
	// Redact removes secrets from what a page says.
	Redact *redaction.Redactor
	// Record is what the journal gets of the step.
	Record *record.Step

	client    *client
	shared    *shared
	admission *policy.Admission
	progress  *progress.Reporter
	describe  func()           // tells the live view what the call is about, once that is known; nil for nobody
	touched   func(page.Touch) // tells the live view what the call touches; nil for nobody
	guard     *tabGuard        // of the step that is under way; nil for none
	limit     time.Duration    // how long a command in a shell says that the call may wait; 0 for no limit
	out       string           // the file that a command in a shell writes its output to; "" for none
	acts      bool             // on the selected page: refused when that has closed since the call began
}

// shared is what the calls of all clients use.
type shared struct {
	home        paths.Home
	version     string
	endpoint    func() (address string, end func(), err error)
	askURL      func(name, key string) string
	redact      *redaction.Redactor
	journal     journal.Recorder // nil for none
	downloads   *download.Guard
	screenshots *picture.Queue
	last        *picture.Last // the last picture of each tab
	codes       onetime.Codes
}

// Number is a number in the input of a tool.
type Number = schema.Number

// OnPage is the input of a tool that works on one page; it is embedded in the tool's own.
type OnPage struct {
	PageID *Number `json:"pageId,omitempty"`
}

// Within returns how long something of this call may take: as long as usual, or as the command in a shell says.
func (c *Call) Within(usual time.Duration) time.Duration {
	if c.limit > 0 {
		return c.limit
	}
	return usual
}

// FindTab returns the page that a call is about. It refuses one that shows what is closed to agents.
func (c *Call) FindTab(ctx context.Context, p OnPage) (*page.Tab, error) {
	t, err := c.nameTab(ctx, p)
	if err != nil {
		return nil, err
	}
	if err := t.SiteError(); err != nil { // nobody owns a page by a step that is refused
		return t, err
	}
	if err := c.enterTab(ctx, t); err != nil {
		return nil, err
	}
	if err := t.SiteError(); err != nil { // the person may have gone there meanwhile
		return t, err
	}
	return t, t.LoadDiscarded(ctx)
}

// LockTab is FindTab with the page's lock: other calls on the same page wait until unlock.
func (c *Call) LockTab(ctx context.Context, p OnPage) (t *page.Tab, unlock func(), err error) {
	if t, err = c.FindTab(ctx, p); err != nil {
		return nil, nil, err
	}
	unlock, err = c.Lock(ctx, t)
	return t, unlock, err
}

// Lock takes a page's lock: other calls on the same page wait until unlock. While the call waits for a person, it gives
// the lock up.
func (c *Call) Lock(ctx context.Context, t *page.Tab) (unlock func(), err error) {
	if err := c.enterTab(ctx, t); err != nil { // a person may have been asked meanwhile
		return nil, err
	}
	release, err := t.Lock(ctx)
	if err != nil {
		return nil, err
	}
	held := &heldLock{tab: t, release: release}
	c.Approval.held = held
	return func() {
		c.Approval.held = nil
		held.release()
	}, nil
}

// AnyTab is FindTab whatever the page shows: for tools that go elsewhere or close it. It waits while the person works
// in the page.
func (c *Call) AnyTab(ctx context.Context, p OnPage) (*page.Tab, error) {
	t, err := c.nameTab(ctx, p)
	if err != nil {
		return nil, err
	}
	return t, c.enterTab(ctx, t)
}

// nameTab returns the page that a call names, or the selected one.
func (c *Call) nameTab(ctx context.Context, p OnPage) (*page.Tab, error) {
	if p.PageID != nil {
		number := float64(*p.PageID)
		t := c.Pages.ByNumber(int(number))
		if t == nil || number != float64(int(number)) {
			return nil, fault.New(fault.CodeNoPage, fmt.Sprintf("There is no page %v.", number),
				"list_pages shows what is open.")
		}
		c.setTab(t)
		return t, nil
	}

	if err := c.Browser.AwaitTab(ctx); err != nil {
		return nil, err
	}
	t := c.Pages.Selected()
	if t == nil {
		return nil, fault.New(fault.CodeNoPage, "No page is open.", "Open one with new_page.")
	}
	if c.acts { // it may have closed while a person was asked
		if notice := c.Pages.ClosedNotice(); notice != "" {
			return nil, pageClosed(notice)
		}
	}
	c.setTab(t)
	return t, nil
}

// setTab records the page that the call is about, and the elements of it that it names.
func (c *Call) setTab(t *page.Tab) {
	if c.Record.Tab == t {
		return
	}
	c.Record.Tab = t
	c.Record.Locate()
	c.Record.Before, _ = c.shared.last.Of(t.ID())
	if !c.Record.Reads {
		c.Record.Number = c.shared.last.Begin(t.ID())
		c.shared.screenshots.Due()
	}
	if c.describe != nil {
		c.describe()
	}
}

func pageClosed(notice string) error {
	return fault.New(fault.CodePageClosed, notice,
		"Nothing was done. Call again to go on there, or give a pageId.")
}

// OpenTab opens an empty page in a browser context ("" for the profile's own) and selects it.
func (c *Call) OpenTab(ctx context.Context, background bool, browserContext string) (*page.Tab, error) {
	t, err := c.Browser.Open(ctx, "about:blank", background, browserContext)
	if err != nil {
		return nil, err
	}
	c.client.owner.Opened(t.ID())
	c.Pages.Select(t)
	c.setTab(t)
	return t, nil
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

// ReportProgress says how far a long call is, to a client that wants to know.
func (c *Call) ReportProgress(ctx context.Context, done, total float64, message string) {
	c.progress.Report(ctx, done, total, message)
}

// Version is the program's.
func (c *Call) Version() string { return c.shared.version }

// Session names the agent's stay, from its connection to its leaving.
func (c *Call) Session() string { return c.admission.Session() }

// PersonWorksIn returns a function that says whether the person works in a page now.
func (c *Call) PersonWorksIn(t *page.Tab) func() bool {
	enforcer := c.Approval.enforcer
	return func() bool { return enforcer.TakenOver() || enforcer.Controlled(t.ID()) }
}

// OnLeave calls f when the agent has left, or must leave.
func (c *Call) OnLeave(f func()) { context.AfterFunc(c.admission.Context(), f) }

// OpenEndpoint opens the browser to one program of our own that speaks the protocol itself, until end.
func (c *Call) OpenEndpoint() (address string, end func(), err error) { return c.shared.endpoint() }

// ClientState returns what a tool remembers of the client of a call, one value for each type. Calls come at the same
// time: T has its own lock.
func ClientState[T any](c *Call) *T {
	c.client.mu.Lock()
	defer c.client.mu.Unlock()
	key := reflect.TypeFor[T]()
	if c.client.state[key] == nil {
		c.client.state[key] = new(T)
	}
	return c.client.state[key].(*T) // the key is the type
}

// addFault adds an error to the result. The commands in its hint name the data folder where they would not find it.
func (c *Call) addFault(err error) {
	var f *fault.Error
	if errors.As(err, &f) {
		if hint := c.shared.home.Advice(f.Hint); hint != f.Hint {
			err = f.WithHint(hint)
		}
	}
	c.fail(err)
}
