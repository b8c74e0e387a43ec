package tools

import (
	"context"
	"strings"

	"cove/internal/fault"
	"cove/internal/mcpserver"
	"cove/internal/page"
	"cove/internal/policy"
	"cove/internal/wording"
)

func navigatePageTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "navigate_page", Text: "Go to a URL, back, forward, or reload.",
	}, navigatePage)
}

type navigateInput struct {
	mcpserver.OnPage
	Type               string  `json:"type,omitempty" enum:"url|back|forward|reload"`
	URL                string  `json:"url,omitempty"`
	IgnoreCache        bool    `json:"ignoreCache,omitempty"`
	HandleBeforeUnload string  `json:"handleBeforeUnload,omitempty" enum:"accept|dismiss"`
	InitScript         string  `json:"initScript,omitempty" say:"runs before the page's scripts"`
	Timeout            *number `json:"timeout,omitempty" say:"ms"`
}

func navigatePage(ctx context.Context, c *mcpserver.Call, in navigateInput) error {
	if in.Type == "" {
		in.Type = "url"
	}
	if in.Type == "url" && in.URL == "" {
		return fault.Invalidf("Either url or a type other than url is needed.")
	}
	if in.Type == "url" {
		if err := page.CheckURL(in.URL); err != nil {
			return err
		}
	}

	t, err := c.AnyTab(ctx, in.OnPage)
	if err != nil {
		return err
	}
	if err := c.Approval.AuthorizeURL(ctx, in.URL); err != nil {
		return err
	}
	unlock, err := c.Lock(ctx, t)
	if err != nil {
		return err
	}
	defer unlock()
	if err := authorizeNavigation(ctx, c, t, in); err != nil {
		return err
	}

	c.ReportProgress(ctx, 0, 1, "Navigating")
	a, err := t.Navigate(ctx, page.Navigation{
		Kind: in.Type, URL: in.URL, IgnoreCache: in.IgnoreCache, AcceptUnload: in.HandleBeforeUnload != "dismiss",
		Script: in.InitScript, Limit: limitOf(in.Timeout)})
	if err != nil {
		return err
	}
	reportArrival(ctx, c, a, in.Type)
	sayTitle(ctx, c, t)
	return nil
}

// authorizeNavigation asks for a script of the agent's own, and before a form is sent again.
func authorizeNavigation(ctx context.Context, c *mcpserver.Call, t *page.Tab, in navigateInput) error {
	on := mcpserver.Subject{Tab: t}
	if in.InitScript != "" {
		what := "run a script of its own (" + scriptWords(in.InitScript) + ") in the next page"
		if err := c.Approval.Authorize(ctx, policy.Script, on, what); err != nil {
			return err
		}
	}
	if in.Type == "reload" && t.Posted() {
		return c.Approval.Authorize(ctx, policy.Submit, on, "load the page again, which sends its form again,")
	}
	return nil
}

// scriptWords returns the beginning of a script for a question to the person.
func scriptWords(source string) string {
	return wording.Quoted(wording.Shorten(strings.Join(strings.Fields(source), " "), 300))
}

// reportArrival says where a navigation has led. An address that cannot be loaded is an answer, not an error, for those
// who read it.
func reportArrival(ctx context.Context, c *mcpserver.Call, a page.Arrival, kind string) {
	switch {
	case a.Download:
		c.Say("The address is a download, so the page stayed where it was.")
	case a.Failure != "":
		c.SayUnmet(fault.CodeNotLoaded, "Check the address, and whether its server runs.",
			"Unable to navigate: %s.", c.Redact.Words(a.Failure, 500))
	case a.UnloadAnswer == "dismissed":
		c.Say("The page asked whether to leave, and it stayed.")
	case kind == "reload":
		c.Done("Successfully reloaded the page.")
	case kind == "back" || kind == "forward":
		c.Done("Successfully navigated %s to %s.", kind, c.Redact.URL(a.URL))
	case kind == "url":
		c.Done("Successfully navigated to %s.", c.Redact.URL(a.URL))
	}

	if a.UnloadAnswer == "accepted" {
		c.Say("Accepted a beforeunload dialog.")
	}
	if a.Loading {
		c.Say("The page is there and still loading.")
	}
	a.Effects.Navigated = ""
	c.ReportEffects(ctx, a.Effects)
}

// sayTitle says what a page calls itself.
func sayTitle(ctx context.Context, c *mcpserver.Call, t *page.Tab) {
	c.Browser.Refresh(ctx)
	if tab := c.DescribeTab(t); tab.Title != "" {
		c.Head("Page %d: %s", tab.ID, mcpserver.Inline(tab.Title))
	}
}
