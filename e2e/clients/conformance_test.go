//go:build e2e

package clients

import (
	"encoding/json"

	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cove/e2e/harness"
)

// apart is the environment of a program that shall find nothing in our home folder.
func apart(t *testing.T) []string {
	t.Helper()
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}
}

// conformance are the scenarios of the official suite that ask for nothing but a server with tools. The others call
// tools, resources and prompts that only a server made for the suite has.
var conformance = map[string][]string{
	"2025-06-18": {"server-initialize", "server-session-lifecycle", "ping", "tools-list"},
	"2025-11-25": {"server-initialize", "server-session-lifecycle", "ping", "tools-list", "server-sse-multiple-streams",
		"dns-rebinding-protection"},
	"2026-07-28": {"server-stateless", "tools-list", "dns-rebinding-protection", "caching", "http-header-validation",
		"input-required-result-unsupported-methods"},
}

func TestTheOfficialConformanceSuite(t *testing.T) {
	a := harness.Start(t)
	a.Open(1)
	address := a.Front(1)
	for version, names := range conformance {
		for _, name := range names {
			t.Run(version+"/"+name, func(t *testing.T) {
				dir := t.TempDir()
				stdout, stderr, code := harness.Output(t,
					harness.Command{Env: apart(t), Dir: dir, Args: []string{harness.LookPath(t, "node"),
						harness.Checker(t, "@modelcontextprotocol/conformance/dist/index.js"), "server", "--url",
						address, "--scenario", name, "--spec-version", version, "-o", dir}})
				if code != 0 && !onlyUntestable(t, dir) {
					t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
				}
			})
		}
	}
}

// onlyUntestable reads the suite's results: all that failed needs a tool that only a server made for the suite has.
func onlyUntestable(t *testing.T, dir string) bool {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "*", "checks.json"))
	failed := 0
	for _, name := range files {
		var checks []struct{ ID, Status, ErrorMessage string }
		raw, err := os.ReadFile(name)
		if err != nil || json.Unmarshal(raw, &checks) != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, c := range checks {
			if c.Status != "FAILURE" {
				continue
			}
			failed++
			// A server without prompts and resources says so; the suite wants to see their lists all the same.
			absent := strings.HasPrefix(c.ErrorMessage, "prompts/") || strings.HasPrefix(c.ErrorMessage, "resources/")
			if !strings.HasPrefix(c.ErrorMessage, "Not testable: server does not list the diagnostic tool") &&
				(!absent || !strings.Contains(c.ErrorMessage, "-32601")) {
				t.Logf("%s: %s", c.ID, c.ErrorMessage)
				return false
			}
		}
	}
	return failed > 0
}

// inspect runs the Inspector's command line and reads what it prints.
func inspect(t *testing.T, out any, args ...string) {
	t.Helper()
	stdout, stderr, code := harness.Output(t, harness.Command{Env: apart(t), Dir: t.TempDir(),
		Args: append([]string{harness.LookPath(t, "node"),
			harness.Checker(t, "@modelcontextprotocol/inspector/clients/launcher/build/index.js")}, args...)})
	if code != 0 {
		t.Fatalf("inspector %s: exit code %d\n%s%s", strings.Join(args, " "), code, stdout, stderr)
	}
	var printed struct{ Result json.RawMessage }
	err := json.Unmarshal([]byte(stdout), &printed)
	if err == nil {
		err = json.Unmarshal(printed.Result, out)
	}
	if err != nil {
		t.Fatalf("inspector %s printed %q: %v", strings.Join(args, " "), stdout, err)
	}
}

func TestTheInspectorWorks(t *testing.T) {
	a := harness.Start(t)
	a.Open(1)
	a.Policy(1, "--tabs", "shared") // an inspector leaves its session over HTTP open, and the next one is another agent
	targets := map[string][]string{
		"stdio": {harness.Cove, "mcp", "1", "--home", a.Home},
		"http":  {a.Base + "/mcp/1", "--transport", "http", "--header", "Authorization: Bearer " + a.Token()},
	}
	for name, target := range targets {
		for _, era := range []string{"legacy", "modern", "auto"} {
			t.Run(name+" "+era, func(t *testing.T) {
				with := func(more ...string) []string {
					return slices.Concat([]string{"--cli"}, target, []string{"--format", "json", "-q", "--protocol-era",
						era}, more)
				}
				var list struct{ Tools []struct{ Name string } }
				inspect(t, &list, with("--method", "tools/list", "--strict")...)
				if len(list.Tools) != 35 {
					t.Errorf("%d tools", len(list.Tools))
				}
				var raw json.RawMessage
				inspect(t, &raw, with("--method", "tools/call", "--tool-name", "list_pages")...)
				if got := harness.ReadTool(t, raw); got.IsError || !strings.Contains(got.Text, "## Pages") {
					t.Errorf("list_pages: %s", raw)
				}
				inspect(t, &raw, with("--method", "tools/call", "--tool-name", "evaluate_script", "--tool-arg",
					"function=() => 6 * 7")...)
				if got := harness.ReadTool(t, raw); !strings.Contains(got.Text, "42") {
					t.Errorf("evaluate_script: %s", raw)
				}
			})
		}
	}
}

func TestClaudeCodeConnectsToTheBridge(t *testing.T) {
	a, c := harness.Start(t), newClaude(t)
	c.run("mcp", "add", "cove-1", "--scope", "user", "--", harness.Cove, "mcp", "1", "--home", a.Home)
	if out := c.run("mcp", "list"); !strings.Contains(out, "cove-1") || !strings.Contains(out, "Connected") {
		t.Errorf("claude mcp list: %s", out)
	}
	harness.Wait(t, "the profile to open, though the client has gone",
		func() bool { state, _ := a.State(1); return state == "open" })
}
