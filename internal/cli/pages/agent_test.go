package pages

import (
	"testing"

	"cove/internal/process"
)

func info(pid int, args ...string) process.Info {
	return process.Info{ID: process.ID{PID: pid, Start: "9"}, Args: args}
}

func TestWhoRunsACommand(t *testing.T) {
	terminal := []process.Info{info(30, "bash"), info(20, "gnome-terminal")}
	for name, tc := range map[string]struct {
		env     map[string]string
		above   []process.Info
		leaders map[int]int
		want    agent
	}{
		"what the person says": {
			env:  map[string]string{"COVE_AGENT": "mine", "COVE_SESSION": "a", "CLAUDECODE": "1"},
			want: agent{name: "mine", session: "a"},
		},
		"only the name": {
			env: map[string]string{"COVE_AGENT": "mine"}, above: terminal, leaders: map[int]int{30: 30},
			want: agent{name: "mine", session: "30.9", pid: 30},
		},
		"only the session": {
			env:  map[string]string{"COVE_SESSION": "a", "CODEX_THREAD_ID": "t"},
			want: agent{name: "codex", session: "a"},
		},
		"Claude Code": {
			env: map[string]string{"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s", "CLAUDE_PID": "77",
				"AI_AGENT": "claude-code/2.1.325/agent"},
			want: agent{name: "claude-code", version: "2.1.325", session: "s", pid: 77},
		},
		"Gemini, which names no session": {
			env:   map[string]string{"GEMINI_CLI": "1"},
			above: []process.Info{info(9, "bash", "-c", "x"), info(8, "node", "/usr/lib/@google/gemini-cli/dist/index.js")},
			want:  agent{name: "gemini-cli", session: "8.9", pid: 8},
		},
		"an agent that another one has started": {
			env: map[string]string{"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s", "CODEX_THREAD_ID": "t"},
			above: []process.Info{info(9, "/bin/sh", "-c", "x"), info(8, "/opt/codex", "exec"), info(7, "bash", "-c", "y"),
				info(6, "claude")},
			want: agent{name: "codex", session: "t"},
		},
		"a program with a name that we know": {
			above: []process.Info{info(9, "bash", "-c", "x"), info(8, "python3.12", "-u", "/usr/bin/aider")},
			want:  agent{name: "aider", session: "8.9", pid: 8},
		},
		"a file of that name is not the program": {
			above: []process.Info{info(9, "vim", "codex")}, leaders: map[int]int{9: 9},
			want: agent{name: "shell", session: "9.9", pid: 9},
		},
		"a shell": {
			above: terminal, leaders: map[int]int{30: 30, 20: 1},
			want: agent{name: "shell", session: "30.9", pid: 30},
		},
		"a script in a shell": {
			above: append([]process.Info{info(40, "bash", "./run.sh")}, terminal...), leaders: map[int]int{40: 30, 30: 30},
			want: agent{name: "shell", session: "30.9", pid: 30},
		},
		"a shell of its own for each command": {
			above:   append([]process.Info{info(50, "sh", "-c", "x"), info(40, "myagent")}, terminal...),
			leaders: map[int]int{50: 50, 40: 30, 30: 30},
			want:    agent{name: "shell", session: "30.9", pid: 30},
		},
		"nobody above": {want: agent{name: "shell", session: "shell"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := identify(surroundings{
				getenv:    func(key string) string { return tc.env[key] },
				ancestors: func() []process.Info { return tc.above },
				leader:    func(pid int) int { return tc.leaders[pid] },
			})
			if got != tc.want {
				t.Errorf("%+v, not %+v", got, tc.want)
			}
		})
	}
}

// Two commands of one real shell have the same session.
func TestTheRealShellIsTheSameTwice(t *testing.T) {
	none := func(string) string { return "" }
	s := surroundings{getenv: none, ancestors: process.Ancestors, leader: process.SessionLeader}
	first, second := identify(s), identify(s)
	if first != second || first.session == "" {
		t.Errorf("%+v, then %+v", first, second)
	}
}
