package tools

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/mcpserver"
	"cove/internal/process"
	"cove/internal/snapshot/text"
)

// lighthouseVersion is the version that we test with. An installed one must have the same first number.
const lighthouseVersion = "13.5.0"

//go:embed lighthouse.mjs
var lighthouseScript []byte

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

// auditResult is what Lighthouse has found.
type auditResult struct {
	URL        string   `json:"url"`
	Problem    string   `json:"problem"`
	Warnings   []string `json:"warnings"`
	Total      float64  `json:"total"`
	Categories []struct {
		ID, Title string
		Score     int
	} `json:"categories"`
	Passed  int           `json:"passed"`
	Reports []string      `json:"reports"`
	Failed  []failedAudit `json:"failed"`
}

// failedAudit is one audit that the page did not pass.
type failedAudit struct {
	ID, Category, Title, Text string
	Score                     float64
	Count                     int
	Nodes                     []struct{ Selector, Label, Snippet, Why string }
}

// checkNode says what is missing on this computer. Lighthouse 13 needs Node 22.19.
func checkNode(ctx context.Context) error {
	const remedy = "Install Node 22.19 or later (https://nodejs.org), then restart Cove: cove stop-app, cove up. " +
		"The other tools need no Node."
	missing := func(text string) error { return fault.New(fault.CodeNoLighthouse, text, remedy) }
	if _, err := exec.LookPath("node"); err != nil {
		return missing("Lighthouse needs Node, and there is none on Cove's PATH.")
	}
	raw, err := exec.CommandContext(ctx, "node", "--version").Output()
	if err != nil {
		return missing("Lighthouse needs Node, and the one on Cove's PATH does not run.")
	}

	version := strings.TrimSpace(string(raw))
	first, rest, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	second, _, _ := strings.Cut(rest, ".")
	major, _ := strconv.Atoi(first)
	minor, _ := strconv.Atoi(second)
	if major < 22 || (major == 22 && minor < 19) {
		return missing("Lighthouse needs Node 22.19 or later, and the one on Cove's PATH is " +
			mcpserver.Clip(mcpserver.URLText(version), 20) + ".")
	}
	return nil
}

// notInstalled is the script's exit code when it finds no Lighthouse.
const notInstalled = 3

// runLighthouse runs an audit with an installed Lighthouse, else with one that npx fetches.
func runLighthouse(ctx context.Context, c *mcpserver.Call, order auditOrder) (auditResult, error) {
	dir, err := os.MkdirTemp("", "cove-lighthouse-")
	if err != nil {
		return auditResult{}, fault.Disk(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	script := filepath.Join(dir, "lighthouse.mjs")
	if err := os.WriteFile(script, lighthouseScript, 0o600); err != nil {
		return auditResult{}, fault.Disk(err)
	}

	found, err := runAudit(ctx, c, order, "node", script)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != notInstalled {
		return found, auditFault(ctx, err)
	}

	npx, err := exec.LookPath("npx")
	if err != nil {
		return auditResult{}, fault.New(fault.CodeNoLighthouse,
			"Lighthouse is not installed, and there is no npx on Cove's PATH to fetch it.",
			"Install it: npm install -g lighthouse@"+lighthouseVersion)
	}
	c.ReportProgress(ctx, 0, 0, "Fetching Lighthouse "+lighthouseVersion)
	found, err = runAudit(ctx, c, order, npx, "-y", "-p", "lighthouse@"+lighthouseVersion, "--", "node", script)
	return found, auditFault(ctx, err)
}

// auditFault turns an error of Lighthouse into what the agent reads.
func auditFault(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fault.New(fault.CodeLighthouse,
			"Lighthouse could not be run or fetched (exit code "+strconv.Itoa(exit.ExitCode())+").",
			"Try it in a terminal: npx -y lighthouse@"+lighthouseVersion+" --version")
	}
	return err
}

// auditMessage is one line of the script's output.
type auditMessage struct {
	Step   string
	Result *auditResult
	Error  string
}

// runAudit runs one command that prints the script's output.
func runAudit(
	ctx context.Context, c *mcpserver.Call, order auditOrder, name string, args ...string,
) (auditResult, error) {
	input, err := json.Marshal(order)
	if err != nil {
		return auditResult{}, err
	}
	cmd := exec.CommandContext(ctx, name, args...)
	process.OwnGroup(cmd)
	cmd.Cancel = func() error { return process.KillTree(cmd) }
	cmd.WaitDelay = 5 * time.Second
	cmd.Stdin = bytes.NewReader(input)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return auditResult{}, err
	}
	if err := cmd.Start(); err != nil {
		return auditResult{}, err
	}

	last := followAudit(ctx, c, out)
	err = cmd.Wait()
	switch {
	case last.Result != nil:
		return *last.Result, nil
	case last.Error != "" && ctx.Err() == nil:
		//nolint:staticcheck // Lighthouse is a name; the error may quote the page, so it is no sentence of ours
		return auditResult{}, errors.New("Lighthouse: " + last.Error)
	}
	return auditResult{}, err
}

// followAudit reports the script's steps until its output ends. It returns the result and the error that came last.
func followAudit(ctx context.Context, c *mcpserver.Call, out io.Reader) (last auditMessage) {
	steps := 0
	for output := bufio.NewReader(out); ; {
		raw, err := output.ReadBytes('\n')
		if json.Unmarshal(raw, &last) == nil && last.Step != "" {
			steps++
			c.ReportProgress(ctx, float64(steps), 0, mcpserver.Clip(text.Clean(last.Step), 200))
			last.Step = ""
		}
		if err != nil {
			return last
		}
	}
}
