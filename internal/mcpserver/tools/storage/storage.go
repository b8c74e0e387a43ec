// Package storage has the tools that show the cookies of a page's site, and carry them and its local storage over in
// files.
package storage

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"cove/internal/cookie"
	"cove/internal/fault"
	"cove/internal/jar"
	"cove/internal/mcpserver"
	"cove/internal/mcpserver/redaction"
	"cove/internal/page"
	"cove/internal/page/dom"
	"cove/internal/policy"
	"cove/internal/wording"
)

// ListCookiesTool returns the tool list_cookies.
func ListCookiesTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "list_cookies", Text: "List the cookies of the page's site: names and flags.", Group: "storage",
		ReadOnly: true,
	}, listCookies)
}

type cookiesInput struct {
	mcpserver.OnPage
	IncludeValues bool `json:"includeValues,omitempty"`
}

// maxCookies is how many cookies an answer lists. Browsers keep 180 of one site.
const maxCookies = 500

func listCookies(ctx context.Context, c *mcpserver.Call, in cookiesInput) error {
	t, err := c.FindTab(ctx, in.OnPage)
	if err != nil {
		return err
	}
	if in.IncludeValues {
		on := mcpserver.Subject{Tab: t}
		if err := c.Approval.Authorize(ctx, policy.Storage, on, "read the values of cookies"); err != nil {
			return err
		}
	}
	s, err := siteOf(t)
	if err != nil {
		return err
	}
	all, err := s.cookies(ctx)
	if err != nil {
		return err
	}

	c.Record.SetCount(len(all))
	c.Head("## Cookies of %s", redaction.URLText(s.host))
	if len(all) == 0 {
		c.Say("No cookies found.")
		return nil
	}
	var b strings.Builder
	for _, one := range all[:min(len(all), maxCookies)] {
		b.WriteString(c.Redact.Words(one.Name, 200) + flagsOf(one))
		if in.IncludeValues {
			b.WriteString(" value=" + c.Redact.Words(one.Value, 4096))
		}
		b.WriteByte('\n')
	}
	c.Show(b.String())
	return nil
}

// flagsOf says what a browser does with a cookie.
func flagsOf(c cookie.Cookie) string {
	flags := fmt.Sprintf(" domain=%s path=%s", c.DottedDomain(), wording.Shorten(c.Path, 200))
	if c.Session() {
		flags += " session"
	} else {
		flags += " expires=" + time.Unix(int64(c.Expires), 0).UTC().Format(time.RFC3339)
	}
	if c.HTTPOnly {
		flags += " httpOnly"
	}
	if c.Secure {
		flags += " secure"
	}
	if c.SameSite != cookie.Unset {
		flags += " sameSite=" + string(c.SameSite)
	}
	if c.Partition != "" {
		flags += " partition=" + c.Partition
	}
	return flags
}

// site is the site of a page.
type site struct {
	tab          *page.Tab
	host, origin string
}

func siteOf(t *page.Tab) (site, error) {
	address := t.About().URL
	u, err := url.Parse(address)
	if err != nil || !dom.IsWeb(address) || u.Hostname() == "" {
		return site{}, fault.Invalidf("The page shows no site.").WithHint("Open a page of the site first.")
	}
	host := strings.ToLower(u.Hostname())
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return site{t, host, u.Scheme + "://" + strings.ToLower(u.Host)}, nil
}

// gets reports whether the browser sends a cookie to the site, on whatever path.
func (s site) gets(c cookie.Cookie) bool {
	if c.Domain != s.host && (c.HostOnly || !strings.HasSuffix(s.host, "."+c.Domain)) {
		return false
	}
	if c.Partition == "" {
		return true
	}
	u, err := url.Parse(c.Partition) // a site, whose hosts all count
	return err == nil && (u.Hostname() == s.host || strings.HasSuffix(s.host, "."+u.Hostname()))
}

// CallOn makes a site the jar.Browser of its tab: the cookies are those of the tab's browser context.
func (s site) CallOn(ctx context.Context, _, method string, params, result any) error {
	in := map[string]any{"browserContextId": s.tab.About().Context}
	if given, ok := params.(map[string]any); ok {
		maps.Copy(in, given)
	}
	return s.tab.Target.Call(ctx, "", method, in, result)
}

func (s site) cookies(ctx context.Context) ([]cookie.Cookie, error) {
	all, _, err := jar.Jar{Browser: s}.Cookies(ctx)
	return slices.DeleteFunc(all, func(c cookie.Cookie) bool { return !s.gets(c) }), err
}
