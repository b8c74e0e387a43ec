//go:build e2e

package clients

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cove/e2e/harness"
)

// about is what every list of skills shows of ours. Some write the apostrophe that follows in another way.
const about = "Drives a real browser, with the user"

// onPath lets the agents of the client run our program by its name.
func (p *peer) onPath() {
	p.t.Helper()
	harness.Script(p.t, filepath.Join(p.bin, "cove"), "exec "+harness.Cove+" --home "+p.Home+" \"$@\"")
}

// TestClientsListTheSkill: the folders that we write into are those that the real clients read, in both scopes, and
// wherever a variable has moved them.
func TestClientsListTheSkill(t *testing.T) {
	a := harness.Start(t)
	for name, c := range map[string]struct {
		list     []string
		variable string
	}{
		"codex":    {[]string{"debug", "prompt-input", "hello"}, "CODEX_HOME"},
		"gemini":   {[]string{"skills", "list"}, "GEMINI_CLI_HOME"},
		"opencode": {[]string{"debug", "skill"}, "XDG_CONFIG_HOME"},
		"copilot":  {[]string{"skill", "list"}, "COPILOT_HOME"},
	} {
		for _, scope := range []string{"user", "project", "moved"} {
			t.Run(name+" "+scope, func(t *testing.T) {
				p := newPeer(t, a, name)
				where := []string{"--scope", scope}
				if scope == "moved" {
					moved := t.TempDir()
					if name == "gemini" {
						write(t, filepath.Join(moved, ".gemini", "trustedFolders.json"),
							read(t, filepath.Join(p.home, ".gemini", "trustedFolders.json")), 0o600)
					}
					p.env, where = append(p.env, c.variable+"="+moved), nil
				}
				p.cove(append([]string{"skills", "install", name}, where...)...)
				if out := p.own(c.list...); !strings.Contains(out, about) {
					t.Errorf("its list is\n%s", out)
				}
				if out := p.cove("skills", "check", name); !strings.Contains(out, "found") {
					t.Error(out)
				}
				p.cove("skills", "remove", name)
				if out := p.own(c.list...); strings.Contains(out, about) {
					t.Errorf("after remove its list is\n%s", out)
				}
			})
		}
	}
}

// TestAnAgentReadsTheSkill: a real client with a model on loopback opens the skill with its own tool for skills, and
// runs from its own shell what the skill tells it to.
func TestAnAgentReadsTheSkill(t *testing.T) {
	a := harness.Start(t)
	const reference = "cove skills get cove --ref login"
	for name, calls := range map[string][]harness.ToolCall{
		"claude-code": {{Name: "Skill", Args: harness.Object{"skill": "cove"}},
			{Name: "Bash", Args: harness.Object{"command": reference}}},
		"gemini": {{Name: "activate_skill", Args: harness.Object{"name": "cove"}},
			{Name: "run_shell_command", Args: harness.Object{"command": reference}}},
		"qwen": {{Name: "skill", Args: harness.Object{"skill": "cove"}},
			{Name: "run_shell_command", Args: harness.Object{"command": reference}}},
		"codex": {{Name: "exec_command", Args: harness.Object{"cmd": "cat $HOME/.agents/skills/cove/SKILL.md"}},
			{Name: "exec_command", Args: harness.Object{"cmd": reference, "login": false}}},
	} {
		t.Run(name, func(t *testing.T) {
			p, m := newPeer(t, a, name), harness.NewModel(t, func(saw []string) *harness.ToolCall {
				if len(saw) >= len(calls) {
					return nil
				}
				return &calls[len(saw)]
			})
			p.onPath()
			args := p.converse(m, "sign in to the shop")
			if name == "claude-code" { // the person's one yes: what the skill allows needs no other
				args = append(args, "Skill(cove)")
			}
			p.cove("skills", "install", name)
			out := p.own(args...)
			m.Mu.Lock()
			defer m.Mu.Unlock()
			saw, sent := strings.Join(m.Saw, "\n"), strings.Join(m.Sent, "\n")
			if !strings.Contains(saw, "# Signing in") || !strings.Contains(sent, "cove page snapshot -q") {
				t.Errorf("it called %v and saw\n%s\nit asked %v and printed\n%s", m.Tools, saw, m.Asked, out)
			}
			if !strings.Contains(sent, about) {
				t.Error("its model is not told that there is the skill")
			}
		})
	}
}

// TestAnAgentInAShellUsesTheProfile: a real client opens the skill and works in a page with a command of its own shell.
// The journal names it.
func TestAnAgentInAShellUsesTheProfile(t *testing.T) {
	a := harness.Start(t)
	web := harness.NewSite(t)
	a.Open(1)
	command := "cove page -p 1 open " + web.URL + "/tab/7 -s"
	for name, c := range map[string]struct {
		journal string
		calls   []harness.ToolCall
		args    []string
	}{
		// The person's one yes: what the skill allows needs no other.
		"claude-code": {"claude-code", []harness.ToolCall{{Name: "Skill", Args: harness.Object{"skill": "cove"}},
			{Name: "Bash", Args: harness.Object{"command": command}}}, []string{"Skill(cove)"}},
		"gemini": {"gemini-cli", []harness.ToolCall{{Name: "activate_skill", Args: harness.Object{"name": "cove"}},
			{Name: "run_shell_command", Args: harness.Object{"command": command}}}, nil},
		"qwen": {"qwen-code", []harness.ToolCall{{Name: "skill", Args: harness.Object{"skill": "cove"}},
			{Name: "run_shell_command", Args: harness.Object{"command": command}}}, nil},
		"codex": {"codex", []harness.ToolCall{{Name: "exec_command",
			Args: harness.Object{"cmd": command, "login": false, "yield_time_ms": 30000}}},
			// Without the temporary folder, in which the sandbox would make a .git for as long as the command runs.
			[]string{"-s", "workspace-write", "-c", "sandbox_workspace_write.network_access=true",
				"-c", "sandbox_workspace_write.exclude_slash_tmp=true",
				"-c", "sandbox_workspace_write.exclude_tmpdir_env_var=true"}},
	} {
		t.Run(name, func(t *testing.T) {
			p, m := newPeer(t, a, name), harness.NewModel(t, func(saw []string) *harness.ToolCall {
				if len(saw) >= len(c.calls) {
					return nil
				}
				return &c.calls[len(saw)]
			})
			p.onPath()
			args := append(p.converse(m, "open the seventh tab"), c.args...)
			p.cove("skills", "install", name)
			out := p.own(args...)
			m.Mu.Lock()
			defer m.Mu.Unlock()
			if saw := strings.Join(m.Saw, "\n"); !strings.Contains(saw, `"tab 7" `+web.URL) {
				t.Errorf("it called %v and saw\n%s\nit printed\n%s", m.Tools, saw, out)
			}
			if rows := a.Must("journal", "show", "1"); !strings.Contains(rows, "  "+c.journal+" ") {
				t.Errorf("the journal is\n%s", rows)
			}
		})
	}
}

// TestCodexIsToldThatItsSandboxForbidsCove: the usual sandbox does, and the answer says what to do.
func TestCodexIsToldThatItsSandboxForbidsCove(t *testing.T) {
	a := harness.Start(t)
	a.Open(1)
	p, m := newPeer(t, a, "codex"), harness.NewModel(t, func(saw []string) *harness.ToolCall {
		if len(saw) > 0 {
			return nil
		}
		return &harness.ToolCall{Name: "exec_command",
			Args: harness.Object{"cmd": "cove page -p 1 tabs; echo exit code $?", "login": false}}
	})
	p.onPath()
	args := p.converse(m, "which tabs are open?")
	if out := p.cove("skills", "install", "codex"); !strings.Contains(out, "network_access = true") {
		t.Error(out)
	}
	p.own(args...)
	m.Mu.Lock()
	defer m.Mu.Unlock()
	if saw := strings.Join(m.Saw, "\n"); !strings.Contains(saw, "sandbox") || !strings.Contains(saw, "exit code 6") {
		t.Errorf("it saw\n%s", saw)
	}
}

// TestTwoClientsShareOneSkill: what one client removes the other still finds.
func TestTwoClientsShareOneSkill(t *testing.T) {
	a := harness.Start(t)
	p := newPeer(t, a, "opencode")
	if err := os.MkdirAll(filepath.Join(p.home, ".codex"), 0o755); err != nil {
		t.Fatal(err)
	}
	p.cove("skills", "install", "opencode", "codex")
	if out := p.cove("skills", "remove", "codex"); !strings.Contains(out, "stays for: opencode") {
		t.Error(out)
	}
	if out := p.own("debug", "skill"); !strings.Contains(out, about) {
		t.Errorf("its list is\n%s", out)
	}
	p.cove("skills", "remove", "opencode")
	if harness.Exists(filepath.Join(p.home, ".agents")) {
		t.Error("a folder is left")
	}
}
