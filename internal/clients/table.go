package clients

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"cove/internal/clients/edit"
)

// The variables that clients replace in commands and arguments. No client has a way to escape them.
var (
	dollar  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$(\w+|\{[^}]+\})`) })
	braced  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$\{[^}]+\}`) })
	curlies = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{(env|file):[^}]*\}`) })
)

// Table returns every client that Cove can register a profile with. docs/ARCHITECTURE.md says how to add one. Callers
// must not change the result.
func Table() []Client { return table() }

var table = sync.OnceValue(func() []Client {
	return []Client{
		claudeCode(),
		claudeDesktop(),
		cursor(),
		windsurf(),
		vsCode("vscode", "VS Code", "Code", "code", "vscode"),
		vsCode("vscode-insiders", "VS Code Insiders", "Code - Insiders", "code-insiders", "vscode-insiders"),
		copilot(),
		codex(),
		gemini(),
		antigravity(),
		opencode(),
		qwen(),
		zed(),
		cline(),
		goose(),
		junie(),
		kiro(),
		amp(),
		lmStudio(),
		droid(),
	}
})

// servers returns the keys that lead to the map of servers in the files of most clients.
func servers() []string { return []string{"mcpServers"} }

// escaped returns a value for the query of a link. A blank becomes %20, because not every client reads + as a blank.
func escaped(value string) string { return strings.ReplaceAll(url.QueryEscape(value), "+", "%20") }

// encoded returns the plain shape of an entry in base64, as some links have it.
func encoded(x Entry) string {
	return escaped(base64.StdEncoding.EncodeToString([]byte(edit.Inline(plain(x)))))
}

// sharedSkills is the folder for skills that most clients share.
func sharedSkills(e Env, s Scope) string { return e.skills(s, e.Home, ".agents") }

// skills returns the folder for skills below one of the clients' own, in the project or in the person's home.
func (e Env) skills(s Scope, home, own string) string {
	if s == Project {
		home = e.Dir
	}

	return e.join(home, own, "skills")
}
