package clients

import (
	"cove/internal/clients/edit"
)

// Rows of editors and other programs with windows.

func claudeDesktop() Client {
	return Client{
		Name: "claude-desktop", Title: "Claude Desktop", Format: edit.Strict, Key: servers(), Shape: plain, Every: true,
		User: func(e Env) []string {
			files := []string{e.support("Claude", "claude_desktop_config.json")}
			if e.OS == "windows" { // as a package from the store it does not see %APPDATA%
				local := e.or("LOCALAPPDATA", e.home("AppData", "Local"))
				roaming := e.join(local, "Packages", "Claude_pzs8sxrjxfjjc", "LocalCache", "Roaming")
				files = append(files, e.join(roaming, "Claude", "claude_desktop_config.json"))
			}
			return files
		},
		Restart: "Quit Claude Desktop completely and start it again to get the tools.",
	}
}

func cursor() Client {
	return Client{
		Name: "cursor", Title: "Cursor", Format: edit.Loose, Key: servers(), Shape: plain, Variables: braced,
		User:     func(e Env) []string { return []string{e.home(".cursor", "mcp.json")} },
		Project:  func(e Env) []string { return []string{e.dir(".cursor", "mcp.json")} },
		Skills:   sharedSkills,
		Programs: []string{"cursor", "cursor-agent"},
		Restart:  "Switch the server on in Cursor's settings under MCP, or restart Cursor, to get the tools.",
		Link: func(x Entry) string {
			return "cursor://anysphere.cursor-deeplink/mcp/install?name=" + escaped(x.Name) + "&config=" + encoded(x)
		},
	}
}

func windsurf() Client {
	return Client{
		Name: "windsurf", Title: "Windsurf (Devin Desktop)", Format: edit.Loose, Key: servers(), Shape: plain,
		Every: true,
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
	}
}

func antigravity() Client {
	return Client{
		Name: "antigravity", Title: "Antigravity", Format: edit.Loose, Key: servers(), Shape: plain, Every: true,
		User: func(e Env) []string {
			return []string{
				e.home(".gemini", "config", "mcp_config.json"),
				e.home(".gemini", "antigravity", "mcp_config.json"),
			}
		},
		Programs: []string{"antigravity", "agy"},
		Restart:  "Press Refresh in Antigravity's list of MCP servers, or restart it, to get the tools.",
	}
}

func zed() Client {
	return Client{
		Name: "zed", Title: "Zed", Format: edit.Loose, Key: []string{"context_servers"}, Shape: plain,
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
	}
}

func cline() Client {
	return Client{
		Name: "cline", Title: "Cline", Format: edit.Strict, Key: servers(),
		Shape: func(x Entry) []edit.Field { return append(plain(x), field("disabled", false)) },
		User: func(e Env) []string {
			if file := e.Getenv("CLINE_MCP_SETTINGS_PATH"); file != "" {
				return []string{file}
			}
			return []string{
				e.join(e.or("CLINE_DIR", e.home(".cline")), "data", "settings", "cline_mcp_settings.json"),
				e.support("Code", "User", "globalStorage", "saoudrizwan.claude-dev", "settings",
					"cline_mcp_settings.json"),
			}
		},
		Folders: func(e Env) []string {
			return []string{
				e.or("CLINE_DIR", e.home(".cline")),
				e.support("Code", "User", "globalStorage", "saoudrizwan.claude-dev"),
			}
		},
		Programs: []string{"cline"},
		Restart:  "Reload the MCP servers in Cline, or start a new Cline session, to get the tools.",
	}
}

func junie() Client {
	return Client{
		Name: "junie", Title: "Junie", Format: edit.Loose, Key: servers(), Shape: plain,
		User:     func(e Env) []string { return []string{e.home(".junie", "mcp", "mcp.json")} },
		Project:  func(e Env) []string { return []string{e.dir(".junie", "mcp", "mcp.json")} },
		Folders:  func(e Env) []string { return []string{e.home(".junie")} },
		Programs: []string{"junie"},
		Restart:  "Restart the IDE, or start a new Junie session, to get the tools.",
	}
}

func kiro() Client {
	return Client{
		Name: "kiro", Title: "Kiro", Format: edit.Loose, Key: servers(), Shape: plain,
		User:     func(e Env) []string { return []string{e.home(".kiro", "settings", "mcp.json")} },
		Project:  func(e Env) []string { return []string{e.dir(".kiro", "settings", "mcp.json")} },
		Folders:  func(e Env) []string { return []string{e.home(".kiro")} },
		Programs: []string{"kiro", "kiro-cli"},
		Restart:  "Kiro takes the server over at once; kiro-cli needs a new session.",
		Link: func(x Entry) string {
			return "kiro://kiro.mcp/add?name=" + escaped(x.Name) + "&config=" + escaped(edit.Inline(plain(x)))
		},
	}
}

func lmStudio() Client {
	return Client{
		Name: "lmstudio", Title: "LM Studio", Format: edit.Loose, Key: servers(), Shape: plain,
		User: func(e Env) []string {
			return []string{e.home(".lmstudio", "mcp.json"), e.home(".cache", "lm-studio", "mcp.json")}
		},
		Programs: []string{"lms"},
		Restart:  "Switch the server on in the Program tab of LM Studio to get the tools.",
		Link: func(x Entry) string {
			return "lmstudio://add_mcp?name=" + escaped(x.Name) + "&config=" + encoded(x)
		},
	}
}

// vsCode returns the row of one of VS Code's editions.
func vsCode(name, title, folder, program, scheme string) Client {
	return Client{
		Name: name, Title: title, Format: edit.Loose, Key: []string{"servers"}, Shape: typed, Variables: braced,
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
			return scheme + ":mcp/install?" +
				escaped(edit.Inline(append([]edit.Field{field("name", x.Name)}, plain(x)...)))
		},
	}
}
