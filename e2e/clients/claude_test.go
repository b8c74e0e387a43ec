//go:build e2e

package clients

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cove/e2e/harness"
)

// claude is the Claude Code CLI with a home and a project of its own, without a login.
type claude struct {
	t       *testing.T
	bin     string
	env     []string
	home    string
	project string
}

func newClaude(t *testing.T) *claude {
	t.Helper()
	home, project := t.TempDir(), t.TempDir()
	return &claude{t: t, bin: filepath.Join(harness.Modules(t), "@anthropic-ai", "claude-code-linux-x64", "claude"),
		home: home, project: project,
		env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "NODE_PATH=" + harness.Modules(t),
			"DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1", "DISABLE_ERROR_REPORTING=1",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
			"ANTHROPIC_BASE_URL=http://127.0.0.1:9", "HTTPS_PROXY=http://127.0.0.1:9", "HTTP_PROXY=http://127.0.0.1:9",
			"NO_PROXY=127.0.0.1,localhost"}}
}

// run runs a command that has to work and returns what it prints.
func (c *claude) run(args ...string) string {
	c.t.Helper()
	stdout, stderr, code := harness.Output(c.t, harness.Command{Args: append([]string{c.bin}, args...), Env: c.env,
		Dir: c.project})
	if code != 0 {
		c.t.Fatalf("claude %s: exit code %d\n%s%s", strings.Join(args, " "), code, stdout, stderr)
	}
	return stdout
}

// servers is the servers in its settings: the person's and the project's.
func (c *claude) servers() (user, local map[string]any) {
	c.t.Helper()
	type servers struct {
		Servers map[string]any `json:"mcpServers"`
	}
	var f struct {
		servers
		Projects map[string]servers
	}
	raw, err := os.ReadFile(filepath.Join(c.home, ".claude.json"))
	if err != nil || json.Unmarshal(raw, &f) != nil {
		c.t.Fatalf("the settings: %v, %s", err, raw)
	}
	return f.Servers, f.Projects[c.project].Servers
}

func TestClaudeCodeConnectsThroughTheWrapper(t *testing.T) {
	a := harness.Start(t)
	w := a.Install()
	for name, scope := range map[string][]string{"in the project": nil, "for the person": {"--scope", "user"}} {
		t.Run(name, func(t *testing.T) {
			a.Close(1)
			c := newClaude(t)
			c.run(append(append([]string{"mcp", "add", "cove-1"}, scope...), "--", "node", w.File, "1")...)
			user, local := c.servers()
			if (user["cove-1"] != nil) != (scope != nil) || (local["cove-1"] != nil) != (scope == nil) {
				t.Fatalf("registered for the person %v, in the project %v", user, local)
			}
			if state, _ := a.State(1); state != "" {
				t.Fatalf("the profile is %q before the client has run", state)
			}
			if out := c.run("mcp", "list"); !strings.Contains(out, "cove-1: node "+w.File+" 1") ||
				!strings.Contains(out, "Connected") || strings.Contains(out, "Failed") {
				t.Errorf("mcp list says %s", out)
			}
			stillOpen(t, a, 1)
			remove := []string{"mcp", "remove", "cove-1"}
			if scope != nil {
				remove = append(remove, "-s", "user")
			}
			c.run(remove...)
			if user, local := c.servers(); user["cove-1"] != nil || local["cove-1"] != nil {
				t.Errorf("after remove: %v, %v", user, local)
			}
			harness.Wait(t, "its servers to end", func() bool { return len(harness.Marked("HOME="+c.home)) == 0 })
		})
	}
}

func TestClaudeCodeSeesThatAProfileIsNotThere(t *testing.T) {
	a := harness.Start(t)
	w := a.Install()
	c := newClaude(t)
	c.run("mcp", "add", "cove-77", "--", "node", w.File, "77")
	if out := c.run("mcp", "list"); !strings.Contains(out, "Failed to connect") {
		t.Errorf("mcp list says %s", out)
	}
	harness.Wait(t, "its servers to end", func() bool { return len(harness.Marked("HOME="+c.home)) == 0 })
}
