package mcpserver

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/policy"
)

var listPages = define("list_pages", "List the open pages.",
	func(ctx context.Context, c *call, _ struct{}) error {
		c.pages(ctx)
		return nil
	}).reads()

type selectInput struct {
	PageID       number `json:"pageId"`
	BringToFront bool   `json:"bringToFront,omitempty" say:"show it to the person"`
}

var selectPage = define("select_page", "Select the page that calls without pageId mean.",
	func(ctx context.Context, c *call, in selectInput) error {
		t, err := c.anyTab(ctx, onPage{&in.PageID})
		if err != nil {
			return err
		}
		if in.BringToFront { // the page gets the focus, and notices
			if err := c.may(ctx, policy.Act, subject{tab: t}, "bring the page to the front"); err != nil {
				return err
			}
		}
		c.client.selectTab(t)
		if in.BringToFront {
			if err := t.BringToFront(ctx); err != nil {
				return err
			}
		}
		c.pages(ctx)
		return nil
	}).reads()

type closeInput struct {
	PageID *number `json:"pageId,omitempty"`
}

var closePage = define("close_page", "Close a page. The last one stays open.",
	func(ctx context.Context, c *call, in closeInput) error {
		t, err := c.anyTab(ctx, onPage(in))
		if err != nil {
			return err
		}
		if len(c.browser.Tabs()) == 1 {
			c.say("The last open page cannot be closed: it would close the profile. It is fine to keep it open.")
			c.pages(ctx)
			return nil
		}
		was := c.client.current()
		if err := t.Close(ctx); err != nil {
			return err
		}
		if was == t {
			now := c.client.current()
			c.client.selectTab(now)
			c.say("The selected page was closed. Page %d is now selected.", c.client.idOf(now))
		}
		c.pages(ctx)
		return nil
	})

type newPageInput struct {
	URL             string  `json:"url"`
	Background      bool    `json:"background,omitempty"`
	IsolatedContext string  `json:"isolatedContext,omitempty" say:"name of a separate set of cookies and storage"`
	Timeout         *number `json:"timeout,omitempty" say:"ms"`
}

var newPage = define("new_page", "Open a new page and select it.",
	func(ctx context.Context, c *call, in newPageInput) error {
		if err := page.CheckURL(in.URL); err != nil {
			return err
		}
		if err := c.mayOpen(ctx, in.URL); err != nil {
			return err
		}
		inside := ""
		if in.IsolatedContext != "" {
			var err error
			if inside, err = c.isolated(ctx, in.IsolatedContext); err != nil {
				return err
			}
		}
		// Empty first: then the page's own load can be waited for, and said what came of it.
		t, err := c.browser.Open(ctx, "about:blank", in.Background, inside)
		if err != nil {
			return err
		}
		c.client.selectTab(t)
		c.diary.tab = t
		if in.URL != "about:blank" {
			a, err := t.Navigate(ctx, page.Navigation{Kind: "url", URL: in.URL, AcceptUnload: true, Limit: limitOf(in.Timeout)})
			if err != nil {
				return err
			}
			if a.Failure != "" {
				return fault.New(fault.Unavailable, "E_NOT_LOADED", fmt.Sprintf("Page %d is open, but was unable to navigate: %s.", c.client.idOf(t), c.words(a.Failure, 500)),
					"Check the address and use navigate_page, or close the page.")
			}
			c.arrival(ctx, a, "")
		}
		c.pages(ctx)
		return nil
	})

// mayOpen asks the rules for an address that an agent wants to open, and the person where the rules say so. "" is none.
func (c *call) mayOpen(ctx context.Context, address string) error {
	if c.server.Enforcer == nil || address == "" {
		return nil
	}
	book := c.server.Enforcer.Rules()
	v := book.URL(address)
	if v.Class == policy.Local && book.Right(policy.Local) == policy.Ask {
		return c.may(ctx, policy.Local, subject{}, "open "+clip(urlText(address), 200))
	}
	if book.Permits(v) {
		return nil
	}
	u, err := url.Parse(address)
	if err != nil || v.Blocked || v.Class != policy.Leave || book.Right(policy.Leave) != policy.Ask {
		return v.Refusal(urlText(address))
	}
	origin, ok := policy.OriginOf(u)
	if !ok {
		return v.Refusal(urlText(address))
	}
	if err := c.may(ctx, policy.Leave, subject{}, "go to "+origin.String()+", which is not on the list of allowed sites"); err != nil {
		return err
	}
	c.server.Enforcer.Grant(origin)
	return nil
}

// isolated finds or makes the browser context that an agent calls by this name.
func (c *call) isolated(ctx context.Context, name string) (string, error) {
	c.client.mu.Lock()
	for id, known := range c.client.contexts {
		if known == name {
			c.client.mu.Unlock()
			return id, nil
		}
	}
	c.client.mu.Unlock()
	for _, r := range name {
		if r < '!' || r > '~' {
			return "", fault.Invalidf("The name of an isolated context has letters and digits only.")
		}
	}
	id, err := c.browser.NewContext(ctx)
	if err != nil {
		return "", err
	}
	c.client.mu.Lock()
	defer c.client.mu.Unlock()
	c.client.contexts[id] = name
	return id, nil
}

// defaultLimit is how long a server may take to answer a navigation.
const defaultLimit = 30 * time.Second

func limitOf(ms *number) time.Duration {
	if ms == nil || *ms <= 0 {
		return defaultLimit
	}
	return min(time.Duration(float64(*ms)*float64(time.Millisecond)), 10*time.Minute)
}

type navigateInput struct {
	onPage
	Type               string  `json:"type,omitempty" enum:"url|back|forward|reload"`
	URL                string  `json:"url,omitempty"`
	IgnoreCache        bool    `json:"ignoreCache,omitempty"`
	HandleBeforeUnload string  `json:"handleBeforeUnload,omitempty" enum:"accept|dismiss"`
	InitScript         string  `json:"initScript,omitempty" say:"runs before the page's scripts"`
	Timeout            *number `json:"timeout,omitempty" say:"ms"`
}

var navigatePage = define("navigate_page", "Go to a URL, back, forward, or reload.",
	func(ctx context.Context, c *call, in navigateInput) error {
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
		t, err := c.anyTab(ctx, in.onPage)
		if err != nil {
			return err
		}
		if err := c.mayOpen(ctx, in.URL); err != nil {
			return err
		}
		t, unlock, err := turn(ctx, t)
		if err != nil {
			return err
		}
		defer unlock()
		if in.InitScript != "" {
			if err := c.may(ctx, policy.Script, subject{tab: t}, "run a script of its own ("+quoted(clip(strings.Join(strings.Fields(in.InitScript), " "), 300))+") in the next page"); err != nil {
				return err
			}
		}
		if in.Type == "reload" && t.Posted() {
			if err := c.may(ctx, policy.Submit, subject{tab: t}, "load the page again, which sends its form again,"); err != nil {
				return err
			}
		}
		c.tell(ctx, 0, 1, "Navigating")
		a, err := t.Navigate(ctx, page.Navigation{Kind: in.Type, URL: in.URL, IgnoreCache: in.IgnoreCache, AcceptUnload: in.HandleBeforeUnload != "dismiss", Script: in.InitScript, Limit: limitOf(in.Timeout)})
		if err != nil {
			return err
		}
		c.arrival(ctx, a, in.Type)
		c.title(ctx, t)
		return nil
	})

// arrival tells where a navigation has led. An address that cannot be loaded is an answer, not an error.
func (c *call) arrival(ctx context.Context, a page.Arrival, kind string) {
	switch {
	case a.Download:
		c.say("The address is a download, so the page stayed where it was.")
	case a.Failure != "":
		c.say("Unable to navigate: %s.", c.words(a.Failure, 500))
	case a.UnloadAnswer == "dismissed":
		c.say("The page asked whether to leave, and it stayed.")
	case kind == "reload":
		c.say("Successfully reloaded the page.")
	case kind == "back" || kind == "forward":
		c.say("Successfully navigated %s to %s.", kind, c.address(a.URL))
	case kind == "url":
		c.say("Successfully navigated to %s.", c.address(a.URL))
	}
	if a.UnloadAnswer == "accepted" {
		c.say("Accepted a beforeunload dialog.")
	}
	if a.Loading {
		c.say("The page is there and still loading.")
	}
	a.Effects.Navigated = ""
	c.effects(ctx, a.Effects)
}

type dialogInput struct {
	onPage
	Action     string  `json:"action" enum:"accept|dismiss"`
	PromptText *string `json:"promptText,omitempty"`
}

var handleDialog = define("handle_dialog", "Accept or dismiss the open dialog.",
	func(ctx context.Context, c *call, in dialogInput) error {
		t, err := c.tab(ctx, in.onPage)
		if err != nil {
			return err
		}
		e, err := t.AnswerDialog(ctx, in.Action == "accept", in.PromptText)
		if err != nil {
			return err
		}
		c.diary.told = true
		c.say("Successfully %sed the dialog", in.Action)
		c.effects(ctx, e)
		return nil
	}).types()
