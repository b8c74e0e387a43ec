package mcpserver

import (
	"context"
	"fmt"
	"strings"

	"cove/internal/answer"
	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/policy"
	"cove/internal/snapshot/text"
	"cove/internal/wording"
)

// ReportEffects says what an action has caused.
func (c *Call) ReportEffects(ctx context.Context, e page.Effects) {
	for _, d := range e.Answered {
		c.sayAnswered(d)
	}
	if e.Refused != nil {
		c.Say("Refused: %s", e.Refused.Error())
	}
	if e.Navigated != "" {
		address := c.Redact.URL(e.Navigated)
		c.sayEffect(answer.Effect{Kind: answer.Navigated, URL: address}, "Page navigated to %s.", address)
	}
	for _, t := range e.Opened {
		if !c.MayChange(t) { // another agent has opened it meanwhile
			continue
		}
		c.ownOpened(t)
		closed := ""
		if t.Closed() {
			closed = " (it has closed again)"
		}
		tab := c.DescribeTab(t)
		c.sayEffect(answer.Effect{Kind: answer.Opened, Tab: &tab}, "Opened page %d: %s%s", tab.ID, tab.URL, closed)
	}
	for _, d := range e.Downloads {
		c.sayEffect(answer.Effect{
			Kind: answer.Download, File: c.Redact.Words(d.Name, 200), State: d.State, Path: d.Path,
		}, "Download %s: %s", d.State, Inline(c.DownloadText(d)))
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

// sayAnswered says that a dialog was answered, since nobody has seen it.
func (c *Call) sayAnswered(d page.Answered) {
	how := "dismissed"
	if d.Accepted {
		how = "accepted"
	}
	said := wording.Shorten(text.Clean(d.String()), maxQuote)
	c.sayEffect(answer.Effect{Kind: answer.Dialog, Text: said, State: how}, "Dialog %s: %s.", how, Inline(said))
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

// authorizeDownload asks for a download that the browser has refused because of the policy. The step has acted by then,
// so it does not fail; in a shell its exit code says that the file is not there.
func (c *Call) authorizeDownload(ctx context.Context, d page.Download) {
	if d.State != "canceled" || c.Approval.Allows(policy.Download) {
		return
	}

	what := "download the file " + wording.Quoted(c.Redact.Words(d.Name, 100)) + " from " +
		wording.Shorten(c.Redact.URL(d.URL), 200)
	err := c.Approval.Authorize(ctx, policy.Download, Subject{late: true}, what)
	if err != nil {
		c.sayStopped(fault.From(err))
		return
	}
	c.shared.downloads.Grant(ctx, true)
	c.sayStopped(fault.New(fault.CodeNotApproved, "The browser stopped the download until the user allowed it.",
		"The user has allowed it: do the same again to get the file."))
}

// takeLateYes opens downloads for a step that a person has allowed one after its call had ended.
func (c *Call) takeLateYes(ctx context.Context) {
	if c.admission.TakeYes(policy.Download, c.Approval.stepOn(ctx, Subject{})) {
		c.shared.downloads.Grant(ctx, true)
	}
}
