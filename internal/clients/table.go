package clients

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"strings"
)

var servers = []string{"mcpServers"}

// What clients replace in the words of an entry; none has a way to keep one from it.
var (
	dollar  = regexp.MustCompile(`\$(\w+|\{[^}]+\})`)
	braced  = regexp.MustCompile(`\$\{[^}]+\}`)
	curlies = regexp.MustCompile(`\{(env|file):[^}]*\}`)
)

// Table is every client that Cove can register a profile with. docs/ARCHITECTURE.md says how to add one.
var Table = []Client{
	{
		Name: "claude-code", Title: "Claude Code", Format: Strict, Key: servers, Shape: typed, Lock: true, Variables: braced, Inherits: everything,
		User: func(e Env) []string {
			files := []string{e.join(e.or("CLAUDE_CONFIG_DIR", e.Home), ".claude.json")}
			if old := e.join(e.or("CLAUDE_CONFIG_DIR", e.home(".claude")), ".config.json"); e.filled(old) { // of its first versions, and still the one that counts
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
		Programs: []string{"claude"}, List: []string{"mcp", "list"}, Live: true,
		Restart: "Start a new Claude Code session to get the tools.",
		Approve: "Claude Code asks for your approval before it uses the servers of a project.",
	},
	{
		Name: "claude-desktop", Title: "Claude Desktop", Format: Strict, Key: servers, Shape: plain, Every: true,
		User: func(e Env) []string {
			files := []string{e.support("Claude", "claude_desktop_config.json")}
			if e.OS == "windows" { // as a package from the store it does not see %APPDATA%
				local := e.or("LOCALAPPDATA", e.home("AppData", "Local"))
				files = append(files, e.join(local, "Packages", "Claude_pzs8sxrjxfjjc", "LocalCache", "Roaming", "Claude", "claude_desktop_config.json"))
			}
			return files
		},
		Restart: "Quit Claude Desktop completely and start it again to get the tools.",
	},
	{
		Name: "cursor", Title: "Cursor", Format: Loose, Key: servers, Shape: plain, Variables: braced,
		User:     func(e Env) []string { return []string{e.home(".cursor", "mcp.json")} },
		Project:  func(e Env) []string { return []string{e.dir(".cursor", "mcp.json")} },
		Programs: []string{"cursor", "cursor-agent"},
		Restart:  "Switch the server on in Cursor's settings under MCP, or restart Cursor, to get the tools.",
		Link: func(x Entry) string {
			return "cursor://anysphere.cursor-deeplink/mcp/install?name=" + escaped(x.Name) + "&config=" + escaped(base64.StdEncoding.EncodeToString([]byte(flow(plain(x)))))
		},
	},
	{
		Name: "windsurf", Title: "Windsurf (Devin Desktop)", Format: Loose, Key: servers, Shape: plain, Every: true,
		User: func(e Env) []string {
			file := e.home(".config", "devin", "mcp_config.json")
			if e.OS == "windows" {
				file = e.roaming("devin", "mcp_config.json")
			}
			return []string{file, e.home(".codeium", "windsurf", "mcp_config.json")}
		},
		Project:  func(e Env) []string { return []string{e.dir(".devin", "mcp_config.json")} },
		Programs: []string{"windsurf", "devin"},
		Restart:  "Press Refresh in the list of MCP servers of Windsurf, or restart it, to get the tools.",
	},
	vsCode("vscode", "VS Code", "Code", "code", "vscode"),
	vsCode("vscode-insiders", "VS Code Insiders", "Code - Insiders", "code-insiders", "vscode-insiders"),
	{
		Name: "copilot", Title: "Copilot CLI", Format: Loose, Key: servers, Inherits: everything,
		Shape: func(x Entry) []Field { return append(typed(x), Field{"tools", []string{"*"}}) },
		User: func(e Env) []string {
			return []string{e.join(e.or("COPILOT_HOME", e.home(".copilot")), "mcp-config.json")}
		},
		Project:  func(e Env) []string { return []string{e.dir(".github", "mcp.json"), e.dir(".mcp.json")} },
		Programs: []string{"copilot"}, List: []string{"mcp", "list"},
		Restart: "Start a new Copilot CLI session to get the tools.",
		Approve: "Copilot CLI reads a project's servers only in a folder that you trust.",
	},
	{
		Name: "codex", Title: "Codex", Format: TOML, Key: []string{"mcp_servers"}, Shape: plain,
		User:     func(e Env) []string { return []string{e.join(e.or("CODEX_HOME", e.home(".codex")), "config.toml")} },
		Project:  func(e Env) []string { return []string{e.dir(".codex", "config.toml")} },
		Programs: []string{"codex"}, List: []string{"mcp", "list"},
		Restart: "Start a new Codex session to get the tools.",
		Approve: "Codex reads a project's settings only in a folder that you trust.",
	},
	{
		Name: "gemini", Title: "Gemini CLI", Format: Commented, Key: servers, Shape: plain, NoMark: true, Variables: dollar, Inherits: harmless,
		User: func(e Env) []string {
			return []string{e.join(e.or("GEMINI_CLI_HOME", e.Home), ".gemini", "settings.json")}
		},
		Project:  func(e Env) []string { return []string{e.dir(".gemini", "settings.json")} },
		Programs: []string{"gemini"}, List: []string{"mcp", "list"}, Live: true,
		Restart: "Start a new Gemini CLI session, in a folder that you trust, to get the tools.",
	},
	{
		Name: "antigravity", Title: "Antigravity", Format: Loose, Key: servers, Shape: plain, Every: true,
		User: func(e Env) []string {
			return []string{e.home(".gemini", "config", "mcp_config.json"), e.home(".gemini", "antigravity", "mcp_config.json")}
		},
		Programs: []string{"antigravity", "agy"},
		Restart:  "Press Refresh in Antigravity's list of MCP servers, or restart it, to get the tools.",
	},
	{
		Name: "opencode", Title: "opencode", Format: Loose, Key: []string{"mcp"}, Variables: curlies, Inherits: everything,
		Shape: func(x Entry) []Field {
			return []Field{{"type", "local"}, {"command", append([]string{x.Command}, x.Args...)}, {"enabled", true}}
		},
		User: func(e Env) []string {
			return []string{e.xdg("opencode", "opencode.jsonc"), e.xdg("opencode", "opencode.json")}
		},
		Project: func(e Env) []string {
			return []string{e.dir("opencode.jsonc"), e.dir("opencode.json"), e.dir(".opencode", "opencode.jsonc"), e.dir(".opencode", "opencode.json")}
		},
		Programs: []string{"opencode"}, List: []string{"mcp", "list"}, Live: true,
		Restart: "Start a new opencode session to get the tools.",
	},
	{
		Name: "qwen", Title: "Qwen Code", Format: Commented, Key: servers, Shape: plain, Variables: dollar, Inherits: everything,
		User:     func(e Env) []string { return []string{e.join(e.or("QWEN_HOME", e.home(".qwen")), "settings.json")} },
		Project:  func(e Env) []string { return []string{e.dir(".qwen", "settings.json")} },
		Programs: []string{"qwen"}, List: []string{"mcp", "list"}, Live: true,
		Restart: "Start a new Qwen Code session to get the tools.",
		Approve: "Qwen Code asks for your approval before it uses the servers of a project.",
	},
	{
		Name: "zed", Title: "Zed", Format: Loose, Key: []string{"context_servers"}, Shape: plain,
		User: func(e Env) []string {
			if e.OS == "darwin" {
				return []string{e.home(".config", "zed", "settings.json")}
			}
			if e.OS == "windows" {
				return []string{e.roaming("Zed", "settings.json")}
			}
			return []string{e.xdg("zed", "settings.json")}
		},
		Project:  func(e Env) []string { return []string{e.dir(".zed", "settings.json")} },
		Programs: []string{"zed", "zeditor"},
		Restart:  "Zed takes the server over at once: its Agent panel lists the tools.",
	},
	{
		Name: "cline", Title: "Cline", Format: Strict, Key: servers,
		Shape: func(x Entry) []Field { return append(plain(x), Field{"disabled", false}) },
		User: func(e Env) []string {
			if file := e.Getenv("CLINE_MCP_SETTINGS_PATH"); file != "" {
				return []string{file}
			}
			return []string{
				e.join(e.or("CLINE_DIR", e.home(".cline")), "data", "settings", "cline_mcp_settings.json"),
				e.support("Code", "User", "globalStorage", "saoudrizwan.claude-dev", "settings", "cline_mcp_settings.json"),
			}
		},
		Folders: func(e Env) []string {
			return []string{e.or("CLINE_DIR", e.home(".cline")), e.support("Code", "User", "globalStorage", "saoudrizwan.claude-dev")}
		},
		Programs: []string{"cline"},
		Restart:  "Reload the MCP servers in Cline, or start a new Cline session, to get the tools.",
	},
	{
		Name: "goose", Title: "Goose", Format: YAML, Key: []string{"extensions"},
		Shape: func(x Entry) []Field {
			return []Field{{"name", x.Name}, {"type", "stdio"}, {"cmd", x.Command}, {"args", x.Args}, {"enabled", true},
				{"timeout", 300}, {"description", x.about()}, {"envs", []Field{}}, {"env_keys", []string{}}}
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
	},
	{
		Name: "junie", Title: "Junie", Format: Loose, Key: servers, Shape: plain,
		User:     func(e Env) []string { return []string{e.home(".junie", "mcp", "mcp.json")} },
		Project:  func(e Env) []string { return []string{e.dir(".junie", "mcp", "mcp.json")} },
		Folders:  func(e Env) []string { return []string{e.home(".junie")} },
		Programs: []string{"junie"},
		Restart:  "Restart the IDE, or start a new Junie session, to get the tools.",
	},
	{
		Name: "kiro", Title: "Kiro", Format: Loose, Key: servers, Shape: plain,
		User:     func(e Env) []string { return []string{e.home(".kiro", "settings", "mcp.json")} },
		Project:  func(e Env) []string { return []string{e.dir(".kiro", "settings", "mcp.json")} },
		Folders:  func(e Env) []string { return []string{e.home(".kiro")} },
		Programs: []string{"kiro", "kiro-cli"},
		Restart:  "Kiro takes the server over at once; kiro-cli needs a new session.",
		Link: func(x Entry) string {
			return "kiro://kiro.mcp/add?name=" + escaped(x.Name) + "&config=" + escaped(flow(plain(x)))
		},
	},
	{
		Name: "amp", Title: "Amp", Format: Loose, Key: []string{"amp.mcpServers"}, Shape: plain,
		User: func(e Env) []string {
			return []string{e.home(".config", "amp", "settings.json"), e.home(".config", "amp", "settings.jsonc")}
		},
		Project:  func(e Env) []string { return []string{e.dir(".amp", "settings.json"), e.dir(".amp", "settings.jsonc")} },
		Programs: []string{"amp"}, List: []string{"mcp", "list"},
		Restart: "Start a new Amp session to get the tools.",
		Approve: "Amp asks for your approval before it uses the servers of a project.",
	},
	{
		Name: "lmstudio", Title: "LM Studio", Format: Loose, Key: servers, Shape: plain,
		User: func(e Env) []string {
			return []string{e.home(".lmstudio", "mcp.json"), e.home(".cache", "lm-studio", "mcp.json")}
		},
		Programs: []string{"lms"},
		Restart:  "Switch the server on in the Program tab of LM Studio to get the tools.",
		Link: func(x Entry) string {
			return "lmstudio://add_mcp?name=" + escaped(x.Name) + "&config=" + escaped(base64.StdEncoding.EncodeToString([]byte(flow(plain(x)))))
		},
	},
	{
		Name: "droid", Title: "Factory droid", Format: Loose, Key: servers, Inherits: everything,
		Shape:    func(x Entry) []Field { return append(typed(x), Field{"disabled", false}) },
		User:     func(e Env) []string { return []string{e.home(".factory", "mcp.json")} },
		Project:  func(e Env) []string { return []string{e.dir(".factory", "mcp.json")} },
		Programs: []string{"droid"}, List: []string{"mcp", "list"}, Live: true,
		Restart: "Start a new droid session to get the tools.",
	},
}

// escaped is a value in the query of a link. A blank is %20: not every client reads a + as one.
func escaped(value string) string { return strings.ReplaceAll(url.QueryEscape(value), "+", "%20") }

// vsCode is a row for one of VS Code's editions.
func vsCode(name, title, folder, program, scheme string) Client {
	return Client{
		Name: name, Title: title, Format: Loose, Key: []string{"servers"}, Shape: typed, Variables: braced,
		User: func(e Env) []string {
			files := []string{e.support(folder, "User", "mcp.json")}
			if e.OS == "linux" && name == "vscode" { // the part of it that runs on a remote computer
				files = append(files, e.home(".vscode-server", "data", "User", "mcp.json"))
			}
			return files
		},
		Project:  func(e Env) []string { return []string{e.dir(".vscode", "mcp.json")} },
		Programs: []string{program},
		Restart:  "Press Start above the server in mcp.json, and trust it when " + title + " asks, to get the tools.",
		Link: func(x Entry) string {
			return scheme + ":mcp/install?" + escaped(flow(append([]Field{{"name", x.Name}}, plain(x)...)))
		},
	}
}
