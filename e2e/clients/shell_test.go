//go:build e2e

package clients

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"cove/e2e/harness"
)

// shellTools are the tools by which clients run commands: their names, and what they call the command.
var shellTools = map[string]struct{ tool, argument string }{
	"claude-code": {"Bash", "command"},
	"codex":       {"exec_command", "cmd"},
	"gemini":      {"run_shell_command", "command"},
	"qwen":        {"run_shell_command", "command"},
}

// runCommands lets the client run commands without asking its person.
func (p *peer) runCommands(args []string) []string {
	switch p.name {
	case "codex":
		return slices.Concat(args[:1], []string{"--dangerously-bypass-approvals-and-sandbox"}, args[1:])
	case "claude-code":
		return append(slices.Clone(args[:2]), "--allowedTools", "Bash")
	}
	return args
}

// TestClientsWorkByTheirShells: the model of a real client runs `cove page` with the client's own tool for commands, in
// two sessions at the same time. Cove knows which client it is, and each session has its own tab.
func TestClientsWorkByTheirShells(t *testing.T) {
	web := shop(t)
	for name, tool := range shellTools {
		t.Run(name, func(t *testing.T) {
			a := harness.Start(t)
			a.Open(1)
			var all, opened sync.WaitGroup
			opened.Add(2)
			for _, path := range []string{"/in", "/pay"} {
				p := newPeer(t, a, name)
				run := func(words string) *harness.ToolCall {
					return &harness.ToolCall{Name: tool.tool, Args: harness.Object{
						tool.argument: harness.Cove + " --home " + a.Home + " page " + words, "description": "work"}}
				}
				var once sync.Once
				m := harness.NewModel(t, func(saw []string) *harness.ToolCall {
					switch len(saw) {
					case 0:
						return run("open " + web + path + " --new")
					case 1: // when the other session has opened its tab, too
						once.Do(opened.Done)
						opened.Wait()
						return run("eval location.pathname")
					}
					return nil
				})
				args := p.runCommands(p.converse(m, "do your work"))
				all.Go(func() {
					out, err := p.run(6*harness.Patience, args...)
					m.Mu.Lock()
					defer m.Mu.Unlock()
					if err != nil || len(m.Saw) != 2 || !strings.Contains(m.Saw[1], path) {
						once.Do(opened.Done)
						t.Errorf("%v; the model saw %q and called %v; it printed\n%s", err, m.Saw, m.Tools, out)
					}
				})
			}
			all.Wait()

			sessions := map[string]bool{}
			for _, l := range a.Journal(1) {
				if l.Name == "evaluate_script" {
					sessions[l.Session] = true
				}
				if l.Agent.Kind == "shell" && l.Agent.Name != agentNames[name] {
					t.Errorf("the journal names %+v", l.Agent)
				}
			}
			if len(sessions) != 2 {
				t.Errorf("the journal has the sessions %v", sessions)
			}
		})
	}
}

// agentNames are what Cove calls the clients.
var agentNames = map[string]string{
	"claude-code": "claude-code", "codex": "codex", "gemini": "gemini-cli", "qwen": "qwen-code",
}

// TestACommandInASandbox: Codex keeps the commands of its model from every socket, unless its person allows them, and
// hides all other processes from them.
func TestACommandInASandbox(t *testing.T) {
	const refused = "it is in a sandbox"
	for name, tc := range map[string]struct{ network, state, says, code string }{
		"a profile that is open":           {"false", "open", refused, "exit=6"},
		"a profile that is closed":         {"false", "closed", refused, "exit=6"},
		"an open profile, with a network":  {"true", "open", "1 about:blank", "exit=0"},
		"a closed profile, with a network": {"true", "closed", "1 about:blank", "exit=0"},
	} {
		t.Run(name, func(t *testing.T) {
			a := harness.Start(t)
			if tc.state == "open" {
				a.Open(1)
			}
			p := newPeer(t, a, "codex")
			m := harness.NewModel(t, func(saw []string) *harness.ToolCall {
				if len(saw) > 0 {
					return nil
				}
				return &harness.ToolCall{Name: "exec_command", Args: harness.Object{"yield_time_ms": 30000,
					"cmd": harness.Cove + " --home " + a.Home + " page tabs; echo exit=$?"}}
			})
			args := p.converse(m, "do your work")
			args = slices.Concat(args[:1], []string{"-s", "workspace-write",
				"-c", "sandbox_workspace_write.network_access=" + tc.network}, args[1:])
			out, err := p.run(6*harness.Patience, args...)
			m.Mu.Lock()
			defer m.Mu.Unlock()
			if err != nil || len(m.Saw) != 1 || !strings.Contains(m.Saw[0], tc.says) ||
				!strings.Contains(m.Saw[0], tc.code) {
				t.Errorf("%v; the model saw %q; it printed\n%s", err, m.Saw, out)
			}
		})
	}
}
