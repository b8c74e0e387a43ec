package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/policy"
)

// call is one call of a tool.
type call struct {
	answer
	client   *client
	server   *Server
	session  *mcp.ServerSession
	progress any
	pulse    pulse
	browser  *page.Browser
	seat     *policy.Admission
	diary    diary
	replies  mcp.InputResponseMap // what the client says to our questions, when it is asked in answers
	allowed  map[string]bool      // files that the person has allowed
	acts     bool                 // on the selected page: refused when that has closed since it was asked for
}

func (c *call) begin(ctx context.Context) (err error) {
	c.browser, err = c.server.Browser(ctx)
	if err != nil {
		return err
	}
	c.client.use(c.browser)
	return nil
}

// fail adds an error; the commands in its hint name the data folder where they would not find it.
func (c *call) fail(err error) {
	var f *fault.Error
	if errors.As(err, &f) {
		if hint := c.server.Home.Advice(f.Hint); hint != f.Hint {
			err = f.WithHint(hint)
		}
	}
	c.answer.fail(err)
}

// tell reports progress of a call that takes long, to a client that wants to know.
func (c *call) tell(ctx context.Context, done, total float64, message string) {
	if c.progress == nil || c.session == nil {
		return
	}
	c.pulse.mu.Lock()
	defer c.pulse.mu.Unlock()
	c.pulse.done, c.pulse.total, c.pulse.message = done, total, message
	c.notify(ctx, done, total, message)
}

// pulse is what was told last of a call's progress.
type pulse struct {
	mu          sync.Mutex
	done, total float64
	message     string
}

// beat tells of a call again and again until it ends. The figure must grow each time; it stays below the next step.
func (c *call) beat(ctx context.Context, every time.Duration) (end func()) {
	if c.progress == nil || c.session == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	over := make(chan struct{})
	go func() {
		defer close(over)
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
			c.pulse.mu.Lock()
			c.pulse.done += 0.001
			c.notify(ctx, c.pulse.done, c.pulse.total, c.pulse.message)
			c.pulse.mu.Unlock()
		}
	}()
	return func() { cancel(); <-over }
}

func (c *call) notify(ctx context.Context, done, total float64, message string) {
	_ = c.session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: c.progress, Progress: done, Total: total, Message: c.server.scrub(message)})
}

// onPage is the parameter of every tool that works on one page.
type onPage struct {
	PageID *number `json:"pageId,omitempty"`
}

// tab is the page that a call is about. One that shows what is closed to agents is refused.
func (c *call) tab(ctx context.Context, p onPage) (*page.Tab, error) {
	t, err := c.anyTab(ctx, p)
	if err != nil {
		return nil, err
	}
	if err := t.SiteError(); err != nil {
		return t, err
	}
	return t, t.LoadDiscarded(ctx)
}

// anyTab is tab, whatever it shows: to leave it, or to close it.
func (c *call) anyTab(ctx context.Context, p onPage) (*page.Tab, error) {
	if p.PageID != nil {
		id := float64(*p.PageID)
		t := c.client.byID(int(id))
		if t == nil || id != float64(int(id)) {
			return nil, fault.New(fault.NotFound, "E_NO_PAGE", fmt.Sprintf("There is no page %v.", id), "list_pages shows what is open.")
		}
		c.diary.tab = t
		return t, nil
	}
	if err := c.browser.AwaitTab(ctx); err != nil {
		return nil, err
	}
	if t := c.client.current(); t != nil {
		if c.acts { // it may have closed while a person was asked
			if text := c.closedText(); text != "" {
				return nil, pageClosed(text)
			}
		}
		c.diary.tab = t
		return t, nil
	}
	return nil, fault.New(fault.NotFound, "E_NO_PAGE", "No page is open.", "Open one with new_page.")
}

// moved tells once that the page which calls without a pageId mean has closed and that they mean another one now. The first call that
// would act there is refused.
func (c *call) moved(t tool, raw json.RawMessage) error {
	var in onPage
	c.acts = false
	wrong := len(raw) > 0 && json.Unmarshal(raw, &in) != nil // the tool says it itself
	if wrong || in.PageID != nil || !t.onPage() {
		return nil
	}
	c.acts = !t.Reads
	text := c.closedText()
	switch {
	case text == "":
		return nil
	case t.Reads:
		c.say("%s", text)
		return nil
	}
	return pageClosed(text)
}

func pageClosed(text string) error {
	return fault.New(fault.Conflict, "E_PAGE_CLOSED", text, "Nothing was done. Call again to go on there, or give a pageId.")
}

// closedText says that the selected page has closed; "" when it has not, or was told already.
func (c *call) closedText() string {
	closed, now := c.client.takeClosed()
	if closed == nil {
		return ""
	}
	return fmt.Sprintf("Page %d (%s) was closed. Page %d (%s) is selected now.", closed.number, c.address(closed.url), c.client.idOf(now), c.address(now.About().URL))
}

// acting is tab, with the page's turn: other calls on the same page wait.
func (c *call) acting(ctx context.Context, p onPage) (*page.Tab, func(), error) {
	t, err := c.tab(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	return turn(ctx, t)
}

func turn(ctx context.Context, t *page.Tab) (*page.Tab, func(), error) {
	unlock, err := t.Lock(ctx)
	return t, unlock, err
}
