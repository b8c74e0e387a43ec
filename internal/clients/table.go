package clients

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"cove/internal/clients/edit"
)

// What clients replace in the words of an entry. No client has a way to escape it.
var (
	dollar  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$(\w+|\{[^}]+\})`) })
	braced  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$\{[^}]+\}`) })
	curlies = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{(env|file):[^}]*\}`) })
)

// Table is every client that Cove can register a profile with. docs/ARCHITECTURE.md says how to add one. Callers must
// not change it.
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

// servers leads to the map of servers in the files of most clients.
func servers() []string { return []string{"mcpServers"} }

// escaped is a value in the query of a link. A blank is %20: not every client reads a + as one.
func escaped(value string) string { return strings.ReplaceAll(url.QueryEscape(value), "+", "%20") }

// encoded is the plain shape of an entry in base64, as some links have it.
func encoded(x Entry) string {
	return escaped(base64.StdEncoding.EncodeToString([]byte(edit.Inline(plain(x)))))
}
