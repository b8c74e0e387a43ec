// Package lighthouse audits a page with Lighthouse, which runs in Node as a process of its own.
package lighthouse

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
	"cove/internal/process"
	"cove/internal/snapshot/text"
	"cove/internal/wording"
)

// Version is the version that we test with. An installed one must have the same first number.
const Version = "13.5.0"

//go:embed lighthouse.mjs
var script []byte

// Order says which page to audit, and how. Endpoint is the address of a debugging port, Target the page's target; the
// reports go into Dir.
type Order struct {
	Endpoint string `json:"endpoint"`
	Target   string `json:"target"`
	URL      string `json:"url"`
	Mode     string `json:"mode"`
	Device   string `json:"device"`
	Dir      string `json:"dir"`
}

// Result is what Lighthouse has found. Its texts may quote the page.
type Result struct {
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
	Failed  []FailedAudit `json:"failed"`
}

// FailedAudit is one audit that the page did not pass.
type FailedAudit struct {
	ID, Category, Title, Text string
	Score                     float64
	Count                     int
	Nodes                     []struct{ Selector, Label, Snippet, Why string }
}

// CheckNode says what is missing on this computer. Lighthouse 13 needs Node 22.19.
func CheckNode(ctx context.Context) error {
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
			wording.Shorten(text.Clean(version), 20) + ".")
	}
	return nil
}

// notInstalled is the script's exit code when it finds no Lighthouse.
const notInstalled = 3

// Run runs an audit with an installed Lighthouse, else with one that npx fetches. It calls report with each step of the
// audit and its number.
func Run(ctx context.Context, order Order, report func(step int, text string)) (Result, error) {
	dir, err := os.MkdirTemp("", "cove-lighthouse-")
	if err != nil {
		return Result{}, fault.Disk(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	file := filepath.Join(dir, "lighthouse.mjs")
	if err := os.WriteFile(file, script, 0o600); err != nil {
		return Result{}, fault.Disk(err)
	}

	found, err := runScript(ctx, report, order, "node", file)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != notInstalled {
		return found, faultOf(ctx, err)
	}

	npx, err := exec.LookPath("npx")
	if err != nil {
		return Result{}, fault.New(fault.CodeNoLighthouse,
			"Lighthouse is not installed, and there is no npx on Cove's PATH to fetch it.",
			"Install it: npm install -g lighthouse@"+Version)
	}
	report(0, "Fetching Lighthouse "+Version)
	found, err = runScript(ctx, report, order, npx, "-y", "-p", "lighthouse@"+Version, "--", "node", file)
	return found, faultOf(ctx, err)
}

// faultOf turns an error of Lighthouse into what the agent reads.
func faultOf(ctx context.Context, err error) error {
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
			"Try it in a terminal: npx -y lighthouse@"+Version+" --version")
	}
	return err
}

// message is one line of the script's output.
type message struct {
	Step   string
	Result *Result
	Error  string
}

// runScript runs one command that prints the script's output.
func runScript(
	ctx context.Context, report func(step int, text string), order Order, name string, args ...string,
) (Result, error) {
	major, _, _ := strings.Cut(Version, ".")
	input, err := json.Marshal(struct {
		Order
		Major string `json:"major"`
	}{order, major})
	if err != nil {
		return Result{}, err
	}
	cmd := exec.CommandContext(ctx, name, args...)
	process.OwnGroup(cmd)
	cmd.Cancel = func() error { return process.KillTree(cmd) }
	cmd.WaitDelay = 5 * time.Second
	cmd.Stdin = bytes.NewReader(input)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return Result{}, err
	}
	if err := cmd.Start(); err != nil {
		return Result{}, err
	}

	last := follow(out, report)
	err = cmd.Wait()
	switch {
	case last.Result != nil:
		return *last.Result, nil
	case last.Error != "" && ctx.Err() == nil:
		//nolint:staticcheck // Lighthouse is a name; the error may quote the page, so it is no sentence of ours
		return Result{}, errors.New("Lighthouse: " + last.Error)
	}
	return Result{}, err
}

// follow reports the script's steps until its output ends. It returns the result and the error that came last.
func follow(out io.Reader, report func(step int, text string)) (last message) {
	steps := 0
	for output := bufio.NewReader(out); ; {
		raw, err := output.ReadBytes('\n')
		if json.Unmarshal(raw, &last) == nil && last.Step != "" {
			steps++
			report(steps, wording.Shorten(text.Clean(last.Step), 200))
			last.Step = ""
		}
		if err != nil {
			return last
		}
	}
}
