package tools

import (
	"context"
	"fmt"

	"cove/internal/answer"
	"cove/internal/fault"
	"cove/internal/mcpserver"
	"cove/internal/page"
	"cove/internal/policy"
)

func listPagesTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{Name: "list_pages", Text: "List the open pages.", ReadOnly: true}, listPages)
}

func listPages(ctx context.Context, c *mcpserver.Call, _ struct{}) error {
	addPages(ctx, c)
	c.Record.SetCount(len(c.Browser.Tabs()))
	return nil
}

// addPages adds the list of open pages to the result.
func addPages(ctx context.Context, c *mcpserver.Call) {
	c.Browser.Refresh(ctx)
	if notice := c.Pages.ClosedNotice(); notice != "" {
		c.Say("%s", notice)
	}

	selected := c.Pages.Selected()
	tabs := []answer.Tab{}
	for _, t := range c.Browser.Tabs() {
		one := c.DescribeTab(t)
		if t == selected {
			one.Marks = append(one.Marks, "selected")
		}
		if label := c.OwnerLabel(t); label != "" {
			one.Marks = append(one.Marks, label)
		}
		about := t.About()
		if about.Discarded {
			one.Marks = append(one.Marks, "not loaded")
		} else if about.Crashed {
			one.Marks = append(one.Marks, "crashed")
		}
		one.Context = mcpserver.ClientState[isolatedContexts](c).name(about.Context)
		tabs = append(tabs, one)
	}

	c.Head("## Pages")
	if len(tabs) == 0 {
		c.Say("No page is open. Open one with new_page.")
		return
	}
	c.ShowPages(tabs)
}

func selectPageTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "select_page", Text: "Select the page that calls without pageId mean.", ReadOnly: true,
	}, selectPage)
}

type selectInput struct {
	PageID       number `json:"pageId"`
	BringToFront bool   `json:"bringToFront,omitempty" say:"show it to the user"`
	Claim        bool   `json:"take,omitempty" say:"from another agent"`
}

func selectPage(ctx context.Context, c *mcpserver.Call, in selectInput) error {
	t, err := c.AnyTab(ctx, mcpserver.OnPage{PageID: &in.PageID})
	if err != nil {
		return err
	}
	if in.Claim {
		if err := c.TakeTab(ctx, t); err != nil {
			return err
		}
	}
	if in.BringToFront { // the page gets the focus, and notices
		if err := c.BeginActing(t); err != nil {
			return err
		}
		on := mcpserver.Subject{Tab: t}
		if err := c.Approval.Authorize(ctx, policy.Act, on, "bring the page to the front"); err != nil {
			return err
		}
		if err := c.BeginActing(t); err != nil { // a person may have been asked meanwhile
			return err
		}
	}

	c.Pages.Select(t)
	if in.BringToFront {
		if err := t.BringToFront(ctx); err != nil {
			return err
		}
	}
	addPages(ctx, c)
	return nil
}

func closePageTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "close_page", Text: "Close a page. The last one stays open.",
	}, closePage)
}

type closeInput struct {
	PageID *number `json:"pageId,omitempty"`
}

func closePage(ctx context.Context, c *mcpserver.Call, in closeInput) error {
	t, err := c.AnyTab(ctx, mcpserver.OnPage(in))
	if err != nil {
		return err
	}
	if len(c.Browser.Tabs()) == 1 {
		c.SayUnmet(fault.CodeNotClosed, "",
			"The last open page cannot be closed: it would close the profile. You can leave it open.")
		addPages(ctx, c)
		return nil
	}

	was := c.Pages.Selected()
	if err := t.Close(ctx); err != nil {
		return err
	}
	if was == t {
		now := c.Pages.Selected()
		c.Pages.Select(now)
		c.Say("The selected page was closed. Page %d is now selected.", c.Pages.NumberOf(now))
	}
	addPages(ctx, c)
	return nil
}

func newPageTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{Name: "new_page", Text: "Open a new page and select it."}, newPage)
}

type newPageInput struct {
	URL             string  `json:"url"`
	Background      bool    `json:"background,omitempty"`
	IsolatedContext string  `json:"isolatedContext,omitempty" say:"name of a separate set of cookies and storage"`
	Timeout         *number `json:"timeout,omitempty" say:"ms"`
}

func newPage(ctx context.Context, c *mcpserver.Call, in newPageInput) error {
	if err := page.CheckURL(in.URL); err != nil {
		return err
	}
	if err := c.Approval.AuthorizeURL(ctx, in.URL); err != nil {
		return err
	}
	browserContext := ""
	if in.IsolatedContext != "" {
		var err error
		browserContext, err = mcpserver.ClientState[isolatedContexts](c).get(ctx, c.Browser, in.IsolatedContext)
		if err != nil {
			return err
		}
	}

	// The page is empty first: then its own load can be waited for, and its outcome is known.
	t, err := c.OpenTab(ctx, in.Background, browserContext)
	if err != nil {
		return err
	}
	if in.URL != "about:blank" {
		a, err := t.Navigate(ctx, page.Navigation{Kind: "url", URL: in.URL, AcceptUnload: true,
			Limit: limitOf(in.Timeout)})
		if err != nil {
			return err
		}
		if a.Failure != "" {
			return fault.New(fault.CodeNotLoaded,
				fmt.Sprintf("Page %d is open, but was unable to navigate: %s.",
					c.Pages.NumberOf(t), c.Redact.Words(a.Failure, 500)),
				"Check the address and use navigate_page, or close the page.")
		}
		reportArrival(ctx, c, a, "")
	}
	addPages(ctx, c)
	return nil
}
