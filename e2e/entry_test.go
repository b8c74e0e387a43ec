//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// entryOf is what a client's file runs under a name.
func entryOf(t *testing.T, file, name string) []string {
	t.Helper()
	var f struct {
		Servers map[string]struct {
			Command string
			Args    []string
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(read(t, file)), &f); err != nil || f.Servers[name].Command == "" {
		t.Fatalf("%v: no %s in %s", err, name, read(t, file))
	}
	return append([]string{f.Servers[name].Command}, f.Servers[name].Args...)
}

// TestAnEntryLeadsToItsOwnDataFolder, whatever is installed from another one later and whatever the client's environment says.
func TestAnEntryLeadsToItsOwnDataFolder(t *testing.T) {
	person, web := t.TempDir(), newSite(t)
	file := filepath.Join(person, ".cursor", "mcp.json")
	write(t, file, "{}\n", 0o600)
	apps := map[string]*app{}
	for _, name := range []string{"one", "two"} {
		a := start(t, with("HOME="+person, "NODE_PATH="+modules(t)))
		a.own(http.MethodPatch, "/v1.0/browser_profiles/1", fmt.Sprintf(`{"startPages":[%q]}`, web.URL+"/tab/"+name))
		a.must("wrapper", "install", "--no-fetch")
		a.must("client", "add", "cursor", "1", "--scope", "user", "--wrapper", "--name", "wrapped-"+name)
		a.must("client", "add", "cursor", "1", "--scope", "user", "--name", "native-"+name)
		apps[name] = a
	}
	for _, name := range []string{"one", "two"} {
		other := apps["two"].home
		if name == "two" {
			other = apps["one"].home
		}
		for _, entry := range []string{"wrapped-" + name, "native-" + name} {
			for _, misleading := range []string{"COVE_E2E=nothing", "COVE_HOME=" + other, "XDG_CONFIG_HOME=" + filepath.Dir(other)} {
				t.Run(entry+" with "+strings.SplitN(misleading, "=", 2)[0], func(t *testing.T) {
					m := startMCP(t, command{args: entryOf(t, file, entry), dir: t.TempDir(),
						env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + person, "NODE_PATH=" + modules(t), misleading}})
					m.initialize()
					if pages := m.works("list_pages", nil); !strings.Contains(pages, web.URL+"/tab/"+name) || strings.Count(pages, "/tab/") != 1 {
						t.Errorf("it is in the profile with the pages\n%s", pages)
					}
					m.close()
				})
			}
		}
	}
	for _, a := range apps {
		a.close(1)
	}
}

// TestVerifyRunsTheEntryOfTheClient: the very command, its variables and the client's environment, and nothing of ours.
func TestVerifyRunsTheEntryOfTheClient(t *testing.T) {
	person := t.TempDir()
	a := start(t, with("HOME="+person))
	for name, c := range map[string]struct {
		client, file, entry string
		fails               bool
	}{
		"as Cove wrote it":                 {"cursor", ".cursor/mcp.json", fmt.Sprintf(`{"mcpServers":{"cove-1":{"command":%q,"args":["mcp","1","--home",%q]}}}`, cove, a.home), false},
		"the folder in its variables":      {"cursor", ".cursor/mcp.json", fmt.Sprintf(`{"mcpServers":{"cove-1":{"command":%q,"args":["mcp","1","--no-autostart"],"env":{"COVE_HOME":%q}}}}`, cove, a.home), false},
		"a strict client strips ours":      {"cursor", ".cursor/mcp.json", fmt.Sprintf(`{"mcpServers":{"cove-1":{"command":%q,"args":["mcp","1","--no-autostart"]}}}`, cove), true},
		"another one hands it on":          {"droid", ".factory/mcp.json", fmt.Sprintf(`{"mcpServers":{"cove-1":{"command":%q,"args":["mcp","1","--no-autostart"]}}}`, cove), false},
		"with what a person has added":     {"cursor", ".cursor/mcp.json", fmt.Sprintf(`{"mcpServers":{"cove-1":{"command":%q,"args":["mcp","1","--no-autostart","--tools","pdf","--home",%q]}}}`, cove, a.home), false},
		"with a mistake of the person's":   {"cursor", ".cursor/mcp.json", fmt.Sprintf(`{"mcpServers":{"cove-1":{"command":%q,"args":["mcp","1","--bogus","--home",%q]}}}`, cove, a.home), true},
		"in a shape of the client's own":   {"opencode", ".config/opencode/opencode.json", fmt.Sprintf(`{"mcp":{"cove-1":{"type":"local","command":[%q,"mcp","1","--home",%q],"environment":{"A":"b"}}}}`, cove, a.home), false},
		"with a variable that breaks it":   {"cursor", ".cursor/mcp.json", fmt.Sprintf(`{"mcpServers":{"cove-1":{"command":%q,"args":["mcp","1","--no-autostart"],"env":{"COVE_HOME":%q,"HOME":"/nowhere"}}}}`, cove, a.home), false},
		"in TOML, where the client strips": {"codex", ".codex/config.toml", fmt.Sprintf("[mcp_servers.cove-1]\ncommand = %q\nargs = [\"mcp\", \"1\", \"--no-autostart\"]\nenv = { COVE_HOME = %q }\n", cove, a.home), false},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(person, c.file)
			write(t, file, c.entry, 0o600)
			defer func() { _ = os.Remove(file) }()
			out, code := a.cli("verify", "1", "--client", c.client)
			if (code != 0) != c.fails || strings.Contains(out, "Register") || read(t, file) != c.entry {
				t.Errorf("exit code %d: %s", code, out)
			}
		})
	}
}
