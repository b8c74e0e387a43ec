package pages

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"cove/internal/process"
)

// agent is who runs a command: what it has selected and seen, its tabs and its lines in the journal belong to it. The
// name is the program's own word and gives no right.
type agent struct {
	name, version, session string
	pid                    int
}

// surroundings are what a command can tell of who runs it.
type surroundings struct {
	getenv    func(string) string
	ancestors func() []process.Info // the nearest first
	leader    func(pid int) int     // of a process's session; 0 when unknown
}

// knownAgent is a program whose commands we recognize.
type knownAgent struct {
	name string
	// marker is a variable that the agent sets for its commands, session the one with the name of its session.
	marker, session, pid string
	// programs are what its process is called, or the package that a script belongs to.
	programs []string
}

// knownAgents are the agents that run commands in shells.
var knownAgents = []knownAgent{
	{name: "claude-code", marker: "CLAUDECODE", session: "CLAUDE_CODE_SESSION_ID", pid: "CLAUDE_PID",
		programs: []string{"claude", "claude-code"}},
	{name: "codex", marker: "CODEX_THREAD_ID", session: "CODEX_THREAD_ID", programs: []string{"codex"}},
	{name: "gemini-cli", marker: "GEMINI_CLI", programs: []string{"gemini", "gemini-cli"}},
	{name: "qwen-code", marker: "QWEN_CODE", session: "QWEN_CODE_SESSION_ID", programs: []string{"qwen", "qwen-code"}},
	{name: "opencode", marker: "OPENCODE_PID", pid: "OPENCODE_PID", programs: []string{"opencode", "opencode-ai"}},
	{name: "copilot-cli", marker: "COPILOT_CLI", programs: []string{"copilot"}},
	{name: "cursor", programs: []string{"cursor-agent", "cursor"}},
	{name: "amp", programs: []string{"amp"}},
	{name: "goose", programs: []string{"goose"}},
	{name: "crush", programs: []string{"crush"}},
	{name: "aider", programs: []string{"aider"}},
	{name: "droid", programs: []string{"droid"}},
}

// identify finds out who runs this command: from COVE_AGENT and COVE_SESSION, from the agent's own variables, from the
// nearest program above it that is a known agent, and else from the shell.
func identify(s surroundings) agent {
	a := agent{name: s.getenv("COVE_AGENT"), session: s.getenv("COVE_SESSION")}
	if a.name != "" && a.session != "" {
		return a
	}

	found, ok := s.fromVariables()
	if !ok || found.session == "" {
		above, known := s.fromAncestors(found.name)
		if !ok {
			found, ok = above, known
		} else if known {
			found.session, found.pid = above.session, above.pid
		}
	}
	if !ok || found.session == "" {
		shell := s.fromShell()
		if found.name == "" {
			found.name = shell.name
		}
		found.session, found.pid = shell.session, shell.pid
	}
	if a.name != "" {
		found.name, found.version = a.name, ""
	}
	if a.session != "" {
		found.session = a.session
	}
	return found
}

// fromVariables recognizes an agent by the variables that it sets for its commands. Where one agent has started another
// there are several: the nearest program decides.
func (s surroundings) fromVariables() (agent, bool) {
	marked := slices.DeleteFunc(slices.Clone(knownAgents), func(k knownAgent) bool {
		return k.marker == "" || s.getenv(k.marker) == ""
	})
	if len(marked) == 0 {
		return agent{}, false
	}
	chosen := marked[0]
	if len(marked) > 1 {
		if above, ok := s.fromAncestors(""); ok {
			if at := slices.IndexFunc(marked, func(k knownAgent) bool { return k.name == above.name }); at >= 0 {
				chosen = marked[at]
			}
		}
	}

	a := agent{name: chosen.name}
	if chosen.session != "" {
		a.session = s.getenv(chosen.session)
	}
	if chosen.pid != "" {
		a.pid, _ = strconv.Atoi(s.getenv(chosen.pid))
		if a.session == "" && a.pid > 0 {
			a.session = s.getenv(chosen.pid)
		}
	}
	if name, rest, ok := strings.Cut(s.getenv("AI_AGENT"), "/"); ok && name == chosen.name {
		a.version, _, _ = strings.Cut(rest, "/")
	}
	return a, true
}

// fromAncestors returns the nearest known agent above this process. With a name it looks for that agent only.
func (s surroundings) fromAncestors(name string) (agent, bool) {
	for _, info := range s.ancestors() {
		if known := programOf(info.Args); known != "" && (name == "" || known == name) {
			return agent{name: known, pid: info.PID, session: sessionOf(info)}, true
		}
	}
	return agent{}, false
}

// fromShell returns the shell that the command runs in: the leader of its session. An agent can start a shell for a
// single command, and that shell can lead a session of its own; fromShell passes over it.
func (s surroundings) fromShell() agent {
	above := s.ancestors()
	for i := 0; i < len(above); i++ {
		leader := s.leader(above[i].PID)
		at := slices.IndexFunc(above, func(p process.Info) bool { return p.PID == leader })
		if at < i {
			at = i
		}
		if info := above[at]; !isOneCommand(info.Args) {
			return agent{name: "shell", pid: info.PID, session: sessionOf(info)}
		}
		i = at
	}
	return agent{name: "shell", session: "shell"}
}

func sessionOf(info process.Info) string { return strconv.Itoa(info.PID) + "." + info.Start }

// programOf returns the known agent that a process is; "" for none. A script's process is that of its interpreter.
func programOf(args []string) string {
	if len(args) == 0 {
		return ""
	}
	for _, k := range knownAgents {
		for _, name := range k.programs {
			if baseOf(args[0]) == name || isInterpreter(args[0]) && runsScript(args[1:], name) {
				return k.name
			}
		}
	}
	return ""
}

func baseOf(path string) string {
	path = strings.ToLower(filepath.Base(strings.ReplaceAll(path, `\`, "/")))
	for _, end := range []string{".exe", ".js", ".mjs", ".cjs", ".cmd", ".py"} {
		path = strings.TrimSuffix(path, end)
	}
	return path
}

func isInterpreter(path string) bool {
	name := baseOf(path)
	return name == "node" || name == "bun" || name == "deno" || strings.HasPrefix(name, "python")
}

// runsScript reports whether an interpreter's script has a name, or belongs to a package of that name.
func runsScript(args []string, name string) bool {
	for _, arg := range args {
		if strings.HasPrefix(arg, "-") {
			continue
		}
		parts := strings.Split(strings.ReplaceAll(arg, `\`, "/"), "/")
		return baseOf(arg) == name || slices.Contains(parts, name)
	}
	return false
}

// isOneCommand reports whether a process is a shell that runs one command, as in `sh -c 'cove page tabs'`.
func isOneCommand(args []string) bool {
	if len(args) < 2 {
		return false
	}
	switch strings.TrimPrefix(baseOf(args[0]), "-") {
	case "sh", "bash", "dash", "zsh", "fish", "ksh", "ash", "busybox":
	default:
		return false
	}
	for _, arg := range args[1:] {
		if !strings.HasPrefix(arg, "-") {
			return false
		}
		if !strings.HasPrefix(arg, "--") && strings.Contains(arg, "c") {
			return true
		}
	}
	return false
}
