package gate

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"time"

	"cove/internal/cdp"
	"cove/internal/gate/forbidden"
	"cove/internal/policy"
	"cove/internal/wording"
)

// historyLimit bounds how long the gate reads a page's history: a page that hangs must not hold up the client.
const historyLimit = 5 * time.Second

// checkNavigate judges the address of a navigation.
func (c *command) checkNavigate(context.Context) error { return c.checkAddress(c.textParam("url")) }

// checkSite judges a navigation of a program that is bound only by the rules for sites.
func (c *command) checkSite(raw json.RawMessage) error {
	params, err := cdp.Fields(raw)
	if err != nil {
		return forbidden.Unreadable(c.method, err)
	}

	c.params = params
	if address := c.textParam("url"); closedTo(c.rules, address) != nil {
		return c.rules.URL(address).Refusal(wording.Shorten(address, 200))
	}

	return nil
}

// checkAddress judges an address that the page will show.
func (c *command) checkAddress(address string) error {
	c.what = "open " + wording.Shorten(address, 200)
	u, err := url.Parse(strings.TrimSpace(address))
	scheme := ""
	if err == nil {
		scheme = strings.ToLower(u.Scheme)
	}
	switch scheme {
	case "javascript", "data", "blob", "filesystem":
		c.need(policy.Script, c.what)
	case "mailto", "tel":
		c.need(policy.Local, c.what)
	}

	v := c.rules.URL(address)
	switch {
	case v.Blocked, v.Class != "" && c.rules.Right(v.Class) == policy.No:
		return v.Refusal(wording.Shorten(address, 200))
	case v.Class != "":
		c.need(v.Class, c.what)
		c.page = wording.Shorten(address, 2000)
	}

	return nil
}

// checkHistory judges a navigation to an entry of a page's history.
func (c *command) checkHistory(ctx context.Context) error {
	var entry int
	if json.Unmarshal(c.params["entryId"], &entry) != nil { // the browser also takes 2.0 for 2
		return refused("entryId is not a whole number.", "Take it from Page.getNavigationHistory.")
	}

	ctx, cancel := context.WithTimeout(ctx, historyLimit)
	defer cancel()
	var history struct {
		Entries []struct {
			ID  int    `json:"id"`
			URL string `json:"url"`
		} `json:"entries"`
	}
	if err := c.mux.CallOn(ctx, c.session, "Page.getNavigationHistory", nil, &history); err != nil {
		return refused("The page's history cannot be read, so nothing was done.", "Navigate to an address instead.")
	}

	for _, e := range history.Entries {
		if e.ID == entry {
			return c.checkAddress(e.URL)
		}
	}

	return nil
}

// checkReload requires the right to run scripts if the reload runs a script, and the right to send a form if the reload
// sends one again.
func (c *command) checkReload(context.Context) error {
	if c.textParam("scriptToEvaluateOnLoad") != "" {
		c.need(policy.Script, "reload the page with a script of its own")
	}

	posted := c.config.Posted
	if posted != nil && c.rules.Right(policy.Submit) != policy.Yes && posted(c.target().ID) {
		c.need(policy.Submit, "load the page again, which sends its form again")
	}

	return nil
}

// checkCache requires the right to send a form if the cache is switched off: without it, going back to the answer of a
// form sends the form again.
func (c *command) checkCache(context.Context) error {
	if string(c.params["cacheDisabled"]) != "false" && c.rules.Right(policy.Submit) != policy.Yes {
		c.need(policy.Submit, "load pages without the cache, so that going back to the answer of a form sends "+
			"the form again")
	}

	return nil
}

// checkReplay requires the right to send a form for commands that repeat a request of the page.
func (c *command) checkReplay(context.Context) error {
	if c.rules.Right(policy.Submit) != policy.Yes {
		c.need(policy.Submit, "send again what the page has sent before")
	}

	return nil
}
