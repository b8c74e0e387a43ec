package mcpserver

import (
	"context"
	"fmt"
	"strings"

	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/policy"
	"cove/internal/wording"
)

// ReportEffects says what an action has caused.
func (c *Call) ReportEffects(ctx context.Context, e page.Effects) {
	if e.Refused != nil {
		c.Say("Refused: %s", e.Refused.Error())
	}
	if e.Navigated != "" {
		c.Say("Page navigated to %s.", c.Redact.URL(e.Navigated))
	}
	for _, t := range e.Opened {
		closed := ""
		if t.Closed() {
			closed = " (it has closed again)"
		}
		c.Say("Opened page %d: %s%s", c.Pages.NumberOf(t), c.Redact.URL(t.About().URL), closed)
	}
	for _, d := range e.Downloads {
		c.Quote(fmt.Sprintf("Download %s:", d.State), c.DownloadText(d))
		c.authorizeDownload(ctx, d)
	}
	if e.Chooser {
		c.Say("The page asked for a file: call upload_file with the same uid.")
	}
	c.sayBusy(e.Busy)
	if e.Nothing {
		c.Say("Nothing on the page has changed yet. Look again before you repeat this.")
	}
	if e.Closed {
		c.Say("The page has closed itself.")
	}
	if e.Dialog != nil {
		c.sayDialog(e.Dialog)
	}
}

func (c *Call) sayBusy(busy string) {
	switch busy {
	case "loading":
		c.Say("The new page is still loading.")
	case "requests":
		c.Say("Requests of the page are still under way.")
	case "hanging":
		c.Say("The page has not answered since: its script is still running.")
	}
}

// DownloadText describes a file by the name that the page has given it.
func (c *Call) DownloadText(d page.Download) string {
	text := strings.NewReplacer("<", "_", ">", "_").Replace(c.Redact.Words(d.Name, 200))
	if d.Path != "" {
		text += " in " + d.Path
	}
	if d.Bytes > 0 {
		text += fmt.Sprintf(" (%d bytes)", d.Bytes)
	}
	return text
}

// authorizeDownload asks for a download that the browser has refused because of the policy.
func (c *Call) authorizeDownload(ctx context.Context, d page.Download) {
	if d.State != "canceled" || c.Approval.Allows(policy.Download) {
		return
	}

	what := "download the file " + wording.Quoted(c.Redact.Words(d.Name, 100)) + " from " + wording.Shorten(c.Redact.URL(d.URL), 200)
	err := c.Approval.Authorize(ctx, policy.Download, Subject{late: true}, what)
	if err != nil {
		f := fault.From(err)
		c.Say("%s %s", f.Text, f.Hint)
		return
	}
	c.shared.downloads.Grant(ctx, true)
	c.Say("The browser stopped the download until the user allowed it. The user has allowed it: do the same again to " +
		"get the file.")
}
