package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/process"
	"cove/internal/secret"
	"cove/internal/snapshot"
)

type lighthouseInput struct {
	onPage
	Mode          string `json:"mode,omitempty" enum:"navigation|snapshot"`
	Device        string `json:"device,omitempty" enum:"desktop|mobile"`
	OutputDirPath string `json:"outputDirPath,omitempty"`
}

// lighthouseVersion is the one that we test with; of an installed one the first number must be the same.
const lighthouseVersion = "13.5.0"

// auditLimit bounds an audit, with the download before the first one.
const auditLimit = 5 * time.Minute

//go:embed lighthouse.mjs
var lighthouseScript []byte

var lighthouseAudit = define("lighthouse_audit", "Audit accessibility, SEO and best practices with Lighthouse.",
	func(ctx context.Context, c *call, in lighthouseInput) error {
		t, unlock, err := c.acting(ctx, in.onPage)
		if err != nil {
			return err
		}
		defer unlock()
		order := auditOrder{Target: t.ID(), URL: t.About().URL, Mode: in.Mode, Device: in.Device}
		if order.Mode == "" {
			order.Mode = "navigation"
		}
		if order.Device == "" {
			order.Device = "desktop"
		}
		order.Major, _, _ = strings.Cut(lighthouseVersion, ".")
		if !strings.HasPrefix(order.URL, "http://") && !strings.HasPrefix(order.URL, "https://") {
			return fault.Invalidf("Lighthouse audits web pages only, and this page is %s.", c.address(order.URL)).WithHint("Open one with navigate_page first.")
		}
		if err := needNode(ctx); err != nil {
			return err
		}
		// Lighthouse writes into a folder that nobody else knows; what it has written goes from there to where the agent wants it.
		if order.Dir, err = os.MkdirTemp("", "cove-lighthouse-"); err != nil {
			return fault.Disk(err)
		}
		if in.OutputDirPath != "" {
			defer func() { _ = os.RemoveAll(order.Dir) }()
		}
		endpoint, end, err := c.server.Endpoint()
		if err != nil {
			return err
		}
		defer end()
		order.Endpoint = endpoint
		ctx, cancel := context.WithTimeoutCause(ctx, auditLimit, fault.New(fault.CodeTimeout, "Lighthouse did not end in time.", "Try mode snapshot."))
		defer cancel()
		audit, err := c.audit(ctx, order)
		if err != nil {
			return err
		}
		if err := c.cleanReports(ctx, audit.Reports, in.OutputDirPath); err != nil {
			return err
		}
		c.tellAudit(order, audit)
		return nil
	})

// fieldValue is the value that a field has in the source of a page, which reports quote.
var fieldValue = regexp.MustCompile(`(?i)((?:<|\\u003c)input\b[^<>]*?\bvalue=)(\\?["'])[^"'<>\\]*(\\?["'])`)

// cleanReports takes secrets, the values of fields and the passwords of addresses out of what Lighthouse has written, and brings it to
// the folder that the agent has named.
func (c *call) cleanReports(ctx context.Context, names []string, dir string) error {
	for i, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			return fault.Disk(err)
		}
		clean := c.server.hider().Bytes(redactAddresses(fieldValue.ReplaceAll(raw, []byte("${1}${2}"+secret.Dots+"${3}"))))
		switch {
		case dir != "":
			if names[i], err = c.save(ctx, filepath.Join(dir, filepath.Base(name)), clean); err != nil {
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

// auditOrder is what the script reads.
type auditOrder struct {
	Endpoint string `json:"endpoint"`
	Target   string `json:"target"`
	URL      string `json:"url"`
	Mode     string `json:"mode"`
	Device   string `json:"device"`
	Dir      string `json:"dir"`
	Major    string `json:"major"`
}

// audited is what Lighthouse has found.
type audited struct {
	URL        string   `json:"url"`
	Problem    string   `json:"problem"`
	Warnings   []string `json:"warnings"`
	Total      float64  `json:"total"`
	Categories []struct {
		ID, Title string
		Score     int
	} `json:"categories"`
	Passed  int      `json:"passed"`
	Reports []string `json:"reports"`
	Failed  []struct {
		ID, Category, Title, Text string
		Score                     float64
		Count                     int
		Nodes                     []struct{ Selector, Label, Snippet, Why string }
	} `json:"failed"`
}

// needNode says what is missing on this computer. Lighthouse 13 needs Node 22.19.
func needNode(ctx context.Context) error {
	const remedy = "Install Node 22.19 or later (https://nodejs.org), then restart Cove: cove stop-app, cove up. The other tools need no Node."
	missing := func(text string) error { return fault.New(fault.CodeNoLighthouse, text, remedy) }
	if _, err := exec.LookPath("node"); err != nil {
		return missing("Lighthouse needs Node, and there is none on Cove's PATH.")
	}
	raw, err := exec.CommandContext(ctx, "node", "--version").Output()
	if err != nil {
		return missing("Lighthouse needs Node, and the one on Cove's PATH does not run.")
	}
	version := strings.TrimSpace(string(raw))
	major, rest, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	minor, _, _ := strings.Cut(rest, ".")
	high, _ := strconv.Atoi(major)
	low, _ := strconv.Atoi(minor)
	if high < 22 || (high == 22 && low < 19) {
		return missing("Lighthouse needs Node 22.19 or later, and the one on Cove's PATH is " + clip(urlText(version), 20) + ".")
	}
	return nil
}

// notInstalled is the script's exit code when there is no Lighthouse for it.
const notInstalled = 3

// audit runs Lighthouse: an installed one, else the one that npx fetches and keeps.
func (c *call) audit(ctx context.Context, order auditOrder) (audited, error) {
	dir, err := os.MkdirTemp("", "cove-lighthouse-")
	if err != nil {
		return audited{}, fault.Disk(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	script := filepath.Join(dir, "lighthouse.mjs")
	if err := os.WriteFile(script, lighthouseScript, 0o600); err != nil {
		return audited{}, fault.Disk(err)
	}
	found, err := c.runAudit(ctx, order, "node", script)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != notInstalled {
		return found, auditFault(ctx, err)
	}
	npx, err := exec.LookPath("npx")
	if err != nil {
		return audited{}, fault.New(fault.CodeNoLighthouse, "Lighthouse is not installed, and there is no npx on Cove's PATH to fetch it.", "Install it: npm install -g lighthouse@"+lighthouseVersion)
	}
	c.tell(ctx, 0, 0, "Fetching Lighthouse "+lighthouseVersion)
	found, err = c.runAudit(ctx, order, npx, "-y", "-p", "lighthouse@"+lighthouseVersion, "--", "node", script)
	return found, auditFault(ctx, err)
}

// auditFault is what the agent reads when Lighthouse did not end well.
func auditFault(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fault.New(fault.CodeLighthouse, "Lighthouse could not be run or fetched (exit code "+strconv.Itoa(exit.ExitCode())+").", "Try it in a terminal: npx -y lighthouse@"+lighthouseVersion+" --version")
	}
	return err
}

// runAudit runs one command that prints the script's lines.
func (c *call) runAudit(ctx context.Context, order auditOrder, name string, args ...string) (audited, error) {
	input, err := json.Marshal(order)
	if err != nil {
		return audited{}, err
	}
	cmd := exec.CommandContext(ctx, name, args...)
	process.OwnGroup(cmd)
	cmd.Cancel = func() error { return process.KillTree(cmd) }
	cmd.WaitDelay = 5 * time.Second
	cmd.Stdin = bytes.NewReader(input)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return audited{}, err
	}
	if err := cmd.Start(); err != nil {
		return audited{}, err
	}
	var last struct {
		Step   string
		Result *audited
		Error  string
	}
	steps := 0
	for lines := bufio.NewReader(out); ; {
		raw, err := lines.ReadBytes('\n')
		if json.Unmarshal(raw, &last) == nil && last.Step != "" {
			steps++
			c.tell(ctx, float64(steps), 0, clip(snapshot.Clean(last.Step), 200))
			last.Step = ""
		}
		if err != nil {
			break
		}
	}
	err = cmd.Wait()
	switch {
	case last.Result != nil:
		return *last.Result, nil
	case last.Error != "" && ctx.Err() == nil:
		return audited{}, errors.New("Lighthouse: " + last.Error) //nolint:staticcheck // a name; it may quote the page, so it is no sentence of ours
	}
	return audited{}, err
}

// tellAudit writes what Lighthouse has found.
func (c *call) tellAudit(order auditOrder, a audited) {
	c.say("## Lighthouse audit results\nMode: %s\nDevice: %s\nURL: %s", order.Mode, order.Device, c.address(a.URL))
	c.say("### Category scores")
	for _, one := range a.Categories {
		score := strconv.Itoa(one.Score)
		if one.Score < 0 {
			score = "not rated"
		}
		c.say("- %s: %s (%s)", one.Title, score, one.ID)
	}
	c.say("### Audit summary\nPassed: %d\nFailed: %d\nTotal timing: %.0fms", a.Passed, len(a.Failed), a.Total)
	c.say("### Reports")
	for _, name := range a.Reports {
		c.say("- %s", name)
	}
	if a.Problem != "" || len(a.Warnings) > 0 {
		c.say("### Warnings")
		c.show(snapshot.Clean(strings.TrimSpace(a.Problem + " " + strings.Join(a.Warnings, " "))))
	}
	if len(a.Failed) == 0 {
		return
	}
	c.say("### Failed audits")
	var b strings.Builder
	line := c.words
	for _, f := range a.Failed {
		fmt.Fprintf(&b, "- %s [%s]: %s (score: %v)\n  %s\n", f.ID, f.Category, line(f.Title, 200), f.Score, line(f.Text, 200))
		if f.Count == 0 {
			continue
		}
		fmt.Fprintf(&b, "  Nodes (%d):\n", f.Count)
		for _, n := range f.Nodes {
			fmt.Fprintf(&b, "  - selector=%s label=%s snippet=%s\n", quoted(line(n.Selector, 200)), quoted(line(n.Label, 80)), quoted(line(n.Snippet, 200)))
			if n.Why != "" {
				fmt.Fprintf(&b, "    %s\n", line(n.Why, 200))
			}
		}
		if more := f.Count - len(f.Nodes); more > 0 {
			fmt.Fprintf(&b, "  (%d more are in the report)\n", more)
		}
	}
	c.show(b.String())
}
