package clients

import (
	"strings"

	"cove/internal/clients/edit"
)

// Rows of clients for the command line.

func claudeCode() Client {
	return Client{
		Name: "claude-code", Title: "Claude Code", Format: edit.Strict, Key: servers(), Shape: typed, Lock: true,
		Variables: braced, Inherits: everything,
		User: func(e Env) []string {
			files := []string{e.join(e.or("CLAUDE_CONFIG_DIR", e.Home), ".claude.json")}
			// The file of its first versions takes precedence if it is there.
			if old := e.join(e.or("CLAUDE_CONFIG_DIR", e.home(".claude")), ".config.json"); e.filled(old) {
				files = append([]string{old}, files...)
			}
			return files
		},
		Project: func(e Env) []string { return []string{e.dir(".mcp.json")} },
		Local: func(e Env) [][]string {
			project := e.repository()
			keys := [][]string{{"projects", project, "mcpServers"}}
			if e.OS == "windows" { // older versions keep the backslashes
				keys = append([][]string{{"projects", strings.ReplaceAll(project, `\`, "/"), "mcpServers"}}, keys...)
			}
			return keys
		},
		Folders: func(e Env) []string {
			return []string{e.or("CLAUDE_CONFIG_DIR", e.home(".claude")), e.home(".claude.json")}
		},
		Skills: func(e Env, s Scope) string {
			if s == User {
				return e.join(e.or("CLAUDE_CONFIG_DIR", e.home(".claude")), "skills")
			}
			return e.dir(".claude", "skills")
		},
		Programs: []string{"claude"}, List: []string{"mcp", "list"}, Live: true,
		Restart: "Start a new Claude Code session to get the tools.",
		Approve: "Claude Code asks for your approval before it uses the servers of a project.",
	}
}

func copilot() Client {
	return Client{
		Name: "copilot", Title: "Copilot CLI", Format: edit.Loose, Key: servers(), Inherits: everything,
		Shape: func(x Entry) []edit.Field { return append(typed(x), field("tools", []string{"*"})) },
		User: func(e Env) []string {
			return []string{e.join(e.or("COPILOT_HOME", e.home(".copilot")), "mcp-config.json")}
		},
		Project: func(e Env) []string { return []string{e.dir(".github", "mcp.json"), e.dir(".mcp.json")} },
		Skills: func(e Env, s Scope) string {
			if own := e.Getenv("COPILOT_HOME"); s == User && own != "" { // then it does not read the shared folder
				return e.join(own, "skills")
			}
			return sharedSkills(e, s)
		},
		Programs: []string{"copilot"}, List: []string{"mcp", "list"},
		Restart: "Start a new Copilot CLI session to get the tools.",
		Approve: "Copilot CLI reads a project's servers only in a folder that you trust.",
	}
}

func codex() Client {
	return Client{
		Name: "codex", Title: "Codex", Format: edit.TOML, Key: []string{"mcp_servers"}, Shape: plain,
		Skills: sharedSkills, // wherever CODEX_HOME is
		Sandbox: "Codex runs commands in a sandbox without connections: approve cove when Codex asks, or set " +
			"network_access = true below [sandbox_workspace_write] in its config.toml.",
		User:     func(e Env) []string { return []string{e.join(e.or("CODEX_HOME", e.home(".codex")), "config.toml")} },
		Project:  func(e Env) []string { return []string{e.dir(".codex", "config.toml")} },
		Programs: []string{"codex"}, List: []string{"mcp", "list"},
		Restart: "Start a new Codex session to get the tools.",
		Approve: "Codex reads a project's settings only in a folder that you trust.",
	}
}

func gemini() Client {
	return Client{
		Name: "gemini", Title: "Gemini CLI", Format: edit.Commented, Key: servers(), Shape: plain, NoMark: true,
		Variables: dollar, Inherits: harmless,
		User: func(e Env) []string {
			return []string{e.join(e.or("GEMINI_CLI_HOME", e.Home), ".gemini", "settings.json")}
		},
		Project:  func(e Env) []string { return []string{e.dir(".gemini", "settings.json")} },
		Skills:   func(e Env, s Scope) string { return e.skills(s, e.or("GEMINI_CLI_HOME", e.Home), ".agents") },
		Programs: []string{"gemini"}, List: []string{"mcp", "list"}, Live: true,
		Restart: "Start a new Gemini CLI session, in a folder that you trust, to get the tools.",
	}
}

func opencode() Client {
	return Client{
		Name: "opencode", Title: "opencode", Format: edit.Loose, Key: []string{"mcp"},
		Variables: curlies, Inherits: everything,
		Shape: func(x Entry) []edit.Field {
			words := append([]string{x.Command}, x.Args...)
			return []edit.Field{field("type", "local"), field("command", words), field("enabled", true)}
		},
		User: func(e Env) []string {
			return []string{e.xdg("opencode", "opencode.jsonc"), e.xdg("opencode", "opencode.json")}
		},
		Project: func(e Env) []string {
			return []string{
				e.dir("opencode.jsonc"), e.dir("opencode.json"),
				e.dir(".opencode", "opencode.jsonc"), e.dir(".opencode", "opencode.json"),
			}
		},
		Skills:   sharedSkills, // wherever XDG_CONFIG_HOME is
		Programs: []string{"opencode"}, List: []string{"mcp", "list"}, Live: true,
		Restart: "Start a new opencode session to get the tools.",
	}
}

func qwen() Client {
	return Client{
		Name: "qwen", Title: "Qwen Code", Format: edit.Commented, Key: servers(), Shape: plain,
		Variables: dollar, Inherits: everything,
		User:     func(e Env) []string { return []string{e.join(e.or("QWEN_HOME", e.home(".qwen")), "settings.json")} },
		Project:  func(e Env) []string { return []string{e.dir(".qwen", "settings.json")} },
		Skills:   sharedSkills, // wherever QWEN_HOME is
		Programs: []string{"qwen"}, List: []string{"mcp", "list"}, Live: true,
		Restart: "Start a new Qwen Code session to get the tools.",
		Approve: "Qwen Code asks for your approval before it uses the servers of a project.",
	}
}

func goose() Client {
	return Client{
		Name: "goose", Title: "Goose", Format: edit.YAML, Key: []string{"extensions"},
		Shape: func(x Entry) []edit.Field {
			return []edit.Field{
				field("name", x.Name), field("type", "stdio"), field("cmd", x.Command), field("args", x.Args),
				field("enabled", true), field("timeout", 300), field("description", x.about()),
				field("envs", []edit.Field{}), field("env_keys", []string{}),
			}
		},
		User: func(e Env) []string {
			if e.OS == "windows" {
				return []string{e.roaming("Block", "goose", "config", "config.yaml")}
			}
			return []string{e.xdg("goose", "config.yaml")}
		},
		Programs: []string{"goose"},
		Restart:  "Start a new Goose session to get the tools.",
		Link: func(x Entry) string {
			link := "goose://extension?cmd=" + escaped(x.Command)
			for _, arg := range x.Args {
				link += "&arg=" + escaped(arg)
			}
			return link + "&id=" + escaped(x.Name) + "&name=" + escaped(x.Name) + "&description=" + escaped(x.about())
		},
	}
}

func amp() Client {
	return Client{
		Name: "amp", Title: "Amp", Format: edit.Loose, Key: []string{"amp.mcpServers"}, Shape: plain,
		User: func(e Env) []string {
			return []string{e.home(".config", "amp", "settings.json"), e.home(".config", "amp", "settings.jsonc")}
		},
		Project: func(e Env) []string {
			return []string{e.dir(".amp", "settings.json"),
				e.dir(".amp", "settings.jsonc")}
		},
		Skills: func(e Env, s Scope) string {
			if s == User {
				return e.home(".config", "agents", "skills")
			}
			return sharedSkills(e, s)
		},
		Programs: []string{"amp"}, List: []string{"mcp", "list"},
		Restart: "Start a new Amp session to get the tools.",
		Approve: "Amp asks for your approval before it uses the servers of a project.",
	}
}

func droid() Client {
	return Client{
		Name: "droid", Title: "Factory droid", Format: edit.Loose, Key: servers(), Inherits: everything,
		Shape:    func(x Entry) []edit.Field { return append(typed(x), field("disabled", false)) },
		User:     func(e Env) []string { return []string{e.home(".factory", "mcp.json")} },
		Project:  func(e Env) []string { return []string{e.dir(".factory", "mcp.json")} },
		Programs: []string{"droid"}, List: []string{"mcp", "list"}, Live: true,
		Restart: "Start a new droid session to get the tools.",
	}
}
