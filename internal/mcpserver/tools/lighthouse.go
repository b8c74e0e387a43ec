package tools

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"cove/internal/fault"
	"cove/internal/lighthouse"
	"cove/internal/mcpserver"
	"cove/internal/redact"
	"cove/internal/secret/redactor"
	"cove/internal/snapshot/text"
	"cove/internal/wording"
)

func lighthouseAuditTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "lighthouse_audit", Text: "Audit accessibility, SEO and best practices with Lighthouse.",
	}, lighthouseAudit)
}

type lighthouseInput struct {
	mcpserver.OnPage
	Mode          string `json:"mode,omitempty" enum:"navigation|snapshot"`
	Device        string `json:"device,omitempty" enum:"desktop|mobile"`
	OutputDirPath string `json:"outputDirPath,omitempty"`
}

// auditLimit bounds an audit, with the download before the first one.
const auditLimit = 5 * time.Minute

func lighthouseAudit(ctx context.Context, c *mcpserver.Call, in lighthouseInput) error {
	t, unlock, err := c.LockTab(ctx, in.OnPage)
	if err != nil {
		return err
	}
	defer unlock()

	order := newAuditOrder(t.ID(), t.About().URL, in)
	if !strings.HasPrefix(order.URL, "http://") && !strings.HasPrefix(order.URL, "https://") {
		return fault.Invalidf("Lighthouse audits web pages only, and this page is %s.", c.Redact.URL(order.URL)).
			WithHint("Open one with navigate_page first.")
	}
	if err := lighthouse.CheckNode(ctx); err != nil {
		return err
	}

	// Lighthouse writes into a folder that nobody else knows. From there the reports go to where the agent wants them.
	if order.Dir, err = os.MkdirTemp("", "cove-lighthouse-"); err != nil {
		return fault.Disk(err)
	}
	if in.OutputDirPath != "" {
		defer func() { _ = os.RemoveAll(order.Dir) }()
	}
	endpoint, end, err := c.OpenEndpoint()
	if err != nil {
		return err
	}
	defer end()
	order.Endpoint = endpoint
	late := fault.New(fault.CodeTimeout, "Lighthouse did not end in time.", "Try mode snapshot.")
	ctx, cancel := context.WithTimeoutCause(ctx, auditLimit, late)
	defer cancel()
	audit, err := lighthouse.Run(ctx, order, func(step int, text string) {
		c.ReportProgress(ctx, float64(step), 0, text)
	})
	if err != nil {
		return err
	}
	if err := cleanReports(ctx, c, audit.Reports, in.OutputDirPath); err != nil {
		return err
	}
	sayAudit(c, order, audit)
	return nil
}

func newAuditOrder(target, address string, in lighthouseInput) lighthouse.Order {
	order := lighthouse.Order{Target: target, URL: address, Mode: in.Mode, Device: in.Device}
	if order.Mode == "" {
		order.Mode = "navigation"
	}
	if order.Device == "" {
		order.Device = "desktop"
	}
	return order
}

// fieldValue finds the value that a field has in the source of a page, which reports quote.
var fieldValue = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)((?:<|\\u003c)input\b[^<>]*?\bvalue=)(\\?["'])[^"'<>\\]*(\\?["'])`)
})

// cleanReports removes secrets, the values of fields and the passwords of addresses from what Lighthouse has written.
// It brings the reports to the folder that the agent has named; names then has the new names.
func cleanReports(ctx context.Context, c *mcpserver.Call, names []string, dir string) error {
	for i, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			return fault.Disk(err)
		}
		clean := fieldValue().ReplaceAll(raw, []byte("${1}${2}"+redactor.Dots+"${3}"))
		clean = c.Redact.Bytes(redact.URLs(clean))
		switch {
		case dir != "":
			if names[i], err = c.Files.Save(ctx, filepath.Join(dir, filepath.Base(name)), clean); err != nil {
				return err
			}
		case !bytes.Equal(clean, raw):
			if err := os.WriteFile(name, clean, 0o600); err != nil {
				return fault.Disk(err)
			}
		}
	}
	return nil
}

// sayAudit adds what Lighthouse has found to the result.
func sayAudit(c *mcpserver.Call, order lighthouse.Order, a lighthouse.Result) {
	c.Say("## Lighthouse audit results\nMode: %s\nDevice: %s\nURL: %s", order.Mode, order.Device, c.Redact.URL(a.URL))
	c.Say("### Category scores")
	for _, one := range a.Categories {
		score := strconv.Itoa(one.Score)
		if one.Score < 0 {
			score = "not rated"
		}
		c.Say("- %s: %s (%s)", one.Title, score, one.ID)
	}
	c.Say("### Audit summary\nPassed: %d\nFailed: %d\nTotal timing: %.0fms", a.Passed, len(a.Failed), a.Total)
	c.Say("### Reports")
	for _, name := range a.Reports {
		c.Say("- %s", name)
	}
	if a.Problem != "" || len(a.Warnings) > 0 {
		c.Say("### Warnings")
		c.Show(text.Clean(strings.TrimSpace(a.Problem + " " + strings.Join(a.Warnings, " "))))
	}

	if len(a.Failed) == 0 {
		return
	}
	c.Say("### Failed audits")
	var b strings.Builder
	for _, f := range a.Failed {
		writeFailedAudit(&b, c, f)
	}
	c.Show(b.String())
}

func writeFailedAudit(b *strings.Builder, c *mcpserver.Call, f lighthouse.FailedAudit) {
	words := c.Redact.Words
	fmt.Fprintf(b, "- %s [%s]: %s (score: %v)\n  %s\n",
		f.ID, f.Category, words(f.Title, 200), f.Score, words(f.Text, 200))
	if f.Count == 0 {
		return
	}

	fmt.Fprintf(b, "  Nodes (%d):\n", f.Count)
	for _, n := range f.Nodes {
		fmt.Fprintf(b, "  - selector=%s label=%s snippet=%s\n", wording.Quoted(words(n.Selector, 200)),
			wording.Quoted(words(n.Label, 80)), wording.Quoted(words(n.Snippet, 200)))
		if n.Why != "" {
			fmt.Fprintf(b, "    %s\n", words(n.Why, 200))
		}
	}
	if more := f.Count - len(f.Nodes); more > 0 {
		fmt.Fprintf(b, "  (%d more are in the report)\n", more)
	}
}
